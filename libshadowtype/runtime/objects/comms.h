/* SPDX-License-Identifier: BSD-3-Clause */
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

/* Like st_records_add() and st_records_remove(), for any kind of handle. A communicator, window or file gets
 * its struct st_comm with the first, and loses it with the second. */
struct st_record *st_handles_add(const struct st_record *like);
void st_handles_remove(struct st_record *record);

/* A group whose members meet in a call (gatherings.h). */
struct st_gathering {
    uint64_t serial, handle, id, count; /* count: st_comm.collectives */
    int32_t rank;                       /* the own rank in the group */
    uint16_t function;
};
/* Publishes a gathering. Returns NULL if there is no memory. The second function takes it away. */
struct st_comm *st_comms_add_gathering(const struct st_gathering *like,
                                       const struct st_comm_members *members);
void st_comms_drop_gathering(struct st_comm *gathering);

/* Returns the struct of the communicator, window or file that the record is of; NULL if it is of another kind,
 * or if there was no memory for the struct. */
struct st_comm *st_comms_of(const struct st_record *record);

/* Stores what MPI says of it: rank, sizes and processes. */
void st_comms_learn(struct st_comm *comm, const struct st_comm_facts *facts,
                    const struct st_comm_members *group, const struct st_comm_members *remote);
/* Stores the dimensions of a Cartesian communicator: before st_comms_learn(), and once. */
void st_comms_learn_grid(struct st_comm *comm, const struct st_dimension *grid, size_t count);
/* Notes how often a persistent collective call was started, before the record of its request goes. */
void st_comms_note_freed(struct st_comm *comm, const struct st_record *record);
/* Stores the own memory of a window. */
void st_comms_learn_space(struct st_comm *window, const struct st_win_space *space);
/* Stores its processes, if they were not known before. */
void st_comms_learn_group(struct st_comm *comm, const struct st_comm_members *group);
void st_comms_learn_remote(struct st_comm *comm, const struct st_comm_members *remote);
/* Gives a window or file the processes of the communicator that it was made on, and a communicator
 * its parent's grid as well. */
void st_comms_inherit(struct st_comm *comm, const struct st_comm *parent);
/* Returns false if they are not known yet. */
bool st_comms_facts(const struct st_comm *comm, struct st_comm_facts *facts);

/* Sets its name; 0 bytes take the name away. It keeps the old name if there is no memory. */
void st_comms_call(struct st_comm *comm, const char *name, size_t bytes);

#endif
