/*
 * What a communicator's info asserts, and receives that break it: asserted HOW. Rank 0 sends, rank 1 receives. The lines
 * of `exact` are marked; `right` keeps to what it asserts.
 */
#include "common.h"

static int data[8], more[8];
static float numbers[8];

static int is(const char *how, const char *name)
{
    return strcmp(how, name) == 0;
}

static MPI_Info info_of(const char *key, const char *value)
{
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    return info;
}

static MPI_Comm asserted(const char *key)
{
    MPI_Info info = info_of(key, "true");
    MPI_Comm comm;
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &comm);
    MPI_Info_free(&info);
    return comm;
}

static void set(MPI_Comm comm, const char *key, const char *value)
{
    MPI_Info info = info_of(key, value);
    MPI_Comm_set_info(comm, info);
    MPI_Info_free(&info);
}

/* Each message from rank 0 is received by wildcards: 2 x MPI_INT. */
static void receive_any(MPI_Comm comm)
{
    if (rank == 0)
        MPI_Send(data, 2, MPI_INT, 1, 1, comm);
    else if (rank == 1)
        MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
}

static void receive_length(MPI_Comm comm, int count)
{
    if (rank == 0)
        MPI_Send(data, 2, MPI_INT, 1, 1, comm);
    else if (rank == 1)
        MPI_Recv(data, count, MPI_INT, 0, 1, comm, MPI_STATUS_IGNORE);
}

/* Open MPI looks for no message where the info says that there is no wildcard. */
static void post_any(MPI_Comm comm, int comes)
{
    MPI_Request request;
    MPI_Irecv(data, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &request);
    if (comes)
        MPI_Send(more, 2, MPI_INT, rank, 1, comm);
    else
        MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The call repeats one that was right. */
static void set_later(const char *key)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 4; i++) {
        if (i == 3)
            set(comm, key, "true");
        if (rank == 1)
            post_any(comm, i < 3);
    }
    MPI_Comm_free(&comm);
}

static void probe(void)
{
    MPI_Comm comm = asserted("mpi_assert_no_any_source");
    int there;
    if (rank == 1)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, comm, &there, MPI_STATUS_IGNORE);
    MPI_Comm_free(&comm);
}

#if MPI_VERSION >= 4
static void made_later(void)
{
    MPI_Info info = info_of("mpi_assert_no_any_tag", "true");
    MPI_Comm comm;
    MPI_Request request;
    MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 1)
        post_any(comm, 0);
    MPI_Comm_free(&comm);
    MPI_Info_free(&info);
}
#endif

static void exact(void)
{
    MPI_Comm comm = asserted("mpi_assert_exact_length");
    receive_length(comm, 2);
    if (rank == 0)
        MPI_Send(data, 2, MPI_INT, 1, 2, comm); /* exact: send */
    else if (rank == 1)
        MPI_Recv(data, 4, MPI_INT, 0, 2, comm, MPI_STATUS_IGNORE); /* exact: receive */
    MPI_Comm_free(&comm);
}

/* Messages that may overtake each other: nobody knows which of them a receive gets. */
static void overtaking(MPI_Comm comm)
{
    MPI_Request requests[4];
    if (rank == 0) {
        for (int i = 0; i < 4; i++)
            MPI_Isend(i % 2 ? (void *)data : (void *)numbers, 2, i % 2 ? MPI_INT : MPI_FLOAT, 1, 1,
                      comm, &requests[i]);
        MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    } else if (rank == 1) {
        for (int i = 0; i < 4; i++)
            MPI_Recv(i % 2 ? (void *)numbers : (void *)data, 2, i % 2 ? MPI_FLOAT : MPI_INT, 0, 1,
                     comm, MPI_STATUS_IGNORE);
    }
}

/* Each communicator keeps to what it asserts itself; the assertion ends with the communicator, or by `false`. */
static void right(void)
{
    MPI_Comm comm = asserted("mpi_assert_no_any_tag"), other;
    if (rank == 0)
        MPI_Send(data, 2, MPI_INT, 1, 1, comm);
    else if (rank == 1)
        MPI_Recv(data, 2, MPI_INT, MPI_ANY_SOURCE, 1, comm, MPI_STATUS_IGNORE);
    receive_any(MPI_COMM_WORLD);
    MPI_Comm_dup(comm, &other);
    receive_any(other);
    MPI_Comm_free(&other);
    set(comm, "mpi_assert_no_any_tag", "false");
    receive_any(comm);
    MPI_Comm_free(&comm);
    comm = asserted("mpi_assert_exact_length");
    receive_length(comm, 2);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    receive_length(comm, 4);
    receive_any(comm);
    MPI_Comm_free(&comm);
    comm = asserted("an_unknown_key");
    receive_any(comm);
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    const char *how = argv[1];
    MPI_Init(&argc, &argv);
    begin();
    if (is(how, "source") || is(how, "tag")) {
        MPI_Comm comm =
            asserted(is(how, "tag") ? "mpi_assert_no_any_tag" : "mpi_assert_no_any_source");
        if (rank == 1)
            post_any(comm, 0);
        MPI_Comm_free(&comm);
    } else if (is(how, "later")) {
        set_later("mpi_assert_no_any_tag");
    } else if (is(how, "probe")) {
        probe();
#if MPI_VERSION >= 4
    } else if (is(how, "made")) {
        made_later();
#endif
    } else if (is(how, "exact")) {
        exact();
    } else if (is(how, "overtaking")) {
        MPI_Comm comm = asserted("mpi_assert_allow_overtaking"), other;
        overtaking(comm);
        MPI_Comm_dup(comm, &other); /* copies the info before MPI 4.0 */
        overtaking(other);
        MPI_Comm_free(&other);
        MPI_Comm_free(&comm);
        receive_any(MPI_COMM_WORLD);
    } else {
        right();
    }
    MPI_Finalize();
    return 0;
}
