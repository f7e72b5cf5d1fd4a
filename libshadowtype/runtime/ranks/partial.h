/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match-partial: messages that end inside an element of the receive's datatype. A program that asks
 * how many basic elements there are expects this. It may ask later, so these findings wait.
 */
#ifndef ST_RUNTIME_RANKS_PARTIAL_H
#define ST_RUNTIME_RANKS_PARTIAL_H

#include "runtime/ranks/misfits.h"
#include "runtime/wrap/statuses.h"

/* Returns true if so many bytes end inside an element of the receive's datatype. */
bool st_partial_is(const struct st_message_space *space, int64_t bytes);

/* Returns true if the program has asked for the number of basic elements of this message. */
bool st_partial_was_asked(const struct st_misfit *misfit);
/* Keeps a finding until the program asks, or st_partial_tell(). */
void st_partial_keep(const struct st_misfit *misfit);
/* The program asks for the number of basic elements of a message. */
void st_partial_asked(const struct st_status_facts *status);
/* Reports all findings that are kept. */
void st_partial_tell(void);

#endif
