/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include "core/model/combiners.h"

#include <string.h>

PyTypeObject *ext_summary_type;
static PyTypeObject *basic_type;

bool ext_add_named_tuples(PyObject *module)
{
    static PyStructSequence_Field summary_fields[] = {
        {"ordinal", NULL},   {"serial", NULL},     {"handle", NULL}, {"kind", NULL},
        {"committed", NULL}, {"predefined", NULL}, {"live", NULL},   {"tombstone", NULL},
        {"created", NULL},   {"references", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc summary = {"_mpipp.Summary", "A row of Registry.types().",
                                            summary_fields, 10};
    static PyStructSequence_Field basic_fields[] = {
        {"name", NULL},  {"class_", NULL}, {"size", NULL},
        {"first", NULL}, {"second", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc basic = {"_mpipp.Basic", "A basic type as MPI's type map has it.",
                                          basic_fields, 5};
    ext_summary_type = PyStructSequence_NewType(&summary);
    basic_type = PyStructSequence_NewType(&basic);
    return ext_summary_type && basic_type &&
           PyModule_AddObjectRef(module, "Summary", (PyObject *)ext_summary_type) == 0 &&
           PyModule_AddObjectRef(module, "Basic", (PyObject *)basic_type) == 0;
}

static PyObject *member_of(const struct st_basic *basic, int which)
{
    if (basic->class_ != ST_CLASS_PAIR) {
        return Py_NewRef(Py_None);
    }
    const struct st_pair_member *member = &basic->members[which];
    return Py_BuildValue("(sII)", st_class_name(member->class_), member->size, member->offset);
}

PyObject *ext_basic_new(const struct st_basic *basic)
{
    PyObject *items[] = {
        ext_text(basic->name, strlen(basic->name)),
        PyUnicode_FromString(st_class_name(basic->class_)),
        PyLong_FromLongLong(basic->size),
        member_of(basic, 0),
        member_of(basic, 1),
    };
    return ext_tuple(basic_type, items, sizeof items / sizeof *items);
}

PyObject *ext_type_new(ExtRegistry *registry, struct st_types *types, const struct st_type *type)
{
    ExtType *self = PyObject_New(ExtType, &ext_type_type);
    if (self) {
        self->registry = (ExtRegistry *)Py_NewRef((PyObject *)registry);
        self->types = st_types_ref(types);
        self->type = type;
    }
    return (PyObject *)self;
}

PyObject *ext_type_of_now(ExtRegistry *self, const struct st_type *type)
{
    struct st_types *types = st_registry_types(self->registry);
    PyObject *object = ext_type_new(self, types, type);
    st_types_release(types);
    return object;
}

static void type_dealloc(PyObject *object)
{
    ExtType *self = (ExtType *)object;
    st_types_release(self->types);
    Py_DECREF(self->registry);
    PyObject_Free(object);
}

/* Two Types are equal if they are the same datatype, read at the same time. */
static PyObject *compare_types(PyObject *a, PyObject *b, int operation)
{
    if (!Py_IS_TYPE(b, &ext_type_type) || (operation != Py_EQ && operation != Py_NE)) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    bool same = ((ExtType *)a)->type == ((ExtType *)b)->type;
    return PyBool_FromLong(same == (operation == Py_EQ));
}

static Py_hash_t hash(PyObject *object)
{
    return (Py_hash_t)((uintptr_t)((ExtType *)object)->type >> 4);
}

#define TYPE(object) (((ExtType *)(object))->type)

/* --- the constructor's parameters ------------------------------------------------------------- */

/* Returns a list of the names from `name_of`. */
static PyObject *names_of(unsigned combiner, const char *name_of(unsigned, int), int most)
{
    PyObject *names = PyList_New(0);
    for (int i = 0; names && i < most; i++) {
        const char *name = name_of(combiner, i);
        PyObject *text = name ? PyUnicode_FromString(name) : NULL;
        if (name && (!text || PyList_Append(names, text) < 0)) {
            Py_CLEAR(names);
        }
        Py_XDECREF(text);
    }
    return names;
}

bool ext_add_combiners(PyObject *module)
{
    PyObject *all = PyDict_New();
    for (unsigned combiner = ST_NAMED; all && combiner < ST_COMBINER_END; combiner++) {
        PyObject *pair =
            Py_BuildValue("(NN)", names_of(combiner, st_combiner_argument, ST_COMBINER_ARGUMENTS),
                          names_of(combiner, st_combiner_array, ST_COMBINER_ARRAYS));
        if (!pair || PyDict_SetItemString(all, st_combiner_name(combiner), pair) < 0) {
            Py_CLEAR(all);
        }
        Py_XDECREF(pair);
    }
    bool added = all && PyModule_AddObjectRef(module, "COMBINERS", all) == 0;
    Py_XDECREF(all);
    return added;
}

static PyObject *member(PyObject *object, PyObject *argument)
{
    const struct st_type *type = TYPE(object);
    const char *name = PyUnicode_AsUTF8(argument);
    if (!name) {
        return NULL;
    }
    bool has_order = type->combiner == ST_SUBARRAY || type->combiner == ST_DARRAY;
    if (has_order && strcmp(name, "order") == 0) {
        return PyLong_FromLong((type->flags & ST_FORTRAN_ORDER) != 0);
    }
    int at = st_combiner_find_argument(type->combiner, name);
    if (at >= 0) {
        bool f90 = type->combiner >= ST_F90_REAL && type->combiner <= ST_F90_INTEGER;
        return f90 && type->args[at] == ST_F90_UNDEFINED ? Py_NewRef(Py_None)
                                                         : PyLong_FromLongLong(type->args[at]);
    }
    PyErr_SetObject(PyExc_KeyError, argument);
    return NULL;
}

static const int64_t *array_of(const struct st_type *type, const char *name)
{
    int at = st_combiner_find_array(type->combiner, name);
    if (at < 0) {
        return NULL;
    }
    if (type->combiner == ST_SUBARRAY || type->combiner == ST_DARRAY) {
        return type->dims[at];
    }
    const int64_t *const lists[] = {type->offsets, type->lengths, NULL, NULL};
    return lists[at];
}

/* An array without members is a null pointer: so the name says whether it is an array. */
static bool is_array_name(const char *name)
{
    bool known = false;
    for (unsigned combiner = ST_NAMED; !known && combiner < ST_COMBINER_END; combiner++) {
        known = st_combiner_find_array(combiner, name) >= 0;
    }
    return known && strcmp(name, "types") != 0;
}

static PyObject *array(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"name", "start", "stop", NULL};
    const struct st_type *type = TYPE(object);
    const char *name;
    Py_ssize_t start = 0;
    PyObject *stop_object = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "s|nO", names, &name, &start, &stop_object)) {
        return NULL;
    }
    Py_ssize_t stop = stop_object == Py_None ? PY_SSIZE_T_MAX : PyLong_AsSsize_t(stop_object);
    if (PyErr_Occurred()) {
        return NULL;
    }
    const int64_t *numbers = array_of(type, name);
    if (!numbers && (type->entries || !is_array_name(name))) {
        PyErr_SetString(PyExc_KeyError, name);
        return NULL;
    }
    stop = stop > type->entries ? (Py_ssize_t)type->entries : stop;
    start = start < 0 ? 0 : start;
    if (start >= stop) {
        return PyBytes_FromStringAndSize(NULL, 0);
    }
    return PyBytes_FromStringAndSize((const char *)(numbers + start),
                                     (stop - start) * (Py_ssize_t)sizeof(*numbers));
}

static PyObject *entry_type(PyObject *object, PyObject *argument)
{
    const struct st_type *type = TYPE(object);
    Py_ssize_t index = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred()) {
        return NULL;
    }
    if (index < 0 || index >= type->entries) {
        PyErr_SetString(PyExc_IndexError, "no such entry");
        return NULL;
    }
    const struct st_type *below = type->types ? type->types[index] : type->base;
    return ext_type_new(((ExtType *)object)->registry, ((ExtType *)object)->types, below);
}

