/*
 * The ids of communicators: derived by each process for itself, without a
 * message, and the same in all processes of a communicator.
 *
 *     MPI_COMM_WORLD, MPI_COMM_SELF            the name of the world; that and
 * the rank MPI_Comm_dup, split, create, cart, ...   the parent's id, its count
 * of collective calls, and the gpid of the new one's rank 0: the children of
 * one call have no process in common. Of an intercommunicator the lower one of
 * its two rank 0's MPI_Comm_create_group, _from_group       the parent's id,
 * the gpids, the tag, and how often this process has made one of the same: who
 * is not in the group does not take part, so that nothing is counted
 *     MPI_Intercomm_create, _from_groups       the two lists of gpids, the tag,
 * and how often
 *
 * A communicator whose parent has no id, or with a process in an unknown world,
 * has none.
 */
#ifndef ST_RUNTIME_OBJECTS_COMM_IDS_H
#define ST_RUNTIME_OBJECTS_COMM_IDS_H

#include "runtime/objects/comms.h"

/* Gives MPI_COMM_WORLD or MPI_COMM_SELF its id. The caller holds the lock, as
 * for the next. */
void st_comm_ids_predefined(struct st_comm *comm);

/* Gives a communicator its id that the call has made. What MPI_Comm_idup makes
 * has its parent's processes; MPI need not be asked, which it must not be yet.
 */
void st_comm_ids_made(const struct st_facts *facts, struct st_comm *comm);

/* The same of a window or file: the communicator's id, its count of collective calls, and the sort. It gets the
 * communicator's processes as well. */
void st_comm_ids_place(const struct st_facts *facts, struct st_comm *place);

/* How many times this has been asked with the key, now included; 0: no memory. */
uint64_t st_comm_ids_count(uint64_t key);

/* The process (gpid) that is rank `rank` of a group; ST_NO_GPID if it is not known. */
uint64_t st_comm_ids_member(const struct st_comm_group *group, int32_t rank);

#endif
