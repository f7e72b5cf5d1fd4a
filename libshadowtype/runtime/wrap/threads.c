/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/threads.h"

#include <pthread.h>
#include <unistd.h>

#include "runtime/wrap/events.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/python.h"
#include "runtime/record/root.h"
#include "runtime/record/sites.h"

/* The number of threads that are mapped at a time. */
enum { THREADS_AT_ONCE = 24 };

_Thread_local struct st_thread *st_thread_here;

/* A thread, and the data about it that a debugger does not read. */
struct st_own_thread {
    struct st_thread published;
    uint64_t note;
    uint32_t left;     /* outermost calls that it left by longjmp(), or by its end */
    bool is_looked_at; /* one of its calls has begun since threads are watched */
    struct st_noted_call noted;
};

static _Atomic uint32_t arrived; /* threads so far, ended ones included */

static pthread_key_t key; /* its value in a thread is the thread's place */
static bool has_key;

static struct st_thread *newest(void)
{
    return st_pointer(__atomic_load_n(&st_root.threads, __ATOMIC_ACQUIRE));
}

static struct st_thread *thread_after(const struct st_thread *thread)
{
    return st_pointer(thread->next);
}

static struct st_own_thread *own_of(struct st_thread *thread)
{
    return (struct st_own_thread *)thread;
}

/* The outermost call has not returned, and never will. */
static void leave_call(struct st_thread *thread)
{
    __atomic_fetch_add(&own_of(thread)->left, 1, __ATOMIC_SEQ_CST);
}

static void give_thread(struct st_thread *thread)
{
    if (st_thread_call_is_running(&thread->calls[0])) {
        leave_call(thread);
    }
    for (int i = 0; i < ST_THREAD_CALLS; i++) {
        __atomic_store_n(&thread->calls[i].state, ST_CALL_NONE, __ATOMIC_RELAXED);
    }
    st_publish64(&thread->id, 0);
}

static void thread_ends(void *thread)
{
    st_thread_here = NULL;
    give_thread(thread);
}

/* After fork() the child has only the thread that called it, under a new number. */
static void in_child(void)
{
    for (struct st_thread *thread = newest(); thread; thread = thread_after(thread)) {
        if (thread != st_thread_here) {
            give_thread(thread);
        }
    }
    if (st_thread_here) {
        st_publish64(&st_thread_here->id, (uint64_t)gettid());
    }
}

