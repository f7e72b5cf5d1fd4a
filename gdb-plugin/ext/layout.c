/* SPDX-License-Identifier: BSD-3-Clause */
/* _mpipp.Layout: the bytes that a type, or a number of them, covers. */
#include "ext.h"

#include <stdlib.h>

#include "core/layout/alignment.h"
#include "core/overlap/overlap.h"
#include "core/overlap/self_overlap.h"
#include "core/overlap/strided.h"
#include "core/overlap/window.h"

static PyTypeObject *block_type;

bool ext_add_layout(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"displacement", NULL}, {"length", NULL}, {"levels", NULL}, {NULL, NULL}};
    static PyStructSequence_Desc description = {"_mpipp.Block", "A strided block of a Layout.",
                                                fields, 3};
    block_type = PyStructSequence_NewType(&description);
    return block_type && PyModule_AddObjectRef(module, "Block", (PyObject *)block_type) == 0 &&
           PyModule_AddIntConstant(module, "STEPS", (long)ST_EFFORT_STEPS) == 0;
}

struct st_effort ext_effort(uint64_t steps)
{
    struct st_effort effort = st_effort_of(steps);
    effort.interrupted = ext_interrupted;
    return effort;
}

bool ext_layout_of(struct ext_indexes *indexes, const struct st_type *type,
                   struct st_effort *effort, const struct st_layout **layout)
{
    enum st_error error = st_layout_of(indexes->layouts, type, effort, layout);
    if (error) {
        ext_raise(&(struct st_fault){.error = error});
    }
    return !error;
}

typedef struct {
    PyObject_HEAD ExtType *type;
    struct ext_indexes *indexes;
    int64_t count;
    const struct st_layout *layout;
    struct st_buffer buffer; /* at address 0 */
} ExtLayout;

static PyObject *layout_create(PyTypeObject *Py_UNUSED(cls), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "count", NULL};
    ExtType *type;
    int64_t count = -1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|O&", names, &ext_type_type, &type,
                                     ext_count, &count)) {
        return NULL;
    }
    struct st_effort effort = ext_effort(0);
    const struct st_layout *layout;
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    if (!indexes) {
        return NULL;
    }
    ExtLayout *self = NULL;
    if (ext_layout_of(indexes, type->type, &effort, &layout)) {
        self = PyObject_New(ExtLayout, &ext_layout_type);
    }
    if (!self) {
        ext_indexes_release(indexes);
        return NULL;
    }
    self->type = (ExtType *)Py_NewRef((PyObject *)type);
    self->indexes = indexes;
    self->count = count < 0 ? 1 : count;
    self->layout = layout;
    st_buffer_init(&self->buffer, layout, type->type, self->count, 0);
    return (PyObject *)self;
}

static void layout_dealloc(PyObject *object)
{
    ExtLayout *self = (ExtLayout *)object;
    ext_indexes_release(self->indexes);
    Py_DECREF(self->type);
    PyObject_Free(object);
}

/* --- facts ------------------------------------------------------------------------------------ */

/* Returns the displacement of the byte `offset` after the first one. It may be the one after the
 * last in 64 bits. */
static PyObject *displacement(const ExtLayout *self, uint64_t offset)
{
    PyObject *first = PyLong_FromLongLong((int64_t)self->buffer.first);
    PyObject *further = first ? PyLong_FromUnsignedLongLong(offset) : NULL;
    PyObject *sum = further ? PyNumber_Add(first, further) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(further);
    return sum;
}

static PyObject *get_doubt(PyObject *object, void *Py_UNUSED(closure))
{
    return PyUnicode_FromString(st_doubt_text(((ExtLayout *)object)->buffer.doubt));
}

static PyObject *get_end(PyObject *object, void *closure)
{
    const ExtLayout *self = (ExtLayout *)object;
    if (self->buffer.doubt) {
        Py_RETURN_NONE;
    }
    return displacement(self, closure ? self->buffer.span : 0);
}

static PyObject *get_alignment(PyObject *object, void *Py_UNUSED(closure))
{
    const ExtLayout *self = (ExtLayout *)object;
    struct st_alignment alignment;
    if (self->layout->doubt ||
        !st_alignment_of(self->layout, self->type->type, self->count, &alignment)) {
        Py_RETURN_NONE;
    }
    return Py_BuildValue("(II)", alignment.modulus, alignment.remainder);
}

static PyGetSetDef getters[] = {
    {"doubt", get_doubt, NULL, NULL, NULL},
    {"low", get_end, NULL, NULL, NULL},
    {"high", get_end, NULL, NULL, (void *)1},
    {"alignment", get_alignment, NULL, NULL, NULL},
    {0},
};

/* Returns a count; None if it is not known; NULL after an exception. */
static PyObject *counted(bool known, uint64_t number)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    return known ? PyLong_FromUnsignedLongLong(number) : Py_NewRef(Py_None);
}

