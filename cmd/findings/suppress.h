/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings that the user does not want to see: a file with one line for each.
 *
 *     # a comment
 *     datatype-leak                   everywhere
 *     request-*:fun:exchange*         if a frame of the call is in such a function
 *     handle-leak:src:halo.c          ... in such a file; also halo.c:58
 *     datatype-*:obj:*libparmetis*    ... in such a module
 *     datatype-leak:setup             in any of them: a part of the name is enough
 *
 * '*' and '?' match characters, as in the files of valgrind and the sanitizers.
 */
#ifndef MPIPP_FINDINGS_SUPPRESS_H
#define MPIPP_FINDINGS_SUPPRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "facts.h"

struct suppression;

struct suppressions {
    struct suppression *list;
    size_t count;
};

/* Adds the suppressions of a file. Ends mpipp with a sentence if it cannot be read or has a wrong
 * line. */
void suppressions_read(struct suppressions *suppressions, const char *path);

bool suppressions_match(const struct suppressions *suppressions, const struct facts *facts);

/* Returns the line that suppresses FACTS and similar findings, in new memory. */
char *suppression_for(const struct facts *facts);

#endif
