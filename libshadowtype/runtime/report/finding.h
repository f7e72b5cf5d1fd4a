/*
 * A finding, from a check to whoever reads it: written out at once, kept for a debugger, counted
 * when it comes again.
 */
#ifndef ST_RUNTIME_REPORT_FINDING_H
#define ST_RUNTIME_REPORT_FINDING_H

#include "report/report.h"
#include "runtime/wrap/facts.h"
#include "runtime/record/record.h"

/* Which elements of the datatype it is about. */
enum st_which {
    ST_NO_ELEMENT,
    ST_FIRST_ELEMENT,   /* of what MPI transfers */
    ST_ELEMENT_OF_BYTE, /* the one that byte `number` of what MPI transfers is in */
    ST_ELEMENT_NUMBER,  /* `number` of what MPI transfers, a pair type being one */
    ST_ELEMENTS_TWICE,  /* the two that name a byte */
    ST_ELEMENT_MISALIGNED,
    ST_ELEMENT_NEGATIVE, /* the first one below displacement 0 */
    ST_ELEMENTS_BACK,    /* the first one that stands before the one before it, and that one */
    ST_ELEMENTS_UNLIKE,  /* the first one, and the first one of another basic type */
    ST_ENTRY             /* `number` of a constructor, whose datatype is not there yet */
};

struct st_spot {
    enum st_which which;
    int64_t copies; /* of the datatype, one after the other; 0: it stands by itself */
    bool in_memory; /* at `address` */
    uint64_t address;
    int64_t number; /* from 0 */
};

/* Of a finding about several ranks; see struct st_finding. */
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
    enum st_severity severity; /* 0: the catalogue's */
    int parameter;             /* -1: none of them */
    const char *message;       /* as struct st_finding's */
    const char *advice;
    uint64_t type;      /* a datatype that has to do with it, as a handle; 0: none */
    uint32_t type_node; /* or, where `has_node`, as a node */
    bool has_node;
    struct st_spot spot;
    uint32_t other_node; /* another datatype, where `has_other_node` */
    bool has_other_node;
    const struct st_element *elements; /* those that are known already; else see `spot` */
    size_t element_count;
    const char *other_call; /* another call that has to do with it, and its call site */
    const struct st_argument *other_arguments;
    size_t other_argument_count;
    const char *other_remark; /* what there is to say of it; or NULL */
    uint32_t other_site;
    const char *made_call; /* the call that made a handle that is gone, and its call site */
    uint32_t made_site;
    bool by_other; /* another other_site makes another finding, also in the same call */
    const struct st_between *between; /* NULL: it is about this rank alone */
};

/* The finding in a call. Nothing, if something was found at the same parameter already. */
void st_find(struct st_facts *facts, const struct st_found *found);

/* One without a call of its own: a leak, with the call that made what leaks, at `site`. */
void st_find_at(const struct st_found *found, const char *call, uint32_t site, int64_t count);

/* The calls that were checked: the record of the end says how many. */
extern _Atomic uint64_t st_check_calls __attribute__((visibility("hidden")));
/* The collective ones of them that were to be compared with other ranks', and that could not be. */
extern _Atomic uint64_t st_collective_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_collective_uncompared __attribute__((visibility("hidden")));
/* The messages that were received, and those of them that could not be compared with what was sent. */
extern _Atomic uint64_t st_message_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_message_uncompared __attribute__((visibility("hidden")));

/* The one-sided accesses of this rank that were to be compared, and those to its memory, and of it, that could not be. */
extern _Atomic uint64_t st_access_calls __attribute__((visibility("hidden")));
extern _Atomic uint64_t st_access_uncompared __attribute__((visibility("hidden")));

/* Opens the sink and writes the record of the beginning. */
void st_findings_begin(void);
/* A sentence for the user, about the checker itself: once in a job, if it is the same in all ranks. */
void st_findings_note(const char *sentence);
/* Writes the counts and, where the rank came to its end (MPI did not give it up), the record of it.
 * Silent from now on. */
void st_findings_end(bool whole);
/* After the end: what is found from now on is written again. */
void st_findings_resume(void);
/* A finding comes before MPI_Init, or after MPI_Finalize: opens the sink, or opens it again. The rank is
 * what the launcher says. */
void st_findings_reopen(void);
/* The process ends: closes what st_findings_reopen() has opened. */
void st_findings_close(void);
/* In a child after fork(): silent from now on. */
void st_findings_drop(void);

#endif
