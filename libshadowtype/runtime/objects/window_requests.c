/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/window_requests.h"

#include <string.h>

#include "runtime/objects/operations.h"
#include "runtime/record/root.h"

enum { LEAST_NAMES = 256 };

/* The records that were added, the oldest first; some of them are gone. */
static struct st_record_name *names;
static size_t used, capacity;
static size_t live;         /* number of those that are not gone */
static bool is_out_of_room; /* some could not be added: then all records are visited */

static struct st_record *request_of(struct st_record_name name)
{
    struct st_record *record = st_records_named(name);
    return record && record->kind == ST_KIND_REQUEST ? record : NULL;
}

/* Closes the gaps. The others keep their order and move towards the beginning, which is the
 * direction of the walks. */
static void close_gaps(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < used; i++) {
        if (request_of(names[i])) {
            names[kept++] = names[i];
        }
    }
    used = kept;
}

static bool double_names(void)
{
    size_t larger = capacity ? 2 * capacity : LEAST_NAMES;
    struct st_record_name *moved = st_map(larger * sizeof *names);
    if (!moved) {
        return false;
    }
    if (names) {
        memcpy(moved, names, used * sizeof *names);
        st_unmap(names, capacity * sizeof *names);
    }
    names = moved;
    capacity = larger;
    return true;
}

void st_window_requests_add(const struct st_record *record)
{
    live++;
    if (used == capacity) {
        close_gaps();
        if (used >= capacity / 2 && !double_names() && used == capacity) {
            is_out_of_room = true;
            return;
        }
    }
    names[used++] = st_records_name(record);
}

void st_window_requests_drop(void)
{
    if (--live == 0) {
        used = 0;
        is_out_of_room = false;
    }
}

size_t st_window_requests_all(void)
{
    if (!live) {
        return 0;
    }
    return is_out_of_room ? st_operations.records_used : used;
}

struct st_record *st_window_requests_next(size_t *rest, uint64_t window)
{
    while (*rest) {
        size_t number = --*rest;
        struct st_record *record = NULL;
        if (is_out_of_room) {
            record = st_records_at((uint32_t)number);
        } else if (number < used) {
            record = request_of(names[number]);
        }
        if (record && record->serial && record->kind == ST_KIND_REQUEST && record->comm == window) {
            return record;
        }
    }
    return NULL;
}
