/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes that are the same in all processes, made of words or of a text. They name things; they are
 * not for security. */
#ifndef ST_CORE_MODEL_HASH_H
#define ST_CORE_MODEL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* The finaliser of splitmix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014). */
static inline uint64_t st_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) + UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}

/* Hashes NULL like an empty text. */
static inline uint64_t st_hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++) {
        hash = st_hash_word(hash, (uint8_t)*text);
    }
    return hash;
}

#endif
