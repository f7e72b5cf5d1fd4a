/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI's functions that convert handles of Fortran, as its Fortran bindings call them before each call
 * of a C function. Those of Open MPI end the process if MPI is not initialized. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "runtime/check/outside.h"
#include "runtime/objects/converted.h"
#include "runtime/wrap/mpi_side.h"

static void *next_converter(struct st_function *function, enum st_entry entry)
{
    void *next = atomic_load_explicit(&function->next[entry], memory_order_acquire);
    if (!next) {
        next = st_function_resolve(function, entry);
    }
    if (!next) {
        st_function_missing(function, entry);
    }
    return next;
}

#ifdef OPEN_MPI
/* Returns true if the binding's function `symbol`, such as ompi_send_f or mpi_send_, is the one of the
 * C function `name`. */
static bool is_binding_of(const char *symbol, const char *name)
{
    const char *stem = strcasestr(symbol, "mpi_");
    size_t length = strlen(name);
    if (!stem || strncasecmp(stem, name, length) != 0) {
        return false;
    }
    const char *suffix = stem + length;
    return strcasecmp(suffix, "_f") == 0 || strcasecmp(suffix, "_f08") == 0 ||
           strspn(suffix, "_") == strlen(suffix);
}

/* Returns the name of the C function for which a binding converts a handle; `otherwise` if it is not
 * known. */
static const char *converting_for(const void *pc, const char *otherwise)
{
    Dl_info info;
    if (!dladdr(pc, &info) || !info.dli_sname) {
        return otherwise;
    }
    for (int i = 0; i < st_form_count; i++) {
        if (is_binding_of(info.dli_sname, st_form_table[i]->name)) {
            return st_form_table[i]->name;
        }
    }
    return otherwise;
}

static void check_outside(const char *name, const void *pc, const void *sp)
{
    const struct st_call call = {.pc = pc,
                                 .sp = sp,
                                 .caller = st_caller_of(pc),
                                 .record = st_caller_of(pc) != ST_CALLER_MPI};
    struct st_form form = {.name = converting_for(pc, name), ST_FORM_WITHOUT_PARAMETERS};
    struct st_facts facts = {.form = &form, .call = &call};
    if (call.record) {
        st_check_outside(&facts);
    }
}

/* MPI-4.0, 11.4.1: error handlers and info objects exist before MPI_Init, too. */
static bool needs_init(enum st_kind kind)
{
    return kind != ST_KIND_INFO && kind != ST_KIND_ERRHANDLER;
}

#define BEFORE(kind, stem, pc, sp)                                                                 \
    if (__builtin_expect(st_detours_now() & ST_DETOUR_OUTSIDE, 0) && needs_init(kind))             \
    check_outside("MPI_" #stem "_f2c", pc, sp)
#else
#define BEFORE(kind, stem, pc, sp) ((void)(pc), (void)(sp))
#endif

/* Defines MPI_X_f2c and PMPI_X_f2c. */
#define CONVERTER(kind, type, stem, passed)                                                        \
    static struct st_function function_##stem = {.name = "PMPI_" #stem "_f2c"};                    \
    static inline type convert_##stem(MPI_Fint number, enum st_entry entry, const void *pc,        \
                                      const void *sp)                                              \
    {                                                                                              \
        type (*next)(MPI_Fint) = (type(*)(MPI_Fint))next_converter(&function_##stem, entry);       \
        if (!next) {                                                                               \
            return (type)0;                                                                        \
        }                                                                                          \
        BEFORE(kind, stem, pc, sp);                                                                \
        type made = next(number);                                                                  \
        st_converted(kind, number, (uint64_t)(uintptr_t)made);                                     \
        return made;                                                                               \
    }                                                                                              \
    ST_EXPORT type MPI_##stem##_f2c(MPI_Fint passed)                                               \
    {                                                                                              \
        return convert_##stem(passed, ST_ENTRY_MPI, __builtin_return_address(0),                   \
                              __builtin_dwarf_cfa());                                              \
    }                                                                                              \
    ST_EXPORT type PMPI_##stem##_f2c(MPI_Fint passed)                                              \
    {                                                                                              \
        return convert_##stem(passed, ST_ENTRY_PMPI, __builtin_return_address(0),                  \
                              __builtin_dwarf_cfa());                                              \
    }

#undef MPI_File_f2c
#undef PMPI_File_f2c
CONVERTER(ST_KIND_FILE, MPI_File, File, file)
#ifdef OPEN_MPI
CONVERTER(ST_KIND_TYPE, MPI_Datatype, Type, datatype)
CONVERTER(ST_KIND_REQUEST, MPI_Request, Request, request)
CONVERTER(ST_KIND_COMM, MPI_Comm, Comm, comm)
CONVERTER(ST_KIND_GROUP, MPI_Group, Group, group)
CONVERTER(ST_KIND_OP, MPI_Op, Op, op)
CONVERTER(ST_KIND_WIN, MPI_Win, Win, win)
CONVERTER(ST_KIND_INFO, MPI_Info, Info, info)
CONVERTER(ST_KIND_ERRHANDLER, MPI_Errhandler, Errhandler, errhandler)
CONVERTER(ST_KIND_MESSAGE, MPI_Message, Message, message)
#endif