static bool parse_steps(PyObject *args, PyObject *keywords, unsigned long long *steps)
{
    static char *names[] = {"steps", NULL};
    *steps = ST_EFFORT_STEPS;
    return PyArg_ParseTupleAndKeywords(args, keywords, "|O&", names, ext_address, steps);
}

static PyObject *pieces(PyObject *object, PyObject *args, PyObject *keywords)
{
    ExtLayout *self = (ExtLayout *)object;
    unsigned long long steps;
    uint64_t number = 0;
    if (!parse_steps(args, keywords, &steps)) {
        return NULL;
    }
    struct st_effort effort = ext_effort(steps);
    bool known = st_strided_pieces(&self->buffer, &effort, &number);
    return counted(known, number);
}

/* If no byte is named twice, there are as many bytes as MPI sends. */
static bool as_sent(ExtLayout *self, struct st_effort *effort, uint64_t *bytes)
{
    const struct st_measure *measure = &self->type->type->measure;
    struct st_self_overlap found;
    if (self->buffer.doubt || st_self_overlap(self->indexes->layouts, self->type->type, self->count,
                                              effort, &found) != ST_NO) {
        return false;
    }
    self->buffer.disjoint = true;
    return !(measure->unknown & ST_UNKNOWN_SIZE) &&
           !__builtin_mul_overflow((uint64_t)measure->size, (uint64_t)self->count, bytes);
}

static PyObject *covered(PyObject *object, PyObject *args, PyObject *keywords)
{
    ExtLayout *self = (ExtLayout *)object;
    unsigned long long steps;
    uint64_t number = 0;
    if (!parse_steps(args, keywords, &steps)) {
        return NULL;
    }
    struct st_effort effort = ext_effort(steps);
    bool known = as_sent(self, &effort, &number);
    if (!known && !PyErr_Occurred()) {
        effort = ext_effort(steps);
        known = st_overlap_bytes(&self->buffer, &self->buffer, &effort, &number);
    }
    return counted(known, number);
}

/* --- blocks ----------------------------------------------------------------------------------- */

struct blocks {
    const ExtLayout *self;
    PyObject *list; /* NULL: an exception is set */
    Py_ssize_t most;
    bool more;
};

static PyObject *levels_of(const struct st_strided *block)
{
    PyObject *levels = PyTuple_New((Py_ssize_t)block->level_count);
    for (size_t k = 0; levels && k < block->level_count; k++) {
        PyObject *level = Py_BuildValue("(KK)", (unsigned long long)block->levels[k].count,
                                        (unsigned long long)block->levels[k].stride);
        if (!level) {
            Py_CLEAR(levels);
            break;
        }
        PyTuple_SET_ITEM(levels, (Py_ssize_t)k, level);
    }
    return levels;
}

static bool add_block(void *context, const struct st_strided *block)
{
    struct blocks *blocks = context;
    if (PyList_GET_SIZE(blocks->list) == blocks->most) {
        blocks->more = true;
        return false;
    }
    PyObject *tuple = PyStructSequence_New(block_type);
    PyObject *at = tuple ? displacement(blocks->self, block->at) : NULL;
    PyObject *length = at ? PyLong_FromUnsignedLongLong(block->length) : NULL;
    PyObject *levels = length ? levels_of(block) : NULL;
    if (!levels) {
        Py_XDECREF(tuple);
        Py_XDECREF(at);
        Py_XDECREF(length);
        Py_CLEAR(blocks->list);
        return false;
    }
    PyStructSequence_SET_ITEM(tuple, 0, at);
    PyStructSequence_SET_ITEM(tuple, 1, length);
    PyStructSequence_SET_ITEM(tuple, 2, levels);
    if (PyList_Append(blocks->list, tuple) < 0) {
        Py_CLEAR(blocks->list);
    }
    Py_DECREF(tuple);
    return blocks->list != NULL;
}

static PyObject *blocks(PyObject *object, PyObject *argument)
{
    ExtLayout *self = (ExtLayout *)object;
    struct blocks blocks = {.self = self, .most = PyLong_AsSsize_t(argument)};
    if (PyErr_Occurred()) {
        return NULL;
    }
    blocks.list = PyList_New(0);
    if (!blocks.list || self->buffer.doubt) {
        return blocks.list ? Py_BuildValue("(NO)", blocks.list, Py_False) : NULL;
    }
    struct st_effort effort = ext_effort(0);
    enum st_error error = st_strided_each(&self->buffer, &effort, add_block, &blocks);
    if (error || !blocks.list) {
        Py_XDECREF(blocks.list);
        return PyErr_Occurred() ? NULL : ext_raise(&(struct st_fault){.error = error});
    }
    return Py_BuildValue("(NO)", blocks.list, blocks.more ? Py_True : Py_False);
}

/* --- runs ------------------------------------------------------------------------------------- */

struct runs {
    struct st_run *runs;
    size_t count, capacity;
};

