/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The filters are checkboxes without a script: of each, a rule of the page's style hides what it is about while it is not
 * checked.
 */
#include "html_head.h"

#include <string.h>
#include <time.h>

#include "../explain.h"
#include "../words.h"
#include "html_text.h"
#include "print.h"

/* --- what was run -------------------------------------------------------------------------- */

static void put_row(FILE *file, const char *name, const char *value)
{
    if (value == NULL || value[0] == '\0') {
        return;
    }
    fprintf(file, "<tr><th scope=row>%s<td>", name);
    html_put(file, value);
    fputs("\n", file);
}

/* What a user typed, with as many quotes as a shell needs. */
static const char *own_command(void)
{
    FILE *file = fopen("/proc/self/cmdline", "r");
    char *text = text_of("%s", ""), *word = NULL;
    size_t room = 0;
    for (int i = 0; file != NULL && getdelim(&word, &room, '\0', file) > 0; i++) {
        const char *shown = i == 0 ? text_base_name(word) : word;
        bool is_plain =
            shown[0] != '\0' && strspn(shown, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789_-+=:,./@%") == strlen(shown);
        text = text_of("%s%s%s", text, i == 0 ? "" : " ", is_plain ? shown : text_quoted(shown));
    }
    if (file != NULL) {
        fclose(file);
    }
    return text;
}

static const char *now_text(void)
{
    static char text[64];
    time_t now = time(NULL);
    struct tm parts;
    if (localtime_r(&now, &parts) == NULL ||
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &parts) == 0) {
        return "";
    }
    return text;
}

/* What the processes say, each text once: "node01, node02"; of many the first. */
static const char *list_texts(const struct findings *findings,
                              const char *text_of_process(const struct process *))
{
    enum { MOST = 16 };
    const char *seen[MOST];
    size_t count = 0;
    const char *list = "";
    for (size_t i = 0; i < findings->process_count; i++) {
        const char *text = text_of_process(findings->processes[i]);
        size_t k = 0;
        while (text != NULL && k < count && strcmp(seen[k], text) != 0) {
            k++;
        }
        if (text == NULL || k < count) {
            continue;
        }
        if (count == MOST) {
            return text_of("%s, ...", list);
        }
        seen[count++] = text;
        list = text_of("%s%s%s", list, count == 1 ? "" : ", ", text);
    }
    return list;
}

static const char *host_of(const struct process *process)
{
    return process->host;
}

/* Returns the first line, or part of it: MPI libraries say more than anybody reads. */
static const char *mpi_of(const struct process *process)
{
    if (process->mpi == NULL) {
        return NULL;
    }
    char *text = text_of("%.*s", (int)strcspn(process->mpi, ",\n"), process->mpi);
    for (char *tab = strchr(text, '\t'); tab != NULL; tab = strchr(tab, '\t')) {
        *tab = ' ';
    }
    return text;
}

static const char *program_of(const struct process *process)
{
    return process->program;
}

static const char *rank_count(const struct findings *findings)
{
    size_t ranks = 0;
    for (size_t i = 0; i < findings->process_count; i++) {
        ranks += findings->processes[i]->began;
    }
    return text_of("%zu", ranks);
}

static void put_run(FILE *file, const struct findings *findings)
{
    fputs("<table class=run>\n", file);
    put_row(file, "command", own_command());
    put_row(file, "program", list_texts(findings, program_of));
    put_row(file, "MPI", list_texts(findings, mpi_of));
    put_row(file, "hosts", list_texts(findings, host_of));
    put_row(file, "ranks", rank_count(findings));
    put_row(file, "written", now_text());
    fputs("</table>\n", file);
}

/* --- the reports --------------------------------------------------------------------------- */

static bool is_shown(const struct findings *findings, size_t i)
{
    return !findings->reports[i]->suppressed;
}

static enum st_check check_of(const struct findings *findings, size_t i)
{
    return findings->reports[i]->facts->finding.check;
}

static size_t count_check(const struct findings *findings, enum st_check check)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->report_count; i++) {
        count += is_shown(findings, i) && check_of(findings, i) == check;
    }
    return count;
}

/* What a filter may hide: a class of sections and of rows, and how many reports have it. */
typedef void put_filter(FILE *file, const char *class, size_t count);

