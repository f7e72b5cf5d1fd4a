/*
 * Correct calls that look like wrong ones: each line of "What must stay silent". Nothing may be
 * reported. Runs as two ranks.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, size, other;
static int ints[64], more[64], blocks[64];
static char packed[1024];

#define SELF MPI_COMM_SELF

static void exchange(int sends, MPI_Datatype sent, int receives, MPI_Datatype received)
{
    MPI_Sendrecv(ints, sends, sent, other, 1, more, receives, received, other, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

/* A receive longer than its send; sends that overlap, themselves and one another. */
static void overlapping_sends(void)
{
    MPI_Datatype twice, resized;
    MPI_Request requests[2];
    exchange(2, MPI_INT, 10, MPI_INT);
    MPI_Type_vector(3, 2, 1, MPI_INT, &twice);
    MPI_Type_commit(&twice);
    MPI_Type_create_resized(MPI_INT, 0, 0, &resized);
    MPI_Type_commit(&resized);
    exchange(1, twice, 6, MPI_INT);
    exchange(4, resized, 4, MPI_INT);
    MPI_Isend(ints, 4, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(ints + 2, 4, MPI_INT, other, 2, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++)
        MPI_Recv(more, 4, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&twice);
    MPI_Type_free(&resized);
}

/* A type freed while a pending operation, or another type, still uses it. */
static void freed_in_use(void)
{
    MPI_Datatype inner, outer;
    MPI_Request request;
    MPI_Type_vector(2, 1, 4, MPI_INT, &inner);
    MPI_Type_commit(&inner);
    MPI_Irecv(more, 1, inner, other, 3, MPI_COMM_WORLD, &request);
    MPI_Type_contiguous(2, inner, &outer);
    MPI_Type_free(&inner);
    MPI_Send(ints, 2, MPI_INT, other, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_commit(&outer);
    exchange(1, outer, 4, MPI_INT);
    MPI_Type_free(&outer);
}

/* What an uncommitted type is good for. */
static void uncommitted(void)
{
    MPI_Datatype type, made, copy, contents[1];
    MPI_Aint lb, extent, address;
    int bytes, integers, addresses, types, combiner, numbers[3], length, keyval, flag;
    char name[MPI_MAX_OBJECT_NAME];
    void *value;
    MPI_Type_vector(2, 1, 4, MPI_INT, &type);
    MPI_Type_contiguous(2, type, &made);
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &lb, &extent);
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    MPI_Type_get_contents(type, integers, addresses, types, numbers, &address, contents);
    MPI_Type_dup(type, &copy);
    MPI_Type_free(&copy);
    MPI_Type_set_name(type, "strided");
    MPI_Type_get_name(type, name, &length);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &keyval, NULL);
    MPI_Type_set_attr(type, keyval, NULL);
    MPI_Type_get_attr(type, keyval, &value, &flag);
    MPI_Type_free_keyval(&keyval);
    MPI_Type_free(&made);
    MPI_Type_commit(&type);
    MPI_Type_dup(type, &copy); /* inherits the state */
    exchange(1, copy, 2, MPI_INT);
    MPI_Type_free(&copy);
    MPI_Type_free(&type);
}

