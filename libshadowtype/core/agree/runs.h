/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The beginnings of the signatures of a rank's datatypes, published for the other ranks of its
 * node: so that a report can name the first element in which two of them differ, although a call
 * has only their hashes.
 *
 * Each rank has a room in its area (segment.h) for its last datatypes with several basic types. It
 * writes there when a datatype is first used, not with each call. The data of a call is found there
 * by its hash: it is `times` copies of one of these datatypes.
 *
 *     struct st_beginning sent, received;
 *     struct st_first_difference first;
 *     if (st_runs_find(room, hash, length, &sent) && ... && st_beginnings_differ(&sent, &received, &first))
 *         ... element first.index is first.element[0] in the one, first.element[1] in the other ...
 */
#ifndef ST_CORE_AGREE_RUNS_H
#define ST_CORE_AGREE_RUNS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/signature/signatures.h"

/* `count` equal elements, by their hash (element.h), which is never 0 here. */
struct st_element_run {
    uint64_t element;
    int64_t count;
};

enum { ST_MOST_RUNS = 28, ST_RUNS_TYPES = 32 };

/* A datatype: its first runs. */
struct st_type_runs {
    uint64_t serial; /* stored last, 0 while the rest changes */
    struct st_signature one;
    uint32_t count;
    uint32_t is_whole; /* true: these are all runs */
    struct st_element_run runs[ST_MOST_RUNS];
};

struct st_runs_room {
    uint64_t written; /* number of datatypes written so far */
    struct st_type_runs types[ST_RUNS_TYPES];
};

/* Writes a datatype whose signature is `one`; only for the process that owns the room. */
void st_runs_leave(struct st_runs_room *room, struct st_signatures *signatures,
                   const struct st_type *type, const struct st_signature *one);

/* Stores the signature of the first `length` elements of copies of a datatype of the room. Returns false if the datatype
 * is not there, or has more runs than are kept. */
bool st_runs_begin(const struct st_runs_room *room, const struct st_signature *type, int64_t length,
                   struct st_signature *begin);

/* The data of a call: `length` elements, which are the runs, repeated. */
struct st_beginning {
    int64_t length;
    uint32_t count;
    bool is_whole;
    struct st_element_run runs[ST_MOST_RUNS];
};

/* Returns data of equal elements. */
struct st_beginning st_beginning_uniform(uint64_t element, int64_t length);
/* Finds data that is several copies of one of the room's datatypes. Returns false if it is not
 * there. */
bool st_runs_find(const struct st_runs_room *room, const uint64_t hash[2], int64_t length,
                  struct st_beginning *beginning);

struct st_first_difference {
    int64_t index;       /* from 0 on */
    uint64_t element[2]; /* 0: that one has ended */
};

/* Returns false if they do not differ, or if it is not known where. */
bool st_beginnings_differ(const struct st_beginning *one, const struct st_beginning *other,
                          struct st_first_difference *first);

#endif
