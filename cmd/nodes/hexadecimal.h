/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as text, for JSON. */
#ifndef MPIPP_NODES_HEXADECIMAL_H
#define MPIPP_NODES_HEXADECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/* In new memory. */
char *hexadecimal(const void *object, size_t size);
/* Returns false if TEXT is not that of an object of this size. */
bool read_hexadecimal(const char *text, void *object, size_t size);

#endif
