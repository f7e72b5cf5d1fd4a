/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/agree/log.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/decode/calls.h"
#include "core/model/hash.h"
#include "core/signature/element.h"

/* The meaning of a hash in a call. */
struct st_call_name {
    uint64_t hash;
    char text[ST_ELEMENT_TEXT];
};

static enum st_error bad(struct st_fault *fault, const char *field, uint64_t value)
{
    *fault = (struct st_fault){
        .error = ST_DAMAGED_ROOT, .value = value, .field = field, .node = ST_NO_NODE};
    return fault->error;
}

static enum st_error no_memory(struct st_fault *fault)
{
    *fault = (struct st_fault){.error = ST_NO_MEMORY};
    return fault->error;
}

/* --- names --------------------------------------------------------------------------------- */

static void add_element(struct st_call_log *log, const struct st_type *type)
{
    struct st_basic_element elements[2];
    if (st_elements_of(type, elements) != 1 || elements[0].kind == ST_OPAQUE) {
        return;
    }
    struct st_call_name *name = &log->elements[log->element_count++];
    name->hash = st_element_hash(&elements[0]);
    st_element_text(&elements[0], name->text);
}

/* A type that cannot be decoded has no name. */
static enum st_error learn_elements(struct st_registry *registry, struct st_call_log *log,
                                    struct st_fault *fault)
{
    struct st_row *rows;
    size_t count;
    enum st_error error = st_registry_predefined(registry, &rows, &count, fault);
    if (error) {
        return error;
    }
    log->elements = calloc(count + 1, sizeof *log->elements);
    error = log->elements ? ST_OK : no_memory(fault);
    for (size_t i = 0; i < count && !error; i++) {
        const struct st_type *type;
        error = st_registry_type(registry, rows[i].ordinal, rows[i].serial, &type, fault);
        if (!error) {
            add_element(log, type);
        } else if (error != ST_INTERRUPTED && error != ST_NO_MEMORY) {
            error = ST_OK;
        }
    }
    free(rows);
    return error;
}

static enum st_error learn_operations(struct st_registry *registry, struct st_call_log *log,
                                      struct st_fault *fault)
{
    struct st_name *names;
    size_t count;
    enum st_error error = st_registry_names(registry, &names, &count, fault);
    if (error) {
        return error;
    }
    log->operations = calloc(count + 1, sizeof *log->operations);
    for (size_t i = 0; i < count && log->operations; i++) {
        if (strcmp(names[i].type, "MPI_Op") == 0) {
            struct st_call_name *name = &log->operations[log->operation_count++];
            name->hash = st_hash_text(1, names[i].name);
            memcpy(name->text, names[i].name, sizeof names[i].name);
        }
    }
    free(names);
    return log->operations ? ST_OK : no_memory(fault);
}

static const char *find_name(const struct st_call_name *names, size_t count, uint64_t hash,
                             const char *otherwise)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i].hash == hash) {
            return names[i].text;
        }
    }
    return otherwise;
}

/* --- calls --------------------------------------------------------------------------------- */

/* Reads the name of each function once, because its number occurs often. */
static enum st_error name_function(struct st_registry *registry, const struct st_call_log *log,
                                   struct st_logged_call *call, struct st_fault *fault)
{
    for (size_t i = 0; i < log->count; i++) {
        if (log->calls[i].call.called == call->call.called) {
            memcpy(call->function, log->calls[i].function, sizeof call->function);
            return ST_OK;
        }
    }
    enum st_error error = st_registry_function(registry, call->call.called, call->function, fault);
    if (!error && !call->function[0]) {
        strcpy(call->function, "a collective call");
    }
    return error;
}

static int by_order(const void *a, const void *b)
{
    const struct st_collective *x = &((const struct st_logged_call *)a)->call;
    const struct st_collective *y = &((const struct st_logged_call *)b)->call;
    return x->comm != y->comm ? (x->comm > y->comm) - (x->comm < y->comm)
                              : (x->number > y->number) - (x->number < y->number);
}

static bool is_call(const struct st_rank_call *place)
{
    return place->key && place->call.number &&
           place->key == st_collective_key(place->call.comm, place->call.number);
}

static enum st_error take_calls(struct st_registry *registry, const struct st_rank_call *places,
                                struct st_call_log *log, struct st_fault *fault)
{
    enum st_error error = ST_OK;
    for (size_t i = 0; i < 1 << ST_AREA_LOG2_CALLS && !error; i++) {
        if (is_call(&places[i])) {
            struct st_logged_call *call = &log->calls[log->count];
            call->call = places[i].call;
            error = name_function(registry, log, call, fault);
            log->count += !error;
        }
    }
    qsort(log->calls, log->count, sizeof *log->calls, by_order);
    return error;
}

static enum st_error read_calls(struct st_registry *registry, struct st_call_log *log,
                                struct st_fault *fault)
{
    const size_t room = 1 << ST_AREA_LOG2_CALLS;
    struct st_rank_call *places = calloc(room, sizeof *places);
    log->calls = calloc(room, sizeof *log->calls);
    enum st_error error =
        !places || !log->calls
            ? no_memory(fault)
            : st_registry_peek(registry, log->area + offsetof(struct st_rank_area, calls), places,
                               room * sizeof *places, fault);
    error = error ? error : take_calls(registry, places, log, fault);
    free(places);
    return error;
}

