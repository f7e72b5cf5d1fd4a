/* SPDX-License-Identifier: BSD-3-Clause */
#include "beside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../clock.h"
#include "../words.h"

struct beside {
    pid_t process;
    int file;      /* for reading what it writes; -1 after its end */
    int64_t begun; /* in milliseconds; 0: beside_is_done() was not called yet */
    char *bytes;
    size_t length, room;
};

/* --- in the process beside ----------------------------------------------------------------- */

static json_t *take_group(const struct stacks_group *group, double seconds)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    struct stacks *stacks =
        stacks_take(group->list, group->count, &(struct stacks_options){.seconds = seconds});
    if (file == NULL) {
        return json_null();
    }
    stacks_print(stacks, file, "  ");
    fclose(file);
    json_t *missing = json_array();
    for (size_t i = 0; i < stacks_missing(stacks); i++) {
        json_array_append_new(missing, json_string(text_visible(stacks_why_missing(stacks, i))));
    }
    return json_pack("{s:o, s:o, s:s, s:o}", "lines", stacks_lines(stacks), "tree",
                     stacks_json(stacks), "text", text, "missing", missing);
}

static _Noreturn void take_all(const struct stacks_group *groups, size_t count, int file,
                               pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        json_array_append_new(all,
                              take_group(&groups[i], (double)SECONDS_FOR_STACKS / (double)count));
    }
    _exit(json_dumpfd(all, file, JSON_COMPACT) == 0 ? 0 : 1);
}

/* --- in mpipp ------------------------------------------------------------------------------ */

struct beside *beside_start(const struct stacks_group *groups, size_t count)
{
    int pipe[2];
    pid_t parent = getpid();
    if (pipe2(pipe, O_CLOEXEC) != 0) {
        return NULL;
    }
    pid_t child = fork();
    if (child == 0) {
        take_all(groups, count, pipe[1], parent);
    }
    close(pipe[1]);
    if (child < 0) {
        close(pipe[0]);
        return NULL;
    }
    struct beside *beside = zeroed(1, sizeof *beside);
    *beside = (struct beside){.process = child, .file = pipe[0]};
    fcntl(pipe[0], F_SETFL, O_NONBLOCK);
    return beside;
}

static bool make_room(struct beside *beside)
{
    enum { ROOM = 65536 };
    if (beside->room - beside->length >= ROOM) {
        return true;
    }
    char *longer = realloc(beside->bytes, 2 * beside->room + ROOM);
    if (longer == NULL) {
        return false;
    }
    beside->bytes = longer;
    beside->room = 2 * beside->room + ROOM;
    return true;
}

bool beside_is_done(struct beside *beside, int64_t now)
{
    if (beside->begun == 0) {
        beside->begun = now;
    }
    while (beside->file >= 0 && make_room(beside)) {
        ssize_t got =
            read(beside->file, beside->bytes + beside->length, beside->room - beside->length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EAGAIN) {
            return now - beside->begun >= SECONDS_FOR_ALL * 1000;
        }
        if (got > 0) {
            beside->length += (size_t)got;
            continue;
        }
        close(beside->file);
        beside->file = -1;
    }
    return true;
}

int beside_file(const struct beside *beside)
{
    return beside->file;
}

void beside_wait(struct beside *beside)
{
    enum { MILLISECONDS = 100 };
    beside->begun = beside->begun != 0 ? beside->begun : clock_ms();
    while (!beside_is_done(beside, clock_ms())) {
        poll(&(struct pollfd){.fd = beside->file, .events = POLLIN}, 1, MILLISECONDS);
    }
}

char *beside_text(const json_t *taken)
{
    const char *stacks = json_string_value(json_object_get(taken, "text"));
    const json_t *sentence;
    size_t i;
    char *text =
        text_of("mpipp: their stacks%s\n%s", taken == NULL ? " could not be taken in time" : "",
                stacks != NULL ? stacks : "");
    json_array_foreach(json_object_get(taken, "missing"), i, sentence)
    {
        char *longer = text_of("%s  no stack  %s\n", text, json_string_value(sentence));
        free(text);
        text = longer;
    }
    return text;
}

json_t *beside_end(struct beside *beside)
{
    bool is_whole = beside->file < 0;
    json_t *all = is_whole ? json_loadb(beside->bytes, beside->length, 0, NULL) : NULL;
    if (!is_whole) {
        kill(beside->process, SIGKILL);
        close(beside->file);
    }
    waitpid(beside->process, NULL, 0);
    free(beside->bytes);
    free(beside);
    return all;
}
