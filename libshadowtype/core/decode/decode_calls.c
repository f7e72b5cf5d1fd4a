/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that threads are in, the text with the meaning of their values, and the names of
 * constants. */
#include "core/decode/calls.h"
#include "core/decode/decode_internal.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

/* No valid registry exceeds these. */
#define MOST_FORMS (UINT32_C(1) << 20) /* bytes */
#define MOST_NAMES 1024u
#define MOST_THREADS (UINT32_C(1) << 20)

/* Reads without the cache: calls change at any time, without root.changes. */
static enum st_error read_now(struct st_registry *registry, const char *field, uint64_t address,
                              void *buffer, size_t length, struct st_fault *fault)
{
    switch (registry->memory.read(address, buffer, length, registry->memory.context)) {
    case ST_READ_OK:
        return ST_OK;
    case ST_READ_INTERRUPTED:
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    default:
        return st_fail(fault, (struct st_fault){.error = ST_UNREADABLE,
                                                .address = address,
                                                .value = length,
                                                .field = field,
                                                .node = ST_NO_NODE});
    }
}

enum st_error st_registry_thread(struct st_registry *registry, uint64_t *address, uint32_t *number,
                                 struct st_thread *thread, struct st_fault *fault)
{
    if (!*address || *address % alignof(struct st_thread) != 0) {
        return st_bad_root(fault, "threads", *address);
    }
    enum st_error error = read_now(registry, "threads", *address, thread, sizeof *thread, fault);
    if (error) {
        return error;
    }
    /* The numbers must descend: so a list that leads back to itself ends. */
    if (thread->magic != ST_THREAD_MAGIC || !thread->number || thread->number > MOST_THREADS ||
        (*number && thread->number != *number - 1) || !thread->next != (thread->number == 1)) {
        return st_bad_root(fault, "threads", *address);
    }
    *number = thread->number;
    *address = thread->next;
    return ST_OK;
}

enum st_error st_registry_progress(struct st_registry *registry, struct st_progress *progress,
                                   uint64_t *calls, struct st_fault *fault)
{
    uint64_t address = registry->root.progress;
    *progress = (struct st_progress){0};
    *calls = 0;
    if (!address) {
        return ST_OK;
    }
    enum st_error error =
        read_now(registry, "progress", address, progress, sizeof *progress, fault);
    if (!error && (progress->magic != ST_PROGRESS_MAGIC || progress->own_count > ST_OWN_THREADS)) {
        error = st_bad_root(fault, "progress", address);
    }
    return error || !progress->calls
               ? error
               : read_now(registry, "calls", progress->calls, calls, sizeof *calls, fault);
}

/* --- forms --------------------------------------------------------------------------------- */

static bool is_name(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    return *text && strspn(text, letters) == strlen(text);
}

/* Returns the text before `end`, which is overwritten by 0; NULL if there is no `end`. */
static char *cut_text(char **rest, char end)
{
    char *start = *rest, *found = strchr(start, end);
    if (!found) {
        return NULL;
    }
    *found = 0;
    *rest = found + 1;
    return start;
}

static bool split_line(struct st_call_form *form)
{
    char *rest = form->text;
    form->function = cut_text(&rest, ':');
    form->count = 0;
    if (!form->function || !is_name(form->function)) {
        return false;
    }
    for (bool more = *rest; more;) {
        if (form->count == ST_CALL_VALUES) {
            return false;
        }
        char *comma = strchr(rest, ',');
        more = comma;
        char *next = comma ? comma + 1 : NULL;
        if (comma) {
            *comma = 0;
        }
        struct st_form_parameter *parameter = &form->parameters[form->count++];
        parameter->role = cut_text(&rest, '|');
        parameter->type = parameter->role ? cut_text(&rest, '|') : NULL;
        parameter->name = rest;
        if (!parameter->type || !is_name(parameter->name)) {
            return false;
        }
        rest = next;
    }
    return true;
}

enum st_error st_registry_form(struct st_registry *registry, uint64_t offset,
                               struct st_call_form *form, struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    if (root->forms_bytes > MOST_FORMS || offset >= root->forms_bytes) {
        return st_bad_root(fault, "call", offset);
    }
    size_t length = root->forms_bytes - (size_t)offset;
    length = length < sizeof form->text ? length : sizeof form->text;
    enum st_error error = st_read_at(registry, root->forms + offset, form->text, length, fault);
    if (error) {
        return st_about(error, "forms", ST_NO_NODE, fault);
    }
    char *end = memchr(form->text, '\n', length);
    if (!end) {
        return st_bad_root(fault, "call", offset);
    }
    *end = 0;
    for (const char *letter = form->text; letter < end; letter++) {
        if (*letter < ' ' || *letter > '~') {
            return st_bad_root(fault, "call", offset);
        }
    }
    return split_line(form) ? ST_OK : st_bad_root(fault, "call", offset);
}

static const char *find_line(const char *text, size_t bytes, const char *function)
{
    size_t length = strlen(function);
    for (const char *line = text, *end = text + bytes; line < end;) {
        size_t left = (size_t)(end - line);
        if (left > length && memcmp(line, function, length) == 0 && line[length] == ':') {
            return line;
        }
        const char *next = memchr(line, '\n', left);
        line = next ? next + 1 : end;
    }
    return NULL;
}

enum st_error st_registry_form_of(struct st_registry *registry, const char *function,
                                  uint64_t *offset, struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    *offset = UINT64_MAX;
    if (root->forms_bytes > MOST_FORMS) {
        return st_bad_root(fault, "forms_bytes", root->forms_bytes);
    }
    char *text = malloc((size_t)root->forms_bytes + 1);
    if (!text) {
        return st_no_memory(fault);
    }
    enum st_error error = root->forms_bytes
                              ? st_read_at(registry, root->forms, text, root->forms_bytes, fault)
                              : ST_OK;
    if (!error) {
        const char *line = find_line(text, root->forms_bytes, function);
        *offset = line ? (uint64_t)(line - text) : UINT64_MAX;
    }
    free(text);
    return st_about(error, "forms", ST_NO_NODE, fault);
}

/* --- names --------------------------------------------------------------------------------- */

enum st_error st_registry_names(struct st_registry *registry, struct st_name **out, size_t *count,
                                struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    *out = NULL;
    *count = 0;
    if (root->state == ST_STATE_LOADED || !root->name_count) {
        return ST_OK;
    }
    if (root->name_count > MOST_NAMES || root->names % alignof(struct st_name) != 0) {
        return st_bad_root(fault, "name_count", root->name_count);
    }
    struct st_name *names = calloc(root->name_count, sizeof *names);
    if (!names) {
        return st_no_memory(fault);
    }
    enum st_error error =
        st_read_at(registry, root->names, names, root->name_count * sizeof *names, fault);
    for (uint32_t i = 0; i < root->name_count && !error; i++) {
        if (!memchr(names[i].type, 0, sizeof names[i].type) ||
            !memchr(names[i].name, 0, sizeof names[i].name)) {
            error = st_bad_root(fault, "names", i);
        }
    }
    if (error) {
        free(names);
        return st_about(error, "names", ST_NO_NODE, fault);
    }
    *out = names;
    *count = root->name_count;
    return ST_OK;
}
