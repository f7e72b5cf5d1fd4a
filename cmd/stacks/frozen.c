/* SPDX-License-Identifier: BSD-3-Clause */
#include "frozen.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#include "../proc.h"
#include "../say.h"
#include "../traceable.h"
#include "../words.h"

/* How long the first thread may take to stop (it may be in the kernel); then the same for the
 * others. */
#define FIRST_NANOSECONDS INT64_C(2000000000)
#define OTHERS_NANOSECONDS INT64_C(300000000)
/* How long a thread may wait for a processor on a busy machine. */
#define BUSY_NANOSECONDS INT64_C(8000000000)

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool is_known(const struct frozen *frozen, pid_t id)
{
    for (size_t i = 0; i < frozen->count; i++) {
        if (frozen->threads[i].id == id) {
            return true;
        }
    }
    return false;
}

static void add_thread(struct frozen *frozen, pid_t id)
{
    if ((frozen->count & (frozen->count - 1)) == 0) { /* grows by powers of two */
        frozen->threads = realloc(frozen->threads, (frozen->count == 0 ? 1 : 2 * frozen->count) *
                                                       sizeof *frozen->threads);
    }
    if (frozen->threads == NULL) {
        fail(1, "out of memory");
    }
    frozen->threads[frozen->count++] = (struct frozen_thread){.id = id};
}

/* Tells a thread to stop. Returns 0, or the error. */
static int stop_thread(struct frozen *frozen, pid_t id)
{
    if (ptrace(PTRACE_SEIZE, id, NULL, NULL) != 0) {
        return errno;
    }
    add_thread(frozen, id);
    ptrace(PTRACE_INTERRUPT, id, NULL, NULL);
    return 0;
}

/* Stops the threads that are not stopped yet. Returns whether there were any. */
static bool stop_new_threads(struct frozen *frozen)
{
    size_t before = frozen->count;
    char *path = text_of("/proc/%d/task", (int)frozen->pid);
    DIR *folder = opendir(path);
    free(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        pid_t id = (pid_t)strtol(entry->d_name, NULL, 10);
        if (id > 0 && !is_known(frozen, id)) {
            stop_thread(frozen, id);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return frozen->count != before;
}

/* Returns true if there is no need to wait for the thread any more. */
static bool has_stopped(struct frozen_thread *thread)
{
    int status;
    pid_t got = waitpid(thread->id, &status, __WALL | WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR)) {
        return false;
    }
    if (got < 0 || !WIFSTOPPED(status)) {
        thread->id = 0; /* it has ended */
        return true;
    }
    thread->is_stopped = true;
    thread->signal = status >> 16 == 0 ? WSTOPSIG(status) : 0;
    return true;
}

static bool wants_processor(pid_t id)
{
    return proc_state(id) == 'R';
}

/* Returns true for a thread that stops as soon as it gets a processor, or has stopped since it was looked at. */
static bool will_stop(pid_t id)
{
    const char state = proc_state(id);
    return state == 'R' || state == 'T' || state == 't';
}

/* Waits for each thread until END; for a thread that waits for a processor, until END_IF_BUSY. */
static void wait_for_threads(struct frozen *frozen, int64_t end, int64_t end_if_busy)
{
    long pause = 20 * 1000;
    for (size_t i = 0; i < frozen->count;) {
        struct frozen_thread *thread = &frozen->threads[i];
        if (thread->id == 0 || thread->is_stopped || has_stopped(thread) ||
            (now_ns() > end && (now_ns() > end_if_busy || !will_stop(thread->id)))) {
            i++;
        } else {
            nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
            pause = pause < 5 * 1000 * 1000 ? 2 * pause : pause;
        }
    }
}

static const char *why_not(pid_t pid, int error)
{
    int status;
    const char *why = traceable_why_not(pid, &status);
    if (why != NULL) {
        return why;
    }
    return error == ESRCH ? text_of("process %d has ended", (int)pid)
                          : text_of("process %d cannot be traced: %s", (int)pid, strerror(error));
}

const char *freeze(struct frozen *frozen)
{
    frozen->was_stopped = proc_state(frozen->pid) == 'T';
    int error = stop_thread(frozen, frozen->pid);
    if (error != 0) {
        return why_not(frozen->pid, error);
    }
    int64_t end_if_busy = now_ns() + BUSY_NANOSECONDS;
    wait_for_threads(frozen, now_ns() + FIRST_NANOSECONDS, end_if_busy);
    if (frozen->threads[0].id == 0) {
        return text_of("process %d has ended", (int)frozen->pid);
    }
    if (!frozen->threads[0].is_stopped) {
        return text_of("process %d does not stop: it %s", (int)frozen->pid,
                       wants_processor(frozen->pid) ? "gets no processor" : "waits in the kernel");
    }
    while (stop_new_threads(frozen) && now_ns() < end_if_busy) {
        wait_for_threads(frozen, now_ns() + OTHERS_NANOSECONDS, end_if_busy);
    }
    return NULL;
}

void thaw(struct frozen *frozen)
{
    for (size_t i = 0; i < frozen->count; i++) {
        const struct frozen_thread *thread = &frozen->threads[i];
        if (thread->is_stopped) {
            ptrace(PTRACE_DETACH, thread->id, NULL, (void *)(intptr_t)thread->signal);
        }
    }
    free(frozen->threads);
    frozen->threads = NULL;
    frozen->count = 0;
}
