/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/win_memory.h"

#include <stdatomic.h>
#include <string.h>

#include "core/model/hash.h"
#include "runtime/objects/win_epochs.h"
#include "runtime/ranks/clocks.h"
#include "runtime/ranks/members.h"
#include "runtime/ranks/node.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/constants.h"

enum { MOST_WINDOWS = ST_ACCESS_WINDOWS };
static struct st_win_memory windows[MOST_WINDOWS];
static size_t window_end; /* those from here on are free */
static _Atomic uint32_t window_count;
/* What the ranks of each have there. */
static struct st_extent_of_memory {
    int64_t bytes, unit; /* unit 0: not known yet */
} extents[MOST_WINDOWS][ST_CLOCK_RANKS];

/* The base that the program gave to MPI_Win_create, or got from MPI_Win_allocate. MPICH 4.0.2 says another one, and puts
 * there: where the memory begins within that of another MPI_Win_allocate, and where it allocates a multiple of 8 bytes that is
 * none of 16. The program is right all the same. */
static bool find_base(const struct st_facts *made, uint64_t handle, uint64_t *base)
{
    const int given = made ? st_parameter_of(made->form, ST_ROLE_ROOM) : -1;
    const int got = made ? st_parameter_of(made->form, ST_ROLE_MEMORY) : -1;
    if (given < 0 && (got < 0 || !made->values[got])) {
        return st_ask_base(handle, base);
    }
    *base = given >= 0 ? made->values[given] : *(const uint64_t *)st_pointer(made->values[got]);
    return true;
}

static void ask_memory(struct st_win_memory *window, const struct st_facts *made)
{
    int64_t bytes = 0, unit = 1;
    const int own = window->comm->rank;
    window->mixes_operations = st_ask_mixes_operations(window->handle);
    window->is_dynamic = st_ask_dynamic(window->handle);
    window->unit = 1;
    if (window->is_dynamic) {
        return;
    }
    const bool known = st_ask_window(window->handle, own, own, &bytes, &unit) &&
                       (find_base(made, window->handle, &window->base) || bytes == 0);
    window->bytes = (uint64_t)bytes;
    window->unit = unit;
    window->is_shared = st_ask_is_shared(window->handle);
    window->is_compared &= known && !window->is_shared;
}

static void find_places(struct st_win_memory *window)
{
    const struct st_comm *comm = window->comm;
    window->size = (uint32_t)comm->group.size;
    window->is_compared = comm->group.size > 0 && comm->group.size <= ST_CLOCK_RANKS;
    for (int32_t i = 0; i < comm->group.size && window->is_compared; i++) {
        window->places[i] = st_group_place(&comm->group, i);
        window->is_compared = window->places[i] < ST_CLOCK_RANKS;
    }
}

static struct st_win_memory *find_free(void)
{
    for (size_t i = 0; i < MOST_WINDOWS; i++) {
        if (!windows[i].id) {
            return &windows[i];
        }
    }
    return NULL;
}

struct st_win_memory *st_win_memory_of(uint64_t handle)
{
    const struct st_comm *comm = st_win_epochs_window(handle);
    for (size_t i = 0; comm && i < window_end; i++) {
        if (windows[i].id && windows[i].comm == comm && windows[i].serial == comm->serial) {
            return &windows[i];
        }
    }
    return NULL;
}

/* Says to the others how much memory this rank has in it. KEY 0: it is gone. */
static void give_memory(const struct st_win_memory *window, uint64_t key)
{
    struct st_access_room *room = st_ranks_node.accesses;
    const struct st_access_memory memory = {key, (int64_t)window->bytes, window->unit};
    if (room && !window->is_dynamic) {
        st_access_give_memory(room, (uint32_t)(window - windows), &memory);
    }
}

