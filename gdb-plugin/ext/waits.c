/* Who waits for whom, and who can never go on (core/waits), as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/waits/describe.h"
#include "core/waits/deaths.h"

static PyTypeObject *death_type, *waiting_type, *part_type;

bool ext_add_waits(PyObject *module)
{
    static PyStructSequence_Field death_fields[] = {
        {"kind", NULL}, {"ranks", NULL}, {"missing", NULL}, {"behind", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc death = {"_mpipp.Death", "Ranks that can never go on.",
                                          death_fields, 4};
    static PyStructSequence_Field waiting_fields[] = {
        {"rank", NULL},   {"presence", NULL}, {"function", NULL}, {"call", NULL},
        {"thread", NULL}, {"parts", NULL},    {NULL, NULL}};
    static PyStructSequence_Desc waiting = {"_mpipp.Waiting", "What a rank waits for.",
                                            waiting_fields, 6};
    static PyStructSequence_Field part_fields[] = {
        {"text", NULL}, {"function", NULL}, {"site", NULL}, {"missing", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc part = {"_mpipp.WaitPart", "An operation that a call waits for.",
                                         part_fields, 4};
    death_type = PyStructSequence_NewType(&death);
    waiting_type = PyStructSequence_NewType(&waiting);
    part_type = PyStructSequence_NewType(&part);
    return death_type && waiting_type && part_type &&
           PyModule_AddObjectRef(module, "Death", (PyObject *)death_type) == 0 &&
           PyModule_AddObjectRef(module, "Waiting", (PyObject *)waiting_type) == 0 &&
           PyModule_AddObjectRef(module, "WaitPart", (PyObject *)part_type) == 0;
}

struct job {
    struct st_wait_rank *ranks;
    size_t count;
};

static void free_job(struct job *job)
{
    for (size_t i = 0; i < job->count; i++) {
        st_wait_rank_free(&job->ranks[i]);
    }
    free(job->ranks);
}

/* --- reading ------------------------------------------------------------------------------- */

static bool is_known_thread(const struct st_wait_rank *rank, uint64_t id)
{
    for (size_t i = 0; i < rank->thread_count; i++) {
        if (rank->threads[i].id == id) {
            return true;
        }
    }
    for (uint32_t i = 0; i < rank->progress.own_count && i < ST_OWN_THREADS; i++) {
        if (rank->progress.own[i] == id) {
            return true;
        }
    }
    return false;
}

/* Whether a thread may call MPI some time, and is not known to be in a call now. -1: an exception is set. */
static int has_other_threads(const struct st_wait_rank *rank, PyObject *threads)
{
    enum { FUNNELED = 2 };
    if (rank->progress.level != 0 && rank->progress.level <= FUNNELED) {
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

/* False, with an exception. */
static bool read_rank(PyObject *given, struct st_wait_rank *rank)
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
    int others = has_other_threads(rank, threads);
    rank->is_stuck = !others;
    return others >= 0;
}

/* False, with an exception: what was read is in *job all the same. */
static bool read_job(PyObject *given, struct job *job)
{
    size_t count = (size_t)PyList_GET_SIZE(given);
    job->ranks = calloc(count + 1, sizeof *job->ranks);
    if (!job->ranks) {
        PyErr_NoMemory();
        return false;
    }
    while (job->count < count) {
        struct st_wait_rank *rank = &job->ranks[job->count];
        if (!read_rank(PyList_GET_ITEM(given, (Py_ssize_t)job->count++), rank)) {
            return false;
        }
    }
    return true;
}

/* --- as Python has it ---------------------------------------------------------------------- */

static PyObject *indices(const uint32_t *list, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *number = PyLong_FromUnsignedLong(list[i]);
        if (!number) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, number);
    }
    return tuple;
}

