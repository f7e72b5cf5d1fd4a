/* The balanced tree (tree.h) against a sorted array. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "image.h"
#include "core/overlap/tree.h"

enum { MOST = 300 };

struct item {
    struct st_tree_node node;
    int64_t key;
    int order; /* of insertion */
};

static const struct item *item_of(const struct st_tree_node *node)
{
    return (const struct item *)node;
}

static bool before(const struct st_tree_node *a, const struct st_tree_node *b)
{
    return item_of(a)->key < item_of(b)->key;
}

static int check_height(const struct st_tree_node *node)
{
    int heights[2] = {0, 0};
    for (int side = 0; node && side < 2; side++) {
        heights[side] = check_height(node->child[side]);
        assert_true(!node->child[side] || node->child[side]->parent == node);
    }
    assert_true(abs(heights[0] - heights[1]) <= 1);
    int height = node ? 1 + (heights[0] > heights[1] ? heights[0] : heights[1]) : 0;
    assert_true(!node || node->height == height);
    return height;
}

/* In order, equal ones in the order in which they came. */
static void check(const struct st_tree *tree, size_t count)
{
    const struct st_tree_node *last = NULL, *node = st_tree_first(tree);
    size_t met = 0;
    check_height(tree->root);
    for (; node; node = st_tree_next(node)) {
        assert_ptr_equal(st_tree_previous(node), last);
        assert_true(!last || item_of(last)->key < item_of(node)->key ||
                    (item_of(last)->key == item_of(node)->key &&
                     item_of(last)->order < item_of(node)->order));
        last = node;
        met++;
    }
    assert_int_equal(met, count);
}

static void in_any_order(void **state)
{
    (void)state;
    static struct item items[MOST];
    bool in_use[MOST] = {false};
    struct st_tree tree = {.before = before};
    uint64_t seed = image_seed(51);
    size_t count = 0;
    for (int step = 0; step < 40000; step++) {
        size_t i = image_random(&seed) % MOST;
        bool grow = image_random(&seed) % 8 < (step / 5000 % 2 ? 2u : 6u);
        if (in_use[i] != grow) {
            if (grow) {
                memset(&items[i], 0x5a, sizeof items[i]);
                items[i].key = image_between(&seed, 0, step % 3 ? 1000 : 5);
                items[i].order = step;
                st_tree_insert(&tree, &items[i].node);
            } else {
                st_tree_remove(&tree, &items[i].node);
            }
            in_use[i] = grow;
            count += grow ? 1 : SIZE_MAX;
        }
        if (step % 8 == 0) {
            check(&tree, count);
        }
    }
}

static void sorted_already(void **state)
{
    (void)state;
    static struct item items[MOST];
    for (int down = 0; down < 2; down++) {
        struct st_tree tree = {.before = before};
        for (int i = 0; i < MOST; i++) {
            items[i].key = down ? MOST - i : i;
            items[i].order = i;
            st_tree_insert(&tree, &items[i].node);
            check(&tree, (size_t)i + 1);
        }
        assert_true(tree.root->height <= 10);
        for (int i = 0; i < MOST; i++) {
            st_tree_remove(&tree, &items[i].node);
            check(&tree, (size_t)(MOST - 1 - i));
        }
        assert_null(st_tree_first(&tree));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_any_order),
        cmocka_unit_test(sorted_already),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
