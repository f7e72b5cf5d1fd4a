/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The checker: compares the calls of the program with the standard, before MPI carries them out.
 *
 * If nothing can be wrong (quick.h), the wrapper calls MPI at once. If not, it calls
 * st_check_wanted(), passes its arguments to st_check_before(), and the result of the call to
 * st_check_after(). Nothing here changes the call, its result or errno. If there is no memory, a
 * check is left out. Only the user's own calls are checked (caller.h).
 */
#ifndef ST_RUNTIME_CHECK_CHECK_H
#define ST_RUNTIME_CHECK_CHECK_H

#include <stdatomic.h>

#include "core/agree/behind.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/facts.h"
#include "runtime/objects/records.h"
#include "runtime/wrap/uses.h"

/* Converts a handle to a number. */
#ifdef OPEN_MPI
#define ST_VALUE(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define ST_VALUE(handle)                                                                           \
    (sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))
#endif

/* MPI is running, and MPIPP_CHECK is not none. */
extern atomic_bool st_check_on __attribute__((visibility("hidden")));

/* Few, because it is on the stack of the calling thread, which may be small. */
enum { ST_CHECKED_ROOM = 24 };

/* What is found out before a call and needed after it. */
struct st_checked_request {
    struct st_record_name record;
    uint64_t handle;
    bool shared; /* it is gone, and others shared its handle */
};

struct st_checked {
    struct st_facts facts;
    struct st_checked_request inside[ST_CHECKED_ROOM];
    struct st_checked_request *requests; /* by member of the array: the requests that the call
                                            may complete */
    int64_t request_count;
    uint64_t last_serial;        /* of the newest record before the call */
    size_t mapped;               /* bytes mapped for `requests`, unless it is `inside` */
    struct st_record_name taken; /* the record of a handle that is given back */
    uint64_t taken_handle;
    struct st_uses uses;           /* the memory that the call uses */
    struct st_record_name running; /* of this call, while it runs; only with several threads */
    uint64_t ended;                /* the window or file whose operations end with it */
    /* Set by st_quick_buffer_put(), if no other thread calls MPI: the call's own buffer, instead of
     * `uses`. */
    struct st_buffer bytes;
    struct st_record_buffer published; /* the same buffer, as it is recorded */
    uint32_t node;
    bool alone;
    bool changes_epochs; /* the result of st_check_epochs() */
    /* Statuses that MPI fills instead of the program's (wrap/statuses.h); NULL: the program's. */
    void *statuses;
    /* For messages.h: the receive that the call has posted; the handle of MPI_Mprobe's message that
     * it receives, and what is known of that message (NULL: nothing). */
    uint32_t receive;
    uint64_t message;
    struct st_probed *probed;
    struct st_sent_name sent; /* the message that it sends; number 0: none */
    bool repeats;             /* what a request repeats is kept (repeated_messages.h) */
    /* For onesided.c: the records of the call's accesses, its window, and the collective call that
     * it is. */
    uint64_t access, window_id, entered_serial, own_access;
    struct st_win_memory *window; /* on the quick path only */
    const struct st_comm *entered;
    uint32_t entered_number;
    bool was_exclusive; /* the lock that the call releases */
};

/* Inexact by a few, if threads call at the same time. */
static inline void st_check_count(void)
{
    uint64_t calls = atomic_load_explicit(&st_check_calls, memory_order_relaxed);
    atomic_store_explicit(&st_check_calls, calls + 1, memory_order_relaxed);
}

/* Returns how to handle a call (enum st_checks), and counts it if it is checked. */
static inline uint8_t st_check_wanted(const struct st_call *call,
                                      const struct st_function *function)
{
    if (!call->record) {
        return ST_CHECKS_OFF;
    }
    uint8_t checks = atomic_load_explicit(&function->checks, memory_order_acquire);
    if (checks != ST_CHECKS_OFF) {
        st_check_count();
    }
    return checks;
}

/* MPI_Init or MPI_Init_thread is about to be called: reports it if it was called before. A program that
 * only has sessions may call it. */
void st_check_init_again(const struct st_call *call, const struct st_form *form,
                         const uint64_t *values);

void st_check_before(struct st_checked *checked, const struct st_form *form,
                     const struct st_call *call, const uint64_t *values);
void st_check_after(struct st_checked *checked, bool succeeded);
/* To be called after st_quick_request_before(): the new request, and the variable that contains it. */
void st_quick_request_after(struct st_checked *checked, bool succeeded, uint64_t variable,
                            uint64_t handle);

/* Replaces st_check_before() for a call that makes a request and whose arguments are right
 * (quick.h): only its buffer is checked. quick_request.c */
void st_quick_request_before(struct st_checked *checked, const struct st_form *form,
                             const struct st_call *call, const uint64_t *values);

/* Replaces st_check_before() for MPI_Put and similar calls with which nothing can be wrong. Returns
 * false if the full check is needed. After the call: st_quick_access_after(). quick_access.c */
bool st_quick_access_before(struct st_checked *checked, const struct st_form *form,
                            const struct st_call *call, const uint64_t *values);
void st_quick_access_after(struct st_checked *checked, bool succeeded);

/* Replaces st_check_before() for a call of MPI_Wait, MPI_Test and the like, whose other arguments are
 * right. Parameter `number` are the requests. Returns false if the full check is needed; else
 * st_request_completing() follows when the call is shown, and st_check_after() if the call has failed
 * or may have completed a request. If the call names no request, request_count is 0.
 * quick_completion.c */
bool st_quick_completion_before(struct st_checked *checked, const struct st_form *form,
                                const struct st_call *call, const uint64_t *values, int number);

/* The program has made an error handler, which may leave a call of any thread by longjmp(): from
 * now on a RUNNING record does not prove that the call still runs. */
void st_buffers_may_be_left(void);

/* MPI was initialized; `world`: there is an MPI_COMM_WORLD. */
void st_check_begins(bool world);
/* MPI_Finalize has returned. Returns true if calls were checked until then. */
bool st_check_ended(void);
/* True after MPI_Finalize if info objects or error handlers are alive, which may still be freed. */
extern atomic_bool st_check_late __attribute__((visibility("hidden")));
/* The program is about to free one of these. */
void st_check_frees_late(enum st_kind kind, uint64_t handle);

#endif
