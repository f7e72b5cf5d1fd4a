/*
 * Stands in for the MPI library, whose requests these are: receives that complete at random. Wrong calls do nothing.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "checks/quick.h"

enum { REQUESTS = 1 << 15 };

/* By the number of a request, which is behind its handle. Numbers are used again, late. */
static struct request {
    bool exists, active, persistent;
} requests[REQUESTS];
static char memory[REQUESTS]; /* the handles of Open MPI are addresses */
static uintptr_t last;

static MPI_Request handle_of(uintptr_t number)
{
#ifdef OPEN_MPI
    return (MPI_Request)(memory + number);
#else
    return (MPI_Request)(0x4c000000 + number);
#endif
}

static struct request *find(MPI_Request handle)
{
#ifdef OPEN_MPI
    const uintptr_t number = (uintptr_t)handle - (uintptr_t)memory;
#else
    const uintptr_t number = (uintptr_t)handle - 0x4c000000;
#endif
    return number < REQUESTS && requests[number].exists ? &requests[number] : NULL;
}

static int make(MPI_Request *handle, bool persistent)
{
    do
        last = (last + 1) % REQUESTS;
    while (requests[last].exists);
    requests[last] = (struct request){true, !persistent, persistent};
    *handle = handle_of(last);
    return MPI_SUCCESS;
}

int PMPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
               MPI_Request *handle)
{
    return make(handle, false);
}

int PMPI_Recv_init(void *buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
                   MPI_Request *handle)
{
    return make(handle, true);
}

int PMPI_Start(MPI_Request *handle)
{
    struct request *request = find(*handle);
    if (request)
        request->active = true;
    return MPI_SUCCESS;
}

int PMPI_Request_free(MPI_Request *handle)
{
    struct request *request = find(*handle);
    if (request)
        request->exists = false;
    *handle = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static bool is_active(MPI_Request handle)
{
    const struct request *request = find(handle);
    return request && request->active;
}

static void complete(MPI_Request *handle)
{
    struct request *request = find(*handle);
    if (!request)
        return;
    request->active = false;
    if (!request->persistent) {
        request->exists = false;
        *handle = MPI_REQUEST_NULL;
    }
}

/* Completes some of the array, at least `least` and at most `most`; stores which. Returns -1 if none is active. */
static int complete_some(int count, MPI_Request *array, int least, int most, int *which)
{
    int active = 0, done = 0;
    for (int i = 0; array && i < count; i++)
        active += is_active(array[i]);
    for (int i = 0; array && i < count && done < most; i++) {
        if (!is_active(array[i]))
            continue;
        if (done + active <= least || one_in(3)) {
            complete(&array[i]);
            which[done++] = i;
        }
        active--;
    }
    return done ? done : active ? 0 : -1;
}

static int complete_all(int count, MPI_Request *array, bool waits, int *flag)
{
    const bool now = waits || one_in(3);
    for (int i = 0; now && array && i < count; i++)
        complete(&array[i]);
    if (flag)
        *flag = now;
    return MPI_SUCCESS;
}

static int complete_any(int count, MPI_Request *array, int least, int *index, int *flag)
{
    int which[64];
    const int done = complete_some(count, array, least, 1, which);
    if (index)
        *index = done > 0 ? which[0] : MPI_UNDEFINED;
    if (flag)
        *flag = done != 0;
    return MPI_SUCCESS;
}

int PMPI_Wait(MPI_Request *handle, MPI_Status *status)
{
    return complete_all(1, handle, true, NULL);
}

int PMPI_Test(MPI_Request *handle, int *flag, MPI_Status *status)
{
    int index;
    return complete_any(1, handle, 0, &index, flag);
}

int PMPI_Waitall(int count, MPI_Request *array, MPI_Status *statuses)
{
    return complete_all(count, array, true, NULL);
}

int PMPI_Testall(int count, MPI_Request *array, int *flag, MPI_Status *statuses)
{
    return complete_all(count, array, false, flag);
}

int PMPI_Waitany(int count, MPI_Request *array, int *index, MPI_Status *status)
{
    return complete_any(count, array, 1, index, NULL);
}

int PMPI_Testany(int count, MPI_Request *array, int *index, int *flag, MPI_Status *status)
{
    return complete_any(count, array, 0, index, flag);
}

static int complete_several(int count, MPI_Request *array, int least, int *outcount, int *indices)
{
    int which[64];
    const int done = complete_some(count, array, least, 64, which);
    if (outcount)
        *outcount = done < 0 ? MPI_UNDEFINED : done;
    if (indices && done > 0)
        memcpy(indices, which, (size_t)done * sizeof *which);
    return MPI_SUCCESS;
}

int PMPI_Waitsome(int count, MPI_Request *array, int *outcount, int *indices, MPI_Status *statuses)
{
    return complete_several(count, array, 1, outcount, indices);
}

int PMPI_Testsome(int count, MPI_Request *array, int *outcount, int *indices, MPI_Status *statuses)
{
    return complete_several(count, array, 0, outcount, indices);
}
