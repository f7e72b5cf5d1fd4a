#include "runtime/ranks/words.h"

#include "runtime/objects/comms.h"
#include "runtime/ranks/signed.h"
#include "runtime/record/lock.h"
#include "runtime/record/root.h"
#include "runtime/wrap/constants.h"

void st_put_elements(struct st_writer *writer, int64_t length, uint64_t element, bool uniform)
{
    if (length == 0) {
        st_put(writer, "nothing");
        return;
    }
    st_put_number(writer, length);
    st_put(writer, " x ");
    if (!uniform)
        st_put(writer, "several basic types");
    else if (!st_put_signed_element(writer, element))
        st_put(writer, "a basic type");
}

void st_put_comm(struct st_writer *writer, enum st_kind kind, uint64_t handle)
{
    const char *name = st_constant_name(ST_KIND_COMM, handle);
    if (name) {
        st_put(writer, name);
        return;
    }
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    const struct st_comm *comm = record ? st_comms_of(record) : NULL;
    const struct st_block *block = comm ? st_pointer(comm->name) : NULL;
    if (block)
        st_put_bytes(writer, (const char *)(block + 1), (size_t)block->bytes);
    else
        st_put(writer, kind == ST_KIND_WIN    ? "its window"
                       : kind == ST_KIND_FILE ? "its file"
                                              : "its communicator");
    st_unlock(locked);
}
