/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes a call in one line. */
#include "core/waits/line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/completion.h"
#include "core/waits/state.h"

/* Only this many requests of one call are examined. */
#define MOST_REQUESTS 4096u

struct describer {
    struct st_registry *registry;
    struct st_fault *fault;
    struct st_name *names;
    size_t name_count;
    char *text; /* ST_LINE bytes */
    size_t used;
    bool has_detail; /* text follows the function's name */
};

/* True for the errors that end the description. After any other error a part of the line is left
 * out. */
static bool is_final(enum st_error error)
{
    return error == ST_INTERRUPTED || error == ST_NO_MEMORY;
}

__attribute__((format(printf, 2, 3))) static void say(struct describer *d, const char *format, ...)
{
    static const char cut[] = "...";
    size_t room = ST_LINE - d->used;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(d->text + d->used, room, format, arguments);
    va_end(arguments);
    if (length >= 0 && (size_t)length < room) {
        d->used += (size_t)length;
    } else {
        memcpy(d->text + ST_LINE - sizeof cut, cut, sizeof cut);
        d->used = ST_LINE - 1;
    }
}

/* Separates what follows the function's name: the first part by a space, the others by a comma. */
static void say_separator(struct describer *d)
{
    say(d, d->has_detail ? ", " : " ");
    d->has_detail = true;
}

static const char *handle_name(const struct describer *d, const char *type, uint64_t value)
{
    for (size_t i = 0; i < d->name_count; i++) {
        if (d->names[i].value == value && strcmp(d->names[i].type, type) == 0) {
            return d->names[i].name;
        }
    }
    return NULL;
}

/* The rank of the other side: "from 1", "to MPI_PROC_NULL", "from any rank". */
static void say_peer(struct describer *d, const char *side, int64_t rank, const char *name)
{
    say_separator(d);
    if (name && strcmp(name, "MPI_ANY_SOURCE") == 0) {
        say(d, "%s any rank", side);
    } else if (name) {
        say(d, "%s %s", side, name);
    } else {
        say(d, "%s %" PRId64, side, rank);
    }
}

static void say_tag(struct describer *d, int64_t tag, bool is_any)
{
    say_separator(d);
    if (is_any) {
        say(d, "any tag");
    } else {
        say(d, "tag %" PRId64, tag);
    }
}

/* A communicator, window or file, by its name if it has one. */
static enum st_error say_object(struct describer *d, enum st_kind kind, uint64_t handle)
{
    static const struct {
        const char *type, *noun;
    } kinds[ST_KIND_END] = {
        [ST_KIND_COMM] = {"MPI_Comm", "communicator"},
        [ST_KIND_WIN] = {"MPI_Win", "window"},
        [ST_KIND_FILE] = {"MPI_File", "file"},
    };
    const char *name = handle_name(d, kinds[kind].type, handle);
    struct st_object object = {0};
    if (!name) {
        enum st_error error = st_registry_object(d->registry, kind, handle, &object, d->fault);
        if (is_final(error)) {
            return error;
        }
        name = object.name && *object.name ? object.name : NULL;
    }
    if (!d->has_detail) {
        say(d, " of ");
        d->has_detail = true;
    } else {
        say_separator(d);
    }
    if (name) {
        say(d, "%s", name);
    } else {
        say(d, "%s 0x%" PRIx64, kinds[kind].noun, handle);
    }
    free(object.name);
    return ST_OK;
}

/* --- operations ---------------------------------------------------------------------------- */

static const char *side_of(const char *function)
{
    if (strstr(function, "send") || strstr(function, "Send")) {
        return "to";
    }
    return strstr(function, "recv") || strstr(function, "Recv") ? "from" : NULL;
}

