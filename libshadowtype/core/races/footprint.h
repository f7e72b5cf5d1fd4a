/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Converts the bytes of an access from a layout to a record that another process reads
 * (core/agree/access.h), and back: a block on up to three levels, or some blocks.
 *
 *     if (st_footprint_put(&access, runs, &buffer)) st_access_write(room, &access, runs);
 *     ...
 *     struct st_layout *layout = st_footprint_get(&access, runs);
 *     st_buffer_repeat(&buffer, layout, true, 0, 1, address);
 */
#ifndef ST_CORE_RACES_FOOTPRINT_H
#define ST_CORE_RACES_FOOTPRINT_H

#include "core/agree/access.h"
#include "core/overlap/overlap.h"

enum { ST_FOOTPRINT_RUNS = ST_ACCESS_MOST_RUNS / ST_ACCESS_RUNS_EACH };

/* Fills low, block, levels and runs of an access, and `runs` (ST_FOOTPRINT_RUNS of them). The
 * buffer is relative to the displacement, which is address 0. Returns false if it has too many
 * blocks, none, or is not known. */
bool st_footprint_put(struct st_access_record *access, struct st_access_runs *runs,
                      const struct st_buffer *buffer);

/* Fills in the bytes of an access whose displacement is at address `at`. *layout, which the caller must release, lives as
 * long as they do; NULL: they need none. Returns false if there is no memory, or if the record is
 * invalid. */
bool st_footprint_bytes(const struct st_access_record *access, const struct st_access_runs *runs,
                        uint64_t at, struct st_buffer *bytes, struct st_layout **layout);

/* Returns true if all blocks begin, and end, at multiples of `size` bytes from the first byte on.
 * RUNS: those of an access that has such; NULL: not known, so it is not even. */
bool st_footprint_is_even(const struct st_access_record *access, const struct st_access_runs *runs,
                          uint64_t size);

#endif
