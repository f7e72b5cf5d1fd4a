/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One finding of one rank, read from its record, with its call sites resolved.
 *
 *     struct facts *facts = facts_read(record);     // NULL: no finding that we know
 *     st_finding_text(&facts->finding, ...);
 *
 * Texts and lists live as long as the facts, that is, until mpipp ends.
 */
#ifndef MPIPP_FINDINGS_FACTS_H
#define MPIPP_FINDINGS_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lines.h"
#include "report/report.h"

/* A list of frames of the record, resolved. One frame may become several, if functions are inlined. */
struct stack {
    struct st_frames frames;
    struct place *places; /* one for each frame */
};

struct type_places {
    struct stack created, committed, freed;
};

struct facts {
    struct st_finding finding;
    struct stack site;
    struct type_places *types; /* finding.type_count of them */
    struct stack *others;      /* finding.other_count of them */
    const json_t *waits;       /* who waits for whom (watch/told.c); NULL for other findings */
    const json_t *
        running; /* for whom others wait, and what they do (watch/running.h); NULL for other findings */
    json_int_t seconds;   /* with `running`: how long the others have waited */
    const json_t *stacks; /* in the form of stacks_json(); NULL: not taken */
    char *key;            /* equal for findings that belong to one report */
};

struct facts *facts_read(json_t *record);

/* Returns true for a finding about a message between two ranks. Findings that differ only in the ranks belong to one
 * report; so do messages that are lost, or raced, between the same calls. */
bool facts_are_of_pair(const struct st_finding *finding);

/* Returns the call site; if the finding only has calls of several ranks, the first of them. */
const struct stack *facts_stack(const struct facts *facts);

/* Returns the text member NAME; NULL if there is none. */
const char *facts_text(const json_t *object, const char *name);
/* Returns the number NAME; 0 if there is none. */
json_int_t facts_number(const json_t *object, const char *name);

#endif
