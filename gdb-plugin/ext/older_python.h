/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the extension uses of Python 3.10, for Python 3.9.
 */
#ifndef EXT_OLDER_PYTHON_H
#define EXT_OLDER_PYTHON_H

#include <Python.h>

#if PY_VERSION_HEX < 0x030A0000

static inline PyObject *Py_NewRef(PyObject *object)
{
    Py_INCREF(object);
    return object;
}

static inline PyObject *Py_XNewRef(PyObject *object)
{
    Py_XINCREF(object);
    return object;
}

static inline int PyModule_AddObjectRef(PyObject *module, const char *name, PyObject *value)
{
    if (!value) {
        return -1;
    }
    Py_INCREF(value);
    if (PyModule_AddObject(module, name, value) == 0) {
        return 0;
    }
    Py_DECREF(value);
    return -1;
}

/* Before 3.10 this already holds for a static type without tp_new: all types here are such. */
#define Py_TPFLAGS_DISALLOW_INSTANTIATION 0

#endif

#endif
