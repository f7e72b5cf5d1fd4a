/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A book of blocks by address, for two questions: which block begins here (to remove it), and which
 * block contains this byte. Lock-free; it allocates only mapped pages.
 *
 *     static struct st_book book;
 *     st_book_enter(&book, start, bytes, site);
 *     st_book_find(&book, address, &entry);
 *     st_book_strike(&book, start, &entry);
 *
 * Each range of sizes, 2^s to 2^(s+4) bytes, has a table over all addresses, with an entry for each
 * 2^s bytes. Two blocks of a range cannot begin in the same 2^s bytes, and a block that contains a
 * byte begins in one of the 17 entries up to that byte. Blocks below 256 bytes have an entry of
 * four bytes for each 16 bytes of memory: a quarter of the heap, if it has only such blocks. Larger
 * blocks take at most a sixteenth. The tables are in reserved address space; only pages with
 * entries take memory.
 *
 * A block that begins inside of another one hides the rest of it: the other one must have been
 * freed unseen. Sizes and addresses beyond 2^47 (2^48 if the machine has them) are left out.
 */
#ifndef ST_HEAP_BOOK_H
#define ST_HEAP_BOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ST_BOOK_LEVELS = 9, ST_BOOK_LEAST_SHIFT = 8, ST_BOOK_TINY = 256 };

struct st_book_entry {
    uint64_t start, bytes;
    uint16_t site; /* see sites.h */
};

struct st_book_slot {
    _Atomic uint64_t start; /* 0: no block */
    _Atomic uint64_t rest;  /* the bytes, and the site in the lowest 16 bits */
};

struct st_book {
    _Atomic uint64_t low, high; /* all blocks are between; high 0: there was no block yet */
    _Atomic(_Atomic(_Atomic uint32_t *) *) tiny;
    _Atomic(_Atomic(struct st_book_slot *) *) levels[ST_BOOK_LEVELS];
};

/* Enters a block; leaves it out if there is no memory. Does not change errno. */
void st_book_enter(struct st_book *book, uint64_t start, uint64_t bytes, uint16_t site);

/* Removes the block that begins at `start`, and stores its entry in *entry. Returns false if there
 * was none. */
bool st_book_strike(struct st_book *book, uint64_t start, struct st_book_entry *entry);

/* Finds the block that contains the byte at `address`; a block without bytes contains its first
 * address. Returns false if there is none; *entry is then a block that begins before it, or has the
 * start 0. */
bool st_book_find(struct st_book *book, uint64_t address, struct st_book_entry *entry);

#endif
