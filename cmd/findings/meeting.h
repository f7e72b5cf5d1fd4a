/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two buffers that share memory, in one picture of a page of HTML.
 */
#ifndef MPIPP_FINDINGS_MEETING_H
#define MPIPP_FINDINGS_MEETING_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report.h"

/* Writes the two buffers that the finding's elements are in, one below the other; what both have is hatched. Returns
 * false, and writes nothing, if the finding is not about two buffers, or not enough is known of them. */
bool meeting_put(FILE *file, const struct st_finding *finding);

#endif
