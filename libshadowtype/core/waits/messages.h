/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages that were sent and not received, as ranks that compare messages (`--check=p2p`) show them: which one fits a
 * receive that waits, that there is none, and those that nearly fit.
 *
 *     struct st_wait_messages messages;
 *     const struct st_wait_source source = {.registries = registries};
 *     if (st_wait_messages_read(ranks, &source, count, &messages)) {
 *         ranks[i].messages = &messages;         (of all ranks)
 *         if (st_wait_message_for(ranks, from, to, part) == ST_MESSAGE_MISSING) { ... }
 *         st_wait_messages_free(&messages);
 *     }
 *
 * A message is in this list from before MPI has it until the receive is complete and the program has been told. Nothing
 * is known of messages between ranks of different MPI_COMM_WORLDs. What a rank shows is not trusted: what
 * cannot be read, or does not add up, is not known.
 */
#ifndef ST_CORE_WAITS_MESSAGES_H
#define ST_CORE_WAITS_MESSAGES_H

#include "core/agree/message.h"
#include "core/waits/shown.h"
#include "core/waits/state.h"

struct st_wait_sent {
    uint32_t from, to; /* indices into the ranks */
    struct st_message message;
};

/* Where it is read what ranks show. */
struct st_wait_source {
    struct st_registry **registries; /* by rank; NULL: the rank is not open, or cannot be read */
    /* Opens registries[rank], which is NULL, if that is possible: it is called only for ranks with messages that were
     * sent and not received, and for what is told of one. NULL: all are open that can be. */
    void (*open)(void *context, uint32_t rank);
    /* What the rank shows, if that is known already; it has to last until the messages are read. Else NULL: it is read
     * from its registry, if that is open. The function may be NULL. */
    const struct st_wait_shown *(*shown)(void *context, uint32_t rank);
    void *context;
};

struct st_wait_messages {
    struct st_wait_source source;
    size_t rank_count;
    struct st_wait_sent
        *list; /* of one pair side by side, of one communicator and tag in the order of sending */
    size_t count, room;
    uint64_t *jobs; /* by rank; what ids of communicators are hashed with */
    /* Pairs of which not all messages were found, and ranks that know nothing. */
    struct st_wait_pair {
        uint32_t from, to;
    } *doubts;
    size_t doubt_count, doubt_room;
    bool *is_sender, *is_receiver; /* by rank: its counts can be relied on */
};

/* Reads them, of ranks that st_wait_read() has read. The source is copied; its registries stay the caller's, and have to
 * last. Returns false where memory ends; nothing needs to be freed then. */
bool st_wait_messages_read(const struct st_wait_rank *ranks, const struct st_wait_source *source,
                           size_t count, struct st_wait_messages *messages);
void st_wait_messages_free(struct st_wait_messages *messages);

/* The registry of a rank, which is opened if it is not yet; NULL if that is not possible. */
struct st_registry *st_wait_registry(const struct st_wait_messages *messages, uint32_t rank);

enum st_wait_message {
    ST_MESSAGE_UNKNOWN,
    ST_MESSAGE_COMES, /* one that fits was sent, and not received: MPI owes it. If receives that were posted before
                          may have taken all such messages, this is not known */
    ST_MESSAGE_MISSING /* none was */
};

/* A message from rank `from` for `part` of rank `to`, which receives or probes. */
enum st_wait_message st_wait_message_for(const struct st_wait_rank *ranks, uint32_t from,
                                         uint32_t to, const struct st_wait_part *part);

/* How a message misses a receive. */
enum st_wait_miss {
    ST_MISSES_NOTHING,
    ST_MISSES_TAG,
    ST_MISSES_COMM,
    ST_MISSES_SOURCE,     /* another rank has sent it */
    ST_MISSES_DESTINATION /* it was sent to another rank */
};

/* Of the messages for which no receive is posted, the one that comes nearest to what `part` of rank `to` receives; NULL:
 * none is near. */
const struct st_wait_sent *st_wait_near_miss(const struct st_wait_rank *ranks, uint32_t to,
                                             const struct st_wait_part *part,
                                             enum st_wait_miss *miss);

/* The communicator of a message, as its sender has it; NULL: it is not known. */
const struct st_wait_comm *st_wait_sent_comm(const struct st_wait_rank *ranks,
                                             const struct st_wait_sent *sent);

/* The function that has sent it: "MPI_Send"; "": it is not known. */
void st_wait_sent_function(const struct st_wait_messages *messages, const struct st_wait_sent *sent,
                           char name[ST_FUNCTION_BYTES]);

/* Where it was sent, as st_registry_site() has it: at most `most` frames. Returns their number; 0: it is not known. */
size_t st_wait_sent_site(const struct st_wait_messages *messages, const struct st_wait_sent *sent,
                         uint64_t *frames, size_t most);

#endif
