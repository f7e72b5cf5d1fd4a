/*
 * Calls that are wrong, one after the other. A line with a finding says so: the id in a comment at
 * its end, and the comment's "x 2" how often. Everything else must be silent.
 *
 *     wrong           those that MPI refuses, or bears
 *     wrong CASE      one that may be the end of the process
 *
 * Runs as one rank or as two.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int rank, size;
static int ints[64], more[64], data[64];
static double doubles[64];
static char packed[1024];

static MPI_Datatype vector_of_ints(void)
{
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 4, MPI_INT, &type);
    return type;
}

static MPI_Datatype freed_type(void)
{
    MPI_Datatype type = vector_of_ints(), copy = type;
    MPI_Type_commit(&type);
    MPI_Type_free(&type);
    return copy;
}

/* --- datatypes ----------------------------------------------------------------------------- */

static void datatypes(void)
{
    MPI_Datatype type = vector_of_ints(), made;
    MPI_Aint lb, extent;
    int position = 0;

    MPI_Send(ints, 1, MPI_DATATYPE_NULL, rank, 0, MPI_COMM_SELF);        /* datatype-null */
    MPI_Bcast(ints, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF);
    MPI_Send(ints, 1, MPI_DATATYPE_NULL, MPI_PROC_NULL, 0, MPI_COMM_SELF);
    MPI_Type_get_extent(MPI_DATATYPE_NULL, &lb, &extent);                /* datatype-null */
    MPI_Type_contiguous(2, MPI_DATATYPE_NULL, &made);                    /* datatype-null */
    MPI_Bcast(ints, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);            /* datatype-null */
    MPI_Gather(ints, 1, MPI_INT, more, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_SELF); /* datatype-null */

    MPI_Sendrecv(ints, 1, type, 0, 0, more, 8, MPI_INT, 0, 0, MPI_COMM_SELF, /* datatype-uncommitted */
                 MPI_STATUS_IGNORE);
    MPI_Bcast(ints, 1, type, 0, MPI_COMM_SELF);                          /* datatype-uncommitted */
    MPI_Pack(ints, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF); /* datatype-uncommitted */
    MPI_Type_commit(&type);
    MPI_Bcast(ints, 1, type, 0, MPI_COMM_SELF);
    MPI_Type_commit(&type);                                              /* datatype-recommitted */
    made = MPI_INT;
    MPI_Type_commit(&made);                                              /* datatype-recommitted */
    MPI_Type_free(&made);                                                /* datatype-predefined-freed */
    MPI_Type_free(&type);
    MPI_Type_free(&type);                                                /* datatype-null */
    MPI_Type_commit(&type);                                              /* datatype-null */
    for (int i = 0; i < 2; i++)
        MPI_Send(ints, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_SELF);       /* datatype-null x 2 */
}

static void constructors(void)
{
    MPI_Datatype made = MPI_DATATYPE_NULL; /* MPICH makes some of them all the same */
    int lengths[2] = {1, -1}, displacements[2] = {0, 4};
    int sizes[2] = {4, 4}, subsizes[2] = {2, 5}, starts[2] = {0, 0};
    int distribs[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, dargs[2] = {1, MPI_DISTRIBUTE_DFLT_DARG};
    int grid[2] = {1, 1};

    MPI_Type_contiguous(-1, MPI_INT, &made);                             /* datatype-argument */
    MPI_Type_vector(2, -1, 4, MPI_INT, &made);                           /* datatype-argument */
    MPI_Type_indexed(2, lengths, displacements, MPI_INT, &made);         /* datatype-argument */ /* at (INDEXED)[1] */
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &made); /* datatype-argument */
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    subsizes[1] = 2;
    starts[0] = 3;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &made); /* datatype-argument */
    if (made != MPI_DATATYPE_NULL)
        MPI_Type_free(&made);
    starts[0] = 0;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, 12345, MPI_INT, &made); /* datatype-argument */
    MPI_Type_create_darray(1, 0, 2, sizes, distribs, dargs, grid, MPI_ORDER_C, MPI_INT, &made); /* datatype-argument */
    MPI_Type_create_darray(2, 2, 2, sizes, distribs, sizes, grid, MPI_ORDER_C, MPI_INT, &made); /* datatype-argument */ /* datatype-argument */
}

