/* SPDX-License-Identifier: BSD-3-Clause */
/* Element addresses as text, and sentences that say why one is wrong. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

enum { EXCERPT = 60 }; /* the most bytes of a text that are quoted */

static PyObject *excerpt(const char *text, size_t length)
{
    bool cut = length > EXCERPT;
    PyObject *part = ext_text(text, (cut ? EXCERPT : length));
    if (part && cut) {
        Py_SETREF(part, PyUnicode_FromFormat("%U...", part));
    }
    return part;
}

/* "T[2] is a block of a STRUCT", ...; `node` is the node's address. */
static PyObject *description(const struct st_place *place, PyObject *node)
{
    const char *name = st_address_name(place);
    if (name) {
        return PyUnicode_FromFormat("%U is %s", node, name);
    }
    return PyUnicode_FromFormat("%U is a %s of %s", node,
                                place->kind == ST_STAGE_DIMENSION ? "dimension" : "block",
                                st_combiner_name(place->type->combiner));
}

static PyObject *no_child(const struct st_address_fault *fault, PyObject *node, PyObject *wrong)
{
    const char *what = fault->error == ST_ADDRESS_REPETITION ? "repetition" : "child";
    const char *whats = fault->error == ST_ADDRESS_REPETITION ? "repetitions" : "children";
    if (fault->index < 0 || fault->children == INT64_MAX) {
        return PyUnicode_FromFormat("no such element: %U below %U is out of range", wrong, node);
    }
    return PyUnicode_FromFormat("no such element: %U has %lld %s, %U is out of range", node,
                                (long long)fault->children, fault->children == 1 ? what : whats,
                                wrong);
}

static PyObject *sentence(const struct st_address_fault *fault, PyObject *node, PyObject *is,
                          const char *text, PyObject *wrong)
{
    switch (fault->error) {
    case ST_ADDRESS_SYNTAX:
        if (fault->at == strlen(text)) {
            return PyUnicode_FromFormat("'%s' is no element address: it ends too early", text);
        }
        return PyUnicode_FromFormat("'%U' is no part of an element address like [2][5]", wrong);
    case ST_ADDRESS_NUMBER:
        return PyUnicode_FromFormat("no such element: %U is out of range", wrong);
    case ST_ADDRESS_REPETITION:
    case ST_ADDRESS_INDEX:
        return no_child(fault, node, wrong);
    case ST_ADDRESS_LEAF:
        return PyUnicode_FromFormat("no such element: %U and has no children, %U is out of range",
                                    is, wrong);
    case ST_ADDRESS_INSIDE:
        return PyUnicode_FromFormat("no such element: what is inside %U is not known", node);
    case ST_ADDRESS_NAME:
    case ST_ADDRESS_STAGE:
        return PyUnicode_FromFormat("no such element: %U, not %U", is, wrong);
    case ST_ADDRESS_MEMBER:
        return PyUnicode_FromFormat("no such element: %U, no pair: it has no %U", is, wrong);
    case ST_ADDRESS_OVERFLOW:
        return PyUnicode_FromFormat(
            "%U%U is too far away: its displacement does not fit in 64 bits", node, wrong);
    case ST_ADDRESS_NO_MEMORY:
    case ST_ADDRESS_OK:
        break;
    }
    return PyErr_NoMemory();
}

PyObject *ext_address_text(const struct st_route *route, enum st_address_form form)
{
    size_t length = st_address_format(route, form, NULL, 0);
    char *text = malloc(length + 1);
    if (!text) {
        return PyErr_NoMemory();
    }
    st_address_format(route, form, text, length + 1);
    PyObject *object = ext_text(text, length);
    free(text);
    return object;
}

PyObject *ext_raise_address(const struct st_address_fault *fault, const struct st_route *route,
                            const char *label, const char *text)
{
    PyObject *below = ext_address_text(route, ST_ADDRESS_SHORT);
    PyObject *node = below ? PyUnicode_FromFormat("%s%U", label, below) : NULL;
    PyObject *is = node ? description(&route->place, node) : NULL;
    size_t length = fault->length ? fault->length : strlen(text + fault->at);
    PyObject *wrong = is ? excerpt(text + fault->at, length) : NULL;
    PyObject *told = wrong ? sentence(fault, node, is, text, wrong) : NULL;
    if (told) {
        PyErr_SetObject(ext_error, told);
    }
    Py_XDECREF(below);
    Py_XDECREF(node);
    Py_XDECREF(is);
    Py_XDECREF(wrong);
    Py_XDECREF(told);
    return NULL;
}

PyObject *ext_raise_at(const struct st_route *route, const struct st_fault *fault)
{
    PyObject *type, *value, *traceback;
    ext_raise(fault);
    if (fault->error != ST_UNREADABLE || !PyErr_ExceptionMatches(ext_unreadable)) {
        return NULL;
    }
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *path = ext_address_text(route, ST_ADDRESS_SHORT);
    if (path && PyObject_SetAttrString(value, "path", path) == 0) {
        PyErr_Restore(type, value, traceback);
    } else {
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    Py_XDECREF(path);
    return NULL;
}
