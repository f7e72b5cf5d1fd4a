/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a handle that is passed to a call is valid: handle-null, handle-unknown,
 * handle-freed, and request-unknown.
 */
#ifndef ST_RUNTIME_OBJECTS_ALIVE_H
#define ST_RUNTIME_OBJECTS_ALIVE_H

#include "runtime/wrap/facts.h"

/* The words of messages about a kind of handle. */
struct st_kind_words {
    const char *name, *one, *freed_by, *null; /* "group", "a group", ... */
};
const struct st_kind_words *st_kind_words(enum st_kind kind);

/* What a call does with a handle. */
enum st_handle_use { ST_PASSES, ST_FREES };

/* Returns true, and reports, if the handle is null or 0. */
bool st_find_nothing(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use);

/* To be called if MPI has refused the call because of a handle of this kind. Returns true, and
 * reports, if the call passes a handle that MPI has never returned. */
bool st_find_refused(struct st_facts *facts, enum st_kind kind);

/* Returns true, and reports, if the handle was freed, is 0, or cannot be a handle of its kind. The
 * caller has checked that it is not the null handle. */
bool st_find_dead(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use);

/* Returns true, and reports, if the handle is a keyval or an error handler that was created for
 * objects of another kind than the call's. */
bool st_find_other_owner(struct st_facts *facts, int number, uint64_t handle);

/* Returns true, and reports, if the keyval that is passed is null, was freed, or was created for
 * objects of another kind. */
bool st_find_keyval(struct st_facts *facts, int number);

/* To be called if MPI has refused the call, perhaps because of its keyval. Returns true, and
 * reports, if the call passes a keyval that is not known. */
bool st_find_refused_keyval(struct st_facts *facts);

#endif
