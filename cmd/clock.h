/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock by which mpipp waits. */
#ifndef MPIPP_CLOCK_H
#define MPIPP_CLOCK_H

#include <stdint.h>

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t clock_ms(void);

#endif
