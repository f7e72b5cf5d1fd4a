/*
 * Parts of --report=FILE.html.
 */
#ifndef MPIPP_FINDINGS_HTML_H
#define MPIPP_FINDINGS_HTML_H

#include <stdio.h>

#include "report/report.h"

/* TEXT with what HTML would take for markup escaped. */
void html_put(FILE *file, const char *text);

/* A datatype's memory as an SVG picture; nothing, if its bytes are not known. */
void picture_put(FILE *file, const struct st_reported_type *type);

#endif
