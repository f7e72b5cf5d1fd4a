/* SPDX-License-Identifier: BSD-3-Clause */
#include "watch.h"

#include "../words.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../child.h"
#include "../clock.h"
#include "../inquiry/inquiry.h"
#include "../options.h"
#include "../proc.h"
#include "report/sink.h"
#include "../nodes/nodes.h"
#include "../say.h"
#include "../stacks/beside.h"
#include "../tree.h"
#include "../watch/circles.h"
#include "../watch/hangs.h"
#include "../watch/left.h"
#include "../watch/node.h"
#include "../watch/terminal.h"
#include "files.h"
#include "gather.h"
#include "overdue.h"
#include "print.h"
#include "reporter.h"
#include "skip.h"
#include "tagged.h"

enum {
    MILLISECONDS_TO_LOOK = 200,    /* interval if the system does not report new records */
    MILLISECONDS_FOR_OUTPUT = 200, /* for the program, to end a line of standard output before
                                      errors break it */
};

struct watch {
    struct choices *choices;
    struct findings findings;
    struct gather *gather;
    struct files *files;
    struct reporter *reporter;
    struct tagged tagged;
    int errors; /* the launcher's standard error; -1: it has ended */
    /* Its standard output, if that goes to the same file as standard error; else -1. */
    int output;
    bool output_open;   /* its last line has no end yet */
    int64_t output_due; /* wait for its end until then, in milliseconds */
    int signals;
    sigset_t mask; /* the signal mask for commands */
    pid_t launcher;
    bool ended;
    struct overdue overdue;
    struct hangs *hangs;
    struct circles *circles;
    struct inquiry *inquiry;   /* NULL: the job has one node */
    struct job_stacks *stacks; /* of a snapshot; NULL: none are being taken */
    struct terminal terminal;  /* for gdb, with --on-hang=gdb */
    bool ended_by_hang;        /* we ended the job, because of an error of the watch */
    bool killed;               /* we killed the launcher */
    int status;                /* its status, from wait() */
    bool unwritten;            /* a report, or the suppressions, could not be written */
};

static void take_record(void *context, const char *key, const char *line, size_t length)
{
    findings_line(context, key, line, length);
}

struct watch *watch_open(struct choices *choices)
{
    struct watch *watch = zeroed(1, sizeof *watch);
    watch->choices = choices;
    watch->output = -1;
    watch->findings.least = choices->least != 0 ? choices->least : ST_SEVERITY_WARNING;
    watch->tagged.line = take_record;
    watch->tagged.context = &watch->findings;
    for (size_t i = 0; i < choices->suppressions.count; i++) {
        suppressions_read(&watch->findings.suppressions, choices->suppressions.list[i]);
    }
    watch->findings.most = choices_most();
    skip_prepare(option_callers() != NULL);
    watch->gather = gather_open(&watch->findings);
    node_make();
    watch->hangs = hangs_new(&choices->hang, choices_synchronous());
    watch->circles = circles_new();
    st_sink_nonce(getenv(REPORTS_VARIABLE), watch->tagged.nonce);
    return watch;
}

/* Returns true if the two streams are one file, so that their lines could break each other. A
 * terminal must stay the program's. */
static bool is_one_file(void)
{
    struct stat output, errors;
    return fstat(STDOUT_FILENO, &output) == 0 && fstat(STDERR_FILENO, &errors) == 0 &&
           output.st_dev == errors.st_dev && output.st_ino == errors.st_ino &&
           !isatty(STDOUT_FILENO) && !S_ISCHR(output.st_mode);
}

