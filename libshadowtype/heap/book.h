/*
 * A book of blocks by address, for two questions: which block begins here (to strike it out), and
 * which has this byte. Lock-free, and nothing is ever allocated but mapped pages.
 *
 *     static struct st_book book;
 *     st_book_enter(&book, start, bytes, site);
 *     st_book_find(&book, address, &entry);
 *     st_book_strike(&book, start, &entry);
 *
 * A table for each range of sizes, 2^s to 2^(s+4) bytes, over all addresses, with an entry for each
 * 2^s bytes of them: two blocks of a range cannot begin in the same 2^s bytes, and the one that has
 * a byte begins in one of the 17 entries up to it. Blocks below 256 bytes have an entry of four
 * bytes for each 16 of memory: a quarter of the heap, where all of it is such blocks; larger
 * ones, a sixteenth at the most. The tables lie in address space that is reserved; only pages with
 * an entry in them take memory.
 *
 * A block that begins inside of another hides it, from there on: the other one must be gone
 * without a word. Sizes and addresses beyond 2^47 (2^48 where the machine has them) are left out.
 */
#ifndef ST_HEAP_BOOK_H
#define ST_HEAP_BOOK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ST_BOOK_LEVELS = 9, ST_BOOK_LEAST_SHIFT = 8, ST_BOOK_TINY = 256 };

struct st_book_entry {
    uint64_t start, bytes;
    uint16_t site; /* sites.h */
};

struct st_book_slot {
    _Atomic uint64_t start; /* 0: none */
    _Atomic uint64_t rest;  /* the bytes, and the site in the lowest 16 bits */
};

struct st_book {
    _Atomic uint64_t low, high; /* all blocks lie between; high 0: there was none yet */
    _Atomic(_Atomic(_Atomic uint32_t *) *) tiny;
    _Atomic(_Atomic(struct st_book_slot *) *) levels[ST_BOOK_LEVELS];
};

/* Where there is no memory for it, it is left out. errno stays. */
void st_book_enter(struct st_book *book, uint64_t start, uint64_t bytes, uint16_t site);

/* The block that begins at `start` is no more. False: there was none; *entry, else, is what it
 * was. */
bool st_book_strike(struct st_book *book, uint64_t start, struct st_book_entry *entry);

/* The block that has the byte at `address`. One without bytes has the one where it begins. False:
 * none; *entry is then one that begins before it, or has the start 0. */
bool st_book_find(struct st_book *book, uint64_t address, struct st_book_entry *entry);

#endif
