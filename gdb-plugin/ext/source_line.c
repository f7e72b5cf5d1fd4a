/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The line of an instruction, from libdw; see _mpipp.pyi.
 *
 * gdb prefers the rows of a line table where a statement begins. At a call those may be of an
 * argument that the compiler has inlined; the row of the call itself is the last of its address.
 */
#include "ext.h"

#include <stdlib.h>
#include <string.h>

#include "../../cmd/dwarf.h"

/* A file with debug information. */
struct line_file {
    char *path;
    Dwfl *dwfl;
    Dwfl_Module *module; /* NULL: it cannot be read */
    Dwarf_Addr bias;
};

static struct line_file *files;
static size_t file_count;

static char *debug_paths; /* as libdw's default: beside the file, and in /usr/lib/debug */

static void open_file(const struct dwarf *libdw, struct line_file *file)
{
    static const Dwfl_Callbacks none;
    static Dwfl_Callbacks callbacks;
    callbacks = none;
    callbacks.find_elf = libdw->dwfl_build_id_find_elf;
    callbacks.find_debuginfo = libdw->dwfl_standard_find_debuginfo;
    callbacks.section_address = libdw->dwfl_offline_section_address;
    callbacks.debuginfo_path = &debug_paths;
    file->dwfl = libdw->dwfl_begin(&callbacks);
    if (file->dwfl == NULL) {
        return;
    }
    libdw->dwfl_report_begin(file->dwfl);
    Dwfl_Module *found = libdw->dwfl_report_offline(file->dwfl, file->path, file->path, -1);
    libdw->dwfl_report_end(file->dwfl, NULL, NULL);
    if (found != NULL && libdw->dwfl_module_getelf(found, &file->bias) != NULL) {
        file->module = found;
    }
}

/* Returns NULL with an exception set if there is no memory. */
static const struct line_file *file_at(const struct dwarf *libdw, const char *path)
{
    for (size_t i = 0; i < file_count; i++) {
        if (strcmp(files[i].path, path) == 0) {
            return &files[i];
        }
    }
    struct line_file *more = realloc(files, (file_count + 1) * sizeof *files);
    files = more != NULL ? more : files;
    char *copy = more != NULL ? strdup(path) : NULL;
    if (copy == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    files[file_count] = (struct line_file){.path = copy};
    open_file(libdw, &files[file_count]);
    return &files[file_count++];
}

PyObject *ext_source_line(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *path;
    unsigned long long address;
    if (!PyArg_ParseTuple(arguments, "O&K", PyUnicode_FSConverter, &path, &address)) {
        return NULL;
    }
    const struct dwarf *libdw = dwarf_load();
    const struct line_file *file = libdw != NULL ? file_at(libdw, PyBytes_AS_STRING(path)) : NULL;
    Py_DECREF(path);
    if (file == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
    }
    Dwfl_Line *line =
        file->module != NULL ? libdw->dwfl_module_getsrc(file->module, address + file->bias) : NULL;
    int number = 0;
    const char *name =
        line != NULL ? libdw->dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    if (name == NULL || number <= 0) {
        return Py_NewRef(Py_None);
    }
    return Py_BuildValue("(Ni)", PyUnicode_DecodeFSDefault(name), number);
}

PyObject *ext_forget_source_lines(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    const struct dwarf *libdw = dwarf_load();
    for (size_t i = 0; i < file_count; i++) {
        if (files[i].dwfl != NULL) {
            libdw->dwfl_end(files[i].dwfl);
        }
        free(files[i].path);
    }
    file_count = 0;
    Py_RETURN_NONE;
}