/* --- what a type covers -------------------------------------------------------------------- */

static void layouts(void)
{
    MPI_Datatype huge, more_of_it = MPI_DATATYPE_NULL, folded, small, shifted;
    MPI_File file;
    MPI_Aint odd = 1;
    int one = 1;

    MPI_Type_contiguous(2147483647, MPI_DOUBLE, &huge);
    MPI_Type_vector(2147483647, 1, 2147483647, huge, &more_of_it);       /* datatype-overflow */ /* at (VECTOR)[2147483646] */
    if (more_of_it != MPI_DATATYPE_NULL)
        MPI_Type_free(&more_of_it);
    /* The others' results are never used, and freed where MPI gives one. */
    MPI_Datatype far[7];
    for (int i = 0; i < 7; i++)
        far[i] = MPI_DATATYPE_NULL;
    MPI_Aint ends[2] = {0, INT64_MAX - 7}, opposite[2] = {INT64_MAX / 4 * -3, INT64_MAX / 4 * 3};
    MPI_Datatype pair[2] = {MPI_INT, MPI_INT};
    MPI_Type_create_hindexed(2, (int[]){1, 2}, ends, MPI_DOUBLE, &far[0]); /* datatype-overflow */ /* at (HINDEXED)[1] */
    MPI_Type_create_struct(2, (int[]){1, 1}, opposite, pair, &far[1]);   /* datatype-overflow */ /* at (STRUCT)[1] */
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, 2147483647}, huge, &far[2]); /* datatype-overflow */ /* at (INDEXED)[1] */
    MPI_Type_create_hindexed_block(2, 1, opposite, MPI_INT, &far[3]); /* datatype-overflow */ /* at (HINDEXED_BLOCK)[1] */
    MPI_Type_create_indexed_block(1, 2147483647, (int[]){0}, huge, &far[4]); /* datatype-overflow */ /* at (INDEXED_BLOCK)[0] */
    MPI_Type_create_hindexed(1, (int[]){2147483647}, ends, huge, &far[5]); /* datatype-overflow */ /* at (HINDEXED)[0] */
    MPI_Type_indexed(3, (int[]){0, 1, 2147483647}, (int[]){0, 1, 2}, huge, &far[6]); /* datatype-overflow */ /* at (INDEXED)[2] */
    for (int i = 0; i < 7; i++)
        if (far[i] != MPI_DATATYPE_NULL)
            MPI_Type_free(&far[i]);
    MPI_Type_free(&huge);
    more_of_it = MPI_DATATYPE_NULL;
    MPI_Type_create_hvector(3, 1, (MPI_Aint)1 << 62, MPI_INT, &more_of_it); /* datatype-overflow */ /* at (HVECTOR)[2] */
    if (more_of_it != MPI_DATATYPE_NULL)
        MPI_Type_free(&more_of_it);

    MPI_Type_vector(2, 2, 1, MPI_INT, &folded);
    MPI_Type_commit(&folded);
    MPI_Sendrecv(data, 4, MPI_INT, 0, 3, more, 1, folded, 0, 3, MPI_COMM_SELF, /* datatype-self-overlap */ /* at {0}(VECTOR)[0][1](MPI_INT)+4 {0}(VECTOR)[1][0](MPI_INT)+4 */
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&folded);
    /* Made anew each time, some of them alike. */
    for (int i = 0; i < 6; i++) {
        const MPI_Datatype bases[] = {MPI_INT, MPI_SHORT};
        MPI_Type_vector(2, 2, 2 - i % 2, bases[i / 4], &folded);
        MPI_Type_create_resized(bases[i % 2], 0, 2, &small);
        MPI_Type_commit(&folded);
        MPI_Type_commit(&small);
        MPI_Sendrecv(data, 4, bases[i / 4], 0, 3, more, 1, folded, 0, 3, MPI_COMM_SELF, /* datatype-self-overlap x 3 */ /* at {0}(VECTOR)[0][1](MPI_INT)+4 {0}(VECTOR)[1][0](MPI_INT)+4 */
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(data, 2, bases[i % 2], 0, 3, more, 2, small, 0, 3, MPI_COMM_SELF, /* datatype-self-overlap x 3 */ /* at {0}(RESIZED)[0](MPI_INT)+0 {1}(RESIZED)[0](MPI_INT)+2 */
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&folded);
        MPI_Type_free(&small);
    }
    MPI_Type_create_resized(MPI_INT, 0, 2, &small);
    MPI_Type_commit(&small);
    MPI_Sendrecv(data, 1, MPI_INT, 0, 3, more, 1, small, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Sendrecv(data, 2, MPI_INT, 0, 3, more, 2, small, 0, 3, MPI_COMM_SELF, /* datatype-self-overlap */ /* at {0}(RESIZED)[0](MPI_INT)+0 {1}(RESIZED)[0](MPI_INT)+2 */
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&small);

    MPI_Type_create_hindexed(1, &one, &odd, MPI_INT, &shifted);
    MPI_Type_commit(&shifted);
    MPI_Bcast(data, 1, shifted, 0, MPI_COMM_SELF);                       /* datatype-suspicious */ /* at {0}(HINDEXED)[0][0](MPI_INT)+1 */
    MPI_Bcast((char *)(data + 1) - 1, 1, shifted, 0, MPI_COMM_SELF);
    MPI_Type_free(&shifted);

    if (MPI_File_open(MPI_COMM_SELF, "wrong.data", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                      MPI_INFO_NULL, &file) == MPI_SUCCESS) {
        MPI_File_set_view(file, 0, MPI_INT, MPI_2INT, "native", MPI_INFO_NULL);
        MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_INT, "native", MPI_INFO_NULL); /* file-view */
        MPI_Datatype twice, gap;
        MPI_Type_create_resized(MPI_2INT, 0, 4, &twice);
        MPI_Type_commit(&twice);
        MPI_File_set_view(file, 0, MPI_INT, twice, "native", MPI_INFO_NULL); /* file-view */ /* at {0}(RESIZED)[0](MPI_2INT).second+4 {1}(RESIZED)[0](MPI_2INT).first+4 */
        MPI_Type_create_resized(MPI_2INT, 0, 12, &gap);
        MPI_Type_commit(&gap);
        MPI_File_set_view(file, 0, MPI_INT, gap, "native", MPI_INFO_NULL);
        MPI_Type_free(&gap);
        MPI_Type_free(&twice);
        MPI_File_set_view(file, 0, MPI_INT, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL); /* datatype-null */
        MPI_File_write(file, data, -1, MPI_INT, MPI_STATUS_IGNORE);      /* argument-count */
        MPI_File_close(&file);
    }
}

