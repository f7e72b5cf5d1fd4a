/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --report=FILE.html: one page that needs no server and no other file.
 */
#include <string.h>

#include "../words.h"
#include "excerpt.h"
#include "files.h"
#include "hang_html.h"
#include "html_head.h"
#include "html_text.h"
#include "meeting.h"
#include "picture.h"
#include "print.h"

#include "findings_page.h" /* generated of page.css: page_style[] */

/* Writes the place of a call: "halo.c:58 in exchange()", with the whole path as its title. */
static void put_place(FILE *file, const struct stack *stack, size_t i)
{
    const struct st_frame *frame = &stack->frames.list[i];
    const struct place *place = &stack->places[i];
    const char *whole = place->file != NULL ? place->file : frame->module;
    fputs("<code title=\"", file);
    html_put(file, whole != NULL ? whole : "");
    fputs("\">", file);
    if (frame->text != NULL) {
        html_put(file, frame->text);
    } else if (frame->symbol != NULL) {
        html_put(file,
                 text_of("%s()+0x%llx", frame->symbol, (unsigned long long)frame->symbol_offset));
    } else if (frame->module != NULL) {
        html_put(file, text_of("%s+0x%llx", text_base_name(frame->module),
                               (unsigned long long)frame->offset));
    } else {
        fputs("an unknown place", file);
    }
    fputs("</code>", file);
}

static void put_arguments(FILE *file, const struct st_argument *arguments, size_t count)
{
    fputs("(", file);
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : ", ", file);
        html_put(file, arguments[i].name != NULL ? arguments[i].name : "");
        fputs("=<span class=value>", file);
        html_put(file, arguments[i].value != NULL ? arguments[i].value : "?");
        fputs("</span>", file);
    }
    fputs(")", file);
}

static void put_call(FILE *file, const struct facts *facts)
{
    const struct st_finding *finding = &facts->finding;
    if (finding->call != NULL) {
        fputs("<p class=call><code><b>", file);
        html_put(file, finding->call);
        fputs("</b>", file);
        put_arguments(file, finding->arguments, finding->argument_count);
        fputs("</code></p>\n", file);
    }
    for (size_t i = 0; i < facts->site.frames.count; i++) {
        fputs(i == 0 ? "<p class=site>at " : "<p class=site>called from ", file);
        put_place(file, &facts->site, i);
        fputs("</p>\n", file);
        if (i == 0) {
            excerpt_put(file, &facts->site.places[i]);
        }
    }
}

static void put_elements(FILE *file, const struct st_finding *finding)
{
    if (finding->element_count == 0) {
        return;
    }
    fputs("<table><tr><th>element<th>byte<th>type<th>rank\n", file);
    for (size_t i = 0; i < finding->element_count; i++) {
        const struct st_element *element = &finding->elements[i];
        fputs("<tr><td><code>", file);
        html_put(file, element->address != NULL ? element->address : "?");
        if (element->of != NULL) {
            html_put(file, text_of(" of %s", element->of));
        }
        fputs("</code><td>", file);
        if (!element->nowhere) {
            fprintf(file, "%lld", (long long)element->byte);
        }
        fputs("<td><code>", file);
        html_put(file, element->type != NULL ? element->type : "");
        fprintf(file, "</code><td>%d\n", element->rank);
    }
    fputs("</table>\n", file);
}

static void put_event(FILE *file, const char *what, const struct stack *stack)
{
    if (stack->frames.count == 0) {
        return;
    }
    fprintf(file, " · %s at ", what);
    put_place(file, stack, 0);
}

static void put_types(FILE *file, const struct facts *facts)
{
    for (size_t i = 0; i < facts->finding.type_count; i++) {
        const struct st_reported_type *type = &facts->finding.types[i];
        fputs("<div class=type><p><b>datatype</b> <code>", file);
        html_put(file, type->name != NULL ? type->name : "");
        fputs(type->name != NULL && type->handle != NULL ? " " : "", file);
        html_put(file, type->handle != NULL ? type->handle : "");
        fputs("</code>", file);
        put_event(file, "created", &facts->types[i].created);
        put_event(file, "committed", &facts->types[i].committed);
        put_event(file, "freed", &facts->types[i].freed);
        fputs("</p>\n", file);
        if (type->text != NULL) {
            fputs("<p><code>", file);
            html_put(file, type->text);
            fputs("</code></p>\n", file);
        }
        if (facts->types[i].created.frames.count != 0) {
            excerpt_put(file, &facts->types[i].created.places[0]);
        }
        picture_put(file, type);
        fputs("</div>\n", file);
    }
}

