/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that threads are in, the meaning of their values, and the names of MPI's constants.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/decode/calls.h"
#include "core/waits/line.h"

static PyTypeObject *thread_type, *call_type, *form_type, *parameter_type, *name_type, *status_type;

static PyTypeObject *add_type(PyObject *module, PyStructSequence_Desc *description)
{
    PyTypeObject *type = PyStructSequence_NewType(description);
    const char *name = strchr(description->name, '.') + 1;
    return type && PyModule_AddObjectRef(module, name, (PyObject *)type) == 0 ? type : NULL;
}

bool ext_add_calls(PyObject *module)
{
    static PyStructSequence_Field thread[] = {{"id", NULL}, {"calls", NULL}, {NULL, NULL}};
    static PyStructSequence_Field call[] = {
        {"state", NULL},  {"form", NULL}, {"pc", NULL},   {"sp", NULL}, {"result", NULL},
        {"values", NULL}, {"site", NULL}, {"user", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Field form[] = {{"function", NULL}, {"parameters", NULL}, {NULL, NULL}};
    static PyStructSequence_Field parameter[] = {
        {"role", NULL}, {"type", NULL}, {"name", NULL}, {NULL, NULL}};
    static PyStructSequence_Field name[] = {
        {"type", NULL}, {"name", NULL}, {"value", NULL}, {NULL, NULL}};
    static PyStructSequence_Field status[] = {
        {"size", NULL}, {"source", NULL}, {"tag", NULL}, {"error", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc descriptions[] = {
        {"_mpipp.Thread", "A thread that has called MPI.", thread, 2},
        {"_mpipp.Call", "A call of an MPI function.", call, 8},
        {"_mpipp.Form", "What the values of a call are.", form, 2},
        {"_mpipp.Parameter", "A parameter of an MPI function.", parameter, 3},
        {"_mpipp.Name", "What a constant is called.", name, 3},
        {"_mpipp.StatusLayout", "Where the members of an MPI_Status lie.", status, 4},
    };
    PyTypeObject **const types[] = {&thread_type,    &call_type, &form_type,
                                    &parameter_type, &name_type, &status_type};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (!(*types[i] = add_type(module, &descriptions[i]))) {
            return false;
        }
    }
    return true;
}

/* --- threads ------------------------------------------------------------------------------- */

static PyObject *values_of(const struct st_thread_call *call)
{
    PyObject *values = PyTuple_New(ST_CALL_VALUES);
    for (Py_ssize_t i = 0; values && i < ST_CALL_VALUES; i++) {
        PyObject *value = PyLong_FromUnsignedLongLong(call->values[i]);
        if (!value) {
            Py_CLEAR(values);
            break;
        }
        PyTuple_SET_ITEM(values, i, value);
    }
    return values;
}

static PyObject *user_of(const struct st_thread_call *call)
{
    if (!call->user_pc) {
        return Py_NewRef(Py_None);
    }
    return Py_BuildValue("KK", (unsigned long long)call->user_pc,
                         (unsigned long long)call->user_sp);
}

static PyObject *call_new(const struct st_thread_call *call)
{
    bool runs = (uint32_t)call->state == ST_CALL_RUNNING;
    PyObject *items[] = {
        PyUnicode_FromString(runs ? "running" : "returned"),
        PyLong_FromUnsignedLong(call->form),
        PyLong_FromUnsignedLongLong(call->pc),
        PyLong_FromUnsignedLongLong(call->sp),
        runs ? Py_NewRef(Py_None) : PyLong_FromLong((int32_t)(call->state >> 32)),
        values_of(call),
        PyLong_FromLongLong(call->site == ST_NO_SITE ? -1 : (long long)call->site),
        user_of(call),
    };
    return ext_tuple(call_type, items, sizeof items / sizeof *items);
}

static bool is_call(const struct st_thread_call *call)
{
    return (uint32_t)call->state == ST_CALL_RUNNING || (uint32_t)call->state == ST_CALL_RETURNED;
}

/* Outermost first. */
static PyObject *calls_of(const struct st_thread *thread)
{
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < ST_THREAD_CALLS; i++) {
        PyObject *call = is_call(&thread->calls[i]) ? call_new(&thread->calls[i]) : NULL;
        if (call ? PyList_Append(list, call) < 0 : PyErr_Occurred() != NULL) {
            Py_CLEAR(list);
        }
        Py_XDECREF(call);
    }
    return list;
}

PyObject *ext_threads(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    bool changed;
    if (!ext_refresh(self, &changed)) {
        return NULL;
    }
    PyObject *list = PyList_New(0);
    uint64_t address = st_registry_root(self->registry)->threads;
    for (uint32_t number = 0; list && address;) {
        struct st_thread thread;
        if (st_registry_thread(self->registry, &address, &number, &thread, &fault)) {
            Py_DECREF(list);
            return ext_raise(&fault);
        }
        if (!thread.id) {
            continue;
        }
        PyObject *items[] = {PyLong_FromUnsignedLongLong(thread.id), calls_of(&thread)};
        PyObject *one = ext_tuple(thread_type, items, sizeof items / sizeof *items);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    return list;
}

/* --- forms --------------------------------------------------------------------------------- */

static PyObject *parameters_of(const struct st_call_form *form)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)form->count);
    for (size_t i = 0; tuple && i < form->count; i++) {
        const struct st_form_parameter *parameter = &form->parameters[i];
        PyObject *items[] = {PyUnicode_FromString(parameter->role),
                             PyUnicode_FromString(parameter->type),
                             PyUnicode_FromString(parameter->name)};
        PyObject *one = ext_tuple(parameter_type, items, sizeof items / sizeof *items);
        if (!one) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
    }
    return tuple;
}

