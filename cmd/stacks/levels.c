/* SPDX-License-Identifier: BSD-3-Clause */
#include "levels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../findings/lines.h"
#include "../say.h"
#include "../words.h"
#include "module_kind.h"

/* A frame with its place; one address has several if functions are inlined. */
struct found {
    struct place place;
    const struct raw_frame *raw;
    enum module_kind kind;
    const char *symbol; /* name of the MPI function; NULL: the frame is not MPI's */
};

struct found_list {
    struct found *list; /* the outermost first */
    size_t count;
};

static void *list_of(size_t count, size_t size)
{
    void *list = calloc(count + 1, size);
    if (list == NULL) {
        fail(1, "out of memory");
    }
    return list;
}

/* Returns "MPI_Recv" for the name, or the profiling name, of an MPI function in C; else NULL. */
static const char *mpi_name(const char *symbol)
{
    if (symbol == NULL) {
        return NULL;
    }
    const char *name = symbol[0] == 'P' ? symbol + 1 : symbol;
    if (text_begins(name, "wrap_") && isupper((unsigned char)name[5])) {
        return text_of("MPI_%s", name + 5);
    }
    const char *end = text_begins(name, "MPI_")    ? name + 4
                      : text_begins(name, "MPIX_") ? name + 5
                                                   : NULL;
    if (end == NULL || !isupper((unsigned char)end[0]) || !islower((unsigned char)end[1])) {
        return NULL;
    }
    return text_of("%.*s", (int)strcspn(name, "@"), name);
}

/* Does the same for the name of a Fortran binding: "mpi_recv_". */
static const char *fortran_name(const char *symbol)
{
    if (symbol == NULL) {
        return NULL;
    }
    const char *name = symbol[0] == 'p' ? symbol + 1 : symbol;
    size_t length = strlen(name);
    while (length > 0 && name[length - 1] == '_') {
        length--;
    }
    if (!text_begins(name, "mpi_") || length < 6 || name[length] != '_') {
        return NULL;
    }
    char *text = text_of("MPI_%.*s", (int)length - 4, name + 4);
    text[4] = (char)toupper((unsigned char)text[4]);
    return text;
}

/* CALL is the MPI function that the frame calls, or NULL. */
static void resolve_frame(const struct raw_frame *raw, const char *call,
                          struct stack_writer *writer)
{
    struct st_frame frame = {.module = raw->module,
                             .offset = raw->offset,
                             .build = raw->build,
                             .is_return = raw->is_return};
    size_t before = writer->count;
    lines_resolve(&frame, call, writer);
    if (writer->count == before) {
        fail(1, "a frame was lost");
    }
}

static struct found_list find_frames(const struct raw_thread *thread)
{
    struct stack_writer writer = {0};
    size_t *ends = list_of(thread->count, sizeof *ends);
    const char *call = NULL;
    for (size_t i = 0; i < thread->count; i++) {
        resolve_frame(&thread->frames[i], call, &writer);
        ends[i] = writer.count;
        const char *function = writer.places[writer.count - 1].function;
        call = mpi_name(function);
        if (call == NULL) {
            call = fortran_name(function);
        }
    }
    struct found_list found = {list_of(writer.count, sizeof *found.list), 0};
    for (size_t i = thread->count; i-- > 0;) {
        for (size_t j = ends[i]; j-- > (i == 0 ? 0 : ends[i - 1]);) {
            found.list[found.count++] = (struct found){
                .place = writer.places[j],
                .raw = &thread->frames[i],
                .kind = module_kind(thread->frames[i].module),
                .symbol = mpi_name(writer.places[j].function),
            };
        }
    }
    free(ends);
    free(writer.frames);
    free(writer.places);
    return found;
}

static bool is_named(const struct found *found, const char *name)
{
    return found->place.function != NULL && strcmp(found->place.function, name) == 0;
}

static bool is_fortran(const char *file)
{
    const char *dot = file == NULL ? NULL : strrchr(file, '.');
    return dot != NULL && (dot[1] == 'f' || dot[1] == 'F');
}

/* Returns how many of the outermost frames are not the program's. */
static size_t start_of(const struct found_list *found)
{
    enum { STARTING = 3 }; /* _start, and two functions of the C library */
    size_t start = 0;
    for (size_t i = 0; i < STARTING && i + 1 < found->count; i++) {
        if (found->list[i].kind == MODULE_SYSTEM) {
            start = i + 1;
        }
    }
    for (size_t i = start; i < found->count; i++) {
        if (is_named(&found->list[i], "main")) {
            start = i;
        }
    }
    /* The compiler's main(): the program's own is the next frame. */
    if (start + 1 < found->count && is_named(&found->list[start], "main") &&
        is_fortran(found->list[start].place.file) &&
        is_fortran(found->list[start + 1].place.file)) {
        start++;
    }
    return start;
}

static struct level level_of(const struct found *found)
{
    return (struct level){
        .function = found->place.function,
        .file = found->place.file,
        .line = found->place.line,
        .module = found->raw->module,
        .offset = found->raw->offset,
    };
}

