/* SPDX-License-Identifier: BSD-3-Clause */
/* The pending messages of a rank, as named tuples; see _mpipp.pyi. */
#include "ext.h"

#include <string.h>

#include "core/waits/state.h"

static PyTypeObject *side_type;

bool ext_add_messages(PyObject *module)
{
    static PyStructSequence_Field fields[] = {
        {"sends", NULL},       {"function", NULL}, {"comm", NULL},   {"comm_name", NULL},
        {"comm_handle", NULL}, {"peer", NULL},     {"world", NULL},  {"process", NULL},
        {"tag", NULL},         {"site", NULL},     {"handle", NULL}, {"thread", NULL},
        {NULL, NULL},
    };
    static PyStructSequence_Desc description = {"_mpipp.MessageSide",
                                                "A send or a receive that is pending.", fields, 12};
    side_type = PyStructSequence_NewType(&description);
    return side_type && PyModule_AddObjectRef(module, "MessageSide", (PyObject *)side_type) == 0;
}

static PyObject *text_of(const char *text)
{
    return ext_text(text, strlen(text));
}

PyObject *ext_message_side(const struct st_wait_rank *rank, const struct st_wait_part *part)
{
    static const struct st_wait_comm unknown;
    const struct st_wait_comm *comm =
        part->comm == ST_NO_COMM ? &unknown : &rank->comms[part->comm];
    PyObject *items[] = {
        PyBool_FromLong(part->sort == ST_WAIT_SEND),
        text_of(part->function),
        PyLong_FromUnsignedLongLong(comm->id),
        text_of(comm->name),
        PyLong_FromUnsignedLongLong(comm->handle),
        PyLong_FromLong(part->peer),
        PyLong_FromLong(part->world),
        PyLong_FromUnsignedLongLong(part->process),
        PyLong_FromLong(part->tag),
        PyLong_FromLongLong(part->site == ST_NO_SITE ? -1 : (long long)part->site),
        PyLong_FromUnsignedLongLong(part->handle),
        PyLong_FromUnsignedLongLong(part->thread),
    };
    return ext_tuple(side_type, items, sizeof items / sizeof *items);
}

static PyObject *sides_of(const struct st_wait_rank *rank)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < rank->pending_count; i++) {
        const struct st_wait_part *part = &rank->pending[i];
        if (part->sort != ST_WAIT_SEND && part->sort != ST_WAIT_RECEIVE) {
            continue;
        }
        PyObject *one = ext_message_side(rank, part);
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    PyObject *tuple = list ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

PyObject *ext_messages(PyObject *object, PyObject *Py_UNUSED(ignored))
{
    ExtRegistry *self = (ExtRegistry *)object;
    struct st_wait_rank rank = {.world_rank = -1};
    struct st_fault fault = {0};
    bool changed;
    if (!ext_refresh(self, &changed)) {
        return NULL;
    }
    if (st_wait_read(self->registry, ext_read, &self->reader, &rank, &fault)) {
        st_wait_rank_free(&rank);
        return ext_raise(&fault);
    }
    PyObject *sides = sides_of(&rank);
    uint64_t own = st_gpid(rank.world, rank.world_rank < 0 ? 0 : rank.world_rank);
    st_wait_rank_free(&rank);
    return sides ? Py_BuildValue("(KN)", (unsigned long long)own, sides) : NULL;
}