/* Zero counts with null buffers and null arrays. */
static void nothing(void)
{
    MPI_Datatype type;
    int zeros[2] = {0, 0};
    MPI_Sendrecv(NULL, 0, MPI_INT, other, 4, NULL, 0, MPI_INT, other, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_indexed(0, NULL, NULL, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(NULL, 3, type, other, 4, NULL, 0, MPI_INT, other, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Type_create_struct(0, NULL, NULL, NULL, &type);
    MPI_Type_free(&type);
    MPI_Alltoallv(ints, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, MPI_COMM_WORLD);
    MPI_Waitall(0, NULL, NULL);
}

/* MPI_IN_PLACE wherever it is allowed. */
static void in_place(void)
{
    int counts[2] = {1, 1}, displacements[2] = {0, 1};
    void *mine = rank == 0 ? MPI_IN_PLACE : (void *)ints;
    MPI_Allreduce(MPI_IN_PLACE, ints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(mine, ints + 4, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(mine, 1, MPI_INT, ints + 4, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(ints, 1, MPI_INT, rank == 0 ? MPI_IN_PLACE : (void *)more, 1, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Gatherv(mine, 1, MPI_INT, ints + 4, counts, displacements, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, ints, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ints, counts, displacements, MPI_INT,
                   MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, ints, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, ints, counts, displacements, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Scan(MPI_IN_PLACE, ints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(MPI_IN_PLACE, ints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(MPI_IN_PLACE, ints, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(MPI_IN_PLACE, ints, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Absolute displacements from MPI_BOTTOM; a pack of bytes against anything. */
static void absolute(void)
{
    MPI_Datatype type;
    MPI_Aint address;
    int length = 1, position = 0;
    MPI_Get_address(ints, &address);
    MPI_Type_create_hindexed(1, &length, &address, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(MPI_BOTTOM, 1, type, other, 5, more, 1, MPI_INT, other, 5, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Bcast(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&type);
    MPI_Pack(ints, 4, MPI_INT, packed, sizeof packed, &position, MPI_COMM_WORLD);
    exchange(position, MPI_PACKED, 4, MPI_INT);
}

/* MPI_PROC_NULL with any type and buffer. */
static void nobody(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* Open MPI refuses some of it */
    MPI_Send(NULL, 5, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(NULL, 5, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(NULL, 5, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(ints, 1, MPI_INT, MPI_PROC_NULL, 0, NULL, 9, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* Roots of intercommunicators. */
static void intercommunicator(void)
{
    MPI_Comm inter, merged, self;
    MPI_Comm_dup(SELF, &self);
    MPI_Intercomm_create(self, 0, MPI_COMM_WORLD, other, 6, &inter);
    MPI_Bcast(ints, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    MPI_Gather(rank == 0 ? NULL : ints, rank == 0 ? -5 : 1, rank == 0 ? MPI_DATATYPE_NULL : MPI_INT,
               more, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, inter);
    MPI_Sendrecv(ints, 1, MPI_INT, 0, 0, more, 1, MPI_INT, 0, 0, self, MPI_STATUS_IGNORE);
    MPI_Intercomm_merge(inter, rank, &merged);
    MPI_Barrier(merged);
    MPI_Comm_free(&merged);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&self);
}

/* Each topology, asked what it is. */
static void topologies(void)
{
    MPI_Comm cart, line, graph, linked;
    int dims[2] = {2, 1}, around[2] = {1, 0}, kept[2] = {1, 0}, places[2], found[4], one = 1;
    int index[2] = {1, 2}, edges[2] = {1, 0}, count, out, weighted;
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, around, 0, &cart);
    MPI_Cartdim_get(cart, &count);
    MPI_Cart_get(cart, 2, found, found + 2, places);
    MPI_Cart_coords(cart, 1, 2, places);
    MPI_Cart_rank(cart, places, &count);
    MPI_Cart_shift(cart, 1, 1, &found[0], &found[1]);
    MPI_Cart_sub(cart, kept, &line);
    MPI_Cart_map(MPI_COMM_WORLD, 2, dims, around, &count);
    MPI_Graph_create(MPI_COMM_WORLD, 2, index, edges, 0, &graph);
    MPI_Graphdims_get(graph, &found[0], &found[1]);
    MPI_Graph_get(graph, 2, 2, found, found + 2);
    MPI_Graph_neighbors_count(graph, 1, &count);
    MPI_Graph_neighbors(graph, 1, 1, found);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &other, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &linked);
    MPI_Dist_graph_neighbors_count(linked, &count, &out, &weighted);
    MPI_Dist_graph_neighbors(linked, 1, found, MPI_UNWEIGHTED, 1, found + 1, MPI_UNWEIGHTED);
    MPI_Topo_test(MPI_COMM_WORLD, &count);
    MPI_Comm_free(&linked);
    MPI_Comm_free(&graph);
    MPI_Comm_free(&line);
    MPI_Comm_free(&cart);
}

/* What is not significant in this rank. */
static void not_significant(void)
{
    int counts[2] = {1, 1}, displacements[2] = {0, 1};
    int root = rank == 0;
    MPI_Gather(ints, 1, MPI_INT, root ? more : NULL, root ? 1 : -7,
               root ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Gatherv(ints, 1, MPI_INT, root ? more : NULL, root ? counts : NULL,
                root ? displacements : NULL, root ? MPI_INT : MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD);
    MPI_Scatter(root ? ints : NULL, root ? 1 : -7, root ? MPI_INT : MPI_DATATYPE_NULL, more, 1,
                MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(ints, root ? more : NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Negative strides and displacements that lie in the buffer. */
static void negative(void)
{
    MPI_Datatype type;
    MPI_Type_vector(3, 1, -2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv(ints + 10, 1, type, other, 7, more + 10, 1, type, other, 7, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

/* A misaligned displacement whose address is aligned. */
static void aligned(void)
{
    MPI_Datatype type;
    MPI_Aint displacement = 1;
    int length = 1;
    MPI_Type_create_hindexed(1, &length, &displacement, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv((char *)(ints + 1) - 1, 1, type, other, 8, (char *)(more + 1) - 1, 1, type, other,
                 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

/* The same signature, shaped otherwise. */
static void shaped_otherwise(void)
{
    MPI_Datatype pair;
    int counts[2] = {1, 1}, displacements[2] = {1, 0};
    MPI_Type_vector(2, 1, 3, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Allgather(ints, 1, pair, more, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(ints, 1, MPI_INT, blocks, counts, displacements, MPI_INT, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
}

/* Requests: null ones among others, copies, one variable after the other, persistent ones that are
 * waited for with the rest, an inactive one freed. */
static void requests(void)
{
    MPI_Request list[4], one, kept[3], persistent[2];
    MPI_Status statuses[4];
    int index, flag, count, indices[4];
    for (int i = 0; i < 4; i++)
        list[i] = MPI_REQUEST_NULL;
    MPI_Waitall(4, list, statuses);
    MPI_Wait(&list[0], &statuses[0]);
    MPI_Test(&list[0], &flag, &statuses[0]);
    MPI_Waitany(4, list, &index, &statuses[0]);
    MPI_Testsome(4, list, &count, indices, statuses);
    for (int i = 0; i < 3; i++) {
        MPI_Irecv(more + i, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &one);
        kept[i] = one;
    }
    for (int i = 0; i < 3; i++) {
        MPI_Isend(ints + i, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &one);
        MPI_Request_get_status(one, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
    }
    MPI_Waitall(3, kept, statuses);
    /* Sends that are complete at once share a handle. */
    for (int i = 0; i < 3; i++)
        MPI_Irecv(more + i, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &list[i]);
    for (int i = 0; i < 3; i++) {
        MPI_Isend(ints + i, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &one);
        kept[i] = one;
    }
    MPI_Waitall(3, kept, statuses);
    MPI_Waitall(3, list, statuses);
    MPI_Isend(ints, 1, MPI_INT, MPI_PROC_NULL, 9, MPI_COMM_WORLD, &one);
    MPI_Wait(&one, statuses);
    MPI_Send_init(ints, 1, MPI_INT, other, 10, MPI_COMM_WORLD, &persistent[0]);
    MPI_Recv_init(more, 1, MPI_INT, other, 10, MPI_COMM_WORLD, &persistent[1]);
    MPI_Waitall(2, persistent, statuses);
    for (int i = 0; i < 2; i++) {
        MPI_Startall(2, persistent);
        MPI_Waitall(2, persistent, statuses);
    }
    MPI_Startall(2, persistent);
    for (int done = 0; done < 2; done += count)
        MPI_Waitsome(2, persistent, &count, indices, statuses);
    MPI_Startall(2, persistent);
    for (int done = 0; done < 2; done++)
        MPI_Waitany(2, persistent, &index, statuses);
    MPI_Start(&persistent[1]);
    MPI_Start(&persistent[0]);
    do
        MPI_Testall(2, persistent, &flag, statuses);
    while (!flag);
    MPI_Request_free(&persistent[0]);
    MPI_Request_free(&persistent[1]);
    MPI_Irecv(more, 1, MPI_INT, other, 11, MPI_COMM_WORLD, &one);
    MPI_Cancel(&one);
    MPI_Wait(&one, statuses);
    MPI_Irecv(more, 1, MPI_INT, other, 11, MPI_COMM_WORLD, &one);
    MPI_Cancel(&one);
    MPI_Request_free(&one);
    MPI_Isend(ints, 1, MPI_INT, other, 12, MPI_COMM_WORLD, &one);
    MPI_Request_free(&one);
    MPI_Recv(more, 1, MPI_INT, other, 12, MPI_COMM_WORLD, statuses);
}

static void sum(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)in, (void)out, (void)count, (void)type;
}

/* Operations that are the program's own, or go with the type. */
static void operations(void)
{
    MPI_Op op;
    MPI_Datatype type;
    MPI_Win win;
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(sum, 1, &op);
    MPI_Allreduce(ints, more, 1, type, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Allreduce(ints, more, 1, MPI_2INT, MPI_MINLOC, MPI_COMM_WORLD);
    MPI_Allreduce(ints, more, 1, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    MPI_Allreduce(ints, more, 1, MPI_SIGNED_CHAR, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(ints, more, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    MPI_Allreduce(ints, more, 1, MPI_AINT, MPI_MAX, MPI_COMM_WORLD);
    if (MPI_Win_create(blocks, sizeof blocks, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win) ==
        MPI_SUCCESS) {
        MPI_Win_fence(0, win);
        MPI_Accumulate(ints, 1, type, other, 0, 2, MPI_INT, MPI_SUM, win);
        MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, more, 2, MPI_INT, other, 0, 2, MPI_INT,
                           MPI_NO_OP, win);
        MPI_Put(ints, 1, MPI_CHAR, MPI_PROC_NULL, 0, 1, MPI_CHAR, win);
        MPI_Win_fence(0, win);
        MPI_Win_free(&win);
    }
    MPI_Type_free(&type);
}

/* Handles that are MPI's own to keep. */
static void lent(void)
{
    MPI_Comm parent;
    MPI_Errhandler handler;
    MPI_Group group, none;
    MPI_Datatype real;
    void *memory;
    MPI_Type_create_f90_real(6, 30, &real);
    MPI_Comm_get_parent(&parent);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_free(&group);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Group_incl(group, 0, NULL, &none);
    MPI_Group_free(&none); /* MPI_GROUP_EMPTY, or like it */
    MPI_Group_free(&group);
    MPI_File_get_errhandler(MPI_FILE_NULL, &handler); /* of files that are opened from now on */
    MPI_File_set_errhandler(MPI_FILE_NULL, handler);
    MPI_Errhandler_free(&handler);
    MPI_Alloc_mem(sizeof(int), MPI_INFO_NULL, &memory);
    MPI_Free_mem(memory);
}

static int free_late(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)comm, (void)keyval, (void)state;
    MPI_Type_free(value);
    return MPI_SUCCESS;
}

/* Freed when MPI_Finalize deletes what hangs on MPI_COMM_SELF. */
static void freed_late(void)
{
    static MPI_Datatype type;
    int keyval;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_late, &keyval, NULL);
    MPI_Comm_set_attr(SELF, keyval, &type);
    MPI_Comm_free_keyval(&keyval);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = size - 1 - rank;
    overlapping_sends();
    freed_in_use();
    uncommitted();
    nothing();
    in_place();
    absolute();
    nobody();
    if (size == 2) {
        intercommunicator();
        topologies();
    }
    not_significant();
    negative();
    aligned();
    shaped_otherwise();
    requests();
    operations();
    lent();
    freed_late();
    MPI_Finalize();
    return 0;
}
