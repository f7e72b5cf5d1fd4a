/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/message_threads.h"

#include "runtime/ranks/buffered.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/matched.h"
#include "runtime/record/lock.h"
#include "runtime/report/finding.h"

/* A thread, identified by an address in it. */
static _Thread_local char here __attribute__((tls_model("initial-exec")));
static _Atomic(const void *) first_thread;
static atomic_bool are_several, is_lost;

enum { LOG2_USED = 12 };

/* What threads have used: messages to, or from, one peer with one tag; or all receives of a
 * communicator. Guarded by the lock. */
static struct st_thread_use {
    uint64_t name; /* 0: not in use */
    const void *thread;
    bool is_shared; /* all receives: several threads receive there */
    bool is_wild;   /* all receives: one of them passes a wildcard */
} uses[1 << LOG2_USED];
static uint32_t use_count;

/* Returns the entry, which may be new; NULL if there is no room. */
static struct st_thread_use *find_use(uint64_t name)
{
    uint32_t place = (uint32_t)(name >> (64 - LOG2_USED));
    while (uses[place].name && uses[place].name != name) {
        place = (place + 1) % (1u << LOG2_USED);
    }
    if (uses[place].name) {
        return &uses[place];
    }
    if (use_count >= 1u << (LOG2_USED - 1)) {
        return NULL;
    }
    use_count++;
    uses[place] = (struct st_thread_use){.name = name, .thread = &here};
    return &uses[place];
}

/* Returns true if another thread has used it. */
static bool is_used_by_other(uint64_t name)
{
    const struct st_thread_use *use = find_use(name);
    return !use || use->thread != &here;
}

static bool is_wildcard(const struct st_message_end *end)
{
    return end->peer == ST_NUMBERING_ANY || end->tag == ST_NUMBERING_ANY;
}

/* Returns true if a receive of another thread may take the same messages. */
static bool is_unordered_receive(const struct st_message_end *end)
{
    struct st_thread_use *all = find_use(st_message_channel(end->id, -2, -2, -2));
    if (!all) {
        return true;
    }
    all->is_shared |= all->thread != &here;
    all->is_wild |= is_wildcard(end);
    return all->is_shared && all->is_wild;
}

static bool is_unordered(const struct st_message_end *end)
{
    /* -3 and -4 are no ranks. */
    const uint64_t name = end->sends ? st_message_channel(end->id, -3, end->peer, end->tag)
                                     : st_message_channel(end->id, end->peer, -4, end->tag);
    const bool is_other = is_used_by_other(name);
    return (!end->sends && is_unordered_receive(end)) || is_other;
}

static void find_threads(void)
{
    const void *other = NULL;
    if (atomic_compare_exchange_strong(&first_thread, &other, &here) || other == &here ||
        atomic_exchange(&are_several, true)) {
        return;
    }
    st_buffered_stop();
    if (st_clocks_are_on()) {
        st_clocks_blind();
    }
}

void st_message_thread_uses(const struct st_message_end *end)
{
    if (!atomic_load_explicit(&st_lock_armed, memory_order_relaxed)) {
        return;
    }
    find_threads();
    if (!is_unordered(end)) {
        return;
    }
    if (end->sends) {
        st_matched_silence(end->id);
    } else {
        st_matched_lose(end);
    }
    atomic_store(&is_lost, true);
}

void st_message_threads_tell(void)
{
    static atomic_bool is_told;
    if (__builtin_expect(!atomic_load_explicit(&is_lost, memory_order_relaxed), 1) ||
        atomic_exchange(&is_told, true)) {
        return;
    }
    st_findings_note("several threads use the same communicator, peer and tag "
                     "(MPI_THREAD_MULTIPLE): messages are not compared with their receives there");
}

bool st_message_thread_is_alone(void)
{
    return !atomic_load_explicit(&st_lock_armed, memory_order_relaxed) ||
           !atomic_load_explicit(&are_several, memory_order_acquire);
}
