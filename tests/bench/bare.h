/*
 * MPI's own functions, past the wrappers that are preloaded.
 *
 *     *(void **)&calls.send = bare_function("PMPI_Send");
 */
#ifndef TESTS_BENCH_BARE_H
#define TESTS_BENCH_BARE_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By its address in the MPI library; ends the program if there is none. The file that includes this
 * defines _GNU_SOURCE. */
static inline void *bare_function(const char *name)
{
    Dl_info info;
    void *symbol = dlsym(RTLD_DEFAULT, "MPI_Wtime"); /* not wrapped: the library's */
    bool is_found = symbol && dladdr(symbol, &info) && !strstr(info.dli_fname, "libshadowtype");
    void *mpi = is_found ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *function = mpi ? dlsym(mpi, name) : NULL;
    if (!function) {
        fprintf(stderr, "bench: no MPI library that has %s\n", name);
        exit(2);
    }
    return function;
}

#endif
