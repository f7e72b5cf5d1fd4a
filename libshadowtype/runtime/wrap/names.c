/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/names.h"

#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/wrap/mpi_side.h"
#include "runtime/record/publish.h"

enum { MOST_NAMES = 160 };
static struct st_name names[MOST_NAMES];
static uint32_t count;

static void add_name(const char *type, const char *name, uint64_t value)
{
    if (count == MOST_NAMES) {
        return;
    }
    struct st_name *one = &names[count];
    if (strlen(type) >= sizeof one->type || strlen(name) >= sizeof one->name) {
        return;
    }
    strcpy(one->type, type);
    strcpy(one->name, name);
    one->value = value;
    count++;
}

static void add_numbers(void)
{
#define NUMBER(type, name) add_name(type, #name, (uint64_t)(int64_t)(name))
    NUMBER("rank", MPI_PROC_NULL);
    NUMBER("source", MPI_ANY_SOURCE);
    NUMBER("root", MPI_ROOT);
    NUMBER("tag", MPI_ANY_TAG);
    NUMBER("order", MPI_ORDER_C);
    NUMBER("order", MPI_ORDER_FORTRAN);
    NUMBER("distribs", MPI_DISTRIBUTE_BLOCK);
    NUMBER("distribs", MPI_DISTRIBUTE_CYCLIC);
    NUMBER("distribs", MPI_DISTRIBUTE_NONE);
    NUMBER("dargs", MPI_DISTRIBUTE_DFLT_DARG);
    NUMBER("keyval", MPI_KEYVAL_INVALID);
    NUMBER("keyval", MPI_TAG_UB);
    NUMBER("keyval", MPI_HOST);
    NUMBER("keyval", MPI_IO);
    NUMBER("keyval", MPI_WTIME_IS_GLOBAL);
    NUMBER("keyval", MPI_APPNUM);
    NUMBER("keyval", MPI_UNIVERSE_SIZE);
    NUMBER("keyval", MPI_LASTUSEDCODE);
    NUMBER("keyval", MPI_WIN_BASE);
    NUMBER("keyval", MPI_WIN_SIZE);
    NUMBER("keyval", MPI_WIN_DISP_UNIT);
    NUMBER("keyval", MPI_WIN_CREATE_FLAVOR);
    NUMBER("keyval", MPI_WIN_MODEL);
    NUMBER("result", MPI_SUCCESS);
    NUMBER("undefined", MPI_UNDEFINED);
    NUMBER("split_type", MPI_UNDEFINED);
    NUMBER("split_type", MPI_COMM_TYPE_SHARED);
#ifdef MPI_COMM_TYPE_HW_GUIDED
    NUMBER("split_type", MPI_COMM_TYPE_HW_GUIDED);
    NUMBER("split_type", MPI_COMM_TYPE_HW_UNGUIDED);
#endif
    NUMBER("lock", MPI_LOCK_EXCLUSIVE);
    NUMBER("lock", MPI_LOCK_SHARED);
#undef NUMBER
}

static void add_addresses(void)
{
#define ADDRESS(type, name) add_name(type, #name, (uint64_t)(uintptr_t)(name))
    ADDRESS("address", MPI_BOTTOM);
    ADDRESS("address", MPI_IN_PLACE);
    ADDRESS("status", MPI_STATUS_IGNORE);
    ADDRESS("statuses", MPI_STATUSES_IGNORE);
    ADDRESS("errcodes", MPI_ERRCODES_IGNORE);
    ADDRESS("argv", MPI_ARGV_NULL);
    ADDRESS("argvs", MPI_ARGVS_NULL);
#undef ADDRESS
}

/* In MPICH these constants are variables. */
static void add_weights(void)
{
#ifdef MPI_UNWEIGHTED
    add_name("weights", "MPI_UNWEIGHTED", st_address(MPI_UNWEIGHTED));
    add_name("weights", "MPI_WEIGHTS_EMPTY", st_address(MPI_WEIGHTS_EMPTY));
#else
    static const char *const variables[] = {"MPI_UNWEIGHTED", "MPI_WEIGHTS_EMPTY"};
    for (int i = 0; i < 2; i++) {
        const void *const *variable = st_mpi_function(variables[i]);
        if (variable) {
            add_name("weights", variables[i], st_address(*variable));
        }
    }
#endif
}

static void add_handles(void)
{
    static const char *const types[] = {
        [ST_KIND_REQUEST] = "MPI_Request", [ST_KIND_COMM] = "MPI_Comm",
        [ST_KIND_GROUP] = "MPI_Group",     [ST_KIND_OP] = "MPI_Op",
        [ST_KIND_WIN] = "MPI_Win",         [ST_KIND_FILE] = "MPI_File",
        [ST_KIND_INFO] = "MPI_Info",       [ST_KIND_ERRHANDLER] = "MPI_Errhandler",
        [ST_KIND_MESSAGE] = "MPI_Message",
    };
    for (int i = 0; st_constants[i].name; i++) {
        const struct st_constant *constant = &st_constants[i];
        uint64_t handle = st_constant_handle(constant);
        if (handle && constant->kind < sizeof types / sizeof *types && types[constant->kind]) {
            add_name(types[constant->kind], constant->name, handle);
        }
    }
}

const char *st_name_of(const char *type, uint64_t value)
{
    for (uint32_t i = 0; i < count; i++) {
        if (names[i].value == value && strcmp(names[i].type, type) == 0) {
            return names[i].name;
        }
    }
    return NULL;
}

void st_names_record(void)
{
    if (count) {
        return;
    }
    add_numbers();
    add_addresses();
    add_weights();
    add_handles();
    st_root.status_bytes = sizeof(MPI_Status);
    st_root.status_source = offsetof(MPI_Status, MPI_SOURCE);
    st_root.status_tag = offsetof(MPI_Status, MPI_TAG);
    st_root.status_error = offsetof(MPI_Status, MPI_ERROR);
    st_root.names = st_address(names);
    st_publish32(&st_root.name_count, count);
}
