/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds elements of a buffer: those that contain a byte (several if the buffer overlaps itself), or
 * those that are misaligned.
 *
 *     struct st_path paths[2];
 *     size_t found;
 *     if (st_elements_at(&layouts, type, count, at, &effort, paths, 2, &found) == ST_YES) {
 *         struct st_place place = st_place_repeat(type, buffer, count);
 *         for (size_t i = 0; i < paths[0].length; i++) {
 *             st_place_child(&place, paths[0].index[i], &place);
 *         }
 *         ... place.type->basic, the byte (buffer + at) - place.address of it ...
 *     }
 *     while (found) {
 *         st_path_deinit(&paths[--found]);
 *     }
 *
 * A path is an element address (the paper's IV.C): the repetition, then the child at each stage of
 * the expanded type-tree (place.h). The search enters only children that contain a wanted element,
 * which their layouts show without unfolding. It compares each of a million blocks of an indexed
 * type, but only the right children of regular stages.
 *
 * Both functions find the first elements in the order of the type map, at most `most`. They return
 * ST_NO if there is none, and ST_UNDECIDED if the search was not finished (effort->doubt); the
 * *found elements are then valid nevertheless. The caller frees the paths. Not thread-safe: the
 * cache may be written.
 */
#ifndef ST_CORE_OVERLAP_ELEMENTS_H
#define ST_CORE_OVERLAP_ELEMENTS_H

#include "core/layout/layout.h"

struct st_path {
    int64_t *index;
    size_t length;
};

void st_path_deinit(struct st_path *path);

/* Finds the elements that contain the byte at displacement `at`. */
enum st_verdict st_elements_at(struct st_layouts *layouts, const struct st_type *type,
                               int64_t count, int64_t at, struct st_effort *effort,
                               struct st_path *paths, size_t most, size_t *found);

/* Finds the elements whose alignment in a buffer at `address` is not the one that the size of their
 * basic type requires. Types that this version does not know require none. */
enum st_verdict st_elements_misaligned(struct st_layouts *layouts, const struct st_type *type,
                                       int64_t count, uint64_t address, struct st_effort *effort,
                                       struct st_path *paths, size_t most, size_t *found);

#endif
