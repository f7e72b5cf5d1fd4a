/* SPDX-License-Identifier: BSD-3-Clause */
/* _mpipp.Pack: the data of a buffer in the order in which MPI sends it. */
#include "pack.h"

#include "ext.h"

enum { PORTION = 1 << 20 };

typedef struct {
    PyObject_HEAD ExtType *type;
    struct ext_indexes *indexes;
    struct ext_reader reader;
    struct st_memory memory;
    struct st_pack pack;
    bool under_way; /* read() must not call this again */
} ExtPack;

static PyObject *pack_create(PyTypeObject *Py_UNUSED(cls), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "address", "count", "read", NULL};
    ExtType *type;
    unsigned long long address;
    int64_t count = -1;
    PyObject *read;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&O&O", names, &ext_type_type, &type,
                                     ext_address, &address, ext_count, &count, &read)) {
        return NULL;
    }
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    if (!indexes) {
        return NULL;
    }
    ExtPack *self = PyObject_New(ExtPack, &ext_pack_type);
    if (!self) {
        ext_indexes_release(indexes);
        return NULL;
    }
    struct st_place root = ext_root(type->type, address, count);
    self->type = (ExtType *)Py_NewRef((PyObject *)type);
    self->indexes = indexes;
    self->reader = (struct ext_reader){.callable = Py_NewRef(read)};
    self->under_way = false;
    st_memory_init(&self->memory, ext_read, &self->reader);
    st_pack_init(&self->pack, &indexes->indexes, &self->memory, &root);
    return (PyObject *)self;
}

static void pack_dealloc(PyObject *object)
{
    ExtPack *self = (ExtPack *)object;
    st_pack_deinit(&self->pack);
    st_memory_deinit(&self->memory);
    ext_indexes_release(self->indexes);
    Py_DECREF(self->reader.callable);
    Py_DECREF(self->type);
    PyObject_Free(object);
}

static PyObject *next_piece(PyObject *object)
{
    ExtPack *self = (ExtPack *)object;
    struct st_fault fault = {0};
    size_t length = 0;
    if (self->under_way) {
        PyErr_SetString(ext_error, "the buffer is being read");
        return NULL;
    }
    PyObject *portion = PyBytes_FromStringAndSize(NULL, PORTION);
    if (!portion) {
        return NULL;
    }
    self->under_way = true;
    enum st_error error =
        st_pack_next(&self->pack, PyBytes_AS_STRING(portion), PORTION, &length, &fault);
    self->under_way = false;
    if (error || length == 0) {
        Py_DECREF(portion);
        self->pack.over = true;
        return error ? ext_raise_at(&self->pack.route, &fault) : NULL;
    }
    _PyBytes_Resize(&portion, (Py_ssize_t)length);
    return portion;
}

PyTypeObject ext_pack_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Pack",
    .tp_doc = "The data of a buffer as MPI would send it.",
    .tp_basicsize = sizeof(ExtPack),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = pack_create,
    .tp_dealloc = pack_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = next_piece,
};
