/*
 * For a rank that waits in MPI for long: MPI polls, and would take a processor from what looks at the
 * rank, and from the other tests.
 *
 *     MPI_Init(&argc, &argv);
 *     give_way();
 */
#ifndef GIVE_WAY_H
#define GIVE_WAY_H

#include <stdio.h>
#include <unistd.h>

/* Lowers the rank's priority. A rank of MPICH has a session of its own, and with it as large a share of
 * the processors as all other tests together, whatever its priority (sched(7), autogroup): that share
 * is lowered, too. */
static void give_way(void)
{
    FILE *group = getsid(0) == getpid() ? fopen("/proc/self/autogroup", "w") : NULL;
    if (group) {
        fputs("10", group);
        fclose(group);
    }
    if (nice(10) == -1) {
        perror("nice");
    }
}

#endif
