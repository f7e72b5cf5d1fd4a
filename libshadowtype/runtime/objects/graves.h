/*
 * The handles that were given back last, so that the use of one can be told from the use of a handle
 * that was never seen.
 *
 * MPI hands a freed handle out again at once. A grave is therefore asked only where no record has the
 * handle. The caller holds the recorder's lock.
 */
#ifndef ST_RUNTIME_OBJECTS_GRAVES_H
#define ST_RUNTIME_OBJECTS_GRAVES_H

#include <stdbool.h>

#include "runtime/objects/records.h"

struct st_grave {
    uint64_t handle;
    uint32_t made, freed;  /* call sites */
    uint16_t function, by; /* numbers of forms: what made it, what ended it */
    uint8_t kind;          /* enum st_kind; ST_KIND_NONE: empty */
};

/* by: the form of the call that has ended it. freed: where; ST_NO_SITE: not known. */
void st_graves_bury(const struct st_record *record, uint16_t by, uint32_t freed);

/* Returns false if the handle is not among the last ones. */
bool st_graves_find(enum st_kind kind, uint64_t handle, struct st_grave *grave);

/* Forgets all of a kind: MPI may have handed out one of them unseen. */
void st_graves_forget(enum st_kind kind);

#endif