void st_win_memory_learn(uint64_t handle, const struct st_facts *made)
{
    bool locked = st_lock();
    const struct st_comm *comm = st_win_epochs_window(handle);
    const bool is_new = comm && comm->id && !st_win_memory_of(handle);
    struct st_win_memory window = {.handle = handle, .comm = comm, .is_compared = true};
    if (is_new) {
        window.serial = comm->serial;
        window.id = st_hash_word(comm->id, st_ranks_node.job) | 1;
        find_places(&window);
        /* Earlier accesses were not counted. */
        window.is_compared &= comm->collectives <= 1;
    }
    st_unlock(locked);
    if (!is_new) {
        return;
    }
    ask_memory(&window, made);
    locked = st_lock();
    struct st_win_memory *place = find_free();
    if (place) {
        const size_t end = (size_t)(place - windows) + 1;
        window_end = end > window_end ? end : window_end;
        *place = window;
        give_memory(place, window.is_compared ? window.id : 0);
        atomic_fetch_add(&window_count, 1);
    }
    if (window.is_shared &&
        window.size > 1) { /* loads and stores of any of its ranks may order accesses */
        st_clocks_blind();
    }
    st_unlock(locked);
}

void st_win_memory_ask_info(uint64_t handle)
{
    const bool mixes = st_ask_mixes_operations(handle);
    const bool locked = st_lock();
    struct st_win_memory *window = st_win_memory_of(handle);
    if (window) {
        window->mixes_operations = mixes;
    }
    st_unlock(locked);
}

struct st_win_memory *st_win_memory_named(uint64_t id)
{
    for (size_t i = 0; i < window_end; i++) {
        if (windows[i].id == id && id) {
            return &windows[i];
        }
    }
    return NULL;
}

struct st_win_memory *st_win_memory_at(uint64_t first, uint64_t last)
{
    for (size_t i = 0; i < window_end; i++) {
        if (windows[i].id && windows[i].is_compared && windows[i].bytes &&
            first < windows[i].base + windows[i].bytes && last >= windows[i].base) {
            return &windows[i];
        }
    }
    return NULL;
}

bool st_win_memory_is_any(void)
{
    return atomic_load_explicit(&window_count, memory_order_relaxed);
}

void st_win_memory_drop(struct st_win_memory *window)
{
    give_memory(window, 0);
    memset(extents[window - windows], 0, sizeof extents[0]);
    memset(window, 0, sizeof *window);
    while (window_end && !windows[window_end - 1].id) {
        window_end--;
    }
    atomic_fetch_sub(&window_count, 1);
}

int32_t st_win_memory_rank(const struct st_win_memory *window, uint32_t place)
{
    for (uint32_t i = 0; i < window->size; i++) {
        if (window->places[i] == place) {
            return (int32_t)i;
        }
    }
    return -1;
}

/* It does not change while there is the window. Returns NULL if it is not known. */
static const struct st_extent_of_memory *find_extent(const struct st_win_memory *window,
                                                     int64_t rank)
{
    struct st_extent_of_memory *extent = &extents[window - windows][rank];
    if (extent->unit) {
        return extent;
    }
    struct st_access_memory memory = {.key = window->id};
    const struct st_access_room *room = st_node_accesses(window->places[rank]);
    if (!room || !st_access_find_memory(room, &memory) || memory.unit <= 0 || memory.bytes < 0) {
        return NULL;
    }
    *extent = (struct st_extent_of_memory){memory.bytes, memory.unit};
    return extent;
}

bool st_win_memory_extent_of(const struct st_win_memory *window, int64_t rank, int64_t *bytes,
                             int64_t *unit)
{
    const bool is_told = window && window->is_compared && !window->is_dynamic && rank >= 0 &&
                         rank < (int64_t)window->size;
    const struct st_extent_of_memory *extent = is_told ? find_extent(window, rank) : NULL;
    if (extent) {
        *bytes = extent->bytes;
        *unit = extent->unit;
    }
    return extent;
}

bool st_win_memory_extent(uint64_t handle, int64_t rank, int64_t *bytes, int64_t *unit)
{
    if (!st_clocks_are_on()) {
        return false;
    }
    const bool locked = st_lock();
    const bool is_told = st_win_memory_extent_of(st_win_memory_of(handle), rank, bytes, unit);
    st_unlock(locked);
    return is_told;
}
