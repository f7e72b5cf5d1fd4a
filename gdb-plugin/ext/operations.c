/* SPDX-License-Identifier: BSD-3-Clause */
/* The pending operations, and other handles, as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/decode/completion.h"

static PyTypeObject *operation_type, *buffer_type, *object_type;

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
    static PyStructSequence_Field object_fields[] = {
        {"function", NULL}, {"site", NULL},  {"name", NULL}, {"size", NULL},
        {"rank", NULL},     {"inter", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc one = {"_mpipp.Object", "What a handle stands for.", object_fields,
                                        6};
    buffer_type = PyStructSequence_NewType(&buffer);
    operation_type = PyStructSequence_NewType(&operation);
    object_type = PyStructSequence_NewType(&one);
    return buffer_type && operation_type && object_type &&
           PyModule_AddObjectRef(module, "Buffer", (PyObject *)buffer_type) == 0 &&
           PyModule_AddObjectRef(module, "Operation", (PyObject *)operation_type) == 0 &&
           PyModule_AddObjectRef(module, "Object", (PyObject *)object_type) == 0;
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

/* --- other handles ------------------------------------------------------------------------- */

static enum st_kind kind_of(const char *type)
{
    static const char *const types[ST_KIND_END] = {
        [ST_KIND_COMM] = "MPI_Comm",
        [ST_KIND_GROUP] = "MPI_Group",
        [ST_KIND_OP] = "MPI_Op",
        [ST_KIND_WIN] = "MPI_Win",
        [ST_KIND_FILE] = "MPI_File",
        [ST_KIND_INFO] = "MPI_Info",
        [ST_KIND_ERRHANDLER] = "MPI_Errhandler",
    };
    for (int kind = 0; kind < ST_KIND_END; kind++) {
        if (types[kind] && strcmp(types[kind], type) == 0) {
            return (enum st_kind)kind;
        }
    }
    return ST_KIND_NONE;
}

static PyObject *text_or_none(const char *text)
{
    return text ? ext_text(text, strlen(text)) : Py_NewRef(Py_None);
}

/* size is -1 if neither it nor the rank is known. */
static PyObject *object_new(const char *function, uint32_t site, const char *name, int32_t size,
                            int32_t rank, bool is_inter)
{
    PyObject *items[] = {
        text_or_none(function),
        PyLong_FromLongLong(site == ST_NO_SITE ? -1 : (long long)site),
        text_or_none(name),
        size < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(size),
        size < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(rank),
        PyBool_FromLong(is_inter),
    };
    return ext_tuple(object_type, items, sizeof items / sizeof *items);
}

static PyObject *comm_new(const struct st_communicator *comm)
{
    bool is_inter = comm->comm.flags & ST_COMM_INTER;
    int32_t size = is_inter ? comm->comm.remote.size : comm->comm.group.size;
    return object_new(comm->function, comm->comm.site, comm->name, size, comm->comm.rank, is_inter);
}

static PyObject *comm_of(struct st_registry *registry, enum st_kind kind, uint64_t handle)
{
    struct st_communicator comm;
    struct st_fault fault = {0};
    if (st_registry_comm(registry, kind, handle, &comm, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *known = comm.comm.serial ? comm_new(&comm) : Py_NewRef(Py_None);
    st_communicator_deinit(&comm);
    return known;
}

static PyObject *other_new(const struct st_object *object)
{
    return object_new(object->function, object->record.site, object->name, -1, -1, false);
}

static PyObject *other_of(struct st_registry *registry, enum st_kind kind, uint64_t handle)
{
    struct st_object object;
    struct st_fault fault = {0};
    if (st_registry_object(registry, kind, handle, &object, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *known = !object.record.serial ? Py_NewRef(Py_None) : other_new(&object);
    free(object.name);
    return known;
}

PyObject *ext_object(PyObject *registry, PyObject *args)
{
    ExtRegistry *self = (ExtRegistry *)registry;
    const char *type;
    PyObject *number;
    uint64_t handle;
    bool changed;
    if (!PyArg_ParseTuple(args, "sO", &type, &number) || !ext_address(number, &handle) ||
        !ext_refresh(self, &changed)) {
        return NULL;
    }
    enum st_kind kind = kind_of(type);
    if (kind == ST_KIND_NONE) {
        return Py_NewRef(Py_None);
    }
    return st_kind_has_comm(kind) ? comm_of(self->registry, kind, handle)
                                  : other_of(self->registry, kind, handle);
}

/* --- all of a kind ----------------------------------------------------------------------------- */

/* Takes the reference to `object`. Returns false with an exception set. */
static bool add_handle(PyObject *list, uint64_t handle, PyObject *object)
{
    PyObject *pair = object ? Py_BuildValue("(KN)", (unsigned long long)handle, object) : NULL;
    bool ok = pair && PyList_Append(list, pair) == 0;
    Py_XDECREF(pair);
    return ok;
}

/* Lists communicators, windows or files. */
static bool list_comms(struct st_registry *registry, enum st_kind kind, PyObject *list,
                       struct st_damage *damage)
{
    struct st_communicator *comms;
    size_t count;
    struct st_fault fault = {0};
    if (st_registry_comms(registry, &comms, &count, damage, &fault)) {
        ext_raise(&fault);
        return false;
    }
    uint8_t wanted = kind == ST_KIND_COMM ? 0 : (uint8_t)kind;
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        if (comms[i].comm.kind == wanted) {
            ok = add_handle(list, comms[i].comm.handle, comm_new(&comms[i]));
        }
    }
    st_communicators_free(comms, count);
    return ok;
}

static bool list_others(struct st_registry *registry, enum st_kind kind, PyObject *list,
                        struct st_damage *damage)
{
    struct st_object *objects;
    size_t count;
    struct st_fault fault = {0};
    if (st_registry_objects(registry, kind, &objects, &count, damage, &fault)) {
        ext_raise(&fault);
        return false;
    }
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_handle(list, objects[i].record.handle, other_new(&objects[i]));
    }
    st_objects_free(objects, count);
    return ok;
}

PyObject *ext_objects(PyObject *registry, PyObject *args)
{
    ExtRegistry *self = (ExtRegistry *)registry;
    const char *type;
    bool changed;
    if (!PyArg_ParseTuple(args, "s", &type) || !ext_refresh(self, &changed)) {
        return NULL;
    }
    enum st_kind kind = kind_of(type);
    if (kind == ST_KIND_NONE || !st_registry_root(self->registry)->operations) {
        return Py_BuildValue("(OO)", Py_None, Py_None);
    }
    struct st_damage found;
    PyObject *list = PyList_New(0);
    bool ok = list && (st_kind_has_comm(kind) ? list_comms(self->registry, kind, list, &found)
                                              : list_others(self->registry, kind, list, &found));
    PyObject *damage = !ok                 ? NULL
                       : found.fault.error ? ext_damage(&found, "handles")
                                           : Py_NewRef(Py_None);
    if (!damage) {
        Py_XDECREF(list);
        return NULL;
    }
    return Py_BuildValue("(NN)", list, damage);
}
