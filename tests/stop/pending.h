/*
 * What a debugger sees at a stop of the operations that are pending, and of the call that a rank's
 * thread is in; and whether that can be, after what was seen at the stop before.
 *
 *     struct pending pending = {0};
 *     pending_begin(&pending, &board->operations, rank_read, &view, root)   at the beginning of a part
 *     pending_look(&pending, rank_read, &view, root)                        at each stop
 *     pending_end(&pending)                                                 at its end
 *     if (pending.wrong[0]) ... what is wrong ...
 *     pending_free(&pending);
 *
 * At every stop: nothing is damaged; an operation that was there before is what it was, and only its
 * flags change, and whether its buffers are active; no more have come or gone than the part begins or
 * ends, and what came is of its function, with its tag; the call in progress is a call of its
 * function with its tag, and no argument changes while it runs.
 */
#ifndef TESTS_STOP_PENDING_H
#define TESTS_STOP_PENDING_H

#include <stdbool.h>

#include "board.h"
#include "core/decode/calls.h"

struct pending {
    struct stop_operations rule;
    struct st_operation_list list; /* at the last stop */
    uint32_t begun, ended;         /* since the part began */
    struct st_thread_call call;    /* of the only thread, the outermost */
    char function[64];             /* of that call */
    char wrong[256];
};

bool pending_begin(struct pending *pending, const struct stop_operations *rule, st_read_fn read,
                   void *context, uint64_t root);
bool pending_look(struct pending *pending, st_read_fn read, void *context, uint64_t root);
bool pending_end(struct pending *pending);
void pending_free(struct pending *pending);

#endif
