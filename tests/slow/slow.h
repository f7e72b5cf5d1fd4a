/* What the files of the slow programs share. */
#ifndef SLOW_H
#define SLOW_H

#include <mpi.h>

struct phase {
    const char *name;
    void (*run)(void);
};

/* Of MPI_COMM_WORLD. */
extern int rank, size;

/* The phases of each file; the last one has no name. */
extern const struct phase alone_phases[], message_phases[], collective_phases[], window_phases[];

/* The next random number below `limit`: the same one in all ranks, which ask equally often. */
int any_below(int limit);

/* Seconds for which somebody is late, the same in all ranks: often longer than the timeout. */
double any_while(void);
void sleep_for(double seconds);

#endif
