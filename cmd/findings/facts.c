/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "../words.h"
#include "lines.h"
#include "skip.h"

const char *facts_text(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

json_int_t facts_number(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static int small_number(const json_t *object, const char *name, int otherwise)
{
    const json_t *member = json_object_get(object, name);
    json_int_t value = json_integer_value(member);
    return json_is_integer(member) && value >= INT_MIN && value <= INT_MAX ? (int)value : otherwise;
}

static struct st_frame read_frame(const json_t *object)
{
    return (struct st_frame){
        .text = facts_text(object, "text"),
        .module = facts_text(object, "module"),
        .offset = (uint64_t)facts_number(object, "offset"),
        .build = facts_text(object, "build"),
        .symbol = facts_text(object, "symbol"),
        .symbol_offset = (uint64_t)facts_number(object, "symbol_offset"),
        .is_return = json_is_true(json_object_get(object, "return")),
    };
}

/* CALL is the function that the innermost frame calls, as for lines_resolve(); arguments may
 * follow. */
static struct stack read_stack(const json_t *list, const char *call)
{
    enum { MOST = 256 };
    struct stack_writer writer = {0};
    size_t name = call != NULL ? strcspn(call, ":( ") : 0;
    if (name > 0 && call[name] != '\0') {
        call = text_of("%.*s", (int)name, call);
    }
    size_t count = json_array_size(list);
    for (size_t i = 0; i < count && i < MOST; i++) {
        struct st_frame frame = read_frame(json_array_get(list, i));
        lines_resolve(&frame, i == 0 ? call : NULL, &writer);
    }
    skip_frames(&writer);
    return (struct stack){{writer.frames, writer.count}, writer.places};
}

static const struct st_argument *read_arguments(const json_t *list, size_t *size)
{
    size_t count = json_array_size(list);
    struct st_argument *arguments = zeroed(count, sizeof *arguments);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, i);
        arguments[i].name = json_string_value(json_array_get(pair, 0));
        arguments[i].value = json_string_value(json_array_get(pair, 1));
    }
    *size = count;
    return arguments;
}

static void read_elements(struct facts *facts, const json_t *list)
{
    size_t count = json_array_size(list);
    struct st_element *elements = zeroed(count, sizeof *elements);
    for (size_t i = 0; i < count; i++) {
        const json_t *element = json_array_get(list, i);
        const char *at = facts_text(element, "at");
        elements[i] = (struct st_element){.rank = small_number(element, "rank", -1),
                                          .address = facts_text(element, "address"),
                                          .byte = facts_number(element, "byte"),
                                          .type = facts_text(element, "type"),
                                          .size = facts_number(element, "size"),
                                          .of = facts_text(element, "of"),
                                          .nowhere = json_object_get(element, "byte") == NULL,
                                          .in_memory = at != NULL,
                                          .at = at != NULL ? strtoull(at, NULL, 16) : 0};
    }
    facts->finding.elements = elements;
    facts->finding.element_count = count;
}

static void read_blocks(struct st_reported_type *type, const json_t *list)
{
    size_t count = json_array_size(list);
    struct st_piece *blocks = zeroed(count, sizeof *blocks);
    for (size_t i = 0; i < count; i++) {
        const json_t *block = json_array_get(list, i);
        blocks[i] = (struct st_piece){json_integer_value(json_array_get(block, 0)),
                                      json_integer_value(json_array_get(block, 1)),
                                      json_string_value(json_array_get(block, 2))};
    }
    type->blocks.list = blocks;
    type->blocks.count = count;
}

