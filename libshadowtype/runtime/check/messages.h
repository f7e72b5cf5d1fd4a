/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares messages with the receives that take them. A sender describes its message in the memory
 * that the ranks of a node share, before it reaches MPI. The receiver finds out which message it
 * has received (core/agree/numbering.h), and compares.
 *
 * No message is sent for this, and no rank waits. If the sender is on another node, or not
 * recorded, or if its record was overwritten, the message is counted as not compared. If several
 * threads use the same communicator, peer and tag, the communicator is not followed any more
 * (message_threads.h).
 */
#ifndef ST_RUNTIME_CHECK_MESSAGES_H
#define ST_RUNTIME_CHECK_MESSAGES_H

#include <stdatomic.h>

#include "core/agree/numbering.h"
#include "runtime/check/check.h"
#include "runtime/check/message_forms.h"

/* To be called when MPI is initialized, and the ranks of the node share memory (node.h). Returns
 * false if there is no memory for messages. */
bool st_messages_begin(void);
/* MPI_Finalize has returned: reports messages that were sent to this rank and never received. */
void st_messages_end(void);
/* To be called in a child after fork(). */
void st_messages_forget(void);

/* The group of checks (check_groups.h), with st_messages_want(). It also sees quick calls
 * (form->quick_message): a wrapper that calls MPI at once calls these functions before and after,
 * if the group is on. */
void st_messages_before(struct st_checked *checked);
void st_messages_after(struct st_checked *checked, bool succeeded);
struct st_record *st_messages_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked);

extern atomic_bool st_messages_on __attribute__((visibility("hidden")));
static inline bool st_messages_are_on(void)
{
    return __builtin_expect(atomic_load_explicit(&st_messages_on, memory_order_relaxed), 0);
}

/* A call on the quick path, `pc` and `sp` as in struct st_call, sends a message, receives one, or both.
 * Returns what st_message_ends_quick() needs: the receive that is posted, ST_NO_RECEIVE, or
 * ST_REPEATED_MESSAGE. */
#define ST_REPEATED_MESSAGE (UINT32_MAX - 1)
uint32_t st_message_begins_quick(const struct st_form *form, const void *pc, const void *sp,
                                 const uint64_t *values);
/* STATUS: what MPI has filled, if the program passed no status; else NULL. */
void st_message_ends_quick(const struct st_form *form, const void *pc, const void *sp,
                           const uint64_t *values, uint32_t receive, const void *status,
                           bool succeeded);

/* MPI has truncated a message, in a receiving call or in one that completes the request of
 * `record`. Returns true if this was reported, with both sides. FATAL: MPI ends the job. */
bool st_messages_truncated(struct st_facts *facts, const struct st_record *record, bool fatal);
/* MPI refuses the message of a request: of partitioned communication, perhaps because the two sides
 * are not equally long. Returns true if this was reported, with both sides. FATAL: the same. */
bool st_messages_unequal(struct st_facts *facts, const struct st_record *record, bool fatal);

#endif
