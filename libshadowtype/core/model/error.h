/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why the core could not answer: one table of error codes and their meaning. The layer above makes
 * the sentence for the user, because it knows how to format (gdb-plugin/ext/error.c).
 */
#ifndef ST_CORE_MODEL_ERROR_H
#define ST_CORE_MODEL_ERROR_H

#include <stdint.h>

/* X(name, what `address`, `value` and `node` of the fault mean) */
#define ST_ERRORS(X)                                                                               \
    X(ST_OK, "")                                                                                   \
    X(ST_NO_MEMORY, "the debugger is out of memory")                                               \
    X(ST_UNREADABLE, "`value` bytes at `address`; of the registry: its `field`, of `node` or not") \
    X(ST_NOT_A_REGISTRY, "no magic at `address`")                                                  \
    X(ST_OTHER_LAYOUT, "layout version `value`")                                                   \
    X(ST_OTHER_BYTE_ORDER, "a rank of the other byte order")                                       \
    X(ST_DAMAGED_ROOT, "`field` of the root has the impossible `value`")                           \
    X(ST_DAMAGED_NODE, "`field` of `node` (ST_NO_NODE: none) has the impossible `value`")          \
    X(ST_NO_SUCH_NODE, "`node` is not there (any more)")                                           \
    X(ST_CYCLE, "`node` is its own base")                                                          \
    X(ST_OUT_OF_RANGE, "index `value`")                                                            \
    X(ST_OVERFLOW, "an address or a size that does not fit in 64 bits")                            \
    X(ST_INSIDE_UNKNOWN, "what is below an OPAQUE or elided type")                                 \
    X(ST_INTERRUPTED, "the reader asked to stop")

enum st_error {
#define X(name, text) name,
    ST_ERRORS(X)
#undef X
};

/* Describes an error. The function that returns the error fills it. The table above says which
 * members have a meaning for which error. */
struct st_fault {
    enum st_error error;
    uint64_t address;
    uint64_t value;
    uint32_t node;
    const char *field; /* a name in registry.h, or the subject; static text; NULL if there is
                          none */
};

/* Stores `what` in *fault (may be NULL) and returns its error: `return st_fail(fault, (struct
 * st_fault){...})`. */
static inline enum st_error st_fail(struct st_fault *fault, struct st_fault what)
{
    if (fault) {
        *fault = what;
    }
    return what.error;
}

#endif
