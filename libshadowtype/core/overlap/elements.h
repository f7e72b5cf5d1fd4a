/*
 * Elements of a buffer, found by what they do: those that name a byte (none, one, or several where
 * the buffer overlaps itself), and those that are not aligned where they stand.
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
 * the expanded type-tree (place.h). Only children that have such an element are gone into, which
 * their layouts tell without unfolding them: of a million blocks of an indexed type each is looked
 * at, of regular stages none but the right one.
 *
 * Both functions find the first elements in the order of the type map, `most` at the most. ST_NO:
 * there is none. ST_UNDECIDED: the search was not finished (effort->doubt); what was found until
 * then, *found of them, is right. The caller frees the paths. Not thread-safe: the cache may be
 * written.
 */
#ifndef ST_CORE_OVERLAP_ELEMENTS_H
#define ST_CORE_OVERLAP_ELEMENTS_H

#include "core/layout/layout.h"

struct st_path {
    int64_t *index;
    size_t length;
};

void st_path_deinit(struct st_path *path);

/* Those that name the byte at displacement `at`. */
enum st_verdict st_elements_at(struct st_layouts *layouts, const struct st_type *type,
                               int64_t count, int64_t at, struct st_effort *effort,
                               struct st_path *paths, size_t most, size_t *found);

/* Those whose basic type, by its size, asks for another alignment than it has in a buffer at
 * `address`. Types that this version does not know ask for none. */
enum st_verdict st_elements_misaligned(struct st_layouts *layouts, const struct st_type *type,
                                       int64_t count, uint64_t address, struct st_effort *effort,
                                       struct st_path *paths, size_t most, size_t *found);

#endif
