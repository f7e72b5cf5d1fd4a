/* SPDX-License-Identifier: BSD-3-Clause */
/* _mpipp.compare(): takes the program's type as tuples, and returns the rows as tuples. */
#include "core/compare/compare.h"

#include <string.h>

#include "core/address/address.h"
#include "ext.h"
#include "core/address/locate.h"

static PyTypeObject *row_type;
static PyTypeObject *comparison_type;

bool ext_add_comparison(PyObject *module)
{
    static PyStructSequence_Field row_fields[] = {
        {"finding", NULL},  {"why", NULL},   {"kind", NULL},  {"field", NULL},
        {"offset", NULL},   {"size", NULL},  {"basic", NULL}, {"member", NULL},
        {"half", NULL},     {"part", NULL},  {"sent", NULL},  {"displacement", NULL},
        {"begin", NULL},    {"end", NULL},   {"again", NULL}, {"all", NULL},
        {"elements", NULL}, {"boxes", NULL}, {"where", NULL}, {"first", NULL},
        {"last", NULL},     {NULL, NULL},
    };
    static PyStructSequence_Desc row = {"_mpipp.ComparedRow", "A row of Comparison.rows.",
                                        row_fields, sizeof row_fields / sizeof *row_fields - 1};
    static PyStructSequence_Field comparison_fields[] = {
        {"rows", NULL},    {"fields", NULL},   {"different", NULL}, {"not_sent", NULL},
        {"in_part", NULL}, {"as_bytes", NULL}, {"unknown", NULL},   {"padding", NULL},
        {"outside", NULL}, {"complete", NULL}, {"compared", NULL},  {"absolute", NULL},
        {"size", NULL},    {"element", NULL},  {NULL, NULL},
    };
    static PyStructSequence_Desc comparison = {
        "_mpipp.Comparison", "What compare() found.", comparison_fields,
        sizeof comparison_fields / sizeof *comparison_fields - 1};
    row_type = PyStructSequence_NewType(&row);
    comparison_type = PyStructSequence_NewType(&comparison);
    return row_type && comparison_type &&
           PyModule_AddObjectRef(module, "ComparedRow", (PyObject *)row_type) == 0 &&
           PyModule_AddObjectRef(module, "Comparison", (PyObject *)comparison_type) == 0;
}

/* --- arguments -------------------------------------------------------------------------------- */

static bool kind_of(const char *name, enum st_field_kind *kind)
{
    for (unsigned i = 0; i < ST_FIELD_PADDING; i++) {
        if (strcmp(st_field_kind_name(i), name) == 0) {
            *kind = (enum st_field_kind)i;
            return true;
        }
    }
    PyErr_Format(PyExc_ValueError, "no such kind of field: '%s'", name);
    return false;
}

/* PyArg_ParseTuple() for an object that may be no tuple. */
static bool unpack_tuple(PyObject *tuple, const char *format, ...)
{
    va_list arguments;
    if (!PyTuple_Check(tuple)) {
        PyErr_SetString(PyExc_TypeError, "a field is a tuple");
        return false;
    }
    va_start(arguments, format);
    bool ok = PyArg_VaParse(tuple, format, arguments);
    va_end(arguments);
    return ok;
}

struct input {
    struct st_field *fields;
    struct st_nest_level *dims;
    Py_ssize_t count, dim_count;
};

static bool add_dims(struct input *input, PyObject *dims, struct st_field *field)
{
    Py_ssize_t count = PyTuple_GET_SIZE(dims);
    struct st_nest_level *wider =
        PyMem_Realloc(input->dims, (size_t)(input->dim_count + count + 1) * sizeof(*input->dims));
    if (!wider) {
        PyErr_NoMemory();
        return false;
    }
    input->dims = wider;
    field->dims = (uint32_t)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        long long length, stride;
        if (!unpack_tuple(PyTuple_GET_ITEM(dims, i), "LL", &length, &stride)) {
            return false;
        }
        input->dims[input->dim_count++] = (struct st_nest_level){length, stride};
    }
    return true;
}

/* Each is (kind, below, offset, size, ((count, stride), ...)). */
static bool read_fields(PyObject *list, struct input *input)
{
    input->count = PyList_GET_SIZE(list);
    input->fields = PyMem_Malloc(((size_t)input->count + 1) * sizeof(*input->fields));
    if (!input->fields) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < input->count; i++) {
        const char *name;
        unsigned int below;
        long long offset, size;
        PyObject *dims;
        struct st_field *field = &input->fields[i];
        *field = (struct st_field){0};
        if (!unpack_tuple(PyList_GET_ITEM(list, i), "sILLO!", &name, &below, &offset, &size,
                          &PyTuple_Type, &dims) ||
            !kind_of(name, &field->kind) || !add_dims(input, dims, field)) {
            return false;
        }
        field->below = below;
        field->offset = offset;
        field->size = size;
    }
    struct st_nest_level *dims = input->dims; /* the array has moved while it grew */
    for (Py_ssize_t i = 0; i < input->count; i++) {
        input->fields[i].dim = dims;
        dims += input->fields[i].dims;
    }
    return true;
}

