/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether buffers share memory, and which elements overlap or are misaligned. */
#include "core/overlap/overlap.h"

#include <string.h>

#include "ext.h"
#include "core/overlap/elements.h"
#include "core/overlap/self_overlap.h"

static PyTypeObject *overlap_type, *self_overlap_type;

bool ext_add_overlap(PyObject *module)
{
    static PyStructSequence_Field overlap_fields[] = {
        {"overlaps", NULL}, {"doubt", NULL},  {"address", NULL}, {"length", NULL},
        {"first", NULL},    {"second", NULL}, {"bytes", NULL},   {NULL, NULL},
    };
    static PyStructSequence_Desc overlap = {"_mpipp.Overlap", "What overlap() found.",
                                            overlap_fields, 7};
    static PyStructSequence_Field self_fields[] = {
        {"overlaps", NULL}, {"ever", NULL},   {"doubt", NULL},  {"smallest", NULL}, {"low", NULL},
        {"first", NULL},    {"second", NULL}, {"length", NULL}, {NULL, NULL},
    };
    static PyStructSequence_Desc self = {"_mpipp.SelfOverlap", "What self_overlap() found.",
                                         self_fields, 8};
    overlap_type = PyStructSequence_NewType(&overlap);
    self_overlap_type = PyStructSequence_NewType(&self);
    return overlap_type && self_overlap_type &&
           PyModule_AddObjectRef(module, "Overlap", (PyObject *)overlap_type) == 0 &&
           PyModule_AddObjectRef(module, "SelfOverlap", (PyObject *)self_overlap_type) == 0;
}

/* Returns NULL after an exception. */
static PyObject *verdict_of(enum st_verdict verdict)
{
    if (PyErr_Occurred()) {
        return NULL;
    }
    return verdict == ST_UNDECIDED ? Py_NewRef(Py_None) : PyBool_FromLong(verdict == ST_YES);
}

/* A buffer as the caller gave it; count is -1 if no repetition was given. */
struct operand {
    ExtType *type;
    unsigned long long address;
    int64_t count;
    struct ext_indexes *indexes;
    struct st_buffer buffer;
};

static int64_t count_of(const struct operand *operand)
{
    return operand->count < 0 ? 1 : operand->count;
}

/* Returns false with an exception set. Call operand_deinit() in any case. */
static bool operand_init(struct operand *operand, struct st_effort *effort)
{
    const struct st_layout *layout;
    operand->indexes = ext_indexes_of(operand->type->registry, operand->type->types);
    if (!operand->indexes ||
        !ext_layout_of(operand->indexes, operand->type->type, effort, &layout)) {
        return false;
    }
    st_buffer_init(&operand->buffer, layout, operand->type->type, count_of(operand),
                   operand->address);
    return true;
}

static void operand_deinit(struct operand *operand)
{
    ext_indexes_release(operand->indexes);
}

/* --- elements --------------------------------------------------------------------------------- */

/* Moves the route along a path; in a pair, to the member that contains byte `at` of memory. */
static enum st_error follow_path(struct st_route *route, const struct operand *operand,
                                 const struct st_path *path, const uint64_t *at)
{
    struct st_place root = ext_root(operand->type->type, operand->address, operand->count);
    enum st_error error = ST_OK;
    st_route_init(route, &root);
    for (size_t i = operand->count < 0; i < path->length && !error; i++) {
        error = st_route_down(route, path->index[i]);
    }
    if (error || !at || !route->place.leaf || route->place.type->basic.class_ != ST_CLASS_PAIR) {
        return error;
    }
    uint64_t within = *at - route->place.address;
    for (int i = 0; i < 2; i++) {
        const struct st_pair_member *member = &route->place.type->basic.members[i];
        if (within - member->offset < member->size) {
            route->member = i;
        }
    }
    return ST_OK;
}

/* Returns the Element at the end of a path. *end (may be NULL) is lowered to the end of its bytes. */
static PyObject *element_of(const struct operand *operand, const struct st_path *path,
                            const uint64_t *at, uint64_t *end)
{
    struct st_route route;
    PyObject *element = NULL;
    enum st_error error = follow_path(&route, operand, path, at);
    if (error) {
        ext_raise(&(struct st_fault){.error = error});
    } else {
        struct st_bounds bounds = st_route_bounds(&route);
        uint64_t its_end = route.place.address + (uint64_t)bounds.high;
        if (end && at && its_end - *at < *end - *at) {
            *end = its_end;
        }
        element = ext_element_new(operand->type, operand->indexes, &route, 0);
    }
    st_route_deinit(&route);
    return element;
}

enum { TWO = 2 };

/* Stores the first elements, at most two, that contain a byte: Elements, or None if they were not
 * found. Returns false with an exception set. */
