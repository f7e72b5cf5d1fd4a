/* SPDX-License-Identifier: BSD-3-Clause */
/* The pending operations, as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <string.h>

#include "core/decode/completion.h"

static PyTypeObject *operation_type, *buffer_type;

bool ext_add_operations(PyObject *module)
{
    static PyStructSequence_Field buffer_fields[] = {
        {"address", NULL},  {"count", NULL},  {"node", NULL}, {"sent", NULL},
        {"received", NULL}, {"active", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc buffer = {"_mpipp.Buffer", "A buffer of an Operation.",
                                           buffer_fields, 6};
    static PyStructSequence_Field operation_fields[] = {
        {"function", NULL}, {"request", NULL},  {"handle", NULL},     {"comm", NULL},
        {"peer", NULL},     {"tag", NULL},      {"thread", NULL},     {"site", NULL},
        {"active", NULL},   {"possible", NULL}, {"persistent", NULL}, {"running", NULL},
        {"buffers", NULL},  {"variable", NULL}, {"complete", NULL},   {NULL, NULL},
    };
    static PyStructSequence_Desc operation = {"_mpipp.Operation", "An operation that is pending.",
                                              operation_fields, 15};
    buffer_type = PyStructSequence_NewType(&buffer);
    operation_type = PyStructSequence_NewType(&operation);
    return buffer_type && operation_type &&
           PyModule_AddObjectRef(module, "Buffer", (PyObject *)buffer_type) == 0 &&
           PyModule_AddObjectRef(module, "Operation", (PyObject *)operation_type) == 0;
}

static PyObject *number_or_none(uint32_t number, uint32_t none)
{
    return number == none ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(number);
}

static PyObject *buffer_new(const struct st_record_buffer *buffer)
{
    PyObject *items[] = {
        PyLong_FromUnsignedLongLong(buffer->address), PyLong_FromLongLong(buffer->count),
        number_or_none(buffer->type, ST_NO_NODE),     PyBool_FromLong(buffer->access & ST_READ),
        PyBool_FromLong(buffer->access & ST_WRITE),   PyBool_FromLong(buffer->active),
    };
    return ext_tuple(buffer_type, items, sizeof items / sizeof *items);
}

static PyObject *buffers_new(const struct st_record_buffer *buffers, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *one = buffer_new(&buffers[i]);
        if (!one) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
        }
    }
    return tuple;
}

static PyObject *completion_new(enum st_completion completion)
{
    return completion == ST_COMPLETION_UNKNOWN ? Py_NewRef(Py_None)
                                               : PyBool_FromLong(completion == ST_COMPLETE);
}

static PyObject *operation_new(const struct st_operation *operation,
                               const struct st_record_buffer *buffers,
                               enum st_completion completion)
{
    const struct st_record *record = &operation->record;
    PyObject *items[] = {
        ext_text(operation->function, strlen(operation->function)),
        PyBool_FromLong(record->kind == ST_KIND_REQUEST),
        PyLong_FromUnsignedLongLong(record->handle),
        PyLong_FromUnsignedLongLong(record->comm),
        PyLong_FromLong(record->peer),
        PyLong_FromLong(record->tag),
        PyLong_FromUnsignedLong(record->thread),
        PyLong_FromLongLong(record->site == ST_NO_SITE ? -1 : (long long)record->site),
        PyBool_FromLong(record->flags & ST_RECORD_ACTIVE),
        PyBool_FromLong(record->flags & ST_RECORD_POSSIBLE),
        PyBool_FromLong(record->flags & ST_RECORD_PERSISTENT),
        PyBool_FromLong(record->flags & ST_RECORD_RUNNING),
        buffers_new(buffers + operation->first_buffer, operation->buffer_count),
        PyLong_FromUnsignedLongLong(record->variable),
        completion_new(completion),
    };
    return ext_tuple(operation_type, items, sizeof items / sizeof *items);
}

PyObject *ext_operations(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_operation_list list;
    struct st_damage found;
    struct st_completion_record where;
    struct st_fault fault = {0};
    if (!ext_usable(self)) {
        return NULL;
    }
    if (st_completion_learn(self->registry, &where, &fault) ||
        st_registry_operations(self->registry, &list, &found, &fault)) {
        return ext_raise(&fault);
    }
    if (!list.is_checked) {
        return Py_BuildValue("(OO)", Py_None, Py_None);
    }
    PyObject *tuple = PyTuple_New((Py_ssize_t)list.count);
    for (size_t i = 0; tuple && i < list.count; i++) {
        const struct st_operation *operation = &list.operations[i];
        enum st_completion completion;
        PyObject *one =
            st_completion_of(self->registry, &where, &operation->record, &completion, &fault)
                ? ext_raise(&fault)
                : operation_new(operation, list.buffers, completion);
        if (!one) {
            Py_CLEAR(tuple);
        } else {
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, one);
        }
    }
    st_operations_free(&list);
    PyObject *damage = !tuple              ? NULL
                       : found.fault.error ? ext_damage(&found, "operations")
                                           : Py_NewRef(Py_None);
    if (!damage) {
        Py_CLEAR(tuple);
        return NULL;
    }
    return Py_BuildValue("(NN)", tuple, damage);
}
