/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records as JSON. A finding that does not fit is written again with shorter texts and lists, until
 * it fits: a reader gets complete JSON, or nothing.
 */
#include "report/report.h"

#include <string.h>

#include "report/writer.h"

struct st_limits {
    size_t text; /* most bytes of a text */
    size_t list; /* most entries of a list */
};

static const struct st_limits all_limits[] = {
    {SIZE_MAX, SIZE_MAX}, {2048, 64}, {256, 16}, {64, 4}, {32, 1}};

struct st_json {
    struct st_writer writer;
    struct st_limits limits;
    bool first; /* nothing is in the object or array yet: no comma */
};

static void begin_value(struct st_json *json, const char *bracket)
{
    st_put(&json->writer, bracket);
    json->first = true;
}

static void end_value(struct st_json *json, const char *bracket)
{
    st_put(&json->writer, bracket);
    json->first = false;
}

static void separate_members(struct st_json *json)
{
    if (!json->first) {
        st_put(&json->writer, ",");
    }
    json->first = false;
}

/* Writes one character. Returns how many bytes of TEXT it took. */
static size_t put_character(struct st_writer *writer, const char *text)
{
    size_t length = st_text_character(text);
    if (length == 0) {
        st_put(writer, ST_REPLACEMENT);
        return 1;
    }
    uint32_t code = st_text_code(text, length);
    if (code == '"' || code == '\\') {
        st_put(writer, "\\");
    } else if (st_text_acts(code)) {
        st_put(writer, "\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            st_put_bytes(writer, &"0123456789abcdef"[code >> shift & 15], 1);
        }
        return length;
    }
    st_put_bytes(writer, text, length);
    return length;
}

static void put_text(struct st_json *json, const char *text)
{
    size_t length = st_text_cut(text, json->limits.text);
    st_put(&json->writer, "\"");
    for (size_t i = 0; i < length && json->writer.length <= json->writer.room;) {
        i += put_character(&json->writer, text + i);
    }
    if (text[length] != '\0') {
        st_put(&json->writer, "...");
    }
    st_put(&json->writer, "\"");
}

static void put_name(struct st_json *json, const char *name)
{
    separate_members(json);
    st_put(&json->writer, "\"");
    st_put(&json->writer, name);
    st_put(&json->writer, "\":");
}

static void member_text(struct st_json *json, const char *name, const char *text)
{
    if (text == NULL) {
        return;
    }
    put_name(json, name);
    put_text(json, text);
}

static void member_number(struct st_json *json, const char *name, int64_t number)
{
    put_name(json, name);
    st_put_number(&json->writer, number);
}

static void member_hex(struct st_json *json, const char *name, uint64_t number)
{
    put_name(json, name);
    st_put(&json->writer, "\"");
    st_put_hex(&json->writer, number);
    st_put(&json->writer, "\"");
}

static void member_true(struct st_json *json, const char *name)
{
    put_name(json, name);
    st_put(&json->writer, "true");
}

static void begin_member(struct st_json *json, const char *name, const char *bracket)
{
    put_name(json, name);
    begin_value(json, bracket);
}

static void begin_entry(struct st_json *json, const char *bracket)
{
    separate_members(json);
    begin_value(json, bracket);
}

/* Returns true if there is no room: then nothing more need be written. */
static bool is_full(const struct st_json *json)
{
    return json->writer.length > json->writer.room;
}

static size_t shown(const struct st_json *json, size_t count)
{
    return is_full(json) ? 0 : count < json->limits.list ? count : json->limits.list;
}

static void put_frame(struct st_json *json, const struct st_frame *frame)
{
    begin_entry(json, "{");
    member_text(json, "text", frame->text);
    if (frame->module != NULL) {
        member_text(json, "module", frame->module);
        member_number(json, "offset", (int64_t)frame->offset);
        member_text(json, "build", frame->build);
        if (frame->symbol != NULL) {
            member_text(json, "symbol", frame->symbol);
            member_number(json, "symbol_offset", (int64_t)frame->symbol_offset);
        }
        if (frame->is_return) {
            member_true(json, "return");
        }
    }
    end_value(json, "}");
}

static void member_frames(struct st_json *json, const char *name, const struct st_frames *frames)
{
    begin_member(json, name, "[");
    for (size_t i = 0; i < shown(json, frames->count); i++) {
        put_frame(json, &frames->list[i]);
    }
    end_value(json, "]");
}