/* --- arguments ----------------------------------------------------------------------------- */

static void arguments(void)
{
    MPI_Comm null = MPI_COMM_NULL;
    MPI_Status status;
    MPI_Request request = MPI_REQUEST_NULL;
    int *tag_ub, flag;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &flag);

    MPI_Send(ints, -1, MPI_INT, 0, 0, MPI_COMM_SELF);                    /* argument-count */
    MPI_Bcast(ints, -1, MPI_INT, 0, MPI_COMM_SELF);                      /* argument-count */
    MPI_Waitall(-1, NULL, NULL);                                         /* argument-count */
    MPI_Send(ints, 1, MPI_INT, 1, 0, MPI_COMM_SELF);                     /* argument-rank */
    MPI_Send(ints, 1, MPI_INT, size, 0, MPI_COMM_WORLD);                 /* argument-rank */
    MPI_Send(ints, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF);        /* argument-rank */
    MPI_Recv(ints, 1, MPI_INT, -77, 0, MPI_COMM_SELF, &status);          /* argument-rank */
    MPI_Send(ints, 1, MPI_INT, 0, -1, MPI_COMM_SELF);                    /* argument-tag */
    MPI_Send(ints, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_SELF);           /* argument-tag */
    if (*tag_ub < 2147483647)
        MPI_Send(ints, 1, MPI_INT, 0, *tag_ub + 1, MPI_COMM_SELF);       /* argument-tag (mpich) */
    MPI_Recv(ints, 1, MPI_INT, 0, -77, MPI_COMM_SELF, &status);          /* argument-tag */
    MPI_Isend(ints, 1, MPI_INT, rank, -1, MPI_COMM_WORLD, &request);     /* argument-tag */
    MPI_Irecv(ints, 1, MPI_INT, size, 0, MPI_COMM_WORLD, &request);      /* argument-rank */
    MPI_Bcast(ints, 1, MPI_INT, 1, MPI_COMM_SELF);                       /* argument-root */
    MPI_Bcast(ints, 1, MPI_INT, -1, MPI_COMM_SELF);                      /* argument-root */
    MPI_Bcast(ints, 1, MPI_INT, MPI_ROOT, MPI_COMM_SELF);                /* argument-root */
    MPI_Barrier(MPI_COMM_NULL);                                          /* argument-comm */
    MPI_Send(ints, 1, MPI_INT, 0, 0, MPI_COMM_NULL);                     /* argument-comm */
    MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_NULL, MPI_STATUS_IGNORE); /* argument-comm */
    MPI_Iprobe(1, 0, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);          /* argument-rank */
    MPI_Iprobe(0, -5, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);         /* argument-tag */
    MPI_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_SELF);                       /* buffer-null */
    MPI_Comm_free(&null);                                                /* argument-comm */
    MPI_Send(MPI_IN_PLACE, 0, MPI_INT, size, 0, MPI_COMM_WORLD);         /* argument-in-place */ /* argument-rank */
    MPI_Allreduce(ints, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF); /* argument-in-place */
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD); /* argument-in-place (rank 1) */
}

