/*
 * The checker: what the program tells MPI, held against the standard, before MPI acts on it.
 *
 * Where nothing can be wrong (quick.h), MPI is called at once. Else a generated wrapper asks
 * st_check_wanted(), hands its arguments to st_check_before(), and what came of the call to
 * st_check_after(). Nothing here changes the call, its result or errno; where memory ends, a check is
 * left out. Only the user's own calls are checked (caller.h).
 */
#ifndef ST_RUNTIME_CHECK_CHECK_H
#define ST_RUNTIME_CHECK_CHECK_H

#include <stdatomic.h>

#include "runtime/report/finding.h"
#include "runtime/wrap/facts.h"
#include "runtime/objects/records.h"
#include "runtime/wrap/uses.h"

/* A handle as a number. */
#ifdef OPEN_MPI
#define ST_VALUE(handle) ((uint64_t)(uintptr_t)(handle))
#else
#define ST_VALUE(handle)                                                                           \
    (sizeof(handle) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(handle) : (uint64_t)(uintptr_t)(handle))
#endif

/* MPI is running, and MPIPP_CHECK is not none. */
extern atomic_bool st_check_on __attribute__((visibility("hidden")));

/* Few, since it lies on the stack of the calling thread, which may be small. */
enum { ST_CHECKED_ROOM = 24 };

/* What is known before a call and needed after it. */
struct st_checked_request {
    struct st_record_name record;
    uint64_t handle;
    bool shared; /* it is gone, and others had its handle */
};

struct st_checked {
    struct st_facts facts;
    struct st_checked_request inside[ST_CHECKED_ROOM];
    struct st_checked_request *requests; /* by member of the array: what the call may complete */
    int64_t request_count;
    uint64_t last_serial;        /* of the records that there were before the call */
    size_t mapped;               /* bytes, where `requests` is not `inside` */
    struct st_record_name taken; /* the record of a handle that is given back */
    uint64_t taken_handle;
    struct st_uses uses;           /* what memory the call uses */
    struct st_record_name running; /* of this call, while it runs; where there are threads */
    uint64_t ended;                /* the window or file whose operations end with it */
    /* Of st_check_sound(), where nobody else calls MPI: its only buffer, which stands for `uses`. */
    struct st_buffer bytes;
    uint32_t node;
    bool alone;
    bool changes_epochs; /* what st_check_epochs() said */
    /* What MPI fills in place of the program's statuses (wrap/statuses.h); NULL: those. */
    void *statuses;
    /* As messages.h has them: the receive that the call has posted, the message that it receives. */
    uint32_t receive;
    uint64_t message;
    /* Of onesided.c: what was left of the call, its window, and the collective call that it is. */
    uint64_t access, window_id, entered_serial, own_access;
    const struct st_comm *entered;
    uint32_t entered_number;
    bool was_exclusive; /* the lock that the call gives back */
};

/* Off by a few, where threads call at the same time. */
static inline void st_check_count(void)
{
    uint64_t calls = atomic_load_explicit(&st_check_calls, memory_order_relaxed);
    atomic_store_explicit(&st_check_calls, calls + 1, memory_order_relaxed);
}

/* What is to be done with a call (enum st_checks), which is counted if it is checked. */
static inline uint8_t st_check_wanted(const struct st_call *call,
                                      const struct st_function *function)
{
    if (!call->record)
        return ST_CHECKS_OFF;
    uint8_t checks = atomic_load_explicit(&function->checks, memory_order_acquire);
    if (checks != ST_CHECKS_OFF)
        st_check_count();
    return checks;
}

void st_check_before(struct st_checked *checked, const struct st_form *form,
                     const struct st_call *call, const uint64_t *values);
void st_check_after(struct st_checked *checked, bool succeeded);
/* After st_check_sound(): the new request, and the variable that it is in. */
void st_check_sound_after(struct st_checked *checked, bool succeeded, uint64_t variable,
                          uint64_t handle);

/* Instead of st_check_before() where a call will give a request and its arguments are sound
 * (quick.h): only its buffer is looked at. sound.c */
void st_check_sound(struct st_checked *checked, const struct st_form *form,
                    const struct st_call *call, const uint64_t *values);

/* The program has made an error handler, which may leave a call of any thread by longjmp(): from now on a
 * RUNNING record is no proof that the call still runs. */
void st_buffers_may_be_left(void);

/* MPI was initialized; `world`: there is an MPI_COMM_WORLD. */
void st_check_begins(bool world);
/* MPI_Finalize has returned. True if calls were checked until then. */
bool st_check_ended(void);
/* MPI_Finalize has returned, and info objects or error handlers are alive that may still be freed. */
extern atomic_bool st_check_late __attribute__((visibility("hidden")));
/* The program is about to free one of those. */
void st_check_frees_late(enum st_kind kind, uint64_t handle);

#endif
