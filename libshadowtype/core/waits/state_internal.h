/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files that read the state of a rank. */
#ifndef ST_CORE_WAITS_STATE_INTERNAL_H
#define ST_CORE_WAITS_STATE_INTERNAL_H

#include "core/decode/completion.h"
#include "core/waits/functions.h"
#include "core/waits/state.h"

struct st_state_reader {
    struct st_registry *registry;
    st_read_fn read;
    void *context;
    struct st_wait_rank *rank;
    struct st_name *names;
    size_t name_count;
    struct st_operation_list operations;
    struct st_completion_record completion;
    bool knows_completion; /* `completion` is valid */
    struct st_fault *fault;
};

/* --- state_parts.c: shared helpers --------------------------------------------------------- */

/* Makes room for one more element of `size` bytes in *list, which has `count`. Returns false if
 * memory runs out. */
bool st_state_make_room(void *list, size_t count, size_t *room, size_t size);

void st_state_copy(char *to, size_t room, const char *from);

/* The MPI constant with this type and value, or NULL. st_state_is_called() returns true if it has
 * this name. */
const struct st_name *st_state_name(const struct st_state_reader *reader, const char *type,
                                    uint64_t value);
bool st_state_is_called(const struct st_state_reader *reader, const char *type, uint64_t value,
                        const char *name);

/* The value of the call's parameter with this role. Returns false if the call has no such
 * parameter. */
bool st_state_find_value(const struct st_call_form *form, const struct st_thread_call *call,
                         const char *role, uint64_t *value);

/* Reads a handle from the rank's memory. Returns false if it cannot be read. */
bool st_state_read_handle(const struct st_state_reader *reader, enum st_kind kind, uint64_t address,
                          uint64_t *handle);

/* True if the communicator's id is known. Without it the call cannot be compared with those of
 * other ranks. */
bool st_state_is_known(const struct st_state_reader *reader, size_t comm);

/* True if MPI may call a callback function of the program in such a call. */
bool st_state_may_call_back(const struct st_state_reader *reader, enum st_function_sort sort);

/* True if a collective call can go on before all members have come. */
bool st_state_is_from_nearby(const struct st_state_reader *reader, size_t comm,
                             const char *function, enum st_function_sort sort);

/* Adds a part to the thread's call, or to the pending operations. These functions and those below
 * return false if memory runs out. */
bool st_state_add_waited(struct st_wait_rank *rank, struct st_wait_thread *thread,
                         const struct st_wait_part *part);
bool st_state_add_pending(struct st_wait_rank *rank, const struct st_wait_part *part);

/* --- state_calls.c ------------------------------------------------------------------------- */

/* Adds the parts of the call that the thread is in. */
bool st_state_add_call(struct st_state_reader *reader, struct st_wait_thread *thread,
                       const struct st_call_form *form);

/* --- state_requests.c ---------------------------------------------------------------------- */

/* Adds the requests that a call such as MPI_Wait waits for. is_one: the call has one request, not
 * an array. */
bool st_state_add_requests(struct st_state_reader *reader, struct st_wait_thread *thread,
                           const struct st_call_form *form, bool is_one);

/* Adds all requests of the rank to the pending operations. */
bool st_state_add_operations(struct st_state_reader *reader);

/* --- state_comms.c ------------------------------------------------------------------------- */

/* Returns the number of a request's call on its communicator; 0 if it is not known. A record has only its low 32
 * bits, `order`. */
uint64_t st_state_order(const struct st_wait_comm *comm, uint32_t order);

/* Reads the communicators, windows and files of the rank. */
enum st_error st_state_read_comms(struct st_state_reader *reader);

/* The index of the communicator, window or file with this handle, or of the newest one if several
 * have it. A handle that is not known gets a new entry without contents. Returns ST_NO_COMM if
 * memory runs out.
 * kind: ST_KIND_NONE for a communicator, as in struct st_wait_comm. */
size_t st_state_comm(struct st_state_reader *reader, enum st_kind kind, uint64_t handle);

#endif