static PyObject *death_new(const struct st_death *death)
{
    PyObject *items[] = {
        PyUnicode_FromString(death->kind == ST_DEATH_MISSING ? "missing" : "cycle"),
        indices(death->ranks, death->rank_count),
        indices(death->missing, death->missing_count),
        indices(death->behind, death->behind_count),
    };
    return ext_tuple(death_type, items, sizeof items / sizeof *items);
}

struct missing {
    uint32_t *list;
    size_t count;
};

static void add_missing(uint32_t index, void *context)
{
    struct missing *missing = context;
    missing->list[missing->count++] = index;
}

static PyObject *missing_of(const struct job *job, const struct st_wait_rank *rank,
                            const struct st_wait_part *part)
{
    struct missing missing = {calloc(job->count + 1, sizeof *missing.list), 0};
    if (!missing.list) {
        return PyErr_NoMemory();
    }
    if (part->sort == ST_WAIT_COLLECTIVE) {
        st_wait_missing(job->ranks, job->count, rank, part, add_missing, &missing);
    }
    PyObject *tuple = indices(missing.list, missing.count);
    free(missing.list);
    return tuple;
}

static PyObject *part_new(const struct job *job, const struct st_wait_rank *rank,
                          const struct st_wait_part *part)
{
    char text[ST_DESCRIBED];
    const char *function = part->is_request ? part->function : "";
    st_describe_wait(rank, part, text, sizeof text);
    PyObject *items[] = {
        ext_text(text, strlen(text)),
        ext_text(function, strlen(function)),
        PyLong_FromLongLong(part->site == ST_NO_SITE ? -1 : (long long)part->site),
        missing_of(job, rank, part),
    };
    return ext_tuple(part_type, items, sizeof items / sizeof *items);
}

static PyObject *parts_of(const struct job *job, const struct st_wait_rank *rank,
                          const struct st_wait_thread *thread)
{
    size_t count = thread ? thread->count : 0;
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *one = part_new(job, rank, &rank->parts[thread->first + i]);
        if (!one) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
    }
    return tuple;
}

static PyObject *waiting_new(const struct job *job, const struct st_wait_rank *rank)
{
    const struct st_wait_thread *thread = NULL;
    char call[ST_DESCRIBED] = "";
    for (size_t i = 0; i < rank->thread_count && !thread; i++) {
        thread = rank->threads[i].in_call ? &rank->threads[i] : NULL;
    }
    if (thread) {
        st_describe_call(rank, thread, call, sizeof call);
    }
    PyObject *items[] = {
        PyLong_FromLong(rank->world_rank),
        PyUnicode_FromString(
            rank->presence == ST_WAIT_PRESENT ? "" : st_describe_presence(rank->presence)),
        ext_text(thread ? thread->function : "", thread ? strlen(thread->function) : 0),
        ext_text(call, strlen(call)),
        PyLong_FromUnsignedLongLong(thread ? thread->id : 0),
        parts_of(job, rank, thread),
    };
    return ext_tuple(waiting_type, items, sizeof items / sizeof *items);
}

static PyObject *deaths_of(const struct st_deaths *found)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < found->count; i++) {
        PyObject *one = death_new(&found->list[i]);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

static PyObject *waitings_of(const struct job *job)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < job->count; i++) {
        PyObject *one = waiting_new(job, &job->ranks[i]);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

PyObject *ext_deadlocks(PyObject *Py_UNUSED(module), PyObject *given)
{
    PyObject *result = NULL;
    struct job job = {0};
    struct st_deaths found = {0};
    if (!PyList_Check(given)) {
        return PyErr_Format(PyExc_TypeError, "a list of ranks is wanted");
    }
    if (read_job(given, &job)) {
        if (!st_deaths_find(job.ranks, job.count, &found)) {
            PyErr_NoMemory();
        } else {
            PyObject *deaths = deaths_of(&found), *waitings = waitings_of(&job);
            result = deaths && waitings ? PyTuple_Pack(2, deaths, waitings) : NULL;
            Py_XDECREF(deaths);
            Py_XDECREF(waitings);
            st_deaths_free(&found);
        }
    }
    free_job(&job);
    return result;
}
