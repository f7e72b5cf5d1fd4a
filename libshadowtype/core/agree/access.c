/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/access.h"

/* The access as words, whatever its members are; the first word is the number. */
typedef uint64_t __attribute__((may_alias)) st_access_word;
enum { WORDS = sizeof(struct st_access_record) / sizeof(st_access_word) };

static void write_one(struct st_access_room *room, uint64_t number, const void *one)
{
    st_access_word *to =
        (st_access_word *)&room->list[number & ((UINT64_C(1) << ST_LOG2_ACCESSES) - 1)];
    const st_access_word *from = one;
    __atomic_store_n(&to[0], 0, __ATOMIC_RELEASE);
    for (int i = 1; i < WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&to[0], number, __ATOMIC_RELEASE);
}

uint64_t st_access_write(struct st_access_room *room, const struct st_access_record *access,
                         const struct st_access_runs *runs)
{
    const uint64_t number = room->written + 1;
    uint64_t last = number;
    write_one(room, number, access);
    for (uint32_t left = access->runs; left;
         left -= left < ST_ACCESS_RUNS_EACH ? left : (uint32_t)ST_ACCESS_RUNS_EACH) {
        write_one(room, ++last, runs++);
    }
    __atomic_store_n(&room->written, last, __ATOMIC_RELEASE);
    return number;
}

static bool read_one(const struct st_access_room *room, uint64_t number, void *one)
{
    const st_access_word *from =
        (const st_access_word *)&room->list[number & ((UINT64_C(1) << ST_LOG2_ACCESSES) - 1)];
    st_access_word *to = one;
    for (int i = 0; i < WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
    return to[0] == number && __atomic_load_n(&from[0], __ATOMIC_ACQUIRE) == number;
}

bool st_access_read(const struct st_access_room *room, uint64_t number,
                    struct st_access_record *access)
{
    return read_one(room, number, access) && access->opened != UINT32_MAX; /* as it ends in runs */
}

bool st_access_read_runs(const struct st_access_room *room, uint64_t number,
                         struct st_access_runs *runs)
{
    return read_one(room, number, runs) && runs->mark == ST_ACCESS_RUNS;
}

bool st_access_read_owner(const struct st_access_room *room, uint64_t number, uint32_t *owner)
{
    const struct st_access_record *call =
        &room->list[number & ((UINT64_C(1) << ST_LOG2_ACCESSES) - 1)];
    if (__atomic_load_n(&call->number, __ATOMIC_ACQUIRE) != number) {
        return false;
    }
    *owner = __atomic_load_n(&call->owner, __ATOMIC_ACQUIRE);
    const uint32_t opened = __atomic_load_n(&call->opened, __ATOMIC_ACQUIRE);
    return __atomic_load_n(&call->number, __ATOMIC_ACQUIRE) == number && opened != UINT32_MAX;
}

static uint32_t first_way(uint64_t key, uint32_t log2_marks)
{
    const uint32_t place = (uint32_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - log2_marks));
    return place & ~(ST_MARK_WAYS - 1u);
}

/* Returns the mark with this key, if there is one; else the oldest. */
static struct st_access_mark *find_way(struct st_access_mark *ways, uint64_t key)
{
    struct st_access_mark *oldest = &ways[0];
    for (int i = 0; i < ST_MARK_WAYS; i++) {
        if (ways[i].key == key) {
            return &ways[i];
        }
        if (ways[i].stamp < oldest->stamp) {
            oldest = &ways[i];
        }
    }
    return oldest;
}

void st_access_mark(struct st_access_mark *marks, uint32_t log2_marks, uint64_t key, uint32_t tick)
{
    struct st_access_mark *ways = &marks[first_way(key, log2_marks)];
    struct st_access_mark *mark = find_way(ways, key);
    uint32_t last = 0;
    for (int i = 0; i < ST_MARK_WAYS; i++) {
        last = ways[i].stamp > last ? ways[i].stamp : last;
    }
    /* Not 0, which means no mark: another rank could take it for a mark that never existed. */
    __atomic_store_n(&mark->key, ~key ? ~key : 1, __ATOMIC_RELEASE);
    __atomic_store_n(&mark->tick, tick, __ATOMIC_RELEASE);
    mark->stamp = last + 1;
    __atomic_store_n(&mark->key, key, __ATOMIC_RELEASE);
}

enum st_mark st_access_marked(const struct st_access_mark *marks, uint32_t log2_marks, uint64_t key,
                              uint32_t *tick)
{
    const struct st_access_mark *ways = &marks[first_way(key, log2_marks)];
    bool has_room = false;
    for (int i = 0; i < ST_MARK_WAYS; i++) {
        const uint64_t found = __atomic_load_n(&ways[i].key, __ATOMIC_ACQUIRE);
        has_room |= found == 0;
        if (found != key && found != ~key) {
            continue;
        }
        *tick = __atomic_load_n(&ways[i].tick, __ATOMIC_ACQUIRE);
        const bool stands = __atomic_load_n(&ways[i].key, __ATOMIC_ACQUIRE) == key;
        return found == key && stands ? ST_MARK_FOUND : ST_MARK_GONE;
    }
    return has_room ? ST_MARK_NONE : ST_MARK_GONE;
}

/* --- windows ------------------------------------------------------------------------------- */

void st_access_give_memory(struct st_access_room *room, uint32_t at,
                           const struct st_access_memory *memory)
{
    struct st_access_memory *to = &room->windows[at];
    __atomic_store_n(&to->key, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&to->bytes, memory->bytes, __ATOMIC_RELEASE);
    __atomic_store_n(&to->unit, memory->unit, __ATOMIC_RELEASE);
    __atomic_store_n(&to->key, memory->key, __ATOMIC_RELEASE);
}

bool st_access_find_memory(const struct st_access_room *room, struct st_access_memory *memory)
{
    for (uint32_t i = 0; i < ST_ACCESS_WINDOWS; i++) {
        const struct st_access_memory *from = &room->windows[i];
        if (__atomic_load_n(&from->key, __ATOMIC_ACQUIRE) != memory->key) {
            continue;
        }
        memory->bytes = __atomic_load_n(&from->bytes, __ATOMIC_ACQUIRE);
        memory->unit = __atomic_load_n(&from->unit, __ATOMIC_ACQUIRE);
        return __atomic_load_n(&from->key, __ATOMIC_ACQUIRE) == memory->key;
    }
    return false;
}
