/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <stdlib.h>

#include "core/address/children.h"
#include "fold.h"

static ExtPlace *place_new(ExtRegistry *registry, struct st_types *types)
{
    ExtPlace *self = PyObject_New(ExtPlace, &ext_place_type);
    if (self) {
        self->registry = (ExtRegistry *)Py_NewRef((PyObject *)registry);
        self->types = st_types_ref(types);
        self->parent = NULL;
        self->index = 0;
    }
    return self;
}

PyObject *ext_place_new(ExtRegistry *registry, struct st_types *types, const struct st_place *place)
{
    ExtPlace *self = place_new(registry, types);
    if (self) {
        self->place = *place;
    }
    return (PyObject *)self;
}

int ext_count(PyObject *object, void *count)
{
    long long number = object == Py_None ? -1 : PyLong_AsLongLong(object);
    if (PyErr_Occurred()) {
        return 0;
    }
    if (object != Py_None && number < 0) {
        PyErr_Format(ext_error, "the count is negative (%lld)", number);
        return 0;
    }
    *(int64_t *)count = number;
    return 1;
}

struct st_place ext_root(const struct st_type *type, uint64_t address, int64_t count)
{
    return count < 0 ? st_place_of(type, address) : st_place_repeat(type, address, count);
}

static PyObject *place_create(PyTypeObject *Py_UNUSED(cls), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "address", "count", NULL};
    ExtType *type;
    unsigned long long address;
    int64_t count = -1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|O&", names, &ext_type_type, &type,
                                     ext_address, &address, ext_count, &count)) {
        return NULL;
    }
    struct st_place root = ext_root(type->type, address, count);
    return ext_place_new(type->registry, type->types, &root);
}

static void place_dealloc(PyObject *object)
{
    ExtPlace *self = (ExtPlace *)object;
    st_types_release(self->types);
    Py_DECREF(self->registry);
    Py_XDECREF(self->parent);
    PyObject_Free(object);
}

static Py_ssize_t length(PyObject *object)
{
    return (Py_ssize_t)((ExtPlace *)object)->place.count;
}

static PyObject *child(PyObject *object, PyObject *argument)
{
    ExtPlace *self = (ExtPlace *)object;
    long long index = PyLong_AsLongLong(argument);
    struct st_place below;
    if (PyErr_Occurred()) {
        return NULL;
    }
    enum st_error error = st_place_child(&self->place, index, &below);
    if (error == ST_OUT_OF_RANGE) {
        PyErr_SetString(PyExc_IndexError, "no such child");
        return NULL;
    }
    if (error) {
        return ext_raise(&(struct st_fault){.error = error});
    }
    ExtPlace *made = place_new(self->registry, self->types);
    if (made) {
        made->place = below;
        made->parent = (ExtPlace *)Py_NewRef(object);
        made->index = index;
    }
    return (PyObject *)made;
}

#define LARGE (INT64_C(1) << 20) /* bytes */

/* Reads one byte at both ends of a large run: a wrong count must not make us allocate memory. */
static enum st_error touch_pages(const struct st_place *place, struct st_memory *memory,
                                 int64_t start, int64_t stop, struct st_fault *fault)
{
    unsigned char one[ST_MOST_BASIC];
    enum st_error error = st_gather(place, memory, start, start + 1, one, fault);
    return error ? error : st_gather(place, memory, stop - 1, stop, one, fault);
}

static PyObject *gather_runs(PyObject *object, PyObject *args)
{
    ExtPlace *self = (ExtPlace *)object;
    PyObject *callable;
    long long start, stop;
    if (!PyArg_ParseTuple(args, "OLL", &callable, &start, &stop)) {
        return NULL;
    }
    const struct st_type *leaf = self->place.leaf ? self->place.type : st_place_run(&self->place);
    if (!leaf) {
        PyErr_SetString(PyExc_TypeError, "not a run of basic elements");
        return NULL;
    }
    int64_t most = self->place.leaf ? 1 : self->place.count;
    if (start < 0 || stop < start || stop > most) {
        PyErr_SetString(PyExc_IndexError, "no such children");
        return NULL;
    }
    int64_t size = leaf->basic.size < 0 ? 0 : leaf->basic.size, bytes;
    if (__builtin_mul_overflow(stop - start, size, &bytes)) {
        return PyErr_NoMemory();
    }
    struct ext_reader reader = {.callable = callable};
    struct st_memory memory;
    struct st_fault fault = {0};
    PyObject *data = NULL;
    st_memory_init(&memory, ext_read, &reader);
    enum st_error error = ST_OK;
    if (bytes > LARGE) {
        error = touch_pages(&self->place, &memory, start, stop, &fault);
    }
    if (!error) {
        data = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)bytes);
    }
    if (data && bytes) {
        error = st_gather(&self->place, &memory, start, stop, PyBytes_AS_STRING(data), &fault);
    }
    st_memory_deinit(&memory);
    if (error) {
        Py_XDECREF(data);
        return ext_raise(&fault);
    }
    return data;
}

