/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands above the reports in a page of HTML, and below them.
 */
#ifndef MPIPP_FINDINGS_HTML_HEAD_H
#define MPIPP_FINDINGS_HTML_HEAD_H

#include <stdio.h>

#include "merged.h"

/* Writes the rules of the filters, for the page's style. */
void html_put_rules(FILE *file, const struct findings *findings);

/* Writes what was run, the summary, and the list of the reports with their filters. Report I of FINDINGS is the section
 * "report-I", and has its severity and "check-ID" as classes. */
void html_put_head(FILE *file, const struct findings *findings);

/* Writes what each check that has reports means: the sections "means-ID". */
void html_put_meanings(FILE *file, const struct findings *findings);

#endif
