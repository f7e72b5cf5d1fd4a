/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * --match-memory=SIZE: how much memory the descriptions of each rank's messages may take
 * (libshadowtype/core/agree/message.h).
 */
#ifndef CMD_WATCH_MATCH_MEMORY_H
#define CMD_WATCH_MATCH_MEMORY_H

#include <stdint.h>

#define MATCH_MEMORY_VARIABLE "MPIPP_MATCH_MEMORY"

/* Takes the value of the option, or of the variable, by which the user gave it, and puts it into the
 * environment. Ends mpipp if it is wrong. */
void match_memory_take(const char *typed, const char *value);

/* Returns the logarithm of the number of places that fit in the memory of the environment's value;
 * without one, or if that is wrong, ST_LOG2_MESSAGES. */
uint32_t match_memory_log2(void);

#endif
