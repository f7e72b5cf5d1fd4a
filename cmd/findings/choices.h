/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's choices on checks and reports, among the options of 'mpipp run', 'mpipp exec' and
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
    STATUS_FINDINGS = 86,  /* --fail-on: there were findings */
    STATUS_UNWRITTEN = 87, /* a report file could not be written */
};

struct choices {
    struct words files;        /* --report */
    struct words suppressions; /* --suppress: files */
    enum st_severity fail_on;  /* 0: never */
    enum st_severity least;    /* 0: the default, warnings and errors */
    bool generate;             /* --gen-suppressions */
    const char *generated;     /* its file; NULL: standard error */
    struct hang_choice hang;   /* --timeout, --on-hang */
};

/* If *WORDS begins with an option about the checks in the ranks, puts it into the environment,
 * moves *WORDS to the last word of the option and returns true. Ends mpipp if the value is wrong. */
bool choices_take_for_ranks(char *const **words);

/* Removes these variables from the environment: a program that a debugger starts is no rank of this
 * job. */
void choices_forget(void);

/* Does the same for the options of the process that gathers the reports. */
bool choices_take(struct choices *choices, char *const **words);

/* Ends mpipp if the user's environment has a wrong value for the ranks. */
void choices_require(void);

/* Adds the same choices as options for 'mpipp exec', because a launcher need not pass on variables. */
void choices_pass(struct words *words);

/* Returns true if sends wait for their receives (--synchronous). */
bool choices_synchronous(void);

/* Returns true if a rank stays at its errors until a user lets it go on (--on-error=wait, stop). */
bool choices_hold(void);

/* Returns what the ranks check (enum st_group). */
unsigned choices_groups(void);
/* Returns true if they check anything. */
bool choices_check(void);

/* Returns how many reports of one id are printed. */
unsigned long choices_most(void);

#endif
