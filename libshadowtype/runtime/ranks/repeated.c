/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/repeated.h"

#include <string.h>

#include "core/agree/rules.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

enum { LOG2_LINES = 6 };

/* Lines by a hash of the address; if several share an entry, the one used last. Read and changed
 * under the lock. */
static struct st_repeated_call lines[1 << LOG2_LINES];

static struct st_repeated_call *line_of(const void *pc)
{
    return &lines[(uint64_t)(uintptr_t)pc * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_LINES)];
}

/* --- finding ------------------------------------------------------------------------------- */

/* Returns true if not one argument differs from the last call. */
static bool are_equal(const struct st_repeated_call *kept, const uint64_t *values)
{
    uint64_t different = 0;
    for (uint32_t i = 0; i < kept->parameter_count; i++) {
        different |= kept->last[i] ^ values[i];
    }
    return !different;
}

/* Returns true if the facts are the same, although some arguments differ: then these are the last
 * ones now. */
static __attribute__((noinline)) bool are_alike(struct st_repeated_call *kept,
                                                const uint64_t *values)
{
    for (int i = 0; i < kept->number_count; i++) {
        if (kept->values[i] != values[kept->numbers[i]]) {
            return false;
        }
    }
    for (int i = 0; i < kept->buffer_count; i++) {
        if (kept->in_place[i] != st_is_in_place(values[kept->buffers[i]])) {
            return false;
        }
    }
    memcpy(kept->last, values, kept->parameter_count * sizeof *values);
    return true;
}

struct st_repeated_call *st_repeated_find(const struct st_repeated_line *line)
{
    struct st_repeated_call *kept = line_of(line->pc);
    if (kept->pc != line->pc || kept->form != line->form || kept->comm != line->comm->id) {
        return NULL;
    }
    return are_equal(kept, line->values) || are_alike(kept, line->values) ? kept : NULL;
}

/* --- keeping ------------------------------------------------------------------------------- */

/* Enters one parameter. Returns false if what it stands for may change. (The data of pairs is worked
 * out anew in each call.) */
static bool add_parameter(struct st_repeated_call *kept, const struct st_repeated_line *line,
                          uint32_t rules, int number)
{
    const struct st_parameter *parameter = &line->form->parameters[number];
    if (parameter->kind == ST_KIND_TYPE && !(rules & ST_RULE_PAIRS) &&
        !st_sign_stays(line->values[number])) {
        return false;
    }
    if (parameter->pointer || parameter->width == 0 || number == line->form->collective) {
        return true;
    }
    if (kept->number_count == ST_REPEATED_VALUES) {
        return false;
    }
    kept->values[kept->number_count] = line->values[number];
    kept->numbers[kept->number_count++] = (uint8_t)number;
    return true;
}

static bool add_buffer(struct st_repeated_call *kept, const struct st_repeated_line *line,
                       int8_t number)
{
    if (number < 0) {
        return true;
    }
    if (kept->buffer_count == ST_REPEATED_BUFFERS) {
        return false;
    }
    kept->in_place[kept->buffer_count] = st_is_in_place(line->values[number]);
    kept->buffers[kept->buffer_count++] = (uint8_t)number;
    return true;
}

/* Returns false if the facts of the call do not follow from its numbers and buffers. */
static bool fill_kept(struct st_repeated_call *kept, const struct st_repeated_line *line,
                      uint32_t rules)
{
    if (line->form->parameter_count > ST_REPEATED_PARAMETERS) {
        return false;
    }
    kept->parameter_count = line->form->parameter_count;
    memcpy(kept->last, line->values, kept->parameter_count * sizeof *line->values);
    for (int i = 0; i < line->form->parameter_count; i++) {
        if (!add_parameter(kept, line, rules, i)) {
            return false;
        }
    }
    for (int i = 0; i < line->form->part_count; i++) {
        if (!add_buffer(kept, line, line->form->parts[i].buffer)) {
            return false;
        }
    }
    return true;
}

void st_repeated_keep(const struct st_repeated_line *line, uint32_t rules,
                      const struct st_collective *call, uint64_t digest)
{
    const uint32_t simple = ST_RULE_ROOT | ST_RULE_OPERATION | ST_RULE_IN_PLACE | ST_RULE_ALL |
                            ST_RULE_GATHER | ST_RULE_SCATTER | ST_RULE_EACH | ST_RULE_FENCE |
                            ST_RULE_PAIRS;
    /* A vague one is of a communicator that is not known well yet. */
    if (rules & ~simple || line->comm->flags & ST_COMM_INTER || call->flags & ST_COLLECTIVE_VAGUE ||
        st_root.site_frames != 1) {
        return;
    }
    struct st_repeated_call kept = {.pc = line->pc,
                                    .form = line->form,
                                    .comm = line->comm->id,
                                    .has_data = rules & ST_RULE_PAIRS,
                                    .digest = digest,
                                    .call = *call};
    kept.call.pairs = 0;
    bool locked = st_lock();
    if (fill_kept(&kept, line, rules)) {
        *line_of(line->pc) = kept;
    }
    st_unlock(locked);
}
