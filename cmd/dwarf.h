/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libdw, loaded at run time: the functions in use, by their own names. Also for gdb's plugin.
 */
#ifndef MPIPP_DWARF_H
#define MPIPP_DWARF_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#define DWARF_FUNCTIONS(X)                                                                         \
    X(dwfl_begin)                                                                                  \
    X(dwfl_end)                                                                                    \
    X(dwfl_errmsg)                                                                                 \
    X(dwfl_linux_proc_find_elf)                                                                    \
    X(dwfl_linux_proc_report)                                                                      \
    X(dwfl_linux_proc_attach)                                                                      \
    X(dwfl_getthread_frames)                                                                       \
    X(dwfl_frame_pc)                                                                               \
    X(dwfl_addrmodule)                                                                             \
    X(dwfl_module_info)                                                                            \
    X(dwfl_report_begin)                                                                           \
    X(dwfl_report_offline)                                                                         \
    X(dwfl_report_end)                                                                             \
    X(dwfl_build_id_find_elf)                                                                      \
    X(dwfl_standard_find_debuginfo)                                                                \
    X(dwfl_offline_section_address)                                                                \
    X(dwfl_module_getelf)                                                                          \
    X(dwfl_module_getdwarf)                                                                        \
    X(dwfl_module_build_id)                                                                        \
    X(dwfl_module_getsrc)                                                                          \
    X(dwfl_module_addrdie)                                                                         \
    X(dwfl_module_addrinfo)                                                                        \
    X(dwfl_lineinfo)                                                                               \
    X(dwarf_getscopes)                                                                             \
    X(dwarf_getscopes_die)                                                                         \
    X(dwarf_getsrcfiles)                                                                           \
    X(dwarf_filesrc)                                                                               \
    X(dwarf_dieoffset)                                                                             \
    X(dwarf_offdie)                                                                                \
    X(dwarf_child)                                                                                 \
    X(dwarf_siblingof)                                                                             \
    X(dwarf_tag)                                                                                   \
    X(dwarf_attr_integrate)                                                                        \
    X(dwarf_formudata)                                                                             \
    X(dwarf_formstring)                                                                            \
    X(dwarf_decl_line)                                                                             \
    X(dwarf_haspc)                                                                                 \
    X(dwarf_getsrclines)                                                                           \
    X(dwarf_onesrcline)                                                                            \
    X(dwarf_lineaddr)                                                                              \
    X(dwarf_lineno)                                                                                \
    X(dwarf_linesrc)

struct dwarf {
#define X(name) __typeof__(&name) name;
    DWARF_FUNCTIONS(X)
#undef X
};

/* Returns NULL if it cannot be loaded. */
const struct dwarf *dwarf_load(void);

/* Returns why it could not be loaded, in the words of the C library. */
const char *dwarf_why_not(void);

#endif
