/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/signature/signature.h"

__extension__ typedef unsigned __int128 wide;

/* 2^127 - 1 */
#define PRIME (((wide)1 << 127) - 1)

/* B: the first 126 bits of pi's fraction, in hexadecimal 243F6A88 85A308D3 13198A2E 03707344. */
#define BASE ((struct st_residue){UINT64_C(0x243F6A8885A308D3), UINT64_C(0x13198A2E03707344)})

static wide wide_of(struct st_residue residue)
{
    return (wide)residue.high << 64 | residue.low;
}

static struct st_residue residue_of(wide number)
{
    number = (number & PRIME) + (number >> 127);
    number = number >= PRIME ? number - PRIME : number;
    return (struct st_residue){(uint64_t)(number >> 64), (uint64_t)number};
}

static struct st_residue product_of(struct st_residue a, struct st_residue b)
{
    wide low = (wide)a.low * b.low;
    wide middle = (wide)a.low * b.high + (wide)a.high * b.low; /* both are below 2^127 */
    wide high = (wide)a.high * b.high + (middle >> 64);
    high += __builtin_add_overflow(low, middle << 64, &low);
    /* The product is high*2^128 + low. 2^127 is 1 modulo the prime, and high is below 2^126. */
    wide folded = (high << 1) + (low >> 127);
    return residue_of(wide_of(residue_of(folded)) + (low & PRIME));
}

static struct st_residue sum_residues(struct st_residue a, struct st_residue b)
{
    return residue_of(wide_of(a) + wide_of(b));
}

struct st_signature st_signature_empty(void)
{
    return (struct st_signature){.power = {0, 1}};
}

static uint64_t scrambled(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

struct st_signature st_signature_hashed(uint64_t element)
{
    wide value = (wide)scrambled(element) << 64 | scrambled(~element);
    return (struct st_signature){residue_of(value), BASE, 1};
}

struct st_signature st_signature_one(const struct st_basic_element *element)
{
    return st_signature_hashed(st_element_hash(element));
}

bool st_signature_append(struct st_signature *out, const struct st_signature *first,
                         const struct st_signature *second)
{
    int64_t length;
    if (__builtin_add_overflow(first->length, second->length, &length)) {
        return false;
    }
    *out = (struct st_signature){
        .hash = sum_residues(product_of(first->hash, second->power), second->hash),
        .power = product_of(first->power, second->power),
        .length = length,
    };
    return true;
}

bool st_signature_repeat(struct st_signature *out, const struct st_signature *one, int64_t times)
{
    int64_t length;
    if (times < 0 || __builtin_mul_overflow(one->length, times, &length)) {
        return false;
    }
    struct st_signature all = st_signature_empty(), doubled = *one;
    while (times && length) {
        if (times & 1) {
            st_signature_append(&all, &all, &doubled);
        }
        times >>= 1;
        if (times) {
            st_signature_append(&doubled, &doubled, &doubled);
        }
    }
    *out = all;
    return true;
}

bool st_signature_equal(const struct st_signature *a, const struct st_signature *b)
{
    return a->length == b->length && a->hash.high == b->hash.high && a->hash.low == b->hash.low;
}
