/* SPDX-License-Identifier: BSD-3-Clause */
/* argument-rank: members of a group, by number or by range, and groups of communicators. */
#include <limits.h>
#include <stdio.h>

#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/objects/records.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

static void report_rank(struct st_facts *facts, int number, const char *message, const char *advice)
{
    st_find(facts, &(struct st_found){.check = ST_ARGUMENT_RANK,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice});
}

static const char *const once = "ranks are 0 to the group's size - 1, each at most once";

/* Returns the group's size; -1 if it is not known. */
static int64_t size_of_group(uint64_t group)
{
    bool locked = st_lock();
    bool is_alive = st_records_find(ST_KIND_GROUP, group, 0) != NULL;
    st_unlock(locked);
    return is_alive ? st_ask_group_size(group) : -1;
}

/* --- ranks that were seen ------------------------------------------------------------------ */

enum { FEW_BYTES = 512 };

struct st_local_seen {
    unsigned char inside[FEW_BYTES];
    unsigned char *bits;
    size_t mapped;
};

/* Returns false if there is no memory. */
static bool seen_init(struct st_local_seen *seen, int64_t size)
{
    size_t bytes = (size_t)size / CHAR_BIT + 1;
    *seen = (struct st_local_seen){.mapped = bytes > FEW_BYTES ? bytes : 0};
    seen->bits = seen->mapped ? st_map(seen->mapped) : seen->inside;
    return seen->bits != NULL;
}

static void seen_deinit(struct st_local_seen *seen)
{
    if (seen->mapped) {
        st_unmap(seen->bits, seen->mapped);
    }
}

/* Returns true if the rank was seen before, and notes that it was seen. */
static bool seen_take(struct st_local_seen *seen, int64_t rank)
{
    unsigned char bit = (unsigned char)(1 << rank % CHAR_BIT);
    bool before = seen->bits[rank / CHAR_BIT] & bit;
    seen->bits[rank / CHAR_BIT] |= bit;
    return before;
}

/* Reports a wrong rank, member `index` of an array. Returns false if the rank is wrong. */
static bool take_rank(struct st_facts *facts, int number, struct st_local_seen *seen, int64_t index,
                      int64_t rank, int64_t size)
{
    const char *name = facts->form->parameters[number].name;
    char message[120];
    if (rank >= 0 && rank < size && !seen_take(seen, rank)) {
        return true;
    }
    if (rank < 0 || rank >= size) {
        snprintf(message, sizeof message, "passes rank %lld in '%s'[%lld], of a group of %lld",
                 (long long)rank, name, (long long)index, (long long)size);
    } else {
        snprintf(message, sizeof message, "passes rank %lld twice, again in '%s'[%lld]",
                 (long long)rank, name, (long long)index);
    }
    report_rank(facts, number, message, once);
    return false;
}

/* --- arrays after a group and their length ------------------------------------------------ */

static void check_members(struct st_facts *facts, int number, struct st_local_seen *seen,
                          int64_t size)
{
    int64_t length = (int64_t)facts->values[number - 1];
    for (int64_t i = 0; i < length; i++) {
        if (!take_rank(facts, number, seen, i, st_number_at(facts, number, i), size)) {
            return;
        }
    }
}

/* Triplets: first, last, stride. A range whose stride leads away from its last rank is empty. */
static void check_ranges(struct st_facts *facts, int number, struct st_local_seen *seen,
                         int64_t size)
{
    const int32_t *ranges = (const int32_t *)(uintptr_t)facts->values[number];
    int64_t length = (int64_t)facts->values[number - 1];
    for (int64_t i = 0; i < length; i++) {
        int64_t first = ranges[3 * i], last = ranges[3 * i + 1], stride = ranges[3 * i + 2];
        char message[120];
        if (!stride) {
            snprintf(message, sizeof message, "passes stride 0 in '%s'[%lld]",
                     facts->form->parameters[number].name, (long long)i);
            report_rank(facts, number, message,
                        "a range is first rank, last rank and stride, not 0");
            return;
        }
        for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride) {
            if (!take_rank(facts, number, seen, i, rank, size)) {
                return;
            }
        }
    }
}

static void check_distinct(struct st_facts *facts, int number, enum st_role role)
{
    struct st_local_seen seen;
    int64_t size = facts->values[number] ? size_of_group(facts->values[number - 2]) : -1;
    if (size < 0 || !seen_init(&seen, size)) {
        return;
    }
    if (role == ST_ROLE_MEMBERS) {
        check_members(facts, number, &seen, size);
    } else {
        check_ranges(facts, number, &seen, size);
    }
    seen_deinit(&seen);
}

/* MPI_Group_translate_ranks: ranks may come twice, and be MPI_PROC_NULL. */
static void check_translated(struct st_facts *facts, int number)
{
    int64_t length = (int64_t)facts->values[number - 1];
    int64_t size = facts->values[number] ? size_of_group(facts->values[number - 2]) : -1;
    for (int64_t i = 0; size >= 0 && i < length; i++) {
        int64_t rank = st_number_at(facts, number, i);
        char message[120];
        if ((rank >= 0 && rank < size) || rank == st_numbers.proc_null) {
            continue;
        }
        snprintf(message, sizeof message, "passes rank %lld in '%s'[%lld], of a group of %lld",
                 (long long)rank, facts->form->parameters[number].name, (long long)i,
                 (long long)size);
        report_rank(facts, number, message,
                    "ranks are 0 to the group's size - 1, or MPI_PROC_NULL");
        return;
    }
}

/* Checks the group of a new communicator, or of an epoch of a window. */
static void check_subgroup(struct st_facts *facts, int number)
{
    const bool of_win = facts->form->win >= 0;
    const int whole = of_win ? facts->form->win : facts->form->comm;
    const char *kind = of_win ? "window" : "communicator";
    int64_t size = size_of_group(facts->values[number]);
    if (size <= 0 || !facts->has_comm || st_found_at(facts, whole)) {
        return;
    }
    int64_t outside = st_ask_outside(facts->values[number], size,
                                     of_win ? ST_KIND_WIN : ST_KIND_COMM, facts->values[whole]);
    char message[120], advice[120];
    if (outside < 0) {
        return;
    }
    snprintf(message, sizeof message, "passes a group whose rank %lld is no process of the %s",
             (long long)outside, kind);
    snprintf(advice, sizeof advice, "make the group of that of the %s, by %s", kind,
             of_win ? "MPI_Win_get_group" : "MPI_Comm_group");
    report_rank(facts, number, message, advice);
}

void st_check_groups(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        if (role == ST_ROLE_MEMBERS || role == ST_ROLE_RANGES) {
            check_distinct(facts, i, role);
        } else if (role == ST_ROLE_TRANSLATED) {
            check_translated(facts, i);
        } else if (role == ST_ROLE_SUBGROUP) {
            check_subgroup(facts, i);
        }
    }
}
