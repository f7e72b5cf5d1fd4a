/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles other than datatypes and requests, as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

static PyTypeObject *object_type;

bool ext_add_objects(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"function", NULL}, {"site", NULL},     {"name", NULL},    {"size", NULL},
        {"rank", NULL},     {"inter", NULL},    {"members", NULL}, {"grid", NULL},
        {"space", NULL},    {"callback", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc object = {"_mpipp.Object", "What a handle stands for.", fields,
                                           10};
    object_type = PyStructSequence_NewType(&object);
    return object_type && PyModule_AddObjectRef(module, "Object", (PyObject *)object_type) == 0;
}

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

static PyObject *site_of(uint32_t site)
{
    return PyLong_FromLongLong(site == ST_NO_SITE ? -1 : (long long)site);
}

/* --- communicators, windows and files ------------------------------------------------------ */

/* Ranks first, first + step, ... of MPI_COMM_WORLD. */
struct run {
    int64_t first, step, count;
};

/* Returns the longest run that begins at rank `from` of the group. count 0: one of its processes is
 * not in this rank's MPI_COMM_WORLD, or not known. */
static struct run run_from(const struct st_communicator *comm, uint64_t world, int64_t from)
{
    struct run run = {0};
    for (int64_t rank = from; rank < comm->comm.group.size; rank++) {
        uint64_t gpid = st_communicator_member(comm, false, rank);
        if (gpid == ST_NO_GPID || st_gpid_world(gpid) != world) {
            return (struct run){0};
        }
        int64_t number = st_gpid_rank(gpid);
        run.first = run.count ? run.first : number;
        run.step = run.count == 1 ? number - run.first : run.step;
        if (number != run.first + run.count * run.step) {
            break;
        }
        run.count++;
    }
    if (run.count == 2 && run.step != 1 && run.step != -1) {
        run.count = 1; /* 0, 4, 5, 6: the run is 4 to 6 */
    }
    return run;
}

static bool add_run(PyObject *list, const struct run *run)
{
    const int64_t step = run->count == 1 ? 1 : run->step;
    PyObject *item =
        Py_BuildValue("(LLL)", (long long)run->first, (long long)step, (long long)run->count);
    bool ok = item && PyList_Append(list, item) == 0;
    Py_XDECREF(item);
    return ok;
}

/* Returns the first runs of the group, at most MOST_RUNS; None if its processes are not known. */
static PyObject *members_of(const struct st_communicator *comm, uint64_t world)
{
    enum { MOST_RUNS = 32 };
    const struct st_comm_group *group = &comm->comm.group;
    PyObject *list = PyList_New(0);
    int64_t rank = 0;
    for (int i = 0; list && i < MOST_RUNS && rank < group->size; i++) {
        const struct run run = group->form != ST_GROUP_STRIDED ? run_from(comm, world, rank)
                               : group->world == world
                                   ? (struct run){group->first, group->stride, group->size}
                                   : (struct run){0};
        if (!run.count) {
            rank = 0;
            break;
        }
        if (!add_run(list, &run)) {
            Py_CLEAR(list);
        }
        rank += run.count;
    }
    if (list && !rank) {
        Py_DECREF(list);
        Py_RETURN_NONE;
    }
    return list;
}

static PyObject *grid_of(const struct st_communicator *comm)
{
    if (!comm->grid) {
        Py_RETURN_NONE;
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < comm->dimensions; i++) {
        const struct st_dimension *one = &comm->grid[i];
        PyObject *item = Py_BuildValue("(iOi)", (int)one->processes,
                                       one->periodic ? Py_True : Py_False, (int)one->here);
        if (!item || PyList_Append(list, item) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *space_of(const struct st_comm *comm)
{
    const struct st_win_space *space = &comm->space;
    if (comm->kind != ST_KIND_WIN || !space->unit) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(KKI)", (unsigned long long)space->base, (unsigned long long)space->bytes,
                         (unsigned int)space->unit);
}

static PyObject *comm_new(struct st_registry *registry, const struct st_communicator *comm)
{
    bool is_inter = comm->comm.flags & ST_COMM_INTER;
    int32_t size = is_inter ? comm->comm.remote.size : comm->comm.group.size;
    PyObject *items[] = {
        text_or_none(comm->function),
        site_of(comm->comm.site),
        text_or_none(comm->name),
        size < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(size),
        size < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(comm->comm.rank),
        PyBool_FromLong(is_inter),
        members_of(comm, st_registry_root(registry)->world),
        grid_of(comm),
        space_of(&comm->comm),
        PyLong_FromLong(0),
    };
    return ext_tuple(object_type, items, sizeof items / sizeof *items);
}

static PyObject *comm_of(struct st_registry *registry, enum st_kind kind, uint64_t handle)
{
    struct st_communicator comm;
    struct st_fault fault = {0};
    if (st_registry_comm(registry, kind, handle, &comm, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *known = comm.comm.serial ? comm_new(registry, &comm) : Py_NewRef(Py_None);
    st_communicator_deinit(&comm);
    return known;
}

/* --- other handles ------------------------------------------------------------------------- */

static PyObject *other_new(const struct st_object *object)
{
    const bool is_op = object->record.kind == ST_KIND_OP;
    PyObject *items[] = {
        text_or_none(object->function),
        site_of(object->record.site),
        text_or_none(object->name),
        Py_NewRef(Py_None),
        Py_NewRef(Py_None),
        PyBool_FromLong(false),
        Py_NewRef(Py_None),
        Py_NewRef(Py_None),
        Py_NewRef(Py_None),
        PyLong_FromUnsignedLongLong(is_op ? object->record.variable : 0),
    };
    return ext_tuple(object_type, items, sizeof items / sizeof *items);
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
            ok = add_handle(list, comms[i].comm.handle, comm_new(registry, &comms[i]));
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
