/* SPDX-License-Identifier: BSD-3-Clause */
#include "mpi_calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "../clock.h"
#include "../proc.h"
#include "../say.h"
#include "../words.h"
#include "core/decode/calls.h"
#include "core/waits/line.h"
#include "core/waits/since.h"

/* The most threads of one process. */
#define MOST_THREADS 100000

struct mpi_calls {
    pid_t pid;
    struct st_registry *registry;
    struct st_thread *threads;
    size_t count;
    struct st_name *names; /* read when first needed */
    size_t name_count;
    bool has_names;
};

static enum st_read_result read_memory(uint64_t address, void *buffer, size_t length, void *context)
{
    const struct mpi_calls *calls = context;
    struct iovec here = {buffer, length};
    struct iovec there = {(void *)(uintptr_t)address, length};
    ssize_t got = process_vm_readv(calls->pid, &here, 1, &there, 1, 0);
    return got == (ssize_t)length ? ST_READ_OK : ST_READ_FAILED;
}

/* Returns the address of a registry in the memory from START to END; 0 if there is none. */
static uint64_t root_between(struct mpi_calls *calls, uint64_t start, uint64_t end)
{
    enum { PIECE = 4096 };
    unsigned char piece[PIECE];
    static const uint32_t order = ST_BYTE_ORDER;
    for (uint64_t at = start; at < end; at += PIECE) {
        if (read_memory(at, piece, PIECE, calls) != ST_READ_OK) {
            continue;
        }
        for (size_t i = 0; i + 16 <= PIECE; i += 8) {
            if (memcmp(piece + i, ST_MAGIC, 8) == 0 && memcmp(piece + i + 12, &order, 4) == 0) {
                return at + i;
            }
        }
    }
    return 0;
}

/* Searches the memory that the library may write. */
static uint64_t find_root(struct mpi_calls *calls)
{
    size_t length;
    char *maps = proc_read(calls->pid, "maps", &length);
    char *rest = maps;
    uint64_t root = 0;
    for (char *line; root == 0 && maps != NULL && (line = strsep(&rest, "\n")) != NULL;) {
        unsigned long start, end;
        char rights[5];
        if (strstr(line, "/libshadowtype") != NULL &&
            sscanf(line, "%lx-%lx %4s", &start, &end, rights) == 3 && rights[1] == 'w') {
            root = root_between(calls, start, end);
        }
    }
    free(maps);
    return root;
}

static void read_threads(struct mpi_calls *calls)
{
    struct st_fault fault;
    uint32_t number = 0;
    uint64_t address = st_registry_root(calls->registry)->threads;
    while (address != 0 && calls->count < MOST_THREADS) {
        if ((calls->count & (calls->count - 1)) == 0) { /* grows by powers of two */
            calls->threads = realloc(calls->threads, (calls->count == 0 ? 1 : 2 * calls->count) *
                                                         sizeof *calls->threads);
        }
        if (calls->threads == NULL) {
            fail(1, "out of memory");
        }
        struct st_thread *thread = &calls->threads[calls->count];
        if (st_registry_thread(calls->registry, &address, &number, thread, &fault) != ST_OK) {
            return;
        }
        calls->count++;
    }
}

struct mpi_calls *mpi_calls_read(pid_t pid)
{
    struct mpi_calls *calls = calloc(1, sizeof *calls);
    struct st_fault fault;
    if (calls == NULL) {
        fail(1, "out of memory");
    }
    calls->pid = pid;
    uint64_t root = find_root(calls);
    if (root == 0 ||
        st_registry_open(&calls->registry, read_memory, calls, root, &fault) != ST_OK) {
        free(calls);
        return NULL;
    }
    read_threads(calls);
    return calls;
}

struct mpi_calls *mpi_calls_of(struct st_registry *registry)
{
    struct mpi_calls *calls = zeroed(1, sizeof *calls);
    calls->registry = registry;
    read_threads(calls);
    return calls;
}

void mpi_calls_free(struct mpi_calls *calls)
{
    free(calls->threads);
    free(calls);
}

static const char *name_of(struct mpi_calls *calls, const char *type, uint64_t value)
{
    struct st_fault fault;
    if (!calls->has_names &&
        st_registry_names(calls->registry, &calls->names, &calls->name_count, &fault) != ST_OK) {
        calls->name_count = 0;
    }
    calls->has_names = true;
    for (size_t i = 0; i < calls->name_count; i++) {
        if (calls->names[i].value == value && strcmp(calls->names[i].type, type) == 0) {
            return calls->names[i].name;
        }
    }
    return NULL;
}

static enum st_kind kind_of(const char *type)
{
    if (strcmp(type, "MPI_Comm") == 0) {
        return ST_KIND_COMM;
    }
    return strcmp(type, "MPI_Win") == 0 ? ST_KIND_WIN : ST_KIND_NONE;
}

/* Returns the name that the program gave a communicator or a window; else its handle. */
static const char *handle_text(struct mpi_calls *calls, const char *type, uint64_t handle)
{
    struct st_object object = {0};
    struct st_fault fault;
    enum st_kind kind = kind_of(type);
    const char *name = name_of(calls, type, handle);
    if (name != NULL) {
        return name;
    }
    if (kind != ST_KIND_NONE &&
        st_registry_object(calls->registry, kind, handle, &object, &fault) == ST_OK &&
        object.name != NULL) {
        return text_of("'%s'", text_visible(object.name));
    }
    return text_of("0x%llx", (unsigned long long)handle);
}

/* Returns the type of st_name for the argument NAME; NULL if it does not say which rank the call
 * waits for. */
