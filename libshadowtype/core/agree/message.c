/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/message.h"

#include "core/model/hash.h"

uint64_t st_message_channel(uint64_t comm, int32_t from, int32_t to, int32_t tag)
{
    uint64_t ends = (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
    uint64_t name = st_hash_word(st_hash_word(comm, ends), (uint32_t)tag);
    return name ? name : 1;
}

/* Returns the first of a message's places. */
static inline uint32_t first_place(uint64_t channel, uint64_t number, uint32_t mask)
{
    return ((uint32_t)((channel >> 16) + number) * ST_MESSAGE_WAYS) & mask;
}

/* A message as words, whatever its members are; the first word is the number. */
typedef uint64_t __attribute__((may_alias)) st_message_word;
enum { WORDS = sizeof(struct st_message) / sizeof(st_message_word) };

/* Returns true if the place has memory by now. */
static bool make_place(const struct st_message_writer *writer, uint32_t place)
{
    return st_message_is_made(writer->room, place) || writer->make(place >> ST_LOG2_CHUNK);
}

uint32_t st_message_open(const struct st_message_writer *writer, uint64_t channel, uint64_t number)
{
    const uint32_t first = first_place(channel, st_message_number(number), writer->mask);
    uint8_t *next_way = &writer->next[first / ST_MESSAGE_WAYS];
    if (__builtin_expect(*next_way == 0, 0) && !make_place(writer, first)) {
        return ST_NO_MESSAGE;
    }
    const uint32_t place = first + (*next_way)++ % ST_MESSAGE_WAYS;
    __atomic_store_n(&writer->room->list[place].number, 0, __ATOMIC_RELEASE);
    return place;
}

void st_message_close(const struct st_message_writer *writer, uint32_t place,
                      const struct st_message *message)
{
    const uint32_t next = (place / ST_MESSAGE_WAYS + 1) * ST_MESSAGE_WAYS & writer->mask;
    const st_message_word *from = (const st_message_word *)message;
    st_message_word *to = (st_message_word *)&writer->room->list[place];
#pragma GCC unroll 8
    for (int i = 1; i < WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&to[0], from[0], __ATOMIC_RELEASE);
    /* The receiver has read there: where the channel's next message will be written, the cache line has to be
     * fetched back, or MPI's own stores wait for it. */
    __builtin_prefetch(
        &writer->room->list[next + writer->next[next / ST_MESSAGE_WAYS] % ST_MESSAGE_WAYS], 1);
}

/* Moves *place on to the next place with memory, which may be itself. Returns false if no more follows. */
static bool find_made(const struct st_message_room *room, uint32_t mask, uint32_t *place)
{
    const uint32_t chunk = 1u << ST_LOG2_CHUNK;
    while (*place <= mask && !st_message_is_made(room, *place)) {
        *place = (*place / chunk + 1) * chunk;
    }
    return *place <= mask;
}

void st_message_forget(struct st_message_room *room, uint32_t mask, uint64_t comm)
{
    const uint32_t name = st_message_comm(comm);
    for (uint32_t i = 0; find_made(room, mask, &i); i++) {
        if (room->list[i].comm == name) {
            __atomic_store_n(&room->list[i].number, 0, __ATOMIC_RELEASE);
        }
    }
}

void st_message_forget_all(struct st_message_room *room, uint32_t mask)
{
    for (uint32_t i = 0; find_made(room, mask, &i); i++) {
        __atomic_store_n(&room->list[i].number, 0, __ATOMIC_RELEASE);
    }
}

static void load_message(struct st_message *message, const struct st_message *place)
{
    const st_message_word *from = (const st_message_word *)place;
    st_message_word *to = (st_message_word *)message;
#pragma GCC unroll 8
    for (int i = 0; i < WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
}

/* Returns true if the message is in this place, and did not change meanwhile. */
static bool read_place(const struct st_message *place, uint64_t channel, uint64_t number,
                       struct st_message *message)
{
    const uint64_t word = __atomic_load_n(&place->number, __ATOMIC_ACQUIRE);
    if (st_message_number(word) != number) {
        return false;
    }
    load_message(message, place);
    return message->number == word && message->channel == channel &&
           __atomic_load_n(&place->number, __ATOMIC_ACQUIRE) == word;
}

uint32_t st_message_read(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                         uint64_t number, struct st_message *message)
{
    const uint32_t first = first_place(channel, number, mask);
    if (!st_message_is_made(room, first)) {
        return ST_NO_MESSAGE;
    }
    for (uint32_t i = first; i < first + ST_MESSAGE_WAYS; i++) {
        if (read_place(&room->list[i], channel, number, message)) {
            return i;
        }
    }
    return ST_NO_MESSAGE;
}

void st_message_expect(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                       uint64_t number, uint32_t way)
{
    __builtin_prefetch(&room->list[first_place(channel, number, mask) + way % ST_MESSAGE_WAYS]);
}

uint32_t st_message_read_near(const struct st_message_room *room, uint32_t mask, uint64_t channel,
                              uint64_t number, uint32_t way, struct st_message *message)
{
    const uint32_t near = first_place(channel, number, mask) + way % ST_MESSAGE_WAYS;
    return st_message_is_made(room, near) && read_place(&room->list[near], channel, number, message)
               ? near
               : st_message_read(room, mask, channel, number, message);
}

uint32_t st_message_find_like(const struct st_message_room *room, uint32_t mask,
                              const struct st_message *like, uint64_t number, uint32_t way,
                              uint64_t *word)
{
    const uint32_t near = first_place(like->channel, number, mask) + way % ST_MESSAGE_WAYS;
    const struct st_message *place = &room->list[near];
    if (!st_message_is_made(room, near)) {
        return ST_NO_MESSAGE;
    }
    *word = __atomic_load_n(&place->number, __ATOMIC_ACQUIRE);
    const uint64_t differs =
        (st_message_number(*word) ^ number) |
        (__atomic_load_n(&place->channel, __ATOMIC_ACQUIRE) ^ like->channel) |
        (__atomic_load_n(&place->hash[0], __ATOMIC_ACQUIRE) ^ like->hash[0]) |
        (__atomic_load_n(&place->hash[1], __ATOMIC_ACQUIRE) ^ like->hash[1]) |
        (uint64_t)(__atomic_load_n(&place->length, __ATOMIC_ACQUIRE) ^ like->length) |
        (uint64_t)(__atomic_load_n(&place->bytes, __ATOMIC_ACQUIRE) ^ like->bytes) |
        (uint64_t)(__atomic_load_n(&place->called, __ATOMIC_ACQUIRE) ^ like->called);
    return !differs && __atomic_load_n(&place->number, __ATOMIC_ACQUIRE) == *word ? near
                                                                                  : ST_NO_MESSAGE;
}

uint32_t st_message_read_next(const struct st_message_room *room, uint32_t mask, uint32_t *place,
                              struct st_message *message)
{
    while (find_made(room, mask, place)) {
        const uint32_t at = (*place)++;
        const struct st_message *there = &room->list[at];
        const uint64_t word = __atomic_load_n(&there->number, __ATOMIC_ACQUIRE);
        if (word && read_place(there, there->channel, st_message_number(word), message)) {
            return at;
        }
    }
    return ST_NO_MESSAGE;
}

static enum st_message_fit fit_if(bool fits)
{
    return fits ? ST_MESSAGE_FITS : ST_MESSAGE_OTHER_TYPE;
}

/* Compares elements that are not all equal with the first ones of a datatype. */
static enum st_message_fit fit_beginning(const struct st_message *sent,
                                         const struct st_message_space *received)
{
    struct st_signature begin;
    if (sent->length == received->data.length) {
        return fit_if(sent->hash[0] == received->data.hash[0] &&
                      sent->hash[1] == received->data.hash[1]);
    }
    if (received->one.length < 1) {
        return ST_MESSAGE_FITS;
    }
    if (sent->length % received->one.length != 0) {
        return ST_MESSAGE_ENDS_INSIDE;
    }
    return fit_if(
        !st_signature_repeat(&begin, &received->one, sent->length / received->one.length) ||
        (sent->hash[0] == begin.hash.high && sent->hash[1] == begin.hash.low));
}

static enum st_message_fit fit_type(const struct st_message *sent,
                                    const struct st_message_space *received)
{
    const bool sends_one = st_message_flags(sent) & ST_MESSAGE_UNIFORM;
    const bool takes_one = received->data.flags & ST_MESSAGE_UNIFORM;
    if (sent->length == 0) {
        return ST_MESSAGE_FITS;
    }
    if (takes_one) {
        return fit_if(sends_one && sent->hash[0] == received->data.hash[0]);
    }
    if (!sends_one) {
        return fit_beginning(sent, received);
    }
    /* Some equal elements may be the beginning of several elements. */
    return sent->length < received->one.length ? ST_MESSAGE_ENDS_INSIDE : ST_MESSAGE_OTHER_TYPE;
}

enum st_message_fit st_message_fits(const struct st_message *sent,
                                    const struct st_message_space *received)
{
    const uint16_t both = st_message_flags(sent) & received->data.flags;
    if (both & ST_MESSAGE_SIZED && sent->bytes > received->data.bytes) {
        return ST_MESSAGE_TOO_LONG;
    }
    return both & ST_MESSAGE_SIGNED ? fit_type(sent, received) : ST_MESSAGE_FITS;
}