static bool is_one_sided(const char *function)
{
    static const char *const starts[] = {
        "MPI_Put",  "MPI_Get",  "MPI_Accumulate",  "MPI_Fetch_and_op",
        "MPI_Rput", "MPI_Rget", "MPI_Raccumulate", "MPI_Compare_and_swap"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(function, starts[i], strlen(starts[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* The kind of object whose handle record->comm is. */
static enum st_kind container_of(const struct st_operation *operation)
{
    if (is_one_sided(operation->function)) {
        return ST_KIND_WIN;
    }
    return strncmp(operation->function, "MPI_File_", 9) == 0 ? ST_KIND_FILE : ST_KIND_COMM;
}

static enum st_error say_operation(struct describer *d, const struct st_operation *operation)
{
    const struct st_record *record = &operation->record;
    const char *side = side_of(operation->function);
    const char *word = side ? side : is_one_sided(operation->function) ? "target" : "root";
    bool has_peer = record->peer != ST_PEER_NONE;
    enum st_error error = ST_OK;
    d->has_detail = false;
    say(d, "%s", *operation->function ? operation->function : "an operation");
    if (!side && record->comm) { /* a collective operation names its communicator first */
        error = say_object(d, container_of(operation), record->comm);
    }
    if (has_peer) {
        say_peer(d, word, record->peer,
                 record->peer == ST_PEER_ANY    ? "MPI_ANY_SOURCE"
                 : record->peer == ST_PEER_NULL ? "MPI_PROC_NULL"
                                                : NULL);
    }
    if (side && record->tag != ST_PEER_NONE) {
        say_tag(d, record->tag, record->tag == ST_PEER_ANY);
    }
    return !error && side && record->comm ? say_object(d, container_of(operation), record->comm)
                                          : error;
}

/* --- requests ------------------------------------------------------------------------------ */

struct slots {
    uint64_t address, count;
};

/* Sets *handle to 0 if it cannot be read. */
static enum st_error read_handle(struct describer *d, uint64_t address, uint64_t *handle)
{
    uint32_t narrow = 0;
    bool is_wide = st_registry_root(d->registry)->handle_bytes == sizeof *handle;
    *handle = 0;
    enum st_error error =
        is_wide ? st_registry_peek(d->registry, address, handle, sizeof *handle, d->fault)
                : st_registry_peek(d->registry, address, &narrow, sizeof narrow, d->fault);
    if (!is_wide) {
        *handle = narrow;
    }
    return is_final(error) ? error : ST_OK;
}

/* The operation whose handle is in the variable, or NULL if none is known. *is_certain becomes
 * false if several operations have this handle, and none of them is known to belong to the
 * variable. */
static const struct st_operation *operation_at(const struct st_operation_list *list,
                                               uint64_t variable, uint64_t handle, bool *is_certain)
{
    const struct st_operation *found = NULL;
    *is_certain = true;
    for (size_t i = 0; i < list->count; i++) {
        const struct st_record *record = &list->operations[i].record;
        if (record->kind != ST_KIND_REQUEST || record->handle != handle ||
            record->flags & ST_RECORD_POSSIBLE) {
            continue;
        }
        if (record->variable == variable) {
            *is_certain = true;
            return &list->operations[i];
        }
        *is_certain = !found;
        found = &list->operations[i];
    }
    return found;
}

/* The requests that a call waits for. */
struct waiting {
    const struct st_operation *first; /* the first request that is not complete; NULL: none is
                                         known */
    uint64_t others, complete;        /* how many others are not complete, and how many are
                                         complete */
};

static enum st_error look_at_requests(struct describer *d, struct slots slots,
                                      const struct st_operation_list *list, struct waiting *waiting)
{
    struct st_completion_record where;
    uint64_t width = st_registry_root(d->registry)->handle_bytes;
    enum st_error error = st_completion_learn(d->registry, &where, d->fault);
    for (uint64_t i = 0; i < slots.count && i < MOST_REQUESTS && !is_final(error); i++) {
        uint64_t handle, variable = slots.address + i * width;
        enum st_completion completion = ST_COMPLETION_UNKNOWN;
        error = read_handle(d, variable, &handle);
        if (error || !handle || handle_name(d, "MPI_Request", handle)) {
            continue;
        }
        bool is_certain;
        const struct st_operation *operation = operation_at(list, variable, handle, &is_certain);
        if (operation) {
            error =
                st_completion_of(d->registry, &where, &operation->record, &completion, d->fault);
        }
        if (completion == ST_COMPLETE) {
            waiting->complete++;
        } else if (operation && is_certain && !waiting->first) {
            waiting->first = operation;
        } else {
            waiting->others++;
        }
    }
    return is_final(error) ? error : ST_OK;
}

static enum st_error say_requests(struct describer *d, struct slots slots)
{
    struct st_operation_list list;
    struct waiting waiting = {0};
    enum st_error error = st_registry_operations(d->registry, &list, NULL, d->fault);
    if (error) {
        return is_final(error) ? error : ST_OK;
    }
    error = look_at_requests(d, slots, &list, &waiting);
    uint64_t all = waiting.others + waiting.complete;
    if (waiting.first && !error) {
        say(d, ": ");
        error = say_operation(d, waiting.first);
        if (waiting.others) {
            say(d, ", and %" PRIu64 " more", waiting.others);
        }
    } else if (all) {
        say(d, ": %" PRIu64 " request%s", all, all == 1 ? "" : "s");
    }
    st_operations_free(&list);
    return error;
}

/* --- calls --------------------------------------------------------------------------------- */

static bool has_role(const struct st_form_parameter *parameter, const char *role)
{
    size_t length = strlen(role);
    return strncmp(parameter->role, role, length) == 0 &&
           (!parameter->role[length] || parameter->role[length] == ':');
}

static enum st_kind kind_of(const char *type)
{
    return strcmp(type, "MPI_Comm") == 0   ? ST_KIND_COMM
           : strcmp(type, "MPI_Win") == 0  ? ST_KIND_WIN
           : strcmp(type, "MPI_File") == 0 ? ST_KIND_FILE
                                           : ST_KIND_NONE;
}

/* The requests that a call completes. The count is 0 if it completes none. */
static struct slots slots_of(const struct st_call_form *form, const uint64_t *values)
{
    struct slots slots = {0};
    uint64_t count = 1;
    for (size_t i = 0; i < form->count; i++) {
        if (has_role(&form->parameters[i], "n")) {
            count = (int64_t)values[i] < 0 ? 0 : values[i];
        } else if (has_role(&form->parameters[i], "done") ||
                   has_role(&form->parameters[i], "dones")) {
            slots = (struct slots){values[i], values[i] ? count : 0};
        }
    }
    return slots;
}

/* The word before a parameter with this role if it is a rank, else NULL. */
static const char *word_of(const struct st_form_parameter *parameter)
{
    static const char *const words[][2] = {
        {"dest", "to"}, {"source", "from"}, {"target", "target"}, {"root", "root"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (has_role(parameter, words[i][0])) {
            return words[i][1];
        }
    }
    return NULL;
}

static const char *rank_name(const struct describer *d, const char *word, uint64_t value)
{
    const char *name = handle_name(d, "rank", value);
    if (!name && strcmp(word, "from") == 0) {
        name = handle_name(d, "source", value);
    }
    return !name && strcmp(word, "root") == 0 ? handle_name(d, "root", value) : name;
}

/* Names the communicator, window or file of a call that has a root before the root: "MPI_Bcast of
 * rows, root 0". */
static enum st_error say_container(struct describer *d, const struct st_call_form *form,
                                   const uint64_t *values)
{
    for (size_t i = 0; i < form->count; i++) {
        enum st_kind kind = kind_of(form->parameters[i].type);
        if (kind != ST_KIND_NONE) {
            return say_object(d, kind, values[i]);
        }
    }
    return ST_OK;
}

/* The number of a collective call that has begun, in the order of its communicator: " #12". */
static enum st_error say_number(struct describer *d, const struct st_call_form *form,
                                const uint64_t *values)
{
    enum st_error error = ST_OK;
    for (size_t i = 0; i < form->count && st_wait_is_collective(form->function); i++) {
        struct st_communicator known = {0};
        if (!has_role(&form->parameters[i], "comm")) {
            continue;
        }
        error = st_registry_comm(d->registry, ST_KIND_COMM, values[i], &known, d->fault);
        if (!error && known.comm.serial && known.comm.collectives) {
            say(d, " #%" PRIu64, known.comm.collectives);
        }
        if (!error) {
            st_communicator_deinit(&known);
        }
        break;
    }
    return is_final(error) ? error : ST_OK;
}

static enum st_error say_call(struct describer *d, const struct st_call_form *form,
                              const uint64_t *values, bool has_begun)
{
    bool is_message = false;
    struct slots slots = slots_of(form, values);
    say(d, "%s", form->function);
    if (slots.count) {
        return say_requests(d, slots);
    }
    for (size_t i = 0; i < form->count; i++) {
        is_message = is_message || has_role(&form->parameters[i], "dest") ||
                     has_role(&form->parameters[i], "source");
    }
    enum st_error error = has_begun ? say_number(d, form, values) : ST_OK;
    error = error || is_message ? error : say_container(d, form, values);
    for (size_t i = 0; i < form->count && !error; i++) {
        const struct st_form_parameter *parameter = &form->parameters[i];
        const char *word = word_of(parameter);
        if (word) {
            say_peer(d, word, (int64_t)values[i], rank_name(d, word, values[i]));
        } else if (is_message && (has_role(parameter, "tag") || has_role(parameter, "anytag"))) {
            say_tag(d, (int64_t)values[i], handle_name(d, "tag", values[i]) != NULL);
        }
    }
    return !error && is_message ? say_container(d, form, values) : error;
}

static enum st_error start_line(struct describer *d)
{
    *d->text = 0;
    enum st_error error = st_registry_names(d->registry, &d->names, &d->name_count, d->fault);
    return is_final(error) ? error : ST_OK;
}

enum st_error st_line_of_call(struct st_registry *registry, const struct st_call_form *form,
                              const uint64_t *values, bool has_begun, char text[ST_LINE],
                              struct st_fault *fault)
{
    struct st_fault scratch = {0};
    struct describer d = {.registry = registry, .fault = fault ? fault : &scratch, .text = text};
    enum st_error error = start_line(&d);
    error = error ? error : say_call(&d, form, values, has_begun);
    free(d.names);
    return error;
}

enum st_error st_line_of_operation(struct st_registry *registry,
                                   const struct st_operation *operation, char text[ST_LINE],
                                   struct st_fault *fault)
{
    struct st_fault scratch = {0};
    struct describer d = {.registry = registry, .fault = fault ? fault : &scratch, .text = text};
    enum st_error error = start_line(&d);
    error = error ? error : say_operation(&d, operation);
    free(d.names);
    return error;
}
