/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/signature/signature_text.h"

static PyTypeObject *text_type;

bool ext_add_signature(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"text", NULL}, {"elements", NULL}, {"left_out", NULL}, {"known", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc description = {"_mpipp.SignatureText",
                                                "A type signature, written.", fields, 4};
    text_type = PyStructSequence_NewType(&description);
    return text_type && PyModule_AddObjectRef(module, "SignatureText", (PyObject *)text_type) == 0;
}

static PyObject *raise_state(enum st_signature_state state)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    switch (state) {
    case ST_SIGNATURE_TOO_LONG:
        return PyErr_Format(ext_error, "more than 2^63 - 1 elements are sent");
    case ST_SIGNATURE_UNDECIDED:
        return PyErr_Format(ext_error, "the signature has too many different parts");
    default:
        return PyErr_NoMemory();
    }
}

static PyObject *text_new(const struct st_signature_text *text)
{
    PyObject *items[] = {
        ext_text(text->text, strlen(text->text)),
        PyLong_FromLongLong(text->elements),
        PyLong_FromLongLong(text->left_out),
        PyBool_FromLong(text->state == ST_SIGNATURE_KNOWN),
    };
    return ext_tuple(text_type, items, sizeof items / sizeof *items);
}

PyObject *ext_signature_text(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "count", "most", NULL};
    ExtType *type;
    int64_t count;
    Py_ssize_t most;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&n", names, &ext_type_type, &type,
                                     ext_count, &count, &most)) {
        return NULL;
    }
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    struct st_signatures *signatures = indexes ? ext_signatures_of(indexes) : NULL;
    PyObject *result = NULL;
    if (signatures) {
        struct st_signature_text text;
        st_signature_text(signatures, type->type, count < 0 ? 1 : count,
                          most < 1 ? 1 : (size_t)most, &text);
        result = text.text ? text_new(&text) : raise_state(text.state);
        free(text.text);
    }
    ext_indexes_release(indexes);
    return result;
}
