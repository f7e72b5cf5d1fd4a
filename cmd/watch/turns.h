/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The turns of ranks from one communicator to another (libshadowtype/core/agree/orders.h), in words.
 */
#ifndef MPIPP_WATCH_TURNS_H
#define MPIPP_WATCH_TURNS_H

#include <jansson.h>

#include "core/agree/orders.h"
#include "shared.h"

/* The call with a number, of a rank that has turned to its communicator before or with it: {"function": "MPI_Bcast",
 * "frames": [...]} in a new object. The frames are as shared_frames() has them; none if it is not known which call
 * of its turn it was. */
json_t *turn_described(const struct shared *shared, uint32_t rank, const struct st_order_turn *turn,
                       uint64_t number);

#endif
