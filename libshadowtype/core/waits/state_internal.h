/* What the files that read a rank's state share. */
#ifndef ST_CORE_WAITS_STATE_INTERNAL_H
#define ST_CORE_WAITS_STATE_INTERNAL_H

#include "core/decode/completion.h"
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
    bool knows_completion; /* `completion` has been filled */
    struct st_fault *fault;
};

/* Makes room for one more of `size` bytes behind *list (of `count`). Returns false where memory ends. */
bool st_state_make_room(void *list, size_t count, size_t *room, size_t size);

const struct st_name *st_state_name(const struct st_state_reader *reader, const char *type,
                                    uint64_t value);
void st_state_copy(char *to, size_t room, const char *from);

/* Reads the communicators of the rank. */
enum st_error st_state_read_comms(struct st_state_reader *reader);

/* The index of the communicator, window or file with this handle; ST_NO_COMM: memory ended. Of several the
 * newest counts. kind: as st_comm.kind. */
size_t st_state_comm(struct st_state_reader *reader, enum st_kind kind, uint64_t handle);

#endif
