/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the memory at the target of a one-sided call with the window there. */
#include <stdio.h>

#include "runtime/wrap/constants.h"
#include "runtime/ranks/win_memory.h"
#include "runtime/report/finding.h"
#include "runtime/check/local/size.h"
#include "runtime/record/meaning.h"
#include "runtime/wrap/parts.h"

bool st_window_on;

void st_window_begin(void)
{
    st_window_on = true;
}

/* Computes the bytes [low, high) of `count` elements, from the first one's address on. */
static bool bytes_of(uint64_t type, int64_t count, int64_t *low, int64_t *high)
{
    int64_t lb, extent, bytes, more;
    if (!st_type_is_live(type) || !st_ask_true_extent(type, low, &bytes) || bytes <= 0 ||
        !st_ask_extent(type, &lb, &extent) || __builtin_mul_overflow(count - 1, extent, &more) ||
        __builtin_add_overflow(*low, bytes, high)) {
        return false;
    }
    return !__builtin_add_overflow(more < 0 ? *low : *high, more, more < 0 ? low : high);
}

static void report_outside(struct st_facts *facts, int64_t rank, int64_t past, bool before,
                           int64_t bytes)
{
    char message[160];
    snprintf(message, sizeof message,
             "names memory up to %lld byte%s %s of the window of rank %lld, which has %lld byte%s",
             (long long)past, past == 1 ? "" : "s",
             before ? "before the beginning" : "beyond the end", (long long)rank, (long long)bytes,
             bytes == 1 ? "" : "s");
    st_find(facts, &(struct st_found){.check = ST_BUFFER_SIZE,
                                      .parameter = facts->form->there,
                                      .message = message,
                                      .advice = "displacements count in the units that the target "
                                                "has given its window; what is named must lie in "
                                                "it (MPI-4.0, 12.3.1)"});
}

/* MPI knows it of the own rank and of shared memory; the ranks of a node tell each other (--check=rma). */
static bool find_memory(uint64_t win, int64_t rank, int64_t own, int64_t *bytes, int64_t *unit)
{
    return st_ask_window(win, (int)rank, (int)own, bytes, unit) ||
           st_win_memory_extent(win, rank, bytes, unit);
}

void st_check_window(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const struct st_part part = st_part_at_target(form);
    int target = form->target;
    if (target < 0 || !facts->has_comm || st_found_at(facts, target) ||
        st_found_at(facts, part.type) || (part.count >= 0 && st_found_at(facts, part.count))) {
        return;
    }
    int64_t rank = (int64_t)facts->values[target], own = facts->comm.rank;
    int64_t count = part.count >= 0 ? (int64_t)facts->values[part.count] : 1;
    int64_t bytes, unit, start, low, high;
    if (rank < 0 || rank >= facts->comm.size || count <= 0 ||
        !find_memory(facts->values[form->win], rank, own, &bytes, &unit) ||
        !bytes_of(facts->values[part.type], count, &low, &high) ||
        __builtin_mul_overflow((int64_t)facts->values[form->there], unit, &start) ||
        __builtin_add_overflow(start, low, &low) || __builtin_add_overflow(start, high, &high)) {
        return;
    }
    if (high > bytes) {
        report_outside(facts, rank, high - bytes, false, bytes);
    } else if (low < 0) {
        report_outside(facts, rank, -low, true, bytes);
    }
}
