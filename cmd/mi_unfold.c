/* SPDX-License-Identifier: BSD-3-Clause */
#include "mi_unfold.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "say.h"

#define DONE "^done,"

/* gdb has no expression for children that a printer made; without this answer frontends show no
 * children. */
static const char no_path[] = "^error,msg=\"Invalid variable object (child of a dynamic varobj)\"";
static const char some_path[] = "^done,path_expr=\"\"";

/* A list without children has no member of that name either. */
static const char no_children[] = "^done,numchild=\"0\",has_more=\"0\"";
static const char empty_children[] = "^done,numchild=\"0\",children=[],has_more=\"0\"";

/* What is known of the variable whose tuple is being read. */
struct variable {
    char *numchild; /* the digit, if the value is "0" */
    bool dynamic;
    bool has_more;
    bool is_folded; /* "{...}" */
    bool is_handle; /* a datatype, which may have children at another time */
};

static bool is_text(const char *text, size_t length, const char *expected)
{
    return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

static bool ends_in(const char *text, size_t length, const char *end)
{
    size_t size = strlen(end);
    return length >= size && is_text(text + length - size, size, end);
}

static void take_member(struct variable *variable, const char *name, size_t name_length,
                        char *value, size_t length)
{
    if (is_text(name, name_length, "numchild")) {
        variable->numchild = is_text(value, length, "0") ? value : NULL;
    } else if (is_text(name, name_length, "dynamic")) {
        variable->dynamic = true;
    } else if (is_text(name, name_length, "has_more")) {
        variable->has_more = is_text(value, length, "1");
    } else if (is_text(name, name_length, "value")) {
        variable->is_folded = is_text(value, length, "{...}");
    } else if (is_text(name, name_length, "type")) {
        variable->is_handle = ends_in(value, length, "MPI_Datatype");
    }
}

/* Called at the end of a tuple. */
static void decide_variable(struct variable *variable)
{
    bool unfolds = variable->dynamic && (variable->has_more || variable->is_folded);
    if (variable->numchild != NULL && (unfolds || variable->is_handle)) {
        *variable->numchild = '1';
    }
    *variable = (struct variable){0};
}

/* Returns the end of the string whose first byte, after the quote, is at AT; END if it has none. */
static char *end_of_string(char *at, const char *end)
{
    while (at < end && *at != '"') {
        at += *at == '\\' && at + 1 < end ? 2 : 1;
    }
    return at;
}

const char *mi_unfold_record(char *record, size_t *length)
{
    if (is_text(record, *length, no_path)) {
        *length = sizeof some_path - 1;
        return some_path;
    }
    if (is_text(record, *length, no_children)) {
        *length = sizeof empty_children - 1;
        return empty_children;
    }
    if (*length < sizeof DONE - 1 || memcmp(record, DONE, sizeof DONE - 1) != 0) {
        return record;
    }
    /* The tuple around a list of children is no variable, so the members of a tuple need no stack. */
    struct variable variable = {0};
    const char *end = record + *length;
    char *name = record + sizeof DONE - 1;
    for (char *at = name; at < end; at++) {
        if (*at == '{' || *at == '[' || *at == ',') {
            name = at + 1;
            if (*at == '{') {
                variable = (struct variable){0};
            }
        } else if (*at == '}') {
            decide_variable(&variable);
        } else if (*at == '"') {
            char *value = at + 1;
            at = end_of_string(value, end);
            if (value - name >= 2) {
                take_member(&variable, name, (size_t)(value - name) - 2, value,
                            (size_t)(at - value));
            }
        }
    }
    decide_variable(&variable);
    return record;
}

static void write_all(const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(STDOUT_FILENO, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            _exit(0); /* the output is not read any more */
        }
        bytes += put;
        length -= (size_t)put;
    }
}

/* Bytes on their way: a line is passed on at once up to its '^', a record when it is complete. */
struct passage {
    enum { AT_START, IN_TOKEN, IN_RECORD, IN_TEXT } state;
    char *record;
    size_t length;
    size_t room;
};

static void keep_byte(struct passage *passage, char byte)
{
    if (passage->length == passage->room) {
        passage->room = passage->room == 0 ? 4096 : 2 * passage->room;
        passage->record = realloc(passage->record, passage->room);
        if (passage->record == NULL) {
            _exit(1);
        }
    }
    passage->record[passage->length++] = byte;
}

static void pass_record(struct passage *passage)
{
    size_t length = passage->length;
    const char *text = mi_unfold_record(passage->record, &length);
    write_all(text, length);
    passage->length = 0;
}

static void pass_bytes(struct passage *passage, const char *bytes, size_t count)
{
    const char *begun = bytes; /* bytes that are passed on unchanged */
    for (const char *at = bytes; at < bytes + count; at++) {
        if (*at == '\n') {
            if (passage->state == IN_RECORD) {
                pass_record(passage);
                begun = at;
            }
            passage->state = AT_START;
        } else if (passage->state == IN_RECORD) {
            keep_byte(passage, *at);
        } else if (passage->state != IN_TEXT && *at == '^') {
            write_all(begun, (size_t)(at - begun));
            keep_byte(passage, *at);
            passage->state = IN_RECORD;
        } else if (passage->state != IN_TEXT) {
            passage->state = *at >= '0' && *at <= '9' ? IN_TOKEN : IN_TEXT;
        }
    }
    if (passage->state != IN_RECORD) {
        write_all(begun, (size_t)(bytes + count - begun));
    }
}

static _Noreturn void pass_all(int from)
{
    static char bytes[1 << 16];
    struct passage passage = {.state = AT_START};
    for (;;) {
        ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            break;
        }
        pass_bytes(&passage, bytes, (size_t)got);
    }
    if (passage.state == IN_RECORD) {
        pass_record(&passage);
    }
    _exit(0);
}

void mi_unfold_output(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail(1, "cannot make a pipe: %s", strerror(errno));
    }
    pid_t between = fork();
    if (between == 0) {
        /* gdb waits for any child: so this process gets another parent. */
        if (fork() != 0) {
            _exit(0);
        }
        /* Keys that end gdb must not end this process before gdb has written its last output. */
        signal(SIGINT, SIG_IGN);
        signal(SIGQUIT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        close(ends[1]);
        close(STDIN_FILENO);
        pass_all(ends[0]);
    }
    if (between < 0 || waitpid(between, NULL, 0) != between) {
        fail(1, "cannot start a process: %s", strerror(errno));
    }
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
}
