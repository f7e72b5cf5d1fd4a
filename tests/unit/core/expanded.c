#include "expanded.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void *grown(void *array, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity) {
        return array;
    }
    *capacity = *capacity ? *capacity * 2 : 256;
    array = realloc(array, *capacity * size);
    assert_non_null(array);
    return array;
}

static size_t add_node(struct expanded *x, const struct st_place *place, int64_t at)
{
    x->nodes = grown(x->nodes, x->count, &x->capacity, sizeof(*x->nodes));
    x->nodes[x->count] = (struct node){.place = *place, .at = at, .path = x->step_count};
    return x->count++;
}

static void add_step(struct expanded *x, int64_t step)
{
    x->steps = grown(x->steps, x->step_count, &x->step_capacity, sizeof(*x->steps));
    x->steps[x->step_count++] = step;
}

/* Adds what has been counted of a child to its parent. */
static void add_content(struct node *node, const struct node *child)
{
    node->elements += child->elements;
    node->bytes += child->bytes;
    if (child->low == child->high) {
        return;
    }
    if (node->low == node->high || child->low < node->low) {
        node->low = child->low;
    }
    if (child->high > node->high || node->bytes == child->bytes) {
        node->high = child->high;
    }
}

static void unroll(struct expanded *x, size_t index, int64_t number, int64_t byte)
{
    struct node node = x->nodes[index];
    node.number = number;
    node.byte = byte;
    if (node.place.leaf && node.place.type->basic.size) {
        node.elements = 1;
        node.bytes = node.place.type->args[0];
        node.low = node.at;
        node.high = node.at + node.place.type->basic.size;
        x->leaves = grown(x->leaves, (size_t)number, &x->leaf_capacity, sizeof(*x->leaves));
        x->leaves[number] = index;
    }
    for (int64_t i = 0; i < node.place.count; i++) {
        struct st_place place;
        assert_int_equal(st_place_child(&node.place, i, &place), ST_OK);
        size_t child = add_node(x, &place, node.at + (int64_t)(place.address - node.place.address));
        for (size_t step = 0; step < node.depth; step++) {
            add_step(x, x->steps[node.path + step]);
        }
        add_step(x, i);
        x->nodes[child].depth = node.depth + 1;
        unroll(x, child, number + node.elements, byte + node.bytes);
        add_content(&node, &x->nodes[child]);
    }
    x->nodes[index] = node;
}

void expanded_init(struct expanded *expanded, const struct st_place *root)
{
    *expanded = (struct expanded){0};
    unroll(expanded, add_node(expanded, root, 0), 0, 0);
}

void expanded_deinit(struct expanded *expanded)
{
    free(expanded->nodes);
    free(expanded->leaves);
    free(expanded->steps);
    *expanded = (struct expanded){0};
}

void expanded_check(const struct expanded *expanded, const struct map *map, int64_t copies)
{
    assert_int_equal(expanded->nodes[0].elements, map->count * (size_t)copies);
    for (size_t i = 0; i < map->count * (size_t)copies; i++) {
        const struct node *node = &expanded->nodes[expanded->leaves[i]];
        const struct entry *entry = &map->entries[i % map->count];
        int64_t copy = (int64_t)(i / map->count);
        assert_int_equal(node->at, entry->at + copy * (map->ub - map->lb));
        assert_int_equal(node->place.type->ordinal, entry->leaf);
        assert_int_equal(node->number, i);
    }
}

bool expanded_holds(const struct node *leaf, int64_t byte, int *member)
{
    const struct st_basic *basic = &leaf->place.type->basic;
    *member = -1;
    if (basic->class_ != ST_CLASS_PAIR) {
        return byte >= leaf->low && byte < leaf->high;
    }
    for (int i = 0; i < 2; i++) {
        int64_t at = leaf->at + basic->members[i].offset;
        if (byte >= at && byte < at + basic->members[i].size) {
            *member = i;
            return true;
        }
    }
    return false;
}
