/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of checks that '--check' and MPIPP_CHECK ask for: a list of words with commas.
 *
 * By default local and collective are on. If the list names one of the two, it is complete: groups
 * that are not named are off. local is always on. rma and race turn on collective and p2p, because
 * their records show in which order things happen.
 *
 *     unsigned groups;
 *     if (!st_groups_of("local,size", &groups)) { ... there is no such word ... }
 *     if (groups & ST_GROUP_SIZE) ...
 */
#ifndef ST_REPORT_GROUPS_H
#define ST_REPORT_GROUPS_H

#include <stdbool.h>

#define ST_CHECK_VARIABLE "MPIPP_CHECK"
/* Set and not empty if '--synchronous' was given. */
#define ST_SYNCHRONOUS_VARIABLE "MPIPP_SYNCHRONOUS"

/* X(name, word, number) */
#define ST_GROUPS(X)                                                                               \
    X(LOCAL, "local", 0)           /* each call alone */                                           \
    X(MODIFIED, "modified", 1)     /* send buffers, at completion compared with the start */       \
    X(SIZE, "size", 2)             /* buffers compared with the memory that they are in */         \
    X(COLLECTIVE, "collective", 3) /* collective calls, compared between ranks */                  \
    X(P2P, "p2p", 4)               /* messages, compared with their receives */                    \
    X(RMA, "rma", 5)               /* one-sided calls of all ranks, compared with each other */    \
    X(RACE, "race", 6)             /* receives from any source that several messages fit */

enum st_group {
#define X(name, word, number) ST_GROUP_##name = 1 << (number),
    ST_GROUPS(X)
#undef X
};

/* The words of the list, for sentences. */
#define ST_CHECK_WORDS "local, collective, p2p, rma, race, modified, size or none"

/* Stores the groups that a list asks for: 0 for none, local and collective for NULL and "". Returns
 * false if there is no such word, or if another word accompanies none; *groups is then that of the
 * other words, at least local. */
bool st_groups_of(const char *list, unsigned *groups);

#endif
