/*
 * All that a debugger can say of a rank's types, as one text: two stops at which it is the same
 * show the user the same.
 *
 *     struct description now = {0};
 *     struct known known = {0};
 *     if (!describe(&now, rank_read, &rank, root, &known)) ... now.text says what is wrong ...
 *     if (!description_equal(&before, &now)) description_show_difference(&before, &now);
 *
 * In it: the world; each live type under its handle and each tombstone, with its parameters,
 * arrays, bounds, name, flags and call sites; what is alive only below another; what every handle
 * means that was ever seen. Not in it: counters (registry.h: they lag while a change is under way).
 */
#ifndef TESTS_STOP_DESCRIBE_H
#define TESTS_STOP_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/memory.h"

struct description {
    char *text;
    size_t length;
    uint64_t changes; /* root.changes */
    size_t types;
};

/* The handles that were ever seen, in ascending order. */
struct known {
    uint64_t *handles;
    size_t count, capacity;
};

/* Fills *description, whose text is the caller's to free(). False: the registry is not sound, or
 * not consistent in itself; the text is then one line that says what. */
bool describe(struct description *description, st_read_fn read, void *context, uint64_t root,
              struct known *known);

bool description_equal(const struct description *a, const struct description *b);

/* The first lines that differ, on stdout. */
void description_show_difference(const struct description *a, const struct description *b);

#endif
