/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proc.h"
#include "relay.h"
#include "say.h"
#include "watch/node.h"
#include "words.h"

enum {
    SECONDS_TO_NOTICE = 3,    /* for the launcher, to notice that its ranks are gone */
    SECONDS_FOR_LAUNCHER = 5, /* for the launcher, to end its job when told to */
    SECONDS_FOR_RANKS = 2,    /* for the ranks, to end after their launcher */
};

struct keeper {
    const char *folder;
    sigset_t signals;
    int signal_file;
    struct relay output[2]; /* the launcher's standard output and error */
    pid_t launcher;
    bool launcher_ended;
    bool childless;
    bool crashed;      /* the launcher was killed, and the ranks may still run */
    bool ranks_killed; /* the debugger has killed the ranks */
    bool finish;       /* launcher_ended, or the job must be ended */
    int status;        /* the launcher's exit status, as a shell counts it */
};

static const char *prepared;

/* Removes the folder if mpipp ends with a sentence before the keeper has taken it over. */
static void forget_folder(void)
{
    rmdir(prepared);
}

void job_prepare(struct job *job)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/') {
        place = "/tmp";
    }
    *job = (struct job){.folder = text_of("%s/mpipp-XXXXXX", place)};
    if (mkdtemp(job->folder) == NULL) {
        fail(1, "cannot make a folder in '%s': %s", place, strerror(errno));
    }
    prepared = job->folder;
    atexit(forget_folder);
}

static _Noreturn void become_launcher(char *const *command, int input, const int outputs[2],
                                      const sigset_t *signals)
{
    dup2(input, STDIN_FILENO);
    for (int i = 0; i < 2; i++) {
        if (outputs[i] >= 0) {
            dup2(outputs[i], STDOUT_FILENO + i);
        }
    }
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, signals, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(command[0], command);
    fail(errno == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN, "cannot run the launcher '%s': %s",
         command[0], strerror(errno));
}

/* Starts the launcher in a separate session, because the terminal's signals and input are for gdb. */
static void start_launcher(struct keeper *keeper, char *const *command, int input,
                           const sigset_t *signals)
{
    int outputs[2];
    for (int i = 0; i < 2; i++) {
        outputs[i] = relay_open(&keeper->output[i], STDOUT_FILENO + i);
    }
    keeper->launcher = fork();
    if (keeper->launcher == 0) {
        become_launcher(command, input, outputs, signals);
    }
    keeper->launcher_ended = keeper->finish = keeper->launcher < 0;
    for (int i = 0; i < 2; i++) {
        close(outputs[i]);
    }
}

static void reap_children(struct keeper *keeper)
{
    int status;
    pid_t pid;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        if (pid != keeper->launcher) {
            continue;
        }
        keeper->launcher_ended = keeper->finish = true;
        keeper->crashed = WIFSIGNALED(status);
        keeper->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    keeper->childless = pid < 0 && errno == ECHILD;
}

static bool is_detached(const struct keeper *keeper)
{
    char *note = text_of("%s/detached", keeper->folder);
    bool detached = access(note, F_OK) == 0;
    free(note);
    return detached;
}

/* Tells the debugger that the launcher's output is not passed on any more. */
static void note_quiet(const struct keeper *keeper)
{
    char *note = text_of("%s/quiet", keeper->folder);
    int file = open(note, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file >= 0) {
        close(file);
    }
    free(note);
}

static void take_signal(struct keeper *keeper)
{
    struct signalfd_siginfo signal;
    if (read(keeper->signal_file, &signal, sizeof signal) != (ssize_t)sizeof signal) {
        return;
    }
    if (signal.ssi_signo == SIGCHLD || is_detached(keeper)) {
        return;
    }
    keeper->finish = true;
    keeper->ranks_killed = signal.ssi_signo == SIGUSR1;
}

