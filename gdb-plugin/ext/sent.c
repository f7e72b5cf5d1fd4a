/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that were sent and not received, as ranks that compare them show (core/waits/messages.h), as named tuples; see
 * _mpipp.pyi. */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "core/agree/log.h"
#include "core/waits/messages.h"

static PyTypeObject *sent_type;

bool ext_add_sent(PyObject *module)
{
    static PyStructSequence_Field fields[] = {{"sender", NULL}, {"receiver", NULL}, {"side", NULL},
                                              {"number", NULL}, {"frames", NULL},   {"data", NULL},
                                              {NULL, NULL}};
    static PyStructSequence_Desc description = {
        "_mpipp.SentMessage", "A message that was sent and not received.", fields, 6};
    sent_type = PyStructSequence_NewType(&description);
    return sent_type && PyModule_AddObjectRef(module, "SentMessage", (PyObject *)sent_type) == 0;
}

PyObject *ext_sent_frames(ExtRegistry *registry, const struct st_wait_messages *messages,
                          const struct st_wait_sent *sent)
{
    enum { MOST = 64 };
    uint64_t frames[MOST];
    return ext_frames(registry, frames, st_wait_sent_site(messages, sent, frames, MOST));
}

struct job {
    ExtRegistry **given; /* borrowed */
    struct st_registry **registries;
    struct st_wait_rank *ranks;
    struct st_wait_messages messages;
    size_t count;
};

static void free_job(struct job *job)
{
    for (size_t i = 0; job->ranks && i < job->count; i++) {
        st_wait_rank_free(&job->ranks[i]);
    }
    free(job->ranks);
    free(job->given);
    free(job->registries);
    st_wait_messages_free(&job->messages);
}

/* False, with an exception: what was read is in *job all the same. */
static bool read_job(PyObject *given, struct job *job)
{
    struct st_fault fault = {0};
    bool changed;
    job->count = (size_t)PyList_GET_SIZE(given);
    job->given = calloc(job->count + 1, sizeof *job->given);
    job->registries = calloc(job->count + 1, sizeof *job->registries);
    job->ranks = calloc(job->count + 1, sizeof *job->ranks);
    if (!job->given || !job->registries || !job->ranks) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < job->count; i++) {
        PyObject *one = PyList_GET_ITEM(given, (Py_ssize_t)i);
        if (!PyObject_TypeCheck(one, &ext_registry_type)) {
            PyErr_SetString(PyExc_TypeError, "a rank is a registry");
            return false;
        }
        job->given[i] = (ExtRegistry *)one;
        job->registries[i] = job->given[i]->registry;
        if (!ext_refresh(job->given[i], &changed)) {
            return false;
        }
        if (st_wait_read(job->registries[i], ext_read, &job->given[i]->reader, &job->ranks[i],
                         &fault)) {
            ext_raise(&fault);
            return false;
        }
    }
    const struct st_wait_source source = {.registries = job->registries};
    if (!st_wait_messages_read(job->ranks, &source, job->count, &job->messages)) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < job->count; i++) {
        job->ranks[i].messages = &job->messages;
    }
    return true;
}

static PyObject *data_of(const struct st_call_log *log, const struct st_message *message)
{
    char text[ST_CALL_TEXT] = "";
    if (st_message_flags(message) & ST_MESSAGE_SIGNED) {
        st_call_log_data(log, message->hash[0], message->length,
                         st_message_flags(message) & ST_MESSAGE_UNIFORM, text);
    } else if (st_message_flags(message) & ST_MESSAGE_SIZED) {
        snprintf(text, sizeof text, "%lld bytes", (long long)message->bytes);
    }
    return ext_text(text, strlen(text));
}

static PyObject *sent_new(const struct job *job, const struct st_wait_sent *sent,
                          const struct st_call_log *log)
{
    const struct st_wait_comm *comm = st_wait_sent_comm(job->ranks, sent);
    const struct st_wait_rank *to = &job->ranks[sent->to];
    struct st_wait_part part = {.sort = ST_WAIT_SEND,
                                .comm = comm ? (size_t)(comm - job->ranks[sent->from].comms)
                                             : ST_NO_COMM,
                                .peer = ST_PEER_NONE,
                                .world = to->world_rank,
                                .process = st_gpid(to->world, to->world_rank),
                                .tag = sent->message.tag,
                                .site = ST_NO_SITE};
    st_wait_sent_function(&job->messages, sent, part.function);
    PyObject *items[] = {
        PyLong_FromUnsignedLong(sent->from),
        PyLong_FromUnsignedLong(sent->to),
        ext_message_side(&job->ranks[sent->from], &part),
        PyLong_FromUnsignedLongLong(st_message_number(sent->message.number)),
        ext_sent_frames(job->given[sent->from], &job->messages, sent),
        data_of(log, &sent->message),
    };
    return ext_tuple(sent_type, items, sizeof items / sizeof *items);
}

/* False, with an exception. *sender: whose log that is. */
static bool take_log(const struct job *job, uint32_t from, struct st_call_log *log,
                     uint32_t *sender)
{
    struct st_fault fault = {0};
    if (*sender == from) {
        return true;
    }
    st_call_log_free(log);
    *sender = from;
    if (st_call_log_read(job->registries[from], log, &fault)) {
        ext_raise(&fault);
        return false;
    }
    return true;
}

static PyObject *list_sent(const struct job *job)
{
    struct st_call_log log = {0};
    uint32_t sender = UINT32_MAX;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < job->messages.count; i++) {
        const struct st_wait_sent *sent = &job->messages.list[i];
        PyObject *one = take_log(job, sent->from, &log, &sender) ? sent_new(job, sent, &log) : NULL;
        if (!one || PyList_Append(list, one) < 0) {
            Py_CLEAR(list);
        }
        Py_XDECREF(one);
    }
    st_call_log_free(&log);
    return list;
}

/* By rank: what is known of the messages that it has sent and received: all, or not all. */
static PyObject *list_sure(const struct job *job)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < job->count; i++) {
        if (PyList_Append(list, job->messages.is_sender[i] ? Py_True : Py_False) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

PyObject *ext_sent_messages(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *given, *sent = NULL, *sure = NULL;
    struct job job = {0};
    if (!PyArg_ParseTuple(arguments, "O!", &PyList_Type, &given)) {
        return NULL;
    }
    if (read_job(given, &job)) {
        sent = list_sent(&job);
        sure = sent ? list_sure(&job) : NULL;
    }
    free_job(&job);
    PyObject *result = sure ? PyTuple_Pack(2, sent, sure) : NULL;
    Py_XDECREF(sent);
    Py_XDECREF(sure);
    return result;
}
