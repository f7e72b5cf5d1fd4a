/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock by which mpipp waits. */
#ifndef MPIPP_CLOCK_H
#define MPIPP_CLOCK_H

#include <stdint.h>

/* Milliseconds of CLOCK_MONOTONIC. */
int64_t clock_ms(void);

/* Milliseconds since 1970: the same on all hosts whose clocks agree. It may be set, so measure nothing by it. */
int64_t clock_of_day_ms(void);

#endif
