/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/requested.h"

#include <string.h>

#include "runtime/record/lock.h"
#include "runtime/record/own_heap.h"
#include "runtime/record/root.h"

/* --- requests ------------------------------------------------------------------------------- */

/* By number of their record. */
static struct st_request_entry {
    uint64_t serial; /* of the record; 0: none */
    struct st_requested request;
} *entries;
static uint32_t entry_count;

static bool widen_table(uint32_t least)
{
    uint32_t wider = entry_count ? entry_count : 64;
    while (wider <= least) {
        wider *= 2;
    }
    struct st_request_entry *longer = realloc(entries, wider * sizeof *longer);
    if (!longer) {
        return false;
    }
    memset(longer + entry_count, 0, (wider - entry_count) * sizeof *longer);
    entries = longer;
    entry_count = wider;
    return true;
}

struct st_requested *st_requested_new(struct st_record_name name)
{
    if (name.number >= entry_count && !widen_table(name.number)) {
        return NULL;
    }
    struct st_requested *request = &entries[name.number].request;
    entries[name.number].serial = name.serial;
    request->receive = ST_NO_RECEIVE;
    request->probed = NULL;
    request->sent.number = 0;
    request->end.sends = false;
    request->may_wait = request->is_persistent = request->is_partitioned = false;
    return request;
}

struct st_requested *st_requested_find(struct st_record_name name)
{
    if (name.number == ST_NO_RECORD || name.number >= entry_count ||
        entries[name.number].serial != name.serial) {
        return NULL;
    }
    return &entries[name.number].request;
}

/* --- completed ------------------------------------------------------------------------------ */

static struct st_completion {
    struct st_completion *next;
    const struct st_facts *by; /* the call */
    struct st_completed_receive receive;
} *completions, **last_completion = &completions;

void st_requested_complete(const struct st_facts *facts, struct st_record_name name, int64_t member)
{
    struct st_requested *request = st_requested_find(name);
    if (!request || request->end.sends || (request->receive == ST_NO_RECEIVE && !request->probed)) {
        return;
    }
    struct st_completion *completion = malloc(sizeof *completion);
    if (!completion) {
        return; /* its receive stays posted, and later ones are not compared */
    }
    *completion =
        (struct st_completion){.by = facts, .receive = {member, request->receive, request->probed}};
    request->receive = ST_NO_RECEIVE;
    request->probed = NULL;
    *last_completion = completion;
    last_completion = &completion->next;
}

bool st_requested_next(const struct st_facts *facts, struct st_completed_receive *completed)
{
    bool locked = st_lock();
    struct st_completion **place = &completions;
    while (*place && (*place)->by != facts) {
        place = &(*place)->next;
    }
    struct st_completion *completion = *place;
    if (completion) {
        *completed = completion->receive;
        *place = completion->next;
        if (last_completion == &completion->next) {
            last_completion = place;
        }
    }
    st_unlock(locked);
    free(completion);
    return completion;
}

/* --- messages that MPI_Mprobe has taken ------------------------------------------------------- */

static struct st_probed *all_probed;

static int parameter_named(const struct st_form *form, const char *name)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (strcmp(form->parameters[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

bool st_probed_message(const struct st_facts *facts, uint64_t *message)
{
    const struct st_form *form = facts->form;
    const int number = parameter_named(form, "message"), flag = parameter_named(form, "flag");
    if (number < 0 || !facts->values[number] ||
        (flag >= 0 && !(facts->values[flag] && st_number_at(facts, flag, 0)))) {
        return false;
    }
    *message = st_handle_at(facts, number, 0);
    return true;
}

struct st_probed *st_probed_keep(uint64_t message, uint32_t receive,
                                 const struct st_message_end *end)
{
    struct st_probed *kept = malloc(sizeof *kept);
    if (!kept) {
        return NULL;
    }
    *kept = (struct st_probed){
        .next = all_probed, .message = message, .receive = receive, .end = *end, .bytes = -1};
    all_probed = kept;
    return kept;
}

struct st_probed *st_probed_posted(uint32_t receive)
{
    struct st_probed *kept = all_probed;
    while (kept && kept->receive != receive) {
        kept = kept->next;
    }
    return kept;
}

void st_probed_drop(struct st_probed *probed)
{
    struct st_probed **place = &all_probed;
    while (probed && *place && *place != probed) {
        place = &(*place)->next;
    }
    if (probed && *place) {
        *place = probed->next;
    }
    free(probed);
}

static const struct st_part *matched_part(const struct st_form *form)
{
    for (int i = 0; i < form->part_count; i++) {
        if (form->parts[i].peer >= 0 &&
            form->parameters[form->parts[i].peer].role == ST_ROLE_MESSAGE) {
            return &form->parts[i];
        }
    }
    return NULL;
}

struct st_probed *st_probed_take(const struct st_facts *facts, uint64_t message)
{
    const struct st_part *part = matched_part(facts->form);
    struct st_probed *kept = part && message ? all_probed : NULL;
    while (kept && kept->message != message) {
        kept = kept->next;
    }
    if (kept) {
        kept->message = 0;
        st_message_end_call(facts, part, &kept->end);
    }
    return kept;
}
