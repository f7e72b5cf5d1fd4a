/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A datatype as a report shows it, in the form of gdb's `print`:
 *
 *     {kind = SUBARRAY, ndims = 2, sizes = {6, 8}, subsizes = {4, 6}, starts = {1, 1}, order = C, type = "cell"}
 *
 * A base with a name is shown by its name. Of a long list the first members and the last one are
 * shown, and of a deep type the outer levels, so that the text has at most ST_MOST_TYPE_TEXT bytes:
 * six lines of a report.
 */
#ifndef ST_RUNTIME_REPORT_TYPE_TEXT_H
#define ST_RUNTIME_REPORT_TYPE_TEXT_H

#include "core/model/type.h"
#include "report/writer.h"

enum { ST_MOST_TYPE_TEXT = 500 };

/* The caller holds the recorder's lock. */
void st_put_type(struct st_writer *writer, const struct st_type *type);

#endif
