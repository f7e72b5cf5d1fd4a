/* SPDX-License-Identifier: BSD-3-Clause */
#include "merged.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../say.h"
#include "../words.h"

/* Returns LIST with room for one more at COUNT: it grows by powers of two. */
static void *grow_list(void *list, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0) {
        return list;
    }
    list = realloc(list, (count == 0 ? 1 : 2 * count) * size);
    if (list == NULL) {
        fail(1, "out of memory");
    }
    return list;
}

/* The key that a table is searched for. */
struct wanted {
    const void *list; /* struct findings, or struct process */
    const char *key;
    int64_t number;
    const struct report *report;
};

static bool has_process_key(const void *context, size_t index)
{
    const struct wanted *wanted = context;
    const struct findings *findings = wanted->list;
    return strcmp(findings->processes[index]->key, wanted->key) == 0;
}

static bool has_report_key(const void *context, size_t index)
{
    const struct wanted *wanted = context;
    const struct findings *findings = wanted->list;
    return strcmp(findings->reports[index]->facts->key, wanted->key) == 0;
}

static bool has_number(const void *context, size_t index)
{
    const struct wanted *wanted = context;
    const struct process *process = wanted->list;
    return process->told[index].number == wanted->number;
}

static bool has_report(const void *context, size_t index)
{
    const struct wanted *wanted = context;
    const struct process *process = wanted->list;
    return process->told[index].report == wanted->report;
}

static struct process *process_of(struct findings *findings, const char *key)
{
    uint64_t hash = table_hash_text(key);
    size_t at = table_find(&findings->by_process, hash, has_process_key,
                           &(struct wanted){.list = findings, .key = key});
    if (at != TABLE_NONE) {
        return findings->processes[at];
    }
    struct process *process = zeroed_one(sizeof *process);
    process->key = text_of("%s", key);
    process->rank = -1;
    findings->processes =
        grow_list(findings->processes, findings->process_count, sizeof(struct process *));
    table_add(&findings->by_process, hash, findings->process_count);
    findings->processes[findings->process_count++] = process;
    return process;
}

void report_add_rank(struct report *report, int rank)
{
    size_t at = report->rank_count;
    while (at > 0 && report->ranks[at - 1] >= rank) {
        at--;
    }
    if (at < report->rank_count && report->ranks[at] == rank) {
        return;
    }
    report->ranks = grow_list(report->ranks, report->rank_count, sizeof *report->ranks);
    memmove(report->ranks + at + 1, report->ranks + at,
            (report->rank_count - at) * sizeof *report->ranks);
    report->ranks[at] = rank;
    report->rank_count++;
}

static struct report *report_of(struct findings *findings, const struct process *process,
                                struct facts *facts)
{
    uint64_t hash = table_hash_text(facts->key);
    size_t at = table_find(&findings->by_key, hash, has_report_key,
                           &(struct wanted){.list = findings, .key = facts->key});
    if (at != TABLE_NONE) {
        return findings->reports[at];
    }
    struct report *report = zeroed(1, sizeof *report);
    *report = (struct report){.facts = facts, .process = process};
    report->suppressed = suppressions_match(&findings->suppressions, facts);
    findings->reports = grow_list(findings->reports, findings->report_count, sizeof report);
    table_add(&findings->by_key, hash, findings->report_count);
    findings->reports[findings->report_count++] = report;
    return report;
}

static uint64_t hash_report(const struct report *report)
{
    return table_hash_number((uint64_t)(uintptr_t)report);
}

static bool has_told(const struct process *process, const struct report *report)
{
    return table_find(&process->by_report, hash_report(report), has_report,
                      &(struct wanted){.list = process, .report = report}) != TABLE_NONE;
}

static size_t find_number(const struct process *process, int64_t number)
{
    return table_find(&process->by_number, table_hash_number((uint64_t)number), has_number,
                      &(struct wanted){.list = process, .number = number});
}

