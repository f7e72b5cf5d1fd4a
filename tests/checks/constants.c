/*
 * What the arguments of a call are called in a report: MPI's constants by their names, each as what
 * the parameter can be. Every call is wrong in another argument. One rank.
 */
#include <mpi.h>
#include <stddef.h>

/* A call and what is found in it stand on one line. */
/* clang-format off */
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5
#define CRASHES /* Open MPI 5 does, without the library, too */
#endif
static int ints[8], data[8];
static MPI_Comm const SELF = MPI_COMM_SELF;

static void messages(void)
{
    MPI_Status status;
    MPI_Request request, requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int flag, index;
    MPI_Recv(ints, -1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, SELF, MPI_STATUS_IGNORE); /* argument-count */ /* with source=MPI_ANY_SOURCE tag=MPI_ANY_TAG comm=MPI_COMM_SELF status=MPI_STATUS_IGNORE */
    MPI_Recv(ints, -1, MPI_INT, 0, 3, SELF, &status);              /* argument-count */ /* with source=0 tag=3 status=0x? */
    MPI_Recv(ints, 1, MPI_INT, MPI_PROC_NULL, -7, SELF, MPI_STATUS_IGNORE); /* argument-tag */ /* with source=MPI_PROC_NULL tag=-7 */
    MPI_Send(ints, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, SELF);  /* argument-tag */ /* with dest=MPI_PROC_NULL tag=-1 */
    MPI_Probe(9, MPI_ANY_TAG, SELF, MPI_STATUS_IGNORE);            /* argument-rank */ /* with tag=MPI_ANY_TAG status=MPI_STATUS_IGNORE */
    MPI_Sendrecv(ints, -1, MPI_INT, 0, 0, data, 8, MPI_INT, 0, 0, SELF, MPI_STATUS_IGNORE); /* argument-count */ /* with status=MPI_STATUS_IGNORE */
    MPI_Waitall(-2, requests, MPI_STATUSES_IGNORE);                /* argument-count */ /* with array_of_statuses=MPI_STATUSES_IGNORE */
    MPI_Testany(-2, requests, &index, &flag, MPI_STATUS_IGNORE);   /* argument-count */ /* with status=MPI_STATUS_IGNORE */
    MPI_Recv_init(ints, 8, MPI_INT, MPI_ANY_SOURCE, 1, SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);                         /* request-inactive */ /* with status=MPI_STATUS_IGNORE */
    MPI_Request_free(&request);
}

static void collectives(void)
{
    MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, ints, -1, MPI_INT, 0, SELF); /* argument-count */ /* with sendbuf=MPI_IN_PLACE root=0 */
    MPI_Bcast(MPI_IN_PLACE, 1, MPI_INT, 0, SELF);                  /* argument-in-place */ /* with buffer=MPI_IN_PLACE */
    MPI_Bcast(ints, 1, MPI_INT, MPI_ROOT, SELF);                   /* argument-root */ /* with root=MPI_ROOT */
    MPI_Bcast(ints, 1, MPI_INT, MPI_PROC_NULL, SELF);              /* argument-root */ /* with root=MPI_PROC_NULL */
}

/* Address 0: MPI_BOTTOM where the data has addresses of its own. */
static void bottom(void)
{
    MPI_Datatype there, here;
    MPI_Aint address;
    MPI_Get_address(ints, &address);
    MPI_Type_create_hindexed(1, (int[]){2}, &address, MPI_INT, &there);
    MPI_Type_vector(2, 1, 2, MPI_INT, &here);
    MPI_Type_commit(&there);
    MPI_Type_commit(&here);
    MPI_Send(MPI_BOTTOM, 1, there, 0, -4, SELF);                   /* argument-tag */ /* with buf=MPI_BOTTOM */
#ifndef CRASHES
    MPI_Send(NULL, 1, here, 0, 0, SELF);                           /* buffer-null (mpich) */ /* buffer-null (openmpi4) */ /* with buf=NULL */ /* at {0}(VECTOR)[0][0](MPI_INT)+0 */
    MPI_Send(NULL, 1, MPI_INT, 0, 0, SELF);                        /* buffer-null (mpich) */ /* buffer-null (openmpi4) */ /* with buf=NULL */
#endif
    MPI_Send(NULL, 0, MPI_INT, 0, -4, SELF);                       /* argument-tag */ /* with buf=NULL */
    MPI_Send(NULL, 0, MPI_DATATYPE_NULL, 0, -4, SELF);             /* argument-tag */ /* with buf=NULL datatype=MPI_DATATYPE_NULL */
    MPI_Alltoallw(MPI_BOTTOM, (int[]){1}, (int[]){0}, &there, ints, (int[]){-1}, (int[]){0}, &(MPI_Datatype){MPI_INT}, SELF); /* argument-count */ /* with sendbuf=MPI_BOTTOM */
    MPI_Type_free(&here);
    MPI_Type_free(&there);
}

static void others(void)
{
    MPI_Comm made;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Win win;
    MPI_Comm_split(MPI_COMM_NULL, MPI_UNDEFINED, 0, &made);        /* argument-comm */ /* with comm=MPI_COMM_NULL color=MPI_UNDEFINED key=0 */
    MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made); /* argument-comm */ /* with split_type=MPI_COMM_TYPE_SHARED info=MPI_INFO_NULL */
    MPI_Dist_graph_create_adjacent(SELF, -1, ints, MPI_UNWEIGHTED, 0, NULL, MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &made); /* argument-count */ /* with sourceweights=MPI_UNWEIGHTED destweights=MPI_WEIGHTS_EMPTY destinations=NULL */
    MPI_Comm_spawn("none", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_NULL, &made, MPI_ERRCODES_IGNORE); /* argument-comm */ /* with argv=MPI_ARGV_NULL array_of_errcodes=MPI_ERRCODES_IGNORE */
    MPI_Type_create_subarray(1, (int[]){4}, (int[]){5}, (int[]){0}, MPI_ORDER_FORTRAN, MPI_INT, &type); /* datatype-argument */ /* with order=MPI_ORDER_FORTRAN */
    if (type != MPI_DATATYPE_NULL) /* MPICH makes it */
        MPI_Type_free(&type);
    if (MPI_Win_create(ints, sizeof ints, 1, MPI_INFO_NULL, SELF, &win)) /* Open MPI 4: none of one rank */
        return;
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 5, 0, win);                      /* argument-rank (mpich) */ /* argument-rank (openmpi5) */ /* with lock_type=MPI_LOCK_SHARED rank=5 */
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    messages();
    collectives();
    bottom();
    others();
    MPI_Finalize();
    return 0;
}
