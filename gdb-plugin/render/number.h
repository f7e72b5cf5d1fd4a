/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes numbers like gdb in its natural format: the same digits, and the same words for NaN and
 * infinity (gdb/target-float.c). tests/gdb compares the two.
 */
#ifndef ST_RENDER_NUMBER_H
#define ST_RENDER_NUMBER_H

#include <stdbool.h>

#include "core/model/basic.h"
#include "text.h"

/* Returns true if st_number() can write elements of this type: integers up to 64 bits, float and
 * double. */
bool st_number_native(const struct st_basic *basic);

/* Appends the element at `data`, basic->size bytes in host byte order. */
void st_number(struct st_text *text, const struct st_basic *basic, const void *data);

#endif
