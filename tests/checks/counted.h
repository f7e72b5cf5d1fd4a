/* What the group of counted_table.c and the program that counted.py writes share. */
#ifndef TESTS_CHECKS_COUNTED_H
#define TESTS_CHECKS_COUNTED_H

#include <setjmp.h>

struct counted {
    const char
        *wanted;       /* a function; the group leaves a call of it before MPI has it. NULL: none */
    sigjmp_buf leave;  /* to here */
    int before, after; /* calls that the group has seen */
    int completed;     /* operations */
};

#endif
