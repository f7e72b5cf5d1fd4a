/* SPDX-License-Identifier: BSD-3-Clause */
#include "gather.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../say.h"
#include "../words.h"
#include "choices.h"
#include "sweep.h"

static const char suffix[] = ".jsonl";

struct source {
    char *name; /* name of the file */
    char *key;
    off_t done; /* bytes of the complete lines that were read */
};

struct gather {
    struct findings *findings;
    char *folder; /* NULL: there is none */
    int events;
    struct source *sources;
    size_t source_count;
    char *bytes;
    size_t room;
};

static char *folder_made;
static pid_t folder_maker;

static void remove_folder(void)
{
    if (folder_maker == getpid()) {
        sweep_now(folder_made);
    }
}

static char *make_folder(void)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || place[0] != '/') {
        place = "/tmp";
    }
    char *folder = text_of("%s/mpipp-XXXXXX", place);
    if (mkdtemp(folder) == NULL) {
        warn("cannot make a folder for reports in '%s': %s; they come on standard error", place,
             strerror(errno));
        return NULL;
    }
    folder_made = folder;
    folder_maker = getpid();
    atexit(remove_folder);
    sweep_later(folder);
    return folder;
}

/* Returns a part for the folder's name that no other run has. */
static const char *random_word(void)
{
    unsigned long word = 0;
    if (getrandom(&word, sizeof word, GRND_NONBLOCK) != (ssize_t)sizeof word) {
        word = (unsigned long)time(NULL) ^ (unsigned long)getpid() << 32;
    }
    return text_of("-%lx", word);
}

struct gather *gather_open(struct findings *findings)
{
    char host[256] = "";
    struct gather *gather = zeroed(1, sizeof *gather);
    gethostname(host, sizeof host - 1);
    *gather = (struct gather){.findings = findings, .folder = make_folder(), .events = -1};
    char *where = text_of("%s:%s", host, gather->folder != NULL ? gather->folder : random_word());
    setenv(REPORTS_VARIABLE, where, 1);
    if (gather->folder == NULL) {
        return gather;
    }
    gather->events = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (gather->events >= 0 && inotify_add_watch(gather->events, gather->folder, IN_MODIFY) < 0) {
        close(gather->events);
        gather->events = -1;
    }
    return gather;
}

const char *gather_folder(const struct gather *gather)
{
    return gather->folder;
}

int gather_file(const struct gather *gather)
{
    return gather->events;
}

/* Returns NULL if NAME is not such a file. */
static struct source *source_of(struct gather *gather, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < gather->source_count; i++) {
        if (strcmp(gather->sources[i].name, name) == 0) {
            return &gather->sources[i];
        }
    }
    if (length < sizeof suffix || strcmp(name + length - (sizeof suffix - 1), suffix) != 0) {
        return NULL;
    }
    size_t size = (gather->source_count + 1) * sizeof *gather->sources;
    gather->sources = realloc(gather->sources, size);
    if (gather->sources == NULL) {
        fail(1, "out of memory");
    }
    struct source *source = &gather->sources[gather->source_count++];
    *source = (struct source){
        .name = text_of("%s", name),
        .key = text_of("%.*s", (int)(length - (sizeof suffix - 1)), name),
    };
    return source;
}

/* Passes on the complete lines of the first LENGTH bytes. Returns their bytes. */
static size_t take_lines(struct gather *gather, const struct source *source, size_t length)
{
    size_t done = 0;
    const char *end;
    while ((end = memchr(gather->bytes + done, '\n', length - done)) != NULL) {
        const char *line = gather->bytes + done;
        findings_line(gather->findings, source->key, line, (size_t)(end - line));
        done += (size_t)(end - line) + 1;
    }
    return done;
}

static void make_room(struct gather *gather)
{
    gather->room = gather->room == 0 ? (size_t)1 << 16 : 2 * gather->room;
    gather->bytes = realloc(gather->bytes, gather->room);
    if (gather->bytes == NULL) {
        fail(1, "out of memory");
    }
}

static void read_source(struct gather *gather, struct source *source)
{
    char *path = text_of("%s/%s", gather->folder, source->name);
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    free(path);
    if (file < 0) {
        return;
    }
    size_t have = 0;
    for (;;) {
        if (have == gather->room) {
            make_room(gather);
        }
        ssize_t got =
            pread(file, gather->bytes + have, gather->room - have, source->done + (off_t)have);
        if (got <= 0) {
            break;
        }
        have += (size_t)got;
        size_t done = take_lines(gather, source, have);
        source->done += (off_t)done;
        have -= done;
        memmove(gather->bytes, gather->bytes + done, have);
    }
    close(file);
}

void gather_all(struct gather *gather)
{
    if (gather->folder == NULL) {
        return;
    }
    DIR *folder = opendir(gather->folder);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct source *source = source_of(gather, entry->d_name);
        if (source != NULL) {
            read_source(gather, source);
        }
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

void gather_read(struct gather *gather)
{
    _Alignas(struct inotify_event) char bytes[4096];
    bool any = false;
    while (gather->events >= 0 && read(gather->events, bytes, sizeof bytes) > 0) {
        any = true;
    }
    if (any || gather->events < 0) {
        gather_all(gather);
    }
}

void gather_close(struct gather *gather)
{
    if (gather->folder != NULL) {
        remove_folder();
    }
}
