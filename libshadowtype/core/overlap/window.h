/*
 * The contiguous blocks of a buffer that lie in a window, for those who show one part of a large
 * one:
 *
 *     struct st_window window;
 *     struct st_run run;
 *     st_window_init(&window, &buffer, 1000, 2000);
 *     while (st_window_next(&window, &effort, &run) == ST_YES) {
 *         ... bytes run.from .. run.to - 1 ...
 *     }
 *     st_window_deinit(&window);
 *
 * All numbers are bytes from the buffer's first one. What lies outside of the window is passed by
 * arithmetic, and in lists by their tree: a window costs what lies in it and O(depth · log). Only
 * blocks that stand between one another may have to be looked for.
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

/* Bytes low..high-1 of a buffer, which must have no doubt; its layout must live as long. */
void st_window_init(struct st_window *window, const struct st_buffer *buffer, uint64_t low,
                    uint64_t high);
void st_window_deinit(struct st_window *window);

/* The next block, cut to the window: ascending, as long as blocks do not stand between one another.
 * ST_NO: that were all. ST_UNDECIDED: see effort->doubt. */
enum st_verdict st_window_next(struct st_window *window, struct st_effort *effort,
                               struct st_run *run);

#endif
