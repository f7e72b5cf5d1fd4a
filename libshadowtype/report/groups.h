/*
 * What '--check' and MPIPP_CHECK ask for: groups of checks, as a list of their words with commas.
 *
 * On unless others are named: local and collective. Where one of the two is named, what is named is all; local
 * is always on, and rma asks for collective and p2p, whose records say what is ordered.
 *
 *     unsigned groups;
 *     if (!st_groups_of("local,size", &groups)) { ... a word that is none ... }
 *     if (groups & ST_GROUP_SIZE) ...
 */
#ifndef ST_REPORT_GROUPS_H
#define ST_REPORT_GROUPS_H

#include <stdbool.h>

#define ST_CHECK_VARIABLE "MPIPP_CHECK"
/* Not empty: '--synchronous'. */
#define ST_SYNCHRONOUS_VARIABLE "MPIPP_SYNCHRONOUS"

/* X(name, word, number) */
#define ST_GROUPS(X)                                                                               \
    X(LOCAL, "local", 0)           /* each call by itself */                                       \
    X(MODIFIED, "modified", 1)     /* what is sent, at its completion against its start */         \
    X(SIZE, "size", 2)             /* buffers against the memory that they lie in */               \
    X(COLLECTIVE, "collective", 3) /* collective calls of one rank against those of the others */  \
    X(P2P, "p2p", 4)               /* messages against the receives that take them */              \
    X(RMA, "rma", 5)               /* one-sided calls of all ranks against each other */

enum st_group {
#define X(name, word, number) ST_GROUP_##name = 1 << (number),
    ST_GROUPS(X)
#undef X
};

/* What the list has to be, for sentences. */
#define ST_CHECK_WORDS "local, collective, p2p, rma, modified, size or none"

/* The groups that a list asks for: 0 for none, local and collective for NULL and "". False: a word is
 * wrong, or something stands beside none; *groups is what the others ask for, local at least. */
bool st_groups_of(const char *list, unsigned *groups);

#endif
