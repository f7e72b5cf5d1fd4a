/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/synchronous_sends.h"

#include "runtime/objects/records.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/members.h"
#include "runtime/ranks/message_ends.h"
#include "runtime/ranks/node.h"

/* A synchronous send: its receiver, and the name of its message. */
struct st_synchronous_send {
    uint64_t serial; /* of its request */
    uint64_t message;
    uint32_t receiver;
};

/* The ones that are pending. */
enum { LOG2_PENDING = 8 };
static struct st_synchronous_send pending[1 << LOG2_PENDING];

/* Returns false if it is not known who receives it, or for MPI_PROC_NULL. */
static bool read_synchronous(const struct st_facts *facts, struct st_synchronous_send *send,
                             bool *none)
{
    struct st_message_end end;
    if (!st_message_end_read(facts, st_parameter_of(facts->form, ST_ROLE_DEST), &end, none)) {
        return false;
    }
    *send = (struct st_synchronous_send){.message = st_clocks_last_message,
                                         .receiver = st_node_rank_of(end.process)};
    return true;
}

/* Joins the rank that has begun to receive what this rank sent synchronously. */
static void join_receiver(const struct st_synchronous_send *send)
{
    if (send->receiver != ST_NO_RANK) {
        st_clocks_join_taken(send->receiver, send->message);
    } else {
        st_clocks_blind();
    }
}

void st_synchronous_send_end(const struct st_facts *facts)
{
    const int request = st_parameter_of(facts->form, ST_ROLE_NEW_REQUEST);
    struct st_synchronous_send send;
    bool none;
    if (!read_synchronous(facts, &send, &none)) {
        if (!none && request < 0) {
            st_clocks_join_all();
        }
    } else if (request < 0) {
        join_receiver(&send);
    } else {
        const struct st_record *record = st_records_find(
            ST_KIND_REQUEST, st_handle_at(facts, request, 0), facts->values[request]);
        send.serial = record ? record->serial : 0;
        pending[send.serial & ((1u << LOG2_PENDING) - 1)] = send;
    }
}

bool st_synchronous_send_completed(const struct st_record *record)
{
    struct st_synchronous_send *send = &pending[record->serial & ((1u << LOG2_PENDING) - 1)];
    if (!send->serial || send->serial != record->serial) {
        return false;
    }
    join_receiver(send);
    send->serial = 0;
    return true;
}
