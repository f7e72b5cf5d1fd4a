/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The folder where ranks on this host write their records, one file each.
 *
 *     struct gather *gather = gather_open(&findings);     // makes it; MPIPP_REPORTS names it
 *     ... poll gather_file(gather); at each event gather_read(gather) ...
 *     gather_all(gather);                                  // at the end
 */
#ifndef MPIPP_FINDINGS_GATHER_H
#define MPIPP_FINDINGS_GATHER_H

#include "merged.h"

struct gather;

/* If no folder can be made, all ranks send their records on standard error. */
struct gather *gather_open(struct findings *findings);

/* Returns a descriptor that becomes readable when a rank has reported, or -1 if the system gives none: then call
 * gather_read() from time to time. */
int gather_file(const struct gather *gather);

/* Reads new records of the files that have changed. */
void gather_read(struct gather *gather);

/* Reads new records of all files. */
void gather_all(struct gather *gather);

/* Removes the folder; exit() does so, too. */
void gather_close(struct gather *gather);

/* The private folder of the job; NULL: none could be made. */
const char *gather_folder(const struct gather *gather);

#endif
