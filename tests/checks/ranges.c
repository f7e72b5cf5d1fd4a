/*
 * Arguments out of their range: topologies, members of groups, colors, locks, windows, info objects; and
 * what looks like them and is right. Two ranks, of which rank 0 errs; with a CASE in one call.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A call and what is found in it stand on one line. */
/* clang-format off */
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5
#define CRASHES /* Open MPI 5 does, without the library, too */
#endif
#define SELF MPI_COMM_SELF
#define WORLD MPI_COMM_WORLD
static int rank, size, ints[16], more[16];

static void dispose(MPI_Comm *comm)
{
    if (*comm != MPI_COMM_NULL)
        MPI_Comm_free(comm);
    *comm = MPI_COMM_NULL;
}

static void dispose_group(MPI_Group *group)
{
    if (*group != MPI_GROUP_NULL && *group != MPI_GROUP_EMPTY)
        MPI_Group_free(group);
    *group = MPI_GROUP_NULL;
}

/* --- right ---------------------------------------------------------------------------------- */

static void right_topologies(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    int dims[3] = {0, 0, 1}, periods[3] = {0, 1, 0}, at[3] = {0, -7, 0}, number;
    MPI_Dims_create(size, 3, dims);
    MPI_Dims_create(12, 2, (int[]){0, 3});
    MPI_Dims_create(12, 2, (int[]){3, 4});
    MPI_Dims_create(7, 2, (int[]){0, 0});
    MPI_Cart_create(WORLD, 3, dims, periods, 1, &comm);
    MPI_Cart_shift(comm, 2, 1, &number, &ints[0]);
    MPI_Cart_shift(comm, 0, -5, &number, &ints[0]);
    MPI_Cart_shift(comm, 1, 0, &number, &ints[0]);
    MPI_Cart_rank(comm, at, &number); /* its second dimension is periodic */
    dispose(&comm);
    MPI_Cart_create(WORLD, 1, (int[]){1}, periods, 0, &comm); /* one rank gets none */
    dispose(&comm);
    MPI_Cart_create(WORLD, 0, NULL, NULL, 0, &comm);
    dispose(&comm);
    /* A node with an edge to itself, and twice to the same; no edges; fewer nodes than ranks. */
    MPI_Graph_create(SELF, 1, (int[]){2}, (int[]){0, 0}, 0, &comm);
    dispose(&comm);
    MPI_Graph_create(SELF, 1, (int[]){0}, NULL, 0, &comm);
    dispose(&comm);
    MPI_Graph_create(WORLD, 1, (int[]){1}, (int[]){0}, 0, &comm);
    dispose(&comm);
    MPI_Dist_graph_create(WORLD, 2, (int[]){rank, rank}, (int[]){0, 1}, (int[]){1 - rank}, (int[]){0}, MPI_INFO_NULL, 0, &comm);
    dispose(&comm);
    MPI_Dist_graph_create(WORLD, 1, &rank, (int[]){1}, &rank, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    dispose(&comm);
    MPI_Dist_graph_create(WORLD, 1, &rank, (int[]){0}, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    dispose(&comm);
    MPI_Dist_graph_create_adjacent(WORLD, 1, (int[]){1 - rank}, (int[]){3}, 1, (int[]){1 - rank}, (int[]){0}, MPI_INFO_NULL, 0, &comm);
    dispose(&comm);
    MPI_Dist_graph_create_adjacent(WORLD, 1, (int[]){1 - rank}, MPI_UNWEIGHTED, 1, (int[]){1 - rank}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    dispose(&comm);
    MPI_Comm_split(WORLD, rank ? MPI_UNDEFINED : 2147483647, -3, &comm);
    dispose(&comm);
}

static void right_groups(void)
{
    MPI_Group world, part = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    int ranks[4] = {1, 0, MPI_PROC_NULL, 1}, there[4];
    MPI_Comm_group(WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[][3]){{1, 0, -1}}, &part);
    MPI_Comm_create(WORLD, part, &comm);
    dispose(&comm);
    MPI_Comm_create_group(WORLD, part, 0, &comm);
    dispose(&comm);
    MPI_Group_translate_ranks(world, 4, ranks, part, there);
    dispose_group(&part);
    MPI_Group_range_incl(world, 2, (int[][3]){{1, 1, 5}, {0, 0, -1}}, &part);
    dispose_group(&part);
    MPI_Group_range_excl(world, 1, (int[][3]){{0, 1, 1}}, &part);
    MPI_Comm_create(WORLD, part, &comm);
    dispose(&comm);
    dispose_group(&part);
    MPI_Group_range_incl(world, 0, NULL, &part);
    dispose_group(&part);
    MPI_Group_free(&world);
}

static void right_others(void)
{
    MPI_Win win;
    MPI_Info info;
    MPI_Aint there;
    char key[MPI_MAX_INFO_KEY], value[MPI_MAX_INFO_VAL];
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[sizeof key - 1] = value[sizeof value - 1] = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    MPI_Info_delete(info, key);
    MPI_Info_free(&info);
    MPI_Win_create(ints, sizeof ints, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSTORE | MPI_MODE_NOPUT, win);
    MPI_Put(more, 1, MPI_INT, MPI_PROC_NULL, -1, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED | MPI_MODE_NOCHECK, win); /* no bit that means anything here is wrong */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, more, sizeof more);
    MPI_Get_address(more, &there);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Put(ints, 1, MPI_INT, rank, there, 1, MPI_INT, win);
    MPI_Win_unlock(rank, win);
    MPI_Win_detach(win, more);
    /* Side by side; attached again; detached by MPI_Win_free. */
    MPI_Win_attach(win, more, 16);
    MPI_Win_attach(win, more + 4, 16);
    MPI_Win_free(&win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, more, 16);
    MPI_Win_detach(win, more);
    MPI_Win_free(&win);
}

/* --- wrong ---------------------------------------------------------------------------------- */

static void grids(void)
{
    MPI_Comm comm = MPI_COMM_NULL, line, ring;
    int number, dims[2] = {5, 0};
#ifndef CRASHES
    MPI_Cart_create(SELF, 2, (int[]){1, 0}, (int[]){0, 0}, 0, &comm);      /* argument-topology (mpich) */ /* argument-topology (openmpi4) */
    dispose(&comm);
    MPI_Cart_create(SELF, 2, (int[]){1, -1}, (int[]){0, 0}, 0, &comm);     /* argument-topology (mpich) */ /* argument-topology (openmpi4) */
    MPI_Cart_create(SELF, 2, (int[]){1, 2}, (int[]){0, 0}, 0, &comm);      /* argument-topology (mpich) */ /* argument-topology (openmpi4) */
    MPI_Cart_create(SELF, 3, (int[]){65536, 65536, 2147483647}, (int[]){0, 0, 0}, 0, &comm); /* argument-topology (mpich) */ /* argument-topology (openmpi4) */
    MPI_Cart_create(SELF, -1, dims, dims, 0, &comm);                       /* argument-topology (mpich) */ /* argument-topology (openmpi4) */
#endif
    MPI_Cart_map(SELF, 1, (int[]){2}, (int[]){0}, &number);                /* argument-topology */
    MPI_Dims_create(12, 2, dims);                                          /* argument-topology */
    dims[0] = -1;
    dims[1] = 0;
    MPI_Dims_create(12, 2, dims);                                          /* argument-topology */
    MPI_Cart_create(SELF, 1, (int[]){1}, (int[]){0}, 0, &line);
    MPI_Cart_create(SELF, 1, (int[]){1}, (int[]){1}, 0, &ring);
    MPI_Comm_set_errhandler(line, MPI_ERRORS_RETURN);
    MPI_Cart_shift(line, 1, 1, &number, &ints[0]);                         /* argument-topology */
    MPI_Cart_shift(line, -1, 1, &number, &ints[0]);                        /* argument-topology */
    MPI_Cart_rank(line, (int[]){1}, &number);                              /* argument-topology */
    MPI_Cart_rank(line, (int[]){-1}, &number);                             /* argument-topology */
    MPI_Cart_rank(ring, (int[]){-1}, &number);
    dispose(&line);
    dispose(&ring);
}

static void graphs(void)
{
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Graph_create(SELF, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &comm);     /* argument-topology */
    dispose(&comm);
    MPI_Graph_create(SELF, -1, (int[]){1}, (int[]){0}, 0, &comm);          /* argument-topology */
    dispose(&comm);
    MPI_Graph_create(SELF, 1, (int[]){1}, (int[]){1}, 0, &comm);           /* argument-topology */
    dispose(&comm);
    MPI_Graph_create(SELF, 1, (int[]){-1}, (int[]){0}, 0, &comm);          /* argument-topology */
    dispose(&comm);
    MPI_Dist_graph_create(SELF, 1, (int[]){0}, (int[]){1}, (int[]){0}, (int[]){-4}, MPI_INFO_NULL, 0, &comm); /* argument-topology */
    dispose(&comm);
    MPI_Dist_graph_create_adjacent(SELF, 1, (int[]){-9}, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); /* argument-topology */
    dispose(&comm);
    MPI_Comm_split(SELF, -7, 0, &comm);                                    /* argument-color */
    dispose(&comm);
}

static void attached_memory(void)
{
    MPI_Win win, other;
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &other);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_set_errhandler(other, MPI_ERRORS_RETURN);
    MPI_Win_attach(win, more, 64);
    if (rank == 0) {
        MPI_Win_detach(win, more + 1);                                     /* buffer-attach */
        MPI_Win_detach(other, more);                                       /* buffer-attach */
        MPI_Win_attach(win, more + 15, 4);                                 /* buffer-attach */
        MPI_Win_detach(win, more);
        MPI_Win_detach(win, more);                                         /* buffer-attach */
    }
    MPI_Win_free(&other);
    MPI_Win_free(&win);
}

