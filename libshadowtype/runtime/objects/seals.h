/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Seals: a seal remembers the bytes of a buffer as hashes (XXH3) of its pieces, to detect later
 * changes.
 *
 *     struct st_seal seal;
 *     if (st_seal_make(&seal, &buffer)) {
 *         ... later ...
 *         struct st_breach breach;
 *         if (st_seal_broken(&seal, &buffer, &breach))
 *             ... bytes of the buffer have changed: from breach.first to breach.last ...
 *         st_seal_drop(&seal);
 *     }
 *
 * Only the bytes that the layout covers are hashed, in the order of a walk over it (window.h). They
 * are read piece by piece, never all at once, by st_peek(). If memory cannot be read, no seal is
 * made, and no change is reported. A piece has 8 bytes if there are at most ST_SEAL_PIECES of them;
 * for larger buffers pieces double. So a seal takes no more memory than the data, and at most 4
 * KiB, and locates a change to one part in 256.
 *
 * Several threads may call these functions at once, but not for the same seal.
 *
 * The seals of pending operations' buffers are in a table, by the buffer's number (pending.h). The
 * table exists only if --check=modified is on. A seal is dropped when the buffer is not active any
 * more, for whatever reason.
 */
#ifndef ST_RUNTIME_OBJECTS_SEALS_H
#define ST_RUNTIME_OBJECTS_SEALS_H

#include "core/overlap/overlap.h"

enum { ST_SEAL_PIECES = 512, ST_SEAL_INSIDE = 5 };

struct st_seal {
    uint64_t bytes; /* bytes that the layout covers */
    uint32_t count; /* number of hashes; 0: there is no seal */
    uint16_t log2_piece;
    bool spoilt; /* st_seals_spoil() was called: no seal may be made */
    union {
        uint64_t inside[ST_SEAL_INSIDE];
        uint64_t *more; /* used if there are more than ST_SEAL_INSIDE */
    } hashes;
};

/* A change: at least one byte in each of the pieces has changed. */
struct st_breach {
    uint64_t bytes;       /* of all changed pieces */
    uint64_t all;         /* of the buffer */
    uint64_t first, last; /* addresses of the first byte of the first piece, and of the last byte
                             of the last one */
};

/* Makes a seal of the buffer. Returns false, and an empty seal, if the buffer cannot be read, or if
 * there is no memory. */
bool st_seal_make(struct st_seal *seal, const struct st_buffer *buffer);

/* Returns true if the bytes of the buffer have changed since the seal was made; false also if that
 * cannot be found out. */
bool st_seal_broken(const struct st_seal *seal, const struct st_buffer *buffer,
                    struct st_breach *breach);

/* Frees the memory of a seal, and empties it. */
void st_seal_drop(struct st_seal *seal);

/* --- the table; the caller holds the lock of the operations ------------------------------------ */

/* True if --check=modified is on; changes at MPI_Init only. */
extern bool st_seals_on __attribute__((visibility("hidden")));

/* Turns it on. Returns false if the system does not allow memory to be read safely. */
bool st_seals_begin(void);

/* Returns true if the buffer has no seal, and may have one. */
bool st_seals_wanted(uint32_t number);

/* Gives the buffer its seal. Returns false, and does not take it, if the buffer has one already or
 * may have none, or if there is no memory. */
bool st_seals_put(uint32_t number, const struct st_seal *seal);

/* Removes the buffer's seal from the table, and gives it to the caller. Returns false if the buffer
 * has none. */
bool st_seals_take(uint32_t number, struct st_seal *seal);

/* Drops the buffer's seal, if it has one. */
void st_seals_drop(uint32_t number);

/* Does the same, and no other seal is made as long as the buffer is active. */
void st_seals_spoil(uint32_t number);

#endif