/* --- element addresses ------------------------------------------------------------------------ */

/* The most steps for all of them: about a second. */
#define ADDRESS_STEPS (UINT64_C(1) << 25)

/* Finds the elements of the type map that rows refer to. */
struct finder {
    struct st_place root;
    struct st_indexes indexes;
    struct st_locate locate;
    int64_t origin; /* displacement of the rows, from the root */
    uint64_t steps; /* steps left */
};

static void finder_init(struct finder *finder, const struct st_type *type, int64_t count,
                        int64_t origin)
{
    *finder = (struct finder){.origin = origin, .steps = ADDRESS_STEPS};
    finder->root = count == 1 ? st_place_of(type, 0) : st_place_repeat(type, 0, count);
    st_indexes_init(&finder->indexes);
    st_locate_init(&finder->locate, &finder->indexes, &finder->root, 0);
}

static void finder_deinit(struct finder *finder)
{
    st_locate_deinit(&finder->locate);
    st_indexes_deinit(&finder->indexes);
}

/* Returns true if the search is at the element that begins at the wanted byte. */
static bool found(const struct finder *finder, const struct st_sent *sent)
{
    const struct st_route *route = &finder->locate.route;
    return route->place.leaf && &route->place.type->basic == sent->basic &&
           (sent->half || finder->locate.within == 0) &&
           (sent->member < 0 || route->member == sent->member);
}

/* Returns the text after the type in the address of the element at `displacement`; None if it is
 * not found. */
static PyObject *address_at(struct finder *finder, const struct st_compare_row *row,
                            int64_t displacement)
{
    struct st_locate *locate = &finder->locate;
    int64_t byte = (int64_t)((uint64_t)displacement + (uint64_t)finder->origin);
    uint64_t most = finder->steps < ST_LOCATE_STEPS ? finder->steps : ST_LOCATE_STEPS;
    if (!row->sent || !most) {
        Py_RETURN_NONE;
    }
    st_locate_restart(locate, &finder->root, byte);
    locate->steps = most;
    enum st_located state;
    do {
        state = st_locate_next(locate);
    } while (state == ST_LOCATED_UNKNOWN || (state == ST_LOCATED && !found(finder, &row->mpi)));
    finder->steps -= most - locate->steps;
    if (state != ST_LOCATED) {
        Py_RETURN_NONE;
    }
    if (row->mpi.member < 0) {
        locate->route.member = -1;
    }
    char text[256];
    size_t length = st_address_format(&locate->route, ST_ADDRESS_SHORT, text, sizeof text);
    return length < sizeof text ? PyUnicode_FromStringAndSize(text, (Py_ssize_t)length)
                                : Py_NewRef(Py_None);
}

/* --- result ----------------------------------------------------------------------------------- */

static PyObject *box_of(const struct st_compare_row *row, int64_t box)
{
    PyObject *ranges = PyTuple_New((Py_ssize_t)row->dims);
    for (uint32_t d = 0; ranges && d < row->dims; d++) {
        const struct st_index_range *range = &row->where.box[box].dim[d];
        PyObject *item =
            Py_BuildValue("(LLLLL)", (long long)range->first, (long long)range->last,
                          (long long)range->count, (long long)range->step, (long long)range->run);
        if (!item) {
            Py_CLEAR(ranges);
        } else {
            PyTuple_SET_ITEM(ranges, (Py_ssize_t)d, item);
        }
    }
    return ranges;
}

static PyObject *where_of(const struct st_compare_row *row)
{
    if (!row->located) {
        return Py_NewRef(Py_None);
    }
    int64_t shown = row->where.boxes < ST_COVER_BOXES ? row->where.boxes : ST_COVER_BOXES;
    PyObject *boxes = PyTuple_New((Py_ssize_t)shown);
    for (int64_t i = 0; boxes && i < shown; i++) {
        PyObject *box = box_of(row, i);
        if (!box) {
            Py_CLEAR(boxes);
        } else {
            PyTuple_SET_ITEM(boxes, (Py_ssize_t)i, box);
        }
    }
    return boxes;
}

