/* SPDX-License-Identifier: BSD-3-Clause */
/* What this process has used so far. */
#ifndef TESTS_REPLAY_USED_H
#define TESTS_REPLAY_USED_H

#include <stdio.h>
#include <time.h>

/* Returns milliseconds of processor time. */
static inline long long used_time(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (long long)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* Returns the most memory at a time, in MiB; -1 if it is not known. */
static inline long peak_memory(void)
{
    char line[256];
    long peak = -1;
    FILE *file = fopen("/proc/self/status", "r");
    if (file == NULL) {
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL && sscanf(line, "VmHWM: %ld", &peak) != 1)
        ;
    fclose(file);
    return peak < 0 ? -1 : peak / 1024;
}

#endif
