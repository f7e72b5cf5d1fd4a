/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads nodes, blocks, names and call sites of the rank, and checks each. */
#include "core/decode/decode_internal.h"

#include <stdlib.h>

/* No valid registry exceeds this. */
#define MOST_NAME 4096u

enum st_error st_bad_root(struct st_fault *fault, const char *field, uint64_t value)
{
    return st_fail(fault,
                   (struct st_fault){.error = ST_DAMAGED_ROOT, .field = field, .value = value});
}

enum st_error st_bad_node(struct st_fault *fault, uint32_t node, const char *field, uint64_t value)
{
    return st_fail(
        fault,
        (struct st_fault){.error = ST_DAMAGED_NODE, .node = node, .field = field, .value = value});
}

enum st_error st_no_memory(struct st_fault *fault)
{
    return st_fail(fault, (struct st_fault){.error = ST_NO_MEMORY});
}

enum st_error st_read_at(struct st_registry *registry, uint64_t address, void *buffer,
                         size_t length, struct st_fault *fault)
{
    uint64_t bad = address;
    if (st_memory_read(&registry->memory, address, buffer, length, &bad)) {
        return ST_OK;
    }
    if (registry->memory.interrupted) {
        registry->memory.interrupted = false;
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    }
    return st_fail(fault,
                   (struct st_fault){.error = ST_UNREADABLE, .address = bad, .value = length});
}

enum st_error st_registry_peek(struct st_registry *registry, uint64_t address, void *buffer,
                               size_t length, struct st_fault *fault)
{
    switch (registry->memory.read(address, buffer, length, registry->memory.context)) {
    case ST_READ_OK:
        return ST_OK;
    case ST_READ_INTERRUPTED:
        return st_fail(fault, (struct st_fault){.error = ST_INTERRUPTED});
    default:
        return st_fail(fault, (struct st_fault){.error = ST_UNREADABLE,
                                                .address = address,
                                                .value = length,
                                                .node = ST_NO_NODE});
    }
}

enum st_error st_about(enum st_error error, const char *field, uint32_t node,
                       struct st_fault *fault)
{
    if (error == ST_UNREADABLE && fault) {
        fault->field = field;
        fault->node = node;
    }
    return error;
}

enum st_error st_chunk_address(struct st_registry *registry, const char *field, uint64_t directory,
                               uint32_t chunk, uint64_t *address, struct st_fault *fault)
{
    enum st_error error = st_read_at(registry, directory + (uint64_t)chunk * sizeof(uint64_t),
                                     address, sizeof(*address), fault);
    if (!error && *address % sizeof(uint64_t) != 0) {
        return st_bad_root(fault, field, *address);
    }
    return st_about(error, field, ST_NO_NODE, fault);
}

/* Clears members that were written but are not valid yet (registry.h). */
static void drop_halves(struct st_node *node)
{
    if (!(node->flags & ST_COMMITTED)) {
        node->committed = ST_NO_SITE;
    }
    if (node->combiner == ST_NAMED && node->args[1] == -1) {
        node->args[0] = node->args[2] = -1;
    }
}

enum st_error st_node_address(struct st_registry *registry, uint32_t ordinal, uint64_t *address,
                              struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    if (ordinal >= root->nodes_used) {
        return st_fail(fault, (struct st_fault){.error = ST_NO_SUCH_NODE, .node = ordinal});
    }
    uint32_t number = ordinal / root->nodes_per_chunk;
    uint64_t chunk = st_lasting_chunk(registry->lasting, number);
    if (!chunk) {
        enum st_error error =
            st_chunk_address(registry, "node_chunks", root->node_chunks, number, &chunk, fault);
        if (error) {
            return error;
        }
        st_lasting_keep_chunk(registry->lasting, number, chunk);
    }
    *address = chunk + (uint64_t)(ordinal % root->nodes_per_chunk) * sizeof(struct st_node);
    return ST_OK;
}

enum st_error st_read_nodes(struct st_registry *registry, uint32_t first, uint32_t count,
                            struct st_node *nodes, struct st_fault *fault)
{
    uint64_t address;
    enum st_error error = st_node_address(registry, first, &address, fault);
    if (error) {
        return error;
    }
    error = st_read_at(registry, address, nodes, count * sizeof(*nodes), fault);
    for (uint32_t i = 0; i < count && !error; i++) {
        drop_halves(&nodes[i]);
    }
    return st_about(error, "parameters", first, fault);
}

