/* SPDX-License-Identifier: BSD-3-Clause */
#include "published.h"

#include <sys/mman.h>

#include "core/agree/segment.h"
#include "core/waits/since.h"
#include "node.h"

/* Returns the table of the ranks, mapped once; NULL if there is none. */
static struct st_segment_rank *table(void)
{
    static struct st_segment_rank *mapped;
    static bool tried;
    if (tried || node_file() < 0) {
        return mapped;
    }
    tried = true;
    void *bytes =
        mmap(NULL, st_segment_fixed_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, node_file(), 0);
    if (bytes != MAP_FAILED) {
        mapped = (void *)((char *)bytes + ST_SEGMENT_HEAD);
    }
    return mapped;
}

/* Returns NULL if the rank has no entry (yet). What it says of itself is not trusted. */
static struct st_segment_rank *find_entry(struct looked *rank)
{
    struct st_segment_rank *ranks = table();
    struct st_shared_area shared;
    if (ranks == NULL) {
        return NULL;
    }
    if (rank->entry == 0 && st_wait_shared(rank->registry, &shared) &&
        shared.rank < ST_SEGMENT_RANKS && ranks[shared.rank].pid == rank->memory->pid) {
        rank->entry = shared.rank + 1;
    }
    return rank->entry != 0 ? &ranks[rank->entry - 1] : NULL;
}

void published_write(struct looked *rank)
{
    struct st_segment_rank *entry = find_entry(rank);
    if (entry == NULL) {
        return;
    }
    struct st_rank_watched *watched = &entry->watched;
    if (watched->identity != rank->identity) {
        __atomic_store_n(&watched->identity, 0, __ATOMIC_RELAXED);
        __atomic_thread_fence(__ATOMIC_RELEASE);
        __atomic_store_n(&watched->since, rank->since, __ATOMIC_RELAXED);
        __atomic_store_n(&watched->looked, rank->looked, __ATOMIC_RELAXED);
        __atomic_store_n(&watched->identity, rank->identity, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&watched->looked, rank->looked, __ATOMIC_RELAXED);
    }
}
