/*
 * The folder where ranks on this host write their records, a file each.
 *
 *     struct gather *gather = gather_open(&findings);     // makes it; MPIPP_REPORTS names it
 *     ... poll gather_file(gather); at each event gather_read(gather) ...
 *     gather_all(gather);                                  // at the end
 */
#ifndef MPIPP_FINDINGS_GATHER_H
#define MPIPP_FINDINGS_GATHER_H

#include "merged.h"

struct gather;

/* Without a folder to be had, the ranks' records come on their standard error alone. */
struct gather *gather_open(struct findings *findings);

/* Returns a descriptor that becomes readable when a rank has reported, or -1 if the system gives none: then call
 * gather_read() from time to time. */
int gather_file(const struct gather *gather);

/* Reads what is new in the files that have news. */
void gather_read(struct gather *gather);

/* Reads what is new in all files. */
void gather_all(struct gather *gather);

/* Removes the folder, which exit() does, too. */
void gather_close(struct gather *gather);

#endif
