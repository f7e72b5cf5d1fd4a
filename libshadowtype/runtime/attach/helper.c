/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/attach/helper.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/writer.h"
#include "runtime/record/root.h"

enum { STACK_BYTES = 64 * 1024, MOST_WORDS = 10, MOST_TEXT = 512 };

/* Data of the two processes between the rank and the helper, in the rank's memory. */
struct st_start {
    char *words[MOST_WORDS];
    char text[MOST_TEXT];
    size_t word_count, text_used;
    char **environment;
    int input;
    int error; /* errno of the step that failed; 0: the helper runs */
    char inner_stack[STACK_BYTES] __attribute__((aligned(64)));
    char outer_stack[STACK_BYTES] __attribute__((aligned(64)));
};

static void cut_last_name(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = 0;
    }
}

const char *st_helper_path(void)
{
    static const char relative[] = "/bin/mpipp";
    static char path[PATH_MAX + sizeof relative], above[PATH_MAX + sizeof relative];
    Dl_info library;
    if (path[0] || !dladdr(path, &library) || !realpath(library.dli_fname, path)) {
        return path;
    }
    cut_last_name(path); /* the library is in lib/, lib64/ or lib/x86_64-linux-gnu/ */
    cut_last_name(path);
    strcpy(above, path);
    cut_last_name(above);
    strcat(path, relative);
    strcat(above, relative);
    if (access(path, F_OK) != 0 && access(above, F_OK) == 0) {
        strcpy(path, above);
    }
    return path;
}

/* --- in the new processes, which share the rank's memory ------------------------------------- */

static void close_from(unsigned first)
{
    struct rlimit limit = {.rlim_cur = 1024};
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) {
        return;
    }
#endif
    getrlimit(RLIMIT_NOFILE, &limit);
    for (unsigned file = first; file < limit.rlim_cur; file++) {
        close((int)file);
    }
}

/* Signals are blocked, and stay so: no handler of the program may run here. */
static int become_helper(void *context)
{
    struct st_start *start = context;
    setsid();
    if (dup2(start->input, STDIN_FILENO) >= 0 && fcntl(STDIN_FILENO, F_SETFD, 0) == 0) {
        close(STDOUT_FILENO);
        close_from(STDERR_FILENO + 1);
        execve(start->words[0], start->words, start->environment);
    }
    start->error = errno;
    _exit(0);
}

/* Its child is orphaned when it ends. */
static int between(void *context)
{
    struct st_start *start = context;
    if (clone(become_helper, start->inner_stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, start) < 0) {
        start->error = errno;
    }
    _exit(0);
}

/* --- in the rank ---------------------------------------------------------------------------- */

static void add_word(struct st_start *start, const char *option, const char *text, int64_t number)
{
    struct st_writer writer = {start->text + start->text_used, MOST_TEXT - start->text_used - 1, 0};
    st_put(&writer, option);
    if (text) {
        st_put(&writer, text);
    } else {
        st_put_number(&writer, number);
    }
    writer.bytes[writer.length] = 0; /* it fits: the options are ours, the numbers are numbers */
    start->words[start->word_count++] = writer.bytes;
    start->text_used += writer.length + 1;
}

static void add_words(struct st_start *start, const struct st_helper_of *of)
{
    start->words[start->word_count++] = (char *)(uintptr_t)st_helper_path();
    add_word(start, "on-error", "", 0);
    add_word(start, "--mode=", of->what, 0);
    add_word(start, "--pid=", NULL, getpid());
    add_word(start, "--thread=", NULL, of->thread);
    add_word(start, "--parent=", NULL, of->parent);
    add_word(start, "--rank=", NULL, of->rank);
    add_word(start, "--error=", NULL, of->number);
    add_word(start, "--times=", NULL, of->times);
}

/* Copies the environment without the variables of the loader. */
static size_t copy_environment(char **to)
{
    static const char *const dropped[] = {"LD_PRELOAD=", "LD_AUDIT=", "LD_DEBUG="};
    size_t count = 0;
    for (char **from = environ; from && *from; from++) {
        bool drop = false;
        for (size_t i = 0; i < sizeof dropped / sizeof dropped[0]; i++) {
            drop = drop || strncmp(*from, dropped[i], strlen(dropped[i])) == 0;
        }
        if (drop) {
            continue;
        }
        if (to) {
            to[count] = *from;
        }
        count++;
    }
    return count;
}

/* It sends no signal to the parent at its end: so only a wait with __WCLONE sees it as a child. */
static int run_helper(struct st_start *start)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int process = clone(between, start->outer_stack + STACK_BYTES, CLONE_VM | CLONE_VFORK, start);
    int error = process < 0 ? errno : 0;
    while (process > 0 && waitpid(process, NULL, (int)__WCLONE) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error ? error : start->error;
}

int st_helper_start(const struct st_helper_of *of, int *error)
{
    int ends[2];
    size_t bytes = sizeof(struct st_start) + (copy_environment(NULL) + 1) * sizeof(char *);
    struct st_start *start = st_map(bytes);
    *error = ENOMEM;
    if (!start) {
        return -1;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        *error = errno;
        st_unmap(start, bytes);
        return -1;
    }
    start->environment = (char **)(void *)(start + 1);
    copy_environment(start->environment);
    start->input = ends[1];
    add_words(start, of);
    *error = run_helper(start);
    close(ends[1]);
    st_unmap(start, bytes);
    if (!*error) {
        return ends[0];
    }
    close(ends[0]);
    return -1;
}
