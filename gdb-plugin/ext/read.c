/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <string.h>

enum st_read_result ext_read(uint64_t address, void *buffer, size_t length, void *context)
{
    struct ext_reader *reader = context;
    reader->reads++;
    reader->bytes += length;
    reader->depth++;
    PyObject *data = PyObject_CallFunction(reader->callable, "Kn", (unsigned long long)address,
                                           (Py_ssize_t)length);
    reader->depth--;
    Py_buffer view;
    if (data && PyObject_GetBuffer(data, &view, PyBUF_SIMPLE) == 0) {
        bool enough = view.len >= 0 && (size_t)view.len >= length;
        if (enough) {
            memcpy(buffer, view.buf, length);
        }
        PyBuffer_Release(&view);
        Py_DECREF(data);
        return enough ? ST_READ_OK : ST_READ_FAILED;
    }
    Py_XDECREF(data);
    if (PyErr_ExceptionMatches(PyExc_Exception)) {
        PyErr_Clear();
        return ST_READ_FAILED;
    }
    return ST_READ_INTERRUPTED; /* the exception stays set: ext_raise() does not replace it */
}

int ext_address(PyObject *object, void *address)
{
    unsigned long long number = PyLong_AsUnsignedLongLong(object); /* without wrapping */
    *(unsigned long long *)address = number;
    return !PyErr_Occurred();
}
