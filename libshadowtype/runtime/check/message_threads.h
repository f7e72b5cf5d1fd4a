/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that send or receive. Messages of two threads are not ordered (MPI-4.0, 3.5), so that it
 * is not known which message a receive gets if two threads use the same communicator, peer and tag,
 * or one of them a wildcard. From the first such call on, messages of that communicator are not
 * followed. Threads that use different ones do not matter.
 */
#ifndef ST_RUNTIME_CHECK_MESSAGE_THREADS_H
#define ST_RUNTIME_CHECK_MESSAGE_THREADS_H

#include <stdbool.h>

#include "runtime/ranks/message_ends.h"

/* This thread is about to send, or to post a receive. The caller holds the recorder's lock. */
void st_message_thread_uses(const struct st_message_end *end);

/* Says once that messages are not followed any more because of this. Needs no lock. */
void st_message_threads_tell(void);

/* Returns true if only this thread has sent and received until now. */
bool st_message_thread_is_alone(void);

#endif
