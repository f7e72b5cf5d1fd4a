/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collective call in the form in which one rank publishes it for the others: the facts on which
 * all must agree (MPI-4.0, chapter 6), comparable by processes that do not know each other's
 * handles.
 *
 *     switch (st_collective_compare(&mine, &other)) {
 *     case ST_CALLS_AGREE: ...
 *     case ST_DIFFERS_IN_ROOT: ...
 *     }
 *
 * The calls of one communicator are numbered, with the same number in all its ranks. Different
 * datatypes agree if their signatures are equal.
 */
#ifndef ST_CORE_AGREE_COLLECTIVE_H
#define ST_CORE_AGREE_COLLECTIVE_H

#include <stdbool.h>
#include <stdint.h>

enum st_collective_flag {
    ST_COLLECTIVE_VAGUE = 0x01,     /* MPI may refuse the call: only the function is compared */
    ST_COLLECTIVE_ROOT = 0x02,      /* `root` must agree */
    ST_COLLECTIVE_IN_PLACE = 0x04,  /* MPI_IN_PLACE must be on all ranks or on none */
    ST_COLLECTIVE_PLACED = 0x08,    /* with that flag: this rank passes MPI_IN_PLACE */
    ST_COLLECTIVE_SIGNATURE = 0x10, /* `hash` and `length` must agree */
    ST_COLLECTIVE_UNIFORM = 0x20,   /* with that flag: all elements are equal; hash is that of
                                       one */
    ST_COLLECTIVE_ARGUMENTS =
        0x40, /* `arguments` must agree; on an intercommunicator in each group */
    ST_COLLECTIVE_IS_ROOT = 0x80, /* this rank is the root */
    /* `arguments` must agree only between some ranks, which the digest does not show: */
    ST_COLLECTIVE_GROUP =
        0x100, /* those of a group: bit n of `hash` is set for rank n of the communicator */
    ST_COLLECTIVE_SIDE = 0x200, /* those of one side of an intercommunicator: hash[0] */
    ST_COLLECTIVE_TAG = 0x400,  /* `length` is a tag, which must agree */
    /* On an intercommunicator; the root is as seen from the caller's group: */
    ST_COLLECTIVE_INTER = 0x800,
    ST_COLLECTIVE_SECOND = 0x1000, /* the caller is in the second of its two groups */
    ST_COLLECTIVE_MAY = 0x2000     /* `arguments` that differ are suspicious, and no error */
};

/* st_collective.root on an intercommunicator, if it is no rank of the remote group. */
enum {
    ST_ROOT_SELF = -1, /* MPI_ROOT */
    ST_ROOT_NONE = -2  /* MPI_PROC_NULL: another rank of the caller's group may be the root */
};

/* st_collective.operation: any operation of MPI_Op_create. Those of different ranks may differ, but where
 * one rank passes a predefined operation all must pass that (MPI-4.0, 6.9.1). */
#define ST_OPERATION_OF_PROGRAM UINT64_C(1)
#define ST_OPERATION_OF_PROGRAM_TEXT "a user-defined operation"

struct st_collective {
    uint64_t comm;    /* id of the communicator (struct st_comm) */
    uint64_t number;  /* from 1 on */
    uint64_t hash[2]; /* of the signature */
    int64_t length;   /* of the signature, in elements */
    uint64_t arguments;
    uint64_t operation; /* hash of a predefined operation, or ST_OPERATION_OF_PROGRAM; 0: none, or
                           not known */
    uint64_t pairs;     /* the data from rank to rank: its place (pairs.h); 0: not published */
    int32_t root;       /* in the communicator, or ST_ROOT_... */
    uint32_t rank;      /* index of the caller in the table of ranks (segment.h) */
    uint32_t place;     /* call site: its place in the caller's area; 0: not known */
    int32_t member;     /* rank of the caller in the communicator */
    uint16_t function;  /* the form's number; MPI_Bcast and MPI_Bcast_c have the same */
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
    ST_DIFFERS_IN_EDGES /* of a new topology; found by comparing the data of two ranks that is
                           published separately (pairs.h) */
};

/* What to do about it, for a report. */
const char *st_agreement_advice(enum st_agreement agreement);

/* Returns the first of the above in which two calls of one communicator and number differ. */
enum st_agreement st_collective_compare(const struct st_collective *one,
                                        const struct st_collective *other);

/* Returns the name of a root that is no rank: "MPI_ROOT", "MPI_PROC_NULL"; NULL if it is a rank. */
const char *st_collective_root_name(const struct st_collective *call);

/* Returns true if two ranks are in different groups of an intercommunicator. */
bool st_collective_are_opposite(const struct st_collective *one, const struct st_collective *other);

/* Returns true for two calls of one function if only some ranks' arguments must agree, and not
 * those of these two. */
bool st_collective_are_apart(const struct st_collective *one, const struct st_collective *other);

/* If the digests of two calls are equal, the calls agree, but for one chance in 2^64. If they
 * differ, the calls may agree nevertheless: an operation that is not known, for example, may be any. */
uint64_t st_collective_digest(const struct st_collective *call);

/* Copies to and from memory that others read, word by word. Each word is stored after the word of
 * publication was withdrawn, and loaded before that word is checked again. What is loaded during a
 * change is not valid. */
void st_collective_store(struct st_collective *shared, const struct st_collective *call);
void st_collective_load(struct st_collective *call, const struct st_collective *shared);

/* Returns a number that identifies a call of a communicator in all its ranks; never 0. */
static inline uint64_t st_collective_key(uint64_t comm, uint64_t number)
{
    uint64_t key = (comm ^ number * UINT64_C(0x9E3779B97F4A7C15)) * UINT64_C(0xBF58476D1CE4E5B9);
    return (key ^ key >> 32) | 1;
}

/* Returns its place in a table of 1 << log2: the calls of one communicator follow each other. */
static inline uint32_t st_collective_place(uint64_t comm, uint64_t number, uint32_t log2)
{
    uint64_t first = comm * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    return (uint32_t)(first + number) & ((UINT32_C(1) << log2) - 1);
}

#endif
