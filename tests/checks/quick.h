/* Between a program of random calls and the group of checks that sees them, quick_group.c. */
#ifndef TESTS_CHECKS_QUICK_H
#define TESTS_CHECKS_QUICK_H

/* The last call that the group has seen: whether there was one, and its parameters with a finding. */
extern struct quick {
    unsigned seen;
    unsigned found;
} quick;

#endif