static void read_types(struct facts *facts, const json_t *list)
{
    size_t count = json_array_size(list);
    struct st_reported_type *types = zeroed(count, sizeof *types);
    facts->types = zeroed(count, sizeof *facts->types);
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(list, i);
        struct type_places *places = &facts->types[i];
        struct st_reported_type *type = &types[i];
        places->created = read_stack(json_object_get(object, "created"), "MPI_Type_");
        places->committed = read_stack(json_object_get(object, "committed"), "MPI_Type_commit");
        places->freed = read_stack(json_object_get(object, "freed"), "MPI_Type_free");
        *type = (struct st_reported_type){
            .handle = facts_text(object, "handle"),
            .name = facts_text(object, "name"),
            .text = facts_text(object, "text"),
            .measured = json_object_get(object, "extent") != NULL,
            .size = facts_number(object, "size"),
            .lb = facts_number(object, "lb"),
            .extent = facts_number(object, "extent"),
            .true_lb = facts_number(object, "true_lb"),
            .true_extent = facts_number(object, "true_extent"),
            .created = places->created.frames,
            .committed = places->committed.frames,
            .freed = places->freed.frames,
        };
        read_blocks(type, json_object_get(object, "blocks"));
        type->blocks.left_out = facts_number(object, "left_out");
    }
    facts->finding.types = types;
    facts->finding.type_count = count;
}

static void read_others(struct facts *facts, const json_t *list)
{
    size_t count = json_array_size(list);
    struct st_other_call *others = zeroed(count, sizeof *others);
    facts->others = zeroed(count, sizeof *facts->others);
    for (size_t i = 0; i < count; i++) {
        const json_t *other = json_array_get(list, i);
        facts->others[i] = read_stack(json_object_get(other, "site"), facts_text(other, "call"));
        const json_t *arguments = json_object_get(other, "arguments");
        others[i] = (struct st_other_call){.rank = small_number(other, "rank", -1),
                                           .call = facts_text(other, "call"),
                                           .label = facts_text(other, "label"),
                                           .remark = facts_text(other, "remark"),
                                           .site = facts->others[i].frames};
        if (arguments != NULL) {
            others[i].arguments = read_arguments(arguments, &others[i].argument_count);
        }
    }
    facts->finding.others = others;
    facts->finding.other_count = count;
}

static void read_lines(struct facts *facts, const json_t *list)
{
    size_t count = json_array_size(list);
    struct st_line_of_report *lines = zeroed(count, sizeof *lines);
    for (size_t i = 0; i < count; i++) {
        const json_t *pair = json_array_get(list, i);
        const char *label = json_string_value(json_array_get(pair, 0));
        const char *text = json_string_value(json_array_get(pair, 1));
        if (label != NULL && text != NULL) {
            lines[facts->finding.line_count++] = (struct st_line_of_report){label, text};
        }
    }
    facts->finding.lines = lines;
}

/* Returns the frames of a site that are shown; they distinguish reports. */
static json_t *shown_frames(const struct stack *site)
{
    json_t *list = json_array();
    for (size_t i = 0; i < site->frames.count; i++) {
        const struct st_frame *frame = &site->frames.list[i];
        const char *told = frame->module == NULL ? frame->text : NULL; /* text from the rank */
        json_array_append_new(list,
                              json_pack("[s?, s?, I, i, s?]", frame->module, frame->build,
                                        (json_int_t)frame->offset, site->places[i].line, told));
    }
    return list;
}

/* Returns true for a finding about two calls of any two ranks. */
static bool is_race(enum st_check check)
{
    return check == ST_RMA_CONFLICT || check == ST_RMA_LOCAL || check == ST_RMA_ATOMIC;
}

bool facts_are_of_pair(const struct st_finding *finding)
{
    switch (finding->check) {
    case ST_MATCH_TYPE:
    case ST_MATCH_TRUNCATION:
    case ST_MATCH_PARTIAL:
    case ST_MATCH_READY:
    case ST_MATCH_ASSERT:
    case ST_MATCH_LOST:
    case ST_MATCH_RACE:
    case ST_DEADLOCK_POTENTIAL:
        return finding->subject != NULL && finding->other_count != 0;
    default:
        return false;
    }
}

/* Returns a copy of a message in which the numbers of ranks are left out: "where rank  sends". */
static char *without_ranks(const char *message)
{
    static const char before[] = "rank ";
    char *copy = text_of("%s", message), *to = copy;
    for (const char *from = message; *from != '\0';) {
        *to++ = *from++;
        if (to - copy >= (ptrdiff_t)strlen(before) &&
            strncmp(to - strlen(before), before, strlen(before)) == 0) {
            from += strspn(from, "0123456789");
        }
    }
    *to = '\0';
    return copy;
}