static PyMethodDef methods[] = {
    {"member", member, METH_O, NULL},
    {"array", (PyCFunction)(void (*)(void))array, METH_VARARGS | METH_KEYWORDS, NULL},
    {"entry_type", entry_type, METH_O, NULL},
    {0},
};

/* --- attributes ------------------------------------------------------------------------------- */

static PyObject *get_registry(PyObject *object, void *Py_UNUSED(closure))
{
    return Py_NewRef((PyObject *)((ExtType *)object)->registry);
}

static PyObject *get_kind(PyObject *object, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(st_combiner_name(TYPE(object)->combiner));
}

static PyObject *get_name(PyObject *object, void *Py_UNUSED(closure))
{
    const char *name = TYPE(object)->name;
    return name ? ext_text(name, strlen(name)) : Py_NewRef(Py_None);
}

enum number { ORDINAL, SERIAL, HANDLE, REFERENCES, FORTRAN, ENTRIES, DEPTH };

static PyObject *get_number(PyObject *object, void *closure)
{
    const struct st_type *type = TYPE(object);
    switch ((enum number)(intptr_t)closure) {
    case ORDINAL:
        return PyLong_FromUnsignedLong(type->ordinal);
    case SERIAL:
        return PyLong_FromUnsignedLongLong(type->serial);
    case HANDLE:
        return PyLong_FromUnsignedLongLong(type->handle);
    case REFERENCES:
        return PyLong_FromUnsignedLong(type->references);
    case FORTRAN:
        return PyLong_FromLong(type->fortran);
    case ENTRIES:
        return PyLong_FromLongLong(type->entries);
    case DEPTH:
        return PyLong_FromUnsignedLong(type->measure.depth);
    }
    Py_UNREACHABLE();
}

