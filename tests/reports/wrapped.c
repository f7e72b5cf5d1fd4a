/*
 * MPI calls that err in wrappers, as a macro or a library makes them: where are they called? Each line
 * that a test looks for has a marker.
 *
 *     wrapped [types]
 */
#include <mpi.h>
#include <string.h>

#define OUT_OF_LINE __attribute__((noinline))
#define INLINED static inline __attribute__((always_inline))

static int values[8];

/* The statement after the call keeps it from becoming a jump. */
static OUT_OF_LINE void wrap_bcast(int count)
{
    MPI_Bcast(values, count, MPI_INT, 0, MPI_COMM_SELF); /* marker: bcast */
    __asm__ volatile("");
}

static OUT_OF_LINE void wrap_wrapped(int count)
{
    wrap_bcast(count); /* marker: wrap */
    __asm__ volatile("");
}

INLINED void wrap_inlined(int count)
{
    wrap_bcast(count); /* marker: inlined */
    __asm__ volatile("");
}

static OUT_OF_LINE void first(void)
{
    wrap_bcast(-1); /* marker: first */
    __asm__ volatile("");
}

static OUT_OF_LINE void second(void)
{
    wrap_wrapped(-1); /* marker: second */
    __asm__ volatile("");
}

static OUT_OF_LINE void third(void)
{
    wrap_inlined(-1); /* marker: third */
    __asm__ volatile("");
}

static OUT_OF_LINE MPI_Datatype wrap_type(void)
{
    MPI_Datatype type;
    MPI_Type_vector(2, 1, 2, MPI_INT, &type); /* marker: type */
    return type;
}

static OUT_OF_LINE void wrap_receive(MPI_Datatype type, MPI_Request *request)
{
    MPI_Irecv(values, 1, type, 0, 0, MPI_COMM_SELF, request); /* marker: receive */
    __asm__ volatile("");
}

/* Two receives into one buffer, through a type that a wrapper makes. */
static void use_types(void)
{
    MPI_Request requests[2];
    MPI_Status statuses[2];
    MPI_Datatype type = wrap_type(); /* marker: made */
    MPI_Type_commit(&type);
    wrap_receive(type, &requests[0]); /* marker: begun */
    wrap_receive(type, &requests[1]); /* marker: again */
    for (int i = 0; i < 2; i++)
        MPI_Send(values + 4, 2, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Waitall(2, requests, statuses);
    MPI_Type_free(&type);
}

int main(int count, char **arguments)
{
    MPI_Init(&count, &arguments);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (count > 1 && strcmp(arguments[1], "types") == 0) {
        use_types();
    } else {
        first(); /* marker: main */
        second();
        third(); /* marker: last */
    }
    MPI_Finalize();
    return 0;
}
