/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/finalize.h"

#include <string.h>

#include "runtime/wrap/threads.h"

static const struct st_form *form_of_finalize(void)
{
    for (uint16_t i = 0; i < st_form_count; i++) {
        if (strcmp(st_form_table[i]->name, "MPI_Finalize") == 0) {
            return st_form_table[i];
        }
    }
    return NULL;
}

bool st_call_of_finalize(const void *sp, const struct st_form **form, struct st_call *call)
{
    const struct st_thread_call *shown = st_thread_call_innermost(sp);
    *form = form_of_finalize();
    if (!shown || !*form) {
        return false;
    }
    const void *pc = (const void *)(uintptr_t)shown->pc;
    *call = (struct st_call){.pc = pc,
                             .sp = (const void *)(uintptr_t)shown->sp,
                             .caller = st_caller_of(pc),
                             .record = true};
    return true;
}
