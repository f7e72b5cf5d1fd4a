/* SPDX-License-Identifier: BSD-3-Clause */
#include "processor.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../proc.h"

/* Reads a short file of /proc/PID as text. Returns false if it cannot be read. */
static bool read_short(pid_t pid, const char *name, char *text, size_t room)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, text, room - 1);
    if (file >= 0) {
        close(file);
    }
    text[got > 0 ? got : 0] = '\0';
    return got > 0;
}

/* Reads for how many nanoseconds the main thread has had a processor, and has waited for one. Zeros: the
 * kernel does not say. */
static void read_times(pid_t pid, unsigned long long *ran, unsigned long long *waited)
{
    char text[128];
    if (!read_short(pid, "schedstat", text, sizeof text) ||
        sscanf(text, "%llu %llu", ran, waited) != 2) {
        *ran = *waited = 0;
    }
}

/* Returns false if the process has ended. */
static bool read_state(pid_t pid, char *letter, unsigned long long *used)
{
    char text[1024];
    unsigned long long user = 0, system = 0;
    const char *rest = read_short(pid, "stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    bool found =
        rest != NULL && sscanf(rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
                               letter, &user, &system) == 3;
    *used = user + system;
    return found && ((*letter != 'Z' && *letter != 'X') || !proc_has_ended(pid));
}

bool processor_check(struct processor *processor, pid_t pid)
{
    char letter = 'R';
    unsigned long long used;
    const bool is_there = read_state(pid, &letter, &used);
    processor->is_stopped = is_there && (letter == 'T' || letter == 't');
    return is_there;
}

bool processor_look(struct processor *processor, pid_t pid)
{
    const struct processor before = *processor;
    unsigned long long ran, waited;
    read_times(pid, &ran, &waited);
    *processor = (struct processor){.letter = 'R', .ran = ran, .wanted = ran + waited};
    if (ran != 0 && ran != before.ran) {
        return true;
    }
    if (!read_state(pid, &processor->letter, &processor->used)) {
        return false;
    }
    processor->is_stopped = processor->letter == 'T' || processor->letter == 't';
    processor->is_starved =
        processor->letter == 'R' && (ran != 0 || processor->used == before.used);
    return true;
}

unsigned long long processor_time(pid_t pid)
{
    unsigned long long ran, waited, ticks;
    char letter;
    read_times(pid, &ran, &waited);
    if (ran == 0 && read_state(pid, &letter, &ticks)) {
        ran = ticks * (1000000000 / (unsigned long long)sysconf(_SC_CLK_TCK));
    }
    return ran;
}

bool processor_had_time(pid_t pid, unsigned long long then)
{
    enum { ENOUGH = 1000000 }; /* nanoseconds: MPI looks for messages some hundred times in it */
    char letter;
    unsigned long long ticks;
    return processor_time(pid) >= then + ENOUGH ||
           (read_state(pid, &letter, &ticks) && letter == 'S');
}
