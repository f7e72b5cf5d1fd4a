/*
 * Correct calls of functions that few programs use: duplicated and spawned communicators, topologies,
 * persistent collectives, matched probes, one-sided epochs of each kind, files, requests of the
 * program's own, attributes. Nothing may be reported. Runs as two ranks.
 */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size, other;
static int ints[256], more[256];

#define WORLD MPI_COMM_WORLD
#define SELF MPI_COMM_SELF
#define IGNORE MPI_STATUS_IGNORE

/* --- communicators ---------------------------------------------------------------------------- */

static void communicators(void)
{
    MPI_Comm copies[4], some, created, none, shared;
    MPI_Request requests[2];
    MPI_Group group, members;
    MPI_Info info;
    int mine[1] = {0}, result;
    /* In one's own communicator: a variable of a communicator that is not there yet. */
    MPI_Comm_idup(WORLD, &copies[0], &requests[0]);
    MPI_Wait(&requests[0], IGNORE);
    MPI_Comm_idup(copies[0], &copies[1], &requests[0]);
    MPI_Comm_idup(copies[0], &copies[2], &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Allreduce(ints, more, 1, MPI_INT, MPI_SUM, copies[1]);
    MPI_Barrier(copies[2]);
    MPI_Info_create(&info);
    MPI_Comm_dup_with_info(copies[2], info, &copies[3]);
    MPI_Info_free(&info);
    for (int i = 0; i < 4; i++)
        MPI_Comm_free(&copies[i]);
    MPI_Comm_split(WORLD, rank ? MPI_UNDEFINED : 0, 0, &some);
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    MPI_Comm_group(WORLD, &group);
    MPI_Group_incl(group, 1, mine, &members);
    MPI_Comm_create(WORLD, members, &created);
    if (created != MPI_COMM_NULL)
        MPI_Comm_disconnect(&created);
    if (rank == 0) {
        MPI_Comm_create_group(WORLD, members, 3, &created);
        MPI_Comm_free(&created);
    }
    MPI_Group_free(&members);
    MPI_Group_incl(group, 0, NULL, &members);
    MPI_Comm_create(WORLD, members, &none);
    if (members != MPI_GROUP_EMPTY)
        MPI_Group_free(&members);
    MPI_Group_free(&group);
    MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared);
    MPI_Comm_compare(WORLD, shared, &result);
    MPI_Comm_free(&shared);
    /* Freed while a receive is pending in it. */
    MPI_Comm_dup(WORLD, &copies[0]);
    MPI_Irecv(more, 1, MPI_INT, other, 1, copies[0], &requests[0]);
    MPI_Isend(ints, 1, MPI_INT, other, 1, copies[0], &requests[1]);
    MPI_Comm_free(&copies[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    /* In a loop: handles come again. */
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(WORLD, &copies[0]);
        MPI_Comm_dup(copies[0], &copies[1]);
        MPI_Comm_free(&copies[0]);
        MPI_Bcast(ints, 1, MPI_INT, 0, copies[1]);
        MPI_Comm_free(&copies[1]);
    }
}

/* Between groups of different sizes: counts for the other one. */
static void between(void)
{
    MPI_Comm mine, inter;
    MPI_Request request;
    int counts[2] = {1, 1}, places[2] = {0, 1}, result;
    int up = rank == 0;
    MPI_Comm_split(WORLD, rank != 0, 0, &mine);
    MPI_Intercomm_create(mine, 0, WORLD, up ? 1 : 0, 6, &inter);
    MPI_Allreduce(ints, more, 2, MPI_INT, MPI_SUM, inter);
    MPI_Reduce(ints, more, 2, MPI_INT, MPI_SUM, up ? MPI_ROOT : 0, inter);
    MPI_Allgather(ints, 1, MPI_INT, more, 1, MPI_INT, inter);
    MPI_Allgatherv(ints, 1, MPI_INT, more, counts, places, MPI_INT, inter);
    MPI_Alltoall(ints, 1, MPI_INT, more, 1, MPI_INT, inter);
    MPI_Scatter(up ? ints : NULL, up ? 1 : 0, up ? MPI_INT : MPI_DATATYPE_NULL, more, 1, MPI_INT,
                up ? MPI_ROOT : 0, inter);
    MPI_Ibcast(ints, 4, MPI_INT, up ? 0 : MPI_ROOT, inter, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Reduce_scatter_block(ints, more, 2, MPI_INT, MPI_SUM, inter);
    MPI_Isend(ints, 1, MPI_INT, 0, 0, inter, &request);
    MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, inter, IGNORE);
    MPI_Wait(&request, IGNORE);
    MPI_Comm_compare(inter, WORLD, &result);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&mine);
}

