/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/python.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/model/registry.h"
#include "runtime/record/root.h"

/* --- the interpreter ----------------------------------------------------------------------- */

struct object; /* a PyObject */

static struct {
    int (*is_initialized)(void);
    int (*has_lock)(void); /* PyGILState_Check */
    int (*enter)(void);    /* PyGILState_Ensure */
    void (*leave)(int);
    void *(*thread)(void); /* returns NULL if this thread is not one of the interpreter */
    void *(*interpreter)(void *thread);
    void *(*first_thread)(void *interpreter);
    void *(*next_thread)(void *thread);
    struct object *(*error)(void);
    void (*clear_error)(void);
    int (*stop_collecting)(void);
    int (*collect)(void);
    struct object *(*frame)(void);
    struct object *(*frame_back)(struct object *);
    struct object *(*frame_code)(struct object *);
    int (*frame_line)(struct object *);
    struct object *(*attribute)(struct object *, const char *);
    const char *(*utf8)(struct object *, ptrdiff_t *);
    void (*keep)(struct object *);
    void (*release)(struct object *);
    int (*is_ending)(void);
} python;

static bool find_interpreter(void)
{
    static const struct {
        const char *name;
        void *to;
    } functions[] = {
        {"Py_IsInitialized", &python.is_initialized},
        {"PyGILState_Check", &python.has_lock},
        {"PyGILState_Ensure", &python.enter},
        {"PyGILState_Release", &python.leave},
        {"PyGILState_GetThisThreadState", &python.thread},
        {"PyThreadState_GetInterpreter", &python.interpreter},
        {"PyInterpreterState_ThreadHead", &python.first_thread},
        {"PyThreadState_Next", &python.next_thread},
        {"PyErr_Occurred", &python.error},
        {"PyErr_Clear", &python.clear_error},
        {"PyGC_Disable", &python.stop_collecting},
        {"PyGC_Enable", &python.collect},
        {"PyEval_GetFrame", &python.frame},
        {"PyFrame_GetBack", &python.frame_back},
        {"PyFrame_GetCode", &python.frame_code},
        {"PyFrame_GetLineNumber", &python.frame_line},
        {"PyObject_GetAttrString", &python.attribute},
        {"PyUnicode_AsUTF8AndSize", &python.utf8},
        {"Py_IncRef", &python.keep},
        {"Py_DecRef", &python.release},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(RTLD_DEFAULT, functions[i].name);
        if (!found) {
            return false;
        }
        memcpy(functions[i].to, &found, sizeof found);
    }
    /* Public since 3.13. */
    void *ending = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
    if (!ending) {
        ending = dlsym(RTLD_DEFAULT, "_Py_IsFinalizing");
    }
    memcpy(&python.is_ending, &ending, sizeof ending);
    return ending != NULL;
}

/* --- texts, stored once each in the registry's memory -------------------------------------- */

enum { LOG2_SLOTS = 13, MOST_TEXTS = 6144, CHUNK_BYTES = 1 << 16, MOST_BYTES = 1024 };
static uint64_t *slots; /* hash table of addresses of blocks; 0: empty */
static unsigned texts;
static unsigned char *room, *room_end;

static struct st_block *add_text(const char *text, size_t bytes)
{
    size_t whole = (sizeof(struct st_block) + bytes + 7) / 8 * 8;
    if ((size_t)(room_end - room) < whole) {
        unsigned char *chunk = st_map(CHUNK_BYTES);
        if (!chunk) {
            return NULL;
        }
        room = chunk;
        room_end = chunk + CHUNK_BYTES;
    }
    struct st_block *block = (struct st_block *)(void *)room;
    *block = (struct st_block){.magic = ST_BLOCK_MAGIC, .bytes = bytes};
    memcpy(block + 1, text, bytes);
    room += whole;
    return block;
}

/* Returns the frame of a text; 0 if there is no memory, or if there are too many texts. */
static uint64_t intern_text(const char *text, size_t bytes)
{
    if (!slots && !(slots = st_map(sizeof(uint64_t) << LOG2_SLOTS))) {
        return 0;
    }
    uint64_t hash = bytes;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001B3);
    }
    hash *= UINT64_C(0x9E3779B97F4A7C15);
    uint32_t at = (uint32_t)(hash >> (64 - LOG2_SLOTS));
    for (; slots[at]; at = (at + 1) & ((1u << LOG2_SLOTS) - 1)) {
        const struct st_block *known = st_pointer(slots[at]);
        if (known->bytes == bytes && memcmp(known + 1, text, bytes) == 0) {
            return ST_SITE_TEXT | slots[at];
        }
    }
    struct st_block *block = texts < MOST_TEXTS ? add_text(text, bytes) : NULL;
    if (!block) {
        return 0;
    }
    texts++;
    slots[at] = st_address(block);
    return ST_SITE_TEXT | slots[at];
}

