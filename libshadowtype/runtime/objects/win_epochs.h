/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The epochs of a window that its process is in (struct st_win_epochs of core/model/registry.h),
 * from the calls that MPI has carried out.
 *
 * A fence that is not followed by a one-sided call opens no epoch; a lock or MPI_Win_start after it
 * ends what it may have opened. For changes the caller holds the lock, and has opened a change
 * (operations.h).
 */
#ifndef ST_RUNTIME_OBJECTS_WIN_EPOCHS_H
#define ST_RUNTIME_OBJECTS_WIN_EPOCHS_H

#include <stdbool.h>

#include "runtime/objects/collectives.h"
#include "runtime/wrap/facts.h"

/* Returns the window of a handle; NULL if the window or its processes are not known. */
static inline struct st_comm *st_win_epochs_window(uint64_t win)
{
    struct st_comm *window = win ? st_comm_of_handle(win) : NULL;
    return window && window->kind == ST_KIND_WIN && window->flags & ST_COMM_KNOWN ? window : NULL;
}

/* Returns the flags of the epochs that are open: enum st_epoch_flag. Takes no lock. */
static inline uint32_t st_win_epochs_open(const struct st_comm *window)
{
    return __atomic_load_n(&window->epochs.open, __ATOMIC_RELAXED);
}

/* Returns the record of a rank of the window; NULL if there is none. */
const struct st_win_peer *st_win_epochs_peer(const struct st_comm *window, int64_t rank);

/* True if the window is in an epoch of which `target` is a target.
 * locks  only epochs of locks count */
bool st_win_epochs_reach(const struct st_comm *window, int64_t target, bool locks);

/* MPI has carried out a call that affects the window's epochs, such as MPI_Win_fence. To be called
 * before st_win_peer.lock is changed.
 * site  of the call */
void st_win_epochs_change(struct st_comm *window, const struct st_facts *facts, uint32_t site);

/* The targets of the epoch that is open, or is about to be, are not known. */
void st_win_epochs_doubt(struct st_comm *window);

/* True if the one-sided call is the first one in the epoch of a fence, which it opens. Takes no lock. */
bool st_win_epochs_is_first(const struct st_comm *window, const struct st_facts *facts);

#endif
