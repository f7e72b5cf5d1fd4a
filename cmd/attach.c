/*
 * mpipp attach: becomes gdb with the plugin, attached to a process here or on another host.
 *
 *     mpipp attach -q 1234
 *  →  gdb -iex 'source .../mpipp-gdb.py' -q -p 1234
 *     mpipp attach -q node7:1234
 *  →  gdb -iex 'source .../mpipp-gdb.py' -q -ex 'target remote | ssh node7 gdbserver ...'
 */
#include "commands.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "debugger.h"
#include "options.h"
#include "proc.h"
#include "say.h"
#include "words.h"

static bool is_pid(const char *text)
{
    return text[0] != '\0' && strlen(text) < 10 && strspn(text, "0123456789") == strlen(text) &&
           strtol(text, NULL, 10) > 0;
}

static const char *user_name(uid_t user)
{
    struct passwd *entry = getpwuid(user);
    return entry == NULL ? text_of("user %u", (unsigned)user) : entry->pw_name;
}

/* Whether a debugger may trace PID. Seizing stops nothing, and ends with the child that does it. */
static bool may_trace(pid_t pid)
{
    pid_t child = fork();
    if (child < 0)
        return true; /* gdb will find out */
    if (child == 0)
        _exit(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 0 : 1);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Yama's setting: 0 if there is none. */
static int ptrace_scope(void)
{
    int scope = 0;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &scope) != 1)
        scope = 0;
    fclose(file);
    return scope;
}

static void require_traceable(pid_t pid)
{
    if (kill(pid, 0) != 0 && errno == ESRCH)
        fail(STATUS_NOT_FOUND, "no process has the PID %d", (int)pid);
    uid_t owner = (uid_t)proc_status(pid, "Uid");
    if (geteuid() != 0 && owner != geteuid())
        fail(STATUS_CANNOT_RUN, "process %d belongs to '%s', not to you", (int)pid,
             user_name(owner));
    pid_t tracer = (pid_t)proc_status(pid, "TracerPid");
    if (tracer > 0)
        fail(STATUS_CANNOT_RUN, "process %d is in a debugger already: process %d", (int)pid,
             (int)tracer);
    char *program = proc_program(pid);
    if (program == NULL && proc_status(pid, "VmSize") < 0)
        fail(STATUS_CANNOT_RUN, "process %d has ended, and waits for its parent", (int)pid);
    if (may_trace(pid))
        return;
    switch (ptrace_scope()) {
    case 0:
        fail(STATUS_CANNOT_RUN, "process %d cannot be traced: the kernel does not permit it",
             (int)pid);
    case 3:
        fail(STATUS_CANNOT_RUN,
             "process %d cannot be traced: the kernel's ptrace_scope is 3, which "
             "only a reboot changes",
             (int)pid);
    default:
        fail(
            STATUS_CANNOT_RUN,
            "process %d cannot be traced: the kernel's ptrace_scope is %d: root can change that by "
            "'sysctl kernel.yama.ptrace_scope=0'",
            (int)pid, ptrace_scope());
    }
}

/* HOST comes to stand in a command line of sh and of ssh. */
static bool is_host(const char *host)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789.-_@:%";
    return host[0] != '\0' && host[0] != '-' && strspn(host, letters) == strlen(host);
}

static void add_remote(struct words *command, const char *host, const char *pid)
{
    const char *ssh = getenv("MPIPP_SSH");
    if (ssh == NULL || ssh[0] == '\0')
        ssh = "ssh";
    if (host[0] == '[' && host[strlen(host) - 1] == ']')
        host = text_of("%.*s", (int)strlen(host) - 2, host + 1);
    if (!is_host(host))
        fail(STATUS_USAGE, "'%s' is not the name of a host", host);
    debugger_call(command, "ranks_attach",
                  text_of("remote(%s, %s, %s)", debugger_bytes(ssh), debugger_bytes(host), pid));
}

int command_attach(char *const *words)
{
    const char *gdb = debugger_default();
    struct words options = {0};
    if (*words != NULL && strcmp(*words, "--help") == 0)
        return command_help((char *[]){"attach", NULL});
    for (; *words != NULL && (*words)[0] == '-'; words++) {
        if (!option_take(&words, "gdb", &gdb))
            debugger_take_option(&options, &words);
    }
    if (*words == NULL)
        fail(STATUS_USAGE, "no process given to 'mpipp attach': PID or HOST:PID");
    if (words[1] != NULL)
        fail(STATUS_USAGE, "'mpipp attach' takes one process: '%s' is too much", words[1]);

    const char *colon = strrchr(*words, ':');
    const char *pid = colon == NULL ? *words : colon + 1;
    if (!is_pid(pid))
        fail(STATUS_USAGE, "'%s' is neither a PID nor HOST:PID", *words);
    if (colon == NULL)
        require_traceable((pid_t)strtol(pid, NULL, 10));
    debugger_require(gdb);

    struct words command = {0};
    debugger_begin(&command, gdb);
    if (colon != NULL)
        add_remote(&command, text_of("%.*s", (int)(colon - *words), *words), pid);
    else
        debugger_call(&command, "ranks_attach", text_of("local(%s)", pid));
    words_add_all(&command, options.list);
    debugger_become(&command);
}
