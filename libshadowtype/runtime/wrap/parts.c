/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/wrap/parts.h"

#include "runtime/record/meaning.h"
#include "runtime/wrap/constants.h"

bool st_is_root(const struct st_facts *facts)
{
    int64_t root = (int64_t)facts->values[facts->form->root];
    if (!facts->has_comm) {
        return false;
    }
    return facts->comm.inter ? root == st_numbers.root : root == facts->comm.rank;
}

bool st_part_is_significant(const struct st_facts *facts, const struct st_part *part)
{
    const struct st_form *form = facts->form;
    if (part->peer >= 0 && form->parameters[part->peer].role == ST_ROLE_MESSAGE) {
        if (facts->values[part->peer] &&
            st_handle_at(facts, part->peer, 0) == st_numbers.message_no_proc) {
            return false;
        }
    } else if (part->peer >= 0 && (int64_t)facts->values[part->peer] == st_numbers.proc_null) {
        return false;
    }
    /* A fetch with MPI_NO_OP needs no origin buffer. */
    if (form->win >= 0 && form->op >= 0 && part->access == ST_READ &&
        facts->values[form->op] == st_numbers.op_no_op) {
        return false;
    }
    if (part->not_first && facts->has_comm && facts->comm.rank == 0) {
        return false;
    }
    if (part->when == ST_ALWAYS) {
        return true;
    }
    if (!facts->has_comm || st_found_at(facts, form->root)) {
        return false;
    }
    int64_t root = (int64_t)facts->values[form->root];
    switch (part->when) {
    case ST_AT_ROOT:
        return st_is_root(facts);
    case ST_AT_LEAF:
        return !facts->comm.inter || root >= 0;
    default: /* ST_AT_MEMBER */
        return !facts->comm.inter || root != st_numbers.proc_null;
    }
}

int64_t st_part_members(const struct st_facts *facts, const struct st_part *part)
{
    const struct st_form *form = facts->form;
    if (!part->counts) {
        return 1;
    }
    if (!facts->has_comm) {
        return -1;
    }
    if (form->neighbours) {
        return st_ask_neighbours(facts->values[form->comm], part->access == ST_READ);
    }
    /* MPI_Reduce_scatter uses the local group; its size differs from that of the remote one. */
    if (facts->comm.inter && form->op >= 0) {
        return -1;
    }
    return facts->comm.size;
}

int64_t st_part_count(const struct st_facts *facts, const struct st_part *part, int64_t member)
{
    if (part->count < 0) {
        return 1;
    }
    return part->counts ? st_number_at(facts, part->count, member)
                        : (int64_t)facts->values[part->count];
}

uint64_t st_part_type(const struct st_facts *facts, const struct st_part *part, int64_t member)
{
    return part->types ? st_handle_at(facts, part->type, member) : facts->values[part->type];
}

bool st_part_is_shifted(const struct st_facts *facts, const struct st_part *part, int64_t member)
{
    return part->displs >= 0 && facts->values[part->displs] &&
           st_number_at(facts, part->displs, member) >= ST_LOWEST_ADDRESS / 64;
}

bool st_part_is_absolute(const struct st_facts *facts, const struct st_part *part)
{
    if (facts->values[part->buffer] ||
        (part->when != ST_ALWAYS && !st_part_is_significant(facts, part)) ||
        (part->counts && !facts->values[part->count]) ||
        (part->types && !facts->values[part->type])) {
        return false;
    }
    int64_t members = st_part_members(facts, part), lb, extent;
    for (int64_t i = 0; i < members; i++) {
        uint64_t type = st_part_type(facts, part, i);
        if (st_part_count(facts, part, i) > 0 && st_type_is_live(type) &&
            st_ask_true_extent(type, &lb, &extent) && extent > 0 &&
            (lb >= ST_LOWEST_ADDRESS || st_part_is_shifted(facts, part, i))) {
            return true;
        }
    }
    return false;
}

struct st_part st_part_at_target(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].buffer < 0) {
            return form->parts[i];
        }
    }
    return (struct st_part){.buffer = -1, .count = -1, .type = form->parts[0].type};
}
