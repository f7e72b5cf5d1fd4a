/* SPDX-License-Identifier: BSD-3-Clause */
#include "taken.h"

#include <stdlib.h>

#include "../words.h"

static int number_of(const struct stacks *stacks, size_t index)
{
    const struct stacks_process *one = &stacks->processes[index];
    return stacks->are_ranks ? one->rank : (int)one->pid;
}

/* "ranks 0-3,7", "process 4711" */
static char *members_text(const struct stacks *stacks, const struct tree_node *node)
{
    char *text = text_of("%s%s ", stacks->are_ranks ? "rank" : "process",
                         node->process_count == 1 ? ""
                         : stacks->are_ranks      ? "s"
                                                  : "es");
    for (size_t i = 0; i < node->process_count;) {
        size_t last = i;
        int first = number_of(stacks, node->processes[i]);
        while (stacks->are_ranks && last + 1 < node->process_count &&
               number_of(stacks, node->processes[last + 1]) ==
                   number_of(stacks, node->processes[last]) + 1) {
            last++;
        }
        const char *comma = i == 0 ? "" : ",";
        char *longer = last == i ? text_of("%s%s%d", text, comma, first)
                                 : text_of("%s%s%d-%d", text, comma, first,
                                           number_of(stacks, node->processes[last]));
        free(text);
        text = longer;
        i = last + 1;
    }
    if (node->threads != node->process_count) {
        char *longer = text_of("%s (%zu threads)", text, node->threads);
        free(text);
        text = longer;
    }
    return text;
}

/* "source=1|0": an argument of an MPI call. */
static char *argument_text(const struct tree_argument *argument)
{
    enum { SHOWN = 4 };
    char *text = text_of("%s=%s", argument->name, argument->count > SHOWN ? "..." : "");
    for (size_t i = 0; argument->count <= SHOWN && i < argument->count; i++) {
        char *longer = text_of("%s%s%s", text, i == 0 ? "" : "|", argument->values[i]);
        free(text);
        text = longer;
    }
    return text;
}

static char *call_text(const struct tree_node *node)
{
    char *text = text_of("%s", node->level.function);
    if (node->argument_count == 0) {
        return text;
    }
    for (size_t i = 0; i < node->argument_count; i++) {
        char *argument = argument_text(&node->arguments[i]);
        char *longer = text_of("%s%s%s", text, i == 0 ? "(" : ", ", argument);
        free(argument);
        free(text);
        text = longer;
    }
    return text_of("%s)", text);
}

static char *level_text(const struct tree_node *node)
{
    const struct level *level = &node->level;
    const char *module = level->module == NULL ? NULL : text_base_name(level->module);
    if (level->is_mpi) {
        return call_text(node);
    }
    if (level->file != NULL && level->function != NULL) {
        return text_of("%s:%d in %s()", text_base_name(level->file), level->line, level->function);
    }
    if (level->file != NULL) {
        return text_of("%s:%d", text_base_name(level->file), level->line);
    }
    if (level->function != NULL && module == NULL) {
        return text_of("%s", level->function);
    }
    if (level->function != NULL) {
        return text_of("%s() of %s", level->function, module);
    }
    if (module != NULL) {
        return text_of("%s+0x%llx", module, (unsigned long long)level->offset);
    }
    return text_of("an unknown place");
}

static void print_line(FILE *file, const char *indent, const char *mark, char *text)
{
    fprintf(file, "%s%s%s\n", indent, mark, text_visible(text));
    free(text);
}

/* Returns the number of threads that are at NODE, and in none of its children. */
static size_t threads_here(const struct tree_node *node)
{
    size_t below = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        below += node->children[i]->threads;
    }
    return node->threads - below;
}

/* Writes a line for NODE and for each that follows it without a branch; a recursion is one line.
 * Returns the last one. */
static const struct tree_node *print_chain(const struct tree_node *node, FILE *file,
                                           const char *indent)
{
    for (;; node = node->children[0]) {
        size_t times = 1;
        for (; tree_goes_on(node) && tree_is_same(node, node->children[0]); times++) {
            node = node->children[0];
        }
        char *text = level_text(node);
        if (times != 1) {
            char *longer = text_of("%s, %zu times", text, times);
            free(text);
            text = longer;
        }
        print_line(file, indent, "", text);
        if (!tree_goes_on(node)) {
            return node;
        }
    }
}

/* Writes the branches below NODE, each under a line that names its processes. */
static void print_branches(const struct stacks *stacks, const struct tree_node *node, FILE *file,
                           const char *indent)
{
    size_t here = node->child_count == 0 ? 0 : threads_here(node);
    for (size_t i = 0; i < node->child_count; i++) {
        bool is_last = here == 0 && i + 1 == node->child_count;
        const struct tree_node *child = node->children[i];
        char *inner = text_of("%s%s", indent, is_last ? "   " : "│  ");
        print_line(file, indent, is_last ? "└─ " : "├─ ", members_text(stacks, child));
        print_branches(stacks, print_chain(child, file, inner), file, inner);
        free(inner);
    }
    if (here != 0) {
        print_line(file, indent, "└─ ",
                   text_of("%zu %s here", here, here == 1 ? "thread is" : "threads are"));
    }
}

void stacks_print(const struct stacks *stacks, FILE *file, const char *indent)
{
    if (stacks->root.threads == 0) {
        return;
    }
    char *inner = text_of("%s  ", indent);
    print_line(file, indent, "", members_text(stacks, &stacks->root));
    const struct tree_node *node = &stacks->root;
    if (tree_goes_on(node)) {
        node = print_chain(node->children[0], file, inner);
    }
    print_branches(stacks, node, file, inner);
    free(inner);
}

/* --- a line for each stack ----------------------------------------------------------------- */

/* Returns "step"; if the function is not known, the next best name. */
static char *short_text(const struct tree_node *node)
{
    const struct level *level = &node->level;
    if (level->function != NULL) {
        return text_of("%s", level->function);
    }
    if (level->file != NULL) {
        return text_of("%s:%d", text_base_name(level->file), level->line);
    }
    if (level->module != NULL) {
        return text_of("%s+0x%llx", text_base_name(level->module),
                       (unsigned long long)level->offset);
    }
    return text_of("?");
}

/* Adds the lines of NODE and below. BEGIN is the text for the path to NODE. */
static void add_lines(const struct stacks *stacks, const struct tree_node *node, const char *begin,
                      json_t *lines)
{
    if (node->child_count == 0 || threads_here(node) != 0) {
        char *who = members_text(stacks, node);
        char *line = text_visible(text_of("%s: %s", who, begin));
        json_array_append_new(lines, json_string(line));
        free(who);
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct tree_node *child = node->children[i];
        char *name = short_text(child);
        bool again = node != &stacks->root && tree_is_same(node, child);
        char *longer = again ? text_of("%s", begin)
                             : text_of("%s%s%s", begin, begin[0] != '\0' ? " > " : "", name);
        add_lines(stacks, child, longer, lines);
        free(name);
        free(longer);
    }
}

json_t *stacks_lines(const struct stacks *stacks)
{
    json_t *lines = json_array();
    if (stacks->root.threads != 0) {
        add_lines(stacks, &stacks->root, "", lines);
    }
    return lines;
}
