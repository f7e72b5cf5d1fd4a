/*
 * A tiny reader of the registry inside the rank, for the recorder's tests: by the rules of
 * core/model/registry.h and by nothing else.
 */
#ifndef TESTS_RECORDER_TREE_H
#define TESTS_RECORDER_TREE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/registry.h"

static const struct st_root *root;
static int passed, failed;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (condition) {                                                                           \
            passed++;                                                                              \
        } else {                                                                                   \
            failed++;                                                                              \
            printf("FAIL: %s:%d: %s\n", __FILE__, __LINE__, #condition);                           \
        }                                                                                          \
    } while (0)

#define CHECK_EQUAL(actual, expected)                                                              \
    do {                                                                                           \
        long long its = (long long)(actual), wanted = (long long)(expected);                       \
        if (its == wanted) {                                                                       \
            passed++;                                                                              \
        } else {                                                                                   \
            failed++;                                                                              \
            printf("FAIL: %s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #actual, its,        \
                   wanted);                                                                        \
        }                                                                                          \
    } while (0)

static inline void start(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    if (!root) {
        puts("FAIL: no registry: the library is not preloaded\n0 passed, 1 failed");
        exit(1);
    }
}

static inline int finish(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

static inline void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static inline uint64_t number_of(MPI_Datatype type)
{
#ifdef OPEN_MPI
    return (uint64_t)(uintptr_t)type;
#else
    return (uint32_t)type;
#endif
}

static inline struct st_node *node_at(uint32_t ordinal)
{
    static struct st_node none;
    if (ordinal >= root->nodes_used)
        return &none;
    uint64_t *chunks = at(root->node_chunks);
    return (struct st_node *)at(chunks[ordinal / root->nodes_per_chunk]) +
           ordinal % root->nodes_per_chunk;
}

static inline uint32_t ordinal_of_number(uint64_t handle)
{
    const struct st_table *table = at(root->table);
    uint32_t mask = (1u << table->log2_slots) - 1;
    for (uint32_t i = st_table_home(handle, table->log2_slots); table->slots[i]; i = (i + 1) & mask)
        if (node_at(table->slots[i] - 1)->handle == handle)
            return table->slots[i] - 1;
    return ST_NO_NODE;
}

static inline uint32_t ordinal_of(MPI_Datatype type)
{
    return ordinal_of_number(number_of(type));
}

/* A node of zeros where there is none. */
static inline struct st_node *node_of(MPI_Datatype type)
{
    return node_at(ordinal_of(type));
}

static inline void *data_of(const struct st_node *node)
{
    return node->block ? (char *)at(node->block) + sizeof(struct st_block) : NULL;
}

static inline bool has_name(const struct st_node *node, const char *name)
{
    const struct st_block *block = at(node->name);
    return block && block->magic == ST_BLOCK_MAGIC && block->bytes == strlen(name) &&
           memcmp(block + 1, name, strlen(name)) == 0;
}

static inline uint64_t pc_of(uint32_t site)
{
    if (site >= root->sites_used)
        return 0;
    uint64_t *chunks = at(root->site_chunks);
    uint64_t *chunk = at(chunks[site / root->sites_per_chunk]);
    return chunk[site % root->sites_per_chunk * root->site_frames];
}

/* Whether a site lies in the object that holds `code`. */
static inline bool site_is_in(uint32_t site, const void *code)
{
    Dl_info ours, its;
    return dladdr(code, &ours) && dladdr(at(pc_of(site)), &its) && ours.dli_fbase == its.dli_fbase;
}

static inline struct st_node *newest_tombstone(void)
{
    const uint32_t *ring = at(root->ring);
    uint32_t slot = ring[(root->ring_next + root->ring_slots - 1) % root->ring_slots];
    return slot ? node_at(slot - 1) : node_at(ST_NO_NODE);
}

/* Nodes in use that are not predefined. */
static inline uint32_t derived_nodes(void)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < root->nodes_used; i++)
        count += node_at(i)->serial && !(node_at(i)->flags & ST_PREDEFINED);
    return count;
}

/* What must hold at any time: the table and the nodes agree, references add up. */
static inline bool is_sound(void)
{
    uint32_t *references = calloc(root->nodes_used + 1u, sizeof *references);
    uint32_t live = 0, bad = 0;
    const struct st_table *table = at(root->table);
    const uint32_t *ring = at(root->ring);
    uint32_t entries = 0;
    for (uint32_t i = 0; i < 1u << table->log2_slots; i++) {
        if (!table->slots[i])
            continue;
        entries++;
        struct st_node *node = node_at(table->slots[i] - 1);
        bad += !node->serial || !node->handles || (node->flags & ST_FREED);
        bad += ordinal_of_number(node->handle) != table->slots[i] - 1;
        live += !(node->flags & ST_PREDEFINED);
        references[table->slots[i] - 1]++;
    }
    for (uint32_t i = 0; ring && i < root->ring_slots; i++)
        if (ring[i])
            references[ring[i] - 1]++;
    for (uint32_t i = 0; i < root->nodes_used; i++) {
        struct st_node *node = node_at(i);
        if (!node->serial)
            continue;
        if (node->base != ST_NO_NODE)
            references[node->base]++;
        if (node->combiner != ST_STRUCT || !node->block)
            continue;
        int64_t width =
            ((node->flags & ST_OFFSETS_64) ? 8 : 4) + ((node->flags & ST_LENGTHS_64) ? 8 : 4);
        uint32_t *types = (void *)((char *)data_of(node) + node->args[0] * width);
        for (int64_t k = 0; k < node->args[0]; k++)
            if (types[k] != ST_NO_NODE)
                references[types[k]]++;
    }
    for (uint32_t i = 0; i < root->nodes_used; i++)
        if (node_at(i)->serial && node_at(i)->references != references[i]) {
            printf("node %u (combiner %d): %u references, %u found\n", i, node_at(i)->combiner,
                   node_at(i)->references, references[i]);
            bad++;
        }
    free(references);
    if (live != root->live)
        printf("live is %u, %u found\n", root->live, live);
    if (entries * UINT64_C(4) > UINT64_C(3) << table->log2_slots)
        puts("the table is too full");
    return !bad && live == root->live && root->changes % 2 == 0;
}

#endif
