/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of the program's source in a page of HTML.
 */
#ifndef MPIPP_FINDINGS_EXCERPT_H
#define MPIPP_FINDINGS_EXCERPT_H

#include <stdio.h>

#include "lines.h"

/* Writes the line of a place and two lines before and after it; nothing, if the file cannot be read. */
void excerpt_put(FILE *file, const struct place *place);

#endif
