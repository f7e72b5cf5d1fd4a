/* Shared by the group of counted_group.c and the program that counted.py writes. */
#ifndef TESTS_CHECKS_COUNTED_H
#define TESTS_CHECKS_COUNTED_H

#include <setjmp.h>

extern struct counted {
    const char *wanted; /* a function; the group leaves a call of it before MPI gets it. NULL: no
                           call is left */
    sigjmp_buf leave;   /* to here */
    int before, after;  /* calls that the group has seen */
    int completed;      /* operations */
} counted;

#endif
