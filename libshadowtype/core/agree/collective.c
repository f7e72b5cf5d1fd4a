/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/collective.h"

#include <stddef.h>

static bool have(const struct st_collective *one, const struct st_collective *other, uint16_t flag)
{
    return one->flags & other->flags & flag;
}

static bool signatures_differ(const struct st_collective *one, const struct st_collective *other)
{
    if (one->length != other->length) {
        return true;
    }
    return one->length != 0 && ((one->flags ^ other->flags) & ST_COLLECTIVE_UNIFORM ||
                                one->hash[0] != other->hash[0] || one->hash[1] != other->hash[1]);
}

static bool group_has(const struct st_collective *call, int32_t member)
{
    return member >= 0 && member < 128 && call->hash[member / 64] >> member % 64 & 1;
}

bool st_collective_are_opposite(const struct st_collective *one, const struct st_collective *other)
{
    return have(one, other, ST_COLLECTIVE_INTER) &&
           (one->flags ^ other->flags) & ST_COLLECTIVE_SECOND;
}

/* Returns true if one of the two is in the other's group, or if both are on one side. */
static bool belong_together(const struct st_collective *one, const struct st_collective *other)
{
    if (st_collective_are_opposite(one, other)) {
        return false;
    }
    if (have(one, other, ST_COLLECTIVE_GROUP)) {
        return group_has(one, other->member) || group_has(other, one->member);
    }
    return have(one, other, ST_COLLECTIVE_SIDE) && one->hash[0] == other->hash[0];
}

bool st_collective_are_apart(const struct st_collective *one, const struct st_collective *other)
{
    return have(one, other, ST_COLLECTIVE_GROUP | ST_COLLECTIVE_SIDE) &&
           !belong_together(one, other);
}

const char *st_collective_root_name(const struct st_collective *call)
{
    if (!(call->flags & ST_COLLECTIVE_INTER) || call->root >= 0) {
        return NULL;
    }
    return call->root == ST_ROOT_SELF ? "MPI_ROOT" : "MPI_PROC_NULL";
}

/* Returns true if `one` names a rank of the other group as the root, and the rank `other`, which is
 * in that group, contradicts. */
static bool names_another(const struct st_collective *one, const struct st_collective *other)
{
    return (one->root == other->member) != (other->root == ST_ROOT_SELF);
}

/* Returns true if the roots contradict on an intercommunicator: one group has one root, and the
 * other one must name it. */
static bool inter_roots_differ(const struct st_collective *one, const struct st_collective *other)
{
    const bool opposite = st_collective_are_opposite(one, other);
    if (one->root >= 0 && other->root >= 0) {
        return opposite || one->root != other->root;
    }
    if (one->root >= 0) {
        return !opposite || names_another(one, other);
    }
    if (other->root >= 0) {
        return !opposite || names_another(other, one);
    }
    if (opposite) {
        return one->root == ST_ROOT_SELF || other->root == ST_ROOT_SELF;
    }
    return one->root == ST_ROOT_SELF && other->root == ST_ROOT_SELF && one->rank != other->rank;
}

static bool roots_differ(const struct st_collective *one, const struct st_collective *other)
{
    if (!have(one, other, ST_COLLECTIVE_ROOT)) {
        return false;
    }
    return have(one, other, ST_COLLECTIVE_INTER) ? inter_roots_differ(one, other)
                                                 : one->root != other->root;
}

