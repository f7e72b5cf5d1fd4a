/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/operations.h"

#include <string.h>
#include <unistd.h>

#include "runtime/record/change.h"
#include "runtime/wrap/facts.h"
#include "runtime/record/publish.h"

/* Copies the names to mapped pages: a core file need not contain the library's constants. */
static void put_names(void)
{
    char(*names)[ST_FUNCTION_BYTES] = st_map((size_t)st_form_count * sizeof *names);
    if (!names) {
        return;
    }
    for (uint16_t i = 0; i < st_form_count; i++) {
        strncpy(names[i], st_form_table[i]->name, sizeof *names - 1);
    }
    st_operations_change();
    st_operations.functions = st_address(names);
    st_publish32(&st_operations.function_count, st_form_count);
    st_operations_changed();
}

void st_operations_begin(void)
{
    if (st_root.operations) {
        return;
    }
    put_names();
    bool locked = st_change_begin();
    st_publish64(&st_root.operations, st_address(&st_operations));
    st_change_end(locked);
}

uint32_t st_operations_thread_of_kernel(void)
{
    return (uint32_t)gettid();
}
