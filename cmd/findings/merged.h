/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings of all ranks. Equal findings of several ranks are merged.
 *
 *     struct findings findings = {.host = host};
 *     findings_line(&findings, "4711-9f3a22c1", line, length);    // one record of that process
 *     for (size_t i = 0; i < findings.report_count; i++)
 *         use(findings.reports[i]);
 *
 * A record that is damaged, or that this mpipp does not know, is counted and skipped.
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
    struct facts *facts; /* those of its lowest rank */
    const struct process *process;
    int *ranks; /* ascending */
    size_t rank_count;
    size_t rankless; /* processes without a world, such as those that only use MPI sessions */
    int64_t count;   /* how often, in all ranks */
    bool several; /* pairs of ranks, of which the facts name one */
    bool suppressed;
    bool told; /* set by the code that prints reports as they come */
};

/* What the file of a process says about one of its findings. */
struct told {
    int64_t number;
    struct report *report;
    int64_t count;
};

struct process {
    char *key;
    int rank, size; /* rank -1: not reported */
    int64_t pid;
    const char *host, *mpi, *program;
    bool began, ended;
    bool exited; /* by exit() */
    int status;  /* with this status */
    uint64_t world; /* the name of its MPI_COMM_WORLD in gpids; 0: none is known */
    int64_t calls;
    int64_t collectives, uncompared; /* collective calls; those not compared with other ranks */
    int64_t messages, unmatched;     /* received messages; those not compared with what was sent */
    int64_t accesses, unordered;     /* one-sided accesses; those not compared with each other */
    int64_t ready,
        wild; /* ready sends to other nodes; receives from any source: what others could have sent is not checked */
    struct told *told;
    size_t told_count;
    struct table by_number, by_report; /* of the list `told` */
    unsigned long *numbers;            /* of its findings, by check; NULL: it has none */
};

/* A sentence of the ranks about the checker itself. */
struct note {
    char *text;
    size_t after; /* the number of reports before it */
};

struct findings {
    enum st_severity least;       /* findings of lower severity are skipped */
    unsigned long most;           /* after so many findings of a check a rank reports no more; 0: no
                               limit */
    bool reached[ST_CHECK_COUNT]; /* a rank has reached that limit */
    struct suppressions suppressions;
    struct report **reports; /* in the order of their arrival */
    size_t report_count;
    struct table by_key; /* of the list `reports` */
    struct process **processes;
    size_t process_count;
    struct table by_process; /* by the key of the process */
    struct note *notes;      /* each sentence once */
    size_t note_count;
    size_t damaged; /* records */
    int64_t
        unmatched; /* received messages of other nodes that were not compared with what was sent */
    const char
        *last_states; /* lines of text with the last calls of the ranks that ended early; or NULL */
};

/* Takes a record: LINE, without its line end, from the process KEY. */
void findings_line(struct findings *findings, const char *key, const char *line, size_t length);

/* Returns true if all ranks are known to have left by exit() after their end. Stores 0, or the status of one
 * that left with another. */
bool findings_status(const struct findings *findings, int *status);

void report_add_rank(struct report *report, int rank);

/* Returns the number of ranks that it is about. */
size_t report_members(const struct report *report);

/* Returns the subject of a report, "each of ranks 0-3,7", in new memory. */
char *report_subject(const struct report *report);

/* Returns a line of the report with the label "also", in new memory; NULL if it is about one pair of ranks, or about none. */
char *report_also(const struct report *report);

/* Returns "0-3,7" in new memory. */
char *report_ranks(const struct report *report);

#endif