static void groups(void)
{
    MPI_Group world, self, part = MPI_GROUP_NULL;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_group(WORLD, &world);
    MPI_Comm_group(SELF, &self);
    MPI_Group_range_incl(world, 1, (int[][3]){{0, 1, 0}}, &part);          /* argument-rank */
    dispose_group(&part);
    MPI_Group_range_incl(world, 2, (int[][3]){{0, 1, 1}, {1, 1, 1}}, &part); /* argument-rank */
    dispose_group(&part);
    MPI_Group_range_incl(world, 1, (int[][3]){{0, 9, 1}}, &part);          /* argument-rank */
    dispose_group(&part);
    MPI_Group_range_excl(world, 1, (int[][3]){{1, -1, -1}}, &part);        /* argument-rank */
    dispose_group(&part);
    MPI_Comm_create(SELF, world, &comm);                                   /* argument-rank */
    dispose(&comm);
    MPI_Group_free(&world);
    MPI_Group_free(&self);
}

static void others(void)
{
    MPI_Win win = MPI_WIN_NULL;
    MPI_Info info;
    char text[4096];
    void *memory;
    int flag;
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    MPI_Info_create(&info);
    MPI_Info_set(info, text, "value");                                     /* argument-count */
    MPI_Info_set(info, "key", text);                                       /* argument-count */
    MPI_Info_get(info, text, 8, (char *)more, &flag);                      /* argument-count */
    MPI_Info_free(&info);
    MPI_Win_create(ints, 8, 0, MPI_INFO_NULL, SELF, &win);                 /* argument-count */
    MPI_Win_create(ints, 8, -4, MPI_INFO_NULL, SELF, &win);                /* argument-count */
    MPI_Win_allocate(8, 0, MPI_INFO_NULL, SELF, &memory, &win);            /* argument-count */
}