/* Serves the job until *DONE, or for at most SECONDS; -1: without a limit. */
static void serve_job(struct keeper *keeper, const bool *done, int seconds)
{
    time_t end = time(NULL) + seconds;
    for (;;) {
        reap_children(keeper);
        if (*done || (seconds >= 0 && time(NULL) > end)) {
            return;
        }
        struct pollfd polls[3] = {{.fd = keeper->signal_file, .events = POLLIN}};
        relay_poll(&keeper->output[0], &polls[1]);
        relay_poll(&keeper->output[1], &polls[2]);
        if (poll(polls, 3, seconds < 0 ? -1 : 50) <= 0) {
            continue;
        }
        if (polls[0].revents != 0) {
            take_signal(keeper);
        }
        relay_serve(&keeper->output[0], &polls[1]);
        relay_serve(&keeper->output[1], &polls[2]);
    }
}

/* Passes on what is left in the pipes. */
static void drain_pipe(struct keeper *keeper)
{
    for (int i = 0; i < 2; i++) {
        struct relay *relay = &keeper->output[i];
        struct pollfd wanted;
        for (;;) {
            relay_poll(relay, &wanted);
            if (wanted.fd < 0 || poll(&wanted, 1, relay->length == 0 ? 0 : 1000) <= 0) {
                break;
            }
            relay_serve(relay, &wanted);
        }
    }
}

/* Kills all descendants: processes that lose their parent become children of the keeper. */
static void kill_all(struct keeper *keeper)
{
    for (int tries = 0; tries < 200 && !keeper->childless; tries++) {
        pid_t *all = proc_all();
        for (pid_t *pid = all; *pid != 0; pid++) {
            if (proc_descends(*pid, getpid())) {
                kill(*pid, SIGKILL);
            }
        }
        free(all);
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        reap_children(keeper);
    }
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static _Noreturn void keep_job(struct keeper *keeper, char *const *command, int input,
                               pid_t debugger)
{
    sigset_t before;
    setsid();
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &keeper->signals, &before);
    keeper->signal_file = signalfd(-1, &keeper->signals, SFD_CLOEXEC | SFD_NONBLOCK);
    keeper->launcher_ended = true;
    node_make();
    if (getppid() == debugger) {
        start_launcher(keeper, command, input, &before);
    }
    serve_job(keeper, &keeper->finish, -1);
    drain_pipe(keeper);
    if (!keeper->launcher_ended) {
        keeper->output[0].quiet = keeper->output[1].quiet = true;
        note_quiet(keeper);
        if (keeper->ranks_killed) {
            serve_job(keeper, &keeper->launcher_ended, SECONDS_TO_NOTICE);
        }
        if (!keeper->launcher_ended) {
            kill(keeper->launcher, SIGTERM);
        }
        serve_job(keeper, &keeper->launcher_ended, SECONDS_FOR_LAUNCHER);
    }
    if (!keeper->crashed) {
        serve_job(keeper, &keeper->childless, SECONDS_FOR_RANKS);
    }
    drain_pipe(keeper);
    kill_all(keeper);
    nftw(keeper->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    _exit(keeper->status);
}

void job_start(struct job *job, char *const *command, const char *input)
{
    int in = open(input, O_RDONLY | O_CLOEXEC);
    if (in < 0) {
        fail(STATUS_NOT_FOUND, "cannot read '%s': %s", input, strerror(errno));
    }
    static struct keeper keeper; /* large */
    keeper = (struct keeper){.folder = job->folder, .status = 1, .finish = true};
    sigemptyset(&keeper.signals);
    sigaddset(&keeper.signals, SIGCHLD);
    sigaddset(&keeper.signals, SIGTERM);
    sigaddset(&keeper.signals, SIGUSR1);
    sigaddset(&keeper.signals, SIGINT);
    sigaddset(&keeper.signals, SIGHUP);

    pid_t debugger = getpid();
    job->keeper = fork();
    if (job->keeper == 0) {
        keep_job(&keeper, command, in, debugger);
    }
    close(in);
    if (job->keeper < 0) {
        fail(1, "cannot start '%s': %s", command[0], strerror(errno));
    }
}

bool job_ended(struct job *job, int *status)
{
    if (waitpid(job->keeper, status, WNOHANG) != job->keeper) {
        return false;
    }
    *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 1;
    return true;
}
