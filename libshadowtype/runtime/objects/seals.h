/*
 * Seals: what a buffer's bytes are, remembered as a hash (XXH3) of each piece of them.
 *
 *     struct st_seal seal;
 *     if (st_seal_make(&seal, &buffer)) {
 *         ... later ...
 *         struct st_breach breach;
 *         if (st_seal_broken(&seal, &buffer, &breach))
 *             ... bytes of the buffer are others now: from breach.first to breach.last ...
 *         st_seal_drop(&seal);
 *     }
 *
 * Only the bytes that the layout covers are looked at, in the order of a walk over it (window.h). They
 * are read piece by piece, never all at once, and by st_peek(): what cannot be read gets no seal, and breaks
 * none. A piece is 8 bytes as long as there are no more than ST_SEAL_PIECES of them; then pieces
 * double, so that a seal takes no more memory than the data, and 4 KiB at the most, and tells where a
 * change is to one part in 256.
 *
 * From several threads at once, but for one and the same seal.
 *
 * The seals of pending operations' buffers lie in a table, by the buffer's number (pending.h). Off, there is
 * none. A seal is gone when the buffer is not active any more, whatever ends it.
 */
#ifndef ST_RUNTIME_OBJECTS_SEALS_H
#define ST_RUNTIME_OBJECTS_SEALS_H

#include "core/overlap/overlap.h"

enum { ST_SEAL_PIECES = 512, ST_SEAL_INSIDE = 5 };

struct st_seal {
    uint64_t bytes; /* covered */
    uint32_t count; /* of hashes; 0: there is no seal */
    uint16_t log2_piece;
    bool spoilt; /* st_seals_spoil(): there is to be none */
    union {
        uint64_t inside[ST_SEAL_INSIDE];
        uint64_t *more; /* where there are more than ST_SEAL_INSIDE */
    } hashes;
};

/* What has changed: at least a byte in each piece that counts. */
struct st_breach {
    uint64_t bytes;       /* of these pieces together */
    uint64_t all;         /* bytes of the buffer */
    uint64_t first, last; /* addresses: of the first byte of the first one, the last of the last */
};

/* Makes a seal of the buffer. Returns false, and an empty seal, if the buffer cannot be read or there is no
 * memory. */
bool st_seal_make(struct st_seal *seal, const struct st_buffer *buffer);

/* Returns true if the bytes of the buffer have changed since the seal was made; false also if that cannot be
 * found out. */
bool st_seal_broken(const struct st_seal *seal, const struct st_buffer *buffer,
                    struct st_breach *breach);

/* Frees what a seal holds, and empties it. */
void st_seal_drop(struct st_seal *seal);

/* --- the table: under the lock of the operations ----------------------------------------------- */

/* True if --check=modified is on; changes at MPI_Init only. */
extern bool st_seals_on __attribute__((visibility("hidden")));

/* Switches it on. Returns false if the system does not let memory be read safely. */
bool st_seals_begin(void);

/* Returns true if the buffer has no seal, and may have one. */
bool st_seals_wanted(uint32_t number);

/* Gives the buffer its seal. Returns false, and takes nothing, if it has one, may have none, or there is no
 * memory. */
bool st_seals_put(uint32_t number, const struct st_seal *seal);

/* Takes the buffer's seal out of the table: it is the caller's. Returns false if the buffer has none. */
bool st_seals_take(uint32_t number, struct st_seal *seal);

/* Drops the buffer's seal, if it has one. */
void st_seals_drop(uint32_t number);

/* The same, and the buffer gets no other one as long as it is active. */
void st_seals_spoil(uint32_t number);

#endif