static PyObject *form_new(ExtRegistry *self, uint64_t offset)
{
    struct st_call_form form;
    struct st_fault fault = {0};
    if (st_registry_form(self->registry, offset, &form, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *items[] = {PyUnicode_FromString(form.function), parameters_of(&form)};
    return ext_tuple(form_type, items, sizeof items / sizeof *items);
}

PyObject *ext_form(PyObject *object, PyObject *argument)
{
    ExtRegistry *self = (ExtRegistry *)object;
    uint64_t offset;
    return ext_usable(self) && ext_address(argument, &offset) ? form_new(self, offset) : NULL;
}

PyObject *ext_form_of(PyObject *object, PyObject *argument)
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    uint64_t offset;
    const char *function = ext_usable(self) ? PyUnicode_AsUTF8(argument) : NULL;
    if (!function) {
        return NULL;
    }
    if (st_registry_form_of(self->registry, function, &offset, &fault)) {
        return ext_raise(&fault);
    }
    return offset == UINT64_MAX ? Py_NewRef(Py_None) : form_new(self, offset);
}

PyObject *ext_describe(PyObject *object, PyObject *args)
{
    ExtRegistry *self = (ExtRegistry *)object;
    const char *function;
    PyObject *given;
    uint64_t offset, values[ST_CALL_VALUES] = {0};
    struct st_call_form form;
    struct st_fault fault = {0};
    char text[ST_LINE];
    int has_begun = 0;
    if (!ext_usable(self) ||
        !PyArg_ParseTuple(args, "sO!|p", &function, &PyTuple_Type, &given, &has_begun)) {
        return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given) && i < ST_CALL_VALUES; i++) {
        if (!ext_address(PyTuple_GET_ITEM(given, i), &values[i])) {
            return NULL;
        }
    }
    if (st_registry_form_of(self->registry, function, &offset, &fault)) {
        return ext_raise(&fault);
    }
    if (offset == UINT64_MAX) {
        return PyUnicode_FromString(function);
    }
    if (st_registry_form(self->registry, offset, &form, &fault) ||
        st_line_of_call(self->registry, &form, values, has_begun, text, &fault)) {
        return ext_raise(&fault);
    }
    return ext_text(text, strlen(text));
}

/* --- names --------------------------------------------------------------------------------- */

PyObject *ext_names(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    struct st_name *names;
    size_t count;
    if (!ext_usable(self)) {
        return NULL;
    }
    if (st_registry_names(self->registry, &names, &count, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *items[] = {
            ext_text(names[i].type, strlen(names[i].type)),
            ext_text(names[i].name, strlen(names[i].name)),
            PyLong_FromUnsignedLongLong(names[i].value),
        };
        PyObject *one = ext_tuple(name_type, items, sizeof items / sizeof *items);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    free(names);
    return list;
}

PyObject *ext_get_status(PyObject *object, void *Py_UNUSED(closure))
{
    const ExtRegistry *self = (ExtRegistry *)object;
    if (!ext_usable(self)) {
        return NULL;
    }
    const struct st_root *root = st_registry_root(self->registry);
    PyObject *items[] = {
        PyLong_FromLong(root->status_bytes),
        PyLong_FromLong(root->status_source),
        PyLong_FromLong(root->status_tag),
        PyLong_FromLong(root->status_error),
    };
    return ext_tuple(status_type, items, sizeof items / sizeof *items);
}
