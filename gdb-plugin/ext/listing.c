/* SPDX-License-Identifier: BSD-3-Clause */
/* Methods that visit all types of a registry; they are read once between two changes. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
    PyObject_HEAD PyObject *whole; /* the listing that owns `rows`; NULL: this one */
    struct st_row *rows;
    uint32_t *chosen; /* indexes of its rows in the whole; NULL: all */
    size_t count;
    PyObject *damage; /* an Error; NULL if all was read */
} ExtListing;

static const struct st_row *row_at(const ExtListing *self, size_t index)
{
    return &self->rows[self->chosen ? self->chosen[index] : index];
}

static ExtListing *empty_listing(void)
{
    ExtListing *listing = PyObject_New(ExtListing, &ext_listing_type);
    if (listing) {
        listing->whole = NULL;
        listing->rows = NULL;
        listing->chosen = NULL;
        listing->count = 0;
        listing->damage = NULL;
    }
    return listing;
}

/* Returns true if the reader wants to stop. A type that cannot be read is only left out of a list. */
static bool stopped(const struct st_fault *fault)
{
    return fault->error == ST_INTERRUPTED || fault->error == ST_NO_MEMORY;
}

PyObject *ext_damage(const struct st_damage *found, const char *what)
{
    PyObject *type, *value, *traceback;
    ext_raise(&found->fault);
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *text =
        PyUnicode_FromFormat("%S; %zu of %zu %s read", value, found->read, found->all, what);
    PyObject *args = text ? PyTuple_Pack(1, text) : NULL;
    if (args && PyObject_SetAttrString(value, "args", args) < 0) {
        Py_CLEAR(args);
    }
    if (!args) {
        Py_CLEAR(value);
    }
    Py_XDECREF(args);
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

/* Returns the registry's current listing, as a borrowed reference that is valid until the next
 * refresh; NULL with an exception. */
static ExtListing *listing_of(ExtRegistry *self)
{
    struct st_fault fault = {0};
    struct st_damage found;
    if (!ext_usable(self)) {
        return NULL;
    }
    if (self->listing) {
        return (ExtListing *)self->listing;
    }
    ExtListing *listing = empty_listing();
    if (!listing) {
        return NULL;
    }
    if (st_registry_rows(self->registry, &listing->rows, &listing->count, &found, &fault)) {
        listing->rows = NULL;
        Py_DECREF(listing);
        ext_raise(&fault);
        return NULL;
    }
    if (found.fault.error) {
        listing->damage = ext_damage(&found, "types");
        if (!listing->damage) {
            Py_DECREF(listing);
            return NULL;
        }
    }
    Py_XSETREF(self->listing, (PyObject *)listing);
    return listing;
}

PyObject *ext_types(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    return Py_XNewRef((PyObject *)listing_of((ExtRegistry *)object));
}

PyObject *ext_get_damage(PyObject *object, void *Py_UNUSED(closure))
{
    const ExtListing *listing = (ExtListing *)((ExtRegistry *)object)->listing;
    return Py_NewRef(listing && listing->damage ? listing->damage : Py_None);
}

/* Adds an item to the list, and takes both references. Drops the list on failure. */
static PyObject *list_with(PyObject *list, PyObject *item)
{
    if (!item || PyList_Append(list, item) < 0) {
        Py_CLEAR(list);
    }
    Py_XDECREF(item);
    return list;
}

/* Returns the type of a row if it has this name, as a new reference, or None; NULL with an
 * exception. */
static PyObject *if_named(ExtRegistry *self, const struct st_row *row, const char *wanted)
{
    struct st_fault fault = {0};
    const struct st_type *type;
    char *name = NULL;
    bool same = !st_registry_name(self->registry, row->ordinal, row->name, &name, &fault) && name &&
                strcmp(name, wanted) == 0;
    free(name);
    if (same && !st_registry_type(self->registry, row->ordinal, 0, &type, &fault)) {
        return ext_type_of_now(self, type);
    }
    return stopped(&fault) ? ext_raise(&fault) : Py_NewRef(Py_None);
}

PyObject *ext_named(PyObject *object, PyObject *argument)
{
    ExtRegistry *self = (ExtRegistry *)object;
    Py_ssize_t length;
    const char *wanted = PyUnicode_AsUTF8AndSize(argument, &length);
    const ExtListing *listing = wanted ? listing_of(self) : NULL;
    PyObject *list = listing ? PyList_New(0) : NULL;
    if (!list || strlen(wanted) != (size_t)length) { /* a name contains no zero byte */
        return list;
    }
    for (size_t i = 0; list && i < listing->count; i++) {
        if (!listing->rows[i].live || !listing->rows[i].name) {
            continue;
        }
        PyObject *found = if_named(self, &listing->rows[i], wanted);
        if (found == Py_None) {
            Py_DECREF(found);
        } else {
            list = list_with(list, found);
        }
    }
    return list;
}

/* The handle of a freed type; None if it means another type now. */
static PyObject *if_still_freed(ExtRegistry *self, const struct st_row *row)
{
    const struct st_type *type;
    struct st_fault fault = {0};
    switch (st_registry_find(self->registry, row->handle, &type, &fault)) {
    case ST_TOMBSTONE:
        return type->serial == row->serial ? PyLong_FromUnsignedLongLong(row->handle)
                                           : Py_NewRef(Py_None);
    case ST_FIND_FAILED:
        return ext_raise(&fault);
    default:
        Py_RETURN_NONE;
    }
}

PyObject *ext_from_fortran(PyObject *object, PyObject *argument)
{
    long long index = PyLong_AsLongLong(argument);
    const ExtListing *listing = PyErr_Occurred() ? NULL : listing_of((ExtRegistry *)object);
    if (!listing) {
        return NULL;
    }
    const struct st_row *freed = NULL;
    for (size_t i = 0; index >= 0 && i < listing->count; i++) {
        const struct st_row *row = &listing->rows[i];
        if (row->fortran == index && row->live) {
            return PyLong_FromUnsignedLongLong(row->handle);
        }
        if (row->fortran == index && row->tombstone) {
            freed = row;
        }
    }
    return freed ? if_still_freed((ExtRegistry *)object, freed) : Py_NewRef(Py_None);
}

PyObject *ext_predefined(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_fault fault = {0};
    struct st_row *rows = NULL;
    size_t count = 0;
    if (!ext_usable(self)) {
        return NULL;
    }
    if (st_registry_predefined(self->registry, &rows, &count, &fault)) {
        return ext_raise(&fault);
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        char *name = NULL;
        fault = (struct st_fault){0};
        st_registry_name(self->registry, rows[i].ordinal, rows[i].name, &name, &fault);
        if (name) {
            list = list_with(list, Py_BuildValue("(NK)", ext_text(name, strlen(name)),
                                                 (unsigned long long)rows[i].handle));
        } else if (stopped(&fault)) {
            Py_CLEAR(list);
            ext_raise(&fault);
        }
        free(name);
    }
    free(rows);
    return list;
}

/* --- the sequence ----------------------------------------------------------------------------- */

static PyObject *summary(const struct st_row *row)
{
    PyObject *items[] = {
        PyLong_FromUnsignedLong(row->ordinal),
        PyLong_FromUnsignedLongLong(row->serial),
        PyLong_FromUnsignedLongLong(row->handle),
        PyUnicode_InternFromString(st_combiner_name(row->combiner)),
        PyBool_FromLong(row->flags & ST_COMMITTED),
        PyBool_FromLong(row->flags & ST_PREDEFINED),
        PyBool_FromLong(row->live),
        PyBool_FromLong(row->tombstone),
        PyLong_FromLongLong(row->created == ST_NO_SITE ? -1 : (long long)row->created),
        PyLong_FromUnsignedLong(row->references),
    };
    return ext_tuple(ext_summary_type, items, sizeof items / sizeof *items);
}

static Py_ssize_t listing_length(PyObject *object)
{
    return (Py_ssize_t)((ExtListing *)object)->count;
}

static PyObject *listing_item(PyObject *object, Py_ssize_t index)
{
    const ExtListing *self = (ExtListing *)object;
    if (index < 0 || (size_t)index >= self->count) {
        PyErr_SetString(PyExc_IndexError, "no such row");
        return NULL;
    }
    return summary(row_at(self, (size_t)index));
}

/* --- groups ----------------------------------------------------------------------------------- */

/* -1: both are selected */
struct filter {
    int live, tombstone, committed;
};

static bool fits(const struct filter *filter, const struct st_row *row)
{
    bool committed = row->flags & ST_COMMITTED;
    return !(row->flags & ST_PREDEFINED) && (filter->live < 0 || filter->live == row->live) &&
           (filter->tombstone < 0 || filter->tombstone == row->tombstone) &&
           (filter->committed < 0 || filter->committed == committed);
}

/* "O&": None, False or True */
static int maybe(PyObject *object, void *to)
{
    int value = object == Py_None ? -1 : PyObject_IsTrue(object);
    *(int *)to = value;
    return object == Py_None || value >= 0;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Returns the selected rows, each as its index below its site, sorted by site, then by index:
 * *count of them. NULL if there is no memory. */
static uint64_t *sorted_by_site(const ExtListing *self, const struct filter *filter, size_t *count)
{
    uint64_t *keys = malloc((self->count + 1) * sizeof(*keys));
    bool sorted = true;
    *count = 0;
    for (size_t i = 0; keys && i < self->count; i++) {
        const struct st_row *row = row_at(self, i);
        if (fits(filter, row)) {
            uint64_t key = (uint64_t)row->created << 32 | (uint64_t)(row - self->rows);
            sorted = sorted && (!*count || keys[*count - 1] < key);
            keys[(*count)++] = key;
        }
    }
    if (keys && !sorted) {
        qsort(keys, *count, sizeof(*keys), by_number);
    }
    return keys;
}

/* Returns the rows of `keys`, which are of one site. */
static PyObject *group_of(ExtListing *self, const uint64_t *keys, size_t count)
{
    ExtListing *group = empty_listing();
    if (!group) {
        return NULL;
    }
    group->whole = Py_NewRef(self->whole ? self->whole : (PyObject *)self);
    group->rows = self->rows;
    group->count = count;
    group->chosen = malloc(count * sizeof(*group->chosen));
    if (!group->chosen) {
        Py_DECREF(group);
        return PyErr_NoMemory();
    }
    for (size_t i = 0; i < count; i++) {
        group->chosen[i] = (uint32_t)keys[i];
    }
    return (PyObject *)group;
}

static PyObject *groups(PyObject *object, PyObject *args, PyObject *keywords)
{
    ExtListing *self = (ExtListing *)object;
    struct filter filter = {-1, -1, -1};
    static char *names[] = {"live", "tombstone", "committed", NULL};
    size_t count;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$O&O&O&", names, maybe, &filter.live, maybe,
                                     &filter.tombstone, maybe, &filter.committed)) {
        return NULL;
    }
    uint64_t *keys = sorted_by_site(self, &filter, &count);
    if (!keys) {
        return PyErr_NoMemory();
    }
    PyObject *list = PyList_New(0);
    for (size_t first = 0, end; list && first < count; first = end) {
        for (end = first + 1; end < count && keys[end] >> 32 == keys[first] >> 32; end++) {
        }
        list = list_with(list, group_of(self, keys + first, end - first));
    }
    free(keys);
    return list;
}

