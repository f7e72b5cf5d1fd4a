/*
 * Communicators that are alive: what a debugger and `mpipp run` read of them (struct st_comm of
 * core/model/registry.h). Each belongs to a record (records.h) of its handle, and goes with it.
 *
 * The caller holds the recorder's lock and has opened a change (operations.h).
 */
#ifndef ST_RUNTIME_OBJECTS_COMMS_H
#define ST_RUNTIME_OBJECTS_COMMS_H

#include "runtime/objects/records.h"
#include "runtime/wrap/facts.h"
#include "runtime/wrap/members.h"

/* As st_records_add() and st_records_remove(), for any sort of handle: a communicator has its struct
 * st_comm from the one to the other, and so has a window or file. */
struct st_record *st_handles_add(const struct st_record *like);
void st_handles_remove(struct st_record *record);

/* The communicator, window or file of a record of its handle. NULL: there was no memory for it. */
struct st_comm *st_comms_of(const struct st_record *record);

/* What MPI says of it: rank, sizes, and which processes it has. */
void st_comms_learn(struct st_comm *comm, const struct st_comm_facts *facts,
                    const struct st_comm_members *group, const struct st_comm_members *remote);
/* A window or file of a communicator: it has its processes. */
void st_comms_inherit(struct st_comm *comm, const struct st_comm *parent);
/* False: not known yet. */
bool st_comms_facts(const struct st_comm *comm, struct st_comm_facts *facts);

/* What it is called from now on; no bytes: nothing. Without memory it keeps the name that it has. */
void st_comms_call(struct st_comm *comm, const char *name, size_t bytes);

#endif
