/* SPDX-License-Identifier: BSD-3-Clause */
#include "held.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report/report.h"
#include "runtime/attach/hold.h"
#include "../findings/choices.h"
#include "../options.h"
#include "../proc.h"
#include "../say.h"
#include "../world.h"

/* The kernel does not report the end of a process until its debugger has noticed it: so it is
 * polled. */
enum { MILLISECONDS_TO_LOOK = 200 };

static int process_file(pid_t pid)
{
#ifdef SYS_pidfd_open
    return pid > 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
#else
    return -1;
#endif
}

static bool has_launcher(const struct held *held)
{
    return proc_status(held->pid, "PPid") == held->launcher;
}

void held_open(struct held *held)
{
    struct world world;
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL); /* the program may ignore some */
    }
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    gethostname(held->host, sizeof held->host - 1);
    st_sink_open(&held->sink, getenv(REPORTS_VARIABLE), held->host);
    bool is_rank = world_of_process(&world, getpid()) || getenv(REPORTS_VARIABLE) != NULL;
    held->launcher = is_rank && held->parent > 1 ? held->parent : 0;
    held->pid_file = process_file(held->pid);
    held->launcher_file = has_launcher(held) ? process_file(held->launcher) : -1;
}

void held_say(struct held *held, const char *format, ...)
{
    char text[1024];
    char line[sizeof text * 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t length = st_note_json(text, line, sizeof line);
    if (length == 0 || !st_sink_line(&held->sink, line, length)) {
        warn("%s", text);
    }
}

const char *held_name(const struct held *held)
{
    return held->rank >= 0 ? text_of("rank %ld", held->rank)
                           : text_of("process %d", (int)held->pid);
}

const char *held_attach(const struct held *held)
{
    const char *where = getenv(REPORTS_VARIABLE);
    size_t length = strlen(held->host);
    bool here = where == NULL || where[0] == '\0' ||
                (text_begins(where, held->host) && where[length] == ':');
    return here ? text_of("%d", (int)held->pid) : text_of("%s:%d", held->host, (int)held->pid);
}

static void send_word(struct held *held, char word)
{
    if (held->goes_on) {
        return;
    }
    while (write(STDIN_FILENO, &word, 1) < 0 && errno == EINTR) {
        /* again */
    }
}

void held_go_on(struct held *held)
{
    send_word(held, ST_WORD_GO);
}

void held_stop(struct held *held)
{
    send_word(held, ST_WORD_STOP);
}

/* All processes that we have started are below us, orphans included. */
_Noreturn void held_leave(void)
{
    for (bool some = true; some;) {
        some = false;
        pid_t *all = proc_all();
        for (const pid_t *pid = all; *pid != 0; pid++) {
            if (proc_descends(*pid, getpid())) {
                kill(*pid, SIGKILL);
            }
        }
        free(all);
        pid_t ended = waitpid(-1, NULL, 0);
        some = ended > 0 || errno == EINTR;
    }
    exit(0);
}

static _Noreturn void become_command(const struct words *command, int output, pid_t parent,
                                     int result)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    signal(SIGPIPE, SIG_DFL);
    choices_forget();
    dup2(null, STDIN_FILENO);
    dup2(output >= 0 ? output : null, STDOUT_FILENO);
    if (output >= 0) {
        dup2(output, STDERR_FILENO);
    }
    execvp(command->list[0], command->list);
    int error = errno;
    ssize_t put = write(result, &error, sizeof error);
    _exit(put == (ssize_t)sizeof error ? 0 : 1);
}

pid_t held_start(struct held *held, const struct words *command, int output)
{
    int result[2], error = errno;
    pid_t parent = getpid();
    pid_t child = pipe2(result, O_CLOEXEC) == 0 ? fork() : -1;
    if (child == 0) {
        become_command(command, output, parent, result[1]);
    }
    if (child > 0) {
        close(result[1]);
        ssize_t got;
        do {
            got = read(result[0], &error, sizeof error);
        } while (got < 0 && errno == EINTR);
        close(result[0]);
        if (got != (ssize_t)sizeof error) {
            return child;
        }
        waitpid(child, NULL, 0);
    }
    held_say(held, "cannot run '%s' on %s: %s", command->list[0], held->host, strerror(error));
    return 0;
}

/* Ends with the rank: it is gone, or will be, because the process that started it is. */
static void leave_with_it(const struct held *held, const struct pollfd *polls)
{
    bool gone = polls[0].revents != 0 || proc_has_ended(held->pid);
    bool alone =
        held->launcher > 0 && (polls[1].fd >= 0 ? polls[1].revents != 0 : !has_launcher(held));
    if (alone && !gone && !held->goes_on) {
        kill(held->pid, SIGKILL);
    }
    if (gone || alone) {
        held_leave();
    }
}

/* The rank has closed its end: a debugger or SIGCONT has let it go on. */
static void read_word(struct held *held)
{
    char word;
    ssize_t got = read(STDIN_FILENO, &word, 1);
    held->goes_on = got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

int held_watch(struct held *held, pid_t child)
{
    int status;
    struct pollfd polls[] = {{.fd = held->pid_file, .events = POLLIN},
                             {.fd = held->launcher_file, .events = POLLIN},
                             {.fd = process_file(child), .events = POLLIN},
                             {.fd = STDIN_FILENO, .events = POLLIN}};
    bool looks = child > 0 || polls[0].fd < 0 || (held->launcher > 0 && polls[1].fd < 0);
    for (;;) {
        if (child > 0 && waitpid(child, &status, WNOHANG) == child) {
            break;
        }
        if (child == 0 && held->goes_on) {
            return 0;
        }
        polls[3].fd = held->goes_on ? -1 : STDIN_FILENO;
        if (poll(polls, 4, looks ? MILLISECONDS_TO_LOOK : -1) < 0) {
            continue;
        }
        leave_with_it(held, polls);
        if (polls[3].revents != 0) {
            read_word(held);
        }
    }
    if (polls[2].fd >= 0) {
        close(polls[2].fd);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