/* A ring of one, which is its own neighbour on both sides: the arrays have two members. */
static void neighbours(void)
{
    MPI_Comm ring, alone;
    int one = 1, negative[4] = {1, -1, 1, 1}, past[4] = {1, 1, -1, -1}, places[2] = {0, 4};
    MPI_Aint bytes[2] = {0, 16};
    MPI_Datatype ints[2] = {MPI_INT, MPI_INT}, mixed[3] = {MPI_INT, MPI_DATATYPE_NULL, MPI_INT};
    MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &ring);
    MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &alone);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Neighbor_alltoallv(data, past, places, MPI_INT, more, past, places, MPI_INT, ring);
    MPI_Neighbor_alltoallv(data, negative, places, MPI_INT, more, past, places, MPI_INT, ring); /* argument-count */
    MPI_Neighbor_allgatherv(data, 1, MPI_INT, more, negative, places, MPI_INT, ring); /* argument-count */
    MPI_Neighbor_allgather(data, -1, MPI_INT, more, 1, MPI_INT, ring);   /* argument-count */
    MPI_Neighbor_alltoallw(data, past, bytes, ints, more, past, bytes, ints, ring);
    MPI_Neighbor_alltoallw(data, past, bytes, mixed, more, past, bytes, ints, ring); /* datatype-null */
    MPI_Neighbor_alltoallv(NULL, NULL, NULL, MPI_INT, NULL, NULL, NULL, MPI_INT, alone);
    MPI_Neighbor_alltoall(data, 1, MPI_INT, more, 1, MPI_INT, MPI_COMM_SELF); /* argument-comm */
    MPI_Comm_free(&alone);
    MPI_Comm_free(&ring);
}

/* Calls that need a communicator of another sort, or none of MPI's own. */
static void sorts(void)
{
    MPI_Comm plain, world = MPI_COMM_WORLD, self = MPI_COMM_SELF, ring, made = MPI_COMM_NULL;
    int one = 1, numbers[4];
    MPI_Comm_dup(MPI_COMM_SELF, &plain);
    MPI_Cart_create(MPI_COMM_SELF, 1, &one, &one, 0, &ring);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    MPI_Cart_coords(ring, 0, 1, numbers);
    MPI_Cart_coords(ring, 1, 1, numbers);                                /* argument-rank */
    MPI_Cart_coords(plain, 0, 1, numbers);                               /* argument-comm */
    MPI_Cart_shift(plain, 0, 1, &numbers[0], &numbers[1]);               /* argument-comm */
    MPI_Cartdim_get(MPI_COMM_WORLD, numbers);                            /* argument-comm */
    MPI_Graphdims_get(ring, &numbers[0], &numbers[1]);                   /* argument-comm */
    MPI_Dist_graph_neighbors_count(ring, &numbers[0], &numbers[1], &numbers[2]); /* argument-comm */
    MPI_Comm_remote_size(plain, numbers);                                /* argument-comm */
    MPI_Intercomm_create(MPI_COMM_SELF, 1, MPI_COMM_WORLD, 0, 4, &made); /* argument-rank */
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_NULL, 0, 4, &made);  /* argument-comm */
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 7, 4, &made); /* argument-rank */
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, -1, 4, &made); /* argument-rank */
    MPI_Comm_spawn("none", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 1, MPI_COMM_SELF, &made, MPI_ERRCODES_IGNORE); /* argument-root */
    MPI_Comm_free(&self);                                                /* argument-comm */
    MPI_Comm_free(&world);                                               /* argument-comm */
    MPI_Comm_free(&ring);
    MPI_Comm_free(&plain);
}

