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
 * The caller holds the recorder's lock (lock.h). The memory is mapped, as the registry's is.
 */
#ifndef ST_RUNTIME_CHECK_RECORDS_H
#define ST_RUNTIME_CHECK_RECORDS_H

#include "runtime/check/facts.h"

/* A record is in two chains: of its handle, and of its handle and variable. */
enum { ST_BY_HANDLE, ST_BY_VARIABLE, ST_RECORD_CHAINS };

struct st_record_link {
    uint32_t next, previous; /* number + 1 */
};

struct st_record {
    uint64_t handle;
    uint64_t variable;          /* requests: the address that the handle was written to */
    uint64_t serial;            /* 0: not in use */
    const struct st_form *form; /* of the call that made it; NULL: predefined */
    uint32_t site;              /* of that call */
    uint32_t other_site;        /* requests: of the call that took the variable for another one */
    uint32_t number;
    struct st_record_link links[ST_RECORD_CHAINS];
    uint8_t kind; /* enum st_kind */
    bool persistent;
    bool active;
    bool told;      /* something was found with it: its end is no second finding */
    bool shown;     /* not the program's to free */
    bool has_facts; /* comm is known */
    struct st_comm_facts comm;
};

/* A record by number, as long as its serial is the same. */
struct st_record_name {
    uint32_t number; /* ST_NO_RECORD: none */
    uint64_t serial;
};
#define ST_NO_RECORD UINT32_MAX

/* A new record, with kind, handle and variable set and the rest 0; NULL: no memory. The pointer is good until
 * the next one is made. */
struct st_record *st_records_add(enum st_kind kind, uint64_t handle, uint64_t variable);

/* The newest record of a handle; where several have it, one with this variable first. */
struct st_record *st_records_find(enum st_kind kind, uint64_t handle, uint64_t variable);

/* The newest record of a handle among those that are no younger than `serial`. */
struct st_record *st_records_find_by(enum st_kind kind, uint64_t handle, uint64_t serial);

/* The serial of the newest record that was made. */
uint64_t st_records_last_serial(void);

struct st_record_name st_records_name(const struct st_record *record);
struct st_record *st_records_named(struct st_record_name name); /* NULL: it is gone */
void st_records_remove(struct st_record *record);

/* The records in use: from number 0 on, NULL after the last one. */
const struct st_record *st_records_walk(uint32_t *number);

/* Communicators that were freed, the last ones. */
void st_records_bury(uint64_t comm, uint32_t site);
bool st_records_buried(uint64_t comm, uint32_t *site);
void st_records_forget_buried(void);

#endif
