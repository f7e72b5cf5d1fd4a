/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/peek.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/record/own_heap.h"

/* The mappings that were read are trusted for this long. If a program maps a device where its heap
 * was, that is not noticed at once. New mappings are noticed, because nothing is known of them. */
enum { GOOD_FOR_MS = 100, TEXT_BYTES = 1 << 16, FIRST_ROOM = 1 << 9 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct st_mapping *mappings; /* ascending; adjacent ones of one kind are merged */
static size_t count, room;
static int64_t read_at; /* in ms */
static char text[TEXT_BYTES];

/* --- a line -------------------------------------------------------------------------------- */

static bool begins(const char *path, const char *with)
{
    return strncmp(path, with, strlen(with)) == 0;
}

/* Returns true for files, shared memory and memory without a file; for devices only if they are
 * memory. */
static bool is_ordinary_path(const char *path)
{
    static const char *const memory[] = {"[heap]",    "[stack",         "[anon",
                                         "/dev/shm/", "/dev/zero ",     "/dev/hugepages/",
                                         "/memfd:",   "/anon_hugepage", "/SYSV"};
    static const char *const devices[] = {"/dev/", "/proc/", "/sys/", "/dmabuf:"};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        if (begins(path, memory[i])) {
            return true;
        }
    }
    if (strcmp(path, "/dev/zero") == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        if (begins(path, devices[i])) {
            return false;
        }
    }
    return !*path || *path == '/';
}

/* Parses "7f5d1c000000-7f5d1c021000 rw-p 00000000 00:00 0     /path". */
bool st_mapping_read(const char *line, struct st_mapping *mapping)
{
    char *end;
    mapping->low = strtoull(line, &end, 16);
    if (end == line || *end != '-') {
        return false;
    }
    line = end + 1;
    mapping->high = strtoull(line, &end, 16);
    if (end == line || *end != ' ' || mapping->high <= mapping->low) {
        return false;
    }
    bool readable = end[1] == 'r';
    line = end + 1;
    for (int field = 0; field < 4; field++) { /* permissions, offset, device, inode */
        line += strcspn(line, " ");
        line += strspn(line, " ");
    }
    mapping->ordinary = readable && is_ordinary_path(line);
    return true;
}

/* --- all of them --------------------------------------------------------------------------- */

static bool make_mapping_room(void)
{
    if (count < room) {
        return true;
    }
    size_t larger = room ? 2 * room : FIRST_ROOM;
    struct st_mapping *more = realloc(mappings, larger * sizeof *more);
    if (!more) {
        return false;
    }
    mappings = more;
    room = larger;
    return true;
}

static void add_mapping(const struct st_mapping *mapping)
{
    struct st_mapping *last = count ? &mappings[count - 1] : NULL;
    if (last && last->high == mapping->low && last->ordinary == mapping->ordinary) {
        last->high = mapping->high;
    } else if (make_mapping_room()) {
        mappings[count++] = *mapping;
    }
}

/* Takes the complete lines. Returns the number of bytes of an incomplete one, which are moved to
 * the beginning. */
static size_t take_lines(size_t length)
{
    char *line = text, *end;
    while ((end = memchr(line, '\n', length - (size_t)(line - text)))) {
        struct st_mapping mapping;
        *end = 0;
        if (st_mapping_read(line, &mapping)) {
            add_mapping(&mapping);
        }
        line = end + 1;
    }
    length -= (size_t)(line - text);
    memmove(text, line, length);
    return length < TEXT_BYTES ? length : 0; /* no line is so long */
}

static void read_all(void)
{
    int saved = errno;
    size_t left = 0;
    ssize_t got;
    count = 0;
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    while (file >= 0 && ((got = read(file, text + left, TEXT_BYTES - left)) > 0 ||
                         (got < 0 && errno == EINTR))) {
        if (got > 0) {
            left = take_lines(left + (size_t)got);
        }
    }
    if (file >= 0) {
        close(file);
    }
    errno = saved;
}

/* Returns the mapping that contains all of low..high-1; NULL if there is none. */
static const struct st_mapping *find_mapping(uint64_t low, uint64_t high)
{
    size_t from = 0, to = count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (mappings[middle].high <= low) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from < count && mappings[from].low <= low && high <= mappings[from].high
               ? &mappings[from]
               : NULL;
}

static int64_t now_ms(void)
{
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* The caller holds the mutex. */
static bool look_at(const struct iovec *pieces, size_t pieces_count)
{
    const struct st_mapping *found = NULL;
    bool ordinary = true, is_new = false;
    int64_t time = now_ms();
    for (size_t i = 0; ordinary && i < pieces_count; i++) {
        uint64_t low = (uint64_t)(uintptr_t)pieces[i].iov_base, high = low + pieces[i].iov_len;
        if (found && found->low <= low && low < high && high <= found->high) {
            continue;
        }
        found = time - read_at < GOOD_FOR_MS ? find_mapping(low, high) : NULL;
        if (!found && !is_new) {
            read_all();
            read_at = time;
            is_new = true;
            found = find_mapping(low, high);
        }
        ordinary = found && found->ordinary;
    }
    return ordinary;
}

/* Blocks cancellation and signals: a thread that is cancelled would not release the mutex, nor
 * would one whose signal handler calls this function again. */
bool st_are_ordinary(const struct iovec *pieces, size_t pieces_count)
{
    static _Thread_local volatile bool here __attribute__((tls_model("initial-exec")));
    int cancellation;
    if (here) {
        return false;
    }
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    here = true;
    pthread_mutex_lock(&mutex);
    bool ordinary = look_at(pieces, pieces_count);
    pthread_mutex_unlock(&mutex);
    here = false;
    pthread_setcancelstate(cancellation, NULL);
    return ordinary;
}

/* --- read ---------------------------------------------------------------------------------- */

static pid_t self; /* kept, because asking for it costs a system call */

bool st_peek(const struct iovec *pieces, size_t count, void *into, size_t bytes)
{
    if (!st_are_ordinary(pieces, count)) {
        return false;
    }
    int saved = errno;
    struct iovec all = {.iov_base = into, .iov_len = bytes};
    ssize_t got = process_vm_readv(self, &all, 1, pieces, count, 0);
    errno = saved;
    return got >= 0 && (size_t)got == bytes;
}

bool st_peek_works(void)
{
    static const uint64_t one = 1;
    uint64_t copy = 0;
    self = getpid();
    const struct iovec piece = {.iov_base = (void *)(uintptr_t)&one, .iov_len = sizeof one};
    return st_peek(&piece, 1, &copy, sizeof copy) && copy == one;
}
