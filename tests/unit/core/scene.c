#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

void scene_init(struct scene *scene)
{
    st_pool_init(&scene->pool);
    st_layouts_init(&scene->layouts);
}

void scene_deinit(struct scene *scene)
{
    st_layouts_deinit(&scene->layouts);
    st_pool_deinit(&scene->pool);
}

int scene_setup(void **state)
{
    *state = malloc(sizeof(struct scene));
    if (*state) {
        scene_init(*state);
    }
    return *state == NULL;
}

int scene_teardown(void **state)
{
    scene_deinit(*state);
    free(*state);
    return 0;
}

const struct st_layout *scene_layout(struct scene *scene, const struct st_type *type)
{
    struct st_effort effort = st_effort_of(0);
    const struct st_layout *layout = NULL;
    assert_int_equal(st_layout_of(&scene->layouts, type, &effort, &layout), ST_OK);
    return layout;
}

struct st_buffer scene_buffer(struct scene *scene, const struct st_type *type, int64_t count,
                              uint64_t address)
{
    struct st_buffer buffer;
    st_buffer_init(&buffer, scene_layout(scene, type), type, count, address);
    return buffer;
}
