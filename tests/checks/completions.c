/*
 * Random calls that complete requests, right and wrong: prints what is found in each, as its parameters. With the quick path
 * and without it the answers must be the same (quick_group.c). MPI itself gets none of the calls (completions_stub.c).
 * Argument: the seed.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checks/quick.h"

enum { CALLS = 20000, VARIABLES = 40, MOST = 32 };

static MPI_Request variables[VARIABLES];
static int buffers[VARIABLES];
static MPI_Status statuses[MOST];

/* Makes a request in a variable, starts it, frees it, forgets it, or replaces it by a copy of the next one. */
static void change(int number)
{
    MPI_Request *request = &variables[number];
    const bool is_null = *request == MPI_REQUEST_NULL;
    switch (draw(8)) {
    case 0:
    case 1:
    case 2:
    case 3:
        if (is_null || one_in(50))
            PMPI_Irecv(&buffers[number], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_SELF, request);
        break;
    case 4:
        if (is_null && one_in(4))
            PMPI_Recv_init(&buffers[number], 1, MPI_INT, 0, 1, MPI_COMM_SELF, request);
        break;
    case 5:
    case 6:
        if (!is_null)
            PMPI_Start(request);
        break;
    default:
        if (!is_null && one_in(10))
            PMPI_Request_free(request);
        else
            *request = one_in(4) ? variables[(number + 1) % VARIABLES] : MPI_REQUEST_NULL;
    }
}

/* Now and then nothing is where something belongs. */
static void *or_null(void *place)
{
    return one_in(60) ? NULL : place;
}

static void call(void)
{
    int flag, index, indices[MOST];
    int count = one_in(40) ? -1 : (int)draw(one_in(6) ? MOST : 4);
    const unsigned first = draw(VARIABLES - MOST);
    MPI_Request *request = or_null(&variables[one_in(4) ? draw(VARIABLES) : draw(8)]);
    MPI_Request *array = or_null(&variables[first]);
    MPI_Status *status = one_in(3) ? MPI_STATUS_IGNORE : or_null(statuses);
    MPI_Status *all = one_in(3) ? MPI_STATUSES_IGNORE : or_null(statuses);
    switch (draw(10)) {
    case 0:
        PMPI_Wait(request, status);
        break;
    case 1:
    case 2:
    case 3:
        PMPI_Test(request, or_null(&flag), status);
        break;
    case 4:
        PMPI_Waitall(count, array, all);
        break;
    case 5:
        PMPI_Testall(count, array, or_null(&flag), all);
        break;
    case 6:
        PMPI_Waitany(count, array, or_null(&index), status);
        break;
    case 7:
        PMPI_Testany(count, array, or_null(&index), or_null(&flag), status);
        break;
    case 8:
        PMPI_Waitsome(count, array, or_null(&index), or_null(indices), all);
        break;
    default:
        PMPI_Testsome(count, array, or_null(&index), or_null(indices), all);
    }
}

int main(int argc, char **argv)
{
    state = argc > 1 ? (uint64_t)atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < VARIABLES; i++)
        variables[i] = MPI_REQUEST_NULL;
    for (int i = 0; i < CALLS; i++) {
        for (int k = (int)draw(3); k > 0; k--)
            change((int)draw(VARIABLES));
        quick.seen = quick.found = 0;
        call();
        printf("%d %x %s\n", i, quick.found, quick.seen ? "seen" : "quick");
    }
    MPI_Finalize();
    return 0;
}
