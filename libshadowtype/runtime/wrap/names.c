/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/names.h"

#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/wrap/mpi_side.h"
#include "runtime/record/publish.h"

enum { MOST_NAMES = 256 };
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

#define NUMBER(type, name) add_name(type, #name, (uint64_t)(int64_t)(name))

/* MPICH has another number for each of its keyvals in Fortran, where the attribute is no pointer. */
static void add_keyval(const char *name, int keyval)
{
    add_name("keyval", name, (uint64_t)(int64_t)keyval);
#ifdef MPICH
    add_name("keyval", name, (uint64_t)(int64_t)keyval + 1);
#endif
}
#define KEYVAL(name) add_keyval(#name, name)

static void add_numbers(void)
{
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
    KEYVAL(MPI_TAG_UB);
    KEYVAL(MPI_HOST);
    KEYVAL(MPI_IO);
    KEYVAL(MPI_WTIME_IS_GLOBAL);
    KEYVAL(MPI_APPNUM);
    KEYVAL(MPI_UNIVERSE_SIZE);
    KEYVAL(MPI_LASTUSEDCODE);
    KEYVAL(MPI_WIN_BASE);
    KEYVAL(MPI_WIN_SIZE);
    KEYVAL(MPI_WIN_DISP_UNIT);
    KEYVAL(MPI_WIN_CREATE_FLAVOR);
    KEYVAL(MPI_WIN_MODEL);
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
}

static void add_error_classes(void)
{
    NUMBER("error", MPI_ERR_BUFFER);
    NUMBER("error", MPI_ERR_COUNT);
    NUMBER("error", MPI_ERR_TYPE);
    NUMBER("error", MPI_ERR_TAG);
    NUMBER("error", MPI_ERR_COMM);
    NUMBER("error", MPI_ERR_RANK);
    NUMBER("error", MPI_ERR_REQUEST);
    NUMBER("error", MPI_ERR_ROOT);
    NUMBER("error", MPI_ERR_GROUP);
    NUMBER("error", MPI_ERR_OP);
    NUMBER("error", MPI_ERR_TOPOLOGY);
    NUMBER("error", MPI_ERR_DIMS);
    NUMBER("error", MPI_ERR_ARG);
    NUMBER("error", MPI_ERR_UNKNOWN);
    NUMBER("error", MPI_ERR_TRUNCATE);
    NUMBER("error", MPI_ERR_OTHER);
    NUMBER("error", MPI_ERR_INTERN);
    NUMBER("error", MPI_ERR_IN_STATUS);
    NUMBER("error", MPI_ERR_PENDING);
    NUMBER("error", MPI_ERR_ACCESS);
    NUMBER("error", MPI_ERR_AMODE);
    NUMBER("error", MPI_ERR_ASSERT);
    NUMBER("error", MPI_ERR_BAD_FILE);
    NUMBER("error", MPI_ERR_BASE);
    NUMBER("error", MPI_ERR_CONVERSION);
    NUMBER("error", MPI_ERR_DISP);
    NUMBER("error", MPI_ERR_DUP_DATAREP);
    NUMBER("error", MPI_ERR_FILE_EXISTS);
    NUMBER("error", MPI_ERR_FILE_IN_USE);
    NUMBER("error", MPI_ERR_FILE);
    NUMBER("error", MPI_ERR_INFO_KEY);
    NUMBER("error", MPI_ERR_INFO_NOKEY);
    NUMBER("error", MPI_ERR_INFO_VALUE);
    NUMBER("error", MPI_ERR_INFO);
    NUMBER("error", MPI_ERR_IO);
    NUMBER("error", MPI_ERR_KEYVAL);
    NUMBER("error", MPI_ERR_LOCKTYPE);
    NUMBER("error", MPI_ERR_NAME);
    NUMBER("error", MPI_ERR_NO_MEM);
    NUMBER("error", MPI_ERR_NOT_SAME);
    NUMBER("error", MPI_ERR_NO_SPACE);
    NUMBER("error", MPI_ERR_NO_SUCH_FILE);
    NUMBER("error", MPI_ERR_PORT);
    NUMBER("error", MPI_ERR_QUOTA);
    NUMBER("error", MPI_ERR_READ_ONLY);
    NUMBER("error", MPI_ERR_RMA_ATTACH);
    NUMBER("error", MPI_ERR_RMA_CONFLICT);
    NUMBER("error", MPI_ERR_RMA_RANGE);
    NUMBER("error", MPI_ERR_RMA_SHARED);
    NUMBER("error", MPI_ERR_RMA_SYNC);
    NUMBER("error", MPI_ERR_RMA_FLAVOR);
    NUMBER("error", MPI_ERR_SERVICE);
    NUMBER("error", MPI_ERR_SIZE);
    NUMBER("error", MPI_ERR_SPAWN);
    NUMBER("error", MPI_ERR_UNSUPPORTED_DATAREP);
    NUMBER("error", MPI_ERR_UNSUPPORTED_OPERATION);
    NUMBER("error", MPI_ERR_WIN);
#ifdef MPI_ERR_PROC_ABORTED
    NUMBER("error", MPI_ERR_PROC_ABORTED);
#endif
#ifdef MPI_ERR_VALUE_TOO_LARGE
    NUMBER("error", MPI_ERR_VALUE_TOO_LARGE);
#endif
#ifdef MPI_ERR_SESSION
    NUMBER("error", MPI_ERR_SESSION);
#endif
#ifdef MPI_ERR_ERRHANDLER
    NUMBER("error", MPI_ERR_ERRHANDLER);
#endif
#ifdef MPI_ERR_ABI
    NUMBER("error", MPI_ERR_ABI);
#endif
#ifdef MPIX_ERR_PROC_FAILED
    NUMBER("error", MPIX_ERR_PROC_FAILED);
#endif
#ifdef MPIX_ERR_REVOKED
    NUMBER("error", MPIX_ERR_REVOKED);
#endif
}

#undef NUMBER

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
    add_error_classes();
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