static bool add_run(struct runs *runs, const struct st_run *run)
{
    struct st_run *last = runs->count ? &runs->runs[runs->count - 1] : NULL;
    if (last && last->to == run->from) {
        last->to = run->to;
        return true;
    }
    if (runs->count == runs->capacity) {
        size_t capacity = runs->capacity ? 2 * runs->capacity : 64;
        struct st_run *more = PyMem_Realloc(runs->runs, capacity * sizeof(*more));
        if (!more) {
            PyErr_NoMemory();
            return false;
        }
        runs->runs = more;
        runs->capacity = capacity;
    }
    runs->runs[runs->count++] = *run;
    return true;
}

static int by_begin(const void *a, const void *b)
{
    const struct st_run *one = a, *other = b;
    return (one->from > other->from) - (one->from < other->from);
}

/* Sorts the runs, and joins those that touch or overlap. */
static void join_runs(struct runs *runs)
{
    size_t count = 0;
    if (!runs->count) {
        return;
    }
    qsort(runs->runs, runs->count, sizeof(*runs->runs), by_begin);
    for (size_t i = 0; i < runs->count; i++) {
        struct st_run *last = count ? &runs->runs[count - 1] : NULL;
        if (last && runs->runs[i].from <= last->to) {
            last->to = runs->runs[i].to > last->to ? runs->runs[i].to : last->to;
        } else {
            runs->runs[count++] = runs->runs[i];
        }
    }
    runs->count = count;
}

static PyObject *list_of(const ExtLayout *self, const struct runs *runs)
{
    PyObject *list = PyList_New((Py_ssize_t)runs->count);
    for (size_t i = 0; list && i < runs->count; i++) {
        PyObject *pair = Py_BuildValue("(NN)", displacement(self, runs->runs[i].from),
                                       displacement(self, runs->runs[i].to));
        if (!pair) {
            Py_CLEAR(list);
            break;
        }
        PyList_SET_ITEM(list, (Py_ssize_t)i, pair);
    }
    return list;
}

/* Converts a displacement to an offset from the first byte, limited to 0..span. */
static bool offset_of(const ExtLayout *self, PyObject *displacement, uint64_t *offset)
{
    PyObject *first = PyLong_FromLongLong((int64_t)self->buffer.first);
    PyObject *difference = first ? PyNumber_Subtract(displacement, first) : NULL;
    int overflow = 0;
    long long number = difference ? PyLong_AsLongLongAndOverflow(difference, &overflow) : 0;
    Py_XDECREF(first);
    Py_XDECREF(difference);
    if (overflow > 0) {
        *offset = UINT64_MAX;
    } else {
        *offset = number < 0 ? 0 : (uint64_t)number;
    }
    return !PyErr_Occurred();
}

static PyObject *runs(PyObject *object, PyObject *args, PyObject *keywords)
{
    static char *names[] = {"low", "high", "most", "steps", NULL};
    ExtLayout *self = (ExtLayout *)object;
    PyObject *from, *to;
    Py_ssize_t most;
    unsigned long long steps = ST_EFFORT_STEPS;
    uint64_t low, high;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!n|O&", names, &PyLong_Type, &from,
                                     &PyLong_Type, &to, &most, ext_address, &steps) ||
        !offset_of(self, from, &low) || !offset_of(self, to, &high)) {
        return NULL;
    }
    const char *ended = st_doubt_text(self->buffer.doubt);
    struct runs found = {0};
    struct st_effort effort = ext_effort(steps);
    struct st_window window;
    struct st_run run;
    enum st_verdict verdict = ST_NO;
    bool ok = true;
    st_window_init(&window, &self->buffer, low, self->buffer.doubt ? low : high);
    while (ok && (verdict = st_window_next(&window, &effort, &run)) == ST_YES) {
        if (most <= 0 || found.count >= (size_t)most) {
            ended = "more";
            break;
        }
        ok = add_run(&found, &run);
    }
    st_window_deinit(&window);
    PyObject *result = NULL;
    if (ok && !PyErr_Occurred()) {
        ended = verdict == ST_UNDECIDED ? st_doubt_text(effort.doubt) : ended;
        join_runs(&found);
        PyObject *list = list_of(self, &found);
        result = list ? Py_BuildValue("(Ns)", list, ended) : NULL;
    }
    PyMem_Free(found.runs);
    return result;
}

static PyMethodDef methods[] = {
    {"covered", (PyCFunction)(void (*)(void))covered, METH_VARARGS | METH_KEYWORDS, NULL},
    {"pieces", (PyCFunction)(void (*)(void))pieces, METH_VARARGS | METH_KEYWORDS, NULL},
    {"blocks", blocks, METH_O, NULL},
    {"runs", (PyCFunction)(void (*)(void))runs, METH_VARARGS | METH_KEYWORDS, NULL},
    {0},
};

PyTypeObject ext_layout_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Layout",
    .tp_doc = "The bytes that a type, or so many of it, cover.",
    .tp_basicsize = sizeof(ExtLayout),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = layout_create,
    .tp_dealloc = layout_dealloc,
    .tp_methods = methods,
    .tp_getset = getters,
};
