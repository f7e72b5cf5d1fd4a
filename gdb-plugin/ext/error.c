/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences for the faults of the core. */
#include "ext.h"

#include <stdio.h>
#include <string.h>

PyObject *ext_error;
PyObject *ext_unreadable;

bool ext_add_errors(PyObject *module)
{
    ext_error = PyErr_NewExceptionWithDoc("_mpipp.Error", "One sentence for the user.", NULL, NULL);
    if (!ext_error || PyModule_AddObjectRef(module, "Error", ext_error) < 0) {
        return false;
    }
    ext_unreadable = PyErr_NewExceptionWithDoc(
        "_mpipp.Unreadable",
        "Target memory that cannot be read: `address` is the first that cannot, `partial` the text "
        "up to there or None.",
        ext_error, NULL);
    return ext_unreadable && PyModule_AddObjectRef(module, "Unreadable", ext_unreadable) == 0;
}

/* PyUnicode_FromFormat() has no %llx before Python 3.12. */
struct hex {
    char text[24];
};

static struct hex hex(uint64_t number)
{
    struct hex hex;
    snprintf(hex.text, sizeof hex.text, "0x%llx", (unsigned long long)number);
    return hex;
}

/* The value of a field, in readable form. */
struct number {
    char text[24];
};

static bool is_one_of(const char *field, const char *const *names)
{
    while (*names && strcmp(field, *names) != 0) {
        names++;
    }
    return *names != NULL;
}

static struct number number(const struct st_fault *fault)
{
    static const char *const addresses[] = {"table", "node_chunks", "site_chunks", "ring",
                                            "block", "name",        "frame",       NULL};
    static const char *const signed_[] = {"count", "blocklength", "rank", "world_rank", NULL};
    struct number number;
    if (is_one_of(fault->field, addresses)) {
        memcpy(number.text, hex(fault->value).text, sizeof number.text);
    } else if (is_one_of(fault->field, signed_)) {
        snprintf(number.text, sizeof number.text, "%lld", (long long)fault->value);
    } else {
        snprintf(number.text, sizeof number.text, "%llu", (unsigned long long)fault->value);
    }
    return number;
}

/* " (block of node 17 of the registry)"; empty if it is the program's memory. */
struct about {
    char text[96];
};

static struct about about(const struct st_fault *fault)
{
    struct about about = {""};
    if (fault->field && fault->node != ST_NO_NODE) {
        snprintf(about.text, sizeof about.text, " (%s of node %u of the registry)", fault->field,
                 fault->node);
    } else if (fault->field) {
        snprintf(about.text, sizeof about.text, " (%s of the registry)", fault->field);
    }
    return about;
}

static PyObject *raise_unreadable(const struct st_fault *fault)
{
    PyObject *text = PyUnicode_FromFormat(
        "cannot read %llu byte%s at %s%s", (unsigned long long)fault->value,
        fault->value == 1 ? "" : "s", hex(fault->address).text, about(fault).text);
    PyObject *exception = text ? PyObject_CallOneArg(ext_unreadable, text) : NULL;
    PyObject *address = exception ? PyLong_FromUnsignedLongLong(fault->address) : NULL;
    if (address && PyObject_SetAttrString(exception, "address", address) == 0 &&
        PyObject_SetAttrString(exception, "partial", Py_None) == 0) {
        PyErr_SetObject(ext_unreadable, exception);
    }
    Py_XDECREF(address);
    Py_XDECREF(exception);
    Py_XDECREF(text);
    return NULL;
}

PyObject *ext_raise(const struct st_fault *fault)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    switch (fault->error) {
    case ST_UNREADABLE:
        return raise_unreadable(fault);
    case ST_NO_MEMORY:
        return PyErr_NoMemory();
    case ST_INTERRUPTED:
        PyErr_SetNone(PyExc_KeyboardInterrupt);
        return NULL;
    case ST_NOT_A_REGISTRY:
        return PyErr_Format(ext_error, "'%s' (%s) is no shadow registry", ST_ROOT_SYMBOL,
                            hex(fault->address).text);
    case ST_OTHER_LAYOUT:
        return PyErr_Format(ext_error,
                            "the registry has layout version %llu and this plugin reads version "
                            "%u: use libshadowtype and plugin of one release",
                            (unsigned long long)fault->value, ST_LAYOUT_VERSION);
    case ST_OTHER_BYTE_ORDER:
        return PyErr_Format(ext_error, "the rank has another byte order than this gdb's machine");
    case ST_DAMAGED_ROOT:
        return PyErr_Format(ext_error, "the registry is damaged (%s %s)", fault->field,
                            number(fault).text);
    case ST_DAMAGED_NODE:
        if (fault->node == ST_NO_NODE) {
            return PyErr_Format(ext_error, "the registry is damaged (%s %s)", fault->field,
                                number(fault).text);
        }
        return PyErr_Format(ext_error, "the registry is damaged at node %u (%s %s)", fault->node,
                            fault->field, number(fault).text);
    case ST_NO_SUCH_NODE:
        return PyErr_Format(ext_error, "there is no datatype at node %u of the registry any more",
                            fault->node);
    case ST_CYCLE:
        return PyErr_Format(ext_error, "the registry is damaged at node %u (a type below itself)",
                            fault->node);
    case ST_OUT_OF_RANGE:
        return PyErr_Format(ext_error, "the registry is damaged (index %llu is out of range)",
                            (unsigned long long)fault->value);
    case ST_OVERFLOW:
        return PyErr_Format(ext_error, "an address of this buffer does not fit in 64 bits");
    case ST_INSIDE_UNKNOWN:
        return PyErr_Format(ext_error, "what is inside this type is not known");
    case ST_OK:
        break;
    }
    return PyErr_Format(ext_error, "the registry cannot be read");
}

bool ext_interrupted(void *Py_UNUSED(context))
{
    return PyErr_CheckSignals() != 0;
}
