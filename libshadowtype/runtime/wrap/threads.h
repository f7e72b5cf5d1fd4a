/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that each thread is in, for a debugger (core/model/registry.h, struct st_thread).
 *
 *     struct st_thread_call *shown = st_thread_call_begin(sp);
 *     if (shown) {
 *         shown->values[0] = ...;
 *         st_thread_call_through(shown, &call);
 *         st_thread_call_runs(shown, ST_FORM_SEND, st_thread_call_site(&call), pc, sp);
 *     }
 *     result = next(...);
 *     st_thread_call_returned(shown, result);
 *
 * A call costs only the stores: each thread writes to its own mapped memory. When it has ended, a
 * later thread takes that memory over.
 */
#ifndef ST_RUNTIME_WRAP_THREADS_H
#define ST_RUNTIME_WRAP_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"
#include "runtime/wrap/function.h"
#include "runtime/record/publish.h"

/* One line per function; written by the generator. */
extern const char st_forms[] __attribute__((visibility("hidden")));
extern const uint32_t st_forms_bytes __attribute__((visibility("hidden")));

/* The current thread; NULL if it has not called MPI yet. */
extern _Thread_local struct st_thread *st_thread_here
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline bool st_thread_call_is_running(const struct st_thread_call *call)
{
    return (uint32_t)call->state == ST_CALL_RUNNING;
}

/* Sets a flag of this thread's running call, such as ST_CALL_FOUND. */
static inline void st_thread_call_mark(struct st_thread_call *call, uint64_t flag)
{
    __atomic_store_n(&call->state, call->state | flag, __ATOMIC_RELAXED);
}

/* Returns calls[0] if this is the thread's outermost call, without looking anything up; else NULL.
 * Its state is still that of the previous call. */
static inline struct st_thread_call *st_thread_call_outermost(void)
{
    struct st_thread *thread = st_thread_here;
    if (__builtin_expect(!thread || st_thread_call_is_running(&thread->calls[0]), 0)) {
        return NULL;
    }
    return &thread->calls[0];
}

/* Marks the call as invalid while it is being written. */
static inline void st_thread_call_opens(struct st_thread_call *call)
{
    __atomic_store_n(&call->state, ST_CALL_NONE, __ATOMIC_RELAXED);
    st_withdrawn();
    call->user_pc = 0;
}

/* Returns true if this thread's call with the stack pointer `sp` was made in a callback: the thread is in
 * another call further out. */
static inline bool st_thread_is_called_back(const void *sp)
{
    const struct st_thread *thread = st_thread_here;
    return thread && st_thread_call_is_running(&thread->calls[0]) &&
           thread->calls[0].sp > (uint64_t)(uintptr_t)sp;
}

struct st_thread_call *st_thread_call_inner(const void *sp);

/* Returns the thread's running call whose stack pointer is `sp`; NULL if it is not recorded. */
struct st_thread_call *st_thread_call_at(const void *sp);

/* Returns the innermost call that this thread is in; NULL if it is in none, or if that call is not
 * recorded. `sp` is the thread's current stack pointer. */
struct st_thread_call *st_thread_call_innermost(const void *sp);

/* Returns the entry for a call that returns with the stack pointer `sp`, in state NONE; NULL if
 * there is no memory, or if too many calls are nested. */
static inline struct st_thread_call *st_thread_call_begin(const void *sp)
{
    struct st_thread_call *call = st_thread_call_outermost();
    if (__builtin_expect(!call || st_detours_now() & ST_DETOUR_THREADS, 0)) {
        return st_thread_call_inner(sp);
    }
    st_thread_call_opens(call);
    return call;
}

/* Notes between threads (check/level.h). Writes `note` to each other thread that is in a call of
 * MPI. This thread's own call must be RUNNING already: so if two threads begin a call at the same
 * time, at least one sees the other. */
void st_threads_leave_note(uint64_t note);
/* Returns true if another thread is in a call of MPI, or has left one by longjmp(); stores that
 * call. */
bool st_threads_other(struct st_thread_call *call);
/* Returns the last note that another thread wrote while this thread's call ran, and clears it; 0 if
 * there is none. Earlier notes are discarded when the call begins. */
uint64_t st_thread_take_note(void);

/* The call of another thread. The thread may have left it by longjmp(). */
struct st_thread_sight {
    uint32_t number; /* struct st_thread.number */
    uint32_t left;   /* calls that the thread had left by longjmp() by then */
    uint64_t id;     /* struct st_thread.id */
    uint64_t value;  /* the argument that st_thread_see_value() has read */
    uint64_t pc;
    const char *line; /* of the called function in st_forms */
    uint32_t site;    /* as in struct st_thread_call */
};
/* Stores the outermost call that thread `number` is in. Returns false if it is in none. */
bool st_thread_see(uint32_t number, struct st_thread_sight *sight);
/* Stores argument `parameter` of that call in sight->value. Returns false if the thread is in
 * another call by now. */
bool st_thread_see_value(struct st_thread_sight *sight, int parameter);

enum st_sight_end { ST_SIGHT_RUNS, ST_SIGHT_RETURNED, ST_SIGHT_LEFT };
/* Returns what has become of the call. RUNS: this call, or another one of that thread, is running. */
enum st_sight_end st_thread_sight_end(const struct st_thread_sight *sight);

/* A call that began before threads were watched, and has returned with a note. */
struct st_noted_call {
    uint64_t note; /* 0: there is no such call */
    uint64_t pc;
    uint32_t form; /* offset of its line in root.forms */
};
/* Returns that of this thread, and clears it. */
struct st_noted_call st_thread_take_noted(void);

uint32_t st_thread_call_told(void);

/* Returns the line of Python that made the call; ST_NO_SITE if mpi4py did not make it, or if
 * finding it would have to wait for other threads of the interpreter. */
static inline uint32_t st_thread_call_site(const struct st_call *call)
{
    return __builtin_expect(call->caller == ST_CALLER_PYTHON, 0) ? st_thread_call_told()
                                                                 : ST_NO_SITE;
}

/* Stores the program's frame if a binding makes the call. To be called before the call runs. */
static inline void st_thread_call_through(struct st_thread_call *shown, const struct st_call *call)
{
    if (__builtin_expect(call->caller == ST_CALLER_BINDING, 0)) {
        const struct st_user_frame user = st_user_frame_of(call->pc, call->sp);
        shown->user_pc = user.pc;
        shown->user_sp = user.sp;
    }
}

/* Publishes the call; its values must be written. Other threads read only the form, the address and
 * the state (st_threads_other()). */
static inline void st_thread_call_runs(struct st_thread_call *call, uint32_t form, uint32_t site,
                                       const void *pc, const void *sp)
{
    __atomic_store_n(&call->form, form, __ATOMIC_RELAXED);
    call->site = site;
    __atomic_store_n(&call->pc, (uint64_t)(uintptr_t)pc, __ATOMIC_RELAXED);
    call->sp = (uint64_t)(uintptr_t)sp;
    st_publish64(&call->state, ST_CALL_RUNNING);
}

static inline void st_thread_call_returned(struct st_thread_call *call, int32_t result)
{
    st_publish64(&call->state, (uint64_t)(uint32_t)result << 32 | ST_CALL_RETURNED);
}

#endif
