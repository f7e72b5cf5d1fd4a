/* SPDX-License-Identifier: BSD-3-Clause */
#include "in_stacks.h"

#include <stdbool.h>
#include <string.h>

#include "../findings/facts.h"
#include "../stacks/module_kind.h"
#include "../words.h"

static bool has_rank(const json_t *branch, json_int_t rank)
{
    const json_t *number;
    size_t i;
    json_array_foreach(json_object_get(branch, "ranks"), i, number)
    {
        if (json_integer_value(number) == rank) {
            return true;
        }
    }
    return false;
}

/* The first branch of the tree that contains RANK, and in *COUNT the number of such branches: one
 * for each thread with another stack. */
static const json_t *branch_of(const json_t *tree, json_int_t rank, size_t *count)
{
    const json_t *found = NULL, *branch;
    size_t i;
    *count = 0;
    json_array_foreach(json_object_get(tree, "branches"), i, branch)
    {
        if (!has_rank(branch, rank)) {
            continue;
        }
        found = found == NULL ? branch : found;
        ++*count;
    }
    return found;
}

static bool has_one_stack(const json_t *tree, json_int_t rank)
{
    size_t count = 1;
    while (tree != NULL && count == 1) {
        tree = branch_of(tree, rank, &count);
    }
    return count <= 1;
}

const json_t *in_stacks_innermost(const json_t *tree, json_int_t rank)
{
    const json_t *found = NULL, *frame;
    size_t i, count;
    if (!has_rank(tree, rank)) { /* its stack could not be read */
        return NULL;
    }
    for (; tree != NULL; tree = branch_of(tree, rank, &count)) {
        json_array_foreach(json_object_get(tree, "frames"), i, frame)
        {
            const char *file = facts_text(frame, "file");
            if (file != NULL && facts_text(frame, "function") != NULL &&
                strstr(file, "/sysdeps/") == NULL) {
                found = frame;
            }
        }
    }
    return found;
}

void in_stacks_correct(json_t *frames, const json_t *tree, json_int_t rank)
{
    const json_t *frame = in_stacks_innermost(tree, rank);
    if (frame == NULL || !has_one_stack(tree, rank) ||
        module_kind(facts_text(json_array_get(frames, 0), "module")) != MODULE_MPI) {
        return;
    }
    json_t *place =
        json_pack("{s:s}", "text",
                  text_of("%s:%lld in %s()", text_base_name(facts_text(frame, "file")),
                          (long long)facts_number(frame, "line"), facts_text(frame, "function")));
    json_array_clear(frames);
    json_array_append_new(frames, place);
}
