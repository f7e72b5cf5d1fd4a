/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `mpipp run` answers what `mpipp ranks`, `mpipp attach` and gdb ask about the ranks of a job of several
 * nodes. The socket is in the private folder of the job; only processes of the same user are answered.
 *
 *     struct inquiry *inquiry = inquiry_open(folder);
 *     ... when inquiry_file() is readable, and after inquiry_wait(): inquiry_step(inquiry, true, answer, context, now) ...
 *     inquiry_close(inquiry);
 *
 * A question is a line of JSON, an answer a JSON object, after which the connection is closed:
 *
 *     {"inquiry": 1, "version": "0.1.0", "ask": "ranks"}
 *     {"inquiry": 1, "version": "0.1.0", "answer": [...]}
 *
 * A question of another version gets an answer without "answer", so that it can be told. Questions are
 * INQUIRY_RANKS and INQUIRY_DEADLOCKS (watch/whole.h has the answers).
 */
#ifndef MPIPP_INQUIRY_INQUIRY_H
#define MPIPP_INQUIRY_INQUIRY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum { INQUIRY_VERSION = 1 };
#define INQUIRY_SOCKET "inquiry"
#define INQUIRY_RANKS "ranks"
#define INQUIRY_DEADLOCKS "deadlocks"

struct inquiry;

/* Returns NULL if FOLDER is NULL, or if no socket can be made there. */
struct inquiry *inquiry_open(const char *folder);

/* A descriptor to poll; -1 if INQUIRY is NULL, as for a job of one node. */
int inquiry_file(const struct inquiry *inquiry);

/* Milliseconds until inquiry_step() has to be called; -1: not at all. */
int inquiry_wait(const struct inquiry *inquiry);

/* Answers a question, in a new object; NULL: not yet, ask again. */
typedef json_t *inquiry_answer_fn(void *context, const char *question);

/* Takes questions, and answers them. Never blocks, except in ANSWER. IS_READABLE: inquiry_file() is. */
void inquiry_step(struct inquiry *inquiry, bool is_readable, inquiry_answer_fn *answer,
                  void *context, int64_t now);

/* Ends all connections, and removes the socket. */
void inquiry_close(struct inquiry *inquiry);

#endif
