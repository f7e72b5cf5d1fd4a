/*
 * What is kept of handles that are alive, but for datatypes: requests, communicators and the rest.
 *
 * A handle is no identity: several requests may share one (eager sends do, in both libraries), and
 * MPI hands a freed one out again at once. So there may be several records for a handle, each with a
 * serial of its own; what a call will complete is looked up before the call, and removed by number
 * and serial after it.
 *
 * Finding, adding and removing cost the same however many there are, and share a handle.
 *
 * A debugger reads them: core/model/registry.h says what stands when. The caller holds the recorder's lock
 * (lock.h), and has opened a change where something changes (operations.h). The memory is mapped, as the registry's is.
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
    uint32_t number; /* ST_NO_RECORD: none */
    uint64_t serial;
};
#define ST_NO_RECORD UINT32_MAX

/* A record that nobody sees yet, to be filled where it lies but for its serial, links and number: all
 * of it, it may have been another one. NULL: no memory. */
struct st_record *st_records_new(void);
void st_records_publish(struct st_record *record);

/* A new record like this one, but for serial, links and number, published; NULL: no memory. Its
 * buffers are its own from now on. One that is RUNNING has no handle yet and is found by none. */
struct st_record *st_records_add(const struct st_record *like);

/* The call has returned that a record was made for: its handle, and what its flags are now. Its serial
 * is a new one: a call of another thread that began before cannot have completed it, though it may
 * just have given its handle back. */
void st_records_settle(struct st_record *record, uint64_t handle, uint64_t variable, uint8_t flags);

/* MPI has given the record's object another handle. */
void st_records_rename(struct st_record *record, uint64_t handle);

/* Changes its flags: those of `set` are set, those of `clear` not. */
void st_records_mark(struct st_record *record, uint8_t set, uint8_t clear);

/* Its operation has been started, once more. */
void st_records_started(struct st_record *record);

/* The newest record of a handle; where several have it, one with this variable first. */
struct st_record *st_records_find(enum st_kind kind, uint64_t handle, uint64_t variable);

/* The newest record of a handle among those that are no younger than `serial`. */
struct st_record *st_records_find_by(enum st_kind kind, uint64_t handle, uint64_t serial);

/* The serial of the newest record that was made. */
uint64_t st_records_last_serial(void);

struct st_record_name st_records_name(const struct st_record *record);
struct st_record *st_records_named(struct st_record_name name); /* NULL: it is gone */
struct st_record *st_records_at(uint32_t number);               /* in use or not */
/* What a window is called from now on; no bytes: nothing. Without memory it keeps the
 * name that it has. */
void st_records_call(struct st_record *record, const char *name, size_t bytes);
/* Its buffers are the caller's again; it has no name (any more). */
void st_records_remove(struct st_record *record);

/* The next older, or newer, record of the same handle; NULL: none. */
struct st_record *st_records_older(const struct st_record *record);
struct st_record *st_records_newer(const struct st_record *record);

/* The records in use: from number 0 on, NULL after the last one. */
struct st_record *st_records_walk(uint32_t *number);

/* The same for those who do not hold the lock: a copy of each. False: there are no more. */
bool st_records_next(uint32_t *number, struct st_record *copy);

#endif