/* --- frames -------------------------------------------------------------------------------- */

/* Returns an attribute that is a text; *holder keeps it alive. NULL if there is none. */
static const char *text_of(struct object *of, const char *name, struct object **holder)
{
    *holder = python.attribute(of, name);
    const char *text = *holder ? python.utf8(*holder, NULL) : NULL;
    if (!text) {
        python.clear_error();
    }
    return text;
}

/* Returns true for frames of mpi4py itself, and of an import, in which MPI is initialized. */
static bool is_inner(const char *file)
{
    static const char import[] = "<frozen importlib";
    return strstr(file, "/mpi4py/") || strncmp(file, import, sizeof import - 1) == 0;
}

/* Stores the text of a frame. Returns false if the frame is not the user's, or cannot be read. */
static bool frame_text(struct object *code, int line, char *text, size_t *bytes)
{
    bool told = false;
    struct object *file_object = NULL, *function_object = NULL;
    const char *file = text_of(code, "co_filename", &file_object);
    const char *function = text_of(code, "co_name", &function_object);
    if (file && function && !is_inner(file)) {
        int length = snprintf(text, MOST_BYTES, "%s:%d\n%s", file, line, function);
        told = length > 0 && length < MOST_BYTES;
        *bytes = (size_t)length;
    }
    if (function_object) {
        python.release(function_object);
    }
    if (file_object) {
        python.release(file_object);
    }
    return told;
}

/* The lines of the last calls. An entry keeps its code object alive, so that no other can get its
 * address. Entries are never freed, because freeing code may run some. */
enum { LOG2_REMEMBERED = 8 };
static struct {
    struct object *code;
    int line;
    uint64_t frame;
} remembered[1 << LOG2_REMEMBERED];

/* Returns the registry's frame for one of the interpreter; 0 if there is none. */
static uint64_t frame_of(struct object *frame)
{
    struct object *code = python.frame_code(frame);
    int line = python.frame_line(frame);
    uint64_t hash = (st_address(code) + (uint64_t)line) * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t at = hash >> (64 - LOG2_REMEMBERED);
    uint64_t told = 0;
    if (remembered[at].code == code && remembered[at].line == line) {
        told = remembered[at].frame;
    } else {
        char text[MOST_BYTES];
        size_t bytes = 0;
        if (frame_text(code, line, text, &bytes)) {
            told = intern_text(text, bytes);
        }
        if (!remembered[at].code) {
            python.keep(code);
            remembered[at].code = code;
            remembered[at].line = line;
            remembered[at].frame = told;
        }
    }
    python.release(code);
    return told;
}

static unsigned walk_frames(uint64_t *frames, unsigned most)
{
    unsigned count = 0;
    struct object *frame = python.frame(); /* borrowed; references to all outer frames are ours */
    for (bool ours = false; frame && count < most; ours = true) {
        uint64_t told = frame_of(frame);
        if (told) {
            frames[count++] = told;
        }
        struct object *further = count < most ? python.frame_back(frame) : NULL;
        if (ours) {
            python.release(frame);
        }
        frame = further;
    }
    return count;
}

static atomic_bool busy;

/* The caller must have set `busy`. */
static bool is_found(void)
{
    static enum { NOT_LOOKED, FOUND, MISSING } state;
    if (state == NOT_LOOKED) {
        state = find_interpreter() ? FOUND : MISSING;
    }
    return state == FOUND;
}

/* Returns true if this thread may take the lock, and does not have it yet. A thread that asks for
 * it while the interpreter ends would be ended. */
static bool may_enter(void)
{
    if (atomic_exchange(&busy, true)) {
        return false;
    }
    bool found = is_found();
    atomic_store(&busy, false);
    return found && python.is_initialized() && python.thread() && !python.has_lock() &&
           !python.is_ending();
}

bool st_python_enter(int *state)
{
    if (!may_enter()) {
        return false;
    }
    *state = python.enter();
    return true;
}

bool st_python_enter_alone(int *state)
{
    if (!may_enter()) {
        return false;
    }
    /* Only this thread could create another thread of the interpreter. */
    void *own = python.thread(), *first = python.first_thread(python.interpreter(own));
    if (first != own || python.next_thread(own)) {
        return false;
    }
    *state = python.enter();
    return true;
}

void st_python_leave(int state)
{
    python.leave(state);
}

unsigned st_python_frames(uint64_t *frames, unsigned most)
{
    unsigned count = 0;
    /* The interpreter's lock lets only one thread in; but an interpreter without such a lock lets
     * several in. */
    if (atomic_exchange(&busy, true)) {
        return 0;
    }
    if (is_found() && python.is_initialized() && python.has_lock() && !python.error()) {
        int was_collecting = python.stop_collecting();
        count = walk_frames(frames, most);
        if (was_collecting) {
            python.collect();
        }
    }
    atomic_store(&busy, false);
    return count;
}
