/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/waits/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct st_line {
    char *text;
    size_t room, length;
};

__attribute__((format(printf, 2, 3))) static void put(struct st_line *line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    size_t left = line->room - line->length;
    int length = vsnprintf(line->text + line->length, left, format, values);
    va_end(values);
    if (length > 0) {
        line->length += (size_t)length < left ? (size_t)length : left - 1;
    }
}

static struct st_line begin_line(char *text, size_t room)
{
    text[0] = 0;
    return (struct st_line){text, room, 0};
}

static const char *comm_name(const struct st_wait_rank *rank, size_t comm)
{
    const struct st_wait_comm *known = comm == ST_NO_COMM ? NULL : &rank->comms[comm];
    if (known && known->name[0]) {
        return known->name;
    }
    return known && known->kind == ST_KIND_WIN    ? "a window"
           : known && known->kind == ST_KIND_FILE ? "a file"
                                                  : "a communicator";
}

static void put_number(struct st_line *line, const char *name, int32_t number, const char *any)
{
    if (number == ST_PEER_ANY) {
        put(line, "%s=%s, ", name, any);
    } else if (number >= 0) {
        put(line, "%s=%d, ", name, number);
    }
}

static void put_operation(struct st_line *line, const struct st_wait_rank *rank,
                          const struct st_wait_part *part, bool only_values)
{
    if (!only_values) {
        put(line, "%s(", part->function[0] ? part->function : "a request");
    }
    if (part->sort == ST_WAIT_SEND) {
        put_number(line, "dest", part->peer, "?");
        put_number(line, "tag", part->tag, "?");
    } else if (part->sort == ST_WAIT_RECEIVE || part->sort == ST_WAIT_PROBE) {
        put_number(line, "source", part->peer, "MPI_ANY_SOURCE");
        put_number(line, "tag", part->tag, "MPI_ANY_TAG");
    }
    if (!only_values) {
        put(line, "%s)", part->comm == ST_NO_COMM ? "" : comm_name(rank, part->comm));
    }
}

size_t st_describe_operation(const struct st_wait_rank *rank, const struct st_wait_part *part,
                             char *text, size_t room)
{
    struct st_line line = begin_line(text, room);
    put_operation(&line, rank, part, false);
    return line.length;
}

size_t st_describe_call(const struct st_wait_rank *rank, const struct st_wait_thread *thread,
                        char *text, size_t room)
{
    struct st_line line = begin_line(text, room);
    const struct st_wait_part *parts = &rank->parts[thread->first];
    if (!thread->count) {
        put(&line, "%s", thread->function);
    } else if (parts->is_request) {
        put(&line, "%s", thread->function);
        if (thread->count == 1) {
            put(&line, ": ");
            put_operation(&line, rank, parts, false);
        } else {
            put(&line, " of %zu requests", thread->count);
        }
    } else {
        put(&line, "%s(", thread->function);
        for (size_t i = 0; i < thread->count; i++) {
            put_operation(&line, rank, &parts[i], true);
        }
        put(&line, "%s)", parts->comm == ST_NO_COMM ? "" : comm_name(rank, parts->comm));
    }
    return line.length;
}

size_t st_wait_world_number(const struct st_wait_worlds *worlds, uint64_t world)
{
    for (size_t i = 1; worlds && i < worlds->count; i++) {
        if (worlds->names[i] == world) {
            return i + 1;
        }
    }
    return 1;
}

size_t st_describe_process(const struct st_wait_worlds *worlds, uint64_t gpid, char *text,
                           size_t room)
{
    struct st_line line = begin_line(text, room);
    const size_t number = st_wait_world_number(worlds, st_gpid_world(gpid));
    put(&line, "rank %d", st_gpid_rank(gpid));
    if (number > 1) {
        put(&line, " of world %zu", number);
    }
    return line.length;
}

static void put_tag(struct st_line *line, const struct st_wait_rank *rank,
                    const struct st_wait_part *part)
{
    if (part->tag == ST_PEER_ANY) {
        put(line, " with any tag");
    } else if (part->tag >= 0) {
        put(line, " with tag %d", part->tag);
    }
    if (part->comm != ST_NO_COMM && strcmp(comm_name(rank, part->comm), "MPI_COMM_WORLD") != 0) {
        put(line, " on %s", comm_name(rank, part->comm));
    }
}

