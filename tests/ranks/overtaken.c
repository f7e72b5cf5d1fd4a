/*
 * Messages that may overtake each other (mpi_assert_allow_overtaking), and do (overtakes.c): overtaken HOW SEED. Rank 0
 * sends several basic types, many in as many bytes; rank 1 is told, aside, in what order they have left. Some messages
 * are still on their way when the info changes.
 *
 *     always, changing    the info is true; or it changes between true and false
 *     never               it is false, and no message overtakes another one
 *     besides             it is true of another communicator; the last message of this one does not match (marked)
 */
#include "common.h"

enum { PHASES = 40, MOST = 20 };

extern int overtakes, sending;
extern int left_kinds[2][1000], left_count[2];
void send_held(void);

static const char *how;
static MPI_Comm comm, ordered, aside;
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

static MPI_Datatype type_of(int kind)
{
    return kind < 2 ? MPI_INT : kind == 2 ? MPI_DOUBLE : MPI_FLOAT;
}

static int length_of(int kind)
{
    return kind == 0 ? 3 : kind == 2 ? 1 : 2;
}

static void send_one(void)
{
    static const double data[2];
    const int tag = rand() % 2;
    sending = rand() % 4;
    MPI_Send(data, length_of(sending), type_of(sending), 1, tag, comm);
}

/* Rank 1 gets to know in what order the messages have left: the checker does not see that. */
static void tell_order(void)
{
    if (rank == 0) {
        PMPI_Send(left_count, 2, MPI_INT, 1, 99, aside);
        PMPI_Send(left_kinds, 2 * 1000, MPI_INT, 1, 99, aside);
    } else if (rank == 1) {
        PMPI_Recv(left_count, 2, MPI_INT, 0, 99, aside, MPI_STATUS_IGNORE);
        PMPI_Recv(left_kinds, 2 * 1000, MPI_INT, 0, 99, aside, MPI_STATUS_IGNORE);
    }
}

static void receive_one(void)
{
    static int taken[2]; /* by tag */
    double data[2];
    MPI_Message message;
    MPI_Status status;
    MPI_Mprobe(0, MPI_ANY_TAG, comm, &message, &status);
    const int kind = left_kinds[status.MPI_TAG][taken[status.MPI_TAG]++];
    MPI_Mrecv(data, length_of(kind), type_of(kind), &message, &status);
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
    tell_order();
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
    MPI_Comm_dup(MPI_COMM_WORLD, &aside);
    for (int phase = 0; phase < PHASES; phase++)
        run(phase);
    if (is("besides"))
        fail();
    MPI_Comm_free(&comm);
    MPI_Comm_free(&ordered);
    MPI_Comm_free(&aside);
    MPI_Finalize();
    return 0;
}