static bool elements_at(struct operand *operand, uint64_t at, size_t most, uint64_t steps,
                        PyObject **elements, uint64_t *end)
{
    struct st_path paths[TWO] = {{0}};
    struct st_effort effort = ext_effort(steps);
    size_t found = 0;
    st_elements_at(operand->indexes->layouts, operand->type->type, count_of(operand),
                   (int64_t)(at - operand->address), &effort, paths, most, &found);
    bool ok = !PyErr_Occurred();
    for (size_t i = 0; i < most; i++) {
        elements[i] = NULL;
        if (ok) {
            elements[i] = i < found ? element_of(operand, &paths[i], &at, end) : Py_NewRef(Py_None);
            ok = elements[i] != NULL;
        }
    }
    for (size_t i = 0; i < found; i++) {
        st_path_deinit(&paths[i]);
    }
    return ok;
}

/* --- two buffers ------------------------------------------------------------------------------ */

static PyObject *bytes_shared(const struct operand *a, const struct operand *b, uint64_t steps)
{
    struct st_effort effort = ext_effort(steps);
    uint64_t bytes;
    bool known = st_overlap_bytes(&a->buffer, &b->buffer, &effort, &bytes);
    if (PyErr_Occurred()) {
        return NULL;
    }
    return known ? PyLong_FromUnsignedLongLong(bytes) : Py_NewRef(Py_None);
}

static void know_disjoint(struct operand *operand, uint64_t steps)
{
    struct st_self_overlap found;
    struct st_effort effort = ext_effort(steps);
    if (!operand->buffer.disjoint && !PyErr_Occurred()) {
        operand->buffer.disjoint = st_self_overlap(operand->indexes->layouts, operand->type->type,
                                                   count_of(operand), &effort, &found) == ST_NO;
    }
}

static PyObject *overlap(struct operand *a, struct operand *b, uint64_t steps)
{
    struct st_effort effort = ext_effort(steps);
    struct st_shared shared = {0};
    if (!operand_init(a, &effort) || !operand_init(b, &effort)) {
        return NULL;
    }
    enum st_verdict verdict = st_overlap(&a->buffer, &b->buffer, &effort, &shared);
    uint64_t end = shared.address + shared.length;
    PyObject *elements[TWO] = {NULL, NULL}, *bytes = NULL;
    if (verdict == ST_YES && !PyErr_Occurred()) {
        if (elements_at(a, shared.address, 1, steps, &elements[0], &end) &&
            elements_at(b, shared.address, 1, steps, &elements[1], &end)) {
            know_disjoint(a, steps);
            know_disjoint(b, steps);
            bytes = PyErr_Occurred() ? NULL : bytes_shared(a, b, steps);
        }
    } else {
        elements[0] = Py_NewRef(Py_None);
        elements[1] = Py_NewRef(Py_None);
        bytes = verdict == ST_NO ? PyLong_FromLong(0) : Py_NewRef(Py_None);
    }
    PyObject *items[] = {
        verdict_of(verdict),
        PyUnicode_FromString(verdict == ST_UNDECIDED ? st_doubt_text(effort.doubt) : ""),
        PyLong_FromUnsignedLongLong(shared.address),
        PyLong_FromUnsignedLongLong(end - shared.address),
        elements[0],
        elements[1],
        bytes,
    };
    return ext_tuple(overlap_type, items, sizeof items / sizeof *items);
}

PyObject *ext_overlap(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type",          "address",     "count", "other",
                            "other_address", "other_count", "steps", NULL};
    struct operand a = {.count = -1}, b = {.count = -1};
    unsigned long long steps = ST_EFFORT_STEPS;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&O&O!O&O&|O&", names, &ext_type_type,
                                     &a.type, ext_address, &a.address, ext_count, &a.count,
                                     &ext_type_type, &b.type, ext_address, &b.address, ext_count,
                                     &b.count, ext_address, &steps)) {
        return NULL;
    }
    PyObject *found = overlap(&a, &b, steps);
    operand_deinit(&a);
    operand_deinit(&b);
    return found;
}

/* --- one type --------------------------------------------------------------------------------- */

/* The answer for `count`, and for any count. */
struct answers {
    enum st_verdict asked, ever;
    enum st_doubt doubt;
    struct st_self_overlap found; /* valid if `ever`, or `asked` */
};

