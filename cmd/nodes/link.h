/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages between `mpipp run` and the agents of the other nodes, by ZeroMQ with CURVE: framing,
 * reconnection, encryption and authentication are its work.
 *
 *     struct link *link = link_listen(&key);               // `mpipp run`: makes keys and addresses
 *     struct link *link = link_connect(&key, "node7");     // an agent
 *     link_send(link, peer, &head, sizeof head, body, length);
 *     while (link_receive(link, 0, &message)) { ... message.peer, message.bytes ... }
 *
 * A message is one block of bytes. Nothing blocks: a message that cannot be queued is dropped, and
 * link_send() returns false. A peer that comes back after its connection broke has the same number.
 * Who does not have the key of the job gets no answer, and is counted.
 */
#ifndef MPIPP_NODES_LINK_H
#define MPIPP_NODES_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "job_key.h"

struct link;

/* Listens on a port that the system chooses, on all addresses of this host. Sets the keys and the
 * addresses in KEY, in new memory. Returns NULL, and a part of a sentence in *WHY, if that is not possible. */
struct link *link_listen(struct job_key *key, const char **why);

/* The same for an agent to which others of the job come. Sets all in OWN. */
struct link *link_branch(const struct job_key *key, struct job_key *own, const char **why);

/* How many peers have said something. */
uint32_t link_peers(const struct link *link);

/* NAME: of this node, different from those of the other agents. ADDRESS: one of KEY's. The
 * connection is made, and made again, in the background. */
struct link *link_connect(const struct job_key *key, const char *name, const char *address,
                          const char **why);

/* Waits a little for what is still to be sent. Frees LINK. */
void link_close(struct link *link);

/* True if the other end of a link that was connected to has closed it, or refuses it: its process has ended, most likely. */
bool link_is_down(struct link *link);

/* Becomes readable when there may be something to do: call link_receive() until it returns false,
 * also after each link_send(). */
int link_file(const struct link *link);

/* An agent has one peer, 0. */
bool link_send(struct link *link, uint32_t peer, const void *head, size_t head_length,
               const void *body, size_t body_length);

struct link_message {
    uint32_t peer;     /* numbered from 0 in the order in which they came */
    const char *bytes; /* until the next call of link_receive(); aligned for any type */
    size_t length;
};

/* Waits for at most WAIT milliseconds. */
bool link_receive(struct link *link, int wait, struct link_message *message);

/* Connections that did not have the key. */
unsigned long link_refused(const struct link *link);

#endif
