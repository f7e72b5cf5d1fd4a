/*
 * Findings that a user does not want to see: a file with a line for each.
 *
 *     # a comment
 *     datatype-leak                   everywhere
 *     request-*:fun:exchange*         where a frame of the call is in such a function
 *     handle-leak:src:halo.c          ... in such a file; also halo.c:58
 *     datatype-*:obj:*libparmetis*    ... in such a module
 *     datatype-leak:setup             in any of them: a part of the name is enough
 *
 * '*' and '?' stand for characters, as in valgrind's and the sanitizers' files.
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

/* Adds those of a file; ends mpipp with a sentence if it cannot be read or has a wrong line. */
void suppressions_read(struct suppressions *suppressions, const char *path);

bool suppressions_match(const struct suppressions *suppressions, const struct facts *facts);

/* The line that suppresses FACTS and what is like it, in new memory. */
char *suppression_for(const struct facts *facts);

#endif