/* An array of pairs, because the order matters. */
static void put_arguments(struct st_json *json, const struct st_argument *arguments, size_t count)
{
    begin_member(json, "arguments", "[");
    for (size_t i = 0; i < shown(json, count); i++) {
        const struct st_argument *argument = &arguments[i];
        begin_entry(json, "[");
        separate_members(json);
        put_text(json, argument->name != NULL ? argument->name : "");
        separate_members(json);
        put_text(json, argument->value != NULL ? argument->value : "");
        end_value(json, "]");
    }
    end_value(json, "]");
}

static void put_elements(struct st_json *json, const struct st_finding *finding)
{
    begin_member(json, "elements", "[");
    for (size_t i = 0; i < shown(json, finding->element_count); i++) {
        const struct st_element *element = &finding->elements[i];
        begin_entry(json, "{");
        member_number(json, "rank", element->rank);
        member_text(json, "address", element->address);
        if (!element->nowhere) {
            member_number(json, "byte", element->byte);
        }
        member_text(json, "type", element->type);
        if (element->size > 0) {
            member_number(json, "size", element->size);
        }
        member_text(json, "of", element->of);
        if (element->in_memory) {
            member_hex(json, "at", element->at);
        }
        end_value(json, "}");
    }
    end_value(json, "]");
}

static void put_blocks(struct st_json *json, const struct st_reported_type *type)
{
    size_t count = shown(json, type->blocks.count);
    begin_member(json, "blocks", "[");
    for (size_t i = 0; i < count && !is_full(json); i++) {
        const struct st_piece *block = &type->blocks.list[i];
        begin_entry(json, "[");
        separate_members(json);
        st_put_number(&json->writer, block->offset);
        separate_members(json);
        st_put_number(&json->writer, block->length);
        separate_members(json);
        put_text(json, block->type != NULL ? block->type : "");
        end_value(json, "]");
    }
    end_value(json, "]");
    int64_t left_out = type->blocks.left_out;
    for (size_t i = count; i < type->blocks.count; i++) {
        left_out += type->blocks.list[i].length;
    }
    member_number(json, "left_out", left_out);
}

static void put_type(struct st_json *json, const struct st_reported_type *type)
{
    begin_entry(json, "{");
    member_text(json, "handle", type->handle);
    if (type->serial != 0) {
        member_number(json, "serial", (int64_t)type->serial);
        member_number(json, "ordinal", type->ordinal);
    }
    member_text(json, "name", type->name);
    member_text(json, "text", type->text);
    if (type->measured) {
        member_number(json, "size", type->size);
        member_number(json, "lb", type->lb);
        member_number(json, "extent", type->extent);
        member_number(json, "true_lb", type->true_lb);
        member_number(json, "true_extent", type->true_extent);
    }
    if (type->blocks.count != 0) {
        put_blocks(json, type);
    }
    member_frames(json, "created", &type->created);
    member_frames(json, "committed", &type->committed);
    member_frames(json, "freed", &type->freed);
    end_value(json, "}");
}

/* Writes what only a finding about several ranks has. */
static void put_several(struct st_json *json, const struct st_finding *finding)
{
    begin_member(json, "lines", "[");
    for (size_t i = 0; i < shown(json, finding->line_count); i++) {
        begin_entry(json, "[");
        separate_members(json);
        put_text(json, finding->lines[i].label);
        separate_members(json);
        put_text(json, finding->lines[i].text);
        end_value(json, "]");
    }
    end_value(json, "]");
    begin_member(json, "ranks", "[");
    for (size_t i = 0; i < finding->rank_count; i++) {
        separate_members(json);
        st_put_number(&json->writer, finding->ranks[i]);
    }
    end_value(json, "]");
}

static void put_lists(struct st_json *json, const struct st_finding *finding)
{
    put_arguments(json, finding->arguments, finding->argument_count);
    member_frames(json, "site", &finding->site);
    put_elements(json, finding);
    begin_member(json, "types", "[");
    for (size_t i = 0; i < shown(json, finding->type_count); i++) {
        put_type(json, &finding->types[i]);
    }
    end_value(json, "]");
    begin_member(json, "other", "[");
    for (size_t i = 0; i < shown(json, finding->other_count); i++) {
        const struct st_other_call *other = &finding->others[i];
        begin_entry(json, "{");
        member_number(json, "rank", other->rank);
        member_text(json, "call", other->call);
        if (other->arguments != NULL) {
            put_arguments(json, other->arguments, other->argument_count);
        }
        member_frames(json, "site", &other->site);
        member_text(json, "label", other->label);
        member_text(json, "remark", other->remark);
        end_value(json, "}");
    }
    end_value(json, "]");
    if (finding->subject != NULL) {
        put_several(json, finding);
    }
}