static void put_rule(FILE *file, const char *class, size_t count)
{
    (void)count;
    fprintf(file,
            "#show-%s:not(:checked) ~ * .%s, #show-%s:not(:checked) ~ .%s { display: none "
            "!important; }\n",
            class, class, class, class);
}

static void put_box(FILE *file, const char *class, size_t count)
{
    fprintf(file,
            "<input type=checkbox id=\"show-%s\" checked><label for=\"show-%s\">%s "
            "<span class=count>%zu</span></label>\n",
            class, class, text_begins(class, "check-") ? class + strlen("check-") : class, count);
}

static void put_filters(FILE *file, const struct findings *findings, put_filter *put)
{
    static const enum st_severity severities[] = {ST_SEVERITY_ERROR, ST_SEVERITY_WARNING,
                                                  ST_SEVERITY_NOTE};
    for (size_t i = 0; i < sizeof severities / sizeof severities[0]; i++) {
        size_t count = findings_count(findings, severities[i]);
        if (count != 0) {
            put(file, st_severity_name(severities[i]), count);
        }
    }
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        size_t count = count_check(findings, (enum st_check)check);
        if (count != 0) {
            put(file, text_of("check-%s", st_check_rows[check].id), count);
        }
    }
}

void html_put_rules(FILE *file, const struct findings *findings)
{
    put_filters(file, findings, put_rule);
}

/* Where it is: of ranks that disagree, where the first of them is. */
static const char *place_of(const struct report *report)
{
    const struct stack *site = &report->facts->site;
    if (site->frames.count == 0 && report->facts->finding.other_count != 0) {
        site = &report->facts->others[0];
    }
    if (site->frames.count == 0) {
        return "";
    }
    const struct place *place = &site->places[0];
    return place->file != NULL ? text_of("%s:%d", text_base_name(place->file), place->line)
           : site->frames.list[0].text != NULL
               ? site->frames.list[0].text
               : text_base_name(place->module != NULL ? place->module : "");
}

static void put_list(FILE *file, const struct findings *findings)
{
    fputs(
        "<table class=list>\n<thead><tr><th>severity<th>check<th>what<th>where<th>times\n<tbody>\n",
        file);
    for (size_t i = 0; i < findings->report_count; i++) {
        const struct report *report = findings->reports[i];
        const char *severity = st_severity_name(st_finding_severity(&report->facts->finding));
        const char *id = st_check_rows[check_of(findings, i)].id;
        if (!is_shown(findings, i)) {
            continue;
        }
        fprintf(file,
                "<tr class=\"%s check-%s\"><td><span class=badge>%s</span><td><code>%s</code><td>"
                "<a href=\"#report-%zu\">",
                severity, id, severity, id, i);
        html_put(file, text_of("%s %s", report_subject(report), report_message(report)));
        fputs("</a><td><code>", file);
        html_put(file, place_of(report));
        fprintf(file, "</code><td class=times>%lld\n", (long long)report->count);
    }
    fputs("</table>\n", file);
}

void html_put_head(FILE *file, const struct findings *findings)
{
    fputs("<h1>mpipp report</h1>\n", file);
    put_run(file, findings);
    fputs("<pre class=summary>", file);
    html_put(file, summary_text(findings));
    fputs("</pre>\n", file);
    size_t shown = 0;
    for (size_t i = 0; i < findings->report_count; i++) {
        shown += is_shown(findings, i);
    }
    if (shown == 0) {
        return;
    }
    put_filters(file, findings, put_box);
    put_list(file, findings);
}

void html_put_meanings(FILE *file, const struct findings *findings)
{
    bool began = false;
    for (unsigned check = 0; check < ST_CHECK_COUNT; check++) {
        if (count_check(findings, (enum st_check)check) == 0) {
            continue;
        }
        if (!began) {
            fputs("<h2 class=meanings>What the checks mean</h2>\n", file);
        }
        began = true;
        const char *id = st_check_rows[check].id;
        fprintf(file, "<section class=\"meaning check-%s\" id=\"means-%s\">\n<h2><code>%s</code> ",
                id, id, id);
        html_put(file, st_check_rows[check].title);
        fputs("</h2>\n<p>", file);
        html_put(file, explain_meaning((enum st_check)check));
        fputs("</p>\n", file);
        fputs("<p class=advice>", file);
        html_put(file, explain_fix((enum st_check)check));
        fputs("</p>\n</section>\n", file);
    }
}