static void files(void)
{
    MPI_File file;
    MPI_Offset where;
    if (MPI_File_open(SELF, "ranges.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) != MPI_SUCCESS)
        return;
    MPI_File_set_size(file, -1);                                           /* argument-count */
    MPI_File_preallocate(file, -1);                                        /* argument-count */
    MPI_File_set_view(file, -4, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); /* argument-count */
    MPI_File_get_byte_offset(file, -2, &where);                            /* argument-count */
    MPI_File_seek(file, -1, MPI_SEEK_SET);                                 /* argument-count */
    MPI_File_seek(file, 0, 77777);                                         /* argument-count */
    MPI_File_write_at(file, -1, ints, 1, MPI_INT, MPI_STATUS_IGNORE);      /* argument-count */
    MPI_File_read_at_all(file, -1, ints, 1, MPI_INT, MPI_STATUS_IGNORE);   /* argument-count */
    MPI_File_set_size(file, 64);
    MPI_File_seek(file, 8, MPI_SEEK_SET);
    MPI_File_seek(file, -4, MPI_SEEK_CUR);
    MPI_File_seek(file, -64, MPI_SEEK_END);
    MPI_File_close(&file);
}

static void windows(void)
{
    MPI_Win win;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_create(ints, sizeof ints, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 0) {
        if (MPI_Win_lock(77777, 0, 0, win) == MPI_SUCCESS)                 /* argument-lock */
            MPI_Win_unlock(0, win);
        if (MPI_Win_lock(MPI_LOCK_SHARED, 0, 1 << 30, win) == MPI_SUCCESS) /* argument-lock */
            MPI_Win_unlock(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(more, 1, MPI_INT, 1, -1, 0, MPI_INT, win);                 /* argument-count */ /* match-truncation */
        MPI_Compare_and_swap(more, more + 1, more + 2, MPI_INT, 1, 0, win);
        MPI_Compare_and_swap(more + 4, more + 5, more + 6, MPI_FLOAT, 1, 0, win); /* op-datatype */
        MPI_Compare_and_swap(more + 7, more + 8, more + 9, pair, MPI_PROC_NULL, 0, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(WORLD);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
}

static void ends_with_window(const char *name)
{
    MPI_Win win;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Win_create(ints, sizeof ints, sizeof(int), MPI_INFO_NULL, WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank)
        return;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    if (strcmp(name, "compared") == 0)
        MPI_Compare_and_swap(more, more + 2, more + 4, pair, 0, 0, win);   /* op-datatype (compared) */
    else if (strcmp(name, "fetched") == 0)
        MPI_Fetch_and_op(more, more + 2, pair, 0, 0, MPI_SUM, win);        /* op-datatype (fetched) */
}

/* An epoch on a window of this process, with the other process. */
static void opens_epoch(const char *name, MPI_Group world, MPI_Group self)
{
    MPI_Win win;
    int *memory;
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, SELF, &memory, &win);
    MPI_Win_post(self, MPI_MODE_NOCHECK, win);
    MPI_Win_start(self, MPI_MODE_NOCHECK, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    if (strcmp(name, "win-start") == 0)
        MPI_Win_start(world, MPI_MODE_NOCHECK, win);                       /* argument-rank (win-start) */
    else if (strcmp(name, "win-post") == 0)
        MPI_Win_post(world, MPI_MODE_NOCHECK, win);                        /* argument-rank (win-post) */
}

/* Calls that an MPI library may crash in. */
static void ends_in(const char *name)
{
    MPI_Group world, self;
    MPI_Comm comm;
    int there[2] = {0, 0};
    MPI_Comm_group(WORLD, &world);
    MPI_Comm_group(SELF, &self);
    if (strcmp(name, "translated") == 0)
        MPI_Group_translate_ranks(world, 2, (int[]){0, 2}, self, there);   /* argument-rank (translated) */
    else if (strcmp(name, "negative") == 0)
        MPI_Group_translate_ranks(world, 1, (int[]){-7}, self, there);     /* argument-rank (negative) */
    else if (strcmp(name, "outside") == 0)
        MPI_Comm_create_group(SELF, world, 0, &comm);                      /* argument-rank (outside) */
    else if (strcmp(name, "win-start") == 0 || strcmp(name, "win-post") == 0)
        opens_epoch(name, world, self);
    else if (strcmp(name, "destination") == 0)
        MPI_Dist_graph_create(SELF, 1, (int[]){0}, (int[]){1}, (int[]){1}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); /* argument-topology (destination) */
    else if (strcmp(name, "source") == 0)
        MPI_Dist_graph_create(SELF, 1, (int[]){2}, (int[]){1}, (int[]){0}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); /* argument-topology (source) */
    else if (strcmp(name, "degree") == 0)
        MPI_Dist_graph_create(SELF, 1, (int[]){0}, (int[]){-1}, (int[]){0}, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm); /* argument-topology (degree) */
    else if (strcmp(name, "processes") == 0)
        MPI_Dims_create(0, 2, there);                                      /* argument-topology (processes) */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    if (argc > 1) {
        ends_in(rank ? "" : argv[1]);
        if (strcmp(argv[1], "compared") == 0 || strcmp(argv[1], "fetched") == 0)
            ends_with_window(argv[1]);
        if (rank)
            sleep(1);
        MPI_Abort(WORLD, 3);
    }
    right_topologies();
    right_groups();
    right_others();
    if (rank == 0) {
        grids();
        graphs();
        groups();
        others();
        files();
    }
    windows();
    attached_memory();
    MPI_Finalize();
    return 0;
}
