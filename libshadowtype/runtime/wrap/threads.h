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
 * A call costs the stores and nothing else: what a thread writes is its own, in mapped memory that a
 * later thread takes over when it has ended.
 */
#ifndef ST_RUNTIME_WRAP_THREADS_H
#define ST_RUNTIME_WRAP_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/registry.h"
#include "runtime/wrap/function.h"
#include "runtime/record/publish.h"

/* A line for each function; written by the generator. */
extern const char st_forms[] __attribute__((visibility("hidden")));
extern const uint32_t st_forms_bytes __attribute__((visibility("hidden")));

/* This thread's; NULL: it has not called MPI yet. */
extern _Thread_local struct st_thread *st_thread_here
    __attribute__((visibility("hidden"), tls_model("initial-exec")));

static inline bool st_thread_call_is_running(const struct st_thread_call *call)
{
    return (uint32_t)call->state == ST_CALL_RUNNING;
}

/* Sets a flag of this thread's running call: ST_CALL_FOUND and its like. */
static inline void st_thread_call_mark(struct st_thread_call *call, uint64_t flag)
{
    __atomic_store_n(&call->state, call->state | flag, __ATOMIC_RELAXED);
}

/* Where it is known to be the thread's outermost call, and nothing has to be looked up; NULL: it is
 * not. Its state is still that of the call before. */
static inline struct st_thread_call *st_thread_call_outermost(void)
{
    struct st_thread *thread = st_thread_here;
    if (__builtin_expect(!thread || st_thread_call_is_running(&thread->calls[0]), 0))
        return NULL;
    return &thread->calls[0];
}

/* What is written to the call from here on counts once it runs. */
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

/* The thread's running call whose stack pointer is `sp`. Returns NULL if it is not recorded. */
struct st_thread_call *st_thread_call_at(const void *sp);

/* The innermost call that this thread is in. `sp`: where the thread's stack is now. Returns NULL if it is
 * in none, or that call is not recorded. */
struct st_thread_call *st_thread_call_innermost(const void *sp);

/* The place for a call that returns with the stack pointer `sp`, in state NONE; NULL: there is no memory,
 * or there are too many calls in each other. */
static inline struct st_thread_call *st_thread_call_begin(const void *sp)
{
    struct st_thread_call *call = st_thread_call_outermost();
    if (__builtin_expect(!call || st_detours_now() & ST_DETOUR_THREADS, 0))
        return st_thread_call_inner(sp);
    st_thread_call_opens(call);
    return call;
}

/* Notes of threads to one another (check/level.h). Leaves `note` with each other thread that is in a call
 * of MPI. This thread's own call runs already: of two threads that begin a call at the same time, one
 * sees the other. */
void st_threads_leave_note(uint64_t note);
/* True if another thread is in a call of MPI, or was left by longjmp(): its call. */
bool st_threads_other(struct st_thread_call *call);
/* The last note that others left with this thread while its call ran, once; 0: none. What they left
 * before is forgotten when the call begins. */
uint64_t st_thread_take_note(void);

/* Another thread in a call of MPI. The call may have been left by longjmp(). */
struct st_thread_sight {
    uint32_t number; /* struct st_thread.number */
    uint32_t left;   /* calls that the thread had left by longjmp() */
    uint64_t id;     /* struct st_thread.id */
    uint64_t value;  /* the argument that was asked for */
    uint64_t pc;
    const char *line; /* of the called function in st_forms */
    uint32_t site;    /* as in struct st_thread_call */
};
/* The outermost call that thread `number` is in. Returns false if it is in none. */
bool st_thread_see(uint32_t number, struct st_thread_sight *sight);
/* Argument `parameter` of it, to sight->value. Returns false if it is another call by now. */
bool st_thread_see_value(struct st_thread_sight *sight, int parameter);

enum st_sight_end { ST_SIGHT_RUNS, ST_SIGHT_RETURNED, ST_SIGHT_LEFT };
/* What became of the call. RUNS: it runs, or another call of that thread does. */
enum st_sight_end st_thread_sight_end(const struct st_thread_sight *sight);

/* A call that began before anybody looked at threads, and that has returned since with a note. */
struct st_noted_call {
    uint64_t note; /* 0: there is none */
    uint64_t pc;
    uint32_t form; /* where its line begins in root.forms */
};
/* That of this thread, once. */
struct st_noted_call st_thread_take_noted(void);

uint32_t st_thread_call_told(void);

/* What the interpreter says of where a call is made: ST_NO_SITE where it is none of mpi4py's, or where
 * other threads of the interpreter's would have to be waited for. */
static inline uint32_t st_thread_call_site(const struct st_call *call)
{
    return __builtin_expect(call->caller == ST_CALLER_PYTHON, 0) ? st_thread_call_told()
                                                                 : ST_NO_SITE;
}

/* Before the call runs: the program's frame, where a binding makes the call. */
static inline void st_thread_call_through(struct st_thread_call *shown, const struct st_call *call)
{
    if (__builtin_expect(call->caller == ST_CALLER_BINDING, 0)) {
        const struct st_user_frame user = st_user_frame_of(call->pc, call->sp);
        shown->user_pc = user.pc;
        shown->user_sp = user.sp;
    }
}

/* The values are written. Other threads read the form, the address and the state: st_threads_other(). */
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
