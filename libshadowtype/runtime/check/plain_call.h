/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A call of a function that makes no datatype and has no quick path. The form says all that has to
 * be done, so that the code is here once, and not in each of some 370 wrappers:
 *
 *     const uint64_t values[] = {...};
 *     struct st_plain_call plain;
 *     real *next = (real *)st_plain_call_begin(&plain, &form_File_sync, entry, pc, sp, values);
 *     if (!next)
 *         return MPI_ERR_OTHER;
 *     return st_plain_call_end(&plain, next(fh));
 */
#ifndef ST_RUNTIME_CHECK_PLAIN_CALL_H
#define ST_RUNTIME_CHECK_PLAIN_CALL_H

#include "runtime/check/check.h"

/* A call between the two functions; on the stack of the calling thread. */
struct st_plain_call {
    const struct st_form *form;
    const uint64_t *values;
    struct st_call call;
    struct st_thread_call *shown; /* NULL: a debugger does not see the call */
    bool is_checked;
    struct st_checked checked; /* if not is_checked: only facts.found, and statuses */
};

/* Opens a call that returns to `pc` with the stack pointer `sp`: shows, counts, checks and compares
 * it. `values`: its arguments as in struct st_facts; they must stay valid until it ends. Returns
 * MPI's function. Returns NULL if the MPI library has no such function: this is reported here, and
 * the call must not be closed. What is wrong with the arguments is reported, and changes nothing. */
void *st_plain_call_begin(struct st_plain_call *plain, const struct st_form *form,
                          enum st_entry entry, const void *pc, const void *sp,
                          const uint64_t *values);

/* Closes it, after MPI's function has returned `result` (MPI_SUCCESS: 0). Returns that. */
int st_plain_call_end(struct st_plain_call *plain, int result);

#endif
