/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds out whether a debugger is attached to this process already.
 */
#ifndef ST_RUNTIME_ATTACH_TRACED_H
#define ST_RUNTIME_ATTACH_TRACED_H

#include <stdbool.h>

bool st_is_traced(void);

#endif