static PyObject *row_of(const struct st_compare_row *row, struct finder *finder)
{
    static const char *const whys[] = {
        [ST_AGREES] = "",         [ST_OTHER_CLASS] = "class",   [ST_OTHER_SIZE] = "size",
        [ST_OTHER_SIGN] = "sign", [ST_OTHER_FORMAT] = "format", [ST_NO_BASIC_TYPE] = "none",
    };
    static const char *const parts[] = {
        [ST_WHOLE] = "", [ST_REAL_PART] = "real", [ST_IMAGINARY_PART] = "imaginary"};
    bool pair = row->sent && row->mpi.member >= 0;
    PyObject *items[] = {
        PyUnicode_FromString(st_field_verdict_name(row->finding)),
        PyUnicode_FromString(whys[row->why]),
        PyUnicode_FromString(st_field_kind_name(row->kind)),
        row->field == ST_NO_FIELD ? Py_NewRef(Py_None) : PyLong_FromUnsignedLong(row->field),
        PyLong_FromLongLong(row->offset),
        PyLong_FromLongLong(row->size),
        row->sent ? ext_basic_new(row->mpi.basic) : Py_NewRef(Py_None),
        pair ? PyLong_FromLong(row->mpi.member) : Py_NewRef(Py_None),
        PyBool_FromLong(row->mpi.half),
        PyUnicode_FromString(parts[row->part]),
        PyLong_FromLongLong(row->mpi.size),
        PyLong_FromLongLong(row->displacement),
        PyLong_FromLongLong(row->from),
        PyLong_FromLongLong(row->to),
        PyBool_FromLong(row->again),
        PyLong_FromLongLong(row->all),
        PyLong_FromLongLong(row->elements),
        PyLong_FromLongLong(row->where.boxes),
        where_of(row),
        address_at(finder, row, row->displacement),
        address_at(finder, row, row->last),
    };
    return ext_tuple(row_type, items, sizeof items / sizeof *items);
}

static PyObject *rows_of(const struct st_comparison *comparison, struct finder *finder)
{
    PyObject *rows = PyList_New((Py_ssize_t)comparison->count);
    for (size_t i = 0; rows && i < comparison->count; i++) {
        PyObject *row = row_of(&comparison->rows[i], finder);
        if (!row) {
            Py_CLEAR(rows);
        } else {
            PyList_SET_ITEM(rows, (Py_ssize_t)i, row);
        }
    }
    return rows;
}

static PyObject *comparison_of(const struct st_comparison *comparison, struct finder *finder)
{
    PyObject *items[] = {
        rows_of(comparison, finder),
        PyLong_FromLongLong(comparison->fields),
        PyLong_FromLongLong(comparison->different),
        PyLong_FromLongLong(comparison->not_sent),
        PyLong_FromLongLong(comparison->in_part),
        PyLong_FromLongLong(comparison->as_bytes),
        PyLong_FromLongLong(comparison->unknown),
        PyBool_FromLong(comparison->padding),
        PyBool_FromLong(comparison->outside),
        PyBool_FromLong(comparison->complete),
        PyLong_FromLongLong(comparison->compared),
        PyBool_FromLong(comparison->absolute),
        PyLong_FromLongLong(comparison->size),
        PyLong_FromLongLong(comparison->element),
    };
    return ext_tuple(comparison_type, items, sizeof items / sizeof *items);
}

static PyObject *raise_fault(const struct st_fault *fault)
{
    if (fault->error == ST_OUT_OF_RANGE && strcmp(fault->field, "dims") == 0) {
        return PyErr_Format(ext_error, "arrays of more than %d dimensions are not compared",
                            ST_FIELD_DIMS);
    }
    if (fault->error == ST_OUT_OF_RANGE) {
        return PyErr_Format(ext_error, "the debug information of this type is not sound (%s)",
                            fault->field);
    }
    if (fault->error == ST_OVERFLOW) {
        return PyErr_Format(ext_error, "a size or a displacement does not fit in 64 bits");
    }
    return ext_raise(fault);
}

PyObject *ext_compare(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "fields", "count", "address", "start", NULL};
    ExtType *type;
    PyObject *list, *result = NULL;
    long long count = 1, start = 0;
    struct st_compare_at at = {0};
    struct input input = {0};
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O!|LO&L", names, &ext_type_type, &type,
                                     &PyList_Type, &list, &count, ext_address, &at.address,
                                     &start)) {
        return NULL;
    }
    at.start = start;
    if (read_fields(list, &input)) {
        struct st_comparison *found;
        struct st_fault fault = {0};
        if (st_compare(&found, type->type, (int64_t)count, input.fields, (uint32_t)input.count, at,
                       ST_COMPARE_WORK, &fault)) {
            raise_fault(&fault);
        } else {
            struct finder finder;
            finder_init(&finder, type->type, (int64_t)count, found->origin);
            result = comparison_of(found, &finder);
            finder_deinit(&finder);
            st_comparison_free(found);
        }
    }
    PyMem_Free(input.fields);
    PyMem_Free(input.dims);
    return result;
}
