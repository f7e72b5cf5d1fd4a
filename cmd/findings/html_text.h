/*
 * Text in a page of HTML.
 */
#ifndef MPIPP_FINDINGS_HTML_TEXT_H
#define MPIPP_FINDINGS_HTML_TEXT_H

#include <stdio.h>

/* Writes TEXT, and escapes what HTML would take for markup. */
void html_put(FILE *file, const char *text);

#endif