enum st_error st_call_log_read(struct st_registry *registry, struct st_call_log *log,
                               struct st_fault *fault)
{
    const uint64_t address = st_registry_root(registry)->shared;
    struct st_shared_area shared;
    struct st_fault scratch;
    fault = fault ? fault : &scratch;
    *log = (struct st_call_log){0};
    if (!address) {
        return ST_OK;
    }
    enum st_error error = st_registry_peek(registry, address, &shared, sizeof shared, fault);
    if (error) {
        return error;
    }
    if (shared.magic != ST_SHARED_MAGIC || shared.version != ST_SEGMENT_VERSION ||
        shared.area % sizeof(uint64_t) != 0) {
        return bad(fault, "shared", address);
    }
    log->is_there = true;
    log->job = shared.job;
    log->area = shared.area;
    error = read_calls(registry, log, fault);
    error = error ? error : learn_elements(registry, log, fault);
    error = error ? error : learn_operations(registry, log, fault);
    if (error) {
        st_call_log_free(log);
    }
    return error;
}

void st_call_log_free(struct st_call_log *log)
{
    free(log->calls);
    free(log->elements);
    free(log->operations);
    *log = (struct st_call_log){0};
}

uint64_t st_call_log_comm(const struct st_call_log *log, uint64_t id)
{
    return st_hash_word(id, log->job);
}

/* --- in words ------------------------------------------------------------------------------ */

struct st_call_text {
    char *bytes; /* ST_CALL_TEXT */
    size_t used;
    const char *separator; /* text before the next argument */
};

/* Text that is too long is cut. */
__attribute__((format(printf, 2, 3))) static void say(struct st_call_text *text, const char *format,
                                                      ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text->bytes + text->used, ST_CALL_TEXT - text->used, format, arguments);
    va_end(arguments);
    text->used += length > 0 ? (size_t)length : 0;
    text->used = text->used < ST_CALL_TEXT ? text->used : ST_CALL_TEXT - 1;
}

static void say_argument(struct st_call_text *text, const char *name)
{
    say(text, "%s%s=", text->separator, name);
    text->separator = ", ";
}

static void say_data(struct st_call_text *text, const struct st_call_log *log, uint64_t hash,
                     int64_t length, bool is_uniform)
{
    if (length == 0) {
        say(text, "nothing");
    } else if (is_uniform) {
        say(text, "%" PRId64 " x %s", length,
            find_name(log->elements, log->element_count, hash, "a basic type"));
    } else {
        say(text, "%" PRId64 " x several basic types", length);
    }
}

void st_call_log_data(const struct st_call_log *log, uint64_t hash, int64_t length, bool is_uniform,
                      char bytes[ST_CALL_TEXT])
{
    struct st_call_text text = {bytes, 0, ""};
    say_data(&text, log, hash, length, is_uniform);
}

static void say_elements(struct st_call_text *text, const struct st_call_log *log,
                         const struct st_collective *call)
{
    say_argument(text, "data");
    say_data(text, log, call->hash[0], call->length, call->flags & ST_COLLECTIVE_UNIFORM);
}

static void say_root(struct st_call_text *text, const struct st_collective *made)
{
    const char *name = st_collective_root_name(made);
    if (name) {
        say(text, "%s", name);
    } else {
        say(text, "%" PRId32, made->root);
    }
}

void st_call_log_text(const struct st_call_log *log, const struct st_logged_call *call,
                      char bytes[ST_CALL_TEXT])
{
    const struct st_collective *made = &call->call;
    struct st_call_text text = {bytes, 0, "("};
    say(&text, "%s", call->function);
    if (made->flags & ST_COLLECTIVE_PLACED) {
        say_argument(&text, "buffer");
        say(&text, "MPI_IN_PLACE");
    }
    if (made->flags & ST_COLLECTIVE_SIGNATURE) {
        say_elements(&text, log, made);
    }
    if (made->operation) {
        say_argument(&text, "op");
        say(&text, "%s",
            find_name(log->operations, log->operation_count, made->operation,
                      made->operation == ST_OPERATION_OF_PROGRAM ? ST_OPERATION_OF_PROGRAM_TEXT
                                                                 : "another operation"));
    }
    if (made->flags & ST_COLLECTIVE_ROOT) {
        say_argument(&text, "root");
        say_root(&text, made);
    }
    if (*text.separator == ',') {
        say(&text, ")");
    }
}

/* --- call sites ---------------------------------------------------------------------------- */

enum st_error st_shared_place_read(struct st_registry *registry, uint64_t area, uint64_t place,
                                   uint64_t *frames, size_t most, size_t *count,
                                   struct st_fault *fault)
{
    const uint64_t address = area + offsetof(struct st_rank_area, places) + place;
    struct st_rank_place head;
    *count = 0;
    if (!place || place % sizeof(uint64_t) || place > ST_AREA_PLACES - sizeof head) {
        return ST_OK;
    }
    enum st_error error = st_registry_peek(registry, address, &head, sizeof head, fault);
    const uint64_t room = (ST_AREA_PLACES - place - sizeof head) / sizeof *frames;
    if (error || head.frames > room) {
        return error;
    }
    const size_t wanted = head.frames < most ? head.frames : most;
    error = wanted ? st_registry_peek(registry, address + sizeof head, frames,
                                      wanted * sizeof *frames, fault)
                   : ST_OK;
    *count = error ? 0 : wanted;
    return error;
}

enum st_error st_call_log_site(struct st_registry *registry, const struct st_call_log *log,
                               const struct st_logged_call *call, uint64_t *frames, size_t most,
                               size_t *count, struct st_fault *fault)
{
    return st_shared_place_read(registry, log->area, call->call.place, frames, most, count, fault);
}