enum st_severity st_finding_severity(const struct st_finding *finding)
{
    return finding->severity != 0 ? finding->severity : st_check_rows[finding->check].severity;
}

/* Writes what every report must have, however little room there is. */
static void put_head(struct st_json *json, const struct st_finding *finding)
{
    struct st_limits limits = json->limits;
    if (limits.text < 256) {
        json->limits.text = 256;
    }
    member_text(json, "record", "finding");
    member_number(json, "n", finding->number);
    member_text(json, "id", st_check_rows[finding->check].id);
    member_text(json, "severity", st_severity_name(st_finding_severity(finding)));
    member_text(json, "message", finding->message);
    member_number(json, "rank", finding->rank);
    member_number(json, "pid", finding->process);
    member_number(json, "count", finding->count > 0 ? finding->count : 1);
    member_text(json, "call", finding->call);
    member_text(json, "subject", finding->subject);
    member_text(json, "advice", finding->advice);
    json->limits = limits;
}

size_t st_finding_json(const struct st_finding *finding, char *bytes, size_t room)
{
    for (size_t i = 0; i < sizeof all_limits / sizeof all_limits[0]; i++) {
        struct st_json json = {{bytes, room, 0}, all_limits[i], true};
        begin_value(&json, "{");
        put_head(&json, finding);
        put_lists(&json, finding);
        if (i != 0) {
            member_true(&json, "shortened");
        }
        end_value(&json, "}");
        if (json.writer.length <= room) {
            return json.writer.length;
        }
    }
    return 0;
}

static struct st_json begin_record(const char *record, char *bytes, size_t room)
{
    struct st_json json = {{bytes, room, 0}, {1024, 1}, true};
    begin_value(&json, "{");
    member_text(&json, "record", record);
    return json;
}

static size_t end_record(struct st_json *json)
{
    end_value(json, "}");
    return json->writer.length <= json->writer.room ? json->writer.length : 0;
}

size_t st_begin_json(const struct st_begin *start, char *bytes, size_t room)
{
    struct st_json json = begin_record("begin", bytes, room);
    member_number(&json, "rank", start->rank);
    member_number(&json, "size", start->size);
    member_number(&json, "pid", start->process);
    member_text(&json, "host", start->host);
    member_text(&json, "mpi", start->mpi);
    member_text(&json, "program", start->program);
    if (start->world != 0) {
        member_number(&json, "world", start->world);
    }
    return end_record(&json);
}

size_t st_count_json(int64_t number, int64_t count, char *bytes, size_t room)
{
    struct st_json json = begin_record("count", bytes, room);
    member_number(&json, "n", number);
    member_number(&json, "count", count);
    return end_record(&json);
}

size_t st_end_json(const struct st_end_counts *last, char *bytes, size_t room)
{
    struct st_json json = begin_record("end", bytes, room);
    member_number(&json, "calls", last->calls);
    if (last->collectives != 0) {
        member_number(&json, "collectives", last->collectives);
    }
    if (last->uncompared != 0) {
        member_number(&json, "uncompared", last->uncompared);
    }
    if (last->messages != 0) {
        member_number(&json, "messages", last->messages);
    }
    if (last->unmatched != 0) {
        member_number(&json, "unmatched", last->unmatched);
    }
    if (last->accesses != 0) {
        member_number(&json, "accesses", last->accesses);
    }
    if (last->unordered != 0) {
        member_number(&json, "unordered", last->unordered);
    }
    if (last->ready != 0) {
        member_number(&json, "ready", last->ready);
    }
    if (last->wild != 0) {
        member_number(&json, "wild", last->wild);
    }
    return end_record(&json);
}

size_t st_note_json(const char *text, char *bytes, size_t room)
{
    struct st_json json = begin_record("note", bytes, room);
    member_text(&json, "text", text);
    return end_record(&json);
}

size_t st_exit_json(int status, char *bytes, size_t room)
{
    struct st_json json = begin_record("exit", bytes, room);
    member_number(&json, "status", status);
    return end_record(&json);
}
