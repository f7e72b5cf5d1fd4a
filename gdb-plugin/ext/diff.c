/* SPDX-License-Identifier: BSD-3-Clause */
/* diff(): compares the data of two buffers, element by element. */
#include "diff.h"

#include "ext.h"

static PyTypeObject *diff_type;

bool ext_add_diff(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"compared", NULL}, {"different", NULL},  {"number", NULL}, {"first", NULL},
        {"sizes", NULL},    {"unreadable", NULL}, {"side", NULL},   {NULL, NULL},
    };
    static PyStructSequence_Desc description = {"_mpipp.Diff", "What diff() found.", fields, 7};
    diff_type = PyStructSequence_NewType(&description);
    return diff_type && PyModule_AddObjectRef(module, "Diff", (PyObject *)diff_type) == 0;
}

/* One of the two buffers. */
struct side {
    ExtType *type;
    unsigned long long address;
    int64_t count; /* -1: no count was given: 1 */
    struct ext_reader reader;
    struct ext_indexes *indexes;
    struct st_memory memory;
};

static int side_of(PyObject *object, void *context)
{
    struct side *side = context;
    if (!PyTuple_Check(object)) {
        PyErr_SetString(PyExc_TypeError, "a buffer is a tuple");
        return 0;
    }
    return PyArg_ParseTuple(object, "O!O&O&O", &ext_type_type, &side->type, ext_address,
                            &side->address, ext_count, &side->count, &side->reader.callable);
}

/* Returns the Element of the first difference. */
static PyObject *element(const struct side *side, const struct st_diff_place *at)
{
    struct st_place root = ext_root(side->type->type, side->address, side->count);
    struct st_route route;
    int64_t rest;
    PyObject *result = NULL;
    st_route_init(&route, &root);
    enum st_error error =
        st_route_at(&route, &side->indexes->indexes, ST_SENT_ELEMENTS, at->leaf, &rest);
    if (error) {
        ext_raise(&(struct st_fault){.error = error});
    } else {
        route.member = at->member;
        result = ext_element_new(side->type, side->indexes, &route, 0);
    }
    st_route_deinit(&route);
    return result;
}

static PyObject *first_of(const struct side sides[2], const struct st_diff *diff)
{
    if (diff->first_number < 0) {
        return Py_NewRef(Py_None);
    }
    return Py_BuildValue("(NN)", element(&sides[0], &diff->first[0]),
                         element(&sides[1], &diff->first[1]));
}

/* Returns an Unreadable for the fault, with `path`; NULL with an exception for any other fault. */
static PyObject *unreadable(const struct st_diff *diff, const struct st_fault *fault)
{
    PyObject *type, *value, *traceback;
    ext_raise_at(&diff->sides[diff->failed].pack.route, fault);
    if (fault->error != ST_UNREADABLE || !PyErr_ExceptionMatches(ext_unreadable)) {
        return NULL;
    }
    PyErr_Fetch(&type, &value, &traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

static PyObject *compare_all(const struct side sides[2], struct st_diff *diff)
{
    struct st_fault fault = {0};
    enum st_error error = st_diff_run(diff, &fault);
    PyObject *failed = error ? unreadable(diff, &fault) : Py_NewRef(Py_None);
    if (!failed) {
        return NULL;
    }
    PyObject *items[] = {
        PyLong_FromLongLong(diff->compared),
        PyLong_FromLongLong(diff->different),
        diff->first_number < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(diff->first_number),
        first_of(sides, diff),
        PyBool_FromLong(diff->sizes),
        failed,
        PyLong_FromLong(diff->failed),
    };
    return ext_tuple(diff_type, items, sizeof items / sizeof *items);
}

PyObject *ext_diff(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"one", "other", "most", "as_bytes", NULL};
    struct side sides[2] = {{.count = -1}, {.count = -1}};
    long long most;
    int bytes = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O&O&L|p", names, side_of, &sides[0], side_of,
                                     &sides[1], &most, &bytes)) {
        return NULL;
    }
    struct st_diff_side of[2];
    for (int i = 0; i < 2; i++) {
        sides[i].indexes = ext_indexes_of(sides[i].type->registry, sides[i].type->types);
        st_memory_init(&sides[i].memory, ext_read, &sides[i].reader);
        of[i] = (struct st_diff_side){
            .indexes = sides[i].indexes ? &sides[i].indexes->indexes : NULL,
            .memory = &sides[i].memory,
            .root = ext_root(sides[i].type->type, sides[i].address, sides[i].count),
        };
    }
    PyObject *result = NULL;
    if (sides[0].indexes && sides[1].indexes) {
        struct st_diff diff;
        bool enough = st_diff_init(&diff, of);
        diff.most = most;
        diff.bytes = bytes;
        diff.interrupted = ext_interrupted;
        result = enough ? compare_all(sides, &diff) : PyErr_NoMemory();
        st_diff_deinit(&diff);
    }
    for (int i = 0; i < 2; i++) {
        st_memory_deinit(&sides[i].memory);
        ext_indexes_release(sides[i].indexes);
    }
    return result;
}
