/*
 * Types by hand and their layouts, for a test's group state.
 *
 *     cmocka_unit_test_setup_teardown(figure_1, scene_setup, scene_teardown)
 *     ...
 *     struct scene *scene = *state;
 *     const struct st_layout *layout = scene_layout(scene, hand_contiguous(&scene->pool, 3, base));
 */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "hand.h"
#include "core/overlap/overlap.h"

struct scene {
    struct st_pool pool;
    struct st_layouts layouts;
};

void scene_init(struct scene *scene);
void scene_deinit(struct scene *scene);
int scene_setup(void **state);
int scene_teardown(void **state);

/* Both fail the test where there is no memory. */
const struct st_layout *scene_layout(struct scene *scene, const struct st_type *type);
struct st_buffer scene_buffer(struct scene *scene, const struct st_type *type, int64_t count,
                              uint64_t address);

#endif
