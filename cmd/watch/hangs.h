/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches a running job: reports ranks that can never go on.
 *
 *     struct hangs *hangs = hangs_new(&choices->hang, false);
 *     ... once in a while: if (hangs_step(hangs, &findings, now)) { ... an error was found ... } ...
 *     ... SIGUSR1: hangs_snapshot(hangs, &findings, now, "SIGUSR1") ...
 */
#ifndef MPIPP_WATCH_HANGS_H
#define MPIPP_WATCH_HANGS_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "../findings/merged.h"
#include "../words.h"
#include "choice.h"
#include "job_stacks.h"

struct hangs;

/* SYNCHRONOUS: the sends of the job wait for their receives (--synchronous). */
struct hangs *hangs_new(const struct hang_choice *choice, bool synchronous);

/* This process answers questions for the ranks of all nodes: a finding may name a command that asks. */
void hangs_answers(struct hangs *hangs);

/* Looks at the ranks if a second has passed. NOW is in milliseconds. A finding is added by a later
 * call, when the stacks of its ranks have been read. Returns true if ranks can never go on. */
bool hangs_step(struct hangs *hangs, struct findings *findings, int64_t now);

/* Returns a file descriptor that becomes readable when hangs_step() has something to do at once, or
 * -1 if it is enough to call it once a second. */
int hangs_file(const struct hangs *hangs);

/* Call it when the job has ended: adds the remaining findings, with the stacks that could be read. */
void hangs_finish(struct hangs *hangs, struct findings *findings);

/* The command that looks at the ranks of the last error: "mpipp", "attach", "--ranks=0,1", "4711". */
const struct words *hangs_attach(const struct hangs *hangs);

/* Describes the current call of each rank, as lines of text in new memory. */
char *hangs_snapshot(struct hangs *hangs, const struct findings *findings, int64_t now);

/* What all ranks do now (whole_ranks() in whole.h). Returns NULL while the agents of other nodes are asked:
 * call it again a few milliseconds later. */
json_t *hangs_ranks(struct hangs *hangs, const struct findings *findings, int64_t now);

/* Who can never go on, by one look (whole_deadlocks()). Ranks that a debugger has stopped count as
 * waiting in their calls. Waits for agents, but no longer than far_examine() does. */
json_t *hangs_deadlocks(struct hangs *hangs, const struct findings *findings, int64_t now);

/* Begins to read the stacks of all ranks that have not ended. Returns NULL if all have ended, or if
 * no process can be started. */
struct job_stacks *hangs_stacks(const struct hangs *hangs);

/* Describes the last known call of each rank that did not end normally, as lines of text in new
 * memory. Returns "" if nothing is known. */
char *hangs_last(struct hangs *hangs);

#endif
