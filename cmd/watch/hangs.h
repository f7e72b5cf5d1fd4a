/*
 * The watch over a job that runs: what ranks wait for, told when they can never go on.
 *
 *     struct hangs *hangs = hangs_new(&choices->hang);
 *     ... once in a while: if (hangs_step(hangs, &findings, now)) { ... an error was found ... } ...
 *     ... SIGUSR1: hangs_snapshot(hangs, &findings, now, "SIGUSR1") ...
 */
#ifndef MPIPP_WATCH_HANGS_H
#define MPIPP_WATCH_HANGS_H

#include <stdbool.h>
#include <stdint.h>

#include "../findings/merged.h"
#include "choice.h"

struct hangs;

struct hangs *hangs_new(const struct hang_choice *choice);

/* Looks at the ranks if a second has passed, NOW in milliseconds, and adds what it finds to the findings.
 * Returns true if that was an error. */
bool hangs_step(struct hangs *hangs, struct findings *findings, int64_t now);

/* What each rank is in now, as lines of text in new memory. */
char *hangs_snapshot(struct hangs *hangs, const struct findings *findings, int64_t now);

/* What each rank that did not come to its end was in when it was looked at last, as lines of text in new
 * memory; "": nothing is known. */
char *hangs_last(struct hangs *hangs);

#endif
