/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --report=FILE.jsonl: one JSON object per line.
 */
#include <jansson.h>

#include "../words.h"
#include "files.h"
#include "print.h"

/* Unknown values become null. */
static json_t *text(const char *value)
{
    return value != NULL ? json_string(value) : json_null();
}

static json_t *place_of_frame(const struct st_frame *frame, const struct place *place)
{
    json_t *object = json_pack("{s:o, s:o, s:o}", "file", text(place->file), "line",
                               place->file != NULL ? json_integer(place->line) : json_null(),
                               "function", text(place->function));
    if (place->file == NULL && frame->module != NULL) {
        json_object_set_new(object, "module", text(frame->module));
        json_object_set_new(object, "offset", json_integer((json_int_t)frame->offset));
    }
    return object;
}

/* Returns the innermost frame; null if there is none. */
static json_t *site(const struct stack *stack)
{
    return stack->frames.count != 0 ? place_of_frame(&stack->frames.list[0], &stack->places[0])
                                    : json_null();
}

static json_t *frames(const struct stack *stack)
{
    json_t *list = json_array();
    for (size_t i = 0; i < stack->frames.count; i++) {
        json_array_append_new(list, place_of_frame(&stack->frames.list[i], &stack->places[i]));
    }
    return list;
}

static json_t *arguments(const struct st_argument *list, size_t count)
{
    json_t *object = json_object();
    for (size_t i = 0; i < count; i++) {
        json_object_set_new(object, list[i].name != NULL ? list[i].name : "", text(list[i].value));
    }
    return object;
}

static json_t *elements(const struct st_finding *finding)
{
    json_t *list = json_array();
    for (size_t i = 0; i < finding->element_count; i++) {
        const struct st_element *element = &finding->elements[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:o, s:o, s:o}", "rank", element->rank, "address",
                      text(element->address), "byte",
                      element->nowhere ? json_null() : json_integer((json_int_t)element->byte),
                      "type", text(element->type)));
    }
    return list;
}

static json_t *types(const struct facts *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < facts->finding.type_count; i++) {
        const struct st_reported_type *type = &facts->finding.types[i];
        const struct type_places *places = &facts->types[i];
        json_t *object =
            json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "handle", text(type->handle), "name",
                      text(type->name), "text", text(type->text), "created", site(&places->created),
                      "committed", site(&places->committed), "freed", site(&places->freed));
        if (type->measured) {
            json_object_update_new(
                object,
                json_pack("{s:I, s:I, s:I, s:I, s:I}", "size", (json_int_t)type->size, "lb",
                          (json_int_t)type->lb, "extent", (json_int_t)type->extent, "true_lb",
                          (json_int_t)type->true_lb, "true_extent", (json_int_t)type->true_extent));
        }
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *others(const struct facts *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < facts->finding.other_count; i++) {
        const struct st_other_call *other = &facts->finding.others[i];
        json_t *object = json_pack("{s:i, s:o, s:o}", "rank", other->rank, "call",
                                   text(other->call), "site", site(&facts->others[i]));
        if (other->arguments != NULL) {
            json_object_set_new(object, "arguments",
                                arguments(other->arguments, other->argument_count));
        }
        if (other->label != NULL) {
            json_object_set_new(object, "ranks", json_string(other->label));
        }
        if (other->remark != NULL) {
            json_object_set_new(object, "remark", json_string(other->remark));
        }
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *lines(const struct report *report)
{
    const struct st_finding *finding = &report->facts->finding;
    const char *also = report_also(report);
    json_t *list = json_array();
    for (size_t i = 0; i < finding->line_count; i++) {
        json_array_append_new(list,
                              json_pack("[s, s]", finding->lines[i].label, finding->lines[i].text));
    }
    if (also != NULL) {
        json_array_append_new(list, json_pack("[s, s]", "also", also));
    }
    return list;
}

static json_t *ranks(const struct report *report)
{
    json_t *list = json_array();
    for (size_t i = 0; i < report->rank_count; i++) {
        json_array_append_new(list, json_integer(report->ranks[i]));
    }
    return list;
}

static json_t *object_of(const struct report *report)
{
    const struct facts *facts = report->facts;
    const struct st_finding *finding = &facts->finding;
    char *message = text_of("%s %s", report_subject(report), report_message(report));
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:I}",
                  "id", st_check_rows[finding->check].id, "severity",
                  st_severity_name(st_finding_severity(finding)), "message", message, "ranks",
                  ranks(report), "call", text(finding->call), "arguments",
                  arguments(finding->arguments, finding->argument_count), "site",
                  site(&facts->site), "frames", frames(&facts->site), "count",
                  (json_int_t)report->count, "elements", elements(finding), "types", types(facts),
                  "other", others(facts), "advice", text(finding->advice), "host",
                  text(report->process->host), "pid", (json_int_t)finding->process);
    if (finding->line_count != 0 || report->several) {
        json_object_set_new(object, "lines", lines(report));
    }
    if (facts->waits != NULL) {
        json_object_set_new(object, "waits", json_deep_copy(facts->waits));
    }
    if (facts->running != NULL) {
        json_object_set_new(object, "running", json_deep_copy(facts->running));
        json_object_set_new(object, "seconds", json_integer(facts->seconds));
    }
    if (facts->stacks != NULL) {
        json_object_set_new(object, "stacks", json_deep_copy(facts->stacks));
    }
    return object;
}

void jsonl_write(const struct findings *findings, FILE *file)
{
    for (size_t i = 0; i < findings->report_count; i++) {
        if (findings->reports[i]->suppressed) {
            continue;
        }
        json_t *object = object_of(findings->reports[i]);
        json_dumpf(object, file, JSON_COMPACT | JSON_ENSURE_ASCII);
        json_decref(object);
        fputc('\n', file);
    }
}