enum st_agreement st_collective_compare(const struct st_collective *one,
                                        const struct st_collective *other)
{
    if (one->function != other->function) {
        return ST_DIFFERS_IN_CALL;
    }
    if ((one->flags | other->flags) & ST_COLLECTIVE_VAGUE) {
        return ST_CALLS_AGREE;
    }
    if (roots_differ(one, other)) {
        return ST_DIFFERS_IN_ROOT;
    }
    if (have(one, other, ST_COLLECTIVE_IN_PLACE) &&
        (one->flags ^ other->flags) & ST_COLLECTIVE_PLACED) {
        return ST_DIFFERS_IN_PLACE;
    }
    if (one->operation && other->operation && one->operation != other->operation) {
        return ST_DIFFERS_IN_OPERATION;
    }
    if (have(one, other, ST_COLLECTIVE_TAG) && one->length != other->length) {
        return ST_DIFFERS_IN_TAG;
    }
    /* Between the groups only the totals of the counts must agree: the better report of the two. */
    if (have(one, other, ST_COLLECTIVE_INTER) && have(one, other, ST_COLLECTIVE_SIGNATURE) &&
        signatures_differ(one, other)) {
        return ST_DIFFERS_IN_SIGNATURE;
    }
    if (have(one, other, ST_COLLECTIVE_ARGUMENTS) && one->arguments != other->arguments &&
        !st_collective_are_opposite(one, other)) {
        return ST_DIFFERS_IN_ARGUMENTS;
    }
    if (belong_together(one, other) && one->arguments != other->arguments) {
        return ST_DIFFERS_IN_ARGUMENTS;
    }
    if (have(one, other, ST_COLLECTIVE_SIGNATURE) && signatures_differ(one, other)) {
        return ST_DIFFERS_IN_SIGNATURE;
    }
    return ST_CALLS_AGREE;
}

/* One multiplication per word, because this is done in each call. */
static uint64_t mix_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

uint64_t st_collective_digest(const struct st_collective *call)
{
    uint16_t flags = call->flags & (uint16_t)~ST_COLLECTIVE_IS_ROOT;
    /* In one word: by an exclusive or, a bit of the one would stand for a bit of the other. */
    uint64_t hash = mix_word(0, (uint64_t)call->function << 16 | flags);
    if (flags & ST_COLLECTIVE_ROOT) {
        hash = mix_word(hash, (uint32_t)call->root);
    }
    if (flags & ST_COLLECTIVE_ARGUMENTS) {
        hash = mix_word(hash, call->arguments);
    }
    if (flags & ST_COLLECTIVE_SIGNATURE) {
        hash = mix_word(mix_word(mix_word(hash, call->hash[0]), call->hash[1]),
                        (uint64_t)call->length);
    }
    if (flags & ST_COLLECTIVE_TAG) {
        hash = mix_word(hash, (uint64_t)call->length);
    }
    return mix_word(hash, call->operation);
}

/* A call as words, whatever its members are. */
typedef uint64_t __attribute__((may_alias)) st_call_word;
enum { CALL_WORDS = sizeof(struct st_collective) / sizeof(st_call_word) };
_Static_assert(sizeof(struct st_collective) % sizeof(st_call_word) == 0, "whole words");

void st_collective_store(struct st_collective *shared, const struct st_collective *call)
{
    const st_call_word *from = (const st_call_word *)call;
    st_call_word *to = (st_call_word *)shared;
#pragma GCC unroll 16
    for (int i = 0; i < CALL_WORDS; i++) {
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
    }
}

void st_collective_load(struct st_collective *call, const struct st_collective *shared)
{
    const st_call_word *from = (const st_call_word *)shared;
    st_call_word *to = (st_call_word *)call;
    for (int i = 0; i < CALL_WORDS; i++) {
        to[i] = __atomic_load_n(&from[i], __ATOMIC_ACQUIRE);
    }
}

const char *st_agreement_advice(enum st_agreement agreement)
{
    static const char *const advice[] = {
        [ST_CALLS_AGREE] = "",
        [ST_DIFFERS_IN_CALL] =
            "let all ranks make the same collective calls in the same order: look at "
            "the conditions around them",
        [ST_DIFFERS_IN_ROOT] = "pass the same root in all ranks",
        [ST_DIFFERS_IN_PLACE] = "pass MPI_IN_PLACE in all ranks, or in none",
        [ST_DIFFERS_IN_OPERATION] = "pass the same operation in all ranks",
        [ST_DIFFERS_IN_TAG] = "pass the same tag in all ranks",
        [ST_DIFFERS_IN_EDGES] = "name each edge in both of its ranks, with the same weight",
        [ST_DIFFERS_IN_ARGUMENTS] = "pass the same arguments in all ranks: see the standard's "
                                    "description of the function",
        [ST_DIFFERS_IN_SIGNATURE] = "let count and datatype name the same elements in all ranks",
    };
    return advice[agreement];
}
