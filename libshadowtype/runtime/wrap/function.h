/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The real functions that the wrappers call.
 *
 * They are looked up at run time, not linked: the library is loaded into programs that may open MPI
 * late (Python), or never.
 */
#ifndef ST_RUNTIME_WRAP_FUNCTION_H
#define ST_RUNTIME_WRAP_FUNCTION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/wrap/caller.h"

/* The name by which a function was called. */
enum st_entry { ST_ENTRY_MPI, ST_ENTRY_PMPI, ST_ENTRY_FORTRAN, ST_ENTRIES };

/* Which calls of a function are checked. */
enum st_checks {
    ST_CHECKS_OFF,   /* none */
    ST_CHECKS_QUICK, /* those in which something may be wrong (check/quick.h) */
    ST_CHECKS_ALL    /* all: a group of checks must see them (check/check_groups.h) */
};

/* One per wrapped function, filled at its first call. */
struct st_function {
    const char *name;                 /* "PMPI_..."; the public name begins one character later */
    _Atomic(void *) next[ST_ENTRIES]; /* FORTRAN: fortran.h */
    atomic_bool foreign;              /* the next MPI_... belongs to another PMPI tool */
    _Atomic uint8_t checks;           /* enum st_checks */
};

/* One call of a wrapper. */
struct st_call {
    const void *pc;
    const void *sp; /* the caller's stack pointer after the call */
    enum st_caller caller;
    bool record; /* it is the user's call, and no other wrapper records it */
    bool tools;
    const void *forwarded; /* the value of `forwarding` before the call */
};

/* Finds `name` in the MPI library itself, wherever and however it is loaded; NULL if it is not
 * there. */
void *st_mpi_function(const char *name);

/* Finds a function in the libraries after this one, or in any other that is loaded; NULL if it is not
 * there. */
void *st_function_anywhere(const char *name);

/* Does the same, but looks it up only once and keeps it in *slot. NULL for a function that this MPI
 * lacks. */
static inline void *st_mpi_function_once(_Atomic(void *) *slot, const char *name)
{
    void *found = atomic_load_explicit(slot, memory_order_acquire);
    if (!found) {
        found = st_mpi_function(name);
        atomic_store_explicit(slot, found, memory_order_release);
    }
    return found;
}

/* Returns true if an MPI library was loaded with the program. Cheap. */
bool st_mpi_is_linked(void);

/* Returns true if the MPI library is not the one that this library was built for. This library then
 * stands aside (aside.h), and st_mpi_function() finds nothing. */
bool st_mpi_is_other(void);

void *st_function_resolve(struct st_function *function, enum st_entry entry);

/* Reports on stderr that there is no such function. The caller must return MPI_ERR_OTHER. */
void st_function_missing(const struct st_function *function, enum st_entry entry);

/* Why calls may not go straight to MPI (check/quick.h); 0: they may. */
enum st_detour {
    /* Another PMPI tool is between this library and MPI. Its MPI_X calls PMPI_X, which is our
     * wrapper again; the inner wrapper must not record what the outer one records. */
    ST_DETOUR_TOOLS = 1,
    ST_DETOUR_OUTSIDE = 2, /* MPI is not initialized yet, or is finalized (check/outside.h) */
    ST_DETOUR_THREADS =
        4, /* several threads call MPI, and its thread level does not allow that (check/level.h) */
    ST_DETOUR_SYNCHRONOUS = 8 /* sends wait for their receives (check/synchronous.h) */
};
extern _Atomic uint32_t st_detours __attribute__((visibility("hidden")));

static inline uint32_t st_detours_now(void)
{
    return atomic_load_explicit(&st_detours, memory_order_relaxed);
}

void st_tools_begin(struct st_call *call, const struct st_function *function, enum st_entry entry);
void st_tools_end(const struct st_call *call);

/* Opens a call that returns to `pc` with the stack pointer `sp`. Returns the function to call; NULL
 * if there is none, which has been reported. Every opened call must be closed. */
static inline void *st_call_begin(struct st_call *call, struct st_function *function,
                                  enum st_entry entry, const void *pc, const void *sp)
{
    void *next = atomic_load_explicit(&function->next[entry], memory_order_acquire);
    if (__builtin_expect(!next, 0)) {
        next = st_function_resolve(function, entry);
        if (!next) {
            st_function_missing(function, entry);
            return NULL;
        }
    }
    call->pc = pc;
    call->sp = sp;
    call->caller = st_caller_of(pc);
    call->record = call->caller != ST_CALLER_MPI;
    call->tools = st_detours_now() & ST_DETOUR_TOOLS;
    if (__builtin_expect(call->tools, 0)) {
        st_tools_begin(call, function, entry);
    }
    return next;
}

static inline void st_call_end(const struct st_call *call)
{
    if (__builtin_expect(call->tools, 0)) {
        st_tools_end(call);
    }
}

#endif
