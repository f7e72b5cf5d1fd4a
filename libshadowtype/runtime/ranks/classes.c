/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/classes.h"

#include "runtime/ranks/node.h"

static bool has_place(const struct st_rank_class *class, uint32_t place)
{
    return class->members[place / 8] >> place % 8 & 1;
}

static void add_member(struct st_rank_class *class, uint32_t place, int32_t rank)
{
    if (has_place(class, place)) {
        return;
    }
    class->members[place / 8] |= (uint8_t)(1 << place % 8);
    if (!class->count++ || rank < class->first) {
        class->first = rank;
    }
}

/* Adds the rank to class number `at`, which may be a new one. */
static void add_to(struct st_rank_classes *classes, size_t at, const struct st_collective *call)
{
    int32_t rank = st_node_world_rank(call->rank);
    if (rank < 0 || at == ST_MOST_CLASSES) {
        return;
    }
    if (at == classes->count) {
        classes->list[classes->count++].call = *call;
    }
    add_member(&classes->list[at], call->rank, rank);
}

void st_classes_add(struct st_rank_classes *classes, const struct st_collective *call)
{
    size_t i = 0;
    while (i < classes->count &&
           (st_collective_compare(&classes->list[i].call, call) != ST_CALLS_AGREE ||
            st_collective_are_apart(&classes->list[i].call, call))) {
        i++;
    }
    add_to(classes, i, call);
}

void st_classes_add_alone(struct st_rank_classes *classes, const struct st_collective *call)
{
    add_to(classes, classes->count, call);
}

void st_classes_add_all(struct st_rank_classes *classes, const struct st_collective *call)
{
    const uint64_t key = st_collective_key(call->comm, call->number);
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        struct st_collective other;
        if (st_node_find_call(i, key, call, &other) && !st_collective_are_apart(&other, call)) {
            st_classes_add(classes, &other);
        }
    }
}

static bool leads(const struct st_rank_class *class, const struct st_rank_class *other)
{
    if (class->count != other->count) {
        return class->count > other->count;
    }
    return class->first < other->first;
}

void st_classes_sort(struct st_rank_classes *classes)
{
    for (size_t i = 1; i < classes->count; i++) {
        for (size_t k = i; k > 0 && leads(&classes->list[k], &classes->list[k - 1]); k--) {
            struct st_rank_class class = classes->list[k];
            classes->list[k] = classes->list[k - 1];
            classes->list[k - 1] = class;
        }
    }
}

static void sort_ranks(int32_t *ranks, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t k = i; k > 0 && ranks[k] < ranks[k - 1]; k--) {
            const int32_t rank = ranks[k];
            ranks[k] = ranks[k - 1];
            ranks[k - 1] = rank;
        }
    }
}

/* Lists the ranks of one world, ascending. */
static size_t list_of_world(const struct st_rank_class *class, uint32_t world, int32_t *ranks)
{
    size_t count = 0;
    for (uint32_t place = 0; place < ST_SEGMENT_RANKS; place++) {
        if (has_place(class, place) && st_node_world(place) == world) {
            ranks[count++] = st_node_world_rank(place);
        }
    }
    sort_ranks(ranks, count);
    return count;
}

size_t st_class_list(const struct st_rank_class *class, int32_t *ranks)
{
    size_t count = 0;
    for (uint32_t world = 1; world <= ST_MOST_WORLDS && count < class->count; world++) {
        count += list_of_world(class, world, ranks + count);
    }
    return count;
}

/* "rank 3", "ranks 0-2,5" */
static void put_ranks(struct st_writer *writer, const int32_t *ranks, size_t count)
{
    const char *comma = count > 1 ? "ranks " : "rank ";
    for (size_t i = 0, last; i < count; i = last + 1) {
        last = i;
        while (last + 1 < count && ranks[last + 1] == ranks[last] + 1) {
            last++;
        }
        st_put(writer, comma);
        st_put_number(writer, ranks[i]);
        if (last > i) {
            st_put(writer, "-");
            st_put_number(writer, ranks[last]);
        }
        comma = ",";
    }
}

void st_put_class(struct st_writer *writer, const struct st_rank_class *class, int32_t *room)
{
    size_t told = 0;
    for (uint32_t world = 1; world <= ST_MOST_WORLDS && told < class->count; world++) {
        const size_t count = list_of_world(class, world, room);
        if (count && told) {
            st_put(writer, " and ");
        }
        if (count) {
            put_ranks(writer, room, count);
        }
        if (count && world > 1) {
            st_put(writer, " of world ");
            st_put_number(writer, world);
        }
        told += count;
    }
}