/* --- topologies ------------------------------------------------------------------------------- */

static void neighbours(void)
{
    MPI_Comm ring, graph, dist;
    MPI_Request request;
    int dims[1] = {size}, periods[1] = {1}, counts[4] = {1, 1, 1, 1}, places[4] = {0, 1, 2, 3};
    MPI_Aint bytes[4] = {0, 4, 8, 12};
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Cart_create(WORLD, 1, dims, periods, 0, &ring);
    MPI_Neighbor_allgather(ints, 1, MPI_INT, more, 1, MPI_INT, ring);
    MPI_Neighbor_alltoallv(ints, counts, places, MPI_INT, more, counts, places, MPI_INT, ring);
    MPI_Neighbor_alltoallw(ints, counts, bytes, types, more, counts, bytes, types, ring);
    MPI_Ineighbor_alltoall(ints, 1, MPI_INT, more, 1, MPI_INT, ring, &request);
    MPI_Wait(&request, IGNORE);
    int index[2] = {1, 2}, edges[2] = {1, 0};
    MPI_Graph_create(WORLD, 2, index, edges, 0, &graph);
    MPI_Neighbor_allgatherv(ints, 1, MPI_INT, more, counts, places, MPI_INT, graph);
    /* Rank 0 sends to rank 1, which sends to nobody: nothing in, or nothing out. */
    MPI_Dist_graph_create_adjacent(WORLD, rank, &(int){0}, MPI_UNWEIGHTED, !rank, &(int){1},
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &dist);
    MPI_Neighbor_alltoallv(rank ? NULL : ints, rank ? NULL : counts, rank ? NULL : places, MPI_INT,
                           rank ? more : NULL, rank ? counts : NULL, rank ? places : NULL, MPI_INT,
                           dist);
    MPI_Comm_set_errhandler(dist, MPI_ERRORS_RETURN); /* MPICH refuses the null pointer */
    MPI_Neighbor_alltoall(rank ? NULL : ints, 1, MPI_INT, rank ? more : NULL, 1, MPI_INT, dist);
    MPI_Comm_free(&dist);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&ring);
}

/* --- requests --------------------------------------------------------------------------------- */

