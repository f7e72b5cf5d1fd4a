/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --report=FILE.sarif: SARIF 2.1.0, for code-scanning sites and editors.
 */
#include <jansson.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "../explain.h"
#include "../words.h"
#include "files.h"
#include "print.h"

/* Returns a path as part of a URI. */
static char *escaped(const char *path)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    char *text = zeroed(3 * strlen(path), 1);
    char *end = text;
    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;
        if (strchr(plain, *path) != NULL) {
            *end++ = *path;
        } else {
            *end++ = '%';
            *end++ = "0123456789ABCDEF"[byte >> 4];
            *end++ = "0123456789ABCDEF"[byte & 15];
        }
    }
    return text;
}

/* Returns a path relative to mpipp's current folder if it is below, as code-scanning sites expect. */
static json_t *artifact(const char *file)
{
    char here[PATH_MAX];
    if (file[0] != '/') {
        return json_pack("{s:s, s:s}", "uri", escaped(file), "uriBaseId", "SRCROOT");
    }
    if (getcwd(here, sizeof here) != NULL) {
        size_t length = strlen(here);
        if (length > 1 && strncmp(file, here, length) == 0 && file[length] == '/') {
            return json_pack("{s:s, s:s}", "uri", escaped(file + length + 1), "uriBaseId",
                             "SRCROOT");
        }
    }
    return json_pack("{s:s}", "uri", text_of("file://%s", escaped(file)));
}

/* If a place has no line, its file is the program or library. Returns NULL if nothing is known. */
static json_t *location(const struct place *place)
{
    const char *file = place->file != NULL ? place->file : place->module;
    if (file == NULL) {
        return NULL;
    }
    json_t *physical = json_pack("{s:o}", "artifactLocation", artifact(file));
    if (place->file != NULL) {
        json_object_set_new(physical, "region",
                            json_pack("{s:i}", "startLine", place->line > 0 ? place->line : 1));
    }
    json_t *where = json_pack("{s:o}", "physicalLocation", physical);
    if (place->function != NULL) {
        json_object_set_new(where, "logicalLocations",
                            json_pack("[{s:s, s:s}]", "name", place->function, "kind", "function"));
    }
    return where;
}

static json_t *locations_of(const struct report *report)
{
    const struct stack *stack = facts_stack(report->facts);
    const struct place process = {.module = report->process->program};
    json_t *list = json_array();
    json_t *first = stack->frames.count != 0 ? location(&stack->places[0]) : NULL;
    if (first == NULL) {
        first = location(&process);
    }
    if (first != NULL) {
        json_array_append_new(list, first);
    }
    return list;
}

static void relate_stack(json_t *list, const struct stack *stack, const char *text)
{
    json_t *where = stack->frames.count != 0 ? location(&stack->places[0]) : NULL;
    if (where == NULL) {
        return;
    }
    json_object_set_new(where, "id", json_integer((json_int_t)json_array_size(list) + 1));
    json_object_set_new(where, "message", json_pack("{s:s}", "text", text));
    json_array_append_new(list, where);
}

static json_t *related(const struct facts *facts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < facts->finding.type_count; i++) {
        const struct st_reported_type *type = &facts->finding.types[i];
        const char *name = type->name != NULL ? type->name : type->handle;
        name = name != NULL ? name : "the datatype";
        relate_stack(list, &facts->types[i].created, text_of("%s is created", name));
        relate_stack(list, &facts->types[i].committed, text_of("%s is committed", name));
        relate_stack(list, &facts->types[i].freed, text_of("%s is freed", name));
    }
    for (size_t i = 0; i < facts->finding.other_count; i++) {
        const struct st_other_call *other = &facts->finding.others[i];
        relate_stack(list, &facts->others[i],
                     other->label != NULL
                         ? text_of("%s: %s%s%s", other->label,
                                   other->call != NULL ? other->call : "a call",
                                   other->remark != NULL ? "; " : "",
                                   other->remark != NULL ? other->remark : "")
                         : text_of("%s of rank %d", other->call != NULL ? other->call : "a call",
                                   other->rank));
    }
    return list;
}

static json_t *stacks(const struct stack *stack)
{
    json_t *frames = json_array();
    for (size_t i = 0; i < stack->frames.count; i++) {
        json_t *where = location(&stack->places[i]);
        if (where != NULL) {
            json_array_append_new(frames, json_pack("{s:o}", "location", where));
        }
    }
    return json_pack("[{s:o}]", "frames", frames);
}

