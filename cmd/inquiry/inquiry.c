/* SPDX-License-Identifier: BSD-3-Clause */
#include "inquiry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../words.h"

enum {
    MOST_ASKERS = 16,
    MOST_QUESTION = 512, /* bytes */
    PATIENCE = 10000,    /* milliseconds for one connection */
    TO_ASK_AGAIN = 10    /* milliseconds until an answer may be there */
};

struct asker {
    int file; /* -1: the place is free */
    char question[MOST_QUESTION];
    size_t length;
    bool is_asked; /* the question is there, and is not answered yet */
    char *answer;
    size_t answer_length, sent;
    int64_t due;
};

struct inquiry {
    int folder, door, events;
    struct asker askers[MOST_ASKERS];
};

/* --- opening --------------------------------------------------------------------------------------- */

static bool watch_file(const struct inquiry *inquiry, int operation, int file, uint32_t events)
{
    struct epoll_event event = {.events = events};
    return epoll_ctl(inquiry->events, operation, file, &event) == 0;
}

/* By the folder's descriptor: the name of a socket is shorter than many a path. */
static bool bind_door(const struct inquiry *inquiry)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" INQUIRY_SOCKET,
             inquiry->folder);
    return bind(inquiry->door, (const void *)&address, sizeof address) == 0 &&
           listen(inquiry->door, MOST_ASKERS) == 0 &&
           watch_file(inquiry, EPOLL_CTL_ADD, inquiry->door, EPOLLIN | EPOLLET);
}

struct inquiry *inquiry_open(const char *folder)
{
    struct inquiry *inquiry = zeroed(1, sizeof *inquiry);
    for (size_t i = 0; i < MOST_ASKERS; i++) {
        inquiry->askers[i].file = -1;
    }
    inquiry->folder = folder != NULL ? open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    inquiry->door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    inquiry->events = epoll_create1(EPOLL_CLOEXEC);
    if (inquiry->folder < 0 || inquiry->door < 0 || inquiry->events < 0 || !bind_door(inquiry)) {
        inquiry_close(inquiry);
        return NULL;
    }
    return inquiry;
}

static void end_asker(struct asker *asker)
{
    close(asker->file);
    free(asker->answer);
    *asker = (struct asker){.file = -1};
}

void inquiry_close(struct inquiry *inquiry)
{
    if (inquiry == NULL) {
        return;
    }
    for (size_t i = 0; i < MOST_ASKERS; i++) {
        if (inquiry->askers[i].file >= 0) {
            end_asker(&inquiry->askers[i]);
        }
    }
    if (inquiry->folder >= 0) {
        unlinkat(inquiry->folder, INQUIRY_SOCKET, 0);
    }
    const int files[] = {inquiry->folder, inquiry->door, inquiry->events};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (files[i] >= 0) {
            close(files[i]);
        }
    }
    free(inquiry);
}

int inquiry_file(const struct inquiry *inquiry)
{
    return inquiry != NULL ? inquiry->events : -1;
}

int inquiry_wait(const struct inquiry *inquiry)
{
    for (size_t i = 0; inquiry != NULL && i < MOST_ASKERS; i++) {
        if (inquiry->askers[i].is_asked) {
            return TO_ASK_AGAIN;
        }
    }
    return -1;
}

/* --- connections ----------------------------------------------------------------------------------- */

