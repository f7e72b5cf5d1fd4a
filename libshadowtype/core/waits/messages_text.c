/* SPDX-License-Identifier: BSD-3-Clause */
/* What is told of a message that was sent and not received. */
#include "core/agree/log.h"
#include "core/agree/segment.h"
#include "core/model/hash.h"
#include "core/waits/messages.h"

const struct st_wait_comm *st_wait_sent_comm(const struct st_wait_rank *ranks,
                                             const struct st_wait_sent *sent)
{
    const struct st_wait_rank *from = &ranks[sent->from];
    for (size_t i = from->comm_count; i > 0; i--) {
        const struct st_wait_comm *comm = &from->comms[i - 1];
        if (comm->kind == ST_KIND_NONE && comm->id &&
            st_message_comm(st_hash_word(comm->id, from->messages->jobs[sent->from])) ==
                sent->message.comm) {
            return comm;
        }
    }
    return NULL;
}

void st_wait_sent_function(const struct st_wait_messages *messages, const struct st_wait_sent *sent,
                           char name[ST_FUNCTION_BYTES])
{
    struct st_fault fault;
    name[0] = 0;
    struct st_registry *registry = st_wait_registry(messages, sent->from);
    if (!registry ||
        st_registry_function(registry, st_message_function(&sent->message), name, &fault)) {
        name[0] = 0;
    }
}

size_t st_wait_sent_site(const struct st_wait_messages *messages, const struct st_wait_sent *sent,
                         uint64_t *frames, size_t most)
{
    struct st_registry *registry = st_wait_registry(messages, sent->from);
    struct st_shared_area area;
    struct st_fault fault;
    size_t count = 0;
    if (!registry ||
        st_registry_peek(registry, st_registry_root(registry)->shared, &area, sizeof area,
                         &fault) ||
        st_shared_place_read(registry, area.area, sent->message.place * UINT64_C(8), frames, most,
                             &count, &fault)) {
        return 0;
    }
    return count;
}
