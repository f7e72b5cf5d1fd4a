/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The predefined handles and special numbers of the loaded MPI library.
 */
#ifndef ST_RUNTIME_WRAP_CONSTANTS_H
#define ST_RUNTIME_WRAP_CONSTANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/wrap/facts.h"

/* Written by the generator. */
struct st_constant {
    const char *name;   /* "MPI_COMM_WORLD"; NULL ends the list */
    const char *symbol; /* the symbol of the object whose address the handle is; else NULL */
    uint64_t handle;
    uint8_t kind; /* enum st_kind */
};
extern const struct st_constant st_constants[] __attribute__((visibility("hidden")));

/* Returns 0 if this MPI library does not have it. */
uint64_t st_constant_handle(const struct st_constant *constant);

struct st_numbers {
    int64_t proc_null, any_source, root, any_tag, undefined;
    int64_t tag_ub; /* the attribute of MPI_COMM_WORLD */
    int64_t order_c, order_fortran, block, cyclic, none, default_arg, keyval_invalid;
    uint64_t in_place; /* address */
    uint64_t status_ignore, statuses_ignore;
    uint64_t null[ST_KIND_END]; /* by enum st_kind: MPI_COMM_NULL, ... */
    uint64_t datatype_null, comm_world, comm_self, message_no_proc, op_no_op;
    size_t most_name;            /* bytes of a name without its terminator */
    size_t most_key, most_value; /* of an info object, with the terminator */
    int64_t assertions;          /* all assertion bits */
    int64_t fence_assertions;    /* the assertions that all processes must pass to MPI_Win_fence,
                                    or none: */
    int64_t no_precede, no_succeed, no_put;
    int64_t no_check; /* MPI_MODE_NOCHECK */
    int64_t seek_set, seek_cur, seek_end, displacement_current;
    uint64_t unweighted;    /* address of MPI_UNWEIGHTED */
    int64_t bsend_overhead; /* in bytes */
    bool has_fortran; /* MPI's library for Fortran was loaded when the program called MPI_Init */
};
extern struct st_numbers st_numbers __attribute__((visibility("hidden")));

/* Finds all constants. MPI must be initialized. Without a world MPI is not asked for its limits. */
void st_constants_read(bool world);

/* Returns the name of a predefined handle; NULL if it is not predefined. */
const char *st_constant_name(enum st_kind kind, uint64_t handle);

/* Returns true if the number is the null handle of this kind, such as MPI_COMM_NULL, or 0. */
static inline bool st_is_null_handle(enum st_kind kind, uint64_t handle)
{
    if (kind == ST_KIND_KEYVAL) {
        return (int64_t)(int32_t)handle == st_numbers.keyval_invalid;
    }
    return !handle || handle == st_numbers.null[kind];
}

/* The address of Fortran's MPI_IN_PLACE; 0: not known. In MPICH it is in a variable, from the first
 * call from Fortran on. */
struct st_fortran_in_place {
    uint64_t object;
    const uint64_t *variable; /* never NULL */
};
extern struct st_fortran_in_place st_fortran_in_place __attribute__((visibility("hidden")));

/* Returns true if the process may call MPI from Fortran: some of these calls, such as
 * MPI_Comm_create_keyval, do not reach the wrappers. */
static inline bool st_may_call_from_fortran(void)
{
    return st_numbers.has_fortran || *st_fortran_in_place.variable;
}

/* Returns true if a buffer is MPI_IN_PLACE of C, or of Fortran: Fortran bindings pass their own
 * value on where the standard does not allow it. */
static inline bool st_is_in_place(uint64_t address)
{
    return address == st_numbers.in_place ||
           (address &&
            (address == st_fortran_in_place.object || address == *st_fortran_in_place.variable));
}

/* Returns true if the buffer of MPI_Buffer_attach is MPI_BUFFER_AUTOMATIC of MPI-4.1. */
bool st_is_automatic(uint64_t address);

/* The checks ask MPI these questions, without going through the wrappers. They return false if MPI
 * gave no answer. */
bool st_ask_comm(uint64_t comm, struct st_comm_facts *facts);
int64_t st_ask_group_size(uint64_t handle); /* -1: not known */
enum st_topology { ST_NO_TOPOLOGY, ST_CARTESIAN, ST_GRAPH, ST_DISTRIBUTED_GRAPH };
enum st_topology st_ask_topology(uint64_t handle);
int64_t st_ask_neighbours(uint64_t handle, bool out); /* -1: it has no topology */
int64_t st_ask_dimensions(uint64_t handle);           /* of a Cartesian topology; -1: not known */
/* Stores lengths, periods and this rank's coordinates of the dimensions of a Cartesian topology.
 * Returns how many there are; -1 if not known. */
enum { ST_MOST_DIMENSIONS = 64 };
int64_t st_ask_grid(uint64_t handle, int *sides, int *periods, int *here);
/* Returns the first of `size` ranks of a group that is no process of the window or communicator (of
 * its local group, if it is an intercommunicator); -1 if all are, or if this is not known.
 *   kind  ST_KIND_WIN or ST_KIND_COMM */
int64_t st_ask_outside(uint64_t group, int64_t size, enum st_kind kind, uint64_t handle);
/* Translates `count` ranks of a group, from `first` on, at most ST_MOST_TRANSLATED, to ranks of the
 * communicator (of its local group, if it is an intercommunicator). */
enum { ST_MOST_TRANSLATED = 64 };
bool st_ask_places(uint64_t group, int first, int count, uint64_t comm, int *places);
bool st_ask_dynamic(uint64_t win); /* made by MPI_Win_create_dynamic */
/* Returns true if neighbour number `which` of a Cartesian communicator is MPI_PROC_NULL. */
bool st_ask_neighbour_null(uint64_t comm, int64_t which);
bool st_ask_true_extent(uint64_t type, int64_t *lb, int64_t *extent);
bool st_ask_extent(uint64_t type, int64_t *lb, int64_t *extent);
int64_t st_ask_size(uint64_t type); /* -1: not known */
enum st_file_mode { ST_FILE_RDONLY = 1, ST_FILE_WRONLY = 2, ST_FILE_SEQUENTIAL = 4 };
bool st_ask_file_mode(uint64_t file, unsigned *mode); /* bits of enum st_file_mode */
/* Stores the memory of rank `rank` in a shared window. */
bool st_ask_shared(uint64_t win, int rank, uint64_t *base, uint64_t *bytes);
/* Stores the bytes of a window in rank `rank`, and the bytes of a displacement unit. Returns false
 * if this process, which is rank `own` of the window, does not know them. */
bool st_ask_window(uint64_t win, int rank, int own, int64_t *bytes, int64_t *unit);

/* Stores where this process' memory of a window begins; not for MPI_Win_create_dynamic. */
bool st_ask_base(uint64_t win, uint64_t *base);
bool st_ask_is_shared(uint64_t win); /* made by MPI_Win_allocate_shared */
/* Returns true if accumulates with different operations may access the same memory of a window: its
 * info accumulate_ops is neither the default, same_op_no_op, nor same_op. */
bool st_ask_mixes_operations(uint64_t win);

/* Returns a predefined handle by its name, such as MPI_COMM_WORLD; 0 if there is none. */
uint64_t st_constant_named(const char *name);

/* Makes MPI_Finalize call `ends` after it has deleted the attributes that the program attached to
 * MPI_COMM_SELF. */
void st_constants_at_end(void (*ends)(void));

#endif
