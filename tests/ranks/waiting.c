/*
 * Loaded into the ranks in tests of jobs, by ranks_yield and ranks_rest in tests/cmd/jobs.sh. A rank that waits polls without
 * a pause: where there are more ranks than processors, each message waits for the end of another rank's time slice, and
 * most of the processor time goes into polling. Here a rank of MPICH that finds nothing gives the processor to the others.
 * Open MPI's ranks do that by themselves if there are more ranks than processors.
 *
 * REST: where it only yields, a rank sleeps for so many microseconds. For jobs that hang: ranks that wait for seconds would
 * take all processors from the other tests.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

#ifdef REST
int sched_yield(void)
{
    return nanosleep(&(struct timespec){.tv_nsec = REST * 1000L}, NULL);
}
#endif

unsigned ucp_worker_progress(void *worker);
unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*progress)(void *worker);
    if (!progress) {
        progress = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    }
    unsigned events = progress(worker);
    if (events == 0) {
        sched_yield();
    }
    return events;
}
