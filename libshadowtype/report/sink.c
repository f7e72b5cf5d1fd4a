/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "report/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "report/report.h"
#include "report/writer.h"

/* The signals that writing may raise: blocked in this thread while we write, and removed if one was
 * raised. */
struct st_quiet {
    sigset_t before, raised;
};

static void begin_quiet(struct st_quiet *quiet)
{
    sigset_t pending;
    sigemptyset(&quiet->raised);
    sigaddset(&quiet->raised, SIGPIPE);
    sigaddset(&quiet->raised, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &quiet->raised, &quiet->before);
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE)) { /* the program's own one was pending already: do not
                                           remove it */
        sigdelset(&quiet->raised, SIGPIPE);
    }
    if (sigismember(&pending, SIGXFSZ)) {
        sigdelset(&quiet->raised, SIGXFSZ);
    }
}

static void end_quiet(const struct st_quiet *quiet)
{
    while (sigtimedwait(&quiet->raised, NULL, &(struct timespec){0}) > 0)
        ;
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
}

/* Writes all bytes; usually in one call. */
static bool write_fully(int file, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(file, bytes, length);
        if (put < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = file, .events = POLLOUT}, 1, -1);
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
        if (put > 0) {
            bytes += put;
            length -= (size_t)put;
        }
    }
    return true;
}

/* FNV-1a: good enough to distinguish the keys of hosts and containers. */
static uint32_t mix_bytes(uint32_t hash, const void *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT32_C(16777619);
    }
    return hash;
}

static void put_hex(struct st_writer *writer, uint32_t number)
{
    for (int shift = 28; shift >= 0; shift -= 4) {
        st_put_bytes(writer, &"0123456789abcdef"[number >> shift & 15], 1);
    }
}

static void make_key(struct st_sink *sink)
{
    char host[256] = "";
    struct timespec now;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    uint32_t hash = mix_bytes(UINT32_C(2166136261), host, strlen(host));
    hash = mix_bytes(hash, &now, sizeof now);
    sink->process = getpid();
    atomic_store(&sink->lines, 0);
    struct st_writer writer = {sink->key, sizeof sink->key - 1, 0};
    st_put_number(&writer, sink->process);
    st_put(&writer, "-");
    put_hex(&writer, hash);
    if (sink->nonce[0] != '\0') {
        st_put(&writer, "-");
        st_put(&writer, sink->nonce);
    }
    sink->key[writer.length] = '\0';
}

void st_sink_nonce(const char *where, char nonce[ST_SINK_NONCE])
{
    struct st_writer writer = {nonce, ST_SINK_NONCE - 1, 0};
    put_hex(&writer, mix_bytes(UINT32_C(2166136261), where, strlen(where)));
    nonce[writer.length] = '\0';
}

static void open_tagged(struct st_sink *sink)
{
    sink->folder[0] = '\0';
    make_key(sink);
    atomic_store(&sink->way, ST_SINK_TAGGED);
}

void st_sink_open_tagged(struct st_sink *sink)
{
    sink->nonce[0] = '\0';
    open_tagged(sink);
}

void st_sink_open(struct st_sink *sink, const char *where, const char *host)
{
    const char *colon = where != NULL ? strchr(where, ':') : NULL;
    sink->folder[0] = '\0';
    sink->process = getpid();
    atomic_store(&sink->way, ST_SINK_NONE);
    if (colon == NULL) {
        return;
    }
    size_t length = (size_t)(colon - where);
    bool here = strlen(host) == length && memcmp(host, where, length) == 0;
    st_sink_nonce(where, sink->nonce);
    open_tagged(sink);
    if (!here || colon[1] != '/' || strlen(colon + 1) >= ST_SINK_PATH - ST_SINK_KEY - 8) {
        return;
    }
    strcpy(sink->folder, colon + 1);
    atomic_store(&sink->way, ST_SINK_FILE);
}

static bool send_pieces(struct st_sink *sink, const char *line, size_t length)
{
    uint32_t number = atomic_fetch_add(&sink->lines, 1);
    bool done = true;
    size_t sent = 0;
    for (int64_t piece = 0; done && (sent < length || piece == 0); piece++) {
        char bytes[ST_SINK_PIECE];
        struct st_writer writer = {bytes, sizeof bytes, 0};
        st_put(&writer, "@mpipp:");
        st_put(&writer, sink->key);
        st_put(&writer, ":");
        st_put_number(&writer, number);
        st_put(&writer, ":");
        st_put_number(&writer, piece);
        size_t room = sizeof bytes - writer.length - 2; /* room for the last sign and the line
                                                           end */
        size_t taken = length - sent < room ? length - sent : room;
        st_put(&writer, sent + taken < length ? "+" : ".");
        st_put_bytes(&writer, line + sent, taken);
        st_put(&writer, "\n");
        sent += taken;
        done = write_fully(STDERR_FILENO, bytes, writer.length);
    }
    return done;
}

/* Writes a line with one write(2). If less than the line is written, that is a failure. */
static bool append_line(const struct st_sink *sink, const char *line, size_t length)
{
    char path[ST_SINK_PATH];
    struct st_writer writer = {path, sizeof path - 1, 0};
    st_put(&writer, sink->folder);
    st_put(&writer, "/");
    st_put(&writer, sink->key);
    st_put(&writer, ".jsonl");
    path[writer.length] = '\0';
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
    if (file < 0) {
        return false;
    }
    struct iovec parts[] = {{(void *)line, length}, {(void *)"\n", 1}};
    ssize_t put = writev(file, parts, 2);
    int error = put < 0 ? errno : ENOSPC;
    bool whole = put == (ssize_t)length + 1;
    if (close(file) != 0 && whole) {
        error = errno;
        whole = false;
    }
    errno = error;
    return whole;
}

/* Gives up the file, and says so once: a process has one sink. */
static void fall_back(struct st_sink *sink, int error)
{
    static char text[ST_SINK_PATH + 256]; /* too large for a thread's stack */
    static char line[sizeof text * 2];
    int before = ST_SINK_FILE;
    if (!atomic_compare_exchange_strong(&sink->way, &before, ST_SINK_TAGGED)) {
        return;
    }
    struct st_writer writer = {text, sizeof text - 1, 0};
    st_put(&writer, "cannot write reports to '");
    st_put(&writer, sink->folder);
    st_put(&writer, "': ");
    st_put(&writer, strerror_r(error, line, sizeof line));
    st_put(&writer, "; they go to standard error");
    text[writer.length] = '\0';
    send_pieces(sink, line, st_note_json(text, line, sizeof line));
}

bool st_sink_line(struct st_sink *sink, const char *line, size_t length)
{
    if (atomic_load(&sink->way) == ST_SINK_NONE) {
        return false;
    }
    int error = errno;
    struct st_quiet quiet;
    begin_quiet(&quiet);
    if (sink->process != getpid()) {
        make_key(sink);
    }
    bool done = false;
    if (atomic_load(&sink->way) == ST_SINK_FILE) {
        done = append_line(sink, line, length);
        if (!done) {
            fall_back(sink, errno);
        }
    }
    if (!done) {
        done = send_pieces(sink, line, length);
    }
    end_quiet(&quiet);
    errno = error;
    return done;
}

bool st_sink_text(const char *text, size_t length)
{
    int error = errno;
    struct st_quiet quiet;
    begin_quiet(&quiet);
    bool done = write_fully(STDERR_FILENO, text, length);
    end_quiet(&quiet);
    errno = error;
    return done;
}
