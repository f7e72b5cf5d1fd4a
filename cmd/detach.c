/* SPDX-License-Identifier: BSD-3-Clause */
#include "detach.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST_FILES = 65536 };

static void close_others(int file)
{
    const int null = open("/dev/null", O_RDWR);
    for (int standard = 0; standard <= 2 && null >= 0; standard++) {
        dup2(null, standard);
    }
    for (int other = 3, most = (int)sysconf(_SC_OPEN_MAX); other < most && other < MOST_FILES;
         other++) {
        if (other != file) {
            close(other);
        }
    }
}

void detach(int file, const char *name)
{
    close_others(file);
    setsid();
    if (chdir("/") != 0) {
        _exit(1);
    }
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    prctl(PR_SET_NAME, name);
}
