/* Between accesses.c and the group of checks that sees its calls, accesses_group.c. */
#ifndef TESTS_CHECKS_ACCESSES_H
#define TESTS_CHECKS_ACCESSES_H

/* The last call that the group has seen: whether there was one, and its parameters with a finding. */
extern struct accesses {
    unsigned seen;
    unsigned found;
} accesses;

#endif