static void persistent_collectives(void)
{
#if MPI_VERSION >= 4
    MPI_Request requests[3];
    MPI_Bcast_init(ints, 4, MPI_INT, 0, WORLD, MPI_INFO_NULL, &requests[0]);
    MPI_Allreduce_init(ints + 4, more, 4, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &requests[1]);
    MPI_Barrier_init(WORLD, MPI_INFO_NULL, &requests[2]);
    for (int i = 0; i < 3; i++) {
        MPI_Startall(3, requests);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
    for (int i = 0; i < 3; i++)
        MPI_Request_free(&requests[i]);
    MPI_Request parts;
    int flag = 0;
    if (rank == 0) {
        MPI_Psend_init(ints, 4, 16, MPI_INT, other, 1, WORLD, MPI_INFO_NULL, &parts);
        MPI_Start(&parts);
        MPI_Pready_range(0, 2, parts);
        MPI_Pready(3, parts);
    } else {
        MPI_Precv_init(more, 4, 16, MPI_INT, other, 1, WORLD, MPI_INFO_NULL, &parts);
        MPI_Start(&parts);
        while (!flag)
            MPI_Parrived(parts, 3, &flag);
    }
    MPI_Wait(&parts, IGNORE);
    MPI_Request_free(&parts);
#endif
}

static void matched(void)
{
    MPI_Message message;
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    MPI_Isend(ints, 3, MPI_INT, other, 8, WORLD, &request);
    MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &message, &status);
    MPI_Mrecv(more, 3, MPI_INT, &message, &status);
    MPI_Wait(&request, IGNORE);
    MPI_Request sent;
    MPI_Isend(ints, 3, MPI_INT, other, 9, WORLD, &sent);
    while (!flag)
        MPI_Improbe(other, 9, WORLD, &flag, &message, IGNORE);
    MPI_Imrecv(more, 3, MPI_INT, &message, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Wait(&sent, IGNORE);
    MPI_Mprobe(MPI_PROC_NULL, 0, WORLD, &message, IGNORE);
    MPI_Mrecv(more, 3, MPI_INT, &message, IGNORE);
    MPI_Iprobe(MPI_PROC_NULL, MPI_ANY_TAG, WORLD, &flag, IGNORE);
}

static int query(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int release(void *state)
{
    (void)state;
    return MPI_SUCCESS;
}

static int cancel(void *state, int complete)
{
    (void)state, (void)complete;
    return MPI_SUCCESS;
}

/* The program's own request; inactive and null ones among those waited for; one that is freed
 * while it is active, as the standard's example does; one variable for many. */
static void lives(void)
{
    MPI_Request own, list[6], kept;
    MPI_Status statuses[6];
    int count, indices[6], flag;
    MPI_Grequest_start(query, release, cancel, NULL, &own);
    MPI_Grequest_complete(own);
    MPI_Wait(&own, &statuses[0]);
    for (int i = 0; i < 6; i++)
        list[i] = MPI_REQUEST_NULL;
    MPI_Recv_init(more, 1, MPI_INT, other, 20, WORLD, &list[1]); /* never started */
    MPI_Irecv(more + 4, 1, MPI_INT, other, 21, WORLD, &list[3]);
    MPI_Send_init(ints, 1, MPI_INT, other, 21, WORLD, &list[5]);
    MPI_Start(&list[5]);
    for (int done = 0; done < 2; done += count) {
        MPI_Waitsome(6, list, &count, indices, statuses);
        if (count == MPI_UNDEFINED)
            break;
    }
    MPI_Waitsome(6, list, &count, indices, statuses);
    MPI_Testsome(6, list, &count, indices, statuses);
    MPI_Testall(6, list, &flag, statuses);
    MPI_Waitall(6, list, statuses);
    MPI_Test(&list[1], &flag, statuses);
    MPI_Request_free(&list[1]);
    MPI_Request_free(&list[5]);
    /* A copy completes it; the first variable is used for the next one. */
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(more, 1, MPI_INT, other, 22, WORLD, &own);
        kept = own;
        MPI_Send(ints, 1, MPI_INT, other, 22, WORLD);
        MPI_Wait(&kept, IGNORE);
    }
    /* A persistent receive that is cancelled stays to be freed. */
    MPI_Recv_init(more, 1, MPI_INT, other, 23, WORLD, &own);
    MPI_Start(&own);
    MPI_Cancel(&own);
    MPI_Wait(&own, statuses);
    MPI_Test_cancelled(statuses, &flag);
    MPI_Request_free(&own);
    /* Buffered sends; a ready one whose receive is posted. */
    static char room[4096 + MPI_BSEND_OVERHEAD];
    void *got;
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend(ints, 1, MPI_INT, other, 24, WORLD);
    MPI_Recv(more, 1, MPI_INT, other, 24, WORLD, IGNORE);
    MPI_Buffer_detach(&got, &count);
    MPI_Irecv(more, 1, MPI_INT, other, 25, WORLD, &own);
    MPI_Barrier(WORLD);
    MPI_Rsend(ints, 1, MPI_INT, other, 25, WORLD);
    MPI_Wait(&own, IGNORE);
}

/* --- one-sided -------------------------------------------------------------------------------- */

static void one_sided(void)
{
    MPI_Win win;
    MPI_Group world, one;
    MPI_Request request;
    int *base, result, results[2], flag, zero = 0, first = 1;
    MPI_Info info;
    if (MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &base, &win))
        return;
    memset(base, 0, 64 * sizeof(int));
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(ints, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(more, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Comm_group(WORLD, &world);
    MPI_Group_incl(world, 1, &other, &one);
    MPI_Win_post(one, 0, win);
    MPI_Win_start(one, 0, win);
    MPI_Accumulate(ints, 1, MPI_INT, other, 4, 1, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(ints, 1, MPI_INT, other, 5, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&one);
    MPI_Win_get_group(win, &one);
    MPI_Group_free(&one);
    MPI_Group_free(&world);
    MPI_Win_lock(MPI_LOCK_SHARED, other, 0, win);
    MPI_Fetch_and_op(&first, &result, MPI_INT, other, 8, MPI_SUM, win);
    MPI_Fetch_and_op(NULL, &results[0], MPI_INT, other, 8, MPI_NO_OP, win);
    MPI_Compare_and_swap(&first, &zero, &results[1], MPI_INT, other, 9, win);
    MPI_Win_flush(other, win);
    MPI_Get_accumulate(ints, 1, MPI_INT, more, 1, MPI_INT, other, 10, 1, MPI_INT, MPI_MAX, win);
    MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, more + 1, 1, MPI_INT, other, 10, 1, MPI_INT,
                       MPI_NO_OP, win);
    MPI_Win_flush_local(other, win);
    MPI_Win_unlock(other, win);
    MPI_Win_lock_all(0, win);
    MPI_Rput(ints, 1, MPI_INT, other, 12, 1, MPI_INT, win, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Rget(more, 1, MPI_INT, other, 12, 1, MPI_INT, win, &request);
    MPI_Wait(&request, IGNORE);
    MPI_Put(ints, 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win);
    MPI_Win_flush_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
    MPI_Win_get_info(win, &info);
    MPI_Info_free(&info);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    MPI_Win_free(&win);
    /* Memory attached later: displacements are addresses. */
    MPI_Aint mine, theirs;
    MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
    MPI_Win_attach(win, ints, sizeof ints);
    MPI_Get_address(ints, &mine);
    MPI_Sendrecv(&mine, 1, MPI_AINT, other, 1, &theirs, 1, MPI_AINT, other, 1, WORLD, IGNORE);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, other, 0, win);
    MPI_Get(more, 4, MPI_INT, other, theirs, 4, MPI_INT, win);
    MPI_Win_unlock(other, win);
    MPI_Barrier(WORLD);
    MPI_Win_detach(win, ints);
    MPI_Win_free(&win);
}

/* --- files ------------------------------------------------------------------------------------ */

static void files(void)
{
    char name[64] = "";
    MPI_File file;
    MPI_Datatype view, etype, got_etype, got_view;
    MPI_Request request;
    MPI_Offset start;
    MPI_Status status;
    char form[MPI_MAX_DATAREP_STRING];
    int lengths[2] = {2, 2}, places[2] = {0, 8}, n;
    if (rank == 0)
        snprintf(name, sizeof name, "seldom-%d", (int)getpid());
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, WORLD);
    MPI_File_open(WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_Type_contiguous(2, MPI_INT, &etype);
    MPI_Type_commit(&etype);
    MPI_Type_vector(4, 1, 2, etype, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, rank * 8, etype, view, "native", MPI_INFO_NULL);
    MPI_File_get_view(file, &start, &got_etype, &got_view, form);
    MPI_Type_free(&got_etype);
    MPI_Type_free(&got_view);
    MPI_File_write_all(file, ints, 8, MPI_INT, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_File_write_at_all(file, 0, ints, 4, etype, IGNORE);
    MPI_File_iwrite_at(file, 0, ints, 2, etype, &request);
    MPI_Wait(&request, IGNORE);
    MPI_File_read_at_all_begin(file, 0, more, 8, MPI_INT);
    MPI_File_read_at_all_end(file, more, &status);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_Type_free(&view);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &view);
    MPI_Type_commit(&view);
    MPI_File_set_view(file, 0, MPI_BYTE, view, "native", MPI_INFO_NULL);
    MPI_Type_free(&view); /* the file keeps it */
    MPI_File_write_at(file, 0, rank ? NULL : ints, rank ? 0 : 4, MPI_INT, IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL);
    MPI_File_read_all(file, more, 4, MPI_BYTE, IGNORE);
    MPI_Group group;
    MPI_File_get_group(file, &group);
    MPI_Group_free(&group);
    MPI_File_close(&file);
    MPI_Barrier(WORLD);
    /* Only read: its views may overlap. */
    close(open(name, O_CREAT | O_WRONLY, 0600));
    MPI_Type_create_resized(etype, 0, 4, &view);
    MPI_Type_commit(&view);
    MPI_File_open(SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
    MPI_File_close(&file);
    MPI_Barrier(WORLD);
    unlink(name);
    MPI_Type_free(&view);
    MPI_Type_free(&etype);
}

/* --- processes -------------------------------------------------------------------------------- */

static void forks(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    (void)child;
}

/* --- operations, attributes, handlers --------------------------------------------------------- */

struct pair {
    double value;
    int weight;
};

static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    for (int i = 0; i < *count; i++) {
        struct pair *left = (void *)((char *)in + i * extent),
                    *right = (void *)((char *)out + i * extent);
        right->value += left->value;
        right->weight += left->weight;
    }
}

static void operations(void)
{
    struct pair mine[3] = {{1, 2}}, sum[3];
    MPI_Datatype type, parts[2] = {MPI_DOUBLE, MPI_INT};
    MPI_Aint places[2] = {0, 8};
    MPI_Op op;
    MPI_Type_create_struct(2, (int[]){1, 1}, places, parts, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(mine, sum, 3, type, op, WORLD);
    MPI_Reduce(mine, sum, 3, type, op, 0, WORLD);
    MPI_Scan(mine, sum, 3, type, op, WORLD);
    MPI_Exscan(mine, sum, 3, type, op, WORLD);
    MPI_Reduce_scatter(mine, sum, (int[]){1, 2}, type, op, WORLD);
    MPI_Reduce_local(mine, sum, 3, type, op);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

static int copies(MPI_Comm comm, int keyval, void *state, void *value, void *copy, int *flag)
{
    (void)comm, (void)keyval, (void)state;
    MPI_Datatype *type = malloc(sizeof *type);
    MPI_Type_dup(*(MPI_Datatype *)value, type);
    *(void **)copy = type;
    *flag = 1;
    return MPI_SUCCESS;
}

static int deletes(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)state;
    MPI_Type_free(value);
    free(value);
    return MPI_SUCCESS;
}

static int deletes_comm(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)state;
    MPI_Comm_free(value);
    return MPI_SUCCESS;
}

/* A library's way: its state hangs on a communicator and is copied and freed with it. */
static void attributes(void)
{
    static MPI_Comm late;
    MPI_Comm copy;
    int keyval, last;
    MPI_Datatype *type = malloc(sizeof *type);
    MPI_Type_contiguous(3, MPI_INT, type);
    MPI_Comm_create_keyval(copies, deletes, &keyval, NULL);
    MPI_Comm_dup(WORLD, &copy);
    MPI_Comm_set_attr(copy, keyval, type);
    MPI_Comm second;
    MPI_Comm_dup(copy, &second);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&second);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes_comm, &last, NULL);
    MPI_Comm_dup(WORLD, &late);
    MPI_Comm_set_attr(SELF, last, &late);
    MPI_Comm_free_keyval(&last);
}

