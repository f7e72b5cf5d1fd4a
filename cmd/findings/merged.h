/*
 * The findings of all ranks, the same one of many ranks once.
 *
 *     struct findings findings = {.host = host};
 *     findings_line(&findings, "4711-9f3a22c1", line, length);    // one record of that process
 *     for (size_t i = 0; i < findings.report_count; i++)
 *         use(findings.reports[i]);
 *
 * A record that is damaged, or that this mpipp does not know, is counted and passed over.
 */
#ifndef MPIPP_FINDINGS_MERGED_H
#define MPIPP_FINDINGS_MERGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "facts.h"
#include "suppress.h"
#include "table.h"

struct process;

struct report {
    struct facts *facts; /* of its lowest rank */
    const struct process *process;
    int *ranks; /* ascending */
    size_t rank_count;
    size_t rankless; /* processes of no world, as those with MPI sessions alone are */
    int64_t count;   /* times, on all ranks */
    bool suppressed;
    bool told; /* by whoever prints reports as they come */
};

/* What a process' file says of one of its findings. */
struct told {
    int64_t number;
    struct report *report;
    int64_t count;
};

struct process {
    char *key;
    int rank, size; /* rank -1: it has not said */
    int64_t pid;
    const char *host, *mpi, *program;
    bool began, ended;
    int64_t calls;
    int64_t collectives, uncompared; /* collective calls; those not compared with other ranks' */
    int64_t messages, unmatched;     /* messages received; those not compared with what was sent */
    int64_t accesses, unordered;     /* one-sided accesses; those not compared with each other */
    struct told *told;
    size_t told_count;
    struct table by_number, by_report;     /* of told */
    unsigned long numbers[ST_CHECK_COUNT]; /* of its findings */
};

/* A sentence of the ranks on the checker itself. */
struct note {
    char *text;
    size_t after; /* reports that there were when it came */
};

struct findings {
    enum st_severity least; /* what is less is passed over */
    unsigned long most;     /* findings of a check, after which a rank says no more; 0: no limit */
    bool reached[ST_CHECK_COUNT]; /* by a rank */
    struct suppressions suppressions;
    struct report **reports; /* in the order in which they came */
    size_t report_count;
    struct table by_key; /* of reports */
    struct process **processes;
    size_t process_count;
    struct table by_process; /* by a process' key */
    struct note *notes;      /* each sentence once */
    size_t note_count;
    size_t damaged; /* records */
    const char
        *last_states; /* what the ranks that ended early were in, as lines of text; or NULL */
};

/* LINE is a record of the process that is called KEY, without its line end. */
void findings_line(struct findings *findings, const char *key, const char *line, size_t length);

void report_add_rank(struct report *report, int rank);

/* How many it is about. */
size_t report_members(const struct report *report);

/* "each of ranks 0-3,7": who a report is about, in new memory. */
char *report_subject(const struct report *report);

/* "0-3,7" in new memory. */
char *report_ranks(const struct report *report);

#endif
