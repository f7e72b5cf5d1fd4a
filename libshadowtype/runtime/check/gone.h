/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * buffer-gone: memory that MPI may use, but that does not belong to the program any more: the
 * buffer of a pending operation, the memory of a window, or the buffer of buffered sends.
 *
 * On the stack: the function that had the variable has returned. This is suspected if the memory is
 * below the stack pointer of a call of the thread that passed it, which is one comparison; and
 * reported if unwinding confirms it (stack.h). Only the first thread's stack is checked.
 *
 * On the heap: the memory was freed (--check=size). This is checked when the program asks MPI to
 * complete the operation, at calls with the window, and in MPI_Finalize.
 */
#ifndef ST_RUNTIME_CHECK_GONE_H
#define ST_RUNTIME_CHECK_GONE_H

#include "runtime/check/check.h"
#include "runtime/objects/stack.h"

void st_gone_look(struct st_facts *facts);

/* The frames of a Fortran binding take at most this many bytes. */
enum { ST_GONE_BINDING = 4096 };

/* Called at each checked call, with no lock held. Reports memory on the stack that is gone. */
static inline void st_check_gone(struct st_facts *facts)
{
    uint64_t sp = (uint64_t)(uintptr_t)facts->call->sp;
    if (facts->call->caller == ST_CALLER_BINDING) {
        sp += ST_GONE_BINDING;
    }
    if (__builtin_expect(sp >= atomic_load_explicit(&st_stack_lowest, memory_order_relaxed), 0)) {
        st_gone_look(facts);
    }
}

/* Called before each checked call. Reports freed memory of the window that the call names; removes
 * memory that the call gives back. */
void st_check_gone_memory(struct st_facts *facts);
/* Called after a call that succeeded. Notes memory that MPI keeps: of a window, or for buffered sends. */
void st_gone_memory_after(const struct st_facts *facts);

/* With --check=size: reports freed buffers of the operations that the call is to complete. */
void st_check_gone_requests(struct st_checked *checked);
/* With --check=size: reports freed buffers of the operations of the window or file that the call ends. */
void st_check_gone_ended(struct st_checked *checked);

/* Called in MPI_Finalize. Reports all memory that is gone. */
void st_check_gone_at_end(void);

#endif