static PyObject *get_flag(PyObject *object, void *closure)
{
    return PyBool_FromLong(TYPE(object)->flags & (uint32_t)(uintptr_t)closure);
}

static PyObject *get_site(PyObject *object, void *closure)
{
    const struct st_type *type = TYPE(object);
    const uint32_t sites[] = {type->created, type->committed, type->freed};
    return ext_site(((ExtType *)object)->registry, sites[(intptr_t)closure]);
}

static PyObject *get_base(PyObject *object, void *Py_UNUSED(closure))
{
    ExtType *self = (ExtType *)object;
    return self->type->base ? ext_type_new(self->registry, self->types, self->type->base)
                            : Py_NewRef(Py_None);
}

static PyObject *get_basic(PyObject *object, void *Py_UNUSED(closure))
{
    const struct st_type *type = TYPE(object);
    return type->leaf ? ext_basic_new(&type->basic) : Py_NewRef(Py_None);
}

enum measure { SIZE, LB, UB, EXTENT, TRUE_LB, TRUE_UB, TRUE_EXTENT, ELEMENTS };

static PyObject *get_measure(PyObject *object, void *closure)
{
    const struct st_measure *m = &TYPE(object)->measure;
    int64_t value = 0;
    bool known = true;
    switch ((enum measure)(intptr_t)closure) {
    case SIZE:
        value = m->size;
        known = !(m->unknown & ST_UNKNOWN_SIZE);
        break;
    case ELEMENTS:
        value = m->elements;
        known = !(m->unknown & ST_UNKNOWN_ELEMENTS);
        break;
    case LB:
        value = m->lb;
        known = !(m->unknown & ST_UNKNOWN_BOUNDS);
        break;
    case UB:
        value = m->ub;
        known = !(m->unknown & ST_UNKNOWN_BOUNDS);
        break;
    case EXTENT:
        known = st_extent(TYPE(object), &value);
        break;
    case TRUE_LB:
        value = m->true_lb;
        known = !(m->unknown & ST_UNKNOWN_TRUE_BOUNDS);
        break;
    case TRUE_UB:
        value = m->true_ub;
        known = !(m->unknown & ST_UNKNOWN_TRUE_BOUNDS);
        break;
    case TRUE_EXTENT:
        known = !(m->unknown & ST_UNKNOWN_TRUE_BOUNDS) &&
                !__builtin_sub_overflow(m->true_ub, m->true_lb, &value);
        break;
    }
    return known ? PyLong_FromLongLong(value) : Py_NewRef(Py_None);
}

static PyGetSetDef getters[] = {
    {"registry", get_registry, NULL, NULL, NULL},
    {"ordinal", get_number, NULL, NULL, (void *)ORDINAL},
    {"serial", get_number, NULL, NULL, (void *)SERIAL},
    {"handle", get_number, NULL, NULL, (void *)HANDLE},
    {"kind", get_kind, NULL, NULL, NULL},
    {"name", get_name, NULL, NULL, NULL},
    {"committed", get_flag, NULL, NULL, (void *)ST_COMMITTED},
    {"commit_undefined", get_flag, NULL, NULL, (void *)ST_COMMIT_UNDEFINED},
    {"predefined", get_flag, NULL, NULL, (void *)ST_PREDEFINED},
    {"freed", get_flag, NULL, NULL, (void *)ST_FREED},
    {"elided", get_flag, NULL, NULL, (void *)ST_ELIDED},
    {"references", get_number, NULL, NULL, (void *)REFERENCES},
    {"fortran", get_number, NULL, NULL, (void *)FORTRAN},
    {"created_at", get_site, NULL, NULL, (void *)0},
    {"committed_at", get_site, NULL, NULL, (void *)1},
    {"freed_at", get_site, NULL, NULL, (void *)2},
    {"base", get_base, NULL, NULL, NULL},
    {"basic", get_basic, NULL, NULL, NULL},
    {"entries", get_number, NULL, NULL, (void *)ENTRIES},
    {"depth", get_number, NULL, NULL, (void *)DEPTH},
    {"size", get_measure, NULL, NULL, (void *)SIZE},
    {"lb", get_measure, NULL, NULL, (void *)LB},
    {"ub", get_measure, NULL, NULL, (void *)UB},
    {"extent", get_measure, NULL, NULL, (void *)EXTENT},
    {"true_lb", get_measure, NULL, NULL, (void *)TRUE_LB},
    {"true_ub", get_measure, NULL, NULL, (void *)TRUE_UB},
    {"true_extent", get_measure, NULL, NULL, (void *)TRUE_EXTENT},
    {"elements", get_measure, NULL, NULL, (void *)ELEMENTS},
    {0},
};

PyTypeObject ext_type_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Type",
    .tp_doc = "A recorded datatype, immutable; keeps what is below it alive.",
    .tp_basicsize = sizeof(ExtType),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = type_dealloc,
    .tp_richcompare = compare_types,
    .tp_hash = hash,
    .tp_methods = methods,
    .tp_getset = getters,
};
