/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Asks a `mpipp run` of this host (inquiry.h).
 *
 *     char *why;
 *     json_t *ranks = inquiry_ask(pid, INQUIRY_RANKS, &why);
 *     if (ranks == NULL && why != NULL) { warn("%s", why); }
 */
#ifndef MPIPP_INQUIRY_ASK_H
#define MPIPP_INQUIRY_ASK_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>

#include "inquiry.h"

/* Returns true if this process of the user answers: it is the `mpipp run` of a job of several nodes. */
bool inquiry_is_open(pid_t run);

/* Returns the answer, in a new object or array; NULL if there is none. Then *WHY is a sentence, in new memory, or
 * NULL: the process answers no questions. Waits for 9 s at most. */
json_t *inquiry_ask(pid_t run, const char *question, char **why);

#endif
