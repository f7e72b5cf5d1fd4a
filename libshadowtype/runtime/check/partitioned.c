/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/partitioned.h"

#include <string.h>

#include "runtime/check/message_threads.h"
#include "runtime/check/messages_internal.h"
#include "runtime/ranks/partitions_matched.h"
#include "runtime/ranks/requested.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/report/frames.h"

/* Returns the parameter with the number of partitions; -1 if there is none. */
static int find_partitions(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        if (strcmp(form->parameters[i].name, "partitions") == 0) {
            return i;
        }
    }
    return -1;
}

/* Reads the whole message: all partitions. Returns false if it is not compared. */
static bool read_message(const struct st_facts *facts, struct st_message_end *end)
{
    const struct st_part *part = &facts->form->parts[0];
    const int partitions = find_partitions(facts->form);
    bool none;
    int64_t count;
    if (partitions < 0 || part->peer < 0 || part->count < 0 || part->type < 0 ||
        !st_message_end_read(facts, part->peer, end, &none) || end->peer == ST_NUMBERING_ANY ||
        end->tag == ST_NUMBERING_ANY ||
        __builtin_mul_overflow((int64_t)facts->values[partitions],
                               (int64_t)facts->values[part->count], &count)) {
        return false;
    }
    st_sign_message(&end->space, facts->values[part->type], count);
    /* The table names the peer of both functions a destination: neither may be a wildcard. */
    end->sends = part->access != ST_WRITE;
    end->site = st_site_number(facts->call);
    return true;
}

void st_partitioned_made(struct st_checked *checked, int parameter)
{
    const struct st_facts *facts = &checked->facts;
    struct st_requested request = {
        .receive = ST_NO_RECEIVE, .is_persistent = true, .is_partitioned = true};
    const bool is_read = read_message(facts, &request.end);
    bool locked = st_lock();
    if (is_read) {
        request.end.id = st_partitions_space(request.end.id);
        st_message_thread_uses(&request.end);
    }
    if (is_read && request.end.sends) {
        st_partitions_leave(&request.end);
    } else if (is_read) {
        request.probed = st_partitions_post(&request.end);
    }
    const struct st_record *record = st_records_find(
        ST_KIND_REQUEST, st_handle_at(facts, parameter, 0), facts->values[parameter]);
    struct st_requested *kept = record ? st_requested_new(st_records_name(record)) : NULL;
    if (kept) {
        *kept = request;
    } else {
        st_probed_drop(request.probed);
    }
    st_unlock(locked);
    st_message_threads_tell();
}

void st_partitioned_receives(struct st_probed *probed, const struct st_status_facts *status,
                             struct st_misfits *found)
{
    if (probed && probed->is_partitioned) {
        st_partitions_receive(probed, status, found);
    } else {
        st_matched_probed(probed, status, found);
    }
}