/* --- operations ---------------------------------------------------------------------------- */

static void operations(void)
{
    MPI_Datatype type = vector_of_ints();
    MPI_Type_commit(&type);
    MPI_Allreduce(ints, more, 1, MPI_CHAR, MPI_SUM, MPI_COMM_SELF);      /* op-datatype */
    MPI_Allreduce(ints, more, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_SELF);   /* op-datatype */
    MPI_Allreduce(ints, more, 1, MPI_INT, MPI_MAXLOC, MPI_COMM_SELF);    /* op-datatype */
    MPI_Reduce_local(ints, ints + 1, 1, MPI_INT, MPI_SUM);
    MPI_Reduce_local(ints, ints + 1, 2, MPI_INT, MPI_SUM);               /* buffer-alias */ /* at {0}+0 {1}+4 */
    MPI_Reduce_local(ints, more, 1, type, MPI_SUM);                      /* op-datatype */ /* at {0}(VECTOR)[0][0](MPI_INT)+0 */
    MPI_Allreduce(ints, more, 1, MPI_INT, MPI_REPLACE, MPI_COMM_SELF);   /* op-datatype */
    MPI_Allreduce(ints, more, 1, MPI_INT, MPI_OP_NULL, MPI_COMM_SELF);   /* op-datatype */
    MPI_Type_free(&type);
}

/* --- requests ------------------------------------------------------------------------------ */

static void requests(void)
{
    MPI_Request request = MPI_REQUEST_NULL, copy, other;
    MPI_Status status;
    MPI_Start(&request);                                                 /* request-null */
    MPI_Request_free(&request);                                          /* request-null */
    MPI_Cancel(&request);                                                /* request-null */

    MPI_Recv_init(ints, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
    MPI_Wait(&request, &status);                                         /* request-inactive */
    MPI_Start(&request);
    MPI_Send(more, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
    MPI_Request_free(&request);

    MPI_Irecv(ints, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &request);
    MPI_Request_free(&request);                                          /* request-active-free */
    MPI_Send(more, 1, MPI_INT, 0, 8, MPI_COMM_SELF);

    MPI_Irecv(ints, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);
    MPI_Irecv(more, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &request);          /* request-lost */
    MPI_Irecv(ints + 1, 1, MPI_INT, 0, 6, MPI_COMM_SELF, &copy);         /* request-leak */
    MPI_Recv_init(doubles, 1, MPI_DOUBLE, 0, 5, MPI_COMM_SELF, &other);  /* request-leak */
    MPI_Send(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Send(data, 1, MPI_INT, 0, 7, MPI_COMM_SELF);
    MPI_Send(data, 1, MPI_INT, 0, 6, MPI_COMM_SELF);
    MPI_Wait(&request, &status);
}

static void groups_and_sizes(void)
{
    MPI_Group self, made;
    MPI_Win win;
    char *memory;
    int ranks[2] = {0, 0}, position = 0;
    MPI_Comm_group(MPI_COMM_SELF, &self);
    MPI_Group_incl(self, 1, ranks, &made);
    MPI_Group_free(&made);
    if (MPI_Group_incl(self, 2, ranks, &made) == MPI_SUCCESS)            /* argument-rank */
        MPI_Group_free(&made);
    ranks[1] = -1;
    MPI_Group_excl(self, 2, ranks, &made);                               /* argument-rank */
    MPI_Group_incl(MPI_GROUP_NULL, 2, ranks, &made);                     /* handle-null */
    MPI_Group_free(&self);
    MPI_Pack(data, 1, MPI_INT, packed, -8, &position, MPI_COMM_SELF);    /* argument-count */
    position = -4;
    MPI_Pack(data, 0, MPI_INT, packed, 8, &position, MPI_COMM_SELF);     /* argument-count */
    position = 9;
    MPI_Unpack(packed, 8, &position, data, 0, MPI_INT, MPI_COMM_SELF);   /* argument-count */
    position = 8;
    MPI_Unpack(packed, 8, &position, data, 0, MPI_INT, MPI_COMM_SELF);
    position = 4;
    MPI_Unpack(packed, 8, &position, data, 1, MPI_INT, MPI_COMM_SELF);
    position = 4;
    MPI_Unpack(packed, 8, &position, data, 2, MPI_INT, MPI_COMM_SELF);   /* argument-count */
    position = 0;
    MPI_Pack(data, 3, MPI_INT, packed, 8, &position, MPI_COMM_SELF);     /* argument-count */
    MPI_Alloc_mem(-8, MPI_INFO_NULL, &memory);                           /* argument-count */
    MPI_Win_create(data, -8, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);     /* argument-count */
}

static void sums(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
}

static void handles(void)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler;
    MPI_Request request;
    int keyval;
    MPI_Datatype type;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);                                  /* handle-leak */
    MPI_Comm_idup(MPI_COMM_SELF, &comm, &request);                       /* handle-leak */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_group(MPI_COMM_SELF, &group);                               /* handle-leak */
    MPI_Op_create(sums, 1, &op);                                         /* handle-leak */
    MPI_Info_create(&info);                                              /* handle-leak */
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL); /* handle-leak */
    MPI_Comm_create_errhandler((MPI_Comm_errhandler_function *)sums, &handler); /* handle-leak */
    for (int i = 0; i < 3; i++)
        MPI_Type_contiguous(i, MPI_INT, &type);                          /* datatype-leak x 3 */
}