/* Returns a text that is the same from run to run, so that sites can follow a finding: no address,
 * no rank. */
static char *fingerprint(const struct facts *facts)
{
    const struct stack *stack = facts_stack(facts);
    const struct place *place = stack->frames.count != 0 ? &stack->places[0] : NULL;
    uint64_t hash = UINT64_C(14695981039346656037);
    const char *const texts[] = {st_check_rows[facts->finding.check].id, facts->finding.call,
                                 facts->finding.message, place != NULL ? place->function : NULL,
                                 place != NULL && place->file ? text_base_name(place->file) : NULL};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        for (const char *at = texts[i] != NULL ? texts[i] : ""; *at != '\0'; at++) {
            hash = (hash ^ (unsigned char)*at) * UINT64_C(1099511628211);
        }
        hash = (hash ^ 255) * UINT64_C(1099511628211);
    }
    return text_of("%016llx", (unsigned long long)hash);
}

/* " (element cell_t{0}(STRUCT)[1][0](MPI_DOUBLE), byte 4)" */
static const char *elements_of(const struct st_finding *finding)
{
    const char *text = "";
    for (size_t i = 0; i < finding->element_count; i++) {
        const struct st_element *element = &finding->elements[i];
        const char *address = element->address != NULL ? element->address : "?";
        text = text_of("%s%selement %s", text, *text != '\0' ? "; " : " (", address);
        if (!element->nowhere) {
            text = text_of("%s, byte %lld", text, (long long)element->byte);
        }
    }
    return *text != '\0' ? text_of("%s)", text) : text;
}

static json_t *result(const struct report *report)
{
    const struct facts *facts = report->facts;
    const struct st_finding *finding = &facts->finding;
    const char *advice = finding->advice;
    char *message =
        text_of("%s %s%s%s%s", report_subject(report), report_message(report), elements_of(finding),
                advice != NULL ? "; " : "", advice != NULL ? advice : "");
    json_t *object = json_pack(
        "{s:s, s:i, s:s, s:{s:s}, s:o, s:{s:s}, s:I}", "ruleId", st_check_rows[finding->check].id,
        "ruleIndex", (int)finding->check, "level", st_severity_name(st_finding_severity(finding)),
        "message", "text", message, "locations", locations_of(report), "partialFingerprints",
        "mpipp/v1", fingerprint(facts), "occurrenceCount",
        (json_int_t)(report->count > 0 ? report->count : 1));
    json_t *others = related(facts);
    if (json_array_size(others) != 0) {
        json_object_set(object, "relatedLocations", others);
    }
    json_decref(others);
    if (facts->site.frames.count > 1) {
        json_object_set_new(object, "stacks", stacks(&facts->site));
    }
    return object;
}

static json_t *rules(void)
{
    json_t *list = json_array();
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        const struct st_check_row *row = &st_check_rows[check];
        const char *help =
            text_of("%s\n'mpipp explain %s' shows a program that has it, and the fix.\n",
                    explain_meaning((enum st_check)check), row->id);
        json_array_append_new(list, json_pack("{s:s, s:{s:s}, s:{s:s}, s:{s:s}}", "id", row->id,
                                              "shortDescription", "text", row->title, "help",
                                              "text", help, "defaultConfiguration", "level",
                                              st_severity_name(row->severity)));
    }
    return list;
}

void sarif_write(const struct findings *findings, FILE *file)
{
    json_t *results = json_array();
    for (size_t i = 0; i < findings->report_count; i++) {
        if (!findings->reports[i]->suppressed) {
            json_array_append_new(results, result(findings->reports[i]));
        }
    }
    json_t *run = json_pack("{s:{s:{s:s, s:s, s:o}}, s:s, s:o}", "tool", "driver", "name", "mpipp",
                            "version", MPIPP_VERSION, "rules", rules(), "columnKind",
                            "unicodeCodePoints", "results", results);
    json_t *log =
        json_pack("{s:s, s:s, s:[o]}", "$schema", "https://json.schemastore.org/sarif-2.1.0.json",
                  "version", "2.1.0", "runs", run);
    json_dumpf(log, file, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    fputc('\n', file);
    json_decref(log);
}
