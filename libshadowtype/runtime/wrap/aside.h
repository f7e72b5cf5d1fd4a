/*
 * A process whose MPI is not the one that this library was built for: a program of the other MPI,
 * started by a rank that was preloaded. The library has to be as if it were not there.
 */
#ifndef ST_RUNTIME_WRAP_ASIDE_H
#define ST_RUNTIME_WRAP_ASIDE_H

/* Makes each MPI function of this library a jump to the function of the same name that would be
 * called without it, whatever its arguments are. MPI: a handle of the loader's, for those names that
 * no plain lookup finds. */
void st_stand_aside(void *mpi);

#endif
