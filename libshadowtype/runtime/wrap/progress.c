/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/progress.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/record/publish.h"
#include "runtime/record/root.h"
#include "runtime/wrap/function.h"

static struct st_progress progress = {.magic = ST_PROGRESS_MAGIC};

/* The program's only thread before MPI_Init; 0: there were more, and it is not known which of them
 * starts threads. */
static uint64_t only_thread;

/* The format of getdents64(). glibc's readdir() would allocate on the program's heap. */
struct st_task {
    uint64_t inode, offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

/* Lists the threads of this process, at most `most`. Returns how many there are. */
static uint32_t list_threads(uint64_t *threads, uint32_t most)
{
    _Alignas(struct st_task) char bytes[1024];
    uint32_t count = 0;
    int folder = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return 0;
    }
    for (long got; (got = syscall(SYS_getdents64, folder, bytes, sizeof bytes)) > 0;) {
        for (long at = 0; at < got;) {
            const struct st_task *task = (const struct st_task *)(bytes + at);
            uint64_t id = strtoull(task->name, NULL, 10);
            if (id && count++ < most) {
                threads[count - 1] = id;
            }
            at += task->length;
        }
    }
    close(folder);
    return count;
}

void st_progress_before_init(void)
{
    uint64_t thread = 0;
    if (st_root.state == ST_STATE_LOADED) {
        only_thread = list_threads(&thread, 1) == 1 ? thread : 0;
    }
}

/* The values of MPI's constants for the levels differ between the libraries, but their order does
 * not. */
static uint32_t ask_level(void)
{
    typedef int question(int *);
    question *ask = (question *)st_mpi_function("PMPI_Query_thread");
    int level;
    return ask && ask(&level) == 0 && level >= 0 && level <= 3 ? (uint32_t)level + 1 : 0;
}

void st_progress_after_init(void)
{
    uint64_t threads[ST_OWN_THREADS + 1];
    uint32_t count = list_threads(threads, ST_OWN_THREADS + 1), own = 0;
    if (!only_thread || count > ST_OWN_THREADS + 1) {
        count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (threads[i] != only_thread) {
            progress.own[own++] = threads[i];
        }
    }
    progress.own_count = own;
    progress.level = ask_level();
    st_publish64(&st_root.progress, st_address(&progress));
}

void st_progress_counts(const void *calls)
{
    st_publish64(&progress.calls, st_address(calls));
}

void st_progress_leaves(void)
{
    st_publish32(&progress.leaving, 1);
}
