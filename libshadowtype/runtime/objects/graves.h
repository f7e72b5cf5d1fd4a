/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graves: the handles that were freed last. They distinguish the use of a freed handle from the use
 * of a handle that was never seen.
 *
 * MPI may return a freed handle again at once. So a grave is valid only if no record has the
 * handle. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_GRAVES_H
#define ST_RUNTIME_OBJECTS_GRAVES_H

#include <stdbool.h>

#include "runtime/objects/records.h"

struct st_grave {
    uint64_t handle;
    uint32_t made, freed;  /* call sites */
    uint16_t function, by; /* numbers of forms: of the call that made it, and of the call that
                              ended it */
    uint8_t kind;          /* enum st_kind; ST_KIND_NONE: empty */
    uint8_t flags;         /* enum st_record_flag, as the record had them */
};

/* Adds the handle of a record.
 *   by     number of the form of the call that freed it
 *   freed  the call site; ST_NO_SITE if it is not known */
void st_graves_bury(const struct st_record *record, uint16_t by, uint32_t freed);

/* Returns false if the handle is not among the last ones. */
bool st_graves_find(enum st_kind kind, uint64_t handle, struct st_grave *grave);

/* Adds flags to a grave, if it is among the last ones. */
void st_graves_mark(enum st_kind kind, uint64_t handle, uint8_t set);

/* Removes all of a kind: MPI may have returned one of these handles again in a call that was not
 * seen. */
void st_graves_forget(enum st_kind kind);

#endif
