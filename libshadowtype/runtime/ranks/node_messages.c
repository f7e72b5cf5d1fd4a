/* SPDX-License-Identifier: BSD-3-Clause */
/* The rooms for messages in the memory that the ranks of a node share (core/agree/message.h). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/ranks/node.h"
#include "runtime/ranks/node_internal.h"
#include "runtime/record/root.h"
#include "runtime/report/finding.h"

static const void *rooms[ST_SEGMENT_RANKS]; /* as far as they were looked for; they stay mapped */

/* A table that is no larger than usual has all its memory from the beginning. */
static bool is_usual(void)
{
    return st_ranks_node.message_mask >> ST_LOG2_MESSAGES == 0;
}

static void *map_room(int file, uint32_t rank, int access)
{
    const uint32_t mask = st_ranks_node.message_mask;
    const uint64_t bytes = st_message_room_bytes(mask), head = sizeof(struct st_message_room);
    char *room = st_node_map(file, st_segment_messages(rank, mask), bytes, access);
    if (room && !is_usual()) {
        /* Who writes a core file would make the memory that is not there by reading it. */
        madvise(room + head, bytes - head, MADV_DONTDUMP);
    }
    return room;
}

/* --- this rank ----------------------------------------------------------------------------- */

/* Makes the memory of a part of the room. */
static bool make_part(int file, const void *begin, uint64_t bytes)
{
    char *room = (char *)st_ranks_node.messages;
    const uint64_t from = (uint64_t)((const char *)begin - room);
    if (!st_node_allocate(
            file, st_segment_messages(st_ranks_node.rank, st_ranks_node.message_mask) + from,
            bytes)) {
        return false;
    }
    madvise(room + from, bytes, MADV_DODUMP);
#ifdef MADV_POPULATE_WRITE
    madvise(room + from, bytes, MADV_POPULATE_WRITE); /* at once it costs less than page by page */
#endif
    return true;
}

static bool make_parts(int file, uint32_t chunk)
{
    const struct st_message_room *room = st_ranks_node.messages;
    const uint32_t mask = st_ranks_node.message_mask, first = chunk << ST_LOG2_CHUNK;
    const uint64_t places = UINT64_C(1) << ST_LOG2_CHUNK;
    return make_part(file, &room->list[first], places * sizeof *room->list) &&
           make_part(file, &st_message_after(room, mask)[first], places * sizeof(uint32_t)) &&
           make_part(file, &st_message_ticks(room, mask)[first], places * sizeof(uint32_t));
}

static void publish_chunk(uint32_t chunk)
{
    __atomic_store_n(&st_ranks_node.messages->facts.is_made[chunk], 1, __ATOMIC_RELEASE);
}

static bool make_chunk(uint32_t chunk)
{
    static bool is_full; /* then it is not tried again: it costs system calls */
    const int saved = errno;
    const int file = is_full ? -1 : st_node_open(O_RDWR);
    const bool is_made = file >= 0 && make_parts(file, chunk);
    if (file >= 0) {
        close(file);
    }
    errno = saved;
    if (is_made) {
        publish_chunk(chunk);
    } else if (!is_full) {
        is_full = true;
        st_findings_note("there is no memory for the descriptions of more messages, as "
                         "--match-memory allows: some are not compared");
    }
    return is_made;
}

/* Also allocates the last page: so the file is as long as others expect. */
static struct st_message_room *make_room(int file)
{
    const uint32_t mask = st_ranks_node.message_mask;
    const uint64_t from = st_segment_messages(st_ranks_node.rank, mask), page = 4096,
                   bytes = st_message_room_bytes(mask);
    const uint64_t first = is_usual() ? bytes : sizeof(struct st_message_room);
    return st_node_allocate(file, from, first) && st_node_allocate(file, from + bytes - page, page)
               ? map_room(file, st_ranks_node.rank, PROT_READ | PROT_WRITE)
               : NULL;
}

bool st_node_make_messages(struct st_message_writer *writer)
{
    const int saved = errno;
    const int file = st_node_open(O_RDWR);
    st_ranks_node.messages = file >= 0 ? make_room(file) : NULL;
    if (file >= 0) {
        close(file);
    }
    errno = saved;
    if (!st_ranks_node.messages) {
        return false;
    }
    for (uint32_t i = 0; is_usual() && i <= st_ranks_node.message_mask >> ST_LOG2_CHUNK; i++) {
        publish_chunk(i);
    }
    *writer = (struct st_message_writer){
        .room = st_ranks_node.messages, .mask = st_ranks_node.message_mask, .make = make_chunk};
    __atomic_store_n(&rooms[st_ranks_node.rank], st_ranks_node.messages, __ATOMIC_RELEASE);
    __atomic_store_n(&st_ranks_node.ranks[st_ranks_node.rank].has_messages, 1, __ATOMIC_RELEASE);
    return true;
}

void st_node_show_messages(const struct st_shared_messages *shown)
{
    st_node_show(st_address(shown));
}

/* --- others -------------------------------------------------------------------------------- */

static __attribute__((noinline, cold)) const struct st_message_room *map_other(uint32_t rank)
{
    if (!st_node_has(rank) ||
        !__atomic_load_n(&st_ranks_node.ranks[rank].has_messages, __ATOMIC_ACQUIRE)) {
        return NULL;
    }
    const int saved = errno;
    const int file = st_node_open(O_RDONLY);
    const void *room = file >= 0 ? map_room(file, rank, PROT_READ) : NULL;
    if (file >= 0) {
        close(file);
    }
    if (room) {
        __atomic_store_n(&rooms[rank], room, __ATOMIC_RELEASE);
    }
    errno = saved;
    return room;
}

const struct st_message_room *st_node_messages(uint32_t rank)
{
    const struct st_message_room *room =
        rank < ST_SEGMENT_RANKS ? __atomic_load_n(&rooms[rank], __ATOMIC_ACQUIRE) : NULL;
    return room ? room : map_other(rank);
}
