/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Merges the stacks of processes that were taken at two places, in the form of beside.h.
 */
#ifndef MPIPP_STACKS_MERGE_H
#define MPIPP_STACKS_MERGE_H

#include <jansson.h>

/* Adds ADDED to TAKEN, and returns the whole; either may be NULL or null. It owns TAKEN. Lines with the
 * same stack become one. */
json_t *stacks_merge(json_t *taken, json_t *added);

#endif