static struct answers ask_operand(struct operand *operand, uint64_t steps)
{
    struct answers answers = {ST_UNDECIDED, ST_UNDECIDED, ST_DOUBT_NONE, {0}};
    struct st_layouts *layouts = operand->indexes->layouts;
    const struct st_type *type = operand->type->type;
    struct st_effort effort = ext_effort(steps);
    answers.ever = st_self_overlap(layouts, type, INT64_MAX, &effort, &answers.found);
    answers.doubt = effort.doubt;
    if (answers.ever == ST_YES) {
        answers.asked = answers.found.count <= count_of(operand) ? ST_YES : ST_NO;
    } else if (answers.ever == ST_NO) {
        answers.asked = ST_NO;
    } else if (!PyErr_Occurred()) {
        effort = ext_effort(steps);
        answers.asked = st_self_overlap(layouts, type, count_of(operand), &effort, &answers.found);
        answers.ever = answers.asked == ST_YES ? ST_YES : ST_UNDECIDED;
    }
    return answers;
}

static PyObject *self_overlap(struct operand *operand, uint64_t steps)
{
    struct st_effort effort = ext_effort(steps);
    if (!operand_init(operand, &effort)) {
        return NULL;
    }
    struct answers answers = ask_operand(operand, steps);
    bool found = answers.ever == ST_YES;
    int64_t smallest = answers.found.count;
    uint64_t at = (uint64_t)answers.found.at, end = at + (UINT64_C(1) << 63);
    PyObject *elements[TWO] = {NULL, NULL};
    if (found && !PyErr_Occurred()) {
        struct operand copies = *operand;
        copies.count = smallest == 1 ? -1 : smallest;
        elements_at(&copies, at, TWO, steps, elements, &end);
    } else {
        elements[0] = Py_NewRef(Py_None);
        elements[1] = Py_NewRef(Py_None);
    }
    bool both = elements[0] && elements[1] && elements[1] != Py_None;
    bool doubtful = answers.asked == ST_UNDECIDED || answers.ever == ST_UNDECIDED;
    PyObject *items[] = {
        verdict_of(answers.asked),
        verdict_of(answers.ever),
        PyUnicode_FromString(doubtful ? st_doubt_text(answers.doubt) : ""),
        found ? PyLong_FromLongLong(smallest) : Py_NewRef(Py_None),
        found ? PyLong_FromLongLong(answers.found.at) : Py_NewRef(Py_None),
        elements[0],
        elements[1],
        PyLong_FromUnsignedLongLong(both ? end - at : found),
    };
    return ext_tuple(self_overlap_type, items, sizeof items / sizeof *items);
}

PyObject *ext_self_overlap(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "count", "steps", NULL};
    struct operand operand = {.count = -1};
    unsigned long long steps = ST_EFFORT_STEPS;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&|O&", names, &ext_type_type,
                                     &operand.type, ext_count, &operand.count, ext_address,
                                     &steps)) {
        return NULL;
    }
    PyObject *found = self_overlap(&operand, steps);
    operand_deinit(&operand);
    return found;
}

/* --- alignment -------------------------------------------------------------------------------- */

enum { MOST_PATHS = 4096 };

static PyObject *misaligned(struct operand *operand, size_t most, uint64_t steps)
{
    struct st_effort effort = ext_effort(steps);
    if (!operand_init(operand, &effort)) {
        return NULL;
    }
    struct st_path *paths = PyMem_Calloc(most + 1, sizeof(*paths));
    size_t found = 0;
    if (!paths) {
        return PyErr_NoMemory();
    }
    enum st_verdict verdict =
        st_elements_misaligned(operand->indexes->layouts, operand->type->type, count_of(operand),
                               operand->address, &effort, paths, most + 1, &found);
    PyObject *list = PyErr_Occurred() ? NULL : PyList_New(0);
    for (size_t i = 0; list && i < found && i < most; i++) {
        PyObject *element = element_of(operand, &paths[i], NULL, NULL);
        if (!element || PyList_Append(list, element) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(element);
    }
    for (size_t i = 0; i < found; i++) {
        st_path_deinit(&paths[i]);
    }
    PyMem_Free(paths);
    const char *ended = found > most              ? "more"
                        : verdict == ST_UNDECIDED ? st_doubt_text(effort.doubt)
                                                  : "";
    return list ? Py_BuildValue("(Ns)", list, ended) : NULL;
}

PyObject *ext_misaligned(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "address", "count", "most", "steps", NULL};
    struct operand operand = {.count = -1};
    Py_ssize_t most;
    unsigned long long steps = ST_EFFORT_STEPS;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&O&n|O&", names, &ext_type_type,
                                     &operand.type, ext_address, &operand.address, ext_count,
                                     &operand.count, &most, ext_address, &steps)) {
        return NULL;
    }
    most = most < 0 ? 0 : most > MOST_PATHS ? MOST_PATHS : most;
    PyObject *found = misaligned(&operand, (size_t)most, steps);
    operand_deinit(&operand);
    return found;
}
