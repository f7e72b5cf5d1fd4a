/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record for each handle that is alive, except datatypes: requests, communicators and the rest.
 *
 * A handle does not identify an object: several requests may share one (eager sends do, in both
 * libraries), and MPI may return a freed one again at once. So a handle may have several records,
 * each with its own serial. The record that a call will complete is looked up before the call, and
 * removed by number and serial after it.
 *
 * The cost of finding, adding and removing a record does not depend on the number of records.
 *
 * A debugger reads them: core/model/registry.h says which members are valid when. The caller holds
 * the recorder's lock (lock.h). For changes it has opened a change (operations.h). The memory is
 * mapped, like that of the registry.
 */
#ifndef ST_RUNTIME_OBJECTS_RECORDS_H
#define ST_RUNTIME_OBJECTS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/model/registry.h"

/* A record (core/model/registry.h) is in two chains: of its handle, and of its handle and variable. */
enum { ST_BY_HANDLE, ST_BY_VARIABLE };

/* A record by number, as long as its serial is the same. */
struct st_record_name {
    uint32_t number; /* ST_NO_RECORD: there is none */
    uint64_t serial;
};
#define ST_NO_RECORD UINT32_MAX

/* Returns a new record that is not visible yet; NULL if there is no memory. The caller must set all
 * members except serial, links and number, because the record may have been used before, and then
 * publish it. */
struct st_record *st_records_new(void);
void st_records_publish(struct st_record *record);

/* Adds and publishes a record with the contents of `like`, except serial, links and number. Returns NULL if
 * there is no memory. The new record owns the buffers of `like`. A RUNNING record has no handle yet, and
 * is not found by one. */
struct st_record *st_records_add(const struct st_record *like);

/* The call that a RUNNING record was made for has returned: sets its handle, variable and flags. The record gets
 * a new serial: a call of another thread that began before cannot have completed it, even if it has just freed
 * a request with the same handle. */
void st_records_settle(struct st_record *record, uint64_t handle, uint64_t variable, uint8_t flags);

/* To be called when MPI has given the record's object another handle. */
void st_records_rename(struct st_record *record, uint64_t handle);

/* Sets the flags in `set`, and clears those in `clear`. */
void st_records_mark(struct st_record *record, uint8_t set, uint8_t clear);

/* Counts a start of its operation, and marks it as active. */
void st_records_started(struct st_record *record);

/* Returns the newest record of a handle, preferring those of this variable; NULL if there is none. */
struct st_record *st_records_find(enum st_kind kind, uint64_t handle, uint64_t variable);

/* Returns the newest record of a handle whose serial is at most `serial`; NULL if there is none. */
struct st_record *st_records_find_by(enum st_kind kind, uint64_t handle, uint64_t serial);

/* Returns the serial of the newest record. */
uint64_t st_records_last_serial(void);

struct st_record_name st_records_name(const struct st_record *record);
struct st_record *st_records_named(struct st_record_name name); /* returns NULL if it is gone */
struct st_record *st_records_at(uint32_t number);               /* in use or not */
/* Removes a record. Its buffers belong to the caller again. */
void st_records_remove(struct st_record *record);

/* Return the next older, or newer, record of the same handle; NULL if there is none. */
struct st_record *st_records_older(const struct st_record *record);
struct st_record *st_records_newer(const struct st_record *record);

/* Returns the next record in use, and moves *number after it; begin with 0. NULL after the last one. */
struct st_record *st_records_walk(uint32_t *number);

/* Does the same for callers without the lock: copies each record. Returns false after the last one. */
bool st_records_next(uint32_t *number, struct st_record *copy);

#endif