/* Notes which report a finding belongs to. A process uses each number once; if it repeats one, the
 * first finding counts. */
static void note_told(struct process *process, const struct st_finding *finding,
                      struct report *report)
{
    size_t at = process->told_count;
    process->told = grow_list(process->told, at, sizeof *process->told);
    process->told[at] = (struct told){finding->number, report, finding->count};
    if (find_number(process, finding->number) == TABLE_NONE) {
        table_add(&process->by_number, table_hash_number((uint64_t)finding->number), at);
    }
    if (!has_told(process, report)) {
        table_add(&process->by_report, hash_report(report), at);
    }
    process->told_count++;
}

static void take_finding(struct findings *findings, struct process *process, json_t *record)
{
    struct facts *facts = facts_read(record);
    if (facts == NULL) {
        findings->damaged++;
        return;
    }
    /* The watch of the ranks has decided already whether the user wants this note. */
    if (st_finding_severity(&facts->finding) < findings->least &&
        facts->finding.check != ST_NO_PROGRESS) {
        return;
    }
    struct st_finding *finding = &facts->finding;
    if (finding->count < 1) {
        finding->count = 1;
    }
    if (finding->rank < 0) {
        finding->rank = process->rank;
    }
    if (finding->process == 0) {
        finding->process = process->pid;
    }
    if (process->pid == 0) {
        process->pid = finding->process;
    }
    if (process->numbers == NULL) {
        process->numbers = zeroed(ST_CHECK_COUNT, sizeof *process->numbers);
    }
    if (++process->numbers[finding->check] == findings->most) {
        findings->reached[finding->check] = true;
    }
    struct report *report = report_of(findings, process, facts);
    report->count += finding->count;
    report->several |=
        facts_are_of_pair(finding) && strcmp(finding->subject, report->facts->finding.subject) != 0;
    const json_t *ranks = json_object_get(record, "ranks"), *rank;
    size_t i;
    json_array_foreach(ranks, i, rank) report_add_rank(report, (int)json_integer_value(rank));
    if (finding->rank >= 0) {
        report_add_rank(report, finding->rank);
    } else if (!has_told(process, report)) {
        report->rankless++;
    }
    if (finding->rank >= 0 &&
        (report->facts->finding.rank < 0 || finding->rank < report->facts->finding.rank)) {
        report->facts = facts;
        report->process = process;
    }
    note_told(process, finding, report);
}

static void take_count(struct process *process, const json_t *record)
{
    int64_t number = facts_number(record, "n");
    int64_t count = facts_number(record, "count");
    size_t at = find_number(process, number);
    if (at == TABLE_NONE) {
        return;
    }
    struct told *told = &process->told[at];
    if (count > told->count && told->report->count <= INT64_MAX - count) {
        told->report->count += count - told->count;
        told->count = count;
    }
}

/* A copy of a text, which is most often that of the rank before. */
static const char *keep_text(const char *text, const char **last)
{
    if (text != NULL && (*last == NULL || strcmp(*last, text) != 0)) {
        *last = text_of("%s", text);
    }
    return text != NULL ? *last : NULL;
}

static void take_begin(struct process *process, json_t *record)
{
    static const char *host, *mpi, *program; /* as kept last */
    json_int_t rank = facts_number(record, "rank");
    json_int_t size = facts_number(record, "size");
    process->began = true;
    process->ended = process->exited = false;
    process->rank = rank >= 0 && rank < INT_MAX ? (int)rank : -1;
    process->size = size > 0 && size < INT_MAX ? (int)size : 0;
    process->pid = facts_number(record, "pid");
    process->host = keep_text(facts_text(record, "host"), &host);
    process->mpi = keep_text(facts_text(record, "mpi"), &mpi);
    process->program = keep_text(facts_text(record, "program"), &program);
    const json_int_t world = facts_number(record, "world");
    process->world = world > 0 ? (uint64_t)world : 0;
}

