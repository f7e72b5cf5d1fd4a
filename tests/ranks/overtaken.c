/*
 * Messages that may overtake each other (mpi_assert_allow_overtaking), and do (overtakes.c): overtaken HOW SEED. Rank 0
 * sends MPI_INT or MPI_DOUBLE, which rank 1 tells apart by the length of what MPI_Mprobe finds. Some messages are still
 * on their way when the info changes.
 *
 *     always, changing    the info is true; or it changes between true and false
 *     never               it is false, and no message overtakes another one
 *     besides             it is true of another communicator; the last message of this one does not match (marked)
 */
#include "common.h"

enum { PHASES = 40, MOST = 20 };

extern int overtakes;
void send_held(void);

static const char *how;
static MPI_Comm comm, ordered;
static int waiting; /* messages that rank 1 has not received */

static int is(const char *name)
{
    return strcmp(how, name) == 0;
}

static void allow(int phase)
{
    MPI_Info info;
    MPI_Info_create(&info);
    overtakes = !is("never") && (!is("changing") || phase % 3 == 1);
    MPI_Info_set(info, "mpi_assert_allow_overtaking", overtakes ? "true" : "false");
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
    MPI_Barrier(
        MPI_COMM_WORLD); /* Open MPI may lose messages that come before the receiver's call */
}

static void send_one(void)
{
    static const double data[2];
    const int kind = rand() % 4, tag = rand() % 2;
    if (kind < 2)
        MPI_Send(data, 1 + 2 * kind, MPI_INT, 1, tag, comm);
    else
        MPI_Send(data, kind - 1, MPI_DOUBLE, 1, tag, comm);
}

static void receive_one(void)
{
    double data[2];
    int bytes;
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(0, MPI_ANY_TAG, comm, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Mrecv(data, bytes % 8 ? bytes / 4 : bytes / 8, bytes % 8 ? MPI_INT : MPI_DOUBLE, &message,
              &status);
}

static void run(int phase)
{
    const int count = rand() % MOST; /* the same in both ranks */
    const int left = phase == PHASES - 1 ? 0 : rand() % 5;
    allow(phase);
    unsigned own = (unsigned)rand();
    srand(own + (unsigned)rank);
    for (int i = 0; rank == 0 && i < count; i++)
        send_one();
    if (rank == 0)
        send_held();
    waiting += count;
    for (; waiting > left; waiting--)
        if (rank == 1)
            receive_one();
    srand(own);
}

static void fail(void)
{
    float others[2] = {0};
    int numbers[2] = {0};
    overtakes = 0;
    for (int i = 0; i < 5; i++)
        if (rank == 0)
            MPI_Send(numbers, 2, MPI_INT, 1, 0, ordered);
        else
            MPI_Recv(numbers, 2, MPI_INT, 0, 0, ordered, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Send(others, 2, MPI_FLOAT, 1, 0, ordered); /* wrong: send */
    else
        MPI_Recv(numbers, 2, MPI_INT, 0, 0, ordered, MPI_STATUS_IGNORE); /* wrong: receive */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    how = argv[1];
    srand((unsigned)atoi(argv[2]));
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &ordered);
    for (int phase = 0; phase < PHASES; phase++)
        run(phase);
    if (is("besides"))
        fail();
    MPI_Comm_free(&comm);
    MPI_Comm_free(&ordered);
    MPI_Finalize();
    return 0;
}
