/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The CPython extension _mpipp over the C core. This is the only folder that includes Python.h.
 * _mpipp.pyi documents each name.
 */
#ifndef ST_EXT_H
#define ST_EXT_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>

#include "core/address/address.h"
#include "core/decode/decode.h"
#include "core/address/index.h"
#include "core/model/memory.h"
#include "core/model/place.h"
#include "render.h"
#include "core/signature/signatures.h"
#include "older_python.h"

/* error.c */
/* For long work of the core: returns true if an exception is set, such as that of Ctrl-C. */
bool ext_interrupted(void *context);
extern PyObject *ext_error;      /* _mpipp.Error */
extern PyObject *ext_unreadable; /* _mpipp.Unreadable */
bool ext_add_errors(PyObject *module);
/* Raises the exception for the fault, and returns NULL. If a Python exception interrupted the
 * reading, that exception stays. */
PyObject *ext_raise(const struct st_fault *fault);

/* tuple.c: returns a named tuple of these items, and takes their references. Returns NULL with an
 * exception if there is no memory, or if an item is NULL, for which an exception must be set. */
PyObject *ext_tuple(PyTypeObject *type, PyObject *const *items, size_t count);

/* text.c: returns a text of the rank as a Python string. Invalid UTF-8, and characters that act on
 * a terminal instead of being visible, become U+FFFD. Only ext_lines() keeps line ends. */
PyObject *ext_text(const char *bytes, size_t length);
PyObject *ext_lines(const char *bytes, size_t length);
PyObject *ext_visible(PyObject *module, PyObject *arguments, PyObject *keywords);

/* read.c: adapts the callable read(address, length) to st_read_fn; its context is the callable. */
struct ext_reader {
    PyObject *callable;
    uint64_t reads, bytes;
    unsigned depth; /* number of calls of the callable that are running */
};
enum st_read_result ext_read(uint64_t address, void *buffer, size_t length, void *context);

/* For PyArg_Parse's "O&": a number from 0 to 2^64 - 1. */
int ext_address(PyObject *object, void *address);

/* registry.c */
typedef struct {
    PyObject_HEAD struct st_registry *registry;
    struct ext_reader reader;
    struct ext_indexes *indexes; /* see indexes.c */
    PyObject *listing;           /* the current one; NULL: not asked for yet */
} ExtRegistry;
extern PyTypeObject ext_registry_type;

/* open.c */
/* Returns false, with an exception, if the registry is not open, or is called from its own read(). */
bool ext_usable(const ExtRegistry *registry);
/* Reads the root again, and drops the listing if the rank has changed anything since. Returns
 * false, with an exception, if the registry is not usable, or not readable. */
bool ext_refresh(ExtRegistry *registry, bool *changed);
PyObject *ext_site(ExtRegistry *registry, uint32_t site);
/* Does the same for given frames. */
PyObject *ext_frames(ExtRegistry *registry, const uint64_t *pcs, size_t count);

/* listing.c: methods of the registry that visit all its types */
extern PyTypeObject ext_listing_type;
PyObject *ext_types(PyObject *registry, PyObject *ignored);
PyObject *ext_named(PyObject *registry, PyObject *name);
PyObject *ext_from_fortran(PyObject *registry, PyObject *index);
PyObject *ext_predefined(PyObject *registry, PyObject *ignored);
PyObject *ext_get_damage(PyObject *registry, void *closure);
/* Returns an Error that says what the fault is, and how much of `what` ("types") was read. NULL,
 * with an exception, if there is no memory. */
PyObject *ext_damage(const struct st_damage *found, const char *what);

/* operations.c: methods of the registry */
PyObject *ext_operations(PyObject *registry, PyObject *ignored);
PyObject *ext_object(PyObject *registry, PyObject *args);
PyObject *ext_objects(PyObject *registry, PyObject *args);
PyObject *ext_epochs(PyObject *registry, PyObject *ignored);
bool ext_add_operations(PyObject *module);
bool ext_add_objects(PyObject *module);

/* type.c */
typedef struct {
    PyObject_HEAD ExtRegistry *registry;
    struct st_types *types; /* keeps `type` alive */
    const struct st_type *type;
} ExtType;
extern PyTypeObject ext_type_type;
/* Returns a Type for `type`, which belongs to `types`. */
PyObject *ext_type_new(ExtRegistry *registry, struct st_types *types, const struct st_type *type);
/* Adds COMBINERS: the parameters of each constructor. */
bool ext_add_combiners(PyObject *module);
/* Does the same for a type of the current registry. */
PyObject *ext_type_of_now(ExtRegistry *registry, const struct st_type *type);
PyObject *ext_basic_new(const struct st_basic *basic);
bool ext_add_named_tuples(PyObject *module);
extern PyTypeObject *ext_summary_type;

/* place.c */
typedef struct ext_place ExtPlace;
struct ext_place {
    PyObject_HEAD ExtRegistry *registry;
    struct st_types *types;
    struct st_place place;
    ExtPlace *parent; /* NULL: the root place */
    int64_t index;    /* index in the parent */
};
extern PyTypeObject ext_place_type;
/* Returns a Place without a parent. */
PyObject *ext_place_new(ExtRegistry *registry, struct st_types *types,
                        const struct st_place *place);
/* For PyArg_Parse's "O&": a count, or None (stored as -1). */
int ext_count(PyObject *object, void *count);
/* Returns the root place of `count` types (-1: of the type itself) at an address. */
struct st_place ext_root(const struct st_type *type, uint64_t address, int64_t count);

/* indexes.c: the indexes over one generation of types, and their layouts. The registry keeps them
 * as long as the types are current; others may hold references. */
