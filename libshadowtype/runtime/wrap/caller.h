/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whose call it is: by the object that contains the return address, and by nothing else.
 *
 * A depth counter would not do: MPI itself calls public names at any depth (ROMIO makes types that
 * way), and so does the user (attribute callbacks run inside MPI_Type_free).
 *
 * The ranges of an object are kept after it is unloaded. There is one case in which this is wrong:
 * an MPI component that is loaded at the place of an unloaded library of the program would count as
 * the program.
 */
#ifndef ST_RUNTIME_WRAP_CALLER_H
#define ST_RUNTIME_WRAP_CALLER_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/record/record.h"
#include "runtime/record/root.h"

enum st_caller {
    ST_CALLER_USER,
    ST_CALLER_BINDING, /* Fortran or C++ bindings: the user's frame is one further out */
    ST_CALLER_PYTHON,  /* mpi4py: only the interpreter knows the user's frame */
    ST_CALLER_MPI,
};

struct st_range {
    uintptr_t low;
    uintptr_t bytes;
    enum st_caller caller;
};

/* The ranges that the last call of the user, and the last call of a binding, came from. */
extern _Atomic(const struct st_range *) st_hot_range __attribute__((visibility("hidden")));
extern _Atomic(const struct st_range *) st_hot_binding __attribute__((visibility("hidden")));

enum st_caller st_caller_slow(uintptr_t pc);

static inline enum st_caller st_caller_of(const void *pc)
{
    const struct st_range *hot = atomic_load_explicit(&st_hot_range, memory_order_acquire);
    if (__builtin_expect(hot && (uintptr_t)pc - hot->low < hot->bytes, 1)) {
        return ST_CALLER_USER;
    }
    hot = atomic_load_explicit(&st_hot_binding, memory_order_acquire);
    if (hot && (uintptr_t)pc - hot->low < hot->bytes) {
        return ST_CALLER_BINDING;
    }
    return st_caller_slow((uintptr_t)pc);
}

/* Fills *site for a call that returns to `pc` with the stack pointer `sp`, of the kind `caller`. */
void st_site_found(const void *pc, const void *sp, enum st_caller caller, struct st_site *site);
static inline void st_site_of(const void *pc, const void *sp, enum st_caller caller,
                              struct st_site *site)
{
    site->frames[0] = (uintptr_t)pc;
    if (__builtin_expect(st_root.site_frames != 1 || caller != ST_CALLER_USER, 0)) {
        st_site_found(pc, sp, caller, site);
    }
}

/* The frame of the program that called a binding. */
struct st_user_frame {
    uintptr_t pc; /* where the binding returns to; 0: not known */
    uintptr_t sp; /* the stack pointer there */
};

/* Finds it without a full unwinding. `pc` is where the call returns to in the binding, `sp` the
 * stack pointer there. */
struct st_user_frame st_user_frame_of(const void *pc, const void *sp);

#endif
