/*
 * Whose call is it? Decided by the return address alone: the object that it lies in.
 *
 * No depth counter: MPI's own calls (ROMIO builds types by public names) come at any depth, and so
 * do the user's (attribute callbacks run inside MPI_Type_free).
 *
 * What is known of an object is kept when it is unloaded; only an MPI component that is loaded
 * where a library of the program was before would be taken for the program.
 */
#ifndef ST_RUNTIME_WRAP_CALLER_H
#define ST_RUNTIME_WRAP_CALLER_H

#include <stdatomic.h>
#include <stdint.h>

#include "runtime/record/record.h"
#include "runtime/record/root.h"

enum st_caller {
    ST_CALLER_USER,
    ST_CALLER_BINDING, /* Fortran or C++ bindings: the user is one frame further out */
    ST_CALLER_PYTHON,  /* mpi4py: the user's frame is the interpreter's to tell */
    ST_CALLER_MPI,
};

struct st_range {
    uintptr_t low;
    uintptr_t bytes;
    enum st_caller caller;
};

/* The ranges that the last call of the user, and the last one of a binding, came from. */
extern _Atomic(const struct st_range *) st_hot_range __attribute__((visibility("hidden")));
extern _Atomic(const struct st_range *) st_hot_binding __attribute__((visibility("hidden")));

enum st_caller st_caller_slow(uintptr_t pc);

static inline enum st_caller st_caller_of(const void *pc)
{
    const struct st_range *hot = atomic_load_explicit(&st_hot_range, memory_order_acquire);
    if (__builtin_expect(hot && (uintptr_t)pc - hot->low < hot->bytes, 1))
        return ST_CALLER_USER;
    hot = atomic_load_explicit(&st_hot_binding, memory_order_acquire);
    if (hot && (uintptr_t)pc - hot->low < hot->bytes)
        return ST_CALLER_BINDING;
    return st_caller_slow((uintptr_t)pc);
}

/* Fills *site for a call that returns to `pc`, with the stack pointer `sp` then, of the kind
 * `caller`. */
void st_site_found(const void *pc, const void *sp, enum st_caller caller, struct st_site *site);
static inline void st_site_of(const void *pc, const void *sp, enum st_caller caller,
                              struct st_site *site)
{
    site->frames[0] = (uintptr_t)pc;
    if (__builtin_expect(st_root.site_frames != 1 || caller != ST_CALLER_USER, 0))
        st_site_found(pc, sp, caller, site);
}

/* The frame of the program that has called a binding. */
struct st_user_frame {
    uintptr_t pc; /* where the binding returns to; 0: not known */
    uintptr_t sp; /* the stack pointer then */
};

/* Looks it up without a full unwinding; pc: where the call returns to in the binding, sp: the stack pointer then. */
struct st_user_frame st_user_frame_of(const void *pc, const void *sp);

#endif
