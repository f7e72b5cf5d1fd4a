/*
 * The picture of a datatype's memory in a page of HTML.
 */
#ifndef MPIPP_FINDINGS_PICTURE_H
#define MPIPP_FINDINGS_PICTURE_H

#include <stdio.h>

#include "report/report.h"

/* Writes a datatype's memory as an SVG picture; nothing if its bytes are not known. */
void picture_put(FILE *file, const struct st_reported_type *type);

#endif
