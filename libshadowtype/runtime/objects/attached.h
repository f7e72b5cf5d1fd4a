/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory that this rank has attached to windows of MPI_Win_create_dynamic (MPI-4.0, 12.2.4).
 * Memory that it has detached is remembered, as long as there is room, and so is that of windows
 * that it frees: the others may still access it then. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_ATTACHED_H
#define ST_RUNTIME_OBJECTS_ATTACHED_H

#include <stdbool.h>
#include <stdint.h>

enum st_attached_state {
    ST_ATTACHED_NOW,
    ST_ATTACHED_BEFORE, /* it was detached */
    ST_ATTACHED_TO_FREED
};

struct st_attached_memory {
    uint64_t win, from, to; /* handle; addresses: bytes from..to-1 */
    uint32_t site;          /* of MPI_Win_attach */
    uint8_t state;          /* enum st_attached_state */
};

void st_attached_add(const struct st_attached_memory *memory);

/* Detaches the memory that begins at this address. Returns false if none does that is attached to
 * the window. */
bool st_attached_remove(uint64_t win, uint64_t from);

/* The window is freed. */
void st_attached_free(uint64_t win);

/* Returns true if all calls with the window were seen, and all memory attached to it fits. */
bool st_attached_are_all(uint64_t win);

/* Returns memory that is attached to the window and shares a byte with from..to-1; NULL: none. */
const struct st_attached_memory *st_attached_find(uint64_t win, uint64_t from, uint64_t to);

enum st_attachment {
    ST_ATTACHMENT_FITS, /* or it is not known */
    ST_ATTACHMENT_NEVER,
    ST_ATTACHMENT_ENDED
};

/* Returns whether memory first..last may be accessed. IS_DENSE: all of its bytes are; else at least
 * the first and the last one. *NEAREST: the memory nearest to it that is, or was, attached; NULL:
 * none. */
enum st_attachment st_attached_judge(uint64_t win, uint64_t first, uint64_t last, bool is_dense,
                                     const struct st_attached_memory **nearest);

#endif
