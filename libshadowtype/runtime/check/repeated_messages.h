/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls on the quick path that send or receive one message, as an earlier call from the same place has done, with
 * the same arguments but for the buffer: most of a program's messages. While such a call runs it is not entered
 * among the thread's other calls (unreturned.h), nor among the posted receives (numbering.h), unless something else
 * happens in the meantime.
 *
 * Not used once several threads may call MPI: the recorder's lock is not needed.
 */
#ifndef ST_RUNTIME_CHECK_REPEATED_MESSAGES_H
#define ST_RUNTIME_CHECK_REPEATED_MESSAGES_H

#include "runtime/check/unreturned.h"
#include "runtime/ranks/matched.h"
#include "runtime/wrap/facts.h"

/* A call begins. Returns true if it repeats one: then st_repeated_message_ends() has to be called. If not, nothing
 * was done. */
bool st_repeated_message_begins(const struct st_form *form, const void *pc, const void *sp,
                                const uint64_t *values);

/* The call that began with the stack pointer `sp` has returned. STATUS: what MPI has filled, if the program passed no
 * status; else NULL. Returns true if its message was compared. If not, it is an ordinary call; *receive is the receive
 * that is posted for it, ST_NO_RECEIVE for a send. */
bool st_repeated_message_ends(const void *sp, const uint64_t *values, const void *status,
                              bool succeeded, uint32_t *receive, struct st_misfits *found);

/* The same for a call that has succeeded, in fewer instructions: of a receive, only if its message is like the last
 * one. If not, returns false, and nothing was done. */
bool st_repeated_message_ends_plain(const uint64_t *values, const void *status);

/* The same for a call that makes a request, which is an ordinary call: its message is left, or its receive is posted,
 * as for the earlier one. */
bool st_repeated_request_begins(const struct st_facts *facts, struct st_unreturned *call,
                                struct st_sent_name *sent, struct st_misfits *found);

struct st_repeated_message {
    const void *pc, *sp;
    uint32_t receive; /* that is posted now; ST_NO_RECEIVE for a send */
    const struct st_message_end *end;
};
/* Returns true if such a call is running, or was left. It is an ordinary call from now on: *call describes it. */
bool st_repeated_message_runs(struct st_repeated_message *call);

/* Returns true if calls with these arguments may be kept: no datatype of the program. */
bool st_repeated_message_may(const struct st_facts *facts);
/* Keeps a call that has succeeded. */
void st_repeated_message_keep(const struct st_facts *facts, const struct st_message_end *end);

#endif
