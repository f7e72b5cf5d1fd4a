/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/partitions_matched.h"

#include "core/model/hash.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/matched_internal.h"
#include "runtime/ranks/node.h"

enum { OF_PARTITIONS = 0x50415254 };

static struct st_channel_counts posted; /* calls of MPI_Precv_init */

uint64_t st_partitions_space(uint64_t id)
{
    const uint64_t space = st_hash_word(id, OF_PARTITIONS);
    return space ? space : 1;
}

void st_partitions_leave(const struct st_message_end *end)
{
    uint64_t *count = st_matched_sent(end);
    if (!count) {
        return;
    }
    struct st_message message = st_matched_message(end);
    message.number = ++*count;
    message.to = -1; /* it is not lost if no receive takes it: it may never be started */
    const uint32_t place = st_message_open(&st_matched.writer, message.channel, message.number);
    if (place != ST_NO_MESSAGE) {
        st_message_close(&st_matched.writer, place, &message);
    }
}

struct st_probed *st_partitions_post(const struct st_message_end *end)
{
    const struct st_channel channel = {end->id, end->peer, end->tag};
    uint64_t *count = st_channel_count(&posted, &channel);
    struct st_probed *probed = count ? st_probed_keep(0, ST_NO_RECEIVE, end) : NULL;
    if (count) {
        ++*count;
    }
    if (probed) {
        probed->channel = channel;
        probed->number = *count;
        probed->is_partitioned = true;
    }
    return probed;
}

/* Returns false if the message is not there, or its place in the order is not known. */
static bool find_message(const struct st_probed *probed, struct st_found_message *taken)
{
    return st_numbering_has_all(st_matched.numbering, st_message_comm(probed->end.id),
                                probed->end.tag) &&
           st_matched_find(&probed->end, &probed->channel, probed->number, taken);
}

static void add_misfit(struct st_misfits *found, enum st_check check,
                       const struct st_probed *probed, const struct st_found_message *taken)
{
    if (found->count < ST_MOST_MISFITS) {
        found->list[found->count++] = (struct st_misfit){.check = check,
                                                         .sent = taken->message,
                                                         .sender = taken->sender,
                                                         .source = probed->channel.source,
                                                         .taker = probed->end};
    }
}

void st_partitions_receive(struct st_probed *probed, const struct st_status_facts *status,
                           struct st_misfits *found)
{
    struct st_found_message taken;
    if (st_clocks_are_on()) {
        st_clocks_join_all();
    }
    const bool is_it =
        status && find_message(probed, &taken) && st_matched_is_it(&taken.message, status->bytes);
    const enum st_message_fit fit =
        is_it ? st_message_end_fits(&taken.message, &probed->end.space) : ST_MESSAGE_ENDS_INSIDE;
    st_matched_count(fit != ST_MESSAGE_ENDS_INSIDE);
    if (fit == ST_MESSAGE_OTHER_TYPE) {
        add_misfit(found, ST_MATCH_TYPE, probed, &taken);
    }
    st_probed_drop(probed);
}

bool st_partitions_cut(const struct st_probed *probed, bool fatal, struct st_misfits *found)
{
    struct st_found_message taken;
    if (!find_message(probed, &taken)) {
        return false;
    }
    const enum st_message_fit fit = st_message_end_fits(&taken.message, &probed->end.space);
    if (fit == ST_MESSAGE_TOO_LONG) {
        add_misfit(found, ST_MATCH_TRUNCATION, probed, &taken);
        if (!fatal && found->count) { /* like all errors that the program itself handles */
            found->list[found->count - 1].severity = ST_SEVERITY_NOTE;
        }
    } else if (fit == ST_MESSAGE_OTHER_TYPE) {
        add_misfit(found, ST_MATCH_TYPE, probed, &taken);
    }
    return fit == ST_MESSAGE_TOO_LONG || fit == ST_MESSAGE_OTHER_TYPE;
}
