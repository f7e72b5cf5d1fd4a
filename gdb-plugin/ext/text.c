/*
 * Texts of a rank, as names, for Python: gdb's console shows them, so nothing is in them that acts.
 */
#include "ext.h"

/* True as st_text_acts() of libshadowtype/report/writer.h: it does something instead of being seen. */
static bool acts(Py_UCS4 code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* What is shown for a character: a blank for a tab, which is in the version of MPICH. */
static Py_UCS4 shown(Py_UCS4 code, bool lines)
{
    enum { REPLACEMENT = 0xfffd };
    if (code == '\t') {
        return ' ';
    }
    return acts(code) && !(lines && code == '\n') ? REPLACEMENT : code;
}

static PyObject *decode(const char *bytes, size_t length, bool lines)
{
    PyObject *text = PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "replace");
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
    return decode(bytes, length, false);
}

PyObject *ext_lines(const char *bytes, size_t length)
{
    return decode(bytes, length, true);
}
