/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

static int registry_init(PyObject *object, PyObject *args, PyObject *keywords)
{
    ExtRegistry *self = (ExtRegistry *)object;
    static char *names[] = {"read", "root", NULL};
    PyObject *read;
    unsigned long long root;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "OO&", names, &read, ext_address, &root)) {
        return -1;
    }
    if (self->registry) {
        PyErr_SetString(PyExc_TypeError, "a Registry is initialized once");
        return -1;
    }
    self->reader.callable = Py_NewRef(read);
    struct st_fault fault = {0};
    if (st_registry_open(&self->registry, ext_read, &self->reader, root, &fault)) {
        ext_raise(&fault);
        return -1;
    }
    return 0;
}

static int registry_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(((ExtRegistry *)object)->reader.callable);
    Py_VISIT(((ExtRegistry *)object)->listing);
    return 0;
}

static int registry_clear(PyObject *object)
{
    Py_CLEAR(((ExtRegistry *)object)->reader.callable);
    Py_CLEAR(((ExtRegistry *)object)->listing);
    return 0;
}

static void registry_dealloc(PyObject *object)
{
    ExtRegistry *self = (ExtRegistry *)object;
    PyObject_GC_UnTrack(object);
    st_registry_close(self->registry);
    ext_indexes_release(self->indexes);
    registry_clear(object);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *refresh_registry(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    bool changed;
    return ext_refresh((ExtRegistry *)object, &changed) ? PyBool_FromLong(changed) : NULL;
}

static PyObject *forget_types(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    if (!ext_usable(self)) {
        return NULL;
    }
    Py_CLEAR(self->listing);
    if (st_registry_forget(self->registry, &fault)) {
        return ext_raise(&fault);
    }
    Py_RETURN_NONE;
}

static PyObject *find_type(PyObject *object, PyObject *argument)
{
    ExtRegistry *self = (ExtRegistry *)object;
    const struct st_type *type;
    struct st_fault fault = {0};
    unsigned long long handle = PyLong_AsUnsignedLongLong(argument);
    if (PyErr_Occurred() || !ext_usable(self)) {
        return NULL;
    }
    switch (st_registry_find(self->registry, handle, &type, &fault)) {
    case ST_LIVE:
        return Py_BuildValue("(sN)", "live", ext_type_of_now(self, type));
    case ST_TOMBSTONE:
        return Py_BuildValue("(sN)", "freed", ext_type_of_now(self, type));
    case ST_UNKNOWN_HANDLE:
        return Py_BuildValue("(sO)", "unknown", Py_None);
    case ST_FIND_FAILED:
        break;
    }
    return ext_raise(&fault);
}

static PyObject *node(PyObject *object, PyObject *args)
{
    ExtRegistry *self = (ExtRegistry *)object;
    const struct st_type *type;
    struct st_fault fault = {0};
    unsigned int ordinal;
    unsigned long long serial;
    if (!PyArg_ParseTuple(args, "IK", &ordinal, &serial) || !ext_usable(self)) {
        return NULL;
    }
    if (st_registry_type(self->registry, ordinal, serial, &type, &fault)) {
        return ext_raise(&fault);
    }
    return ext_type_of_now(self, type);
}

static PyObject *site(PyObject *object, PyObject *argument)
{
    long long index = PyLong_AsLongLong(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    return ext_site((ExtRegistry *)object,
                    index < 0 || index >= ST_NO_SITE ? ST_NO_SITE : (uint32_t)index);
}

/* Returns the reports as (JSON text, count), oldest first. */
static PyObject *reports(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    bool changed;
    if (!ext_refresh(self, &changed)) {
        return NULL;
    }
    const struct st_root root = *st_registry_root(self->registry);
    uint64_t address = root.reports, count;
    PyObject *list = PyList_New(0);
    for (uint64_t i = 1; list && i <= root.report_count; i++) {
        char *json;
        if (st_registry_report(self->registry, &address, (uint32_t)i, &json, &count, &fault)) {
            Py_DECREF(list);
            return ext_raise(&fault);
        }
        PyObject *text = PyUnicode_DecodeUTF8(json, (Py_ssize_t)strlen(json), "replace");
        free(json);
        PyObject *pair = text ? Py_BuildValue("(NK)", text, (unsigned long long)count) : NULL;
        if (!pair || PyList_Append(list, pair) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    return list;
}

/* --- facts ------------------------------------------------------------------------------------ */

/* Returns NULL, with an exception, if it was never opened. */
static const struct st_root *root_of(PyObject *object)
{
    const ExtRegistry *self = (ExtRegistry *)object;
    return ext_usable(self) ? st_registry_root(self->registry) : NULL;
}

static PyObject *get_mpi(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_root *root = root_of(object);
    return root ? PyUnicode_FromString(root->mpi == ST_MPI_MPICH ? "MPICH" : "Open MPI") : NULL;
}

static PyObject *get_mpi_version(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_root *root = root_of(object);
    if (!root) {
        return NULL;
    }
    size_t length = strnlen(root->mpi_version, sizeof root->mpi_version);
    return ext_text(root->mpi_version, length);
}

static PyObject *get_state(PyObject *object, void *Py_UNUSED(closure))
{
    static const char *const names[] = {"loaded", "initialized", "finalized"};
    const struct st_root *root = root_of(object);
    if (!root) {
        return NULL;
    }
    uint32_t state = root->state;
    return PyUnicode_FromString(state < 3 ? names[state] : "unknown");
}

static PyObject *get_world(PyObject *object, void *closure)
{
    const struct st_root *root = root_of(object);
    if (!root) {
        return NULL;
    }
    int32_t number = closure ? root->world_size : root->world_rank;
    return number < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(number);
}

enum fact {
    HANDLE_BYTES,
    POINTER_BYTES,
    LIVE,
    TYPES_BYTES,
    RING_BYTES,
    MAPPED_BYTES,
    READS,
    BYTES,
    WORLD
};

static PyObject *get_fact(PyObject *object, void *closure)
{
    const ExtRegistry *self = (ExtRegistry *)object;
    const struct st_root *root = root_of(object);
    if (!root) {
        return NULL;
    }
    uint64_t facts[] = {
        [HANDLE_BYTES] = root->handle_bytes,
        [POINTER_BYTES] = root->pointer_bytes,
        [LIVE] = root->live,
        [TYPES_BYTES] = root->types_bytes,
        [RING_BYTES] = root->ring_bytes,
        [MAPPED_BYTES] = root->mapped_bytes,
        [READS] = self->reader.reads,
        [BYTES] = self->reader.bytes,
        [WORLD] = root->world,
    };
    return PyLong_FromUnsignedLongLong(facts[(intptr_t)closure]);
}

static PyGetSetDef getters[] = {
    {"damage", ext_get_damage, NULL, NULL, NULL},
    {"mpi", get_mpi, NULL, NULL, NULL},
    {"mpi_version", get_mpi_version, NULL, NULL, NULL},
    {"state", get_state, NULL, NULL, NULL},
    {"world_rank", get_world, NULL, NULL, NULL},
    {"world_size", get_world, NULL, NULL, (void *)1},
    {"handle_bytes", get_fact, NULL, NULL, (void *)HANDLE_BYTES},
    {"pointer_bytes", get_fact, NULL, NULL, (void *)POINTER_BYTES},
    {"live", get_fact, NULL, NULL, (void *)LIVE},
    {"types_bytes", get_fact, NULL, NULL, (void *)TYPES_BYTES},
    {"ring_bytes", get_fact, NULL, NULL, (void *)RING_BYTES},
    {"mapped_bytes", get_fact, NULL, NULL, (void *)MAPPED_BYTES},
    {"reads", get_fact, NULL, NULL, (void *)READS},
    {"bytes_read", get_fact, NULL, NULL, (void *)BYTES},
    {"world", get_fact, NULL, NULL, (void *)WORLD},
    {"arrival", ext_get_arrival, NULL, NULL, NULL},
    {"status", ext_get_status, NULL, NULL, NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"refresh", refresh_registry, METH_NOARGS, NULL},
    {"forget", forget_types, METH_NOARGS, NULL},
    {"find", find_type, METH_O, NULL},
    {"node", node, METH_VARARGS, NULL},
    {"named", ext_named, METH_O, NULL},
    {"from_fortran", ext_from_fortran, METH_O, NULL},
    {"predefined", ext_predefined, METH_NOARGS, NULL},
    {"types", ext_types, METH_NOARGS, NULL},
    {"site", site, METH_O, NULL},
    {"reports", reports, METH_NOARGS, NULL},
    {"threads", ext_threads, METH_NOARGS, NULL},
    {"form", ext_form, METH_O, NULL},
    {"form_of", ext_form_of, METH_O, NULL},
    {"describe", ext_describe, METH_VARARGS, NULL},
    {"names", ext_names, METH_NOARGS, NULL},
    {"operations", ext_operations, METH_NOARGS, NULL},
    {"object", ext_object, METH_VARARGS, NULL},
    {"objects", ext_objects, METH_VARARGS, NULL},
    {"epochs", ext_epochs, METH_NOARGS, NULL},
    {"collectives", ext_collectives, METH_NOARGS, NULL},
    {"since", ext_since, METH_O, NULL},
    {"messages", ext_messages, METH_NOARGS, NULL},
    {0},
};

PyTypeObject ext_registry_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Registry",
    .tp_doc = "The registry of one rank, decoded on demand and cached until it changes.",
    .tp_basicsize = sizeof(ExtRegistry),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = PyType_GenericNew,
    .tp_init = registry_init,
    .tp_traverse = registry_traverse,
    .tp_clear = registry_clear,
    .tp_dealloc = registry_dealloc,
    .tp_methods = methods,
    .tp_getset = getters,
};
