/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The members of communicators, which agents tell as runs of processes (states.h): the same list is kept once, whoever tells it.
 *
 *     struct known_group *group = groups_take(&reader);       // NULL: damaged
 *     group->members[0] ... group->size
 *     groups_drop(group);
 */
#ifndef MPIPP_NODES_GROUPS_H
#define MPIPP_NODES_GROUPS_H

#include <stdint.h>

#include "stream.h"

struct known_group {
    uint64_t *members; /* gpids */
    int32_t size;
    uint64_t hash;
    unsigned char *bytes; /* as they were told */
    size_t length;
    size_t users;
    struct known_group *next; /* in its list of the table */
};

enum { GROUPS_MOST = 1 << 20 }; /* members */

/* Takes one from all bytes of a block. The caller has to drop it. */
struct known_group *groups_take(struct stream_reader block);
void groups_drop(struct known_group *group);

#endif
