/*
 * Whether an instruction of x86-64 may change what a reader of the registry looks at.
 *
 *     if (may_store(code, registers.rsp, registers.rbp)) ... read again ...
 *
 * Most instructions of a program store nothing, or into its stack: after those a stop shows what the
 * one before it showed, and nobody needs to read it. What is not known here may store.
 */
#ifndef TESTS_STOP_STORES_H
#define TESTS_STOP_STORES_H

#include <stdbool.h>
#include <stdint.h>

enum { LONGEST_INSTRUCTION = 15 };

/* `code`: LONGEST_INSTRUCTION bytes from the instruction on; sp and bp: before it is executed. */
bool may_store(const unsigned char *code, uint64_t sp, uint64_t bp);

#endif