enum st_error st_check_node(uint32_t ordinal, const struct st_node *node, struct st_fault *fault)
{
    if (node->serial == 0) {
        return st_fail(fault, (struct st_fault){.error = ST_NO_SUCH_NODE, .node = ordinal});
    }
    if (!st_combiner_name(node->combiner)) {
        return st_bad_node(fault, ordinal, "combiner", node->combiner);
    }
    return ST_OK;
}

enum st_error st_read_node(struct st_registry *registry, uint32_t ordinal, struct st_node *node,
                           struct st_fault *fault)
{
    enum st_error error = st_read_nodes(registry, ordinal, 1, node, fault);
    return error ? error : st_check_node(ordinal, node, fault);
}

enum st_error st_read_used(struct st_registry *registry, const char *field, uint32_t ordinal,
                           struct st_node *node, struct st_fault *fault)
{
    if (ordinal >= registry->root.nodes_used) {
        return st_bad_root(fault, field, (uint64_t)ordinal + 1);
    }
    enum st_error error = st_read_node(registry, ordinal, node, fault);
    return error == ST_NO_SUCH_NODE ? st_bad_node(fault, ordinal, "serial", 0) : error;
}

enum st_error st_open_block(struct st_registry *registry, const char *field, uint32_t ordinal,
                            uint64_t address, uint64_t *bytes, struct st_fault *fault)
{
    struct st_block block;
    if (address % sizeof(uint64_t) != 0) {
        return st_bad_node(fault, ordinal, field, address);
    }
    enum st_error error = st_read_at(registry, address, &block, sizeof block, fault);
    if (error) {
        return st_about(error, field, ordinal, fault);
    }
    if (block.magic != ST_BLOCK_MAGIC) {
        return st_bad_node(fault, ordinal, field, address);
    }
    if (block.bytes > ST_MOST_BLOCK || address > UINT64_MAX - sizeof block - block.bytes) {
        return st_bad_node(fault, ordinal, "length", block.bytes);
    }
    *bytes = block.bytes;
    return ST_OK;
}

/* Reads the text in a block into a new string. The block belongs to `field` of node `ordinal`. */
static enum st_error read_text(struct st_registry *registry, const char *field, uint32_t ordinal,
                               uint64_t address, char **text, struct st_fault *fault)
{
    uint64_t bytes;
    *text = NULL;
    enum st_error error = st_open_block(registry, field, ordinal, address, &bytes, fault);
    if (error) {
        return error;
    }
    if (bytes > MOST_NAME) {
        return st_bad_node(fault, ordinal, "length", bytes);
    }
    char *copy = calloc((size_t)bytes + 1, 1);
    if (!copy) {
        return st_no_memory(fault);
    }
    error = st_read_at(registry, address + sizeof(struct st_block), copy, (size_t)bytes, fault);
    if (error) {
        free(copy);
        return st_about(error, field, ordinal, fault);
    }
    *text = copy;
    return ST_OK;
}

enum st_error st_registry_name(struct st_registry *registry, uint32_t ordinal, uint64_t address,
                               char **name, struct st_fault *fault)
{
    *name = NULL;
    return address ? read_text(registry, "name", ordinal, address, name, fault) : ST_OK;
}

enum st_error st_registry_frame_text(struct st_registry *registry, uint64_t frame, char **text,
                                     struct st_fault *fault)
{
    return read_text(registry, "frame", ST_NO_NODE, frame & ~ST_SITE_TEXT, text, fault);
}

enum st_error st_registry_site(struct st_registry *registry, uint32_t site, uint64_t *pcs,
                               size_t most, size_t *count, struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    *count = 0;
    if (site == ST_NO_SITE) {
        return ST_OK;
    }
    if (site >= root->sites_used) {
        return st_bad_root(fault, "call site", site);
    }
    uint64_t chunk;
    enum st_error error = st_chunk_address(registry, "site_chunks", root->site_chunks,
                                           site / root->sites_per_chunk, &chunk, fault);
    if (error) {
        return error;
    }
    uint64_t at =
        chunk + (uint64_t)(site % root->sites_per_chunk) * root->site_frames * sizeof(uint64_t);
    size_t frames = root->site_frames < most ? root->site_frames : most;
    error = st_about(st_read_at(registry, at, pcs, frames * sizeof(*pcs), fault), "call site",
                     ST_NO_NODE, fault);
    while (!error && *count < frames && pcs[*count]) {
        ++*count;
    }
    return error;
}
