/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/mpi_side.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/record/change.h"
#include "runtime/wrap/events.h"
#include "runtime/wrap/launched.h"
#include "runtime/wrap/names.h"
#include "runtime/wrap/progress.h"
#include "runtime/record/publish.h"
#include "runtime/record/sites.h"

_Static_assert(ST_MPI == ST_MPI_MPICH ? sizeof(MPI_Datatype) == sizeof(int)
                                      : sizeof(MPI_Datatype) == sizeof(void *),
               "root.handle_bytes");

static MPI_Comm comm_world(void)
{
#ifdef OPEN_MPI
    /* By the address of the object: the macro would make this library need the symbol in every
     * program. */
    void *object = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world");
    return (MPI_Comm)(object ? object : st_mpi_function("ompi_mpi_comm_world"));
#else
    return MPI_COMM_WORLD;
#endif
}

static void read_world(void)
{
    typedef int ask(MPI_Comm, int *);
    ask *ask_rank = (ask *)st_mpi_function("PMPI_Comm_rank");
    ask *ask_size = (ask *)st_mpi_function("PMPI_Comm_size");
    int rank, size;
    if (!ask_rank || ask_rank(comm_world(), &rank) != MPI_SUCCESS) {
        return;
    }
    if (!ask_size || ask_size(comm_world(), &size) != MPI_SUCCESS) {
        size = -1;
    }
    /* The size is valid once the rank is set. */
    bool locked = st_change_begin();
    st_root.world_size = size;
    st_publish32((uint32_t *)&st_root.world_rank, (uint32_t)rank);
    st_change_end(locked);
}

static void set_state(enum st_state state)
{
    bool locked = st_change_begin();
    st_publish32(&st_root.state, state);
    st_change_end(locked);
}

/* For a debugger, the version is valid once the state is not ST_STATE_LOADED any more. */
void st_mpi_read_version(void)
{
    typedef int ask(char *, int *);
    ask *get_version = (ask *)st_mpi_function("PMPI_Get_library_version");
    const size_t room = MPI_MAX_LIBRARY_VERSION_STRING + 1; /* 8 KiB: too large for the stack */
    char *version = st_map(room);
    int length;
    if (version && get_version && get_version(version, &length) == MPI_SUCCESS) {
        size_t line = strcspn(version, "\n");
        if (line >= sizeof st_root.mpi_version) {
            line = sizeof st_root.mpi_version - 1;
        }
        memcpy(st_root.mpi_version, version, line);
    }
    if (version) {
        st_unmap(version, room);
    }
}

static bool is_threaded(void)
{
    typedef int ask(int *);
    ask *query = (ask *)st_mpi_function("PMPI_Query_thread");
    int level = MPI_THREAD_SINGLE;
    return query && query(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
}

static void measure_opaque(uint64_t handle, int64_t args[3])
{
    struct st_measures measures;
    st_query_measures(st_datatype(handle), &measures);
    args[0] = measures.size;
    args[1] = measures.lb;
    args[2] = measures.extent;
}

void st_mpi_began(bool world)
{
    if (st_mpi_is_other()) {
        return;
    }
    st_event_begins(world);
    /* Without a world any thread may be the first, and may come at any time. */
    if (!world || is_threaded()) {
        st_lock_arm();
    }
    if (world && st_root.world_rank < 0) {
        read_world();
    }
    if (world && st_root.state == ST_STATE_LOADED) {
        st_progress_after_init();
    }
    if (st_root.state == ST_STATE_LOADED) {
        st_record_measures(measure_opaque);
        st_predefined_record();
        st_predefined_measure();
        st_mpi_read_version();
        st_names_record();
        set_state(ST_STATE_INITIALIZED);
        st_event_recorded(world);
    } else if (world && st_root.state == ST_STATE_INITIALIZED) {
        st_event_recorded(world); /* there was a session before */
    }
}

void st_mpi_ask_began(void)
{
    typedef int ask(int *);
    ask *initialized = (ask *)st_mpi_function("PMPI_Initialized");
    int yes = 0;
    if (initialized && initialized(&yes) == MPI_SUCCESS) {
        st_mpi_began(yes);
    }
}

void st_mpi_ended(void)
{
    st_event_ended();
    set_state(ST_STATE_FINALIZED);
}

/* Reads MPIPP_CALLERS, how many frames of a call are kept: 1 to ST_SITE_FRAMES. It stays 1 if the
 * text is no number. */
static void read_callers(void)
{
    const char *text = secure_getenv("MPIPP_CALLERS");
    unsigned long frames = text ? strtoul(text, NULL, 10) : 1;
    if (frames > ST_SITE_FRAMES) {
        frames = ST_SITE_FRAMES;
    }
    if (frames > 1) {
        st_root.site_frames = (uint32_t)frames;
    }
}

/* The names of the basic types are there before main(), for a debugger that stops early. */
__attribute__((constructor)) static void loaded(void)
{
    read_callers();
    if (st_mpi_is_linked() && !st_mpi_is_other()) {
        st_predefined_record();
    }
}
