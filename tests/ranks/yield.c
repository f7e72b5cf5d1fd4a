/*
 * Loaded into the ranks of MPICH in tests of jobs, by ranks_yield in tests/cmd/jobs.sh. A rank of MPICH polls without a
 * pause: where there are more ranks than processors, each message waits for the end of another rank's time slice, and
 * most of the processor time goes into polling. Here a rank that finds nothing gives the processor to the others, as
 * Open MPI's does where it is told that there are more ranks than processors.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>

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
