/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/address/locate.h"

static PyTypeObject *element_type;

bool ext_add_element(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"long", NULL},         {"short", NULL},   {"place", NULL},    {"type_place", NULL},
        {"way", NULL},          {"address", NULL}, {"basic", NULL},    {"member", NULL},
        {"displacement", NULL}, {"low", NULL},     {"high", NULL},     {"exact", NULL},
        {"number", NULL},       {"byte", NULL},    {"elements", NULL}, {"total", NULL},
        {"unknown", NULL},      {"within", NULL},  {NULL, NULL},
    };
    static PyStructSequence_Desc description = {
        "_mpipp.Element", "A node of the expanded type-tree and its element address.", fields, 18};
    element_type = PyStructSequence_NewType(&description);
    return element_type && PyModule_AddObjectRef(module, "Element", (PyObject *)element_type) == 0;
}

PyObject *ext_amount(struct st_amount amount)
{
    return amount.error ? Py_NewRef(Py_None) : PyLong_FromLongLong(amount.value);
}

PyObject *ext_displacement(const struct st_displacement *displacement)
{
    return displacement->laps ? Py_NewRef(Py_None) : PyLong_FromLongLong(displacement->value);
}

/* --- an element ---------------------------------------------------------------------------------
 */

/* Returns the index in route->steps of the innermost type at or above the node; route->depth for
 * the node itself. */
static size_t innermost_type(const struct st_route *route)
{
    size_t at = route->depth;
    const struct st_place *place = &route->place;
    while (at > 0 && place->kind != ST_STAGE_TYPE) {
        place = &route->steps[--at].place;
    }
    return at;
}

/* Returns the indices from there to the node. */
static PyObject *way_from(const struct st_route *route, size_t start)
{
    PyObject *way = PyTuple_New((Py_ssize_t)(route->depth - start));
    for (size_t i = start; way && i < route->depth; i++) {
        PyObject *index = PyLong_FromLongLong(route->steps[i].index);
        if (!index) {
            Py_CLEAR(way);
            break;
        }
        PyTuple_SET_ITEM(way, (Py_ssize_t)(i - start), index);
    }
    return way;
}

/* Returns an end of the node's bounds, counted from the root's address; None if it is not known. */
static PyObject *end_of(const struct st_route *route, int64_t end)
{
    struct st_displacement at = route->displacement;
    if (end == INT64_MIN || end == INT64_MAX || __builtin_add_overflow(at.value, end, &at.value)) {
        return Py_NewRef(Py_None);
    }
    return ext_displacement(&at);
}

/* Returns the basic type of a leaf; the member's type for a pair's member. */
static PyObject *basic_of(const struct st_route *route)
{
    if (!route->place.leaf) {
        return Py_NewRef(Py_None);
    }
    struct st_basic basic = route->place.type->basic;
    if (route->member >= 0) {
        const struct st_pair_member *member = &basic.members[route->member];
        basic.class_ = member->class_;
        basic.size = member->size;
    }
    return ext_basic_new(&basic);
}

/* Returns why the numbers are not known; "" if they are. */
static const char *unknown(enum st_error error)
{
    return error == ST_INSIDE_UNKNOWN ? "inside" : error ? "64 bits" : "";
}

PyObject *ext_element_new(ExtType *type, struct ext_indexes *indexes, const struct st_route *route,
                          int64_t within)
{
    struct st_indexes *of = &indexes->indexes;
    struct st_bounds bounds = st_route_bounds(route);
    const struct st_place *root = route->depth ? &route->steps[0].place : &route->place;
    struct st_amount number = st_route_number(route, of, ST_SENT_ELEMENTS);
    struct st_amount byte = st_route_number(route, of, ST_SENT_BYTES);
    if (number.error == ST_NO_MEMORY || byte.error == ST_NO_MEMORY) {
        return PyErr_NoMemory();
    }
    uint64_t offset = route->member >= 0 ? (uint64_t)bounds.low : 0;
    struct st_displacement displacement = route->displacement;
    if (__builtin_add_overflow(displacement.value, (int64_t)offset, &displacement.value)) {
        displacement.laps++;
    }
    size_t type_at = innermost_type(route);
    PyObject *items[] = {
        ext_address_text(route, ST_ADDRESS_LONG),
        ext_address_text(route, ST_ADDRESS_SHORT),
        ext_place_new(type->registry, type->types, &route->place),
        ext_place_new(type->registry, type->types,
                      type_at == route->depth ? &route->place : &route->steps[type_at].place),
        way_from(route, type_at),
        PyLong_FromUnsignedLongLong(route->place.address + offset),
        basic_of(route),
        route->member < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(route->member),
        ext_displacement(&displacement),
        end_of(route, bounds.low),
        end_of(route, bounds.high),
        PyBool_FromLong(bounds.exact),
        ext_amount(number),
        ext_amount(byte),
        ext_amount(st_route_amount(route, ST_SENT_ELEMENTS)),
        ext_amount(st_place_amount(root, ST_SENT_ELEMENTS)),
        PyUnicode_FromString(unknown(number.error)),
        PyLong_FromLongLong(within),
    };
    return ext_tuple(element_type, items, sizeof items / sizeof *items);
}

