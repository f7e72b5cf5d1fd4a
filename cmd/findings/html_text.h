/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text in a page of HTML, or in XML.
 */
#ifndef MPIPP_FINDINGS_HTML_TEXT_H
#define MPIPP_FINDINGS_HTML_TEXT_H

#include <stdio.h>

/* Writes TEXT, and escapes what HTML and XML would take for markup. Replaces the characters that neither may have. */
void html_put(FILE *file, const char *text);

#endif
