/*
 * What an instruction of x86-64 may write, that a reader of the registry looks at.
 *
 *     struct store store = store_of(code, &registers);
 *     if (store.length) ... read again what lies in store.length bytes from store.address on ...
 *
 * Most instructions of a program store nothing, or into its stack: after those a stop shows what the
 * one before it showed, and nobody needs to read it. What is not known here may store anywhere.
 */
#ifndef TESTS_STOP_STORES_H
#define TESTS_STOP_STORES_H

#ifdef __x86_64__

#include <stdint.h>
#include <sys/user.h>

enum { LONGEST_INSTRUCTION = 15 };

struct store {
    uint64_t address;
    uint64_t length; /* 0: stores nothing; STORES_ANYWHERE: unknown where */
};

#define STORES_ANYWHERE UINT64_MAX

/* `code`: LONGEST_INSTRUCTION bytes from the instruction on; `registers`: before it is executed. What
 * it stores lies within the returned bytes, and can be less. */
struct store store_of(const unsigned char *code, const struct user_regs_struct *registers);

#endif
#endif