struct ext_indexes {
    size_t references;
    struct st_types *types;
    struct st_indexes indexes;
    struct st_signatures *signatures; /* NULL: not asked for yet (ext_signatures_of()) */
    struct st_layouts *layouts;       /* layout/layout.h */
};
/* Returns a new reference; NULL with an exception set. */
struct ext_indexes *ext_indexes_of(ExtRegistry *registry, struct st_types *types);
void ext_indexes_release(struct ext_indexes *indexes);
/* Returns the signatures of this generation of types; NULL with an exception set. Valid as long as
 * `indexes` is held, and until the next call. */
struct st_signatures *ext_signatures_of(struct ext_indexes *indexes);

/* element.c */
PyObject *ext_element(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *ext_locate(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *ext_splits(PyObject *module, PyObject *text);
bool ext_add_element(PyObject *module);
/* Returns the number, or None if it is not known. */
PyObject *ext_amount(struct st_amount amount);
PyObject *ext_displacement(const struct st_displacement *displacement);
/* Returns an Element; for `within` see locate(). */
PyObject *ext_element_new(ExtType *type, struct ext_indexes *indexes, const struct st_route *route,
                          int64_t within);

/* address_fault.c */
/* Returns "{1}[2][5]", or the long form; NULL with an exception set. */
PyObject *ext_address_text(const struct st_route *route, enum st_address_form form);
/* Raises the exception for the fault, and returns NULL. The `path` of an Unreadable is the element
 * at the route. */
PyObject *ext_raise_at(const struct st_route *route, const struct st_fault *fault);
/* Raises an exception that says why `text` is no address of an element, and returns NULL. `route`
 * is at the last valid node; `label` is the user's name of the type. */
PyObject *ext_raise_address(const struct st_address_fault *fault, const struct st_route *route,
                            const char *label, const char *text);

/* signature.c */
PyObject *ext_signature_text(PyObject *module, PyObject *args, PyObject *keywords);
bool ext_add_signature(PyObject *module);

/* match.c */
PyObject *ext_match(PyObject *module, PyObject *args, PyObject *keywords);
bool ext_add_match(PyObject *module);

/* diff.c */
PyObject *ext_diff(PyObject *module, PyObject *args, PyObject *keywords);
bool ext_add_diff(PyObject *module);

/* contiguous.c */
PyObject *ext_contiguous(PyObject *module, PyObject *type);
bool ext_add_contiguous(PyObject *module);

/* type_map.c */
extern PyTypeObject ext_type_map_type;
bool ext_add_entry(PyObject *module);

/* layout.c */
extern PyTypeObject ext_layout_type;
bool ext_add_layout(PyObject *module);
struct st_effort; /* layout/effort.h */
struct st_layout; /* layout/layout.h */
/* Returns an effort of so many steps, which Ctrl-C ends. */
struct st_effort ext_effort(uint64_t steps);
/* Stores the layout of a type. Returns false with an exception set. */
bool ext_layout_of(struct ext_indexes *indexes, const struct st_type *type,
                   struct st_effort *effort, const struct st_layout **layout);

/* overlap.c */
bool ext_add_overlap(PyObject *module);
PyObject *ext_overlap(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *ext_self_overlap(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *ext_misaligned(PyObject *module, PyObject *args, PyObject *keywords);

/* stack.c */
size_t ext_stack_left(void); /* bytes */
PyObject *ext_stack_is_low(PyObject *module, PyObject *ignored);
PyObject *ext_source_line(PyObject *module, PyObject *arguments);
PyObject *ext_forget_source_lines(PyObject *module, PyObject *ignored);

/* compare.c */
bool ext_add_comparison(PyObject *module);
PyObject *ext_compare(PyObject *module, PyObject *args, PyObject *keywords);

/* calls.c: methods of the registry, and what they return */
bool ext_add_calls(PyObject *module);
PyObject *ext_threads(PyObject *registry, PyObject *ignored);
PyObject *ext_form(PyObject *registry, PyObject *offset);
PyObject *ext_form_of(PyObject *registry, PyObject *function);
PyObject *ext_describe(PyObject *registry, PyObject *args);
PyObject *ext_names(PyObject *registry, PyObject *ignored);
PyObject *ext_get_status(PyObject *registry, void *closure);

/* waits.c */
bool ext_add_waits(PyObject *module);
PyObject *ext_deadlocks(PyObject *module, PyObject *arguments);
PyObject *ext_named_ranks(PyObject *module, PyObject *numbers);

/* since.c: a method and an attribute of the registry, and a function */
PyObject *ext_since(PyObject *registry, PyObject *now);
PyObject *ext_get_arrival(PyObject *registry, void *closure);
PyObject *ext_duration(PyObject *module, PyObject *arguments);

/* collectives.c: a method of the registry */
bool ext_add_collectives(PyObject *module);
bool ext_add_epochs(PyObject *module);
PyObject *ext_collectives(PyObject *registry, PyObject *ignored);

/* messages.c */
bool ext_add_messages(PyObject *module);
PyObject *ext_messages(PyObject *registry, PyObject *ignored);
/* An operation as a MessageSide. */
struct st_wait_rank;
struct st_wait_part;
PyObject *ext_message_side(const struct st_wait_rank *rank, const struct st_wait_part *part);

/* sent.c */
struct st_wait_messages;
struct st_wait_sent;
bool ext_add_sent(PyObject *module);
PyObject *ext_sent_messages(PyObject *module, PyObject *arguments);
/* Where a message was sent; `registry`: of the sender. */
PyObject *ext_sent_frames(ExtRegistry *registry, const struct st_wait_messages *messages,
                          const struct st_wait_sent *sent);

/* pack.c */
extern PyTypeObject ext_pack_type;

/* render.c */
PyObject *ext_render(PyObject *module, PyObject *args, PyObject *keywords);

#endif
