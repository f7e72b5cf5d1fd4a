/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Report files: opened before the program starts, so that a wrong name is reported then, and
 * written when it has ended.
 */
#ifndef MPIPP_FINDINGS_FILES_H
#define MPIPP_FINDINGS_FILES_H

#include <stdbool.h>
#include <stdio.h>

#include "../words.h"
#include "merged.h"

/* Writes the reports that are not suppressed to FILE. The caller checks ferror(). */
typedef void file_form(const struct findings *findings, FILE *file);

file_form jsonl_write, html_write, sarif_write, junit_write, txt_write;

/* Chooses the form by the ending of PATH; NULL if there is no such form. */
file_form *file_form_of(const char *path);

struct files;

/* Opens the files, and reports those that cannot be opened. */
struct files *files_open(const struct words *paths);

/* Writes and closes them all, and reports those that could not be written completely. Returns false
 * if any of them could not be opened or written. */
bool files_write(struct files *files, const struct findings *findings);

#endif