static int called;
static void handle(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    called++;
}

static void handlers(void)
{
    MPI_Errhandler handler, before;
    MPI_Comm comm;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_dup(WORLD, &comm);
    MPI_Comm_get_errhandler(comm, &before);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    MPI_Comm_set_errhandler(comm, before);
    if (before != MPI_ERRORS_ARE_FATAL)
        MPI_Errhandler_free(&before);
    MPI_Comm_free(&comm);
    if (called != 1)
        abort();
}

/* A type pending in a receive, freed and its handle given to another type of other size. */
static void reused(void)
{
    MPI_Datatype first, second;
    MPI_Request request;
    for (int i = 0; i < 3; i++) {
        MPI_Type_vector(2, 1, 3, MPI_INT, &first);
        MPI_Type_commit(&first);
        MPI_Irecv(more, 1, first, other, 30, WORLD, &request);
        MPI_Type_free(&first);
        MPI_Type_contiguous(2, MPI_INT, &second);
        MPI_Type_commit(&second);
        MPI_Send(ints, 1, second, other, 30, WORLD);
        MPI_Wait(&request, IGNORE);
        MPI_Type_free(&second);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    other = size - 1 - rank;
    communicators();
    between();
    neighbours();
    persistent_collectives();
    matched();
    lives();
    one_sided();
    files();
    forks();
    operations();
    attributes();
    handlers();
    reused();
    MPI_Finalize();
    return 0;
}
