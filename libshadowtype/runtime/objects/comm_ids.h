/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ids of communicators. Each process computes them for itself, without a message; all processes of a
 * communicator get the same.
 *
 *     made by                          the id is a hash of
 *     MPI_COMM_WORLD                   the name of the world
 *     MPI_COMM_SELF                    that and the rank
 *     MPI_Comm_dup, split, create,     the parent's id, its count of collective calls, and the gpid of
 *       cart, ...                      the new one's rank 0: the communicators that one call makes have
 *                                      no process in common. Of an intercommunicator: the lower gpid
 *                                      of its two ranks 0
 *     MPI_Comm_create_group,           the parent's id, the gpids, the tag, and how often this process
 *       _from_group                    has made one of the same: a process that is not in the group
 *                                      does not call, so that its count stays
 *     MPI_Intercomm_create,            the two lists of gpids, the tag, and how often
 *       _from_groups
 *     MPI_Comm_accept, _connect,       the two lists of gpids, and how often; where both are known: the
 *       _join                          processes are of one world, or of one that has spawned the other
 *     MPI_Comm_spawn, _multiple        the parent's id and its count of collective calls; the children
 *                                      get it from their environment (wrap/spawned.h)
 *
 * A communicator has no id if its parent has none, or if it has a process of an unknown world.
 */
#ifndef ST_RUNTIME_OBJECTS_COMM_IDS_H
#define ST_RUNTIME_OBJECTS_COMM_IDS_H

#include "runtime/objects/comms.h"
#include "runtime/wrap/spawned.h"

/* The id of MPI_COMM_WORLD; 0: the world has no name. */
uint64_t st_comm_id_of_world(void);

/* Gives MPI_COMM_WORLD or MPI_COMM_SELF its id. The caller holds the lock. */
void st_comm_ids_predefined(struct st_comm *comm);

/* Gives the communicator that the call has made its id. The caller holds the lock. What MPI_Comm_idup makes has
 * the processes of its parent: MPI is not asked, because the new one may not be used yet. */
void st_comm_ids_made(const struct st_facts *facts, struct st_comm *comm);

/* Does the same for a window or file: from the communicator's id, its count of collective calls,
 * and the kind. It gets the communicator's processes as well. */
void st_comm_ids_place(const struct st_facts *facts, struct st_comm *place);

/* Adds the call's tag, or the text that replaces it for sessions, to a hash. */
uint64_t st_comm_ids_tag(uint64_t hash, const struct st_form *form, const uint64_t *values);

/* Returns how often this was called with the key, this call included; 0 if there is no memory. */
uint64_t st_comm_ids_count(uint64_t key);

/* Sets the names for the processes that the current call on `parent` spawns. Returns false if the
 * communicator has no id. The caller must set `job`. */
bool st_comm_ids_spawned(const struct st_comm *parent, struct st_spawned *spawned);

/* Returns the gpid of rank `rank` of a group; ST_NO_GPID if it is not known. */
uint64_t st_comm_ids_member(const struct st_comm_group *group, int32_t rank);

/* Lists a group of a communicator in mapped memory. Returns false if it is not known, or if there
 * is no memory. */
bool st_comm_ids_list(const struct st_comm *comm, bool remote, struct st_known_group *group);

#endif
