/* SPDX-License-Identifier: BSD-3-Clause */
#include "merge.h"

#include <stdlib.h>
#include <string.h>

#include "../findings/merged.h"
#include "../words.h"

/* Adds the ranks of a label: "rank 3", "ranks 0-1,7". Returns false if it is of another form. */
static bool read_ranks(const char *label, struct report *ranks)
{
    if (!text_begins(label, "rank")) {
        return false;
    }
    const char *at = label + strcspn(label, "0123456789");
    while (*at >= '0' && *at <= '9') {
        char *end;
        const long first = strtol(at, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;
        for (long rank = first; rank <= last; rank++) {
            report_add_rank(ranks, (int)rank);
        }
        at = *end == ',' ? end + 1 : end;
    }
    return *at == ':';
}

/* One line for the ranks of two lines with the same stack; NULL if the stacks differ. */
static char *merged_line(const char *one, const char *other)
{
    struct report ranks = {0};
    const char *stack = strchr(one, ':'), *same = strchr(other, ':');
    if (stack == NULL || same == NULL || strcmp(stack, same) != 0 || !read_ranks(one, &ranks) ||
        !read_ranks(other, &ranks)) {
        return NULL;
    }
    return text_of("%s %s%s", ranks.rank_count == 1 ? "rank" : "ranks", report_ranks(&ranks),
                   stack);
}

static void merge_line(json_t *lines, const char *added)
{
    json_t *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        char *merged = merged_line(json_string_value(line), added);
        if (merged != NULL) {
            json_array_set_new(lines, i, json_string(merged));
            free(merged);
            return;
        }
    }
    json_array_append_new(lines, json_string(added));
}

/* A list of both; null if one is not there. */
static json_t *joined(const json_t *one, const json_t *other)
{
    if (!json_is_array(one) || !json_is_array(other)) {
        return json_null();
    }
    json_t *list = json_copy((json_t *)(uintptr_t)one);
    json_array_extend(list, (json_t *)(uintptr_t)other);
    return list;
}

/* A tree that has both as branches. */
static json_t *merged_tree(json_t *one, json_t *other)
{
    if (!json_is_object(one) || !json_is_object(other)) {
        return json_is_object(one) ? json_incref(one) : json_incref(other);
    }
    return json_pack("{s:o, s:o, s:I, s:[], s:[O, O]}", "ranks",
                     joined(json_object_get(one, "ranks"), json_object_get(other, "ranks")), "pids",
                     joined(json_object_get(one, "pids"), json_object_get(other, "pids")),
                     "threads",
                     json_integer_value(json_object_get(one, "threads")) +
                         json_integer_value(json_object_get(other, "threads")),
                     "frames", "branches", one, other);
}

json_t *stacks_merge(json_t *taken, json_t *added)
{
    if (!json_is_object(added)) {
        return taken;
    }
    if (!json_is_object(taken)) {
        json_decref(taken);
        return json_incref(added);
    }
    json_t *lines = json_deep_copy(json_object_get(taken, "lines")), *line;
    size_t i;
    json_array_foreach(json_object_get(added, "lines"), i, line)
    {
        merge_line(lines, json_string_value(line));
    }
    const char *text = json_string_value(json_object_get(taken, "text")),
               *more = json_string_value(json_object_get(added, "text"));
    json_t *merged = json_pack(
        "{s:o, s:o, s:o, s:o}", "lines", lines, "tree",
        merged_tree(json_object_get(taken, "tree"), json_object_get(added, "tree")), "text",
        json_string(text_of("%s%s", text != NULL ? text : "", more != NULL ? more : "")), "missing",
        joined(json_object_get(taken, "missing"), json_object_get(added, "missing")));
    json_decref(taken);
    return merged;
}