static void null_handles(void)
{
    MPI_Win win = MPI_WIN_NULL;
    MPI_Group group = MPI_GROUP_NULL, made;
    MPI_Op op = MPI_OP_NULL, sum = MPI_SUM;
    MPI_Info info = MPI_INFO_NULL, other;
    MPI_File file = MPI_FILE_NULL;
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm comm;
    MPI_Offset bytes;
    int number, keyval = MPI_KEYVAL_INVALID;
    MPI_Win_fence(0, win);                                               /* handle-null */
    MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);                    /* handle-null */
    MPI_Win_lock_all(0, win);                                            /* handle-null */
    MPI_Win_free(&win);                                                  /* handle-null */
    MPI_Group_size(group, &number);                                      /* handle-null */
    MPI_Group_union(MPI_GROUP_EMPTY, group, &made);                      /* handle-null */
    MPI_Comm_create(MPI_COMM_SELF, group, &comm);                        /* handle-null */
    MPI_Group_free(&group);                                              /* handle-null */
    MPI_Op_commutative(op, &number);                                     /* handle-null */
    MPI_Op_free(&op);                                                    /* handle-null */
    MPI_Op_free(&sum);                                                   /* handle-predefined-freed */
    MPI_Info_set(info, "key", "value");                                  /* handle-null */
    MPI_Info_dup(info, &other);                                          /* handle-null */
    MPI_Info_free(&info);                                                /* handle-null */
    MPI_File_get_size(file, &bytes);                                     /* handle-null */ /* with fh=MPI_FILE_NULL */
    MPI_File_read(file, data, 1, MPI_INT, MPI_STATUS_IGNORE);            /* handle-null */
    MPI_File_close(&file);                                               /* handle-null */ /* with fh=MPI_FILE_NULL */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);                     /* handle-null */
    MPI_Errhandler_free(&handler);                                       /* handle-null */
    MPI_Comm_free_keyval(&keyval);                                       /* handle-null */
}

/* --- those that may be the end ------------------------------------------------------------- */

