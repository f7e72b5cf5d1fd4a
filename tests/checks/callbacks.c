/*
 * Correct calls in what MPI calls back, and after calls that a callback has left by longjmp(). Nothing
 * may be reported. Runs as two ranks.
 */
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <string.h>

static int rank, ints[64], more[64], deleted;
static char packed[1024], name[MPI_MAX_OBJECT_NAME];

/* --- delete callbacks: what is being freed is valid until they return ------------------------------ */

/* Without what counts references: the MPI libraries would free the type again at its end. */
static int delete_type(MPI_Datatype type, int keyval, void *value, void *state)
{
    MPI_Aint lb, extent;
    int bytes, length, position = 0;
    (void)keyval, (void)value, (void)state;
    MPI_Type_size(type, &bytes);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &lb, &extent);
    MPI_Type_get_name(type, name, &length);
    MPI_Pack(ints, 1, type, packed, sizeof packed, &position, MPI_COMM_SELF);
    deleted++;
    return MPI_SUCCESS;
}

static void types(void)
{
    MPI_Datatype inner, type, copy;
    int keyval;
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, delete_type, &keyval, NULL);
    for (int i = 0; i < 20; i++) {
        MPI_Type_vector(2, 1, 4, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Type_set_attr(type, keyval, NULL);
        MPI_Type_free(&type);
        MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
        MPI_Type_contiguous(2, inner, &type);
        MPI_Type_commit(&type);
        MPI_Type_set_attr(type, keyval, &inner);
        MPI_Type_free(&inner);
        MPI_Type_dup(type, &copy);
        MPI_Type_free(&type); /* MPICH calls back when the copy is freed */
        MPI_Bcast(ints, 1, copy, 0, MPI_COMM_SELF);
        MPI_Type_free(&copy);
    }
    MPI_Type_free_keyval(&keyval);
}

static int delete_comm(MPI_Comm comm, int keyval, void *value, void *state)
{
    MPI_Comm copy;
    MPI_Group group;
    int count, me, length;
    (void)keyval, (void)value, (void)state;
    MPI_Comm_size(comm, &count);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_get_name(comm, name, &length);
    MPI_Comm_group(comm, &group);
    MPI_Group_free(&group);
    MPI_Sendrecv(ints, 1, MPI_INT, me, 0, more, 1, MPI_INT, me, 0, comm, MPI_STATUS_IGNORE);
    MPI_Bcast(ints, 1, MPI_INT, 0, comm);
    MPI_Comm_dup(MPI_COMM_SELF, &copy);
    MPI_Comm_free(&copy);
    deleted++;
    return MPI_SUCCESS;
}

static void comms(void)
{
    MPI_Comm comm;
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_comm, &keyval, NULL);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_dup(i % 2 ? MPI_COMM_WORLD : MPI_COMM_SELF, &comm);
        MPI_Comm_set_attr(comm, keyval, NULL);
        if (i % 3)
            MPI_Comm_free(&comm);
        else
            MPI_Comm_disconnect(&comm);
    }
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL); /* deleted in MPI_Finalize */
    MPI_Comm_free_keyval(&keyval);
}

static int delete_win(MPI_Win win, int keyval, void *value, void *state)
{
    MPI_Group group;
    void *base;
    int length, flag;
    (void)keyval, (void)value, (void)state;
    MPI_Win_get_group(win, &group);
    MPI_Group_free(&group);
    MPI_Win_get_name(win, name, &length);
    MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
    deleted++;
    return MPI_SUCCESS;
}

static void windows(void)
{
    MPI_Win win;
    int keyval;
    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_win, &keyval, NULL);
    for (int i = 0; i < 3; i++) {
        MPI_Win_create(ints, sizeof ints, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_set_attr(win, keyval, NULL);
        MPI_Win_free(&win);
    }
    MPI_Win_free_keyval(&keyval);
}

/* --- calls that an error handler leaves --------------------------------------------------------- */

static __thread jmp_buf back;

static void jump(MPI_Comm *comm, int *code, ...)
{
    (void)comm, (void)code;
    longjmp(back, 1);
}

/* A message that is too long for the buffer: MPI_Recv is left, and the buffer used again. */
static void leave(MPI_Comm comm, int *buffer, int tag)
{
    for (int i = 0; i < 3; i++) {
        MPI_Request request;
        MPI_Isend(ints, 8, MPI_INT, 0, tag, comm, &request);
        if (!setjmp(back))
            MPI_Recv(buffer, 2, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Sendrecv(buffer, 2, MPI_INT, 0, tag, more, 2, MPI_INT, 0, tag, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        MPI_Bcast(buffer, 2, MPI_INT, 0, MPI_COMM_SELF);
    }
}

static MPI_Comm jumping(void)
{
    MPI_Comm comm;
    MPI_Errhandler handler;
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_errhandler(jump, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
    return comm;
}

static int shared[4];

/* The thread ends, or waits, without another call: its buffer is anyone's. */
static void *leave_last(void *comm)
{
    MPI_Request request;
    MPI_Isend(ints, 8, MPI_INT, 0, 1, *(MPI_Comm *)comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (!setjmp(back))
        MPI_Recv(shared, 2, MPI_INT, 0, 1, *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
    return NULL;
}

static void jumps(void)
{
    MPI_Comm comm = jumping();
    pthread_t thread;
    static int buffer[2];
    leave(comm, buffer, 0);
    pthread_create(&thread, NULL, leave_last, &comm);
    pthread_join(thread, NULL);
    MPI_Bcast(shared, 2, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Comm_free(&comm);
}

/* --- operations: their datatype may have been freed while the reduction was pending --------------- */

static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    int bytes;
    MPI_Type_size(*type, &bytes);
    for (int i = 0; i < *count * bytes / (int)sizeof(int); i++)
        ((int *)out)[i] += ((int *)in)[i];
}

static void operations(void)
{
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < 20; i++) {
        MPI_Type_contiguous(2, MPI_INT, &type);
        MPI_Type_commit(&type);
        MPI_Iallreduce(ints, more, 1, type, op, MPI_COMM_WORLD, &request);
        MPI_Type_free(&type);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Op_free(&op);
}

/* --- generalized requests: they have no buffer, and may be freed at any time ---------------------- */

static int ask(void *state, MPI_Status *status)
{
    (void)state;
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int forget(void *state)
{
    return *(int *)state = MPI_SUCCESS;
}

static int give_up(void *state, int is_complete)
{
    (void)state, (void)is_complete;
    return MPI_SUCCESS;
}

static void generalized(void)
{
    MPI_Request request, copy;
    int state;
    MPI_Grequest_start(ask, forget, give_up, &state, &request);
    copy = request;
    MPI_Request_free(&request);
    MPI_Grequest_complete(copy);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    operations(); /* first: there are no delete callbacks yet */
    types();
    comms();
    windows();
    generalized();
#ifdef OPEN_MPI /* MPICH keeps its own lock where a handler leaves a call under MPI_THREAD_MULTIPLE. */
    jumps();
#endif
    MPI_Finalize();
    return deleted ? 0 : 1;
}