static void add_thread(struct st_thread *thread)
{
    uint64_t next = __atomic_load_n(&st_root.threads, __ATOMIC_ACQUIRE);
    thread->magic = ST_THREAD_MAGIC;
    do {
        const struct st_thread *before = st_pointer(next);
        thread->next = next;
        thread->number = before ? before->number + 1 : 1;
    } while (!__atomic_compare_exchange_n(&st_root.threads, &next, st_address(thread), false,
                                          __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
}

static bool take_thread(struct st_thread *thread, uint64_t id)
{
    uint64_t nobody = 0;
    return __atomic_compare_exchange_n(&thread->id, &nobody, id, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}

static struct st_thread *map_more(uint64_t id)
{
    bool locked = st_lock();
    struct st_own_thread *more = st_map(THREADS_AT_ONCE * sizeof *more);
    st_unlock(locked);
    if (!more) {
        return NULL;
    }
    more[0].published.id = id;
    for (int i = THREADS_AT_ONCE - 1; i >= 0; i--) {
        add_thread(&more[i].published);
    }
    return &more[0].published;
}

static struct st_thread *find_place(void)
{
    uint64_t id = (uint64_t)gettid();
    for (struct st_thread *thread = newest(); thread; thread = thread_after(thread)) {
        if (take_thread(thread, id)) {
            return thread;
        }
    }
    return map_more(id);
}

/* Counts a thread, whatever the thread level is: MPI allows some functions in several threads at
 * any level, such as MPI_Info_create. */
static void count_thread(void)
{
    uint32_t count = atomic_fetch_add(&arrived, 1) + 1;
    if (count > 1) {
        st_lock_arm();
    }
    st_event_thread(count);
}

/* Without a key the place of an ended thread could not be reused: then there is no place. */
static struct st_thread *register_thread(void)
{
    if (!has_key) {
        return NULL;
    }
    struct st_thread *thread = find_place();
    if (!thread) {
        return NULL;
    }
    if (pthread_setspecific(key, thread) != 0) {
        give_thread(thread);
        return NULL;
    }
    st_thread_here = thread;
    count_thread();
    return thread;
}

/* --- notes --------------------------------------------------------------------------------- */

static uint64_t *note_of(struct st_thread *thread)
{
    return &own_of(thread)->note;
}

/* Takes the note. Reads before it exchanges, because hardly any call has a note, and the exchange
 * is expensive. */
static uint64_t take_note(struct st_thread *thread)
{
    return __atomic_load_n(note_of(thread), __ATOMIC_RELAXED)
               ? __atomic_exchange_n(note_of(thread), 0, __ATOMIC_ACQ_REL)
               : 0;
}

static bool is_in_call(const struct st_thread *thread)
{
    return thread != st_thread_here && __atomic_load_n(&thread->id, __ATOMIC_RELAXED) &&
           (uint32_t)__atomic_load_n(&thread->calls[0].state, __ATOMIC_ACQUIRE) == ST_CALL_RUNNING;
}

/* The last thread that asked whether it is alone; no other has been in a call since. NULL: several
 * were, or none has asked yet. */
static _Atomic(struct st_thread *) alone;

/* Returns false if the thread is in no call; else copies form and pc of the call. */
static bool copy_call(const struct st_thread *thread, struct st_thread_call *call)
{
    if (!is_in_call(thread)) {
        return false;
    }
    call->form = __atomic_load_n(&thread->calls[0].form, __ATOMIC_ACQUIRE);
    call->pc = __atomic_load_n(&thread->calls[0].pc, __ATOMIC_ACQUIRE);
    return is_in_call(thread);
}

static bool copy_any_call(struct st_thread_call *call)
{
    for (struct st_thread *thread = newest(); thread; thread = thread_after(thread)) {
        if (copy_call(thread, call)) {
            return true;
        }
    }
    return false;
}

bool st_threads_other(struct st_thread_call *call)
{
    struct st_thread *here = st_thread_here;
    atomic_thread_fence(memory_order_seq_cst);
    if (here && atomic_load_explicit(&alone, memory_order_relaxed) == here) {
        return false;
    }
    struct st_thread *before = atomic_exchange(&alone, here);
    bool is_found = before ? copy_call(before, call) : copy_any_call(call);
    if (is_found) {
        atomic_store(&alone, NULL);
    }
    return is_found;
}

void st_threads_leave_note(uint64_t note)
{
    atomic_thread_fence(memory_order_seq_cst);
    for (struct st_thread *thread = newest(); thread; thread = thread_after(thread)) {
        if (is_in_call(thread)) {
            __atomic_store_n(note_of(thread), note, __ATOMIC_RELEASE);
        }
    }
}

uint64_t st_thread_take_note(void)
{
    return st_thread_here ? take_note(st_thread_here) : 0;
}

struct st_noted_call st_thread_take_noted(void)
{
    struct st_noted_call noted = {0};
    if (st_thread_here) {
        noted = own_of(st_thread_here)->noted;
        own_of(st_thread_here)->noted = (struct st_noted_call){0};
    }
    return noted;
}

/* Prepares for a new call of this thread. Its first call under ST_DETOUR_THREADS keeps the note of
 * the call before, because that call went straight to MPI, and nothing saw its end. */
static void forget_note(struct st_thread *thread)
{
    struct st_own_thread *own = own_of(thread);
    const struct st_thread_call *last = &thread->calls[0];
    uint64_t note = take_note(thread);
    if (!own->is_looked_at && note && (uint32_t)last->state == ST_CALL_RETURNED) {
        own->noted = (struct st_noted_call){.note = note, .pc = last->pc, .form = last->form};
    }
    own->is_looked_at = true;
}

/* --- another thread's call ----------------------------------------------------------------- */

static struct st_thread *numbered_thread(uint32_t number)
{
    struct st_thread *thread = newest();
    while (thread && thread->number != number) {
        thread = thread_after(thread);
    }
    return thread;
}

static uint32_t state_of(const struct st_thread *thread)
{
    return (uint32_t)__atomic_load_n(&thread->calls[0].state, __ATOMIC_ACQUIRE);
}

bool st_thread_see(uint32_t number, struct st_thread_sight *sight)
{
    struct st_thread *thread = numbered_thread(number);
    if (!thread) {
        return false;
    }
    const struct st_thread_call *call = &thread->calls[0];
    const uint32_t left = __atomic_load_n(&own_of(thread)->left, __ATOMIC_SEQ_CST);
    const uint64_t id = __atomic_load_n(&thread->id, __ATOMIC_ACQUIRE);
    if (!id || state_of(thread) != ST_CALL_RUNNING) {
        return false;
    }
    const uint32_t form = __atomic_load_n(&call->form, __ATOMIC_ACQUIRE);
    *sight = (struct st_thread_sight){.number = number,
                                      .left = left,
                                      .id = id,
                                      .pc = __atomic_load_n(&call->pc, __ATOMIC_ACQUIRE),
                                      .line = st_forms + form,
                                      .site = __atomic_load_n(&call->site, __ATOMIC_ACQUIRE)};
    return form < st_forms_bytes;
}

bool st_thread_see_value(struct st_thread_sight *sight, int parameter)
{
    const struct st_thread *thread = numbered_thread(sight->number);
    const struct st_thread_call *call = &thread->calls[0];
    sight->value = __atomic_load_n(&call->values[parameter], __ATOMIC_ACQUIRE);
    return state_of(thread) == ST_CALL_RUNNING &&
           st_forms + __atomic_load_n(&call->form, __ATOMIC_ACQUIRE) == sight->line &&
           __atomic_load_n(&call->pc, __ATOMIC_ACQUIRE) == sight->pc;
}

enum st_sight_end st_thread_sight_end(const struct st_thread_sight *sight)
{
    struct st_thread *thread = numbered_thread(sight->number);
    const uint32_t state = state_of(thread);
    /* A thread that ends counts its calls in `left` before it gives its place away. */
    const bool is_there = __atomic_load_n(&thread->id, __ATOMIC_ACQUIRE) == sight->id;
    if (__atomic_load_n(&own_of(thread)->left, __ATOMIC_SEQ_CST) != sight->left) {
        return ST_SIGHT_LEFT;
    }
    return is_there && state != ST_CALL_RETURNED ? ST_SIGHT_RUNS : ST_SIGHT_RETURNED;
}

/* --- calls --------------------------------------------------------------------------------- */

struct st_thread_call *st_thread_call_inner(const void *sp)
{
    struct st_thread *thread = st_thread_here;
    if (!thread && !(thread = register_thread())) {
        return NULL;
    }
    if (st_detours_now() & ST_DETOUR_THREADS) {
        forget_note(thread);
    }
    for (int i = 0; i < ST_THREAD_CALLS; i++) {
        struct st_thread_call *call = &thread->calls[i];
        /* A running call that is not further out on the stack was left by longjmp(). */
        if (st_thread_call_is_running(call) && call->sp > st_address(sp)) {
            continue;
        }
        if (i == 0 && st_thread_call_is_running(call)) {
            leave_call(thread);
        }
        for (int inner = i + 1; inner < ST_THREAD_CALLS; inner++) {
            if (st_thread_call_is_running(&thread->calls[inner])) {
                thread->calls[inner].state = ST_CALL_NONE;
            }
        }
        st_thread_call_opens(call);
        return call;
    }
    return NULL;
}

struct st_thread_call *st_thread_call_at(const void *sp)
{
    struct st_thread *thread = st_thread_here;
    for (int i = 0; thread && i < ST_THREAD_CALLS; i++) {
        if (st_thread_call_is_running(&thread->calls[i]) && thread->calls[i].sp == st_address(sp)) {
            return &thread->calls[i];
        }
    }
    return NULL;
}

struct st_thread_call *st_thread_call_innermost(const void *sp)
{
    struct st_thread *thread = st_thread_here;
    for (int i = ST_THREAD_CALLS - 1; thread && i >= 0; i--) {
        if (st_thread_call_is_running(&thread->calls[i]) && thread->calls[i].sp > st_address(sp)) {
            return &thread->calls[i];
        }
    }
    return NULL;
}

uint32_t st_thread_call_told(void)
{
    struct st_site site = {0};
    int state;
    bool entered = st_python_enter_alone(&state);
    unsigned count = st_python_frames(site.frames, st_root.site_frames);
    if (entered) {
        st_python_leave(state);
    }
    if (!count) {
        return ST_NO_SITE;
    }
    bool locked = st_lock();
    uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    return number;
}

__attribute__((constructor)) static void loaded(void)
{
    has_key = pthread_key_create(&key, thread_ends) == 0;
    pthread_atfork(NULL, NULL, in_child);
    st_root.forms = st_address(st_forms);
    st_root.forms_bytes = st_forms_bytes;
}