static _Noreturn void become_command(char *const *command, int output, int errors, int result,
                                     const sigset_t *signals)
{
    if (output >= 0) {
        dup2(output, STDOUT_FILENO);
    }
    dup2(errors, STDERR_FILENO);
    sigprocmask(SIG_SETMASK, signals, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    execvp(command[0], command);
    int error = errno;
    ssize_t put = write(result, &error, sizeof error);
    _exit(put == (ssize_t)sizeof error ? 0 : 1);
}

/* Ends mpipp if COMMAND cannot be run. */
static void start_command(struct watch *watch, char *const *command, const sigset_t *signals)
{
    int output[2] = {-1, -1}, errors[2], result[2], error = 0;
    if ((is_one_file() && pipe2(output, O_CLOEXEC) != 0) || pipe2(errors, O_CLOEXEC) != 0 ||
        pipe2(result, O_CLOEXEC) != 0) {
        fail(1, "cannot make a pipe: %s", strerror(errno));
    }
    watch->launcher = fork();
    if (watch->launcher < 0) {
        fail(1, "cannot start '%s': %s", command[0], strerror(errno));
    }
    if (watch->launcher == 0) {
        become_command(command, output[1], errors[1], result[1], signals);
    }
    if (output[1] >= 0) {
        close(output[1]);
    }
    close(errors[1]);
    close(result[1]);
    if (child_has_failed(result[0], &error)) {
        fail(error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN,
             "cannot run the launcher '%s': %s", command[0], strerror(error));
    }
    fcntl(errors[0], F_SETFL, O_NONBLOCK);
    watch->errors = errors[0];
    watch->output = output[0];
    if (output[0] >= 0) {
        fcntl(output[0], F_SETFL, O_NONBLOCK);
    }
}

static void take_gdb(struct watch *watch, int status);

static void say_states(struct watch *watch, char *text)
{
    reporter_say(watch->reporter, text);
    free(text);
}

/* Prints the stacks of a snapshot when they have been taken. */
static void say_stacks(struct watch *watch)
{
    if (watch->stacks == NULL || !job_stacks_are_done(watch->stacks, clock_ms())) {
        return;
    }
    json_t *taken = job_stacks_end(watch->stacks);
    watch->stacks = NULL;
    say_states(watch, beside_text(json_array_get(taken, 0)));
    json_decref(taken);
}

/* Prints the calls that the ranks are in, and later their stacks. */
static void take_snapshot(struct watch *watch)
{
    say_states(watch, hangs_snapshot(watch->hangs, &watch->findings, clock_ms()));
    if (watch->stacks == NULL) {
        watch->stacks = hangs_stacks(watch->hangs);
    }
}

/* Does the same before a signal that ends the ranks. */
static void take_last_snapshot(struct watch *watch)
{
    take_snapshot(watch);
    if (watch->stacks == NULL) {
        return;
    }
    job_stacks_wait(watch->stacks);
    say_stacks(watch);
}

/* Passes signals on; those of the terminal reach the launcher anyway. */
static void take_signal(struct watch *watch)
{
    struct signalfd_siginfo signal;
    if (read(watch->signals, &signal, sizeof signal) != (ssize_t)sizeof signal) {
        return;
    }
    if (signal.ssi_signo == SIGCHLD) {
        int status;
        pid_t child;
        while ((child = waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0) {
            if (child == watch->terminal.command) {
                take_gdb(watch, status);
            }
            if (child == watch->launcher && !WIFSTOPPED(status)) {
                watch->ended = true;
                watch->status = status;
            }
        }
    } else if (signal.ssi_signo == SIGUSR1) {
        take_snapshot(watch);
    } else if (signal.ssi_code != SI_KERNEL) {
        if (signal.ssi_signo == SIGTERM) {
            take_last_snapshot(watch);
        }
        kill(watch->launcher, (int)signal.ssi_signo);
        if (watch->terminal.command != 0) { /* the launcher may be stopped meanwhile */
            kill(watch->launcher, SIGCONT);
        }
    }
    if (signal.ssi_signo == SIGTERM || signal.ssi_signo == SIGINT || signal.ssi_signo == SIGHUP) {
        overdue_told(&watch->overdue, (int)signal.ssi_signo, clock_ms());
        if (watch->terminal.command != 0) {
            kill(watch->terminal.command, SIGTERM);
        }
    }
}

static void end_job(struct watch *watch)
{
    if (watch->ended_by_hang) {
        return;
    }
    watch->ended_by_hang = true;
    warn("the job is ended: it can never go on");
    kill(watch->launcher, SIGTERM);
    overdue_told(&watch->overdue, SIGTERM, clock_ms());
}

/* Returns true if the kernel does not stop the launcher when it reads from the terminal that gdb has: its read fails,
 * and some end the job then. That is so if it ignores SIGTTIN, as MPICH's does, and if its process group is that of the
 * session's first process, as under 'xterm -e' (POSIX: an orphaned process group). */
static bool reads_in_background(pid_t launcher)
{
    return proc_ignores(launcher, SIGTTIN) || getpgrp() == getsid(0);
}

/* Answers what is asked about the ranks. */
static json_t *answer_question(void *context, const char *question)
{
    struct watch *watch = context;
    if (strcmp(question, INQUIRY_RANKS) == 0) {
        return hangs_ranks(watch->hangs, &watch->findings, clock_ms());
    }
    if (strcmp(question, INQUIRY_DEADLOCKS) == 0) {
        return hangs_deadlocks(watch->hangs, &watch->findings, clock_ms());
    }
    return json_null();
}

/* Starts one gdb at a time: ranks that hang meanwhile are in the reports. */
static void open_gdb(struct watch *watch)
{
    const struct words *attach = hangs_attach(watch->hangs);
    struct words command = {0};
    if (watch->terminal.command != 0) {
        return;
    }
    words_add(&command, tree_executable());
    words_add_all(&command, attach->list + 1);
    const bool stops = reads_in_background(watch->launcher);
    if (stops) {
        kill(watch->launcher, SIGSTOP);
    }
    const char *why = terminal_open(&watch->terminal, command.list, &watch->mask);
    if (why != NULL && stops) {
        kill(watch->launcher, SIGCONT);
    }
    if (why != NULL) {
        warn("'--on-hang=gdb': %s; '%s' looks at the ranks", why, words_join(attach));
    }
}

/* gdb has ended, or was stopped by Ctrl-Z, although no shell waits for it. */
static void take_gdb(struct watch *watch, int status)
{
    if (WIFSTOPPED(status)) {
        kill(-watch->terminal.command, SIGCONT);
        return;
    }
    terminal_close(&watch->terminal);
    if (watch->ended) {
        return;
    }
    kill(watch->launcher, SIGCONT);
    warn("gdb has ended; the job is still there: 'kill %d' ends it", (int)getpid());
}

/* Reports ranks that can never go on, and does what --on-hang says. While the ranks of an ended job end, one after the
 * other, those that are left wait for the others: that is no news. */
static void look_for_hangs(struct watch *watch)
{
    if (watch->ended_by_hang || !hangs_step(watch->hangs, &watch->findings, clock_ms())) {
        return;
    }
    reporter_print(watch->reporter, true);
    switch (hang_choice_follows(&watch->choices->hang, watch->choices->fail_on != 0)) {
    case ON_HANG_END:
        end_job(watch);
        break;
    case ON_HANG_GDB:
        open_gdb(watch);
        break;
    case ON_HANG_WAIT:
        warn("the job stays as it is: '%s' looks at the ranks, 'kill %d' ends the job",
             words_join(hangs_attach(watch->hangs)), (int)getpid());
        break;
    case ON_HANG_UNSAID:
    case ON_HANG_REPORT:
        break;
    }
}

/* Kills, once, a launcher whose time is over. */
static void look_after_launcher(struct watch *watch)
{
    if (watch->killed || watch->ended) {
        return;
    }
    const int64_t now = clock_ms();
    const bool is_alone =
        overdue_is(&watch->overdue, &watch->findings, watch->launcher, now);
    if (!is_alone && !overdue_is_deaf(&watch->overdue, watch->launcher, now)) {
        return;
    }
    watch->killed = true;
    overdue_kill(&watch->findings, watch->launcher);
    char *sentence = overdue_sentence(&watch->overdue, &watch->findings, !is_alone);
    warn("%s", sentence);
    free(sentence);
}

/* Returns false if there is nothing more to read now. */
static bool pass_errors(struct watch *watch)
{
    static char bytes[16384], out[sizeof bytes + sizeof watch->tagged.held];
    ssize_t got = read(watch->errors, bytes, sizeof bytes);
    if (got > 0) {
        reporter_pass(watch->reporter, out, tagged_filter(&watch->tagged, bytes, (size_t)got, out));
        return true;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close(watch->errors);
        watch->errors = -1;
    }
    return false;
}

/* Passes standard output on at once. Returns false if there is nothing more to read now. */
static bool pass_output(struct watch *watch)
{
    static char bytes[16384];
    ssize_t got = read(watch->output, bytes, sizeof bytes);
    if (got > 0 && reporter_write(STDOUT_FILENO, bytes, (size_t)got)) {
        watch->output_open = bytes[got - 1] != '\n';
        watch->output_due = clock_ms() + MILLISECONDS_FOR_OUTPUT;
        return true;
    }
    /* If nobody reads it any more, the launcher must notice. */
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) {
        close(watch->output);
        watch->output = -1;
    }
    return false;
}

/* Returns how long errors and reports wait for the end of a line of standard output; 0: they need
 * not wait. */
static int wait_for_output(const struct watch *watch)
{
    int64_t left = watch->output_open ? watch->output_due - clock_ms() : 0;
    return left > 0 ? (int)left : 0;
}

static int shorter(int timeout, int other)
{
    return timeout < 0 || (other >= 0 && other < timeout) ? other : timeout;
}

static void serve_watch(struct watch *watch)
{
    while (!watch->ended || watch->terminal.command != 0) {
        struct pollfd polls[] = {
            {.fd = watch->signals, .events = POLLIN},
            {.fd = watch->errors, .events = POLLIN},
            {.fd = gather_file(watch->gather), .events = POLLIN},
            {.fd = watch->output, .events = POLLIN},
            {.fd = hangs_file(watch->hangs), .events = POLLIN},
            {.fd = nodes_file(), .events = POLLIN},
            {.fd = inquiry_file(watch->inquiry), .events = POLLIN},
            {.fd = watch->stacks != NULL ? job_stacks_file(watch->stacks) : -1, .events = POLLIN}};
        int timeout = reporter_wait(watch->reporter);
        int wait = wait_for_output(watch);
        if (wait > 0) {
            polls[1].fd = -1;
            timeout = wait;
        }
        /* Two streams to one file: if a line of errors is open, it must end first. */
        int open = reporter_line_wait(watch->reporter);
        if (wait == 0 && open > 0 && watch->errors >= 0 && watch->output >= 0) {
            polls[3].fd = -1;
            timeout = shorter(timeout, open);
        }
        timeout = shorter(timeout, MILLISECONDS_TO_LOOK_AGAIN);
        timeout = shorter(timeout, circles_wait(watch->circles, clock_ms()));
        timeout = shorter(timeout, nodes_wait());
        timeout = shorter(timeout, inquiry_wait(watch->inquiry));
        if (polls[2].fd < 0) {
            timeout = shorter(timeout, MILLISECONDS_TO_LOOK);
        }
        if (poll(polls, sizeof polls / sizeof polls[0], timeout) < 0 && errno != EINTR) {
            break;
        }
        if (polls[0].revents != 0) {
            take_signal(watch);
        }
        if (polls[3].revents != 0) {
            pass_output(watch);
        }
        if (polls[1].revents != 0 && wait_for_output(watch) == 0) {
            pass_errors(watch);
        }
        gather_read(watch->gather);
        nodes_step(&watch->findings, clock_ms());
        look_for_hangs(watch);
        inquiry_step(watch->inquiry, polls[6].revents != 0, answer_question, watch, clock_ms());
        circles_step(watch->circles, &watch->findings, clock_ms());
        say_stacks(watch);
        look_after_launcher(watch);
        if (wait_for_output(watch) == 0) {
            reporter_print(watch->reporter, false);
        }
    }
}

/* Adds disagreements that no rank lived long enough to compare. */
static void add_left(struct findings *findings)
{
    json_t *records = left_compare(), *record;
    size_t i;
    json_array_foreach(records, i, record)
    {
        const json_int_t pid = facts_number(record, "pid"), rank = facts_number(record, "rank");
        for (size_t k = 0; k < findings->process_count; k++) {
            if (findings->processes[k]->pid == pid && findings->processes[k]->rank == rank) {
                char *line = json_dumps(record, JSON_COMPACT);
                findings_line(findings, findings->processes[k]->key, line, strlen(line));
                free(line);
                break;
            }
        }
    }
    json_decref(records);
}

static void finish_watch(struct watch *watch)
{
    char out[sizeof watch->tagged.held];
    inquiry_close(watch->inquiry);
    while (watch->output >= 0 && pass_output(watch))
        ;
    if (watch->output_open) {
        reporter_break(watch->reporter);
    }
    while (watch->errors >= 0 && pass_errors(watch))
        ;
    reporter_pass(watch->reporter, out, tagged_finish(&watch->tagged, out));
    gather_all(watch->gather);
    if (watch->stacks != NULL) {
        json_decref(job_stacks_end(watch->stacks));
    }
    watch->findings.damaged += watch->tagged.lost;
    hangs_finish(watch->hangs, &watch->findings);
    nodes_finish(&watch->findings);
    add_left(&watch->findings);
    circles_finish(watch->circles, &watch->findings);
    watch->findings.last_states = hangs_last(watch->hangs);
    nodes_close(&watch->findings);
    reporter_finish(watch->reporter);
    watch->unwritten = !files_write(watch->files, &watch->findings);
    if (watch->choices->generate &&
        !reporter_suppressions(watch->reporter, watch->choices->generated)) {
        watch->unwritten = true;
    }
}

/* True with --fail-on, if a signal that was sent to mpipp has ended ranks before their end. MPICH's
 * mpiexec ends with status 0 then, as if all were well. */
static bool was_cut_short(const struct watch *watch)
{
    return watch->choices->fail_on != 0 && watch->overdue.signal != 0 &&
           !findings_are_whole(&watch->findings);
}

/* Ends like the launcher, unless there is something else to report to the user. */
static _Noreturn void end_watch(const struct watch *watch)
{
    if (watch->unwritten) {
        exit(STATUS_UNWRITTEN);
    }
    enum st_severity worst = watch->choices->fail_on;
    if (watch->ended_by_hang) {
        exit(STATUS_FINDINGS);
    }
    if (worst != 0) {
        size_t count = findings_count(&watch->findings, ST_SEVERITY_ERROR);
        if (worst == ST_SEVERITY_WARNING) {
            count += findings_count(&watch->findings, ST_SEVERITY_WARNING);
        }
        if (count != 0) {
            exit(STATUS_FINDINGS);
        }
    }
    if (!WIFSIGNALED(watch->status)) {
        const int status = WEXITSTATUS(watch->status);
        exit(status == 0 && was_cut_short(watch) ? 128 + watch->overdue.signal : status);
    }
    int number = WTERMSIG(watch->status), status;
    if (watch->killed && watch->overdue.signal == 0) {
        exit(findings_status(&watch->findings, &status) ? status : 128 + number);
    }
    if (watch->killed) {
        number = watch->overdue.signal;
    }
    gather_close(watch->gather);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0});
    signal(number, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + number);
}

_Noreturn void watch_run(struct watch *watch, char *const *command)
{
    static const int numbers[] = {SIGCHLD, SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    sigset_t watched, before;
    watch->files = files_open(&watch->choices->files);
    watch->reporter = reporter_new(&watch->findings, choices_hold());
    sigemptyset(&watched);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        sigaddset(&watched, numbers[i]);
    }
    sigprocmask(SIG_BLOCK, &watched, &before);
    watch->signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    watch->mask = before;
    start_command(watch, command, &before);
    signal(SIGPIPE, SIG_IGN);
    watch->inquiry = nodes_are_open() ? inquiry_open(gather_folder(watch->gather)) : NULL;
    if (watch->inquiry != NULL) {
        hangs_answers(watch->hangs);
    }
    serve_watch(watch);
    finish_watch(watch);
    end_watch(watch);
}
