/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Texts of a rank, such as names, for Python. gdb's console shows them: so they contain no
 * characters that act on a terminal.
 */
#include "ext.h"

#include "report/visible.h"

/* Returns the character to show: a blank for a tab, which is in the version text of MPICH. */
static Py_UCS4 shown(Py_UCS4 code, bool lines)
{
    if (code == '\t') {
        return ' ';
    }
    bool is_surrogate = code >= 0xd800 && code <= 0xdfff; /* from a file name with invalid UTF-8 */
    return is_surrogate || (st_text_acts(code) && !(lines && code == '\n')) ? ST_REPLACEMENT_CODE
                                                                            : code;
}

/* Takes the reference to TEXT, which may be NULL. */
static PyObject *make_visible(PyObject *text, bool lines)
{
    if (!text) {
        return NULL;
    }
    Py_ssize_t count = PyUnicode_GET_LENGTH(text);
    Py_UCS4 largest = 0;
    bool same = true;
    for (Py_ssize_t at = 0; at < count; at++) {
        Py_UCS4 code = PyUnicode_READ_CHAR(text, at), instead = shown(code, lines);
        same = same && code == instead;
        largest = instead > largest ? instead : largest;
    }
    if (same) {
        return text;
    }
    PyObject *seen = PyUnicode_New(count, largest);
    for (Py_ssize_t at = 0; seen && at < count; at++) {
        PyUnicode_WRITE(PyUnicode_KIND(seen), PyUnicode_DATA(seen), at,
                        shown(PyUnicode_READ_CHAR(text, at), lines));
    }
    Py_DECREF(text);
    return seen;
}

PyObject *ext_text(const char *bytes, size_t length)
{
    return make_visible(PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace"), false);
}

PyObject *ext_lines(const char *bytes, size_t length)
{
    return make_visible(PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace"), true);
}

PyObject *ext_visible(PyObject *module, PyObject *arguments, PyObject *keywords)
{
    static char *names[] = {"text", "lines", NULL};
    PyObject *text;
    int lines = false;
    (void)module;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "U|$p", names, &text, &lines)) {
        return NULL;
    }
    return make_visible(Py_NewRef(text), lines);
}