/* What is known about one thread's stack, except inside MPI. */
struct walk {
    const struct raw_process *process;
    const struct raw_thread *thread;
    const struct found_list *found;
    const char **seen; /* modules of the program */
    size_t seen_count;
    struct levels levels;
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_seen(const struct walk *walk, const char *module)
{
    for (size_t i = 0; i < walk->seen_count; i++) {
        if (same_text(walk->seen[i], module)) {
            return true;
        }
    }
    return false;
}

static enum module_kind kind_of(const struct found *found)
{
    return found->symbol != NULL ? MODULE_MPI : found->kind;
}

/* Returns true if the frames from FIRST on, which are not the program's, end before frame I. */
static bool is_left(const struct walk *walk, size_t first, size_t i)
{
    const struct found *found = &walk->found->list[i];
    enum module_kind kind = kind_of(&walk->found->list[first]);
    if (kind == MODULE_MPI) {
        bool inside = walk->found->list[first].kind == MODULE_OTHER; /* MPI is linked statically */
        return !inside && found->symbol == NULL &&
               (same_text(found->raw->module, walk->process->program) ||
                is_seen(walk, found->raw->module));
    }
    if (kind == MODULE_PYTHON) {
        return kind_of(found) != MODULE_PYTHON && kind_of(found) != MODULE_SYSTEM;
    }
    return kind_of(found) != kind;
}

/* Finds the MPI call of the frames FIRST to END - 1. */
static bool find_call(const struct walk *walk, size_t first, size_t end, struct level *level)
{
    const struct found *list = walk->found->list;
    *level = (struct level){.is_mpi = true};
    for (size_t i = first == 0 ? 0 : first - 1; i < end; i++) {
        if (mpi_calls_find(walk->process->calls, walk->thread->id, list[i].raw->pc, &level->call)) {
            level->function = level->call.function;
            return true;
        }
    }
    for (size_t i = first; level->function == NULL && i < end; i++) {
        level->function = list[i].symbol;
    }
    for (size_t i = first; level->function == NULL && i < end; i++) {
        level->function = fortran_name(list[i].place.function);
    }
    return level->function != NULL;
}

/* Adds the line of Python that calls MPI: "halo.py:12 in exchange". */
static void add_script(struct levels *levels, const char *script)
{
    const char *in = strstr(script, " in ");
    const char *end = in != NULL ? in : script + strlen(script);
    const char *colon = end;
    while (colon > script && *colon != ':') {
        colon--;
    }
    levels->list[levels->count++] = (struct level){
        .file = text_of("%.*s", (int)(colon - script), script),
        .line = (int)strtol(colon + 1, NULL, 10),
        .function = in == NULL ? NULL : text_of("%s", in + 4),
    };
}

/* Adds one level for the frames FIRST to END - 1, which are not the program's. */
static void add_run(struct walk *walk, size_t first, size_t end)
{
    struct levels *levels = &walk->levels;
    const struct found *list = walk->found->list;
    struct level level = level_of(&list[first]);
    if (kind_of(&list[first]) == MODULE_PYTHON) {
        level = (struct level){.function = "Python"};
    } else if (kind_of(&list[first]) == MODULE_MPI && !find_call(walk, first, end, &level)) {
        level = level_of(&list[first]);
    }
    if (level.call.script != NULL) {
        add_script(levels, level.call.script);
    }
    levels->list[levels->count++] = level;
}

static void add_shortened(struct walk *walk, size_t start)
{
    const struct found_list *found = walk->found;
    for (size_t i = start; i < found->count;) {
        size_t end = i + 1;
        if (kind_of(&found->list[i]) == MODULE_OTHER) {
            walk->levels.list[walk->levels.count++] = level_of(&found->list[i]);
        } else {
            while (end < found->count && !is_left(walk, i, end)) {
                end++;
            }
            add_run(walk, i, end);
        }
        if (kind_of(&found->list[i]) == MODULE_OTHER || kind_of(&found->list[i]) == MODULE_PYTHON) {
            walk->seen[walk->seen_count++] = found->list[i].raw->module;
        }
        i = end;
    }
}

struct levels levels_of(const struct raw_process *process, const struct raw_thread *thread,
                        bool whole)
{
    struct found_list found = find_frames(thread);
    struct walk walk = {.process = process, .thread = thread, .found = &found};
    walk.levels.list = list_of(2 * found.count + 1, sizeof *walk.levels.list);
    walk.seen = list_of(found.count, sizeof *walk.seen);
    if (thread->is_cut) {
        walk.levels.list[walk.levels.count++] =
            (struct level){.function = "(the outermost frames are not known)"};
    }
    if (!whole) {
        add_shortened(&walk, thread->is_cut ? 0 : start_of(&found));
    } else {
        for (size_t i = 0; i < found.count; i++) {
            walk.levels.list[walk.levels.count++] = level_of(&found.list[i]);
        }
    }
    free(walk.seen);
    free(found.list);
    return walk.levels;
}

bool levels_are_helper(const struct raw_process *process, const struct raw_thread *thread)
{
    if (thread->id == process->pid) {
        return false;
    }
    for (size_t i = thread->count; i-- > 0;) {
        enum module_kind kind = module_kind(thread->frames[i].module);
        if (kind != MODULE_SYSTEM) {
            return kind == MODULE_MPI || kind == MODULE_TRANSPORT;
        }
    }
    return false;
}
