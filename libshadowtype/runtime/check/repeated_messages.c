/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/check/repeated_messages.h"

#include "runtime/check/message_forms.h"
#include "runtime/check/quick.h"
#include "runtime/ranks/known_messages.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/root.h"
#include "runtime/wrap/statuses.h"

/* Count, datatype, peer, tag and communicator: the parameters after the buffer. */
enum { FIRST = 1, COMPARED = 5, TYPE = 2, PEER = 3, TAG = 4, COMM = 5, LOG2_KEPT = 8 };

/* By a hash of where a call returns to and its arguments; if several share an entry, the one used last. */
static struct st_kept_message {
    const void *pc; /* NULL: not used */
    const struct st_form *form;
    uint64_t values[COMPARED];
    uint32_t epoch; /* st_quick_epoch */
    bool sends;
    int8_t status;               /* of a receive: the parameter */
    struct st_status_image last; /* what MPI has filled last */
    struct st_known_send send;
    struct st_known_receive receive;
} kept[1 << LOG2_KEPT];

/* The call that is running. After that, what st_repeated_message_ends() needs if it has become an ordinary call. */
static struct {
    struct st_kept_message *message; /* NULL: none, or it is an ordinary call now */
    const void *sp;
    uint32_t receive;
} running;

static struct st_kept_message *kept_message(const void *pc, const uint64_t *values)
{
    /* The arguments are small numbers, or addresses and handles of which few are in use. */
    const uint64_t name = (uint64_t)(uintptr_t)pc + values[FIRST] + (values[TYPE] << 7) +
                          (values[PEER] << 20) + (values[TAG] << 33) + (values[COMM] << 46);
    return &kept[name * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_KEPT)];
}

static bool is_same(const struct st_kept_message *message, const struct st_form *form,
                    const void *pc, const uint64_t *values)
{
    uint64_t differs = (uint64_t)(uintptr_t)message->pc ^ (uint64_t)(uintptr_t)pc;
#pragma GCC unroll 5
    for (int i = 0; i < COMPARED; i++) {
        differs |= message->values[i] ^ values[FIRST + i];
    }
    return !differs && message->form == form &&
           message->epoch == atomic_load_explicit(&st_quick_epoch, memory_order_relaxed);
}

bool st_repeated_message_begins(const struct st_form *form, const void *pc, const void *sp,
                                const uint64_t *values)
{
    struct st_kept_message *message = kept_message(pc, values);
    if (running.message || !is_same(message, form, pc, values)) {
        return false;
    }
    if (message->sends ? !st_known_send_leave(&message->send)
                       : !st_known_receive_post(&message->receive)) {
        return false;
    }
    running.message = message;
    running.sp = sp;
    return true;
}

bool st_repeated_request_begins(const struct st_facts *facts, struct st_unreturned *call,
                                struct st_sent_name *sent, struct st_misfits *found)
{
    const struct st_form *form = facts->form;
    if (form->part_count != 1 || form->comm != COMM) {
        return false;
    }
    struct st_kept_message *message = kept_message(facts->call->pc, facts->values);
    if (!is_same(message, form, facts->call->pc, facts->values)) {
        return false;
    }
    if (!message->sends) {
        call->receive = st_matched_post(&message->receive.end, found);
        return true;
    }
    call->sends = st_known_send_leave(&message->send);
    if (call->sends) {
        call->comm = message->send.end.id;
        *sent = st_known_send_name(&message->send);
    }
    return call->sends;
}

bool st_repeated_message_runs(struct st_repeated_message *call)
{
    const struct st_kept_message *message = running.message;
    if (!message) {
        return false;
    }
    running.message = NULL;
    running.receive = message->sends ? ST_NO_RECEIVE : st_matched_post_late(&message->receive.end);
    *call = (struct st_repeated_message){.pc = message->pc,
                                         .sp = running.sp,
                                         .receive = running.receive,
                                         .end = message->sends ? &message->send.end
                                                               : &message->receive.end};
    return true;
}

static const void *filled_status(const struct st_kept_message *message, const uint64_t *values,
                                 const void *status)
{
    return status ? status : (const void *)(uintptr_t)values[message->status];
}

/* Compares the message of a receive. Returns false if that is not possible. */
static bool take_message(struct st_kept_message *message, const void *status,
                         struct st_misfits *found)
{
    st_known_receive_expect(&message->receive);
    if (!st_known_receive_take(&message->receive, st_status_bytes(status), found)) {
        return false;
    }
    st_status_keep(&message->last, status);
    return true;
}

bool st_repeated_message_ends(const void *sp, const uint64_t *values, const void *status,
                              bool succeeded, uint32_t *receive, struct st_misfits *found)
{
    struct st_kept_message *message = running.message;
    if (!message) { /* another call was made in it */
        *receive = running.sp == sp ? running.receive : ST_NO_RECEIVE;
        return false;
    }
    running.message = NULL;
    if (succeeded &&
        (message->sends || take_message(message, filled_status(message, values, status), found))) {
        return true;
    }
    *receive = message->sends ? ST_NO_RECEIVE : st_matched_post_late(&message->receive.end);
    return false;
}

bool st_repeated_message_ends_plain(const uint64_t *values, const void *status)
{
    struct st_kept_message *message = running.message;
    if (!message) {
        return false;
    }
    if (!message->sends) {
        st_known_receive_expect(&message->receive);
        if (!st_status_is(&message->last, filled_status(message, values, status)) ||
            !st_known_receive_take_like(&message->receive)) {
            return false;
        }
    }
    running.message = NULL;
    return true;
}

/* --- keeping -------------------------------------------------------------------------------- */

bool st_repeated_message_may(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    const struct st_part *part = &form->parts[0];
    return form->part_count == 1 && part->buffer == 0 && part->count == FIRST &&
           part->type == TYPE && part->peer == PEER && form->comm == COMM &&
           st_root.site_frames == 1 && (int64_t)facts->values[PEER] != st_numbers.any_source &&
           (int64_t)facts->values[TAG] != st_numbers.any_tag && st_sign_stays(facts->values[TYPE]);
}

void st_repeated_message_keep(const struct st_facts *facts, const struct st_message_end *end)
{
    struct st_kept_message *message = kept_message(facts->call->pc, facts->values);
    const int8_t status = st_message_form(facts->form)->status;
    if (!end->sends && status < 0 && st_message_form(facts->form)->request < 0) {
        return;
    }
    message->pc = NULL;
    message->form = facts->form;
    message->epoch = atomic_load_explicit(&st_quick_epoch, memory_order_relaxed);
    message->sends = end->sends;
    message->status = status;
    for (int i = 0; i < COMPARED; i++) {
        message->values[i] = facts->values[FIRST + i];
    }
    if (end->sends ? st_known_send_keep(&message->send, end)
                   : st_known_receive_keep(&message->receive, end)) {
        message->pc = facts->call->pc;
    }
}
