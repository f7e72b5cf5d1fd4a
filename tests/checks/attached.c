/*
 * The buffer of buffered sends: with none, too small a one, two. Marks as in wrong.c.
 */
#include <mpi.h>
#include <stdlib.h>

#define SELF MPI_COMM_SELF
/* clang-format off */
static int ints[64], more[64];
static char room[4 * sizeof ints + 4 * MPI_BSEND_OVERHEAD];

/* The message arrives if it was sent. */
static void take(int sent, int tag)
{
    if (sent == MPI_SUCCESS)
        MPI_Recv(more, 64, MPI_INT, 0, tag, SELF, MPI_STATUS_IGNORE);
}

static void none(void)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    void *got;
    int bytes, sent;
    sent = MPI_Bsend(ints, 64, MPI_INT, 0, 1, SELF);                 /* buffer-attach */
    take(sent, 1);
    sent = MPI_Ibsend(ints, 64, MPI_INT, 0, 2, SELF, &request);      /* buffer-attach */
    take(sent, 2);
    if (request != MPI_REQUEST_NULL)
        MPI_Wait(&request, &status);
    MPI_Buffer_detach(&got, &bytes);                                 /* buffer-attach */
    MPI_Bsend(ints, 64, MPI_INT, MPI_PROC_NULL, 1, SELF);
    MPI_Bsend_init(ints, 64, MPI_INT, 0, 3, SELF, &request);
    sent = MPI_Start(&request);                                      /* buffer-attach */
    take(sent, 3);
    if (sent == MPI_SUCCESS)
        MPI_Wait(&request, &status);
    MPI_Request_free(&request);
}

static void small(void)
{
    void *got;
    int bytes, sent;
    MPI_Datatype type;
    MPI_Buffer_attach(room, sizeof ints + MPI_BSEND_OVERHEAD - 8);
    sent = MPI_Bsend(ints, 64, MPI_INT, 0, 1, SELF);                 /* buffer-attach */
    take(sent, 1);
    sent = MPI_Bsend(ints, 32, MPI_INT, 0, 1, SELF);
    take(sent, 1);
    MPI_Type_vector(32, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    sent = MPI_Bsend(ints, 1, type, 0, 1, SELF);
    take(sent, 1);
    MPI_Type_free(&type);
    MPI_Buffer_attach(room, sizeof room);                            /* buffer-attach */
    MPI_Buffer_detach(&got, &bytes);
}

static void right(void)
{
    MPI_Request request;
    void *got;
    int bytes;
    for (int i = 0; i < 3; i++) {
        MPI_Buffer_attach(room, sizeof ints + MPI_BSEND_OVERHEAD);
        take(MPI_Bsend(ints, 64, MPI_INT, 0, 1, SELF), 1);
        MPI_Buffer_detach(&got, &bytes);
        if (got != room || bytes != (int)(sizeof ints + MPI_BSEND_OVERHEAD))
            abort();
    }
    MPI_Buffer_attach(room, sizeof room);
    MPI_Bsend_init(ints, 64, MPI_INT, 0, 3, SELF, &request);
    take(MPI_Start(&request), 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Ibsend(ints, 64, MPI_INT, 0, 2, SELF, &request);
    take(MPI_SUCCESS, 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&got, &bytes);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(SELF, MPI_ERRORS_RETURN);
    none();
    small();
    right();
    MPI_Finalize();
    return 0;
}
