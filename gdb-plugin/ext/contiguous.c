/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include "core/signature/contiguous.h"

static PyTypeObject *contiguous_type;

bool ext_add_contiguous(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"unit", NULL},      {"count", NULL},  {"chunk", NULL}, {"chunks", NULL},
        {"remainder", NULL}, {"bigmpi", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc description = {
        "_mpipp.Contiguous", "A type that is many copies of another.", fields, 6};
    contiguous_type = PyStructSequence_NewType(&description);
    return contiguous_type &&
           PyModule_AddObjectRef(module, "Contiguous", (PyObject *)contiguous_type) == 0;
}

/* Returns true if MPI_Type_contiguous(count, unit) would make an equal type, but another
 * constructor made it. */
static bool is_worth_telling(const struct st_type *type, const struct st_contiguous *found)
{
    const struct st_type *shown = st_undup(type);
    bool written = shown->combiner == ST_CONTIGUOUS && st_undup(shown->base) == found->unit;
    return found->unit && found->count > 1 && found->offset == 0 && found->repeats && !written;
}

PyObject *ext_contiguous(PyObject *Py_UNUSED(module), PyObject *object)
{
    struct st_contiguous found;
    if (!PyObject_TypeCheck(object, &ext_type_type)) {
        return PyErr_Format(PyExc_TypeError, "contiguous() takes a Type");
    }
    ExtType *type = (ExtType *)object;
    if (st_contiguous(type->type, &found)) {
        return PyErr_NoMemory();
    }
    if (!is_worth_telling(type->type, &found)) {
        Py_RETURN_NONE;
    }
    PyObject *items[] = {
        ext_type_new(type->registry, type->types, found.unit),
        PyLong_FromLongLong(found.count),
        PyLong_FromLongLong(found.chunk),
        PyLong_FromLongLong(found.chunks),
        PyLong_FromLongLong(found.remainder),
        PyBool_FromLong(found.bigmpi),
    };
    return ext_tuple(contiguous_type, items, sizeof items / sizeof *items);
}
