/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/wrap/function.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>

#include "core/model/registry.h"
#include "runtime/wrap/aside.h"
#include "runtime/record/root.h"

_Atomic uint32_t st_detours = ST_DETOUR_OUTSIDE;

/* The stack pointer of the call that is being passed to another PMPI tool; NULL: none is. */
static _Thread_local const void *forwarding __attribute__((tls_model("initial-exec")));

/* The MPI library: a handle of the loader, never closed. */
static _Atomic(void *) mpi_library;
/* The same for an MPI that this library was not built for. */
static _Atomic(void *) other_library;

static void *base_of(const void *address)
{
    Dl_info info;
    return address && dladdr(address, &info) ? info.dli_fbase : NULL;
}

/* Returns true for the libshadowtype of the other MPI: both may be preloaded. */
static bool is_sibling(void *object)
{
    const struct st_root *root = dlsym(object, ST_ROOT_SYMBOL);
    return root && root->mpi != ST_MPI;
}

/* Opens the object that contains `address`, unless it is this library or its sibling. */
static void *open_object_of(void *address)
{
    static const char here;
    Dl_info info;
    if (!address || !dladdr(address, &info) || info.dli_fbase == base_of(&here)) {
        return NULL;
    }
    void *object = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return object && is_sibling(object) ? NULL : object;
}

struct st_object_name {
    size_t index; /* in: number of the object */
    char path[PATH_MAX];
};

static int name_of_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct st_object_name *name = context;
    (void)size;
    if (name->index--) {
        return 0;
    }
    snprintf(name->path, sizeof name->path, "%s", object->dlpi_name ? object->dlpi_name : "");
    return 1;
}

/* Finds the library with a symbol. It may have been opened RTLD_LOCAL (by a Python extension): a
 * plain lookup does not find it then. */
static void *find_local_library(const char *symbol)
{
    struct st_object_name *name = st_map(sizeof *name); /* too large for a thread's stack */
    void *found = NULL;
    for (size_t index = 0; name && !found; index++) {
        name->index = index;
        if (!dl_iterate_phdr(name_of_object, name)) {
            break;
        }
        void *handle = name->path[0] ? dlopen(name->path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
        if (!handle) {
            continue;
        }
        found = open_object_of(dlsym(handle, symbol));
        dlclose(handle);
    }
    if (name) {
        st_unmap(name, sizeof *name);
    }
    return found;
}

/* Recognized by objects that only one of the libraries has: Open MPI's handles are their addresses. */
static bool is_other(void *mpi)
{
    bool is_open_mpi = dlsym(mpi, "ompi_mpi_comm_world") != NULL;
    return is_open_mpi != (ST_MPI == ST_MPI_OPENMPI);
}

static void *library(void)
{
    void *found = atomic_load_explicit(&mpi_library, memory_order_acquire);
    if (found || atomic_load(&other_library)) {
        return found;
    }
    found = open_object_of(dlsym(RTLD_NEXT, "PMPI_Init"));
    if (!found) {
        found = find_local_library("PMPI_Init");
    }
    if (found && is_other(found)) {
        atomic_store(&other_library, found);
        st_stand_aside(found);
        return NULL;
    }
    atomic_store_explicit(&mpi_library, found, memory_order_release);
    return found;
}

bool st_mpi_is_linked(void)
{
    return dlsym(RTLD_NEXT, "PMPI_Init") != NULL;
}

bool st_mpi_is_other(void)
{
    library();
    return atomic_load(&other_library) != NULL;
}

void *st_mpi_function(const char *name)
{
    void *mpi = library();
    return mpi ? dlsym(mpi, name) : NULL;
}

void *st_function_anywhere(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    void *object = found ? NULL : find_local_library(name);
    return object ? dlsym(object, name) : found;
}

void *st_function_resolve(struct st_function *function, enum st_entry entry)
{
    const char *name = function->name + (entry == ST_ENTRY_MPI);
    void *real = st_mpi_function(name);
    void *next = dlsym(RTLD_NEXT, name);
    if (!next) {
        next = real;
    }
    if (!next && atomic_load(&other_library)) { /* the call that found it */
        next = dlsym(atomic_load(&other_library), name);
    }
    if (entry == ST_ENTRY_MPI && real && next != real) {
        atomic_store(&function->foreign, true);
        atomic_fetch_or(&st_detours, ST_DETOUR_TOOLS);
    }
    atomic_store_explicit(&function->next[entry], next, memory_order_release);
    return next;
}

void st_function_missing(const struct st_function *function, enum st_entry entry)
{
    fprintf(stderr, "shadowtype: '%s' was called, but no MPI library that has it is loaded\n",
            function->name + (entry == ST_ENTRY_MPI));
}

void st_tools_begin(struct st_call *call, const struct st_function *function, enum st_entry entry)
{
    /* If a call is as far out, or further, the other one was left by longjmp(). (A tool may jump to
     * PMPI_X with the stack pointer that it was called with.) */
    if (call->sp > forwarding || (call->sp == forwarding && entry == ST_ENTRY_MPI)) {
        forwarding = NULL;
    }
    call->forwarded = forwarding;
    if (forwarding) {
        call->record = false;
    }
    /* Within the real PMPI function the flag is cleared: calls in callbacks there are the user's. */
    forwarding = entry == ST_ENTRY_MPI && atomic_load(&function->foreign) ? call->sp : NULL;
}

void st_tools_end(const struct st_call *call)
{
    forwarding = call->forwarded;
}
