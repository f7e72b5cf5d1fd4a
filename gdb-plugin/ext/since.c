/* SPDX-License-Identifier: BSD-3-Clause */
/* How long ranks have been in their calls (core/waits/since.h); see _mpipp.pyi. */
#include "ext.h"

#include "core/waits/since.h"

static PyObject *bound_new(int64_t seconds)
{
    return seconds < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(seconds);
}

PyObject *ext_since(PyObject *object, PyObject *argument)
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_wait_since since;
    long long now = -1;
    if (!ext_usable(self)) {
        return NULL;
    }
    if (argument != Py_None) {
        now = PyLong_AsLongLong(argument);
        if (now == -1 && PyErr_Occurred()) {
            return NULL;
        }
    }
    if (!st_wait_since(self->registry, now, &since)) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *least = bound_new(since.least), *most = bound_new(since.most);
    PyObject *both = least && most ? PyTuple_Pack(2, least, most) : NULL;
    Py_XDECREF(least);
    Py_XDECREF(most);
    return both;
}

PyObject *ext_get_arrival(PyObject *object, void *Py_UNUSED(closure))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_shared_area shared;
    if (!ext_usable(self)) {
        return NULL;
    }
    const bool is_there = st_wait_shared(self->registry, &shared);
    if (PyErr_Occurred()) {
        return NULL;
    }
    return is_there ? PyLong_FromUnsignedLong(shared.rank) : Py_NewRef(Py_None);
}

/* Returns false with an exception set. */
static bool read_bound(PyObject *object, int64_t *seconds)
{
    *seconds = -1;
    if (object == Py_None) {
        return true;
    }
    const long long value = PyLong_AsLongLong(object);
    if (value == -1 && PyErr_Occurred()) {
        return false;
    }
    *seconds = value;
    return true;
}

PyObject *ext_duration(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *least, *most;
    struct st_wait_since since;
    char text[ST_SINCE_TEXT];
    if (!PyArg_ParseTuple(arguments, "OO", &least, &most) || !read_bound(least, &since.least) ||
        !read_bound(most, &since.most)) {
        return NULL;
    }
    st_wait_since_text(&since, text);
    return PyUnicode_FromString(text);
}
