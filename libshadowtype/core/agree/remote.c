/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/remote.h"

#include "core/model/hash.h"

/* --- the sums ------------------------------------------------------------------------------- */

uint64_t st_remote_hash(uint64_t channel, uint64_t number, const struct st_message_data *data,
                        bool *vague)
{
    const uint16_t both = ST_MESSAGE_SIGNED | ST_MESSAGE_SIZED;
    uint64_t word = 1;
    *vague = (data->flags & both) != both;
    if (!*vague) {
        /* Equal elements: their number follows from the bytes. */
        word =
            data->length ? data->hash[0] + (uint64_t)data->bytes * UINT64_C(0x9E3779B97F4A7C15) : 0;
    }
    return st_hash_word(channel + number * UINT64_C(0xD6E8FEB86659FD93), word);
}

bool st_remote_received(const struct st_message_space *space, int64_t bytes,
                        struct st_message_data *received)
{
    struct st_signature begin;
    const struct st_message_data *data = &space->data;
    *received = *data;
    received->bytes = bytes;
    if (bytes == data->bytes) {
        return true;
    }
    received->length = 0;
    if (bytes == 0) {
        return true;
    }
    if (bytes < 0) {
        received->length = data->length;
        received->flags &= (uint16_t)~ST_MESSAGE_SIZED;
        return false;
    }
    if (data->flags & ST_MESSAGE_UNIFORM && data->length > 0 && data->bytes > 0) {
        const int64_t one = data->bytes / data->length;
        received->length = one > 0 ? (bytes + one - 1) / one : 0;
        return true;
    }
    if (!(data->flags & ST_MESSAGE_SIGNED) || !data->element || bytes % data->element != 0 ||
        space->one.length < 1 || !st_signature_repeat(&begin, &space->one, bytes / data->element)) {
        received->flags &= (uint16_t)~ST_MESSAGE_SIGNED;
        return false;
    }
    received->length = begin.length;
    received->hash[0] = begin.hash.high;
    received->hash[1] = begin.hash.low;
    return true;
}

static void begin_change(struct st_remote_peer *peer)
{
    __atomic_store_n(&peer->change, peer->change + 1, __ATOMIC_RELAXED);
}

static void end_change(struct st_remote_peer *peer)
{
    __atomic_store_n(&peer->change, peer->change + 1, __ATOMIC_RELEASE);
}

static void add_to(uint64_t *sum, uint64_t more)
{
    __atomic_store_n(sum, *sum + more, __ATOMIC_RELEASE);
}

static void add_one(uint32_t *count, bool is)
{
    if (is) {
        __atomic_store_n(count, *count + 1, __ATOMIC_RELEASE);
    }
}

void st_remote_add_sent(struct st_remote_peer *peer, uint64_t hash, bool is_vague)
{
    begin_change(peer);
    add_to(&peer->sums.sent, 1);
    add_to(&peer->sums.sent_sum, hash);
    add_one(&peer->sums.vague, is_vague);
    end_change(peer);
}

void st_remote_add_got(struct st_remote_peer *peer, uint64_t hash, bool is_vague, bool asks)
{
    begin_change(peer);
    add_to(&peer->sums.got, 1);
    add_to(&peer->sums.got_sum, hash);
    add_one(&peer->sums.vague, is_vague);
    add_one(&peer->sums.asks, asks);
    end_change(peer);
}

bool st_remote_sums_read(const struct st_remote_peer *peer, struct st_remote_sums *sums)
{
    const struct st_remote_sums *now = &peer->sums;
    const uint64_t before = __atomic_load_n(&peer->change, __ATOMIC_ACQUIRE);
    *sums = (struct st_remote_sums){
        .sent = __atomic_load_n(&now->sent, __ATOMIC_ACQUIRE),
        .sent_sum = __atomic_load_n(&now->sent_sum, __ATOMIC_ACQUIRE),
        .got = __atomic_load_n(&now->got, __ATOMIC_ACQUIRE),
        .got_sum = __atomic_load_n(&now->got_sum, __ATOMIC_ACQUIRE),
        .vague = __atomic_load_n(&now->vague, __ATOMIC_ACQUIRE),
        .asks = __atomic_load_n(&now->asks, __ATOMIC_ACQUIRE),
    };
    return !(before & 1) && __atomic_load_n(&peer->change, __ATOMIC_RELAXED) == before;
}

/* --- received messages ---------------------------------------------------------------------- */

static uint32_t first_place(uint64_t channel, uint64_t number)
{
    return ((uint32_t)((channel >> 16) + number) * ST_MESSAGE_WAYS) &
           ((1u << ST_REMOTE_LOG2_MESSAGES) - 1);
}

