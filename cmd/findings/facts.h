/*
 * One finding of one rank, read from its record and with its places resolved.
 *
 *     struct facts *facts = facts_read(record);     // NULL: no finding that we know
 *     st_finding_text(&facts->finding, ...);
 *
 * Texts and lists live as long as the facts, that is to the end of mpipp.
 */
#ifndef MPIPP_FINDINGS_FACTS_H
#define MPIPP_FINDINGS_FACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "lines.h"
#include "report/report.h"

/* A list of frames as the record has it, resolved: one frame may be several, inlined. */
struct stack {
    struct st_frames frames;
    struct place *places; /* as many */
};

struct type_places {
    struct stack created, committed, freed;
};

struct facts {
    struct st_finding finding;
    struct stack site;
    struct type_places *types; /* finding.type_count */
    struct stack *others;      /* finding.other_count */
    const json_t *waits;       /* who waits for whom (watch/told.c); NULL: it is no such finding */
    const json_t *stacks;      /* as stacks_json() has them; NULL: none were taken */
    char *key;                 /* equal for findings that are one report */
};

struct facts *facts_read(json_t *record);

/* The text member NAME; NULL: there is none. */
const char *facts_text(const json_t *object, const char *name);
/* The number NAME; 0: there is none. */
json_int_t facts_number(const json_t *object, const char *name);

#endif
