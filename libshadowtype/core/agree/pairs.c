/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/pairs.h"

#include <string.h>

static uint64_t load_word(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

struct st_rank_pairs *st_pairs_take(struct st_rank_pairs_room *room, uint64_t sends,
                                    uint64_t receives, uint64_t *place)
{
    uint64_t bytes =
        sizeof(struct st_rank_pairs) + (sends + receives) * sizeof(struct st_rank_pair);
    if (sends > ST_PAIRS_BYTES || receives > ST_PAIRS_BYTES || bytes > ST_PAIRS_BYTES / 2) {
        return NULL;
    }
    uint64_t from = room->begun;
    uint64_t left = ST_PAIRS_BYTES - from % ST_PAIRS_BYTES;
    if (left < bytes) {
        from += left;
    }
    /* A reader of the old data sees by this that it is gone. */
    __atomic_store_n(&room->begun, from + bytes, __ATOMIC_SEQ_CST);
    *place = from + 1;
    struct st_rank_pairs *pairs =
        (struct st_rank_pairs *)(void *)&room->bytes[from % ST_PAIRS_BYTES / 8];
    pairs->sends = (uint32_t)sends;
    pairs->receives = (uint32_t)receives;
    return pairs;
}

/* --- rows ------------------------------------------------------------------------------------ */

enum { IS_SENT, IS_RECEIVED };
#define IS_ROW                                                                                     \
    (UINT64_C(1) << 63) /* in the place of a call; then come its key and its row's number */

struct st_rank_row *st_row_begin(struct st_rank_pairs_room *room, const struct st_collective *call)
{
    struct st_rank_row *row =
        &room->rows[st_collective_place(call->comm, call->number, ST_LOG2_ROWS)];
    __atomic_store_n(&row->key, 0, __ATOMIC_RELEASE);
    ST_ROW_STORE(row->comm, call->comm);
    ST_ROW_STORE(row->number, call->number);
    return row;
}

void st_row_end(struct st_rank_row *row, const struct st_collective *call)
{
    __atomic_store_n(&row->key, st_collective_key(call->comm, call->number), __ATOMIC_RELEASE);
}

static uint64_t place_of_row(uint64_t key, uint32_t number)
{
    return key << ST_LOG2_ROWS | number | IS_ROW;
}

uint64_t st_row_place(const struct st_collective *call)
{
    return place_of_row(st_collective_key(call->comm, call->number),
                        st_collective_place(call->comm, call->number, ST_LOG2_ROWS));
}

static int64_t load_length(const struct st_rank_row *row, int32_t member, int direction)
{
    return __atomic_load_n(&row->lengths[member][direction], __ATOMIC_ACQUIRE);
}

/* Returns the number of a member's entry, of `count`; -1 if it has none. */
static int32_t entry_of(uint32_t count, int32_t member)
{
    return count == 1 ? 0 : (uint32_t)member < count && count <= ST_ROW_RANKS ? member : -1;
}

/* What a rank has said of itself in its row. */
struct st_row_head {
    uint64_t element[2];
    uint32_t sends, receives, function;
    int32_t member;
};

static struct st_row_head load_head(const struct st_rank_row *row)
{
    return (struct st_row_head){
        .element = {load_word(&row->element[IS_SENT]), load_word(&row->element[IS_RECEIVED])},
        .sends = __atomic_load_n(&row->sends, __ATOMIC_ACQUIRE),
        .receives = __atomic_load_n(&row->receives, __ATOMIC_ACQUIRE),
        .function = __atomic_load_n(&row->function, __ATOMIC_ACQUIRE),
        .member = __atomic_load_n(&row->member, __ATOMIC_ACQUIRE),
    };
}

/* One side of a pair of ranks. */
struct st_row_side_of {
    const struct st_rank_row *row;
    struct st_row_head head;
};

/* Returns true if it is known that what `from` sends to `to` is what that receives. */
static inline bool is_received(const struct st_row_side_of *from, const struct st_row_side_of *to)
{
    if (!from->head.sends || !to->head.receives) {
        return true;
    }
    const int32_t sent = entry_of(from->head.sends, to->head.member);
    const int32_t received = entry_of(to->head.receives, from->head.member);
    if (sent < 0 || received < 0) {
        return false;
    }
    const int64_t length = load_length(from->row, sent, IS_SENT);
    return length == load_length(to->row, received, IS_RECEIVED) &&
           (!length || from->head.element[IS_SENT] == to->head.element[IS_RECEIVED]);
}

/* The data of a row that was read before was that of the call with this key. */
static bool is_row_there(const struct st_rank_row *row, uint64_t key)
{
    return load_word(&row->key) == key;
}

/* Returns false if the rank may have come to the call of `mine`, and have left this row to a later one. */
static bool is_before(const struct st_rank_row *row, const struct st_rank_row *mine, uint64_t key)
{
    const bool before =
        load_word(&row->comm) == mine->comm && load_word(&row->number) < mine->number;
    return key && before && load_word(&row->key) == key;
}

enum st_row_verdict st_rows_compare(const struct st_rank_row *mine, const struct st_rank_row *other)
{
    const uint64_t key = __atomic_load_n(&other->key, __ATOMIC_SEQ_CST);
    if (key != mine->key) {
        return is_before(other, mine, key) ? ST_ROW_IS_NOT_THERE : ST_ROWS_ARE_NOT_ENOUGH;
    }
    const struct st_row_side_of one = {mine, load_head(mine)}, two = {other, load_head(other)};
    const bool agree = one.head.sends + one.head.receives && two.head.sends + two.head.receives &&
                       one.head.function == two.head.function && is_received(&one, &two) &&
                       is_received(&two, &one);
    return agree && is_row_there(other, mine->key) ? ST_ROWS_AGREE : ST_ROWS_ARE_NOT_ENOUGH;
}

struct st_row_mine st_row_mine(const struct st_rank_row *row)
{
    const struct st_row_head head = load_head(row);
    /* Without its entry in each direction it agrees with none (st_rows_agree()). */
    const bool has_entry =
        entry_of(head.sends, head.member) >= 0 && entry_of(head.receives, head.member) >= 0;
    return (struct st_row_mine){
        .row = row,
        .key = load_word(&row->key),
        .element = {head.element[IS_SENT], head.element[IS_RECEIVED]},
        .sends = has_entry ? head.sends : 0,
        .receives = has_entry ? head.receives : 0,
        .function = head.function,
        .member = head.member,
        .each = {head.sends == 1 ? 0 : UINT32_MAX, head.receives == 1 ? 0 : UINT32_MAX},
    };
}

/* Returns the row of a place, and its key; NULL if the call is not there. */
static const struct st_rank_row *find_row(const struct st_rank_pairs_room *room, uint64_t place,
                                          uint64_t *key)
{
    const uint32_t number = (uint32_t)place % (1 << ST_LOG2_ROWS);
    *key = load_word(&room->rows[number].key);
    return *key && place_of_row(*key, number) == place ? &room->rows[number] : NULL;
}

static bool read_row(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                     int32_t member, struct st_rank_pair *pair)
{
    uint64_t key;
    const struct st_rank_row *row = find_row(room, place, &key);
    if (!row) {
        return false;
    }
    const struct st_row_head head = load_head(row);
    const uint32_t count = sends ? head.sends : head.receives;
    const int32_t entry = count ? entry_of(count, member) : -1;
    if (entry < 0) {
        return false;
    }
    const int direction = sends ? IS_SENT : IS_RECEIVED;
    *pair = (struct st_rank_pair){.length = load_length(row, entry, direction),
                                  .flags = ST_COLLECTIVE_SIGNATURE | ST_COLLECTIVE_UNIFORM};
    pair->hash[0] = pair->length ? head.element[direction] : 0;
    return is_row_there(row, key);
}

static uint32_t count_in_row(const struct st_rank_pairs_room *room, uint64_t place, bool sends)
{
    uint64_t key;
    const struct st_rank_row *row = find_row(room, place, &key);
    if (!row) {
        return 0;
    }
    const struct st_row_head head = load_head(row);
    return !is_row_there(row, key) ? 0 : sends ? head.sends : head.receives;
}

/* --- the ring -------------------------------------------------------------------------------- */

static bool is_pair_there(const struct st_rank_pairs_room *room, uint64_t from)
{
    uint64_t begun = load_word(&room->begun);
    return from < begun && begun - from <= ST_PAIRS_BYTES;
}

static bool read_words(const struct st_rank_pairs_room *room, uint64_t from, uint64_t *words,
                       uint64_t count)
{
    uint64_t first = from % ST_PAIRS_BYTES / sizeof *words;
    if (count > ST_PAIRS_BYTES / sizeof *words - first) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        words[i] = load_word(&room->bytes[first + i]);
    }
    return true;
}

