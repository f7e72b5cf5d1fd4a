/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The picture of a datatype's memory in a page of HTML.
 */
#ifndef MPIPP_FINDINGS_PICTURE_H
#define MPIPP_FINDINGS_PICTURE_H

#include <stddef.h>
#include <stdio.h>

#include "report/report.h"

enum { LEGEND_COLOURS = 10, LEGEND_NAMES = 64, LEGEND_HEIGHT = 28 };

/* The basic types of a picture, each with a colour: the classes c0 to c9 of page.css, which are those of gdb's
 * `mpi draw`. */
struct legend {
    const char *names[LEGEND_NAMES];
    size_t count;
};

/* Returns the colour of a basic type, NAME NULL: it is not known which; it enters the legend. */
size_t legend_colour(struct legend *legend, const char *name);
/* Writes the names with their colours from X, Y on, into an SVG picture. */
void legend_put(FILE *file, const struct legend *legend, int x, int y);

/* Writes a datatype's memory as an SVG picture; nothing if its bytes are not known. */
void picture_put(FILE *file, const struct st_reported_type *type);

#endif
