/* SPDX-License-Identifier: BSD-3-Clause */
#include "taken.h"

/* Unknown values become null. */
static json_t *json_text(const char *value)
{
    json_t *text = value != NULL ? json_string(value) : NULL;
    return text != NULL ? text : json_null();
}

static json_t *call_json(const struct tree_node *node)
{
    if (!node->level.is_mpi) {
        return json_null();
    }
    json_t *arguments = json_object();
    for (size_t i = 0; i < node->argument_count; i++) {
        json_t *values = json_array();
        for (size_t j = 0; j < node->arguments[i].count; j++) {
            json_array_append_new(values, json_text(node->arguments[i].values[j]));
        }
        json_object_set_new(arguments, node->arguments[i].name, values);
    }
    return json_pack("{s:o, s:o}", "function", json_text(node->level.function), "arguments",
                     arguments);
}

static json_t *frame_json(const struct tree_node *node)
{
    const struct level *level = &node->level;
    json_t *frame = json_pack("{s:o, s:o, s:o, s:o, s:o}", "function", json_text(level->function),
                              "file", json_text(level->file), "line",
                              level->file != NULL ? json_integer(level->line) : json_null(),
                              "module", json_text(level->module), "call", call_json(node));
    if (level->file == NULL && level->function == NULL && level->module != NULL) {
        json_object_set_new(frame, "offset", json_integer((json_int_t)level->offset));
    }
    return frame;
}

static json_t *numbers_json(const struct stacks *stacks, const struct tree_node *node, bool pids)
{
    if (!pids && !stacks->are_ranks) {
        return json_null();
    }
    json_t *list = json_array();
    for (size_t i = 0; i < node->process_count; i++) {
        const struct stacks_process *one = &stacks->processes[node->processes[i]];
        json_array_append_new(list, json_integer(pids ? one->pid : one->rank));
    }
    return list;
}

static json_t *node_json(const struct stacks *stacks, const struct tree_node *node, bool is_root)
{
    json_t *frames = json_array(), *branches = json_array();
    json_t *object =
        json_pack("{s:o, s:o, s:I, s:o, s:o}", "ranks", numbers_json(stacks, node, false), "pids",
                  numbers_json(stacks, node, true), "threads", (json_int_t)node->threads, "frames",
                  frames, "branches", branches);
    if (!is_root) {
        json_array_append_new(frames, frame_json(node));
    }
    for (; tree_goes_on(node); node = node->children[0]) {
        json_array_append_new(frames, frame_json(node->children[0]));
    }
    for (size_t i = 0; i < node->child_count; i++) {
        json_array_append_new(branches, node_json(stacks, node->children[i], false));
    }
    return object;
}

json_t *stacks_json(const struct stacks *stacks)
{
    return node_json(stacks, &stacks->root, true);
}
