/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What messages.c, message_requests.c and quick_messages.c share.
 */
#ifndef ST_RUNTIME_CHECK_MESSAGES_INTERNAL_H
#define ST_RUNTIME_CHECK_MESSAGES_INTERNAL_H

#include "runtime/check/messages.h"
#include "runtime/check/unreturned.h"
#include "runtime/ranks/matched.h"
#include "runtime/ranks/places.h"

/* Returns true if messages are not followed, or not any more. */
bool st_messages_off(void);
/* Returns true if those of this thread are followed. */
bool st_messages_followed(void);
/* Returns what the call's status says; ours (OWN) if the program passed none. NULL if there is
 * nothing. */
const struct st_status_facts *st_messages_status(const struct st_facts *facts, const void *own,
                                                 int64_t index, struct st_status_facts *status);

/* Reports misfits. FACTS are those of the running call. A finding about another call, whose receive
 * it completes, is reported without them. */
void st_messages_tell(struct st_facts *facts, struct st_misfits *found);

/* Returns the description of a call that has not sent or posted anything yet. */
struct st_unreturned st_messages_new_call(const struct st_facts *facts);
/* Keeps the description of a call until it returns. */
void st_messages_keep_call(const struct st_unreturned *call);

/* Reads peer, tag, communicator and datatype of a part. Returns false if it is not compared. */
bool st_messages_read_part(const struct st_facts *facts, const struct st_part *part,
                           struct st_message_end *end);
/* Keeps the message of a call that has succeeded for those that repeat it (repeated_messages.h). */
void st_messages_keep_repeated(const struct st_facts *facts);

/* --- calls (messages.c) --- */

/* Describes the message of a part that sends, or posts the receive of one that receives, before the
 * call reaches MPI. A call has at most one part of each kind. *call describes it. */
void st_messages_begin_part(const struct st_facts *facts, const struct st_part *part,
                            struct st_unreturned *call, struct st_sent_name *sent,
                            struct st_misfits *found);
/* MPI has returned from the call that posted this receive. OWN: the status that MPI has filled
 * where the program has passed none, or NULL. */
void st_messages_end_receive(const struct st_facts *facts, const void *own, uint32_t receive,
                             bool succeeded, struct st_misfits *found);
/* MPI has refused a send: later messages get other numbers. */
void st_messages_end_refused(const struct st_facts *facts);

/* --- requests (message_requests.c) --- */

/* The operations of a call's requests begin, or are cancelled or freed. */
void st_messages_begin_requests(const struct st_checked *checked, struct st_misfits *found);
/* Returns true if one of the requests that the call may complete is a receive. */
bool st_messages_has_receives(const struct st_checked *checked);
/* Keeps the new request of a call. */
void st_messages_keep_request(struct st_checked *checked, int parameter, bool is_persistent);
/* Compares the messages of the receives that the call has completed. Reports findings one by one, because there may
 * be many. */
void st_messages_end_requests(struct st_checked *checked, bool succeeded, struct st_misfits *found);

#endif
