/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/spawned.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/registry.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/function.h"
#include "runtime/wrap/mpi_side.h"

bool st_is_spawned(void)
{
    typedef int ask(MPI_Comm *);
    ask *get_parent = (ask *)st_mpi_function("PMPI_Comm_get_parent");
    MPI_Comm parent;
    uint64_t handle = 0;
    if (!get_parent || get_parent(&parent) != MPI_SUCCESS) {
        return true;
    }
    memcpy(&handle, &parent, sizeof parent);
    return handle != st_numbers.null[ST_KIND_COMM];
}

/* Returns the runs of the text; NULL if the text is invalid. */
static const char *read_head(struct st_spawned *spawned)
{
    const char *text = secure_getenv(ST_SPAWNED_VARIABLE);
    int length = 0;
    if (!text ||
        sscanf(text, "%" SCNx64 ":%" SCNx64 ":%" SCNx64 ":%n", &spawned->world, &spawned->id,
               &spawned->job, &length) != 3 ||
        !length || !spawned->world || spawned->world >> (64 - ST_GPID_RANK_BITS) || !spawned->id) {
        return NULL;
    }
    return text + length;
}

bool st_spawned_read(struct st_spawned *spawned)
{
    return read_head(spawned) && st_is_spawned();
}

int32_t st_spawned_parents(uint64_t *gpids, int32_t count)
{
    struct st_spawned unused;
    const char *text = read_head(&unused);
    int32_t found = 0;
    while (text && *text) {
        uint64_t first;
        int64_t stride;
        int32_t members;
        int length = 0;
        if (sscanf(text, "%" SCNx64 "/%" SCNd64 "/%" SCNd32 "%n", &first, &stride, &members,
                   &length) != 3 ||
            members < 1 || members > INT32_MAX - found) {
            return 0;
        }
        for (int32_t i = 0; i < members && found + i < count; i++) {
            gpids[found + i] = first + (uint64_t)(i * stride);
        }
        found += members;
        text += length + (text[length] == ',');
    }
    return found;
}

/* Returns how many of the gpids have a constant distance. */
static int32_t run_of(const uint64_t *gpids, int32_t count, int64_t *stride)
{
    int32_t length = count > 1 ? 2 : 1;
    *stride = count > 1 ? (int64_t)(gpids[1] - gpids[0]) : 1;
    while (length < count && (int64_t)(gpids[length] - gpids[length - 1]) == *stride) {
        length++;
    }
    return length;
}

char *st_spawned_text(const struct st_spawned *spawned, const uint64_t *gpids, int32_t count)
{
    enum { ROOM = 16 * 1024, MOST_OF_RUN = 64 };
    char *text = malloc(ROOM);
    if (!text) {
        return NULL;
    }
    const size_t head =
        (size_t)snprintf(text, ROOM, ST_SPAWNED_VARIABLE "=%" PRIx64 ":%" PRIx64 ":%" PRIx64 ":",
                         spawned->world, spawned->id, spawned->job);
    size_t length = head;
    for (int32_t i = 0, run; i < count; i += run) {
        int64_t stride;
        run = run_of(gpids + i, count - i, &stride);
        if (length + MOST_OF_RUN > ROOM) {
            text[head] = 0;
            return text;
        }
        length +=
            (size_t)snprintf(text + length, ROOM - length, "%s%" PRIx64 "/%" PRId64 "/%" PRId32,
                             i ? "," : "", gpids[i], stride, run);
    }
    return text;
}
