/* SPDX-License-Identifier: BSD-3-Clause */
/* Who waits for whom, and who can never go on (core/waits), as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/messages.h"
#include "core/waits/told.h"

static PyTypeObject *death_type, *call_type;

bool ext_add_waits(PyObject *module)
{
    static PyStructSequence_Field death_fields[] = {
        {"subject", NULL}, {"message", NULL}, {"calls", NULL}, {"behind", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc death = {"_mpipp.Death", "Ranks that can never go on.",
                                          death_fields, 4};
    static PyStructSequence_Field call_fields[] = {{"who", NULL},   {"call", NULL}, {"place", NULL},
                                                   {"waits", NULL}, {"line", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc call = {"_mpipp.WaitingCall", "A call that ranks wait in.",
                                         call_fields, 5};
    death_type = PyStructSequence_NewType(&death);
    call_type = PyStructSequence_NewType(&call);
    return death_type && call_type &&
           PyModule_AddObjectRef(module, "Death", (PyObject *)death_type) == 0 &&
           PyModule_AddObjectRef(module, "WaitingCall", (PyObject *)call_type) == 0;
}

struct job {
    struct st_wait_rank *ranks;
    ExtRegistry **given; /* borrowed */
    struct st_registry **registries;
    struct st_wait_messages messages;
    struct st_wait_worlds worlds;
    size_t count;
    PyObject *place; /* a callable */
};

static void free_job(struct job *job)
{
    for (size_t i = 0; i < job->count; i++) {
        st_wait_rank_free(&job->ranks[i]);
    }
    free(job->ranks);
    free(job->given);
    free(job->registries);
    free((void *)(uintptr_t)job->worlds.names);
    st_wait_messages_free(&job->messages);
}

/* --- reading ------------------------------------------------------------------------------- */

static bool is_known_thread(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].id == id) {
            return true;
        }
    }
    const struct st_progress *progress = rank->progress;
    for (uint32_t i = 0; progress && i < progress->own_count && i < ST_OWN_THREADS; i++) {
        if (progress->own[i] == id) {
            return true;
        }
    }
    return false;
}

/* Returns whether there is a thread that may call MPI, and is not known to be in a call now; -1
 * with an exception set. */
static int has_other_threads(const struct st_wait_rank *rank, PyObject *threads)
{
    enum { FUNNELED = 2 };
    if (rank->progress && rank->progress->level != 0 && rank->progress->level <= FUNNELED) {
        return 0;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(threads); i++) {
        uint64_t id;
        if (!ext_address(PyTuple_GET_ITEM(threads, i), &id)) {
            return -1;
        }
        if (!is_known_thread(rank, id)) {
            return 1;
        }
    }
    return PyTuple_GET_SIZE(threads) == 0;
}

/* Returns false with an exception set. */
static bool read_rank(PyObject *given, struct st_wait_rank *rank, ExtRegistry **opened)
{
    ExtRegistry *registry;
    PyObject *threads;
    struct st_fault fault = {0};
    bool changed;
    rank->is_stuck = true;
    if (!PyTuple_Check(given)) {
        PyErr_Format(PyExc_TypeError, "a rank is a registry and its threads");
        return false;
    }
    if (!PyArg_ParseTuple(given, "O!O!", &ext_registry_type, &registry, &PyTuple_Type, &threads) ||
        !ext_refresh(registry, &changed)) {
        return false;
    }
    if (st_wait_read(registry->registry, ext_read, &registry->reader, rank, &fault)) {
        ext_raise(&fault);
        return false;
    }
    *opened = registry;
    int others = has_other_threads(rank, threads);
    rank->is_stuck = !others;
    return others >= 0;
}

/* Returns false with an exception set; *job then has what was read so far. */
static bool read_job(PyObject *given, struct job *job)
{
    size_t count = (size_t)PyList_GET_SIZE(given);
    job->ranks = calloc(count + 1, sizeof *job->ranks);
    job->registries = calloc(count + 1, sizeof *job->registries);
    job->given = calloc(count + 1, sizeof *job->given);
    if (!job->ranks || !job->given || !job->registries) {
        PyErr_NoMemory();
        return false;
    }
    while (job->count < count) {
        struct st_wait_rank *rank = &job->ranks[job->count];
        ExtRegistry **registry = &job->given[job->count];
        if (!read_rank(PyList_GET_ITEM(given, (Py_ssize_t)job->count), rank, registry)) {
            job->count++;
            return false;
        }
        job->registries[job->count++] = (*registry)->registry;
    }
    const struct st_wait_source source = {.registries = job->registries};
    if (!st_wait_messages_read(job->ranks, &source, count, &job->messages)) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        job->ranks[i].messages = &job->messages;
        job->ranks[i].worlds = &job->worlds;
    }
    return true;
}