/* Returns the member of a record as it is in the key. NULL if it is left out. */
static json_t *key_member(const json_t *record, const struct facts *facts, const char *name)
{
    const struct st_finding *finding = &facts->finding;
    json_t *member = json_object_get(record, name);
    const bool is_subject = strcmp(name, "subject") == 0;
    if (is_subject && is_race(finding->check)) {
        return NULL; /* which of the ranks was first differs from run to run */
    }
    if (!facts_are_of_pair(finding)) {
        return member != NULL ? json_incref(member) : json_null();
    }
    if (strcmp(name, "message") != 0) {
        return is_subject ? NULL : member != NULL ? json_incref(member) : json_null();
    }
    if (finding->others[0].site.count != 0 &&
        (finding->check == ST_MATCH_LOST || finding->check == ST_MATCH_RACE)) {
        return NULL;
    }
    char *text = without_ranks(finding->message != NULL ? finding->message : "");
    member = json_string(text);
    free(text);
    return member;
}

/* Makes a key of what is the same in all ranks: no addresses, no handles. */
static char *make_key(const json_t *record, const struct facts *facts)
{
    json_t *same = json_array();
    static const char *const members[] = {"id", "severity", "call", "message", "subject"};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        json_t *member = key_member(record, facts, members[i]);
        if (member != NULL) {
            json_array_append_new(same, member);
        }
    }
    json_array_append_new(same, shown_frames(&facts->site));
    size_t others = facts->finding.other_count;
    if (is_race(facts->finding.check) && others > 2) { /* the others belong to the epochs */
        others = 2;
    }
    /* A finding without a call site of the rank, or about a message, is distinguished by the calls that it names. */
    const bool with_others = facts->site.frames.count == 0 || facts_are_of_pair(&facts->finding);
    for (size_t i = 0; with_others && i < others; i++) {
        json_array_append_new(same, shown_frames(&facts->others[i]));
    }
    char *key = json_dumps(same, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(same);
    if (key == NULL) {
        fail(1, "out of memory");
    }
    return key;
}

struct facts *facts_read(json_t *record)
{
    const char *id = facts_text(record, "id");
    const char *severity = facts_text(record, "severity");
    enum st_check check = id != NULL ? st_check_find(id) : ST_CHECK_COUNT;
    if (check == ST_CHECK_COUNT) {
        return NULL;
    }
    struct facts *facts = zeroed(1, sizeof *facts);
    json_incref(record);
    const char *call = facts_text(record, "call"); /* NULL: a datatype was made there */
    facts->site = read_stack(json_object_get(record, "site"), call != NULL ? call : "MPI_Type_");
    facts->waits = json_object_get(record, "waits");
    facts->running = json_object_get(record, "running");
    facts->seconds = facts_number(record, "seconds");
    facts->stacks = json_object_get(record, "stacks");
    facts->finding = (struct st_finding){
        .check = check,
        .number = facts_number(record, "n"),
        .count = facts_number(record, "count"),
        .rank = small_number(record, "rank", -1),
        .process = facts_number(record, "pid"),
        .message = facts_text(record, "message"),
        .call = call,
        .advice = facts_text(record, "advice"),
        .subject = facts_text(record, "subject"),
        .site = facts->site.frames,
    };
    if (severity != NULL) {
        facts->finding.severity = strcmp(severity, "note") == 0      ? ST_SEVERITY_NOTE
                                  : strcmp(severity, "warning") == 0 ? ST_SEVERITY_WARNING
                                                                     : ST_SEVERITY_ERROR;
    }
    facts->finding.arguments =
        read_arguments(json_object_get(record, "arguments"), &facts->finding.argument_count);
    read_elements(facts, json_object_get(record, "elements"));
    read_types(facts, json_object_get(record, "types"));
    read_others(facts, json_object_get(record, "other"));
    read_lines(facts, json_object_get(record, "lines"));
    facts->key = make_key(record, facts);
    return facts;
}

const struct stack *facts_stack(const struct facts *facts)
{
    return facts->site.frames.count == 0 && facts->finding.other_count != 0 ? &facts->others[0]
                                                                            : &facts->site;
}
