/*
 * The registry's layout, field by field, as version ST_LAYOUT_VERSION promises it. If this fails, a
 * structure of registry.h has moved: raise ST_LAYOUT_VERSION there, then write the new list here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/model/registry.h"

#define LISTED_VERSION 14u

struct field {
    const char *name;
    size_t offset, size;        /* promised */
    size_t is_offset, has_size; /* of the struct as compiled */
};

#define FIELD(type, name, offset, size)                                                            \
    {#type "." #name, offset, size, offsetof(struct type, name), sizeof(((struct type *)0)->name)}

static const struct field root[] = {
    FIELD(st_root, magic, 0, 8),
    FIELD(st_root, layout, 8, 4),
    FIELD(st_root, byte_order, 12, 4),
    FIELD(st_root, pointer_bytes, 16, 2),
    FIELD(st_root, handle_bytes, 18, 2),
    FIELD(st_root, root_bytes, 20, 2),
    FIELD(st_root, node_bytes, 22, 2),
    FIELD(st_root, mpi, 24, 4),
    FIELD(st_root, state, 28, 4),
    FIELD(st_root, world_rank, 32, 4),
    FIELD(st_root, world_size, 36, 4),
    FIELD(st_root, changes, 40, 8),
    FIELD(st_root, table, 48, 8),
    FIELD(st_root, node_chunks, 56, 8),
    FIELD(st_root, node_chunk_count, 64, 4),
    FIELD(st_root, nodes_per_chunk, 68, 4),
    FIELD(st_root, nodes_used, 72, 4),
    FIELD(st_root, live, 76, 4),
    FIELD(st_root, site_chunks, 80, 8),
    FIELD(st_root, site_chunk_count, 88, 4),
    FIELD(st_root, sites_per_chunk, 92, 4),
    FIELD(st_root, sites_used, 96, 4),
    FIELD(st_root, site_frames, 100, 4),
    FIELD(st_root, ring, 104, 8),
    FIELD(st_root, ring_slots, 112, 4),
    FIELD(st_root, ring_next, 116, 4),
    FIELD(st_root, types_bytes, 120, 8),
    FIELD(st_root, ring_bytes, 128, 8),
    FIELD(st_root, mapped_bytes, 136, 8),
    FIELD(st_root, mpi_version, 144, 104),
    FIELD(st_root, reports, 248, 8),
    FIELD(st_root, report_count, 256, 8),
    FIELD(st_root, threads, 264, 8),
    FIELD(st_root, forms, 272, 8),
    FIELD(st_root, names, 280, 8),
    FIELD(st_root, forms_bytes, 288, 4),
    FIELD(st_root, name_count, 292, 4),
    FIELD(st_root, status_bytes, 296, 2),
    FIELD(st_root, status_source, 298, 2),
    FIELD(st_root, status_tag, 300, 2),
    FIELD(st_root, status_error, 302, 2),
    FIELD(st_root, operations, 304, 8),
    FIELD(st_root, world, 312, 8),
    FIELD(st_root, progress, 320, 8),
    FIELD(st_root, shared, 328, 8),
};

static const struct field node[] = {
    FIELD(st_node, handle, 0, 8),     FIELD(st_node, serial, 8, 8),
    FIELD(st_node, args, 16, 24),     FIELD(st_node, lb, 40, 8),
    FIELD(st_node, extent, 48, 8),    FIELD(st_node, block, 56, 8),
    FIELD(st_node, name, 64, 8),      FIELD(st_node, base, 72, 4),
    FIELD(st_node, created, 76, 4),   FIELD(st_node, committed, 80, 4),
    FIELD(st_node, freed, 84, 4),     FIELD(st_node, references, 88, 4),
    FIELD(st_node, handles, 92, 4),   FIELD(st_node, fortran, 96, 4),
    FIELD(st_node, combiner, 100, 1), FIELD(st_node, flags, 101, 1),
    FIELD(st_node, spare, 102, 2),
};

static const struct field block[] = {
    FIELD(st_block, magic, 0, 4),
    FIELD(st_block, size_class, 4, 4),
    FIELD(st_block, bytes, 8, 8),
};

static const struct field table[] = {
    FIELD(st_table, magic, 0, 4), FIELD(st_table, log2_slots, 4, 4),
    /* slots[] follow at once: a flexible array has no size */
};

static const struct field report[] = {
    FIELD(st_report, magic, 0, 4),  FIELD(st_report, number, 4, 4), FIELD(st_report, next, 8, 8),
    FIELD(st_report, count, 16, 8), FIELD(st_report, bytes, 24, 8),
    /* the text follows at once */
};

static const struct field thread_call[] = {
    FIELD(st_thread_call, state, 0, 8),    FIELD(st_thread_call, form, 8, 4),
    FIELD(st_thread_call, site, 12, 4),    FIELD(st_thread_call, pc, 16, 8),
    FIELD(st_thread_call, sp, 24, 8),      FIELD(st_thread_call, user_pc, 32, 8),
    FIELD(st_thread_call, user_sp, 40, 8), FIELD(st_thread_call, values, 48, 128),
};

static const struct field thread[] = {
    FIELD(st_thread, magic, 0, 4), FIELD(st_thread, number, 4, 4),   FIELD(st_thread, next, 8, 8),
    FIELD(st_thread, id, 16, 8),   FIELD(st_thread, calls, 24, 704),
};

static const struct field name[] = {
    FIELD(st_name, value, 0, 8),
    FIELD(st_name, type, 8, 16),
    FIELD(st_name, name, 24, 40),
};

static const struct field record[] = {
    FIELD(st_record, serial, 0, 8),    FIELD(st_record, handle, 8, 8),
    FIELD(st_record, variable, 16, 8), FIELD(st_record, comm, 24, 8),
    FIELD(st_record, site, 32, 4),     FIELD(st_record, other_site, 36, 4),
    FIELD(st_record, peer, 40, 4),     FIELD(st_record, tag, 44, 4),
    FIELD(st_record, thread, 48, 4),   FIELD(st_record, buffers, 52, 4),
    FIELD(st_record, links, 56, 16),   FIELD(st_record, number, 72, 4),
    FIELD(st_record, function, 76, 2), FIELD(st_record, kind, 78, 1),
    FIELD(st_record, flags, 79, 1),    FIELD(st_record, order, 80, 4),
    FIELD(st_record, starts, 84, 4),
};

static const struct field record_buffer[] = {
    FIELD(st_record_buffer, address, 0, 8), FIELD(st_record_buffer, count, 8, 8),
    FIELD(st_record_buffer, type, 16, 4),   FIELD(st_record_buffer, next, 20, 4),
    FIELD(st_record_buffer, record, 24, 4), FIELD(st_record_buffer, access, 28, 1),
    FIELD(st_record_buffer, active, 29, 1), FIELD(st_record_buffer, spare, 30, 2),
};

static const struct field operations[] = {
    FIELD(st_operations, magic, 0, 4),
    FIELD(st_operations, in_use, 4, 4),
    FIELD(st_operations, changes, 8, 8),
    FIELD(st_operations, record_chunks, 16, 8),
    FIELD(st_operations, buffer_chunks, 24, 8),
    FIELD(st_operations, functions, 32, 8),
    FIELD(st_operations, record_chunk_count, 40, 4),
    FIELD(st_operations, records_per_chunk, 44, 4),
    FIELD(st_operations, records_used, 48, 4),
    FIELD(st_operations, buffer_chunk_count, 52, 4),
    FIELD(st_operations, buffers_per_chunk, 56, 4),
    FIELD(st_operations, buffers_used, 60, 4),
    FIELD(st_operations, function_count, 64, 4),
    FIELD(st_operations, undecided, 68, 4),
    FIELD(st_operations, comm_chunks, 72, 8),
    FIELD(st_operations, comm_chunk_count, 80, 4),
    FIELD(st_operations, comms_per_chunk, 84, 4),
    FIELD(st_operations, comms_used, 88, 4),
    FIELD(st_operations, callbacks, 92, 4),
};

static const struct field comm_group[] = {
    FIELD(st_comm_group, world, 0, 8),   FIELD(st_comm_group, members, 8, 8),
    FIELD(st_comm_group, size, 16, 4),   FIELD(st_comm_group, first, 20, 4),
    FIELD(st_comm_group, stride, 24, 4), FIELD(st_comm_group, form, 28, 4),
};

static const struct field comm[] = {
    FIELD(st_comm, serial, 0, 8),     FIELD(st_comm, handle, 8, 8),
    FIELD(st_comm, id, 16, 8),        FIELD(st_comm, collectives, 24, 8),
    FIELD(st_comm, name, 32, 8),      FIELD(st_comm, group, 40, 32),
    FIELD(st_comm, remote, 72, 32),   FIELD(st_comm, rank, 104, 4),
    FIELD(st_comm, site, 108, 4),     FIELD(st_comm, number, 112, 4),
    FIELD(st_comm, function, 116, 2), FIELD(st_comm, flags, 118, 1),
    FIELD(st_comm, kind, 119, 1),     FIELD(st_comm, next, 120, 4),
    FIELD(st_comm, caller, 124, 4),   FIELD(st_comm, peers, 128, 8),
    FIELD(st_comm, epochs, 136, 56),  FIELD(st_comm, space, 192, 24),
    FIELD(st_comm, grid, 216, 8),     FIELD(st_comm, freed, 224, 8),
};

static const struct field freed_call[] = {
    FIELD(st_freed_call, order, 0, 4),
    FIELD(st_freed_call, starts, 4, 4),
};

static const struct field win_space[] = {
    FIELD(st_win_space, base, 0, 8),
    FIELD(st_win_space, bytes, 8, 8),
    FIELD(st_win_space, unit, 16, 4),
    FIELD(st_win_space, spare, 20, 4),
};

static const struct field dimension[] = {
    FIELD(st_dimension, processes, 0, 4),
    FIELD(st_dimension, periodic, 4, 4),
    FIELD(st_dimension, here, 8, 4),
};

static const struct field epoch_call[] = {
    FIELD(st_epoch_call, site, 0, 4),
    FIELD(st_epoch_call, function, 4, 2),
    FIELD(st_epoch_call, spare, 6, 2),
};

static const struct field win_epochs[] = {
    FIELD(st_win_epochs, open, 0, 4),        FIELD(st_win_epochs, locks, 4, 4),
    FIELD(st_win_epochs, fence, 8, 8),       FIELD(st_win_epochs, used, 16, 8),
    FIELD(st_win_epochs, access, 24, 8),     FIELD(st_win_epochs, exposure, 32, 8),
    FIELD(st_win_epochs, access_end, 40, 8), FIELD(st_win_epochs, exposure_end, 48, 8),
};

static const struct field win_peer[] = {
    FIELD(st_win_peer, started, 0, 4), FIELD(st_win_peer, completed, 4, 4),
    FIELD(st_win_peer, posted, 8, 4),  FIELD(st_win_peer, lock, 12, 4),
    FIELD(st_win_peer, site, 16, 4),
};

static const struct field shared[] = {
    FIELD(st_shared_area, magic, 0, 4),     FIELD(st_shared_area, version, 4, 4),
    FIELD(st_shared_area, area, 8, 8),      FIELD(st_shared_area, job, 16, 8),
    FIELD(st_shared_area, messages, 24, 8), FIELD(st_shared_area, entry, 32, 8),
    FIELD(st_shared_area, rank, 40, 4),     FIELD(st_shared_area, spare, 44, 4),
};

static const struct field progress[] = {
    FIELD(st_progress, magic, 0, 4),      FIELD(st_progress, level, 4, 4),
    FIELD(st_progress, calls, 8, 8),      FIELD(st_progress, leaving, 16, 4),
    FIELD(st_progress, own_count, 20, 4), FIELD(st_progress, own, 24, 104),
};

static void check(const struct field *fields, size_t count, size_t bytes)
{
    size_t end = 0;
    for (size_t i = 0; i < count; i++) {
        if (fields[i].offset != fields[i].is_offset || fields[i].size != fields[i].has_size) {
            fail_msg("%s is %zu bytes at %zu; layout version %u has %zu bytes at %zu",
                     fields[i].name, fields[i].has_size, fields[i].is_offset, LISTED_VERSION,
                     fields[i].size, fields[i].offset);
        }
        /* No gap: a field that is not listed, or padding that an ABI may choose. */
        assert_int_equal(fields[i].offset, end);
        end = fields[i].offset + fields[i].size;
    }
    assert_int_equal(bytes, end);
}

#define CHECK(fields, type) check(fields, sizeof fields / sizeof *fields, sizeof(struct type))

static void the_listed_version_is_the_current_one(void **state)
{
    (void)state;
    assert_int_equal(ST_LAYOUT_VERSION, LISTED_VERSION);
}

static void structures_are_as_listed(void **state)
{
    (void)state;
    CHECK(root, st_root);
    CHECK(node, st_node);
    CHECK(block, st_block);
    CHECK(table, st_table);
    CHECK(report, st_report);
    CHECK(thread_call, st_thread_call);
    CHECK(thread, st_thread);
    CHECK(name, st_name);
    CHECK(record, st_record);
    CHECK(record_buffer, st_record_buffer);
    CHECK(operations, st_operations);
    CHECK(comm_group, st_comm_group);
    CHECK(comm, st_comm);
    CHECK(win_peer, st_win_peer);
    CHECK(epoch_call, st_epoch_call);
    CHECK(win_epochs, st_win_epochs);
    CHECK(freed_call, st_freed_call);
    CHECK(win_space, st_win_space);
    CHECK(dimension, st_dimension);
    CHECK(progress, st_progress);
    CHECK(shared, st_shared_area);
    assert_int_equal(offsetof(struct st_table, slots), sizeof(struct st_table));
}

/* Numbers that stand in the rank's memory are layout, too. */
static void constants_are_as_listed(void **state)
{
    (void)state;
    static const struct {
        uint64_t is, listed;
    } constants[] = {
        {ST_BYTE_ORDER, 0x01020304},
        {ST_BLOCK_MAGIC, 0x4b4c4253},
        {ST_TABLE_MAGIC, 0x4c424154},
        {ST_REPORT_MAGIC, 0x54525053},
        {ST_THREAD_MAGIC, 0x44524854},
        {ST_PROGRESS_MAGIC, 0x474f5250},
        {ST_CALL_NONE, 0},
        {ST_CALL_RUNNING, 1},
        {ST_CALL_RETURNED, 2},
        {ST_OPERATIONS_MAGIC, 0x5245504f},
        {ST_FUNCTION_BYTES, 40},
        {ST_NO_FUNCTION, 0xffff},
        {ST_MOST_FREED_CALLS, 64},
        {ST_KIND_NONE, 0},
        {ST_KIND_TYPE, 1},
        {ST_KIND_REQUEST, 2},
        {ST_KIND_COMM, 3},
        {ST_KIND_GROUP, 4},
        {ST_KIND_OP, 5},
        {ST_KIND_WIN, 6},
        {ST_KIND_FILE, 7},
        {ST_KIND_INFO, 8},
        {ST_KIND_ERRHANDLER, 9},
        {ST_KIND_KEYVAL, 10},
        {ST_KIND_MESSAGE, 11},
        {ST_KIND_OPERATION, 12},
        {ST_KIND_END, 13},
        {ST_RECORD_ACTIVE, 1},
        {ST_RECORD_PERSISTENT, 2},
        {ST_RECORD_RUNNING, 4},
        {ST_RECORD_POSSIBLE, 8},
        {ST_RECORD_TOLD, 16},
        {ST_RECORD_SHOWN, 32},
        {ST_RECORD_CANCELLED, 64},
        {ST_GPID_RANK_BITS, 24},
        {ST_NO_GPID, UINT64_MAX},
        {ST_GROUP_UNKNOWN, 0},
        {ST_GROUP_STRIDED, 1},
        {ST_GROUP_LISTED, 2},
        {ST_COMM_KNOWN, 1},
        {ST_COMM_INTER, 2},
        {(uint64_t)ST_PEER_NONE, UINT64_MAX},
        {(uint64_t)ST_PEER_ANY, UINT64_MAX - 1},
        {(uint64_t)ST_PEER_NULL, UINT64_MAX - 2},
        {ST_READ, 1},
        {ST_WRITE, 2},
        {ST_NAMED, 1},
        {ST_DUP, 2},
        {ST_CONTIGUOUS, 3},
        {ST_VECTOR, 4},
        {ST_HVECTOR, 5},
        {ST_INDEXED, 6},
        {ST_HINDEXED, 7},
        {ST_INDEXED_BLOCK, 8},
        {ST_HINDEXED_BLOCK, 9},
        {ST_STRUCT, 10},
        {ST_SUBARRAY, 11},
        {ST_DARRAY, 12},
        {ST_RESIZED, 13},
        {ST_F90_REAL, 14},
        {ST_F90_COMPLEX, 15},
        {ST_F90_INTEGER, 16},
        {ST_OPAQUE, 17},
        {ST_COMBINER_END, 18},
        {ST_COMMITTED, 1},
        {ST_PREDEFINED, 2},
        {ST_FORTRAN_ORDER, 4},
        {ST_OFFSETS_64, 8},
        {ST_LENGTHS_64, 16},
        {ST_ELIDED, 32},
        {ST_FREED, 64},
        {ST_COMMIT_UNDEFINED, 128},
        {ST_DISTRIBUTE_NONE, 0},
        {ST_DISTRIBUTE_BLOCK, 1},
        {ST_DISTRIBUTE_CYCLIC, 2},
        {ST_NO_NODE, 0xffffffff},
        {ST_NO_SITE, 0xffffffff},
        {ST_MPI_MPICH, 1},
        {ST_MPI_OPENMPI, 2},
        {ST_STATE_LOADED, 0},
        {ST_STATE_INITIALIZED, 1},
        {ST_STATE_FINALIZED, 2},
        {(uint64_t)ST_DARG_DEFAULT, UINT64_C(1) << 63},
        {(uint64_t)ST_F90_UNDEFINED, UINT64_C(1) << 63},
        {(uint64_t)ST_EXTENT_UNKNOWN, UINT64_C(1) << 63},
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        assert_int_equal(constants[i].is, constants[i].listed);
    }
    assert_memory_equal(ST_MAGIC, "shadowty", 8);
    assert_string_equal(ST_ROOT_SYMBOL, "shadowtype_registry");
}

/* Where a probe starts is part of the layout: the rank and its reader must agree. */
static void the_hash_is_as_listed(void **state)
{
    (void)state;
    assert_int_equal(st_table_home(1, 8), 0x9e);
    assert_int_equal(st_table_home(2, 8), 0x3c);
    assert_int_equal(st_table_home(UINT64_C(0x4c000405), 10), 27);
    assert_int_equal(st_table_home((UINT64_C(1) << 45) + 1, 31), 1994198236);
    for (uint32_t log2 = 1; log2 <= 31; log2++) {
        assert_true(st_table_home(UINT64_C(0xffffffffffffffff), log2) < (UINT32_C(1) << log2));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_listed_version_is_the_current_one),
        cmocka_unit_test(structures_are_as_listed),
        cmocka_unit_test(constants_are_as_listed),
        cmocka_unit_test(the_hash_is_as_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
