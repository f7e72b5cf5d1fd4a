/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places of one child: {{{{16, "abc"}}}} is shown as {16, "abc"}.
 */
#ifndef ST_RENDER_FOLD_H
#define ST_RENDER_FOLD_H

#include <stddef.h>

#include "core/model/place.h"

/* Stores in *folded (may be `place` itself) the first place from `place` downwards that has not just
 * one child. Text and bounds (MPI_LB) keep their list of one. Returns the number of stages passed
 * over: the way to *folded has so many indices, all of them 0. */
size_t st_fold(const struct st_place *place, struct st_place *folded);

#endif
