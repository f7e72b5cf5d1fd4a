/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The element of a buffer that contains a byte of memory, as a report names it (core/address).
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
    int64_t byte;      /* offset from the buffer's address */
    int64_t size;      /* of the basic type, in bytes; 0 if it is no basic type */
};

/* Finds the first element that contains the byte at `where`, in `count` elements of the type of a
 * node from `address` on. Returns false if it cannot be found. The caller holds the recorder's
 * lock. */
bool st_element_at(struct st_element_text *element, uint32_t node, int64_t count, uint64_t address,
                   uint64_t where);

/* Does the same for the element at the end of a path, which starts at the repetition; `where` is
 * the address of the element. */
bool st_element_along(struct st_element_text *element, uint32_t node, int64_t count,
                      uint64_t address, const struct st_path *path, uint64_t where);

/* Writes the name that was set for a type, or its handle, into at most `room` bytes, terminated by
 * a 0. */
void st_type_text(uint32_t number, char *text, size_t room);

#endif
