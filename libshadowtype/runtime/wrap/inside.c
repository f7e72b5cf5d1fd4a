/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/inside.h"

#include <stdatomic.h>
#include <stdint.h>
#include <unwind.h>

#include "runtime/wrap/caller.h"

/* The first frames are this library's, which caller.h would take for MPI's. */
struct st_inside_walk {
    bool left; /* the walk has left this library */
    bool inside;
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *context, void *data)
{
    struct st_inside_walk *walk = data;
    const void *pc = (const void *)_Unwind_GetIP(context);
    if (!pc) {
        return _URC_END_OF_STACK;
    }
    bool mpi = st_caller_of(pc) == ST_CALLER_MPI;
    if (!walk->left) {
        walk->left = !mpi;
    } else if (mpi) {
        walk->inside = true;
    }
    return walk->inside ? _URC_END_OF_STACK : _URC_NO_REASON;
}

bool st_is_inside_mpi(void)
{
    struct st_inside_walk walk = {0};
    _Unwind_Backtrace(visit_frame, &walk);
    return walk.inside;
}

static atomic_bool aborting;

void st_mpi_aborts(void)
{
    atomic_store(&aborting, true);
}

bool st_mpi_gives_up(void)
{
    return atomic_load(&aborting) || st_is_inside_mpi();
}
