/* SPDX-License-Identifier: BSD-3-Clause */
/* The collective calls of a rank (core/agree/log.h, core/waits/state.h), as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <string.h>

#include "core/agree/log.h"
#include "core/waits/state.h"

static PyTypeObject *collectives_type, *counted_type, *logged_type, *waiting_type;

bool ext_add_collectives(PyObject *module)
{
    static PyStructSequence_Field all[] = {
        {"comms", NULL}, {"waiting", NULL}, {"calls", NULL}, {NULL, NULL}};
    static PyStructSequence_Field counted[] = {{"kind", NULL}, {"handle", NULL}, {"id", NULL},
                                               {"key", NULL},  {"begun", NULL},  {"name", NULL},
                                               {"size", NULL}, {"inter", NULL},  {NULL, NULL}};
    static PyStructSequence_Field logged[] = {{"comm", NULL}, {"number", NULL}, {"function", NULL},
                                              {"text", NULL}, {"digest", NULL}, {"frames", NULL},
                                              {NULL, NULL}};
    static PyStructSequence_Field waiting[] = {
        {"comm", NULL}, {"number", NULL}, {"function", NULL}, {"thread", NULL}, {NULL, NULL}};
    static struct {
        PyTypeObject **type;
        const char *name;
        PyStructSequence_Desc description;
    } types[] = {
        {&collectives_type,
         "Collectives",
         {"_mpipp.Collectives", "The collective calls of a rank.", all, 3}},
        {&counted_type,
         "Counted",
         {"_mpipp.Counted", "A communicator and its collective calls.", counted, 8}},
        {&logged_type, "LoggedCall", {"_mpipp.LoggedCall", "A collective call.", logged, 6}},
        {&waiting_type,
         "WaitingFor",
         {"_mpipp.WaitingFor", "A collective call that a thread waits in.", waiting, 4}},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        *types[i].type = PyStructSequence_NewType(&types[i].description);
        if (!*types[i].type ||
            PyModule_AddObjectRef(module, types[i].name, (PyObject *)*types[i].type) < 0) {
            return false;
        }
    }
    return true;
}

struct collectives {
    ExtRegistry *registry;
    struct st_wait_rank rank;
    struct st_call_log log;
};

/* Returns a tuple of `count` items. `item` makes item number `index`; it returns NULL with an
 * exception if it cannot. */
static PyObject *tuple_of(const struct collectives *of, size_t count,
                          PyObject *(*item)(const struct collectives *of, size_t index))
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *one = item(of, i);
        if (!one) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
    }
    return tuple;
}

static PyObject *counted_new(const struct collectives *of, size_t index)
{
    const struct st_wait_comm *comm = &of->rank.comms[index];
    const bool is_logged = of->log.is_there && comm->id;
    PyObject *items[] = {
        PyUnicode_FromString(comm->kind == ST_KIND_WIN    ? "MPI_Win"
                             : comm->kind == ST_KIND_FILE ? "MPI_File"
                                                          : "MPI_Comm"),
        PyLong_FromUnsignedLongLong(comm->handle),
        PyLong_FromUnsignedLongLong(comm->id),
        PyLong_FromUnsignedLongLong(is_logged ? st_call_log_comm(&of->log, comm->id) : 0),
        PyLong_FromUnsignedLongLong(comm->begun),
        ext_text(comm->name, strlen(comm->name)),
        comm->size < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(comm->size),
        PyBool_FromLong(comm->is_inter),
    };
    return ext_tuple(counted_type, items, sizeof items / sizeof *items);
}

static PyObject *logged_new(const struct collectives *of, size_t index)
{
    const struct st_logged_call *call = &of->log.calls[index];
    struct st_fault fault = {0};
    uint64_t frames[64];
    size_t count;
    char text[ST_CALL_TEXT];
    if (st_call_log_site(of->registry->registry, &of->log, call, frames, 64, &count, &fault)) {
        return ext_raise(&fault);
    }
    st_call_log_text(&of->log, call, text);
    PyObject *items[] = {
        PyLong_FromUnsignedLongLong(call->call.comm),
        PyLong_FromUnsignedLongLong(call->call.number),
        ext_text(call->function, strlen(call->function)),
        ext_text(text, strlen(text)),
        PyLong_FromUnsignedLongLong(st_collective_digest(&call->call)),
        ext_frames(of->registry, frames, count),
    };
    return ext_tuple(logged_type, items, sizeof items / sizeof *items);
}

/* --- waiting -------------------------------------------------------------------------------- */

static bool is_waited_for(const struct st_wait_part *part)
{
    return part->sort == ST_WAIT_COLLECTIVE && part->comm != ST_NO_COMM && !part->is_complete;
}

static PyObject *waiting_new(const struct st_wait_thread *thread, const struct st_wait_part *part)
{
    PyObject *items[] = {
        PyLong_FromSize_t(part->comm),
        PyLong_FromUnsignedLongLong(part->n),
        ext_text(part->function, strlen(part->function)),
        PyLong_FromUnsignedLongLong(thread->id),
    };
    return ext_tuple(waiting_type, items, sizeof items / sizeof *items);
}

static PyObject *waiting_of(const struct st_wait_rank *rank)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < rank->thread_count; i++) {
        const struct st_wait_thread *thread = &rank->threads[i];
        for (size_t k = 0; list && thread->in_call && k < thread->count; k++) {
            const struct st_wait_part *part = &rank->parts[thread->first + k];
            PyObject *one = is_waited_for(part) ? waiting_new(thread, part) : NULL;
            if (one ? PyList_Append(list, one) < 0 : PyErr_Occurred() != NULL) {
                Py_CLEAR(list);
            }
            Py_XDECREF(one);
        }
    }
    PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

/* --- all ------------------------------------------------------------------------------------ */

PyObject *ext_collectives(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    struct collectives of = {.registry = (ExtRegistry *)object};
    struct st_fault fault = {0};
    bool changed;
    if (!ext_refresh(of.registry, &changed)) {
        return NULL;
    }
    struct st_registry *registry = of.registry->registry;
    PyObject *result = NULL;
    if (st_wait_read(registry, ext_read, &of.registry->reader, &of.rank, &fault) ||
        st_call_log_read(registry, &of.log, &fault)) {
        ext_raise(&fault);
    } else {
        PyObject *items[] = {
            tuple_of(&of, of.rank.comm_count, counted_new),
            waiting_of(&of.rank),
            of.log.is_there ? tuple_of(&of, of.log.count, logged_new) : Py_NewRef(Py_None),
        };
        result = ext_tuple(collectives_type, items, sizeof items / sizeof *items);
    }
    st_call_log_free(&of.log);
    st_wait_rank_free(&of.rank);
    return result;
}
