/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that hang, in a page of HTML: who waits for whom, as a picture, and their merged stacks.
 */
#ifndef MPIPP_FINDINGS_HANG_HTML_H
#define MPIPP_FINDINGS_HANG_HTML_H

#include <stdio.h>

#include "facts.h"

/* Writes nothing for other findings. */
void hang_html_put(FILE *file, const struct facts *facts);

#endif
