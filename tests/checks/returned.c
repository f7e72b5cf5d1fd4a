/*
 * Calls that MPI refuses, and that return to the program: each a note at its line, or an error if a check knows
 * why. Runs as one rank.
 */
#include <mpi.h>
#include <stdlib.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
static int ints[64], more[64], called;

static void require(int holds)
{
    if (!holds)
        exit(9);
}

static int class_of(int code)
{
    int error_class;
    MPI_Error_class(code, &error_class);
    return error_class;
}

static void count(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    called++;
}

static MPI_Comm copy_with(MPI_Errhandler handler)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, handler);
    return comm;
}

static void receive(void)
{
    MPI_Request request;
    MPI_Comm comm = copy_with(MPI_ERRORS_RETURN);
    MPI_Isend(ints, 4, MPI_INT, 0, 1, comm, &request);
    int code = MPI_Recv(more, 2, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);  /* note mpi-error */
    require(class_of(code) == MPI_ERR_TRUNCATE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

/* A copy of a communicator has its handler. */
static void inherited(void)
{
    MPI_Request request;
    MPI_Comm comm = copy_with(MPI_ERRORS_RETURN), copy;
    MPI_Comm_dup(comm, &copy);
    MPI_Isend(ints, 4, MPI_INT, 0, 1, copy, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, copy, MPI_STATUS_IGNORE);             /* note mpi-error */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

/* A handler of the program's that returns; and one that the program calls itself, where MPI refuses nothing. */
static void own_handler(void)
{
    MPI_Request request;
    MPI_Errhandler own;
    MPI_Comm_create_errhandler(count, &own);
    MPI_Comm comm = copy_with(own);
    MPI_Errhandler_free(&own);
    MPI_Isend(ints, 4, MPI_INT, 0, 1, comm, &request);
    MPI_Recv(more, 2, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);             /* note mpi-error */
    require(called == 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    require(called == 2);
    MPI_Comm_free(&comm);
}

/* MPI_ERR_IN_STATUS: one of the operations has failed. MPICH takes the handler of another communicator. Open MPI
 * 4.1 fills the buffer and says nothing. */
static void all(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Irecv(more, 4, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[0]);
    MPI_Irecv(more + 8, 2, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[1]);
    MPI_Send(ints, 4, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Send(ints, 4, MPI_INT, 0, 2, MPI_COMM_SELF);
    int code = MPI_Waitall(2, requests, statuses);                         /* note mpi-error (mpich) */
    if (code != MPI_SUCCESS) {
        require(class_of(code) == MPI_ERR_IN_STATUS);
        require(class_of(statuses[1].MPI_ERROR) == MPI_ERR_TRUNCATE);
    }
}

static void count_of_window(MPI_Win *win, int *code, ...)
{
    (void)win, (void)code;
    called++;
}

/* A refused call is one call of a handler: MPI must not be asked about a group that is none. MPICH 4.0 calls the handler
 * of MPI_COMM_WORLD, 4.2 that of MPI_COMM_SELF; Open MPI 4.1 takes the group for an empty one. */
static void epoch_of_no_group(void)
{
    MPI_Errhandler own, of_window;
    MPI_Win win;
    void *memory;
    MPI_Comm_create_errhandler(count, &own);
    MPI_Win_create_errhandler(count_of_window, &of_window);
    if (MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win) == MPI_SUCCESS) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, own);
        MPI_Win_set_errhandler(win, of_window);
        called = 0;
        int code = MPI_Win_start(MPI_GROUP_NULL, 0, win);                  /* handle-null */
        require(called == (code != MPI_SUCCESS));
        if (code == MPI_SUCCESS)
            MPI_Win_complete(win);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        MPI_Win_free(&win);
    }
    MPI_Errhandler_free(&own);
    MPI_Errhandler_free(&of_window);
}

/* Errors of calls by which a program asks MPI something are not reported. */
static void asked(void)
{
    MPI_File file;
    char port[MPI_MAX_PORT_NAME];
    MPI_File_open(MPI_COMM_SELF, "there/is/none", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    MPI_File_delete("there/is/none", MPI_INFO_NULL);
    MPI_Lookup_name("nobody", MPI_INFO_NULL, port);
}
/* clang-format on */

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    receive();
    inherited();
    own_handler();
    all();
    epoch_of_no_group();
    asked();
    MPI_Finalize();
    return 0;
}
