/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "heap/book.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
enum { ADDRESS_BITS = 47 };
#else
enum { ADDRESS_BITS = 48 };
#endif

/* A leaf is the memory for a range of entry numbers: so many low bits of the number select an entry
 * in it. */
enum { TINY_SHIFT = 4, LEAST_LEAF_BITS = 16, FIRST_LEAF_BITS = 18, TINY_LEAF_BITS = 22 };

/* A tiny block: its site, its bytes + 1, and whether it begins in the middle of its 16 bytes. */
enum { TINY_SITE_BITS = 16, TINY_BYTES_BITS = 9, TINY_HALF = 1 << 25 };

static unsigned shift_of(unsigned level)
{
    return ST_BOOK_LEAST_SHIFT + 4 * level;
}

static unsigned leaf_bits(unsigned level)
{
    return level == 0 ? FIRST_LEAF_BITS : LEAST_LEAF_BITS;
}

static size_t top_count(unsigned shift, unsigned leaf)
{
    return shift + leaf >= ADDRESS_BITS ? 1 : (size_t)1 << (ADDRESS_BITS - shift - leaf);
}

/* --- pages --------------------------------------------------------------------------------- */

/* Calls the kernel directly, so that no watcher of mmap sees it, this library included. Without
 * huge pages: with them a few entries would cost megabytes. */
static void *map_pages(size_t bytes)
{
    int saved = errno;
    long pages = syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, (off_t)0);
    if (pages != -1) {
        syscall(SYS_madvise, pages, bytes, MADV_NOHUGEPAGE);
    }
    errno = saved;
    return pages == -1 ? NULL : (void *)pages;
}

static void unmap_pages(void *pages, size_t bytes)
{
    int saved = errno;
    syscall(SYS_munmap, pages, bytes);
    errno = saved;
}

/* Returns the leaf at `place`; maps fresh pages if there is none. NULL if there is no memory. */
#define FILLED(place, bytes)                                                                       \
    ({                                                                                             \
        __typeof__(atomic_load(place)) held = atomic_load_explicit(place, memory_order_acquire);   \
        if (!held) {                                                                               \
            __typeof__(held) fresh = map_pages(bytes);                                             \
            if (fresh && !atomic_compare_exchange_strong(place, &held, fresh))                     \
                unmap_pages(fresh, bytes);                                                         \
            else                                                                                   \
                held = fresh;                                                                      \
        }                                                                                          \
        held;                                                                                      \
    })

/* --- entries ------------------------------------------------------------------------------- */

static _Atomic uint32_t *tiny_at(struct st_book *book, uint64_t number, bool make)
{
    size_t most = top_count(TINY_SHIFT, TINY_LEAF_BITS);
    _Atomic(_Atomic uint32_t *) *top = atomic_load_explicit(&book->tiny, memory_order_acquire);
    if (!top && make) {
        top = FILLED(&book->tiny, most * sizeof *top);
    }
    if (!top || number >> TINY_LEAF_BITS >= most) {
        return NULL;
    }
    _Atomic(_Atomic uint32_t *) *place = &top[number >> TINY_LEAF_BITS];
    _Atomic uint32_t *leaf = atomic_load_explicit(place, memory_order_acquire);
    if (!leaf && make) {
        leaf = FILLED(place, sizeof *leaf << TINY_LEAF_BITS);
    }
    return leaf ? &leaf[number & ((1u << TINY_LEAF_BITS) - 1)] : NULL;
}

/* Inlined, so that these are constants in a loop over the levels that the compiler unrolls. */
__attribute__((always_inline)) static inline struct st_book_slot *
slot_at(struct st_book *book, unsigned level, uint64_t number, bool make)
{
    unsigned bits = leaf_bits(level);
    size_t most = top_count(shift_of(level), bits);
    _Atomic(struct st_book_slot *) *top =
        atomic_load_explicit(&book->levels[level], memory_order_acquire);
    if (!top && make) {
        top = FILLED(&book->levels[level], most * sizeof *top);
    }
    if (!top || number >> bits >= most) {
        return NULL;
    }
    _Atomic(struct st_book_slot *) *place = &top[number >> bits];
    struct st_book_slot *leaf = atomic_load_explicit(place, memory_order_acquire);
    if (!leaf && make) {
        leaf = FILLED(place, sizeof *leaf << bits);
    }
    return leaf ? &leaf[number & ((1u << bits) - 1)] : NULL;
}

static bool read_tiny(uint64_t number, uint32_t held, struct st_book_entry *entry)
{
    if (!held) {
        return false;
    }
    entry->start = (number << TINY_SHIFT) + (held & TINY_HALF ? 8 : 0);
    entry->bytes = (held >> TINY_SITE_BITS & ((1u << TINY_BYTES_BITS) - 1)) - 1;
    entry->site = (uint16_t)held;
    return true;
}

/* Returns false if there is no entry, or if it is being changed: then it is not a block that this
 * thread may use. */
static bool read_slot(const struct st_book_slot *slot, struct st_book_entry *entry)
{
    uint64_t start = atomic_load_explicit(&slot->start, memory_order_acquire);
    uint64_t rest = atomic_load_explicit(&slot->rest, memory_order_acquire);
    if (!start || atomic_load_explicit(&slot->start, memory_order_relaxed) != start) {
        return false;
    }
    *entry = (struct st_book_entry){.start = start, .bytes = rest >> 16, .site = (uint16_t)rest};
    return true;
}

