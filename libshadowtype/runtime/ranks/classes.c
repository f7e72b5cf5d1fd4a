#include "runtime/ranks/classes.h"

#include "runtime/ranks/node.h"

bool st_class_has(const struct st_rank_class *class, int32_t rank)
{
    return class->members[rank / 8] >> rank % 8 & 1;
}

static void add_member(struct st_rank_class *class, int32_t rank)
{
    if (st_class_has(class, rank))
        return;
    class->members[rank / 8] |= (uint8_t)(1 << rank % 8);
    if (!class->count++ || rank < class->first)
        class->first = rank;
}

/* In class number `at`, which may be a new one. */
static void add_to(struct st_rank_classes *classes, size_t at, const struct st_collective *call)
{
    int32_t rank = st_node_world_rank(call->rank);
    if (rank < 0 || rank >= ST_SEGMENT_RANKS || at == ST_MOST_CLASSES)
        return;
    if (at == classes->count)
        classes->list[classes->count++].call = *call;
    add_member(&classes->list[at], rank);
}

void st_classes_add(struct st_rank_classes *classes, const struct st_collective *call)
{
    size_t i = 0;
    while (i < classes->count &&
           (st_collective_compare(&classes->list[i].call, call) != ST_CALLS_AGREE ||
            st_collective_are_apart(&classes->list[i].call, call)))
        i++;
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
        if (st_node_find_call(i, key, call, &other) && !st_collective_are_apart(&other, call))
            st_classes_add(classes, &other);
    }
}

static bool leads(const struct st_rank_class *class, const struct st_rank_class *other)
{
    if (class->count != other->count)
        return class->count > other->count;
    return class->first < other->first;
}

void st_classes_sort(struct st_rank_classes *classes)
{
    for (size_t i = 1; i < classes->count; i++)
        for (size_t k = i; k > 0 && leads(&classes->list[k], &classes->list[k - 1]); k--) {
            struct st_rank_class class = classes->list[k];
            classes->list[k] = classes->list[k - 1];
            classes->list[k - 1] = class;
        }
}

void st_put_class(struct st_writer *writer, const struct st_rank_class *class)
{
    const char *comma = class->count > 1 ? "ranks " : "rank ";
    for (int32_t rank = 0; rank < ST_SEGMENT_RANKS; rank++) {
        if (!st_class_has(class, rank))
            continue;
        int32_t last = rank;
        while (last + 1 < ST_SEGMENT_RANKS && st_class_has(class, last + 1))
            last++;
        st_put(writer, comma);
        st_put_number(writer, rank);
        if (last > rank) {
            st_put(writer, "-");
            st_put_number(writer, last);
        }
        comma = ",";
        rank = last;
    }
}
