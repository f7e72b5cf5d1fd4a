/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The texts of 'mpipp explain'.
 */
#ifndef MPIPP_EXPLAIN_H
#define MPIPP_EXPLAIN_H

#include "report/catalogue.h"

/* Returns the meaning of CHECK, as lines. */
const char *explain_meaning(enum st_check check);
/* What to do about it: lines. */
const char *explain_fix(enum st_check check);

#endif
