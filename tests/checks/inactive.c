/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for requests that are null or inactive. A line with a finding says so in a comment: its id, and
 * its case.
 *
 *     inactive            the calls of which MPI returns at once
 *     inactive collective a wait that never returns under MPICH: it ends with the process
 */
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* A call and the id of what is wrong with it stand on one line. */
/* clang-format off */
enum { COUNT = 3 };

static int in, out = 1, flag, member, number, indices[COUNT];
static MPI_Status statuses[COUNT];

static void none(void)
{
    MPI_Request null = MPI_REQUEST_NULL, nulls[COUNT] = {null, null, null};

    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitall(COUNT, nulls, MPI_STATUSES_IGNORE);
    MPI_Waitany(COUNT, nulls, &member, statuses);
    MPI_Waitsome(COUNT, nulls, &number, indices, statuses);
    MPI_Test(&null, &flag, statuses);
    MPI_Testall(COUNT, nulls, &flag, statuses);
    MPI_Request_get_status(null, &flag, statuses);
    MPI_Wait(&null, statuses);                          /* note request-inactive */
}

static void persistent(void)
{
    MPI_Request requests[COUNT];

    MPI_Recv_init(&in, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[0]);
    MPI_Send_init(&out, 1, MPI_INT, 0, 7, MPI_COMM_SELF, &requests[1]);
    MPI_Send_init(&out, 1, MPI_INT, 0, 8, MPI_COMM_SELF, &requests[2]);
    MPI_Startall(2, requests);
    MPI_Waitall(COUNT, requests, statuses);             /* note request-inactive */
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
    MPI_Wait(&requests[0], statuses);                   /* request-inactive */
    MPI_Testall(COUNT, requests, &flag, statuses);
    MPI_Testany(COUNT, requests, &member, &flag, statuses);
    MPI_Waitany(COUNT, requests, &member, statuses);
    MPI_Waitsome(COUNT, requests, &number, indices, statuses);
    for (int i = 0; i < COUNT; i++)
        MPI_Request_free(&requests[i]);
}

#if MPI_VERSION >= 4
static void end(int number_of_signal)
{
    (void)number_of_signal;
    _exit(0);
}

/* A second of processor time is enough for the report, which comes before the call. */
static void collective(void)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL};
    const struct itimerval second = {.it_value.tv_sec = 1};

    MPI_Allreduce_init(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL, &requests[1]);
    signal(SIGPROF, end);
    setitimer(ITIMER_PROF, &second, NULL);
    MPI_Waitall(2, requests, statuses);                 /* request-inactive (collective) */
    _exit(0);
}
#endif

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#if MPI_VERSION >= 4
    if (argc > 1 && strcmp(argv[1], "collective") == 0) {
        collective();
    }
#endif
    none();
    persistent();
    MPI_Finalize();
    return 0;
}
