/* SPDX-License-Identifier: BSD-3-Clause */
#include "traceable.h"

#include <errno.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proc.h"
#include "say.h"
#include "words.h"

static const char *user_name(uid_t user)
{
    struct passwd *entry = getpwuid(user);
    return entry == NULL ? text_of("user %u", (unsigned)user) : entry->pw_name;
}

/* Returns true if a debugger may trace PID. Seizing it stops nothing, and ends with the child that
 * does it. */
static bool may_trace(pid_t pid)
{
    pid_t child = fork();
    if (child < 0) {
        return true; /* gdb will report an error */
    }
    if (child == 0) {
        _exit(ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 ? 0 : 1);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        /* again */
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Returns Yama's setting; 0 if there is none. */
static int ptrace_scope(void)
{
    int scope = 0;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
    if (file == NULL) {
        return 0;
    }
    if (fscanf(file, "%d", &scope) != 1) {
        scope = 0;
    }
    fclose(file);
    return scope;
}

static const char *why_forbidden(pid_t pid)
{
    switch (ptrace_scope()) {
    case 0:
        return text_of("process %d cannot be traced: the kernel does not permit it; a container "
                       "has to be started with '--cap-add=SYS_PTRACE'",
                       (int)pid);
    case 3:
        return text_of("process %d cannot be traced: the kernel's ptrace_scope is 3, which "
                       "only a reboot changes",
                       (int)pid);
    default:
        return text_of("process %d cannot be traced: the kernel's ptrace_scope is %d: root can "
                       "change that by 'sysctl kernel.yama.ptrace_scope=0'",
                       (int)pid, ptrace_scope());
    }
}

const char *traceable_why_not(pid_t pid, int *status)
{
    *status = STATUS_NOT_FOUND;
    if (kill(pid, 0) != 0 && errno == ESRCH) {
        return text_of("no process has the PID %d", (int)pid);
    }
    *status = STATUS_CANNOT_RUN;
    uid_t owner = (uid_t)proc_status(pid, "Uid");
    if (geteuid() != 0 && owner != geteuid()) {
        return text_of("process %d belongs to '%s', not to you", (int)pid, user_name(owner));
    }
    pid_t tracer = (pid_t)proc_status(pid, "TracerPid");
    if (tracer > 0) {
        return text_of("process %d is in a debugger already: process %d", (int)pid, (int)tracer);
    }
    char *program = proc_program(pid);
    if (program == NULL && proc_status(pid, "VmSize") < 0) {
        return text_of("process %d has ended, and waits for its parent", (int)pid);
    }
    return may_trace(pid) ? NULL : why_forbidden(pid);
}
