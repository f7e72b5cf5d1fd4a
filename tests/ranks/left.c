/*
 * A rank that has left its call for the others, and dies before it looks at theirs. That moment is too short to be hit:
 * what the last rank has left of a call that all ranks have made is changed afterwards, and it dies.
 *
 *     left op         its operation
 *     left root       its root
 *     left right      nothing is changed
 */
#define _GNU_SOURCE
#include "common.h"

#include <dlfcn.h>
#include <signal.h>

#include "core/agree/segment.h"
#include "core/model/registry.h"

/* Of the call that has the most collective calls before it, of those with an operation, or a root. */
static struct st_rank_call *last_call(uint16_t flag)
{
    const struct st_root *root = dlsym(RTLD_DEFAULT, "shadowtype_registry");
    const struct st_shared_area *shared = (const void *)(uintptr_t)root->shared;
    struct st_rank_area *area = (void *)(uintptr_t)shared->area;
    struct st_rank_call *last = NULL;
    for (int i = 0; i < 1 << ST_AREA_LOG2_CALLS; i++) {
        struct st_rank_call *one = &area->calls[i];
        if (one->key && one->call.flags & flag && (!last || one->call.number > last->call.number))
            last = one;
    }
    return last;
}

int main(int argc, char **argv)
{
    int in[4] = {0}, out[4];
    MPI_Init(&argc, &argv);
    begin();
    MPI_Allreduce(in, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(in, 4, MPI_INT, 0, MPI_COMM_WORLD);
    meet();
    if (rank == size - 1) {
        if (strcmp(argv[1], "op") == 0)
            last_call(ST_COLLECTIVE_IN_PLACE)->call.operation++;
        else if (strcmp(argv[1], "root") == 0)
            last_call(ST_COLLECTIVE_ROOT)->call.root = 1;
        raise(SIGKILL);
    }
    meet();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
