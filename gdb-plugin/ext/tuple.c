/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Named tuples: the form of most results of the core in Python.
 */
#include "ext.h"

PyObject *ext_tuple(PyTypeObject *type, PyObject *const *items, size_t count)
{
    PyObject *tuple = PyStructSequence_New(type);
    bool ok = tuple != NULL;
    for (size_t i = 0; i < count; i++) {
        ok = ok && items[i];
        if (tuple) {
            PyStructSequence_SET_ITEM(tuple, (Py_ssize_t)i, items[i]);
        } else {
            Py_XDECREF(items[i]);
        }
    }
    if (!ok) {
        Py_CLEAR(tuple);
    }
    return tuple;
}