/* A message as words; the first word is the number. */
typedef uint64_t __attribute__((may_alias)) st_remote_word;
enum { WORDS = sizeof(struct st_remote_message) / sizeof(st_remote_word) };

void st_remote_write(struct st_remote_room *room, struct st_remote_ways *ways,
                     const struct st_remote_message *message)
{
    const uint32_t first = first_place(message->as.channel, message->as.number);
    const uint32_t way = ways->next[first / ST_MESSAGE_WAYS]++ % ST_MESSAGE_WAYS;
    const st_remote_word *from = (const st_remote_word *)message;
    st_remote_word *to = (st_remote_word *)&room->list[first + way];
    __atomic_store_n(&to[0], 0, __ATOMIC_RELEASE);
#pragma GCC unroll 16
    for (int i = 1; i < WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&to[0], from[0], __ATOMIC_RELEASE);
}

bool st_remote_read(const struct st_remote_room *room, uint32_t place,
                    struct st_remote_message *message)
{
    const st_remote_word *from = (const st_remote_word *)&room->list[place];
    st_remote_word *to = (st_remote_word *)message;
    const uint64_t before = __atomic_load_n(&from[0], __ATOMIC_ACQUIRE);
    for (int i = 0; i < WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
    return before && message->as.number == before &&
           __atomic_load_n(&from[0], __ATOMIC_ACQUIRE) == before;
}

bool st_remote_has(const struct st_remote_room *room, uint64_t channel, uint64_t number)
{
    const uint32_t first = first_place(channel, number);
    for (uint32_t i = first; i < first + ST_MESSAGE_WAYS; i++) {
        const struct st_message *one = &room->list[i].as;
        if (one->number == number && one->channel == channel) {
            return true;
        }
    }
    return false;
}

/* --- compared one by one -------------------------------------------------------------------- */

/* Equal elements that end inside an element of a type with different ones. */
static bool are_too_many(const struct st_message *sent, const struct st_remote_message *received)
{
    const int64_t count = received->element ? received->bytes / received->element : 0;
    return st_message_flags(sent) & ST_MESSAGE_UNIFORM && !(received->data & ST_MESSAGE_UNIFORM) &&
           count > 0 && sent->length >= received->length / count;
}

/* MPI has not said how long the message was: it has the type of the receive if all elements of that are equal, or if it
 * fills it. */
static bool is_of_known_type(const struct st_message *sent,
                             const struct st_remote_message *received)
{
    return received->as.bytes < 0 &&
           (received->data & ST_MESSAGE_UNIFORM || sent->bytes == received->bytes);
}

static bool has_other_type(const struct st_message *sent, const struct st_remote_message *received)
{
    const struct st_message *as = &received->as;
    const uint16_t flags = st_message_flags(sent);
    if (!(flags & received->data & ST_MESSAGE_SIGNED) || sent->length == 0) {
        return false;
    }
    if (received->flags & ST_REMOTE_VAGUE && !is_of_known_type(sent, received)) {
        return are_too_many(sent, received);
    }
    return sent->hash[0] != as->hash[0] || (flags ^ received->data) & ST_MESSAGE_UNIFORM;
}

/* What ends inside an element has the right type as far as that is known: as st_message_fits(). */
static bool may_end_inside(const struct st_message *sent, const struct st_remote_message *received)
{
    return st_message_flags(sent) & received->data & ST_MESSAGE_SIGNED;
}

/* If MPI has not said how long the received message was, the room for it is compared. */
static bool has_length(const struct st_message *sent, const struct st_remote_message *received)
{
    return received->as.bytes < 0
               ? received->data & ST_MESSAGE_SIZED && sent->bytes <= received->bytes
               : sent->bytes == received->as.bytes;
}

enum st_remote_match st_remote_compare(const struct st_message *sent,
                                       const struct st_remote_message *received)
{
    const bool is_sized = st_message_flags(sent) & ST_MESSAGE_SIZED;
    if (received->flags & ST_REMOTE_CUT) {
        return is_sized && received->data & ST_MESSAGE_SIZED && sent->bytes > received->bytes
                   ? ST_REMOTE_TOO_LONG
                   : ST_REMOTE_OTHER;
    }
    if (!is_sized || !has_length(sent, received)) {
        return ST_REMOTE_OTHER;
    }
    if (has_other_type(sent, received)) {
        return ST_REMOTE_OTHER_TYPE;
    }
    if (received->flags & ST_REMOTE_PARTIAL && may_end_inside(sent, received)) {
        return ST_REMOTE_ENDS_INSIDE;
    }
    return received->flags & ST_REMOTE_EXACT ? ST_REMOTE_NOT_EXACT : ST_REMOTE_MATCHES;
}
