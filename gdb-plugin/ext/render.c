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

/* The names for the entries of structs, as st_render() takes them. They point into `list`. */
struct name_table {
    struct st_entry_names *entries;
    size_t count;
    void **blocks; /* their arrays: two for each entry */
};

static void table_deinit(struct name_table *table)
{
    for (size_t i = 0; table->blocks && i < 2 * table->count; i++) {
        PyMem_Free(table->blocks[i]);
    }
    PyMem_Free(table->blocks);
    PyMem_Free(table->entries);
}

static bool take_names(PyObject *tuple, const char **names)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        PyObject *name = PyTuple_GET_ITEM(tuple, i);
        names[i] = name == Py_None ? NULL : PyUnicode_AsUTF8(name);
        if (!names[i] && name != Py_None) {
            return false;
        }
    }
    return true;
}

static bool take_levels(PyObject *tuple, struct st_names_level *levels)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); i++) {
        long long count, stride;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(tuple, i), "LL", &count, &stride)) {
            return false;
        }
        levels[i].count = count;
        levels[i].stride = stride;
    }
    return true;
}

/* Takes one (Type, origin, levels, names). */
static bool take_entry(PyObject *item, struct name_table *table, size_t index)
{
    ExtType *type;
    unsigned long long origin;
    PyObject *levels, *names;
    if (!PyArg_ParseTuple(item, "O!O&O!O!", &ext_type_type, &type, ext_address, &origin,
                          &PyTuple_Type, &levels, &PyTuple_Type, &names)) {
        return false;
    }
    size_t level_count = (size_t)PyTuple_GET_SIZE(levels);
    size_t name_count = (size_t)PyTuple_GET_SIZE(names);
    struct st_names_level *made = PyMem_Calloc(level_count + 1, sizeof *made);
    const char **texts = PyMem_Calloc(name_count + 1, sizeof *texts);
    table->blocks[2 * index] = made;
    table->blocks[2 * index + 1] = texts;
    if (!made || !texts) {
        PyErr_NoMemory();
        return false;
    }
    struct st_place place = st_place_of(type->type, 0);
    if ((uint64_t)name_count < (uint64_t)place.count) {
        PyErr_SetString(ext_error, "fewer names than entries");
        return false;
    }
    table->entries[index] = (struct st_entry_names){.type = place.type->ordinal,
                                                    .origin = origin,
                                                    .levels = made,
                                                    .level_count = level_count,
                                                    .names = texts};
    return take_levels(levels, made) && take_names(names, texts);
}

static bool table_init(struct name_table *table, PyObject *list)
{
    *table = (struct name_table){0};
    if (!list) {
        return true;
    }
    table->count = (size_t)PyTuple_GET_SIZE(list);
    table->entries = PyMem_Calloc(table->count + 1, sizeof *table->entries);
    table->blocks = PyMem_Calloc(2 * table->count + 1, sizeof *table->blocks);
    if (!table->entries || !table->blocks) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!take_entry(PyTuple_GET_ITEM(list, (Py_ssize_t)i), table, i)) {
            return false;
        }
    }
    return true;
}

PyObject *ext_render(PyObject *Py_UNUSED(module), PyObject *args, PyObject *keywords)
{
    static char *names[] = {"place",  "read",    "elements",      "repeats",    "max_depth",
                            "pretty", "array",   "array_indexes", "format_run", "natural",
                            "stages", "fortran", "brief",         "names",      NULL};
    ExtPlace *root;
    PyObject *read, *list = NULL;
    struct name_table table;
    struct target target = {.format_run = Py_None};
    long long elements = 200, repeats = 10, max_depth = 20;
    int pretty = 0, array = 0, array_indexes = 0, natural = 1, stages = 1, fortran = 0, brief = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!O|$LLLpppOppppO!", names, &ext_place_type,
                                     &root, &read, &elements, &repeats, &max_depth, &pretty, &array,
                                     &array_indexes, &target.format_run, &natural, &stages,
                                     &fortran, &brief, &PyTuple_Type, &list)) {
        return NULL;
    }
    if (!table_init(&table, list)) {
        table_deinit(&table);
        return NULL;
    }
    struct st_render_options options = {
        .elements = limit(elements),
        .repeats = limit(repeats),
        .max_depth = depth(max_depth),
        .pretty = pretty,
        .array = array,
        .array_indexes = array_indexes,
        .stages = stages,
        .fortran = fortran,
        .brief = brief,
        .names = table.entries,
        .names_count = table.count,
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
    table_deinit(&table);
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
