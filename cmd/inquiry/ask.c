/* SPDX-License-Identifier: BSD-3-Clause */
#include "ask.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../clock.h"
#include "../proc.h"
#include "../words.h"

enum {
    PATIENCE = 9000, /* milliseconds for an answer: it may wait for agents, some 2 s each time */
    MOST_ANSWER = 256 << 20, /* bytes */
    FOLDER_NAME = 4096
};

/* --- the way to it --------------------------------------------------------------------------------- */

/* Writes the path of the socket in the folder that is open as NAME, if there is one. */
static bool is_socket_of(pid_t run, const char *name, char *path, size_t room)
{
    char link[64], folder[FOLDER_NAME];
    struct stat status;
    snprintf(link, sizeof link, "/proc/%d/fd/%.20s", (int)run, name);
    const ssize_t length = readlink(link, folder, sizeof folder - 1);
    if (length <= 0) {
        return false;
    }
    folder[length] = '\0';
    return text_begins(text_base_name(folder), "mpipp-") &&
           snprintf(path, room, "%s/" INQUIRY_SOCKET, link) < (int)room &&
           lstat(path, &status) == 0 && S_ISSOCK(status.st_mode);
}

/* Finds the socket among what the process has open. So its folder can be anywhere, also in another name
 * space. */
static bool find_socket(pid_t run, struct sockaddr_un *address)
{
    bool found = false;
    char *path = text_of("/proc/%d/fd", (int)run);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    DIR *folder = proc_status(run, "Uid") == (long)geteuid() ? opendir(path) : NULL;
    free(path);
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;) {
        found = entry->d_name[0] != '.' &&
                is_socket_of(run, entry->d_name, address->sun_path, sizeof address->sun_path);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    return found;
}

bool inquiry_is_open(pid_t run)
{
    struct sockaddr_un address;
    return find_socket(run, &address);
}

static bool is_of_user(int file)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(file, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == geteuid();
}

/* --- question and answer --------------------------------------------------------------------------- */

static bool send_question(int file, const char *question)
{
    json_t *object = json_pack("{s:i, s:s, s:s}", "inquiry", INQUIRY_VERSION, "version",
                               MPIPP_VERSION, "ask", question);
    char *text = json_dumps(object, JSON_COMPACT);
    char *line = text_of("%s\n", text != NULL ? text : "");
    const bool sent = send(file, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line);
    json_decref(object);
    free(text);
    free(line);
    return sent;
}

/* Reads to the end. Returns NULL if that does not come in time, or if there is nothing. */
static char *read_all(int file, int64_t due, size_t *length)
{
    char *bytes = NULL;
    size_t room = 0;
    *length = 0;
    for (int64_t now = clock_ms(); now < due; now = clock_ms()) {
        struct pollfd poll_one = {.fd = file, .events = POLLIN};
        if (*length == room) {
            char *longer = room < MOST_ANSWER ? realloc(bytes, room = 2 * room + 4096) : NULL;
            if (longer == NULL) {
                break;
            }
            bytes = longer;
        }
        if (poll(&poll_one, 1, (int)(due - now)) <= 0) {
            continue;
        }
        const ssize_t got = recv(file, bytes + *length, room - *length, 0);
        if (got == 0 && *length != 0) {
            return bytes;
        }
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
            break;
        }
        *length += got > 0 ? (size_t)got : 0;
    }
    free(bytes);
    return NULL;
}

static json_t *read_answer(int file, int64_t due)
{
    size_t length;
    char *bytes = read_all(file, due, &length);
    json_t *object = bytes != NULL ? json_loadb(bytes, length, 0, NULL) : NULL;
    free(bytes);
    return object;
}

/* Why there is no answer. */
static char *why_none(pid_t run)
{
    const char state = proc_state(run);
    if (state == '\0' || state == 'Z') {
        return text_of("the job has ended");
    }
    return text_of("'mpipp run' (process %d) %s: what runs on other nodes is not known", (int)run,
                   state == 'T' || state == 't' ? "is stopped, and answers nothing"
                                                : "does not answer");
}

static json_t *take_answer(pid_t run, json_t *object, char **why)
{
    json_t *answer = json_object_get(object, "answer");
    const char *version = json_string_value(json_object_get(object, "version"));
    if (answer == NULL && version != NULL) {
        char *visible = text_visible(version);
        *why = text_of(
            "'mpipp run' (process %d) is of mpipp %s, this is %s: what runs on other nodes is "
            "shown by that one only",
            (int)run, visible, MPIPP_VERSION);
        free(visible);
    } else if (answer == NULL) {
        *why = why_none(run);
    }
    json_incref(answer);
    json_decref(object);
    return answer;
}

json_t *inquiry_ask(pid_t run, const char *question, char **why)
{
    struct sockaddr_un address;
    const int64_t due = clock_ms() + PATIENCE;
    json_t *object = NULL;
    *why = NULL;
    if (!find_socket(run, &address)) {
        return NULL;
    }
    const char state = proc_state(run);
    const bool is_stopped = state == 'T' || state == 't';
    int file = is_stopped ? -1 : socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file >= 0 && connect(file, (const void *)&address, sizeof address) == 0 &&
        is_of_user(file) && send_question(file, question)) {
        object = read_answer(file, due);
    }
    if (file >= 0) {
        close(file);
    }
    return take_answer(run, object, why);
}