static const char *sort_of(const char *name)
{
    static const char *const sorts[][2] = {
        {"source", "source"}, {"dest", "rank"},        {"rank", "rank"},
        {"root", "root"},     {"tag", "tag"},          {"sendtag", "tag"},
        {"recvtag", "tag"},   {"target_rank", "rank"}, {"remote_leader", "rank"},
    };
    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        if (strcmp(name, sorts[i][0]) == 0) {
            return sorts[i][1];
        }
    }
    return NULL;
}

static const char *number_text(struct mpi_calls *calls, const char *sort, uint64_t value)
{
    static const char *const others[] = {"rank", "source",
                                         "root"}; /* a source may be MPI_PROC_NULL */
    const char *name = name_of(calls, sort, value);
    for (size_t i = 0; name == NULL && strcmp(sort, "tag") != 0 && i < 3; i++) {
        if (strcmp(sort, "rank") != 0 || i == 0) {
            name = name_of(calls, others[i], value);
        }
    }
    return name != NULL ? name : text_of("%lld", (long long)(int64_t)value);
}

/* Returns the text of an argument that says which rank the call waits for; NULL for other
 * arguments. */
static const char *argument_text(struct mpi_calls *calls, const struct st_form_parameter *parameter,
                                 uint64_t value)
{
    static const char *const handles[] = {"MPI_Comm", "MPI_Win", "MPI_File"};
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        if (strcmp(parameter->type, handles[i]) == 0) {
            return handle_text(calls, handles[i], value);
        }
    }
    const char *sort = strcmp(parameter->type, "int") == 0 ? sort_of(parameter->name) : NULL;
    return sort != NULL ? number_text(calls, sort, value) : NULL;
}

/* Returns the line of Python of a call site. */
static const char *script_of(struct mpi_calls *calls, uint32_t site)
{
    uint64_t frame;
    size_t count;
    char *text;
    struct st_fault fault;
    if (site == ST_NO_SITE ||
        st_registry_site(calls->registry, site, &frame, 1, &count, &fault) != ST_OK || count == 0 ||
        !(frame & ST_SITE_TEXT) ||
        st_registry_frame_text(calls->registry, frame, &text, &fault) != ST_OK) {
        return NULL;
    }
    char *end = strchr(text, '\n');
    if (end == NULL) {
        return text;
    }
    *end = '\0';
    return text_of("%s in %s", text, end + 1);
}

static bool describe_call(struct mpi_calls *calls, const struct st_thread_call *recorded,
                          struct mpi_call *call)
{
    struct st_call_form *form = malloc(sizeof *form); /* never freed: its texts are in use */
    struct st_fault fault;
    if (form == NULL) {
        fail(1, "out of memory");
    }
    if (st_registry_form(calls->registry, recorded->form, form, &fault) != ST_OK) {
        return false;
    }
    *call =
        (struct mpi_call){.function = form->function, .script = script_of(calls, recorded->site)};
    for (size_t i = 0; i < form->count && call->count < MOST_CALL_ARGUMENTS; i++) {
        const char *text = argument_text(calls, &form->parameters[i], recorded->values[i]);
        if (text != NULL) {
            call->arguments[call->count++] = (struct call_argument){form->parameters[i].name, text};
        }
    }
    return true;
}

bool mpi_calls_find(struct mpi_calls *calls, pid_t thread, uint64_t pc, struct mpi_call *call)
{
    for (size_t i = 0; calls != NULL && i < calls->count; i++) {
        const struct st_thread *one = &calls->threads[i];
        for (size_t level = 0; one->id == (uint64_t)thread && level < ST_THREAD_CALLS; level++) {
            const struct st_thread_call *recorded = &one->calls[level];
            if ((recorded->state & UINT32_MAX) == ST_CALL_RUNNING && recorded->pc == pc) {
                return describe_call(calls, recorded, call);
            }
        }
    }
    return false;
}

/* Returns NULL if the thread is in no call. */
static const struct st_thread_call *innermost(const struct st_thread *thread)
{
    const struct st_thread_call *found = NULL;
    for (size_t level = 0; thread->id != 0 && level < ST_THREAD_CALLS; level++) {
        if ((thread->calls[level].state & UINT32_MAX) == ST_CALL_RUNNING) {
            found = &thread->calls[level];
        }
    }
    return found;
}

static const char *outside(const struct mpi_calls *calls)
{
    switch (st_registry_root(calls->registry)->state) {
    case ST_STATE_LOADED:
        return "before MPI_Init";
    case ST_STATE_FINALIZED:
        return "after MPI_Finalize";
    default:
        return "outside MPI";
    }
}

char *mpi_calls_line(struct mpi_calls *calls)
{
    char *all = NULL;
    struct st_call_form *form = malloc(sizeof *form);
    if (form == NULL) {
        fail(1, "out of memory");
    }
    /* The oldest thread, which called MPI_Init, is last in the registry. */
    for (size_t i = calls->count; i-- > 0;) {
        const struct st_thread_call *call = innermost(&calls->threads[i]);
        char line[ST_LINE];
        struct st_fault fault;
        if (call == NULL || st_registry_form(calls->registry, call->form, form, &fault) != ST_OK ||
            st_line_of_call(calls->registry, form, call->values, true, line, &fault) != ST_OK) {
            continue;
        }
        char *longer = all == NULL ? text_of("%s", line) : text_of("%s; %s", all, line);
        free(all);
        all = longer;
    }
    free(form);
    return all != NULL ? all : text_of("%s", outside(calls));
}

char *mpi_calls_since(struct mpi_calls *calls)
{
    struct st_wait_since since;
    char text[ST_SINCE_TEXT];
    if (!st_wait_since(calls->registry, clock_ms(), &since)) {
        return NULL;
    }
    st_wait_since_text(&since, text);
    return text_of("%s", text);
}