static void put_others(FILE *file, const struct facts *facts)
{
    for (size_t i = 0; i < facts->finding.other_count; i++) {
        const struct st_other_call *other = &facts->finding.others[i];
        fputs("<p>", file);
        if (other->label != NULL) {
            html_put(file, text_of("%s: ", other->label));
        } else if (other->rank >= 0) {
            fprintf(file, "rank %d, ", other->rank);
        }
        fputs("<code>", file);
        html_put(file, other->call != NULL ? other->call : "a call");
        if (other->arguments != NULL) {
            put_arguments(file, other->arguments, other->argument_count);
        }
        fputs("</code>", file);
        if (facts->others[i].frames.count != 0) {
            fputs(" at ", file);
            put_place(file, &facts->others[i], 0);
        }
        if (other->remark != NULL) {
            fputs("<br>", file);
            html_put(file, other->remark);
        }
        fputs("</p>\n", file);
        if (facts->others[i].frames.count != 0) {
            excerpt_put(file, &facts->others[i].places[0]);
        }
    }
}

/* Writes the lines of the report. Stacks that are a tree elsewhere in the page are not repeated. */
static void put_lines(FILE *file, const struct report *report)
{
    const struct facts *facts = report->facts;
    const struct st_finding *finding = &facts->finding;
    const char *also = report_also(report);
    for (size_t i = 0; i < finding->line_count; i++) {
        const char *label = finding->lines[i].label;
        if (facts->stacks != NULL && (label[0] == '\0' || strcmp(label, "stacks") == 0)) {
            continue;
        }
        fputs("<p><b>", file);
        html_put(file, finding->lines[i].label);
        fputs("</b> ", file);
        html_put(file, finding->lines[i].text);
        fputs("</p>\n", file);
    }
    if (also != NULL) {
        fputs("<p><b>also</b> ", file);
        html_put(file, also);
        fputs("</p>\n", file);
    }
}

/* NUMBER: of the report, for links to it. */
static void put_report(FILE *file, const struct report *report, size_t number)
{
    const struct st_finding *finding = &report->facts->finding;
    const char *severity = st_severity_name(st_finding_severity(finding));
    const char *id = st_check_rows[finding->check].id;
    fprintf(file,
            "<section class=\"%s check-%s\" id=\"report-%zu\">\n<h2><span class=badge>%s</span> "
            "<a href=\"#means-%s\"><code>%s</code></a> ",
            severity, id, number, severity, id, id);
    html_put(file, text_of("%s %s", report_subject(report), report_message(report)));
    fputs("</h2>\n", file);
    if (!report->several && report->count > (int64_t)report_members(report)) {
        fprintf(file, "<p class=count>%lld times in all</p>\n", (long long)report->count);
    }
    if (finding->subject == NULL) {
        put_call(file, report->facts);
    }
    put_elements(file, finding);
    meeting_put(file, finding);
    put_types(file, report->facts);
    put_others(file, report->facts);
    put_lines(file, report);
    hang_html_put(file, report->facts);
    if (finding->advice != NULL) {
        fputs("<p class=advice>", file);
        html_put(file, finding->advice);
        fputs("</p>\n", file);
    }
    fputs("</section>\n", file);
}

void html_write(const struct findings *findings, FILE *file)
{
    fputs("<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
          "<meta name=viewport content=\"width=device-width, initial-scale=1\">\n<title>mpipp "
          "report</title>\n"
          "<style>\n",
          file);
    fputs(page_style, file);
    html_put_rules(file, findings);
    fputs("</style></head>\n<body>\n"
          "<svg width=0 height=0 aria-hidden=true><defs><pattern id=hatch width=6 height=6 "
          "patternUnits=userSpaceOnUse><path class=hatch d=\"M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2\" />"
          "</pattern></defs></svg>\n",
          file);
    html_put_head(file, findings);
    for (size_t i = 0; i < findings->report_count; i++) {
        if (!findings->reports[i]->suppressed) {
            put_report(file, findings->reports[i], i);
        }
    }
    html_put_meanings(file, findings);
    fputs("</body>\n</html>\n", file);
}