/* Returns false if it is not there any more. */
static bool read_head(const struct st_rank_pairs_room *room, uint64_t place,
                      struct st_rank_pairs *head)
{
    uint64_t from = place - 1, word;
    _Static_assert(sizeof *head == sizeof word, "one word");
    if (!place || from % sizeof word || !is_pair_there(room, from) ||
        !read_words(room, from, &word, 1)) {
        return false;
    }
    memcpy(head, &word, sizeof word);
    return true;
}

bool st_pairs_are_there(const struct st_rank_pairs_room *room, uint64_t place)
{
    struct st_rank_pairs head;
    uint64_t key;
    if (place & IS_ROW) {
        return find_row(room, place, &key) != NULL;
    }
    return read_head(room, place, &head) && is_pair_there(room, place - 1);
}

uint32_t st_pairs_count(const struct st_rank_pairs_room *room, uint64_t place, bool sends)
{
    struct st_rank_pairs head;
    if (place & IS_ROW) {
        return count_in_row(room, place, sends);
    }
    if (!read_head(room, place, &head) || !is_pair_there(room, place - 1)) {
        return 0;
    }
    return sends ? head.sends : head.receives;
}

bool st_pairs_read(const struct st_rank_pairs_room *room, uint64_t place, bool sends,
                   int32_t member, struct st_rank_pair *pair)
{
    struct st_rank_pairs head;
    uint64_t from = place - 1, words[sizeof *pair / sizeof(uint64_t)];
    if (place & IS_ROW && member >= 0) {
        return read_row(room, place, sends, member, pair);
    }
    if (member < 0 || !read_head(room, place, &head)) {
        return false;
    }
    uint64_t count = sends ? head.sends : head.receives;
    uint64_t index = (sends ? 0 : (uint64_t)head.sends) + (count == 1 ? 0 : (uint64_t)member);
    if (count == 0 || (count > 1 && (uint64_t)member >= count) ||
        !read_words(room, from + sizeof head + index * sizeof *pair, words, sizeof words / 8)) {
        return false;
    }
    memcpy(pair, words, sizeof *pair);
    return is_pair_there(room, from);
}

bool st_pairs_differ(const struct st_rank_pair *sent, const struct st_rank_pair *received)
{
    if (!(sent->flags & received->flags & ST_COLLECTIVE_SIGNATURE)) {
        return false;
    }
    if (sent->length != received->length) {
        return true;
    }
    return sent->length != 0 &&
           ((sent->flags ^ received->flags) & ST_COLLECTIVE_UNIFORM ||
            sent->hash[0] != received->hash[0] || sent->hash[1] != received->hash[1]);
}
