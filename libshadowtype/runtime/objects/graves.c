/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/graves.h"

/* Requests have a table separate from the other handles, because they come and go so fast. A new
 * grave may replace an older one. */
enum { LOG2_GRAVES = 9 };
static struct st_grave requests[1 << LOG2_GRAVES], others[1 << LOG2_GRAVES];

static struct st_grave *grave_place(enum st_kind kind, uint64_t handle)
{
    uint64_t key = handle + ((uint64_t)kind << 56);
    struct st_grave *graves = kind == ST_KIND_REQUEST ? requests : others;
    return &graves[key * UINT64_C(0x9E3779B97F4A7C15) >> (64 - LOG2_GRAVES)];
}

void st_graves_bury(const struct st_record *record, uint16_t by, uint32_t freed)
{
    *grave_place(record->kind, record->handle) = (struct st_grave){.handle = record->handle,
                                                                   .made = record->site,
                                                                   .freed = freed,
                                                                   .function = record->function,
                                                                   .by = by,
                                                                   .kind = record->kind,
                                                                   .flags = record->flags};
}

bool st_graves_find(enum st_kind kind, uint64_t handle, struct st_grave *grave)
{
    const struct st_grave *found = grave_place(kind, handle);
    if (found->kind != kind || found->handle != handle || kind == ST_KIND_NONE) {
        return false;
    }
    *grave = *found;
    return true;
}

void st_graves_mark(enum st_kind kind, uint64_t handle, uint8_t set)
{
    struct st_grave *found = grave_place(kind, handle);
    if (found->kind == kind && found->handle == handle) {
        found->flags |= set;
    }
}

void st_graves_forget(enum st_kind kind)
{
    struct st_grave *graves = kind == ST_KIND_REQUEST ? requests : others;
    for (int i = 0; i < 1 << LOG2_GRAVES; i++) {
        if (graves[i].kind == kind) {
            graves[i].kind = ST_KIND_NONE;
        }
    }
}