static bool is_of_user(int file)
{
    struct ucred who;
    socklen_t length = sizeof who;
    return getsockopt(file, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == geteuid();
}

/* Lets in who comes, if there is a place. */
static void open_door(struct inquiry *inquiry, int64_t now)
{
    for (size_t i = 0; i < MOST_ASKERS; i++) {
        struct asker *asker = &inquiry->askers[i];
        if (asker->file >= 0) {
            continue;
        }
        const int file = accept4(inquiry->door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (file < 0) {
            return;
        }
        if (!is_of_user(file) || !watch_file(inquiry, EPOLL_CTL_ADD, file, EPOLLIN)) {
            close(file);
            continue;
        }
        *asker = (struct asker){.file = file, .due = now + PATIENCE};
    }
}

/* Takes what has come of the question. Returns false if the connection has ended. */
static bool read_question(struct asker *asker)
{
    const size_t room = sizeof asker->question - 1 - asker->length;
    const ssize_t got = recv(asker->file, asker->question + asker->length, room, 0);
    if (got <= 0) {
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    }
    asker->length += (size_t)got;
    asker->question[asker->length] = '\0';
    char *end = strchr(asker->question, '\n');
    if (end != NULL) {
        *end = '\0';
        asker->is_asked = true;
    }
    return end != NULL || asker->length < sizeof asker->question - 1;
}

static bool has_left(const struct asker *asker)
{
    char byte;
    return recv(asker->file, &byte, 1, MSG_PEEK) == 0;
}

/* Returns false if all of it was sent, or the connection has ended. */
static bool send_answer(struct asker *asker)
{
    while (asker->sent < asker->answer_length) {
        const ssize_t sent = send(asker->file, asker->answer + asker->sent,
                                  asker->answer_length - asker->sent, MSG_NOSIGNAL);
        if (sent < 0) {
            return errno == EAGAIN || errno == EINTR;
        }
        asker->sent += (size_t)sent;
    }
    return false;
}

/* --- answers --------------------------------------------------------------------------------------- */

/* Answers if that can be done now. */
static void answer_question(struct inquiry *inquiry, struct asker *asker, inquiry_answer_fn *answer,
                            void *context)
{
    json_t *question = json_loads(asker->question, 0, NULL);
    const char *what = json_string_value(json_object_get(question, "ask"));
    const char *version = json_string_value(json_object_get(question, "version"));
    json_t *result = json_pack("{s:i, s:s}", "inquiry", INQUIRY_VERSION, "version", MPIPP_VERSION);
    if (what != NULL && version != NULL && strcmp(version, MPIPP_VERSION) == 0 &&
        json_integer_value(json_object_get(question, "inquiry")) == INQUIRY_VERSION) {
        json_t *found = answer(context, what);
        asker->is_asked = found == NULL;
        json_object_set_new(result, "answer", found);
    } else {
        asker->is_asked = false;
    }
    json_decref(question);
    if (!asker->is_asked) {
        asker->answer = json_dumps(result, JSON_COMPACT);
        asker->answer_length = asker->answer != NULL ? strlen(asker->answer) : 0;
        watch_file(inquiry, EPOLL_CTL_MOD, asker->file, EPOLLOUT);
    }
    json_decref(result);
}

static void serve_asker(struct inquiry *inquiry, struct asker *asker, inquiry_answer_fn *answer,
                        void *context, int64_t now)
{
    bool is_there = now < asker->due && !(asker->is_asked && has_left(asker));
    if (is_there && asker->answer == NULL && !asker->is_asked) {
        is_there = read_question(asker);
    }
    if (is_there && asker->is_asked) {
        answer_question(inquiry, asker, answer, context);
    }
    if (is_there && asker->answer != NULL) {
        is_there = send_answer(asker);
    }
    if (!is_there) {
        end_asker(asker);
    }
}

static bool has_askers(const struct inquiry *inquiry)
{
    for (size_t i = 0; i < MOST_ASKERS; i++) {
        if (inquiry->askers[i].file >= 0) {
            return true;
        }
    }
    return false;
}

void inquiry_step(struct inquiry *inquiry, bool is_readable, inquiry_answer_fn *answer,
                  void *context, int64_t now)
{
    if (inquiry == NULL || !(is_readable || has_askers(inquiry))) {
        return;
    }
    open_door(inquiry, now);
    for (size_t i = 0; i < MOST_ASKERS; i++) {
        if (inquiry->askers[i].file >= 0) {
            serve_asker(inquiry, &inquiry->askers[i], answer, context, now);
        }
    }
}
