/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A finding on its way from a check to its readers: it is written at once, kept for a debugger, and
 * only counted when it comes again.
 */
#ifndef ST_RUNTIME_REPORT_FINDING_H
#define ST_RUNTIME_REPORT_FINDING_H

#include "report/report.h"
#include "runtime/wrap/facts.h"
#include "runtime/record/record.h"

/* The elements of the datatype that a finding is about. */
enum st_which {
    ST_NO_ELEMENT,
    ST_FIRST_ELEMENT,   /* of what MPI transfers */
    ST_ELEMENT_OF_BYTE, /* the element that contains byte `number` of what MPI transfers */
    ST_ELEMENT_NUMBER,  /* element `number` of what MPI transfers; a pair type counts as one */
    ST_ELEMENTS_TWICE,  /* the two elements that contain the same byte */
    ST_ELEMENT_MISALIGNED,
    ST_ELEMENT_NEGATIVE, /* the first element below displacement 0 */
    ST_ELEMENTS_BACK,    /* the first element whose displacement is lower than that of its
                            predecessor, and the predecessor */
    ST_ELEMENTS_UNLIKE,  /* the first element, and the first one of another basic type */
    ST_ENTRY             /* entry `number` of a constructor whose datatype does not exist yet */
};

struct st_spot {
    enum st_which which;
    int64_t copies; /* number of copies of the datatype, one after the other; 0: the type alone,
                       without a buffer */
    bool in_memory; /* the copies are in memory, at `address` */
    uint64_t address;
    int64_t number; /* counted from 0 */
};

/* The part of a finding that is about several ranks; see struct st_finding. */
struct st_between {
    const char *subject;
    const struct st_other_call *others;
    size_t other_count;
    const struct st_line_of_report *lines;
    size_t line_count;
    const int32_t *ranks;
    size_t rank_count;
};

struct st_found {
    enum st_check check;
    enum st_severity severity; /* 0: that of the catalogue */
    int parameter;             /* -1: no parameter */
    const char *message;       /* as in struct st_finding */
    const char *advice;
    uint64_t type;      /* the handle of a datatype that it is about; 0: none */
    uint32_t type_node; /* or, if `has_node`, its node */
    bool has_node;
    struct st_spot spot;
    uint32_t other_node; /* the node of another datatype, if `has_other_node` */
    bool has_other_node;
    const struct st_element *elements; /* elements that the check itself has found; else see
                                          `spot` */
    size_t element_count;
    const char *other_call; /* another call that the finding is about, and its call site */
    const struct st_argument *other_arguments;
    size_t other_argument_count;
    const char *other_remark; /* a comment on that call; or NULL */
    uint32_t other_site;
    const char *made_call; /* the call that made a handle that is gone, and its call site */
    uint32_t made_site;
    bool by_other; /* findings that differ only in other_site are reported separately, also
                      within one call */
    const struct st_between *between; /* NULL: the finding is about this rank only */
};

/* Reports a finding in a call. Does nothing if the same parameter has a finding already. */
void st_find(struct st_facts *facts, const struct st_found *found);

/* Reports a finding without a current call, such as a leak: `call` at `site` made what leaks. */
void st_find_at(const struct st_found *found, const char *call, uint32_t site, int64_t count);

/* The number of checked calls, for the last record. */
extern _Atomic uint64_t st_check_calls __attribute__((visibility("hidden")));
/* The number of collective calls to compare with those of other ranks, and of those that could not
 * be compared. */
extern _Atomic uint64_t st_collective_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_collective_uncompared __attribute__((visibility("hidden")));
/* The number of received messages, and of those that could not be compared with what was sent. */
extern _Atomic uint64_t st_message_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_message_uncompared __attribute__((visibility("hidden")));
/* In a job of several nodes: ready sends to other ones, and, with --check=race, receives from any source. Whether the
 * receive was there, and whether a message of another node could have been taken, is not checked. */
extern _Atomic uint64_t st_far_ready __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_far_wild __attribute__((visibility("hidden")));

/* The number of this rank's one-sided accesses to compare, and of accesses to its memory, or by it,
 * that could not be compared. */
extern _Atomic uint64_t st_access_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_access_uncompared __attribute__((visibility("hidden")));

/* Opens the sink and writes the first record. */
void st_findings_begin(void);
/* Writes a sentence for the user about the checker itself. It is shown once per job, if all ranks
 * have the same sentence. */
void st_findings_note(const char *sentence);
/* Writes the counts; also the last record, if the rank came to its end (MPI did not end it). Later
 * findings are not written. */
void st_findings_end(bool whole);
/* Writes with which status the process leaves by exit(). */
void st_findings_exit(int status);
/* Findings after the end are written again. */
void st_findings_resume(void);
/* A finding comes before MPI_Init, or after MPI_Finalize: opens the sink, or opens it again. The
 * rank is the one that the launcher's environment gives. */
void st_findings_reopen(void);
/* The process ends: closes the sink that st_findings_reopen() has opened. */
void st_findings_close(void);
/* To be called in a child after fork(): nothing is written any more. */
void st_findings_drop(void);

#endif
