/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds collective calls on several communicators that ranks make in a circle, even if MPI does not
 * hang. It reads the notes of the ranks (libshadowtype/core/agree/orders.h) while they run and when
 * they have ended.
 *
 *     struct circles *circles = circles_new();
 *     ... once in a while: circles_step(circles, &findings, now) ...
 *     ... the job has ended: circles_finish(circles, &findings) ...
 */
#ifndef MPIPP_WATCH_CIRCLES_H
#define MPIPP_WATCH_CIRCLES_H

#include <stdint.h>

#include "../findings/merged.h"

struct circles;

struct circles *circles_new(void);

/* Looks if it is time to, NOW in milliseconds, and adds new findings. */
void circles_step(struct circles *circles, struct findings *findings, int64_t now);

/* Milliseconds until the next look. */
int circles_wait(const struct circles *circles, int64_t now);

void circles_finish(struct circles *circles, struct findings *findings);

#endif
