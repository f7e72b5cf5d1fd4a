/*
 * A collective call as one rank tells it to the others: what must agree between all of them (MPI-4.0,
 * chapter 6), in a form that two processes can compare that do not know each other's handles.
 *
 *     switch (st_collective_compare(&mine, &other)) {
 *     case ST_CALLS_AGREE: ...
 *     case ST_DIFFERS_IN_ROOT: ...
 *     }
 *
 * The calls of one communicator have the same number in all its ranks: the how manieth collective call
 * it is. Different datatypes agree if their signatures are equal.
 */
#ifndef ST_CORE_AGREE_COLLECTIVE_H
#define ST_CORE_AGREE_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

enum st_collective_flag {
    ST_COLLECTIVE_VAGUE = 0x01,     /* MPI may refuse the call: the function alone is compared */
    ST_COLLECTIVE_ROOT = 0x02,      /* `root` must agree */
    ST_COLLECTIVE_IN_PLACE = 0x04,  /* MPI_IN_PLACE on all ranks or on none */
    ST_COLLECTIVE_PLACED = 0x08,    /* with that flag: it is MPI_IN_PLACE here */
    ST_COLLECTIVE_SIGNATURE = 0x10, /* `hash` and `length` must agree */
    ST_COLLECTIVE_UNIFORM = 0x20,   /* with that flag: all elements are the same; hash is of one */
    ST_COLLECTIVE_ARGUMENTS = 0x40, /* `arguments` must agree */
    ST_COLLECTIVE_IS_ROOT = 0x80,   /* this rank is the root */
    /* `arguments` must agree between some ranks alone, which the digest does not tell: */
    ST_COLLECTIVE_GROUP =
        0x100, /* those of a group: bit n of `hash` is rank n of the communicator */
    ST_COLLECTIVE_SIDE = 0x200, /* those of one side of an intercommunicator: hash[0] */
    ST_COLLECTIVE_TAG = 0x400,  /* `length` is a tag, which must agree */
    /* On an intercommunicator; the root is as seen from the caller's group: */
    ST_COLLECTIVE_INTER = 0x800,
    ST_COLLECTIVE_SECOND = 0x1000, /* the caller is in the second one of its two groups */
    ST_COLLECTIVE_MAY = 0x2000     /* `arguments` that differ are suspicious, and no error */
};

/* st_collective.root on an intercommunicator, where it is no rank of the other group. */
enum {
    ST_ROOT_SELF = -1, /* MPI_ROOT */
    ST_ROOT_NONE = -2  /* MPI_PROC_NULL: another rank of the caller's group may be the root */
};

struct st_collective {
    uint64_t comm;    /* id of the communicator (struct st_comm) */
    uint64_t number;  /* from 1 on */
    uint64_t hash[2]; /* of the signature */
    int64_t length;   /* of the signature, in elements */
    uint64_t arguments;
    uint64_t operation; /* a predefined one, hashed; 0: none, or the program's own */
    uint64_t pairs;     /* what goes from rank to rank: where that stands (pairs.h); 0: not told */
    int32_t root;       /* in the communicator, or ST_ROOT_... */
    uint32_t rank;      /* who calls: its place in the table of ranks (segment.h) */
    uint32_t place;     /* call site: where it stands in its area; 0: not known */
    int32_t member;     /* who calls: its rank in the communicator */
    uint16_t function;  /* the form's number; MPI_Bcast and MPI_Bcast_c have one */
    uint16_t flags;     /* enum st_collective_flag */
    uint32_t called;    /* the form's number itself */
};

enum st_agreement {
    ST_CALLS_AGREE,
    ST_DIFFERS_IN_CALL,
    ST_DIFFERS_IN_ROOT,
    ST_DIFFERS_IN_PLACE,
    ST_DIFFERS_IN_OPERATION,
    ST_DIFFERS_IN_TAG,
    ST_DIFFERS_IN_ARGUMENTS,
    ST_DIFFERS_IN_SIGNATURE,
    ST_DIFFERS_IN_EDGES /* of a new topology; of two ranks, by what they have left apart (pairs.h) */
};

/* The first thing of the above in which two calls of one communicator and number differ. */
enum st_agreement st_collective_compare(const struct st_collective *one,
                                        const struct st_collective *other);

/* Returns what stands for the root where it is no rank: "MPI_ROOT", "MPI_PROC_NULL"; NULL: it is a rank. */
const char *st_collective_root_name(const struct st_collective *call);

/* Whether two ranks are in the two groups of an intercommunicator. */
bool st_collective_are_opposite(const struct st_collective *one, const struct st_collective *other);

/* Two calls of one function of which some ranks' arguments must agree, and not those of these two. */
bool st_collective_are_apart(const struct st_collective *one, const struct st_collective *other);

/* Where those of two calls are equal, they agree but for one chance in 2^64. Where they differ, the calls may agree all
 * the same: an operation of the program's own, say, may be any. */
uint64_t st_collective_digest(const struct st_collective *call);

/* Into memory that others read, and out of it, word by word: each word is stored after the word of publication was
 * withdrawn, and loaded before that is looked at again. What is loaded while it changes does not count. */
void st_collective_store(struct st_collective *shared, const struct st_collective *call);
void st_collective_load(struct st_collective *call, const struct st_collective *shared);

/* Names a call of a communicator in all its ranks; never 0. */
static inline uint64_t st_collective_key(uint64_t comm, uint64_t number)
{
    uint64_t key = (comm ^ number * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    return (key ^ key >> 32) | 1;
}

/* Its place in a table of 1 << log2: the calls of one communicator stand one behind the other. */
static inline uint32_t st_collective_place(uint64_t comm, uint64_t number, uint32_t log2)
{
    uint64_t first = comm * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (uint32_t)(first + number) & ((UINT32_C(1) << log2) - 1);
}

#endif
