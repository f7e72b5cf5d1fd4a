/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/mpi_side.h"

#include <dlfcn.h>

/* The program's own copy of an object comes first: with copy relocations, the handle is the address
 * of that copy. */
uint64_t st_predefined_handle(const struct st_predefined *type)
{
    if (!type->symbol) {
        return type->handle;
    }
    void *object = dlsym(RTLD_DEFAULT, type->symbol);
    return st_address(object ? object : st_mpi_function(type->symbol));
}

void st_predefined_record(void)
{
    for (unsigned i = 0; i < st_predefined_count; i++) {
        uint64_t handle = st_predefined_handle(&st_predefined[i]);
        if (handle) {
            st_record_named(handle, st_predefined[i].name);
        }
    }
}

static int32_t fortran_index(MPI_Datatype datatype)
{
#ifdef OPEN_MPI
    typedef MPI_Fint convert(MPI_Datatype);
    convert *to_fortran = (convert *)st_mpi_function("PMPI_Type_c2f");
    return to_fortran ? to_fortran(datatype) : -1;
#else
    return (int32_t)datatype;
#endif
}

static void measure_type(MPI_Datatype datatype)
{
    struct st_measures measures;
    st_query_measures(datatype, &measures);
    int64_t args[3] = {measures.size, measures.true_extent, measures.extent};
    st_record_named_sizes(st_handle(datatype), args);
    st_record_fortran(st_handle(datatype), fortran_index(datatype));
}

void st_predefined_measure(void)
{
    uint64_t null = 0;
    for (unsigned i = 0; i < st_predefined_count; i++) {
        uint64_t handle = st_predefined_handle(&st_predefined[i]);
        if (i == 0) {
            null = handle; /* MPI_DATATYPE_NULL has no size: asking for it would be an error */
        } else if (handle && handle != null) {
            measure_type(st_datatype(handle));
        }
    }
}

void st_predefined_found(MPI_Datatype datatype)
{
    typedef int ask(MPI_Datatype, char *, int *);
    char name[MPI_MAX_OBJECT_NAME + 1] = "";
    int length = 0;
    if (st_record_knows(st_handle(datatype))) {
        return;
    }
    ask *get_name = (ask *)st_mpi_function("PMPI_Type_get_name");
    if (get_name) {
        get_name(datatype, name, &length);
    }
    st_record_named(st_handle(datatype), name);
    measure_type(datatype);
}
