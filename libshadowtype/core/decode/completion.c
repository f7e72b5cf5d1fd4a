/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the MPI library's own record of completion, without the cache: it changes at any time. */
#include "core/decode/completion.h"

#include <stdlib.h>
#include <string.h>

#include "core/decode/calls.h"
#include "core/decode/decode_internal.h"

/* The bytes of MPI_REQUEST_NULL that are read. Open MPI 4 has the word at offset 88. */
#define MOST_REQUEST 160u
/* MPICH: the upper six bits of a handle are its kind ("built-in") and the sort of the object
 * ("request"). */
#define MPICH_SORT_SHIFT 26
#define MPICH_BUILTIN_REQUEST 0x1bu

static uint64_t word_at(const unsigned char *bytes, uint32_t width)
{
    uint64_t wide;
    uint32_t narrow;
    if (width == sizeof wide) {
        memcpy(&wide, bytes, sizeof wide);
        return wide;
    }
    memcpy(&narrow, bytes, sizeof narrow);
    return narrow;
}

/* Returns true for an empty status (MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, not cancelled, no
 * bytes) followed by the word of a completed request. */
static bool is_empty_and_complete(const unsigned char *bytes, uint32_t width)
{
    static const int32_t status[4] = {-1, -1, 0, 0};
    const unsigned char *count = bytes + sizeof status;
    return memcmp(bytes, status, sizeof status) == 0 && word_at(count, width) == 0 &&
           word_at(count + width, width) == 1;
}

/* Finds MPI_REQUEST_NULL; *address is 0 if it is not known. */
static enum st_error find_null(struct st_registry *registry, uint64_t *address,
                               struct st_fault *fault)
{
    struct st_name *names;
    size_t count;
    *address = 0;
    if (st_registry_names(registry, &names, &count, fault)) {
        return st_is_final(fault) ? fault->error : ST_OK;
    }
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i].type, "MPI_Request") == 0 &&
            strcmp(names[i].name, "MPI_REQUEST_NULL") == 0) {
            *address = names[i].value;
        }
    }
    free(names);
    return ST_OK;
}

enum st_error st_completion_learn(struct st_registry *registry, struct st_completion_record *where,
                                  struct st_fault *fault)
{
    const struct st_root *root = &registry->root;
    uint32_t width = root->pointer_bytes, empty = 4 * (uint32_t)sizeof(int32_t) + width,
             matches = 0;
    unsigned char bytes[MOST_REQUEST];
    struct st_fault scratch = {0};
    uint64_t address;
    fault = fault ? fault : &scratch;
    *where = (struct st_completion_record){0};
    if (root->mpi != ST_MPI_OPENMPI || root->status_bytes != empty || root->status_source != 0 ||
        root->status_tag != 4 || root->status_error != 8) {
        return ST_OK;
    }
    enum st_error error = find_null(registry, &address, fault);
    if (error || !address) {
        return error;
    }
    if (st_registry_peek(registry, address, bytes, sizeof bytes, fault)) {
        return st_is_final(fault) ? fault->error : ST_OK;
    }
    for (uint32_t at = 0; at + empty + width <= sizeof bytes; at += 4) {
        if (is_empty_and_complete(bytes + at, width)) {
            *where = (struct st_completion_record){.offset = at + empty, .width = width};
            matches++;
        }
    }
    if (matches != 1) {
        where->width = 0;
    }
    return ST_OK;
}

static enum st_completion completion_by(uint64_t word)
{
    /* If not complete, the word is 0, or the address of the object that a waiting thread waits on. */
    bool is_address = word % sizeof(int32_t) == 0;
    return word == 1 ? ST_COMPLETE : is_address ? ST_INCOMPLETE : ST_COMPLETION_UNKNOWN;
}

enum st_error st_completion_of(struct st_registry *registry,
                               const struct st_completion_record *where,
                               const struct st_record *record, enum st_completion *completion,
                               struct st_fault *fault)
{
    unsigned char bytes[sizeof(uint64_t)];
    struct st_fault scratch = {0};
    fault = fault ? fault : &scratch;
    *completion = ST_COMPLETION_UNKNOWN;
    if (record->kind != ST_KIND_REQUEST || !(record->flags & ST_RECORD_ACTIVE) ||
        record->flags & (ST_RECORD_POSSIBLE | ST_RECORD_RUNNING)) {
        return ST_OK;
    }
    if (registry->root.mpi == ST_MPI_MPICH) {
        if (record->handle >> MPICH_SORT_SHIFT == MPICH_BUILTIN_REQUEST) {
            *completion = ST_COMPLETE;
        }
        return ST_OK;
    }
    if (!where->width) {
        return ST_OK;
    }
    if (st_registry_peek(registry, record->handle + where->offset, bytes, where->width, fault)) {
        return fault->error == ST_INTERRUPTED ? ST_INTERRUPTED : ST_OK;
    }
    *completion = completion_by(word_at(bytes, where->width));
    return ST_OK;
}
