/*
 * The element of a buffer that holds a byte of memory, as a report names it (core/address).
 */
#ifndef ST_RUNTIME_REPORT_ELEMENT_H
#define ST_RUNTIME_REPORT_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/overlap/elements.h"

struct st_element_text {
    char address[192]; /* cell_t(STRUCT)[0][0](MPI_DOUBLE) */
    char type[48];     /* MPI_DOUBLE */
    int64_t byte;      /* from the buffer's address on */
};

/* `count` elements of the type of a node from `address` on; the first element that holds the byte at
 * `where`. False: it cannot be said. The caller holds the recorder's lock. */
bool st_element_at(struct st_element_text *element, uint32_t node, int64_t count, uint64_t address,
                   uint64_t where);

/* The same of the element along a path from the repetition on, `where` being where it lies. */
bool st_element_along(struct st_element_text *element, uint32_t node, int64_t count,
                      uint64_t address, const struct st_path *path, uint64_t where);

/* The set name of a type, or its handle, into at most `room` bytes with a 0 at the end. */
void st_type_text(uint32_t number, char *text, size_t room);

#endif