/* Returns false with an exception set. */
static bool read_worlds(PyObject *given, struct st_wait_worlds *worlds)
{
    const size_t count = (size_t)PyTuple_GET_SIZE(given);
    uint64_t *names = calloc(count + 1, sizeof *names);
    worlds->names = names;
    if (!names) {
        PyErr_NoMemory();
        return false;
    }
    for (; worlds->count < count; worlds->count++) {
        if (!ext_address(PyTuple_GET_ITEM(given, (Py_ssize_t)worlds->count),
                         &names[worlds->count])) {
            return false;
        }
    }
    return true;
}

/* --- places -------------------------------------------------------------------------------- */

/* Returns the text that Python gives. After an exception, which stays set, Python is not called
 * again. */
static char *place_of(void *context, const struct st_told_spot *spot)
{
    const struct job *job = context;
    const struct st_wait_part *part = spot->part;
    if (PyErr_Occurred()) {
        return NULL;
    }
    char function[ST_FUNCTION_BYTES] = "";
    if (spot->sent) {
        st_wait_sent_function(&job->messages, spot->sent, function);
    } else if (part) {
        memcpy(function, part->function, sizeof function);
    }
    PyObject *frames =
        spot->sent ? ext_sent_frames(job->given[spot->rank], &job->messages, spot->sent) : NULL;
    PyObject *text = PyObject_CallFunction(
        job->place, "kKLsOO", (unsigned long)spot->rank, (unsigned long long)spot->thread->id,
        part && part->site != ST_NO_SITE ? (long long)part->site : -1LL, function,
        spot->is_short ? Py_True : Py_False, frames ? frames : Py_None);
    Py_XDECREF(frames);
    const char *bytes = text ? PyUnicode_AsUTF8(text) : NULL;
    char *copy = bytes ? strdup(bytes) : NULL;
    Py_XDECREF(text);
    return copy;
}

/* --- results for Python -------------------------------------------------------------------- */

static PyObject *text_of(const char *text)
{
    return ext_text(text, strlen(text));
}

static PyObject *calls_of(const struct st_told_calls *calls)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)calls->count);
    for (size_t i = 0; tuple && i < calls->count; i++) {
        const struct st_told_call *call = &calls->list[i];
        PyObject *items[] = {text_of(call->who), text_of(call->call), text_of(call->place),
                             text_of(call->waits), text_of(call->line)};
        PyObject *one = ext_tuple(call_type, items, sizeof items / sizeof *items);
        if (!one) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
    }
    return tuple;
}

static PyObject *death_new(const struct job *job, const struct st_death *death)
{
    struct st_told_text told;
    const struct st_told_job given = {.ranks = job->ranks,
                                      .count = job->count,
                                      .place = place_of,
                                      .context = (void *)(uintptr_t)job};
    if (!st_told_death(&given, death, &told)) {
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    PyObject *one = NULL;
    if (!PyErr_Occurred()) {
        PyObject *items[] = {text_of(told.subject), text_of(told.message), calls_of(&told.calls),
                             calls_of(&told.behind)};
        one = ext_tuple(death_type, items, sizeof items / sizeof *items);
    }
    st_told_free(&told);
    return one;
}

static PyObject *deaths_of(const struct job *job, const struct st_deaths *found)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < found->count; i++) {
        PyObject *one = death_new(job, &found->list[i]);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

/* Returns a list of numbers as "ranks 0-3,7". */
PyObject *ext_named_ranks(PyObject *Py_UNUSED(module), PyObject *given)
{
    PyObject *list = PySequence_List(given), *result = NULL;
    Py_ssize_t count = list ? PyList_GET_SIZE(list) : 0;
    int32_t *numbers = list ? malloc(((size_t)count + 1) * sizeof *numbers) : NULL;
    for (Py_ssize_t i = 0; numbers && i < count && !PyErr_Occurred(); i++) {
        numbers[i] = (int32_t)PyLong_AsLong(PyList_GET_ITEM(list, i));
    }
    if (list && !count) {
        PyErr_SetString(PyExc_ValueError, "no rank is given");
    }
    char *text = numbers && !PyErr_Occurred() ? st_told_numbers(numbers, (size_t)count) : NULL;
    if (text) {
        result = text_of(text);
    } else if (!PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    free(text);
    free(numbers);
    Py_XDECREF(list);
    return result;
}

PyObject *ext_deadlocks(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *result = NULL, *given, *worlds;
    struct job job = {0};
    struct st_deaths found = {0};
    if (!PyArg_ParseTuple(arguments, "O!O!O", &PyList_Type, &given, &PyTuple_Type, &worlds,
                          &job.place)) {
        return NULL;
    }
    if (read_worlds(worlds, &job.worlds) && read_job(given, &job)) {
        if (!st_deaths_find(job.ranks, job.count, &found)) {
            PyErr_NoMemory();
        } else {
            result = deaths_of(&job, &found);
            st_deaths_free(&found);
        }
    }
    free_job(&job);
    return result;
}
