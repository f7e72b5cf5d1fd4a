/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The part of the wrappers that depends on mpi.h: handles, questions to MPI, predefined types.
 *
 * Only the files that include this header (and the generated ones) include mpi.h.
 */
#ifndef ST_RUNTIME_WRAP_MPI_SIDE_H
#define ST_RUNTIME_WRAP_MPI_SIDE_H

#include <mpi.h>
#include <stdint.h>

#include "runtime/wrap/function.h"
#include "runtime/record/record.h"
#include "runtime/record/root.h"

#define ST_EXPORT __attribute__((visibility("default")))

static inline uint64_t st_handle(MPI_Datatype datatype)
{
#ifdef OPEN_MPI
    return (uint64_t)(uintptr_t)datatype;
#else
    return (uint64_t)(uint32_t)datatype;
#endif
}

static inline MPI_Datatype st_datatype(uint64_t handle)
{
#ifdef OPEN_MPI
    return (MPI_Datatype)(uintptr_t)handle;
#else
    return (MPI_Datatype)(uint32_t)handle;
#endif
}

/* --- questions to the MPI library itself, without the wrappers (query.c) ------------------ */

/* Each is -1 if MPI does not say. */
struct st_measures {
    int64_t size, lb, extent, true_lb, true_extent;
};
void st_query_measures(MPI_Datatype datatype, struct st_measures *measures);

/* Asks MPI for the bounds of a type that was just made; extent ST_EXTENT_UNKNOWN if MPI does not
 * say. */
void st_query_extent(MPI_Datatype datatype, int64_t *lb, int64_t *extent);

/* --- predefined types (predefined.c; the list is generated) -------------------------------- */

struct st_predefined {
    const char *name;   /* its name in the standard */
    const char *symbol; /* the symbol of the object whose address the handle is; else NULL */
    uint64_t handle;
};
/* If a handle has two names, the one that MPI_Type_get_name returns comes first. */
extern const struct st_predefined st_predefined[] __attribute__((visibility("hidden")));
extern const unsigned st_predefined_count __attribute__((visibility("hidden")));

/* Returns 0 if this MPI library does not have it. */
uint64_t st_predefined_handle(const struct st_predefined *type);
void st_predefined_record(void);
void st_predefined_measure(void);
/* Records a handle from MPI_Type_match_size or a similar function. */
void st_predefined_found(MPI_Datatype datatype);

/* --- the life of MPI in this process (world.c) --------------------------------------------- */

/* May be called repeatedly. `world`: there is an MPI_COMM_WORLD. */
void st_mpi_began(bool world);
void st_mpi_ended(void);

/* For a program whose MPI_Init was not seen: asks MPI. */
void st_mpi_ask_began(void);

/* --- for the generated wrappers ------------------------------------------------------------ */

int64_t st_distribution(int64_t mpi);
int64_t st_distribution_argument(int64_t mpi);
uint8_t st_order(int mpi);
int64_t st_f90_argument(int mpi);

/* Records the result of a constructor. */
static inline void st_record_made(const struct st_call *call, const struct st_made *type)
{
    struct st_site site;
    if (__builtin_expect(st_root.state == ST_STATE_LOADED, 0)) {
        st_mpi_ask_began();
    }
    st_site_of(call->pc, call->sp, call->caller, &site);
    st_record(type, &site);
}

#endif
