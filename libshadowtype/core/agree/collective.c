#include "core/agree/collective.h"

static bool have(const struct st_collective *one, const struct st_collective *other, uint16_t flag)
{
    return one->flags & other->flags & flag;
}

static bool signatures_differ(const struct st_collective *one, const struct st_collective *other)
{
    if (one->length != other->length)
        return true;
    return one->length != 0 && ((one->flags ^ other->flags) & ST_COLLECTIVE_UNIFORM ||
                                one->hash[0] != other->hash[0] || one->hash[1] != other->hash[1]);
}

enum st_agreement st_collective_compare(const struct st_collective *one,
                                        const struct st_collective *other)
{
    if (one->function != other->function)
        return ST_DIFFERS_IN_CALL;
    if ((one->flags | other->flags) & ST_COLLECTIVE_VAGUE)
        return ST_CALLS_AGREE;
    if (have(one, other, ST_COLLECTIVE_ROOT) && one->root != other->root)
        return ST_DIFFERS_IN_ROOT;
    if (have(one, other, ST_COLLECTIVE_IN_PLACE) &&
        (one->flags ^ other->flags) & ST_COLLECTIVE_PLACED)
        return ST_DIFFERS_IN_PLACE;
    if (one->operation && other->operation && one->operation != other->operation)
        return ST_DIFFERS_IN_OPERATION;
    if (have(one, other, ST_COLLECTIVE_ARGUMENTS) && one->arguments != other->arguments)
        return ST_DIFFERS_IN_ARGUMENTS;
    if (have(one, other, ST_COLLECTIVE_SIGNATURE) && signatures_differ(one, other))
        return ST_DIFFERS_IN_SIGNATURE;
    return ST_CALLS_AGREE;
}

bool st_collective_is_longer(const struct st_collective *one, const struct st_collective *other)
{
    return have(one, other, ST_COLLECTIVE_UNIFORM) && one->hash[0] == other->hash[0] &&
           one->length > other->length;
}

uint64_t st_collective_hash(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) + UINT64_C(0x9E3779B97F4A7C15);
    hash = (hash ^ hash >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94D049BB133111EB);
    return hash ^ hash >> 31;
}
