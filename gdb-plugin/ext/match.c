/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

#include <string.h>

#include "core/signature/signature_match.h"

static PyTypeObject *match_type;
static PyTypeObject *standing_type;

bool ext_add_match(PyObject *module)
{
    static PyStructSequence_Field match_fields[] = {
        {"verdict", NULL}, {"bytes", NULL}, {"lengths", NULL}, {"agreed", NULL},
        {"longer", NULL},  {"at", NULL},    {"hashes", NULL},  {NULL, NULL},
    };
    static PyStructSequence_Desc match = {"_mpipp.Match", "What match() found.", match_fields, 7};
    static PyStructSequence_Field standing_fields[] = {
        {"name", NULL},
        {"opaque", NULL},
        {"long", NULL},
        {NULL, NULL},
    };
    static PyStructSequence_Desc standing = {
        "_mpipp.Standing", "What stands at a place of a type signature.", standing_fields, 3};
    match_type = PyStructSequence_NewType(&match);
    standing_type = PyStructSequence_NewType(&standing);
    return match_type && standing_type &&
           PyModule_AddObjectRef(module, "Match", (PyObject *)match_type) == 0 &&
           PyModule_AddObjectRef(module, "Standing", (PyObject *)standing_type) == 0;
}

/* One of the two operands. */
struct operand {
    ExtType *type;
    int64_t count; /* -1: no count was given: 1 */
    struct ext_indexes *indexes;
};

/* Returns the element address; None if it is not known, or does not fit in 64 bits. */
static PyObject *address_of(const struct operand *operand, const struct st_signature_place *place)
{
    struct st_place root = ext_root(operand->type->type, 0, operand->count);
    struct st_route route;
    int64_t rest;
    PyObject *text = NULL;
    st_route_init(&route, &root);
    enum st_error error = place->number < 0 ? ST_INSIDE_UNKNOWN
                                            : st_route_at(&route, &operand->indexes->indexes,
                                                          ST_SENT_ELEMENTS, place->number, &rest);
    if (error == ST_NO_MEMORY) {
        PyErr_NoMemory();
    } else if (error == ST_OK || (error == ST_INSIDE_UNKNOWN && route.place.opaque)) {
        route.member = route.place.leaf ? place->member : -1;
        text = ext_address_text(&route, ST_ADDRESS_LONG);
    } else {
        text = Py_NewRef(Py_None);
    }
    st_route_deinit(&route);
    return text;
}

static PyObject *standing_new(const struct operand *operand, const struct st_match_element *at)
{
    char name[ST_ELEMENT_TEXT];
    if (!at->present) {
        return Py_NewRef(Py_None);
    }
    st_element_text(&at->element, name);
    PyObject *items[] = {
        ext_text(name, strlen(name)), /* text of a rank: may be invalid UTF-8 */
        PyBool_FromLong(at->element.kind == ST_OPAQUE),
        address_of(operand, &at->place),
    };
    return ext_tuple(standing_type, items, sizeof items / sizeof *items);
}

static PyObject *known(int64_t number)
{
    return number < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(number);
}

static PyObject *match_new(const struct operand operands[2], const struct st_match *match)
{
    static const char *const verdicts[] = {
        [ST_MATCH_EQUAL] = "equal",         [ST_MATCH_PREFIX] = "prefix",
        [ST_MATCH_DIFFERENT] = "different", [ST_MATCH_OPAQUE] = "opaque",
        [ST_MATCH_TOO_LONG] = "too long",   [ST_MATCH_UNDECIDED] = "undecided",
    };
    static const char *const hashes[] = {
        [ST_HASHES_UNKNOWN] = "",
        [ST_HASHES_EQUAL] = "equal",
        [ST_HASHES_DIFFERENT] = "different",
    };
    PyObject *items[] = {
        PyUnicode_FromString(verdicts[match->verdict]),
        PyBool_FromLong(match->bytes),
        Py_BuildValue("(NN)", known(match->length[0]), known(match->length[1])),
        known(match->agreed),
        PyLong_FromLong(match->longer),
        Py_BuildValue("(NN)", standing_new(&operands[0], &match->at[0]),
                      standing_new(&operands[1], &match->at[1])),
        PyUnicode_FromString(hashes[match->hashes]),
    };
    return ext_tuple(match_type, items, sizeof items / sizeof *items);
}

static PyObject *match_operands(const struct operand operands[2], struct st_signatures *signatures)
{
    struct st_match match;
    st_match(signatures, operands[0].type->type, operands[0].count < 0 ? 1 : operands[0].count,
             operands[1].type->type, operands[1].count < 0 ? 1 : operands[1].count, &match);
    if (PyErr_Occurred()) { /* Ctrl-C */
        return NULL;
    }
    return match.verdict == ST_MATCH_NO_MEMORY ? PyErr_NoMemory() : match_new(operands, &match);
}

/* For types of two generations, or of two ranks: the signatures are not kept. */
static PyObject *match_apart(const struct operand operands[2])
{
    struct st_signatures *signatures = st_signatures_new();
    if (!signatures) {
        return PyErr_NoMemory();
    }
    st_signatures_interrupt(signatures, ext_interrupted, NULL);
    PyObject *result = match_operands(operands, signatures);
    st_signatures_free(signatures);
    return result;
}

PyObject *ext_match(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"type1", "count1", "type2", "count2", NULL};
    struct operand operands[2];
    PyObject *result = NULL;
    if (!PyArg_ParseTupleAndKeywords(
            args, keywords, "O!O&O!O&", names, &ext_type_type, &operands[0].type, ext_count,
            &operands[0].count, &ext_type_type, &operands[1].type, ext_count, &operands[1].count)) {
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        operands[i].indexes = ext_indexes_of(operands[i].type->registry, operands[i].type->types);
    }
    if (operands[0].indexes && operands[1].indexes) {
        if (operands[0].indexes == operands[1].indexes) {
            struct st_signatures *signatures = ext_signatures_of(operands[0].indexes);
            result = signatures ? match_operands(operands, signatures) : NULL;
        } else {
            result = match_apart(operands);
        }
    }
    ext_indexes_release(operands[0].indexes);
    ext_indexes_release(operands[1].indexes);
    return result;
}
