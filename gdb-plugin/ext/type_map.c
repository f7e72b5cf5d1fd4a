/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <string.h>

#include "core/address/typemap.h"

static PyTypeObject *entry_type;

bool ext_add_entry(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"number", NULL}, {"short", NULL},  {"displacement", NULL}, {"name", NULL},
        {"size", NULL},   {"opaque", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc description = {"_mpipp.Entry", "A row of a TypeMap.", fields, 6};
    entry_type = PyStructSequence_NewType(&description);
    return entry_type && PyModule_AddObjectRef(module, "Entry", (PyObject *)entry_type) == 0;
}

typedef struct {
    PyObject_HEAD ExtType *type;
    struct ext_indexes *indexes;
    struct st_typemap map;
    enum st_error error; /* error of the step to the current entry of `map` */
} ExtTypeMap;

static PyObject *map_create(PyTypeObject *Py_UNUSED(cls), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "count", "first", NULL};
    ExtType *type;
    int64_t count = -1;
    long long first;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&L", names, &ext_type_type, &type,
                                     ext_count, &count, &first)) {
        return NULL;
    }
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    if (!indexes) {
        return NULL;
    }
    ExtTypeMap *self = PyObject_New(ExtTypeMap, &ext_type_map_type);
    if (!self) {
        ext_indexes_release(indexes);
        return NULL;
    }
    struct st_place root = ext_root(type->type, 0, count);
    self->type = (ExtType *)Py_NewRef((PyObject *)type);
    self->indexes = indexes;
    st_typemap_init(&self->map, &indexes->indexes, &root);
    self->error = st_typemap_seek(&self->map, first);
    if (self->error == ST_INSIDE_UNKNOWN) { /* it is at the type that hides the entry */
        self->error = ST_OK;
    }
    return (PyObject *)self;
}

static void map_dealloc(PyObject *object)
{
    ExtTypeMap *self = (ExtTypeMap *)object;
    st_typemap_deinit(&self->map);
    ext_indexes_release(self->indexes);
    Py_DECREF(self->type);
    PyObject_Free(object);
}

static PyObject *entry_new(const struct st_typemap *map)
{
    const struct st_place *place = &map->route.place;
    PyObject *items[] = {
        ext_amount(map->number),
        ext_address_text(&map->route, ST_ADDRESS_SHORT),
        ext_displacement(&map->route.displacement),
        ext_text(st_address_name(place),
                 strlen(st_address_name(place))), /* text of a rank: may be invalid UTF-8 */
        ext_amount(st_place_amount(place, ST_SENT_BYTES)),
        PyBool_FromLong(place->opaque),
    };
    return ext_tuple(entry_type, items, sizeof items / sizeof *items);
}

static PyObject *next_entry(PyObject *object)
{
    ExtTypeMap *self = (ExtTypeMap *)object;
    if (self->error == ST_OUT_OF_RANGE) {
        return NULL;
    }
    if (self->error) {
        return ext_raise(&(struct st_fault){.error = self->error});
    }
    PyObject *entry = entry_new(&self->map);
    if (entry) {
        self->error = st_typemap_next(&self->map);
    }
    return entry;
}

PyTypeObject ext_type_map_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.TypeMap",
    .tp_doc = "The basic elements of a type in the order in which MPI sends them.",
    .tp_basicsize = sizeof(ExtTypeMap),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = map_create,
    .tp_dealloc = map_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = next_entry,
};
