/*
 * What a user says on checks and reports, among the options of 'mpipp run', 'mpipp exec' and
 * 'mpipp gdb'.
 */
#ifndef MPIPP_FINDINGS_CHOICES_H
#define MPIPP_FINDINGS_CHOICES_H

#include <stdbool.h>

#include "report/catalogue.h"
#include "report/groups.h"
#include "../watch/choice.h"
#include "../words.h"

#define CHECK_VARIABLE ST_CHECK_VARIABLE
#define REPORTS_VARIABLE "MPIPP_REPORTS"
#define MAX_REPORTS_VARIABLE "MPIPP_MAX_REPORTS"

enum {
    STATUS_FINDINGS = 86,  /* --fail-on: something was found */
    STATUS_UNWRITTEN = 87, /* a report file could not be written */
};

struct choices {
    struct words files;        /* --report */
    struct words suppressions; /* --suppress: files */
    enum st_severity fail_on;  /* 0: never */
    enum st_severity least;    /* 0: warnings and errors */
    bool generate;             /* --gen-suppressions */
    const char *generated;     /* its file; NULL: standard error */
    struct hang_choice hang;   /* --timeout, --on-hang */
};

/* If *WORDS begins with an option that says what the ranks check, puts it into the environment,
 * moves *WORDS to its last word and returns true. A wrong value ends mpipp. */
bool choices_take_for_ranks(char *const **words);

/* Takes all of this out of the environment: what a debugger starts in turn is no rank of this job. */
void choices_forget(void);

/* The same for the options of whoever gathers. */
bool choices_take(struct choices *choices, char *const **words);

/* Ends mpipp if the environment, where it is the user's, has a wrong value for the ranks. */
void choices_require(void);

/* Adds the options that say the same to 'mpipp exec': a launcher need not pass on variables. */
void choices_pass(struct words *words);

/* Whether sends wait for their receives (--synchronous). */
bool choices_synchronous(void);

/* What the ranks check (enum st_group). */
unsigned choices_groups(void);
/* Whether they check at all. */
bool choices_check(void);

/* How many reports of one id are printed. */
unsigned long choices_most(void);

#endif