static void enter_tiny(struct st_book *book, uint64_t start, uint64_t bytes, uint16_t site)
{
    _Atomic uint32_t *place = tiny_at(book, start >> TINY_SHIFT, true);
    if (place && start % 8 == 0) {
        atomic_store_explicit(place,
                              (uint32_t)(bytes + 1) << TINY_SITE_BITS | site |
                                  (start % 16 ? (uint32_t)TINY_HALF : 0),
                              memory_order_release);
    }
}

/* Widens the range that contains all blocks, by more than necessary, so that it is seldom done. */
static void widen_range(struct st_book *book, uint64_t start, uint64_t bytes)
{
    enum { ROOM = 1 << 20 };
    uint64_t low = atomic_load_explicit(&book->low, memory_order_relaxed);
    uint64_t high = atomic_load_explicit(&book->high, memory_order_relaxed);
    while ((!high || start < low) && !atomic_compare_exchange_weak(&book->low, &low, start))
        ;
    while (start + bytes >= high &&
           !atomic_compare_exchange_weak(&book->high, &high, start + bytes + ROOM))
        ;
}

void st_book_enter(struct st_book *book, uint64_t start, uint64_t bytes, uint16_t site)
{
    struct st_book_entry gone;
    if (start >> ADDRESS_BITS || bytes >> ADDRESS_BITS) {
        return;
    }
    st_book_strike(book, start, &gone); /* a block of another size, whose free was not seen */
    widen_range(book, start, bytes);
    if (bytes < ST_BOOK_TINY) {
        enter_tiny(book, start, bytes, site);
        return;
    }
    unsigned level = (63u - (unsigned)__builtin_clzll(bytes) - ST_BOOK_LEAST_SHIFT) / 4;
    struct st_book_slot *slot = slot_at(book, level, start >> shift_of(level), true);
    if (!slot) {
        return;
    }
    atomic_store_explicit(&slot->start, 0, memory_order_relaxed);
    atomic_store_explicit(&slot->rest, bytes << 16 | site, memory_order_release);
    atomic_store_explicit(&slot->start, start, memory_order_release);
}

bool st_book_strike(struct st_book *book, uint64_t start, struct st_book_entry *entry)
{
    _Atomic uint32_t *tiny = tiny_at(book, start >> TINY_SHIFT, false);
    if (tiny && read_tiny(start >> TINY_SHIFT, atomic_load(tiny), entry) && entry->start == start) {
        atomic_store_explicit(tiny, 0, memory_order_relaxed);
        return true;
    }
#pragma GCC unroll 9
    for (unsigned level = 0; level < ST_BOOK_LEVELS; level++) {
        struct st_book_slot *slot = slot_at(book, level, start >> shift_of(level), false);
        if (slot && atomic_load_explicit(&slot->start, memory_order_relaxed) == start &&
            read_slot(slot, entry)) {
            atomic_store_explicit(&slot->start, 0, memory_order_release);
            return true;
        }
    }
    return false;
}

/* --- which block --------------------------------------------------------------------------- */

/* Finds the block that begins last at or before `address`, if that is after found->start; so the
 * tables can be searched one after the other. */
static void nearest_tiny(struct st_book *book, uint64_t address, struct st_book_entry *found)
{
    uint64_t number = address >> TINY_SHIFT, left = number < 16 ? number + 1 : 17;
    while (left) {
        /* Search one leaf at a time. */
        uint64_t here = (number & ((1u << TINY_LEAF_BITS) - 1)) + 1;
        const _Atomic uint32_t *place = tiny_at(book, number, false);
        here = here < left ? here : left;
        for (uint64_t i = 0; place && i < here; i++) {
            struct st_book_entry entry;
            uint32_t held = atomic_load_explicit(place - i, memory_order_acquire);
            if (held && read_tiny(number - i, held, &entry) && entry.start <= address) {
                *found = entry;
                return;
            }
        }
        number -= here;
        left -= here;
    }
}

static void nearest_slot(struct st_book *book, unsigned level, uint64_t address,
                         struct st_book_entry *found)
{
    unsigned shift = shift_of(level);
    uint64_t number = address >> shift, least = number < 16 ? 0 : number - 16;
    if (least < found->start >> shift) {
        least = found->start >> shift;
    }
    for (uint64_t left = number - least + 1; left;) {
        uint64_t here = (number & ((1u << leaf_bits(level)) - 1)) + 1;
        const struct st_book_slot *slot = slot_at(book, level, number, false);
        here = here < left ? here : left;
        for (uint64_t i = 0; slot && i < here; i++) {
            struct st_book_entry entry;
            if (read_slot(slot - i, &entry) && entry.start <= address &&
                entry.start >= found->start) {
                *found = entry;
                return;
            }
        }
        number -= here;
        left -= here;
    }
}

bool st_book_find(struct st_book *book, uint64_t address, struct st_book_entry *entry)
{
    struct st_book_entry found = {0};
    *entry = found;
    if (address >> ADDRESS_BITS ||
        address < atomic_load_explicit(&book->low, memory_order_acquire) ||
        address >= atomic_load_explicit(&book->high, memory_order_acquire)) {
        return false;
    }
    if (atomic_load_explicit(&book->tiny, memory_order_acquire)) {
        nearest_tiny(book, address, &found);
    }
    for (unsigned level = 0; level < ST_BOOK_LEVELS; level++) {
        if (atomic_load_explicit(&book->levels[level], memory_order_acquire)) {
            nearest_slot(book, level, address, &found);
        }
    }
    *entry = found;
    return found.start && address - found.start < (found.bytes ? found.bytes : 1);
}
