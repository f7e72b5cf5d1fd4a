/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/record/root.h"

#include <sys/mman.h>
#include <unistd.h>

#ifndef ST_MPI
#error "choose the MPI library: -DST_MPI=ST_MPI_MPICH or -DST_MPI=ST_MPI_OPENMPI"
#endif

__attribute__((visibility("default"))) struct st_root shadowtype_registry = {
    .magic = {'s', 'h', 'a', 'd', 'o', 'w', 't', 'y'},
    .layout = ST_LAYOUT_VERSION,
    .byte_order = ST_BYTE_ORDER,
    .pointer_bytes = sizeof(void *),
    .handle_bytes = ST_MPI == ST_MPI_MPICH ? sizeof(int) : sizeof(void *),
    .root_bytes = sizeof(struct st_root),
    .node_bytes = sizeof(struct st_node),
    .mpi = ST_MPI,
    .state = ST_STATE_LOADED,
    .world_rank = -1,
    .world_size = -1,
    .site_frames = 1,
};

extern struct st_root st_root __attribute__((alias("shadowtype_registry")));

static size_t whole_pages(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

void *st_map(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) {
        return NULL;
    }
    st_root.mapped_bytes += whole_pages(bytes);
    return pages;
}

void st_unmap(void *pages, size_t bytes)
{
    if (munmap(pages, bytes) == 0) {
        st_root.mapped_bytes -= whole_pages(bytes);
    }
}
