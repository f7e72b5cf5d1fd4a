/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that every method uses: whether a registry may be used, whether it changed, its call
 * sites. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

bool ext_usable(const ExtRegistry *self)
{
    if (!self->registry || !self->reader.callable) {
        PyErr_SetString(ext_error, "the registry is not open");
        return false;
    }
    if (self->reader.depth) { /* called from within read(): must not close what is in use */
        PyErr_SetString(ext_error, "the registry is being read");
        return false;
    }
    return true;
}

bool ext_refresh(ExtRegistry *self, bool *changed)
{
    struct st_fault fault = {0};
    if (!ext_usable(self)) {
        return false;
    }
    if (st_registry_refresh(self->registry, changed, &fault)) {
        ext_raise(&fault);
        return false;
    }
    if (*changed) {
        Py_CLEAR(self->listing);
    }
    return true;
}

/* Returns a return address as an int, a line of an interpreter as a str. */
static PyObject *frame(ExtRegistry *self, uint64_t of)
{
    char *text;
    struct st_fault fault = {0};
    if (!(of & ST_SITE_TEXT)) {
        return PyLong_FromUnsignedLongLong(of);
    }
    if (st_registry_frame_text(self->registry, of, &text, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *told = ext_lines(text, strlen(text));
    free(text);
    return told;
}

PyObject *ext_site(ExtRegistry *self, uint32_t site)
{
    uint64_t pcs[64];
    size_t count;
    struct st_fault fault = {0};
    if (!ext_usable(self)) {
        return NULL;
    }
    if (st_registry_site(self->registry, site, pcs, 64, &count, &fault)) {
        return ext_raise(&fault);
    }
    return ext_frames(self, pcs, count);
}

PyObject *ext_frames(ExtRegistry *self, const uint64_t *pcs, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *one = frame(self, pcs[i]);
        if (!one) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
        }
    }
    return tuple;
}