PyObject *ext_element(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "address", "count", "text", "label", NULL};
    ExtType *type;
    unsigned long long address;
    int64_t count = ST_ANY_COUNT;
    const char *text, *label;
    Py_ssize_t length;
    struct st_address_fault fault;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&O&s#s", names, &ext_type_type, &type,
                                     ext_address, &address, ext_count, &count, &text, &length,
                                     &label)) {
        return NULL;
    }
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    if (!indexes) {
        return NULL;
    }
    PyObject *element = NULL;
    struct st_route route = {0};
    if (st_address_resolve(&route, type->type, address, count, text, (size_t)length, &fault)) {
        ext_raise_address(&fault, &route, label, text);
    } else {
        element = ext_element_new(type, indexes, &route, 0);
    }
    st_route_deinit(&route);
    ext_indexes_release(indexes);
    return element;
}

/* --- a byte -------------------------------------------------------------------------------------
 */

/* Appends the found places to the list. Returns false with an exception set. */
static bool collect_places(PyObject *list, ExtType *type, struct ext_indexes *indexes,
                           const struct st_locate *locate)
{
    PyObject *element = ext_element_new(type, indexes, &locate->route, locate->within);
    bool ok = element && PyList_Append(list, element) == 0;
    Py_XDECREF(element);
    return ok;
}

/* Returns the list and how the search ended; NULL with an exception set. */
static PyObject *find_elements(ExtType *type, struct ext_indexes *indexes, struct st_locate *locate,
                               Py_ssize_t most)
{
    const char *ended = "";
    PyObject *list = PyList_New(0);
    while (list) {
        enum st_located found = st_locate_next(locate);
        if (found == ST_LOCATE_END) {
            break;
        }
        if (found == ST_LOCATE_UNDECIDED) {
            ended = "undecided";
            break;
        }
        if (found == ST_LOCATE_FAILED) {
            ext_raise(&(struct st_fault){.error = locate->error});
            Py_CLEAR(list);
        } else if (PyList_GET_SIZE(list) == most) {
            ended = "more";
            break;
        } else if (!collect_places(list, type, indexes, locate)) {
            Py_CLEAR(list);
        }
    }
    return list ? Py_BuildValue("(Ns)", list, ended) : NULL;
}

PyObject *ext_locate(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type", "address", "count", "byte", "most", "steps", NULL};
    ExtType *type;
    unsigned long long address, byte, steps;
    int64_t count = -1;
    Py_ssize_t most;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O&O&O&nK", names, &ext_type_type, &type,
                                     ext_address, &address, ext_count, &count, ext_address, &byte,
                                     &most, &steps)) {
        return NULL;
    }
    struct ext_indexes *indexes = ext_indexes_of(type->registry, type->types);
    if (!indexes) {
        return NULL;
    }
    struct st_place root = ext_root(type->type, address, count);
    struct st_locate locate;
    st_locate_init(&locate, &indexes->indexes, &root, (int64_t)(byte - address));
    locate.steps = steps;
    locate.interrupted = ext_interrupted;
    PyObject *result = find_elements(type, indexes, &locate, most);
    st_locate_deinit(&locate);
    ext_indexes_release(indexes);
    return result;
}

/* --- a text -------------------------------------------------------------------------------------
 */

PyObject *ext_splits(PyObject *Py_UNUSED(module), PyObject *argument)
{
    size_t splits[ST_ADDRESS_SPLITS];
    Py_ssize_t length;
    const char *text = PyUnicode_AsUTF8AndSize(argument, &length);
    PyObject *list = text ? PyList_New(0) : NULL;
    size_t count = list ? st_address_splits(text, (size_t)length, splits) : 0;
    for (size_t i = 0; list && i < count; i++) {
        PyObject *pair = Py_BuildValue("(s#s#)", text, (Py_ssize_t)splits[i], text + splits[i],
                                       length - (Py_ssize_t)splits[i]);
        if (!pair || PyList_Append(list, pair) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(pair);
    }
    return list;
}
