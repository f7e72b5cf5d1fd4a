/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/allocated.h"

#include <string.h>

#include "runtime/wrap/constants.h"
#include "runtime/report/frames.h"
#include "runtime/record/lock.h"
#include "runtime/record/sites.h"

/* One block; the list is sorted by address. */
struct st_allocated_block {
    struct st_area area;
    uint64_t win; /* 0: made by MPI_Alloc_mem */
    uint32_t site;
    const char *call;
};

static struct st_allocated_block *blocks;
static size_t used, capacity;

/* Returns the first block that ends after `address`. */
static size_t first_behind(uint64_t address)
{
    size_t low = 0, high = used;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (blocks[middle].area.to > address) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

bool st_allocated_at(uint64_t address, struct st_memory_block *memory)
{
    size_t at = used ? first_behind(address) : 0;
    if (at == used || blocks[at].area.from > address) {
        return false;
    }
    *memory = (struct st_memory_block){.area = blocks[at].area,
                                       .kind = ST_MEMORY_ALLOCATED,
                                       .call = blocks[at].call,
                                       .site = blocks[at].site};
    return true;
}

static void take_out(size_t at, size_t count)
{
    memmove(blocks + at, blocks + at + count, (used - at - count) * sizeof *blocks);
    used -= count;
}

static bool make_block_room(void)
{
    if (used < capacity) {
        return true;
    }
    size_t more = capacity ? 2 * capacity : 64;
    struct st_allocated_block *larger = st_map(more * sizeof *larger);
    if (!larger) {
        return false;
    }
    if (used) {
        memcpy(larger, blocks, used * sizeof *larger);
    }
    if (blocks) {
        st_unmap(blocks, capacity * sizeof *blocks);
    }
    blocks = larger;
    capacity = more;
    return true;
}

/* Adds a block. Older blocks there are gone, because memory is not allocated twice. */
static void add_block(const struct st_allocated_block *block)
{
    if (block->area.from >= block->area.to || !make_block_room()) {
        return;
    }
    size_t at = first_behind(block->area.from), gone = 0;
    while (at + gone < used && blocks[at + gone].area.from < block->area.to) {
        gone++;
    }
    take_out(at, gone);
    memmove(blocks + at + 1, blocks + at, (used - at) * sizeof *blocks);
    blocks[at] = *block;
    used++;
}

/* Adds the memory of a shared window: that of all its ranks, usually contiguous. */
static void add_shared(struct st_allocated_block block, int ranks)
{
    struct st_area whole = {0};
    for (int rank = 0; rank <= ranks; rank++) {
        uint64_t base = 0, bytes = 0;
        bool there = rank < ranks && st_ask_shared(block.win, rank, &base, &bytes) && bytes;
        if (rank < ranks && !there) {
            continue;
        }
        if (there && whole.to == base) {
            whole.to = base + bytes;
            continue;
        }
        block.area = whole;
        add_block(&block);
        whole = (struct st_area){.from = base, .to = base + bytes};
    }
}

void st_allocated_before(const struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int back = st_parameter_of(form, ST_ROLE_UNMEMORY), win = st_parameter_of(form, ST_ROLE_TAKES);
    if (!st_size_on) {
        return;
    }
    uint64_t handle = win >= 0 && facts->values[win] ? st_handle_at(facts, win, 0) : 0;
    bool locked = st_lock();
    for (size_t i = 0; i < used;) {
        if (back >= 0 ? !blocks[i].win && blocks[i].area.from == facts->values[back]
                      : handle && blocks[i].win == handle) {
            take_out(i, 1);
        } else {
            i++;
        }
    }
    st_unlock(locked);
}

void st_allocated_after(const struct st_facts *facts, bool succeeded)
{
    const struct st_form *form = facts->form;
    int memory = st_parameter_of(form, ST_ROLE_MEMORY), win = st_parameter_of(form, ST_ROLE_GIVES);
    if (!st_size_on || !succeeded || memory < 0 || !facts->values[memory]) {
        return;
    }
    struct st_site site;
    st_site_of_call(facts->call, &site);
    struct st_allocated_block block = {.call = form->name};
    block.area.from = *(const uint64_t *)st_pointer(facts->values[memory]);
    block.area.to = block.area.from + facts->values[0];
    if (win >= 0 && facts->values[win]) {
        block.win = st_handle_at(facts, win, 0);
    }
    bool locked = st_lock();
    block.site = st_site_intern(site.frames);
    if (win >= 0 && strstr(form->name, "shared")) {
        add_shared(block, facts->has_comm ? facts->comm.size : 0);
    } else {
        add_block(&block);
    }
    st_unlock(locked);
}
