/*
 * Whether a handle that a call gets is one that lives: handle-null, handle-unknown, handle-freed, and
 * request-unknown.
 */
#ifndef ST_RUNTIME_OBJECTS_ALIVE_H
#define ST_RUNTIME_OBJECTS_ALIVE_H

#include "runtime/wrap/facts.h"

/* What is said of a kind of handle. */
struct st_kind_words {
    const char *name, *one, *freed_by, *null; /* "group", "a group", ... */
};
const struct st_kind_words *st_kind_words(enum st_kind kind);

/* What a call does with a handle. */
enum st_handle_use { ST_PASSES, ST_FREES };

/* Returns true, and reports, if the handle is null or 0. */
bool st_find_nothing(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use);

/* MPI has refused the call for a handle of this kind. Returns true, and reports, if the call passes one that
 * nobody has seen MPI give out. */
bool st_find_refused(struct st_facts *facts, enum st_kind kind);

/* Returns true, and reports, if the handle was given back, is 0, or can be no handle of its kind. The
 * caller has seen that it is not null. */
bool st_find_dead(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use);

#endif
