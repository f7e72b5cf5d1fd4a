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

enum { MOST_WINDOWS = 128 };
static struct st_win_memory windows[MOST_WINDOWS];
static _Atomic uint32_t window_count;

static void ask_memory(struct st_win_memory *window)
{
    int64_t bytes = 0, unit = 1;
    const int own = window->comm->rank;
    window->is_dynamic = st_ask_dynamic(window->handle);
    window->unit = 1;
    if (window->is_dynamic)
        return;
    const bool known = st_ask_window(window->handle, own, own, &bytes, &unit) &&
                       (st_ask_base(window->handle, &window->base) || bytes == 0);
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
    for (size_t i = 0; i < MOST_WINDOWS; i++)
        if (!windows[i].id)
            return &windows[i];
    return NULL;
}

struct st_win_memory *st_win_memory_of(uint64_t handle)
{
    const struct st_comm *comm = st_win_epochs_window(handle);
    for (size_t i = 0; comm && i < MOST_WINDOWS; i++)
        if (windows[i].id && windows[i].comm == comm && windows[i].serial == comm->serial)
            return &windows[i];
    return NULL;
}

void st_win_memory_learn(uint64_t handle)
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
    if (!is_new)
        return;
    ask_memory(&window);
    locked = st_lock();
    struct st_win_memory *place = find_free();
    if (place) {
        *place = window;
        atomic_fetch_add(&window_count, 1);
    }
    if (window.is_shared &&
        window.size > 1) /* loads and stores of any of its ranks may order accesses */
        st_clocks_blind();
    st_unlock(locked);
}

struct st_win_memory *st_win_memory_named(uint64_t id)
{
    for (size_t i = 0; i < MOST_WINDOWS; i++)
        if (windows[i].id == id && id)
            return &windows[i];
    return NULL;
}

struct st_win_memory *st_win_memory_at(uint64_t first, uint64_t last)
{
    for (size_t i = 0; i < MOST_WINDOWS; i++)
        if (windows[i].id && windows[i].is_compared && windows[i].bytes &&
            first < windows[i].base + windows[i].bytes && last >= windows[i].base)
            return &windows[i];
    return NULL;
}

bool st_win_memory_is_any(void)
{
    return atomic_load_explicit(&window_count, memory_order_relaxed);
}

void st_win_memory_drop(struct st_win_memory *window)
{
    memset(window, 0, sizeof *window);
    atomic_fetch_sub(&window_count, 1);
}

int32_t st_win_memory_rank(const struct st_win_memory *window, uint32_t place)
{
    for (uint32_t i = 0; i < window->size; i++)
        if (window->places[i] == place)
            return (int32_t)i;
    return -1;
}