/* Returns "{1}[0][3]": the indices from the root place on; that of a repetition in braces. */
static PyObject *path(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    PyObject *text = PyUnicode_FromString("");
    for (const ExtPlace *at = (ExtPlace *)object; text && at->parent; at = at->parent) {
        bool repeat = at->parent->place.kind == ST_STAGE_REPEAT;
        PyObject *longer =
            PyUnicode_FromFormat(repeat ? "{%lld}%U" : "[%lld]%U", (long long)at->index, text);
        Py_SETREF(text, longer);
    }
    return text;
}

/* Returns the place that is shown in the place of this one, and the number of stages between. */
static PyObject *fold(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    struct st_place folded;
    size_t stages = st_fold(&((ExtPlace *)object)->place, &folded);
    PyObject *at = Py_NewRef(object), *zero = PyLong_FromLong(0);
    for (size_t i = 0; at && zero && i < stages; i++) {
        Py_SETREF(at, child(at, zero));
    }
    Py_XDECREF(zero);
    return at && zero ? Py_BuildValue("(Nn)", at, (Py_ssize_t)stages) : NULL;
}

static PyMethodDef methods[] = {
    {"child", child, METH_O, NULL},
    {"fold", fold, METH_NOARGS, NULL},
    {"gather", gather_runs, METH_VARARGS, NULL},
    {"path", path, METH_NOARGS, NULL},
    {0},
};

static PyObject *get_type(PyObject *object, void *Py_UNUSED(closure))
{
    ExtPlace *self = (ExtPlace *)object;
    return ext_type_new(self->registry, self->types, self->place.type);
}

static PyObject *get_address(PyObject *object, void *Py_UNUSED(closure))
{
    return PyLong_FromUnsignedLongLong(((ExtPlace *)object)->place.address);
}

static PyObject *get_leaf(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_place *place = &((ExtPlace *)object)->place;
    return place->leaf ? ext_basic_new(&place->type->basic) : Py_NewRef(Py_None);
}

static PyObject *get_opaque(PyObject *object, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(((ExtPlace *)object)->place.opaque);
}

static PyObject *get_struct(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_place *place = &((ExtPlace *)object)->place;
    return PyBool_FromLong(place->kind == ST_STAGE_TYPE && place->type->combiner == ST_STRUCT);
}

static PyObject *get_stage(PyObject *object, void *Py_UNUSED(closure))
{
    static const char *const names[] = {[ST_STAGE_TYPE] = "type",
                                        [ST_STAGE_BLOCK] = "block",
                                        [ST_STAGE_DIMENSION] = "dimension",
                                        [ST_STAGE_REPEAT] = "repetition"};
    return PyUnicode_FromString(names[((ExtPlace *)object)->place.kind]);
}

static PyObject *get_alike(PyObject *object, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(st_children_alike(&((ExtPlace *)object)->place));
}

static PyObject *get_run(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_place *place = &((ExtPlace *)object)->place;
    const struct st_type *leaf = st_place_run(place);
    int64_t stride;
    if (!leaf) {
        Py_RETURN_NONE;
    }
    PyObject *basic = ext_basic_new(&leaf->basic);
    if (!basic) {
        return NULL;
    }
    return st_place_stride(place, &stride) ? Py_BuildValue("(NL)", basic, (long long)stride)
                                           : Py_BuildValue("(NO)", basic, Py_None);
}

static PyGetSetDef getters[] = {
    {"type", get_type, NULL, NULL, NULL},
    {"address", get_address, NULL, NULL, NULL},
    {"leaf", get_leaf, NULL, NULL, NULL},
    {"opaque", get_opaque, NULL, NULL, NULL},
    {"struct", get_struct, NULL, NULL, NULL},
    {"stage", get_stage, NULL, NULL, NULL},
    {"alike", get_alike, NULL, NULL, NULL},
    {"run", get_run, NULL, NULL, NULL},
    {0},
};

static PySequenceMethods sequence = {.sq_length = length};

PyTypeObject ext_place_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Place",
    .tp_doc = "A node of the expanded type-tree at an address.",
    .tp_basicsize = sizeof(ExtPlace),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = place_create,
    .tp_dealloc = place_dealloc,
    .tp_methods = methods,
    .tp_getset = getters,
    .tp_as_sequence = &sequence,
};
