/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes what the watch knows of a rank into the memory that the ranks share, for `mpipp ranks` and
 * gdb: since when it has been in its call.
 */
#ifndef MPIPP_WATCH_PUBLISHED_H
#define MPIPP_WATCH_PUBLISHED_H

#include "looks.h"

/* Call it after each look at a rank that was read. Without that memory it does nothing. */
void published_write(struct looked *rank);

#endif
