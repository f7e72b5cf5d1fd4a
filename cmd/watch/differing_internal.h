/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by differing.c and differing_pairs.c. */
#ifndef CMD_WATCH_DIFFERING_INTERNAL_H
#define CMD_WATCH_DIFFERING_INTERNAL_H

#include "differing.h"
#include "report/catalogue.h"

/* "MPI_Bcast" */
const char *differing_function(const struct published_call *call);

/* The check that reports such a difference. */
enum st_check differing_check(enum st_agreement agreement);

/* The record of a finding about two calls, of which LEAD counts as the right one. */
json_t *differing_two(const struct published_call *lead, const struct published_call *odd,
                      int64_t number, const char *found);

#endif