static PyObject *get_kinds(PyObject *object, void *Py_UNUSED(closure))
{
    const ExtListing *self = (ExtListing *)object;
    unsigned long long counts[ST_COMBINER_END] = {0};
    for (size_t i = 0; i < self->count; i++) {
        counts[row_at(self, i)->combiner]++;
    }
    PyObject *kinds = PyDict_New();
    for (unsigned i = 0; kinds && i < ST_COMBINER_END; i++) {
        PyObject *count = counts[i] ? PyLong_FromUnsignedLongLong(counts[i]) : NULL;
        if (counts[i] && (!count || PyDict_SetItemString(kinds, st_combiner_name(i), count) < 0)) {
            Py_CLEAR(kinds);
        }
        Py_XDECREF(count);
    }
    return kinds;
}

static PyObject *get_uncommitted(PyObject *object, void *Py_UNUSED(closure))
{
    const ExtListing *self = (ExtListing *)object;
    const struct filter filter = {.live = 1, .tombstone = -1, .committed = 0};
    size_t count = 0;
    for (size_t i = 0; i < self->count; i++) {
        count += fits(&filter, row_at(self, i));
    }
    return PyLong_FromSize_t(count);
}

static PyGetSetDef getters[] = {
    {"kinds", get_kinds, NULL, NULL, NULL},
    {"uncommitted", get_uncommitted, NULL, NULL, NULL},
    {0},
};

static PyMethodDef methods[] = {
    {"groups", (PyCFunction)(void (*)(void))groups, METH_VARARGS | METH_KEYWORDS, NULL},
    {0},
};

static void listing_dealloc(PyObject *object)
{
    ExtListing *self = (ExtListing *)object;
    Py_XDECREF(self->damage);
    free(self->chosen);
    if (!self->whole) {
        free(self->rows);
    }
    Py_XDECREF(self->whole);
    Py_TYPE(object)->tp_free(object);
}

static PySequenceMethods as_sequence = {
    .sq_length = listing_length,
    .sq_item = listing_item,
};

PyTypeObject ext_listing_type = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "_mpipp.Listing",
    .tp_doc = "The rows of Registry.types().",
    .tp_basicsize = sizeof(ExtListing),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_as_sequence = &as_sequence,
    .tp_methods = methods,
    .tp_getset = getters,
    .tp_dealloc = listing_dealloc,
};
