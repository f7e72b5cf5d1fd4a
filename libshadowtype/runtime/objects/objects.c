/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/objects/objects.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/wrap/constants.h"
#include "runtime/wrap/mpi_side.h"

#ifdef OPEN_MPI

/* Lets the kernel read memory that may not exist. */
static bool read_at(uint64_t address, void *into, size_t bytes)
{
    int saved = errno;
    struct iovec from = {.iov_base = st_pointer(address), .iov_len = bytes};
    struct iovec to = {.iov_base = into, .iov_len = bytes};
    ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
    errno = saved;
    return got == (ssize_t)bytes;
}

/* An object begins with the address of its class, which has a name and the address of its parent
 * class. */
struct st_local_class {
    uint64_t name, parent;
};

static const char *const class_names[ST_KIND_END] = {
    [ST_KIND_REQUEST] = "ompi_request_t", [ST_KIND_COMM] = "ompi_communicator_t",
    [ST_KIND_GROUP] = "ompi_group_t",     [ST_KIND_OP] = "ompi_op_t",
    [ST_KIND_WIN] = "ompi_win_t",         [ST_KIND_FILE] = "ompi_file_t",
    [ST_KIND_INFO] = "opal_info_t",       [ST_KIND_ERRHANDLER] = "ompi_errhandler_t",
};

static bool is_object(uint64_t handle, const char *wanted)
{
    enum { MOST_CLASSES = 16 };
    struct st_local_class class;
    char name[32];
    size_t bytes = strlen(wanted) + 1;
    uint64_t at;
    if (handle % sizeof(void *) || !read_at(handle, &at, sizeof at)) {
        return false;
    }
    for (int i = 0; i < MOST_CLASSES && at && read_at(at, &class, sizeof class); i++) {
        if (read_at(class.name, name, bytes) && memcmp(name, wanted, bytes) == 0) {
            return true;
        }
        at = class.parent;
    }
    return false;
}

/* Returns true if MPI's own constants of the kind are objects of the expected form. */
static bool is_known_kind(enum st_kind kind)
{
    static _Atomic(signed char) known[ST_KIND_END];
    if (!known[kind]) {
        uint64_t handle = 0;
        for (int i = 0; st_constants[i].name && !handle; i++) {
            if (st_constants[i].kind == kind) {
                handle = st_constant_handle(&st_constants[i]);
            }
        }
        known[kind] = handle && is_object(handle, class_names[kind]) ? 1 : -1;
    }
    return known[kind] > 0;
}

bool st_is_no_object(enum st_kind kind, uint64_t handle)
{
    return class_names[kind] && is_known_kind(kind) && !is_object(handle, class_names[kind]);
}

#else

/* Bits 26 to 29 of a handle are its kind; bits 30 and 31 say where its object is, and are 0 in a
 * null handle. */
static uint64_t kind_bits(uint64_t handle)
{
    return handle >> 26 & 15;
}

/* The objects of MPICH itself, and the first ones that a program makes, are each in a table of
 * fixed length, and the lowest bits are an index in it. For an index beyond its end MPICH aborts,
 * or reads whatever is there; it calls no error handler. The limits here are far above the lengths
 * in MPICH 4: 3 communicators of its own, 15 operations, some dozens of a program's. Some tables of
 * requests are longer. */
static bool is_behind_table(enum st_kind kind, uint64_t handle)
{
    enum { OWN = 1, FIRST_MADE = 2, MOST_OWN = 8, MOST_OPS = 64, MOST_FIRST_MADE = 1 << 16 };
    uint64_t index = handle & ((1u << 26) - 1);
    if (kind == ST_KIND_REQUEST) {
        return false;
    }
    if (handle >> 30 == OWN) {
        return index >= (kind == ST_KIND_OP ? MOST_OPS : MOST_OWN);
    }
    return handle >> 30 == FIRST_MADE && index >= MOST_FIRST_MADE;
}

bool st_is_no_object(enum st_kind kind, uint64_t handle)
{
    uint64_t null = st_numbers.null[kind];
    if (sizeof(MPI_Comm) != 4 || kind == ST_KIND_FILE || kind == ST_KIND_KEYVAL || !null ||
        null >> 30 || handle >> 32 ||
        kind_bits(st_numbers.comm_self) != kind_bits(st_numbers.null[ST_KIND_COMM])) {
        return false;
    }
    return kind_bits(handle) != kind_bits(null) || !(handle >> 30) || is_behind_table(kind, handle);
}

#endif
