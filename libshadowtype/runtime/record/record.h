/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the program did with a datatype, written into the registry.
 *
 * Does not include mpi.h: handles are 64-bit numbers, and a callback asks MPI the one question that only MPI
 * can answer. Several threads may call all functions at once (lock.h).
 *
 * A type made by MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t):
 *
 *     struct st_made type = {.handle = t, .combiner = ST_VECTOR, .args = {3, 1, 8}, .base = d};
 *     st_record(&type, &site);
 *
 * Without memory nothing is recorded, and the program goes on.
 */
#ifndef ST_RUNTIME_RECORD_RECORD_H
#define ST_RUNTIME_RECORD_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model/registry.h"

/* One array of a constructor. */
struct st_column {
    const void *data;
    uint8_t width;                 /* bytes of a member, as given: 4 or 8 */
    uint8_t stored;                /* and as kept: 4 or 8, not less than width */
    bool handles;                  /* members are handles, kept as ordinals (stored: 4) */
    int64_t (*translate)(int64_t); /* NULL: kept as they are */
};

struct st_made {
    uint64_t handle;
    uint64_t base; /* handle of the old type; ignored for combiners that have none, or several */
    int64_t args[3];
    int64_t lb, extent; /* as MPI says; extent ST_EXTENT_UNKNOWN: it was not asked */
    const struct st_column *columns;
    uint64_t rows; /* members of each column */
    uint8_t column_count;
    uint8_t combiner; /* enum st_combiner */
    uint8_t flags;    /* enum st_node_flag */
};

/* Where the program called: frames, the innermost first, the rest 0 (root.site_frames, ST_SITE_TEXT). */
struct st_site {
    uint64_t frames[16];
};

/* Sets the function that asks MPI for the arguments of an OPAQUE node: size, lb, extent (-1: no answer). It is
 * called without the lock. */
typedef void st_ask_measures(uint64_t handle, int64_t args[3]);
void st_record_measures(st_ask_measures *measure);

/* A constructor has made type->handle. */
void st_record(const struct st_made *type, const struct st_site *site);

/* Returns true if it is a basic type with a size: not MPI_LB, MPI_UB or one whose size is not known. */
bool st_record_has_data(uint64_t handle);

/* A predefined type; sizes may come later. */
void st_record_named(uint64_t handle, const char *name);
void st_record_named_sizes(uint64_t handle, const int64_t args[3]);

void st_record_commit(uint64_t handle, const struct st_site *site);
void st_record_name(uint64_t handle, const char *name, uint64_t bytes);
void st_record_fortran(uint64_t handle, int32_t index);

/* MPI_Type_set_attr: from now on MPI_Type_free may run a delete callback of the program, in which the
 * datatype is still valid (MPI-4.0, 7.7.3). */
void st_record_attributes(void);
bool st_record_has_attributes(void);

/* MPI_Type_free. The handle is withdrawn before MPI is called, because MPI may give it to another thread at
 * once. After the call the withdrawal is final, or is undone if MPI refused. A type with attributes is withdrawn
 * after the call. */
struct st_freeing {
    uint64_t serial;  /* of the node */
    uint32_t ordinal; /* ST_NO_NODE: the type is not recorded */
    uint32_t site;
    bool last; /* no other reference to the handle is left */
    bool late; /* nothing was withdrawn yet */
};
void st_record_free_begin(uint64_t handle, const struct st_site *site, struct st_freeing *freeing);
void st_record_free_end(const struct st_freeing *freeing, bool succeeded);

/* MPI_Type_get_contents(handle) handed out the types in `contents`, in order. */
void st_record_contents(uint64_t handle, const void *contents, uint64_t room,
                        const struct st_site *site);

/* A handle that MPI gave, and that no recorded constructor made (of a file's view). */
bool st_record_knows(uint64_t handle);
void st_record_opaque(uint64_t handle, const struct st_site *site);

#endif
