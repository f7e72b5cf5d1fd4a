/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/handle_name.h"

#include "runtime/objects/comms.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"

/* Returns the block of the name; NULL if there is none. Under the lock. */
static const struct st_block *find_name(const struct st_record *record)
{
    const struct st_comm *comm = st_comms_of(record);
    return comm ? st_pointer(comm->name) : NULL;
}

bool st_put_handle_name(struct st_writer *writer, enum st_kind kind, uint64_t handle)
{
    return st_put_handle_name_then(writer, kind, handle, UINT64_MAX);
}

bool st_put_handle_name_then(struct st_writer *writer, enum st_kind kind, uint64_t handle,
                             uint64_t serial)
{
    if (kind != ST_KIND_COMM && kind != ST_KIND_WIN) {
        return false;
    }
    bool locked = st_lock();
    const struct st_record *record =
        st_root.operations ? st_records_find_by(kind, handle, serial) : NULL;
    const struct st_block *name = record ? find_name(record) : NULL;
    if (name) {
        st_put_bytes(writer, (const char *)(name + 1), (size_t)name->bytes);
    }
    st_unlock(locked);
    return name != NULL;
}
