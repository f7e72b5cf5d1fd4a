/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#include "../say.h"

/* Returns LIST with room for one more. */
static void *grow_list(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) { /* grows by powers of two */
        return list;
    }
    list = realloc(list, (count == 0 ? 1 : 2 * count) * size);
    if (list == NULL) {
        fail(1, "out of memory");
    }
    return list;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct level *a, const struct level *b)
{
    if (a->is_mpi != b->is_mpi || !same_text(a->function, b->function)) {
        return false;
    }
    if (a->is_mpi) {
        return true;
    }
    if (!same_text(a->file, b->file) || a->line != b->line) {
        return false;
    }
    if (a->file != NULL) {
        return true;
    }
    return same_text(a->module, b->module) && (a->function != NULL || a->offset == b->offset);
}

static struct tree_node *child_of(struct tree_node *node, const struct level *level)
{
    for (size_t i = 0; i < node->child_count; i++) {
        if (is_same(&node->children[i]->level, level)) {
            return node->children[i];
        }
    }
    struct tree_node *child = calloc(1, sizeof *child);
    if (child == NULL) {
        fail(1, "out of memory");
    }
    child->level = *level;
    node->children = grow_list(node->children, node->child_count, sizeof *node->children);
    node->children[node->child_count++] = child;
    return child;
}

static void add_value(struct tree_argument *argument, const char *value)
{
    for (size_t i = 0; i < argument->count; i++) {
        if (strcmp(argument->values[i], value) == 0) {
            return;
        }
    }
    argument->values = grow_list(argument->values, argument->count, sizeof *argument->values);
    argument->values[argument->count++] = value;
}

static void add_argument(struct tree_node *node, const struct call_argument *argument)
{
    size_t i = 0;
    while (i < node->argument_count && strcmp(node->arguments[i].name, argument->name) != 0) {
        i++;
    }
    if (i == node->argument_count) {
        node->arguments = grow_list(node->arguments, i, sizeof *node->arguments);
        node->arguments[node->argument_count++] = (struct tree_argument){.name = argument->name};
    }
    add_value(&node->arguments[i], argument->value);
}

static void count_thread(struct tree_node *node, size_t process)
{
    node->threads++;
    if (node->process_count != 0 && node->processes[node->process_count - 1] == process) {
        return;
    }
    node->processes = grow_list(node->processes, node->process_count, sizeof *node->processes);
    node->processes[node->process_count++] = process;
}

void tree_add(struct tree_node *root, const struct levels *levels, size_t process)
{
    struct tree_node *node = root;
    count_thread(root, process);
    for (size_t i = 0; i < levels->count; i++) {
        node = child_of(node, &levels->list[i]);
        count_thread(node, process);
        for (size_t j = 0; j < levels->list[i].call.count; j++) {
            add_argument(node, &levels->list[i].call.arguments[j]);
        }
    }
}

bool tree_goes_on(const struct tree_node *node)
{
    return node->child_count == 1 && node->children[0]->threads == node->threads;
}

bool tree_is_same(const struct tree_node *a, const struct tree_node *b)
{
    return is_same(&a->level, &b->level);
}
