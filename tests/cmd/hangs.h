/* What the files of the small jobs that hang share. */
#ifndef HANGS_H
#define HANGS_H

#include <stddef.h>

struct mode {
    const char *name;
    void (*run)(void);
};

/* Of MPI_COMM_WORLD. */
extern int rank, size;

/* Modes of the other files; the last one has no name. */
extern const struct mode started_modes[], inter_modes[], place_modes[], spawned_modes[],
    group_modes[];

#endif
