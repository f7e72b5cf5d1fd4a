/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/repeated.h"

#include "core/agree/rules.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

enum { MOST_VALUES = 8, MOST_BUFFERS = 2, LOG2_LINES = 6 };

/* Lines by a hash of the address; if several share an entry, the one used last. Read and changed
 * under the lock. */
static struct st_repeated_call {
    const void *pc; /* NULL: not used */
    const struct st_form *form;
    uint64_t comm; /* its id */
    uint64_t digest;
    uint8_t numbers[MOST_VALUES]; /* parameters that are numbers or handles, and their values */
    uint64_t values[MOST_VALUES];
    uint8_t buffers[MOST_BUFFERS]; /* parameters */
    bool in_place[MOST_BUFFERS];   /* whether that is MPI_IN_PLACE */
    uint8_t number_count, buffer_count;
    struct st_collective call;
} lines[1 << LOG2_LINES];

static struct st_repeated_call *line_of(const void *pc)
{
    return &lines[(uint64_t)(uintptr_t)pc * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_LINES)];
}

/* --- finding ------------------------------------------------------------------------------- */

static bool are_same(const struct st_repeated_call *kept, const struct st_repeated_line *line)
{
    bool same = kept->pc == line->pc && kept->form == line->form && kept->comm == line->comm->id;
    for (int i = 0; same && i < kept->number_count; i++) {
        same = kept->values[i] == line->values[kept->numbers[i]];
    }
    for (int i = 0; same && i < kept->buffer_count; i++) {
        same = kept->in_place[i] == st_is_in_place(line->values[kept->buffers[i]]);
    }
    return same;
}

bool st_repeated_find(const struct st_repeated_line *line, struct st_collective *call,
                      uint64_t *digest)
{
    const struct st_repeated_call *kept = line_of(line->pc);
    bool locked = st_lock();
    bool found = kept->pc == line->pc && kept->form == line->form && kept->comm == line->comm->id &&
                 are_same(kept, line);
    if (found) {
        *call = kept->call;
        *digest = kept->digest;
    }
    st_unlock(locked);
    call->number = __atomic_load_n(&line->comm->collectives, __ATOMIC_RELAXED);
    return found;
}

/* --- keeping ------------------------------------------------------------------------------- */

/* Enters one parameter. Returns false if what it stands for may change. */
static bool add_parameter(struct st_repeated_call *kept, const struct st_repeated_line *line,
                          int number)
{
    const struct st_parameter *parameter = &line->form->parameters[number];
    if (parameter->kind == ST_KIND_TYPE && !st_sign_stays(line->values[number])) {
        return false;
    }
    if (parameter->pointer || parameter->width == 0 || number == line->form->collective) {
        return true;
    }
    if (kept->number_count == MOST_VALUES) {
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
    if (kept->buffer_count == MOST_BUFFERS) {
        return false;
    }
    kept->in_place[kept->buffer_count] = st_is_in_place(line->values[number]);
    kept->buffers[kept->buffer_count++] = (uint8_t)number;
    return true;
}

/* Returns false if the facts of the call do not follow from its numbers and buffers. */
static bool fill_kept(struct st_repeated_call *kept, const struct st_repeated_line *line)
{
    for (int i = 0; i < line->form->parameter_count; i++) {
        if (!add_parameter(kept, line, i)) {
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
                            ST_RULE_GATHER | ST_RULE_SCATTER | ST_RULE_EACH | ST_RULE_FENCE;
    /* A vague one is of a communicator that is not known well yet. */
    if (rules & ~simple || line->comm->flags & ST_COMM_INTER || call->flags & ST_COLLECTIVE_VAGUE ||
        st_root.site_frames != 1) {
        return;
    }
    struct st_repeated_call kept = {.pc = line->pc,
                                    .form = line->form,
                                    .comm = line->comm->id,
                                    .digest = digest,
                                    .call = *call};
    bool locked = st_lock();
    if (fill_kept(&kept, line)) {
        *line_of(line->pc) = kept;
    }
    st_unlock(locked);
}
