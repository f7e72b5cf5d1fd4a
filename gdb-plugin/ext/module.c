/* SPDX-License-Identifier: BSD-3-Clause */
#include "ext.h"

static PyMethodDef functions[] = {
    {"stack_is_low", ext_stack_is_low, METH_NOARGS, NULL},
    {"source_line", ext_source_line, METH_VARARGS, NULL},
    {"forget_source_lines", ext_forget_source_lines, METH_NOARGS, NULL},
    {"compare", (PyCFunction)(void (*)(void))ext_compare, METH_VARARGS | METH_KEYWORDS, NULL},
    {"element", (PyCFunction)(void (*)(void))ext_element, METH_VARARGS | METH_KEYWORDS, NULL},
    {"contiguous", ext_contiguous, METH_O, NULL},
    {"locate", (PyCFunction)(void (*)(void))ext_locate, METH_VARARGS | METH_KEYWORDS, NULL},
    {"splits", ext_splits, METH_O, NULL},
    {"diff", (PyCFunction)(void (*)(void))ext_diff, METH_VARARGS | METH_KEYWORDS, NULL},
    {"sent_messages", ext_sent_messages, METH_VARARGS, NULL},
    {"deadlocks", ext_deadlocks, METH_VARARGS, NULL},
    {"named_ranks", ext_named_ranks, METH_O, NULL},
    {"duration", ext_duration, METH_VARARGS, NULL},
    {"match", (PyCFunction)(void (*)(void))ext_match, METH_VARARGS | METH_KEYWORDS, NULL},
    {"signature_text", (PyCFunction)(void (*)(void))ext_signature_text,
     METH_VARARGS | METH_KEYWORDS, NULL},
    {"overlap", (PyCFunction)(void (*)(void))ext_overlap, METH_VARARGS | METH_KEYWORDS, NULL},
    {"self_overlap", (PyCFunction)(void (*)(void))ext_self_overlap, METH_VARARGS | METH_KEYWORDS,
     NULL},
    {"misaligned", (PyCFunction)(void (*)(void))ext_misaligned, METH_VARARGS | METH_KEYWORDS, NULL},
    {"render", (PyCFunction)(void (*)(void))ext_render, METH_VARARGS | METH_KEYWORDS, NULL},
    {"visible", (PyCFunction)(void (*)(void))ext_visible, METH_VARARGS | METH_KEYWORDS, NULL},
    {0},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "_mpipp",
    .m_doc = "The C core for gdb's Python; see _mpipp.pyi.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__mpipp(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module &&
        (!ext_add_errors(module) || !ext_add_named_tuples(module) || !ext_add_comparison(module) ||
         !ext_add_element(module) || !ext_add_entry(module) || !ext_add_signature(module) ||
         !ext_add_match(module) || !ext_add_diff(module) || !ext_add_messages(module) ||
         !ext_add_sent(module) || !ext_add_waits(module) || !ext_add_contiguous(module) ||
         !ext_add_layout(module) || !ext_add_overlap(module) || !ext_add_combiners(module) ||
         !ext_add_calls(module) || !ext_add_operations(module) || !ext_add_objects(module) ||
         !ext_add_collectives(module) || !ext_add_epochs(module) ||
         PyModule_AddType(module, &ext_registry_type) < 0 ||
         PyModule_AddType(module, &ext_listing_type) < 0 ||
         PyModule_AddType(module, &ext_type_type) < 0 ||
         PyModule_AddType(module, &ext_place_type) < 0 ||
         PyModule_AddType(module, &ext_type_map_type) < 0 ||
         PyModule_AddType(module, &ext_layout_type) < 0 ||
         PyModule_AddType(module, &ext_pack_type) < 0 ||
         PyModule_AddStringConstant(module, "VERSION", MPIPP_VERSION) < 0 ||
         PyModule_AddStringConstant(module, "ROOT_SYMBOL", ST_ROOT_SYMBOL) < 0 ||
         PyModule_AddIntConstant(module, "LAYOUT_VERSION", ST_LAYOUT_VERSION) < 0)) {
        Py_CLEAR(module);
    }
    return module;
}
