/* SPDX-License-Identifier: BSD-3-Clause */
/* The epochs of windows that a rank is in (struct st_win_epochs of core/model/registry.h), as named tuples; see
 * _mpipp.pyi. */
#include "ext.h"

#include <string.h>

static PyTypeObject *epoch_type;

bool ext_add_epochs(PyObject *module)
{
    static PyStructSequence_Field fields[] = {{"kind", NULL},      {"function", NULL},
                                              {"site", NULL},      {"targets", NULL},
                                              {"exclusive", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc epoch = {"_mpipp.Epoch", "An epoch of a window.", fields, 5};
    epoch_type = PyStructSequence_NewType(&epoch);
    return epoch_type && PyModule_AddObjectRef(module, "Epoch", (PyObject *)epoch_type) == 0;
}

struct epochs {
    struct st_registry *registry;
    const struct st_communicator *window;
    PyObject *list;
};

static bool is_started(const struct st_win_peer *peer)
{
    return peer->started != peer->completed;
}

/* Returns the targets of MPI_Win_start; an empty list for other epochs. NULL with an exception set. */
static PyObject *targets_of(const struct epochs *of, bool has_targets)
{
    PyObject *targets = PyList_New(0);
    int32_t size = has_targets && of->window->peers ? of->window->comm.group.size : 0;
    for (int32_t rank = 0; targets && rank < size; rank++) {
        if (!is_started(&of->window->peers[rank])) {
            continue;
        }
        PyObject *number = PyLong_FromLong(rank);
        bool ok = number && PyList_Append(targets, number) == 0;
        Py_XDECREF(number);
        if (!ok) {
            Py_CLEAR(targets);
        }
    }
    return targets;
}

/* Takes the reference to `targets`. Returns false with an exception set. */
static bool add_epoch(const struct epochs *of, const char *kind, const struct st_epoch_call *call,
                      PyObject *targets, bool is_exclusive)
{
    char function[ST_FUNCTION_BYTES] = "";
    struct st_fault fault = {0};
    enum st_error error =
        call->function == ST_NO_FUNCTION
            ? ST_OK
            : st_registry_function(of->registry, call->function, function, &fault);
    if (error == ST_INTERRUPTED || error == ST_NO_MEMORY) {
        Py_XDECREF(targets);
        ext_raise(&fault);
        return false;
    }
    function[error ? 0 : sizeof function - 1] = 0; /* no name for a damaged function number */
    PyObject *items[] = {
        PyUnicode_FromString(kind),
        ext_text(function, strlen(function)),
        PyLong_FromLongLong(call->site == ST_NO_SITE ? -1 : (long long)call->site),
        targets,
        PyBool_FromLong(is_exclusive),
    };
    PyObject *epoch = ext_tuple(epoch_type, items, sizeof items / sizeof *items);
    bool ok = epoch && PyList_Append(of->list, epoch) == 0;
    Py_XDECREF(epoch);
    return ok;
}

/* Adds an epoch for each locked target, with the call site of its lock. */
static bool add_locks(const struct epochs *of)
{
    const uint32_t any = ST_LOCK_SHARED | ST_LOCK_EXCLUSIVE;
    int32_t size = of->window->peers ? of->window->comm.group.size : 0;
    for (int32_t rank = 0; rank < size; rank++) {
        const struct st_win_peer *peer = &of->window->peers[rank];
        const struct st_epoch_call call = {.site = peer->site,
                                           .function = of->window->comm.epochs.access.function};
        if (peer->lock & any && !add_epoch(of, "lock", &call, Py_BuildValue("[i]", (int)rank),
                                           peer->lock & ST_LOCK_EXCLUSIVE)) {
            return false;
        }
    }
    return true;
}

static bool add_epochs(const struct epochs *of)
{
    const struct st_win_epochs *epochs = &of->window->comm.epochs;
    uint32_t open = epochs->open;
    if (open & ST_EPOCH_LOCK && !add_locks(of)) {
        return false;
    }
    const struct {
        bool is_open;
        const char *kind;
        const struct st_epoch_call *call;
        bool has_targets;
    } others[] = {
        {open & ST_EPOCH_FENCE, "fence", &epochs->fence, false},
        {open & ST_EPOCH_FENCE && open & ST_EPOCH_USED, "used", &epochs->used, false},
        {open & ST_EPOCH_START, "access", &epochs->access, true},
        {open & ST_EPOCH_LOCK_ALL, "lock all", &epochs->access, false},
        {open & ST_EPOCH_POST, "exposure", &epochs->exposure, false},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].is_open && !add_epoch(of, others[i].kind, others[i].call,
                                            targets_of(of, others[i].has_targets), false)) {
            return false;
        }
    }
    return true;
}

/* Adds (handle, [Epoch]). Returns false with an exception set. */
static bool add_window(struct st_registry *registry, const struct st_communicator *window,
                       PyObject *list)
{
    struct epochs of = {registry, window, PyList_New(0)};
    PyObject *pair = of.list && add_epochs(&of)
                         ? Py_BuildValue("(KO)", (unsigned long long)window->comm.handle, of.list)
                         : NULL;
    bool ok = pair && PyList_Append(list, pair) == 0;
    Py_XDECREF(pair);
    Py_XDECREF(of.list);
    return ok;
}

PyObject *ext_epochs(PyObject *registry, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)registry;
    struct st_communicator *comms;
    size_t count;
    struct st_damage damage;
    struct st_fault fault = {0};
    bool changed;
    if (!ext_refresh(self, &changed)) {
        return NULL;
    }
    if (st_registry_comms(self->registry, &comms, &count, &damage, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *list = PyList_New(0);
    bool ok = list;
    for (size_t i = 0; ok && i < count; i++) {
        ok = comms[i].comm.kind != ST_KIND_WIN || add_window(self->registry, &comms[i], list);
    }
    st_communicators_free(comms, count);
    if (!ok) {
        Py_CLEAR(list);
    }
    return list;
}