/* "partitions 2,5-6 of 8" */
static void put_unready(struct st_line *line, const struct st_wait_part *part)
{
    const uint64_t bits = part->unready_bits;
    uint32_t named = 0;
    put(line, part->unready == 1 ? "partition " : "partitions ");
    for (int i = 0; i < 64; i++) {
        int last = i;
        if (!(bits >> i & 1)) {
            continue;
        }
        while (last + 1 < 64 && bits >> (last + 1) & 1) {
            last++;
        }
        put(line, last > i ? "%s%d-%d" : "%s%d", named ? "," : "", i, last);
        named += (uint32_t)(last - i + 1);
        i = last;
    }
    if (named < part->unready) {
        put(line, named ? " and %u more" : "%u", part->unready - named);
    }
    put(line, " of %u", part->partitions);
}

size_t st_describe_unready(const struct st_wait_rank *receiver, const struct st_wait_part *part,
                           const struct st_wait_part *offer, char *text, size_t room)
{
    struct st_line line = begin_line(text, room);
    char process[ST_PROCESS_DESCRIBED];
    st_describe_process(receiver->worlds, part->process, process, sizeof process);
    put(&line, "%s has not called MPI_Pready for ", process);
    put_unready(&line, offer);
    return line.length;
}

size_t st_describe_wait(const struct st_wait_rank *rank, const struct st_wait_part *part,
                        char *text, size_t room)
{
    struct st_line line = begin_line(text, room);
    char process[ST_PROCESS_DESCRIBED];
    st_describe_process(rank->worlds, part->process, process, sizeof process);
    switch (part->sort) {
    case ST_WAIT_RECEIVE:
    case ST_WAIT_PROBE:
        if (part->world == ST_PEER_ANY) {
            put(&line, "a message from any rank");
        } else {
            put(&line, "a message from %s", process);
        }
        put_tag(&line, rank, part);
        break;
    case ST_WAIT_SEND:
        if (part->unready) {
            put(&line, "MPI_Pready for ");
            put_unready(&line, part);
            break;
        }
        put(&line, "%s to receive a message", process);
        put_tag(&line, rank, part);
        break;
    case ST_WAIT_COLLECTIVE:
        put(&line, "the other ranks of %s", comm_name(rank, part->comm));
        break;
    case ST_WAIT_POSTS:
        put(&line, "MPI_Win_post of its targets");
        break;
    case ST_WAIT_COMPLETES:
        put(&line, "MPI_Win_complete of its origins");
        break;
    case ST_WAIT_LOCK:
        put(&line, "the lock of %s, which another rank holds", process);
        break;
    case ST_WAIT_LEADER:
        put(&line, "%s to join the groups", process);
        break;
    case ST_WAIT_UNKNOWN:
        put(&line, "what cannot be told");
        break;
    }
    return line.length;
}

static void put_process(struct st_line *line, const struct st_wait_rank *rank)
{
    char process[ST_PROCESS_DESCRIBED];
    st_describe_process(rank->worlds, st_gpid(rank->world, rank->world_rank), process,
                        sizeof process);
    put(line, "%s", process);
}

size_t st_describe_near_miss(const struct st_wait_rank *ranks, uint32_t to,
                             const struct st_wait_part *part, const struct st_wait_sent *sent,
                             enum st_wait_miss miss, char *text, size_t room)
{
    struct st_line line = begin_line(text, room);
    char process[ST_PROCESS_DESCRIBED];
    if (!sent) {
        st_describe_process(ranks[to].worlds, part->process, process, sizeof process);
        put(&line, "%s has sent none", process);
        return line.length;
    }
    const struct st_wait_comm *comm = st_wait_sent_comm(ranks, sent);
    put_process(&line, &ranks[sent->from]);
    put(&line, " has sent one");
    if (miss == ST_MISSES_DESTINATION) {
        put(&line, " to ");
        put_process(&line, &ranks[sent->to]);
    }
    if (part->tag != sent->message.tag && part->tag != ST_PEER_ANY) {
        put(&line, " with tag %d", sent->message.tag);
    }
    if (miss == ST_MISSES_COMM) {
        put(&line, " on %s",
            comm && comm->name[0] && part->comm != ST_NO_COMM &&
                    strcmp(comm->name, comm_name(&ranks[to], part->comm)) != 0
                ? comm->name
                : "another communicator");
    }
    return line.length;
}

const char *st_describe_presence(enum st_wait_presence presence)
{
    switch (presence) {
    case ST_WAIT_LEAVING:
        return "is in MPI_Finalize";
    case ST_WAIT_LEFT:
        return "has left MPI by MPI_Finalize";
    case ST_WAIT_ENDED:
        return "has ended";
    default:
        return "runs";
    }
}