static int ends_in(const char *name)
{
    MPI_Datatype type;
    MPI_Request request, copy;
    MPI_Comm comm, freed;
    if (strcmp(name, "freed-used") == 0) {
        type = freed_type();
        MPI_Bcast(ints, 1, type, 0, MPI_COMM_WORLD);                     /* datatype-freed (freed-used) */
    } else if (strcmp(name, "freed-committed") == 0) {
        type = freed_type();
        MPI_Type_commit(&type);                                          /* datatype-freed (freed-committed) */
    } else if (strcmp(name, "freed-freed") == 0) {
        type = freed_type();
        MPI_Type_free(&type);                                            /* datatype-freed (freed-freed) */
    } else if (strcmp(name, "unknown") == 0) {
        memset(&type, 0x11, sizeof type);
        MPI_Bcast(ints, 1, type, 0, MPI_COMM_WORLD);                     /* datatype-unknown (unknown) */
    } else if (strcmp(name, "null-buffer") == 0) {
        MPI_Sendrecv(NULL, 4, MPI_INT, 0, 0, more, 4, MPI_INT, 0, 0, MPI_COMM_SELF, /* buffer-null (null-buffer) */
                     MPI_STATUS_IGNORE);
    } else if (strcmp(name, "null-counts") == 0) {
        MPI_Gatherv(ints, 1, MPI_INT, more, NULL, data, MPI_INT, 0, MPI_COMM_SELF); /* argument-null (null-counts) */
    } else if (strcmp(name, "null-lengths") == 0) {
        MPI_Type_indexed(2, NULL, ints, MPI_INT, &type);                 /* datatype-argument (null-lengths) */
    } else if (strcmp(name, "null-result") == 0) {
        MPI_Type_contiguous(2, MPI_INT, NULL);                           /* datatype-argument (null-result) */
    } else if (strcmp(name, "waited") == 0) {
        MPI_Irecv(ints, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        copy = request;
        MPI_Send(more, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&copy, MPI_STATUS_IGNORE);                              /* request-unknown (waited) */
    } else if (strcmp(name, "cancelled") == 0) {
        MPI_Irecv(ints, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
        MPI_Cancel(&request);
        MPI_Cancel(&request);                                            /* request-inactive (cancelled) */
        _exit(0);
    } else if (strcmp(name, "received-message") == 0) {
        MPI_Message message;
        MPI_Isend(ints, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        MPI_Mprobe(0, 0, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Mrecv(more, 1, MPI_INT, &message, MPI_STATUS_IGNORE);        /* handle-null (received-message) */
    } else if (strcmp(name, "cancelled-collective") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Ibcast(ints, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);                                            /* request-unknown (cancelled-collective) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (strcmp(name, "freed-collective") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Ibcast(ints, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);                                      /* request-active-free (freed-collective) */
    } else if (strcmp(name, "started") == 0) {
        MPI_Recv_init(ints, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &request);
        MPI_Start(&request);
        MPI_Start(&request);                                             /* request-active-start (started) */
        _exit(0);
    } else if (strcmp(name, "started-twice") == 0) {
        MPI_Request three[3];
        MPI_Recv_init(ints, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &three[0]);
        MPI_Recv_init(more, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &three[1]);
        three[2] = three[0];
        MPI_Startall(3, three);                                          /* request-active-start (started-twice) */
        _exit(0);
    } else if (strcmp(name, "merged") == 0) {
        MPI_Intercomm_merge(MPI_COMM_SELF, 0, &comm);                    /* argument-comm (merged) */
        _exit(0);
    } else if (strcmp(name, "freed-comm") == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        freed = comm;
        MPI_Comm_free(&comm);
        MPI_Barrier(freed);                                              /* argument-comm (freed-comm) */
    } else if (strcmp(name, "no-finalize") == 0) {
        exit(0);                                                         /* finalize-missing is nowhere */
    } else if (strcmp(name, "fatal") == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
        MPI_Send(ints, -1, MPI_INT, 0, 0, MPI_COMM_SELF);                /* argument-count (fatal) */
    } else if (strcmp(name, "abort") == 0) {
        MPI_Abort(MPI_COMM_WORLD, 3);
    } else {
        return 2;
    }
    MPI_Finalize();
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (argc > 1)
        return ends_in(argv[1]);
    datatypes();
    constructors();
    layouts();
    arguments();
    neighbours();
    sorts();
    operations();
    requests();
    null_handles();
    groups_and_sizes();
    handles();
    MPI_Finalize();
    return 0;
}
