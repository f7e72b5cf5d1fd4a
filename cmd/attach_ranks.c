/* SPDX-License-Identifier: BSD-3-Clause */
#include "attach_ranks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "debugger.h"
#include "jobs.h"
#include "say.h"
#include "traceable.h"

/* Reads "4" or "0-3" of a list, and moves *LIST after it and the comma. Returns false if it is
 * neither. */
static bool take_range(const char **list, long *first, long *last)
{
    const char *text = *list;
    size_t digits = strspn(text, "0123456789");
    *first = *last = strtol(text, NULL, 10);
    if (digits == 0 || digits > 9) {
        return false;
    }
    text += digits;
    if (*text == '-') {
        digits = strspn(++text, "0123456789");
        *last = strtol(text, NULL, 10);
        if (digits == 0 || digits > 9 || *last < *first) {
            return false;
        }
        text += digits;
    }
    if (*text != ',' && *text != '\0') {
        return false;
    }
    if (*text == ',' && *++text == '\0') {
        return false;
    }
    *list = text;
    return true;
}

void attach_require_list(const char *list)
{
    long first, last;
    const char *rest = list;
    do {
        if (!take_range(&rest, &first, &last)) {
            fail(STATUS_USAGE, "'--ranks=%s': ranks are given as 0,1 or 0-3", list);
        }
    } while (*rest != '\0');
}

/* LIST is valid; NULL: it names all ranks. */
static bool names(const char *list, long rank)
{
    long first, last;
    while (list != NULL && *list != '\0') {
        take_range(&list, &first, &last);
        if (rank >= first && rank <= last) {
            return true;
        }
    }
    return list == NULL;
}

static bool has_rank(const struct rank *ranks, size_t count, long number)
{
    for (size_t i = 0; i < count; i++) {
        if (ranks[i].world.rank == number) {
            return true;
        }
    }
    return false;
}

static void require_ranks(const struct rank *ranks, size_t count, const char *list)
{
    long first, last;
    while (list != NULL && *list != '\0') {
        take_range(&list, &first, &last);
        for (long number = first; number <= last; number++) {
            if (!has_rank(ranks, count, number)) {
                fail(1,
                     jobs_run_of(&ranks[0]) != 0 ? "no rank %ld of job %s runs"
                                                 : "no rank %ld of job %s runs on '%s'",
                     number, ranks[0].job, jobs_host());
            }
        }
    }
}

bool attach_is_host(const char *host)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_@:%";
    return host[0] != '\0' && host[0] != '-' && strspn(host, letters) == strlen(host);
}

/* Returns the rank as Python has it: "(0, 4711, None)". Ends mpipp if it cannot be attached to. */
static char *triple_of(const struct rank *rank)
{
    int status;
    const bool is_far = rank->host != NULL && strcmp(rank->host, jobs_host()) != 0;
    if (is_far && !attach_is_host(rank->host)) {
        fail(1, "rank %ld: '%s' is not the name of a host", rank->world.rank, rank->host);
    }
    const char *why = is_far ? NULL : traceable_why_not(rank->pid, &status);
    if (why != NULL) {
        fail(status, "rank %ld: %s", rank->world.rank, why);
    }
    return text_of("(%ld, %d, %s)", rank->world.rank, (int)rank->pid,
                   is_far ? debugger_bytes(rank->host) : "None");
}

void attach_ranks(struct words *command, pid_t pid, const char *list, const char *ssh)
{
    size_t count;
    const struct rank *ranks = jobs_all_ranks_of(pid, &count);
    char *triples = text_of("%s", "");
    require_ranks(ranks, count, list);
    for (size_t i = 0; i < count; i++) {
        if (!names(list, ranks[i].world.rank)) {
            continue;
        }
        char *triple = triple_of(&ranks[i]);
        char *longer = text_of("%s%s, ", triples, triple);
        free(triple);
        free(triples);
        triples = longer;
    }
    debugger_call(command, "ranks_attach",
                  text_of("several([%s], %s, %d, '%s')", triples, debugger_bytes(ssh),
                          (int)jobs_run_of(&ranks[0]), MPIPP_VERSION));
}
