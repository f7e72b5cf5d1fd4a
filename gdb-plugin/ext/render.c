/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

/* The Python object that receives a rendering. */
struct target {
    PyObject *format_run;
};

static bool format_run(void *context, struct st_text *text, const struct st_basic *basic,
                       const void *data, int64_t count, bool is_array)
{
    struct target *target = context;
    PyObject *described = ext_basic_new(basic);
    PyObject *answer = NULL;
    if (described) {
        answer = PyObject_CallFunction(target->format_run, "Oy#LO", described, data,
                                       (Py_ssize_t)(count * basic->size), (long long)count,
                                       is_array ? Py_True : Py_False);
    }
    Py_ssize_t length;
    const char *string = answer ? PyUnicode_AsUTF8AndSize(answer, &length) : NULL;
    if (string) {
        st_text_append(text, string, (size_t)length);
    }
    Py_XDECREF(answer);
    Py_XDECREF(described);
    return string != NULL;
}

static bool interrupted(void *Py_UNUSED(context))
{
    return PyErr_CheckSignals() < 0;
}

/* gdb's value "unlimited" is -1 here. */
static uint64_t limit(long long number)
{
    return number < 0 ? UINT64_MAX : (uint64_t)number;
}

/* Limits the depth to half of the stack: gdb needs some, too, when it formats the innermost values. */
static uint64_t depth(long long number)
{
    uint64_t most = ext_stack_left() / 2 / ST_RENDER_STACK;
    return limit(number) < most ? limit(number) : most;
}

/* Adds the element's place to the message: "cannot read 8 bytes at 0x10 (element [0][0])". */
static PyObject *unreadable(const ExtPlace *root, const struct st_render_failure *failure,
                            const struct st_text *text)
{
    PyObject *path = PyUnicode_FromString("");
    for (size_t i = 0; path && i < failure->index_count; i++) {
        bool repeat = i == 0 && root->place.kind == ST_STAGE_REPEAT;
        Py_SETREF(path, PyUnicode_FromFormat(repeat ? "%U{%lld}" : "%U[%lld]", path,
                                             (long long)failure->indices[i]));
    }
    PyObject *partial = path ? ext_lines(text->data ? text->data : "", text->length) : NULL;
    if (partial && !ext_raise(&failure->fault)) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        if (PyObject_SetAttrString(value, "partial", partial) == 0 &&
            PyObject_SetAttrString(value, "path", path) == 0) {
            PyErr_Restore(type, value, traceback);
        } else {
            Py_XDECREF(type);
            Py_XDECREF(value);
            Py_XDECREF(traceback);
        }
    }
    Py_XDECREF(partial);
    Py_XDECREF(path);
    return NULL;
}

PyObject *ext_render(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"place",      "read",    "elements", "repeats",
                            "max_depth",  "pretty",  "array",    "array_indexes",
                            "format_run", "natural", NULL};
    ExtPlace *root;
    PyObject *read;
    struct target target = {.format_run = Py_None};
    long long elements = 200, repeats = 10, max_depth = 20;
    int pretty = 0, array = 0, array_indexes = 0, natural = 1;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O|$LLLpppOp", names, &ext_place_type, &root,
                                     &read, &elements, &repeats, &max_depth, &pretty, &array,
                                     &array_indexes, &target.format_run, &natural)) {
        return NULL;
    }
    struct st_render_options options = {
        .elements = limit(elements),
        .repeats = limit(repeats),
        .max_depth = depth(max_depth),
        .pretty = pretty,
        .array = array,
        .array_indexes = array_indexes,
        .natural = natural,
        .format_run = format_run,
        .interrupted = interrupted,
        .context = &target,
    };
    struct ext_reader reader = {.callable = read};
    struct st_memory memory;
    struct st_text text = {0};
    struct st_render_failure failure;
    st_memory_init(&memory, ext_read, &reader);
    enum st_error error = st_render(&text, &root->place, &memory, &options, &failure);
    st_memory_deinit(&memory);
    PyObject *result = NULL;
    if (!error) {
        result = ext_lines(text.data ? text.data : "", text.length);
    } else if (error == ST_UNREADABLE && !PyErr_Occurred()) {
        unreadable(root, &failure, &text);
    } else {
        ext_raise(&failure.fault);
    }
    st_text_deinit(&text);
    return result;
}
