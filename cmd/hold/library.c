/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loaded into the ranks of 'mpipp gdb -n N': waits before main() until a debugger has attached.
 *
 * MPIPP_HOLD names the folder with the rank's note, ".PID". Renaming it to "PID" says that the rank
 * waits. If MPIPP_HOLD is empty, the note is not looked for, as on another host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Processes that this one starts must not wait. Changed in place, because main's envp may be the
 * same array. */
static void forget_environment(void)
{
    unsetenv("MPIPP_HOLD");
    char *list = getenv("LD_PRELOAD");
    if (list == NULL) {
        return;
    }
    char *colon = strchr(list, ':');
    if (colon != NULL) {
        memmove(list, colon + 1, strlen(colon + 1) + 1);
    } else {
        unsetenv("LD_PRELOAD");
    }
}

static int is_traced(void)
{
    char line[256];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL) {
        return 1; /* cannot be found out: do not wait for ever */
    }
    while (fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "TracerPid: %d", &tracer) == 1) {
            break;
        }
    }
    fclose(status);
    return tracer != 0;
}

__attribute__((constructor)) static void hold(void)
{
    static char from[4096]; /* static, because the program may leave little stack */
    static char to[4096];
    const char *folder = getenv("MPIPP_HOLD");
    if (folder == NULL) {
        return;
    }
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
    int pid = (int)getpid();
    int wanted = folder[0] != '\0';
    snprintf(from, sizeof from, "%s/.%d", folder, pid);
    snprintf(to, sizeof to, "%s/%d", folder, pid);
    forget_environment();
    if (wanted && rename(from, to) != 0) {
        _exit(1); /* the job was given up */
    }

    pid_t parent = getppid();
    while (!is_traced()) {
        if (getppid() != parent) {
            _exit(1); /* the launcher is gone */
        }
        nanosleep(&(struct timespec){.tv_nsec = 20 * 1000 * 1000}, NULL);
    }
}
