/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lists the contiguous blocks of a buffer within a window, to show a part of a large buffer:
 *
 *     struct st_window window;
 *     struct st_run run;
 *     st_window_init(&window, &buffer, 1000, 2000);
 *     while (st_window_next(&window, &effort, &run) == ST_YES) {
 *         ... bytes run.from .. run.to - 1 ...
 *     }
 *     st_window_deinit(&window);
 *
 * All numbers are bytes from the first byte of the buffer. Blocks outside of the window are skipped
 * by arithmetic, and in lists by their tree: the cost is that of the blocks in the window plus
 * O(depth · log). Only blocks that interleave may need a longer search.
 */
#ifndef ST_CORE_OVERLAP_WINDOW_H
#define ST_CORE_OVERLAP_WINDOW_H

#include "core/overlap/overlap.h"

struct st_window_frame;

struct st_window {
    struct st_item item; /* the buffer's */
    uint64_t low, high;
    bool begun;
    struct st_window_frame *frames;
    size_t depth, capacity;
};

/* Starts at bytes low..high-1 of a buffer, which must have no doubt; its layout must live as long. */
void st_window_init(struct st_window *window, const struct st_buffer *buffer, uint64_t low,
                    uint64_t high);
void st_window_deinit(struct st_window *window);

/* Stores the next block, cut to the window; in ascending order unless blocks interleave. Returns
 * ST_NO after the last block; ST_UNDECIDED: see effort->doubt. */
enum st_verdict st_window_next(struct st_window *window, struct st_effort *effort,
                               struct st_run *run);

#endif