static void take_note(struct findings *findings, const char *text)
{
    for (size_t i = 0; i < findings->note_count; i++) {
        if (strcmp(findings->notes[i].text, text) == 0) {
            return;
        }
    }
    findings->notes = grow_list(findings->notes, findings->note_count, sizeof *findings->notes);
    findings->notes[findings->note_count++] =
        (struct note){.text = text_of("%s", text), .after = findings->report_count};
}

static void take_record(struct findings *findings, const char *key, json_t *record)
{
    const char *kind = facts_text(record, "record");
    const char *text = facts_text(record, "text");
    if (kind == NULL) {
        findings->damaged++;
        return;
    }
    struct process *process = process_of(findings, key);
    if (strcmp(kind, "finding") == 0) {
        take_finding(findings, process, record);
    } else if (strcmp(kind, "begin") == 0) {
        take_begin(process, record);
    } else if (strcmp(kind, "count") == 0) {
        take_count(process, record);
    } else if (strcmp(kind, "end") == 0) {
        process->ended = true;
        process->calls = facts_number(record, "calls");
        process->collectives = facts_number(record, "collectives");
        process->uncompared = facts_number(record, "uncompared");
        process->messages = facts_number(record, "messages");
        process->unmatched = facts_number(record, "unmatched");
        process->accesses = facts_number(record, "accesses");
        process->unordered = facts_number(record, "unordered");
        process->ready = facts_number(record, "ready");
        process->wild = facts_number(record, "wild");
    } else if (strcmp(kind, "exit") == 0) {
        process->exited = true;
        process->status = (int)facts_number(record, "status") & 0xff;
    } else if (strcmp(kind, "note") == 0 && text != NULL) {
        take_note(findings, text);
    } else {
        findings->damaged++;
    }
}

void findings_line(struct findings *findings, const char *key, const char *line, size_t length)
{
    json_t *record = json_loadb(line, length, 0, NULL);
    if (record == NULL) {
        findings->damaged++;
        return;
    }
    take_record(findings, key, record);
    json_decref(record);
}

bool findings_status(const struct findings *findings, int *status)
{
    int most = 0;
    size_t began = 0;
    *status = 0;
    for (size_t i = 0; i < findings->process_count; i++) {
        const struct process *process = findings->processes[i];
        if (!process->began || !process->ended || !process->exited) {
            return false;
        }
        began++;
        most = process->size > most ? process->size : most;
        *status = process->status != 0 ? process->status : *status;
    }
    return began != 0 && began >= (size_t)most && findings->damaged == 0;
}

char *report_ranks(const struct report *report)
{
    char *text = text_of("%s", "");
    for (size_t i = 0; i < report->rank_count;) {
        size_t last = i;
        while (last + 1 < report->rank_count &&
               report->ranks[last + 1] == report->ranks[last] + 1) {
            last++;
        }
        const char *comma = i == 0 ? "" : ",";
        text = last == i ? text_of("%s%s%d", text, comma, report->ranks[i])
                         : text_of("%s%s%d-%d", text, comma, report->ranks[i], report->ranks[last]);
        i = last + 1;
    }
    return text;
}

char *report_also(const struct report *report)
{
    return report->several ? text_of("the same between other ranks: %lld times in all, ranks %s",
                                     (long long)report->count, report_ranks(report))
                           : NULL;
}

size_t report_members(const struct report *report)
{
    return report->rank_count + report->rankless;
}

char *report_subject(const struct report *report)
{
    if (report->facts->finding.subject != NULL) {
        return text_of("%s", report->facts->finding.subject);
    }
    if (report->rank_count > 1) {
        return text_of("each of ranks %s", report_ranks(report));
    }
    if (report->rank_count == 1) {
        return text_of("rank %d", report->ranks[0]);
    }
    if (report->rankless > 1) {
        return text_of("each of %zu processes", report->rankless);
    }
    return text_of("process %lld", (long long)report->facts->finding.process);
}
