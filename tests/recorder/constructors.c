/* Every constructor is recorded with its parameters; those that MPI refuses leave no trace. */
#include "recorder/tree.h"

/* By the loader: an mpi.h may hide what its library exports. */
static void *function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

static struct st_node *expect(MPI_Datatype type, int combiner, int64_t a0, int64_t a1, int64_t a2,
                              MPI_Datatype base)
{
    struct st_node *node = node_of(type);
    CHECK_EQUAL(node->combiner, combiner);
    CHECK_EQUAL(node->args[0], a0);
    CHECK_EQUAL(node->args[1], a1);
    CHECK_EQUAL(node->args[2], a2);
    if (combiner != ST_STRUCT)
        CHECK_EQUAL(node->base, ordinal_of(base));
    MPI_Count lb, extent;
    MPI_Type_get_extent_x(type, &lb, &extent);
    if (node->extent == ST_EXTENT_UNKNOWN) {
        /* Not asked: then they follow from the parameters. */
        CHECK(combiner == ST_CONTIGUOUS || combiner == ST_VECTOR || combiner == ST_HVECTOR);
        CHECK_EQUAL(node_at(node->base)->combiner, ST_NAMED);
        CHECK(a0 > 0 && (combiner == ST_CONTIGUOUS || a1 > 0));
    } else {
        CHECK_EQUAL(node->lb, lb);
        CHECK_EQUAL(node->extent, extent);
    }
    CHECK_EQUAL(node->handles, 1);
    CHECK_EQUAL(node->references, 1);
    CHECK(site_is_in(node->created, (void *)expect));
    CHECK_EQUAL(node->committed, ST_NO_SITE);
    return node;
}

static bool same32(const void *data, const int *values, int count)
{
    return data && memcmp(data, values, (size_t)count * sizeof *values) == 0;
}

static bool same64(const void *data, const int64_t *values, int count)
{
    return data && memcmp(data, values, (size_t)count * sizeof *values) == 0;
}

static void test_plain(MPI_Datatype base)
{
    MPI_Datatype t;
    MPI_Type_contiguous(7, base, &t);
    expect(t, ST_CONTIGUOUS, 7, 0, 0, base);
    MPI_Type_free(&t);
    MPI_Type_vector(3, 2, -5, base, &t);
    expect(t, ST_VECTOR, 3, 2, -5, base);
    MPI_Type_free(&t);
    MPI_Type_create_hvector(3, 2, -500, base, &t);
    expect(t, ST_HVECTOR, 3, 2, -500, base);
    MPI_Type_free(&t);
    MPI_Type_vector(0, 2, 5, base, &t);
    expect(t, ST_VECTOR, 0, 2, 5, base);
    CHECK(node_of(t)->extent != ST_EXTENT_UNKNOWN);
    MPI_Type_free(&t);
    MPI_Type_create_resized(base, -16, INT64_C(1) << 40, &t);
    expect(t, ST_RESIZED, -16, INT64_C(1) << 40, 0, base);
    MPI_Type_free(&t);
    CHECK(is_sound());
}

static void test_arrays(void)
{
    int lengths[] = {1, 0, 3}, offsets[] = {4, -2, 9};
    MPI_Aint bytes[] = {400, -200, INT64_C(5) << 33};
    int64_t bytes64[] = {400, -200, INT64_C(5) << 33};
    MPI_Datatype t;
    MPI_Type_indexed(3, lengths, offsets, MPI_INT, &t);
    struct st_node *node = expect(t, ST_INDEXED, 3, 0, 0, MPI_INT);
    CHECK_EQUAL(node->flags, 0);
    CHECK(same32(data_of(node), offsets, 3));
    CHECK(same32((char *)data_of(node) + 12, lengths, 3));
    MPI_Type_free(&t);

    MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &t);
    node = expect(t, ST_HINDEXED, 3, 0, 0, MPI_INT);
    CHECK_EQUAL(node->flags, ST_OFFSETS_64);
    CHECK(same64(data_of(node), bytes64, 3));
    CHECK(same32((char *)data_of(node) + 24, lengths, 3));
    MPI_Type_free(&t);

    MPI_Type_create_indexed_block(3, 2, offsets, MPI_INT, &t);
    node = expect(t, ST_INDEXED_BLOCK, 3, 2, 0, MPI_INT);
    CHECK(same32(data_of(node), offsets, 3));
    MPI_Type_free(&t);

    MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &t);
    node = expect(t, ST_HINDEXED_BLOCK, 3, 2, 0, MPI_INT);
    CHECK_EQUAL(node->flags, ST_OFFSETS_64);
    CHECK(same64(data_of(node), bytes64, 3));
    MPI_Type_free(&t);

    MPI_Type_indexed(0, NULL, NULL, MPI_INT, &t);
    node = expect(t, ST_INDEXED, 0, 0, 0, MPI_INT);
    CHECK_EQUAL(node->block, 0);
    MPI_Type_free(&t);
}

static void check_struct(struct st_node *node, const int *lengths, const MPI_Aint *bytes,
                         const uint32_t *ordinals)
{
    int64_t bytes64[] = {bytes[0], bytes[1], bytes[2]};
    CHECK_EQUAL(node->flags, ST_OFFSETS_64);
    CHECK(same64(data_of(node), bytes64, 3));
    CHECK(same32((char *)data_of(node) + 24, lengths, 3));
    CHECK(data_of(node) && memcmp((char *)data_of(node) + 36, ordinals, 12) == 0);
}

static void test_struct(void)
{
    int lengths[] = {1, 2, 3};
    MPI_Aint bytes[] = {0, 8, 32};
    MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE}, t;
    uint32_t ordinals[] = {ordinal_of(MPI_CHAR), ordinal_of(MPI_INT), ordinal_of(MPI_DOUBLE)};
    MPI_Type_create_struct(3, lengths, bytes, types, &t);
    check_struct(expect(t, ST_STRUCT, 3, 0, 0, t), lengths, bytes, ordinals);
    MPI_Type_free(&t);

    /* The result may overwrite an old type. */
    MPI_Type_create_struct(3, lengths, bytes, types, &types[0]);
    check_struct(expect(types[0], ST_STRUCT, 3, 0, 0, t), lengths, bytes, ordinals);
    MPI_Type_free(&types[0]);
    CHECK(is_sound());
}

static void test_grids(void)
{
    int sizes[] = {10, 20}, subsizes[] = {3, 4}, starts[] = {1, 2};
    int64_t all[] = {10, 20, 3, 4, 1, 2};
    MPI_Datatype t;
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_FLOAT, &t);
    struct st_node *node = expect(t, ST_SUBARRAY, 2, 0, 0, MPI_FLOAT);
    CHECK(same64(data_of(node), all, 6));
    CHECK_EQUAL(node->flags, 0);
    MPI_Type_free(&t);
    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, MPI_FLOAT, &t);
    CHECK_EQUAL(node_of(t)->flags, ST_FORTRAN_ORDER);
    MPI_Type_free(&t);

    int gsizes[] = {10, 20, 30}, psizes[] = {2, 3, 1};
    int distribs[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
    int dargs[] = {MPI_DISTRIBUTE_DFLT_DARG, 4, MPI_DISTRIBUTE_DFLT_DARG};
    int64_t grid[] = {10, 20, 30, 1, 2, 0, ST_DARG_DEFAULT, 4, ST_DARG_DEFAULT, 2, 3, 1};
    MPI_Type_create_darray(6, 5, 3, gsizes, distribs, dargs, psizes, MPI_ORDER_C, MPI_FLOAT, &t);
    node = expect(t, ST_DARRAY, 6, 5, 3, MPI_FLOAT);
    CHECK(same64(data_of(node), grid, 12));
    MPI_Type_free(&t);
    CHECK(is_sound());
}

static void test_removed(void)
{
    int (*make_struct)(int, int *, MPI_Aint *, MPI_Datatype *, MPI_Datatype *);
    int (*make_hvector)(int, int, MPI_Aint, MPI_Datatype, MPI_Datatype *);
    int (*make_hindexed)(int, int *, MPI_Aint *, MPI_Datatype, MPI_Datatype *);
    int lengths[] = {1, 2, 3};
    MPI_Aint bytes[] = {0, 8, 32};
    MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE}, t;
    uint32_t ordinals[] = {ordinal_of(MPI_CHAR), ordinal_of(MPI_INT), ordinal_of(MPI_DOUBLE)};
    *(void **)&make_struct = function("MPI_Type_struct");
    *(void **)&make_hvector = function("MPI_Type_hvector");
    *(void **)&make_hindexed = function("PMPI_Type_hindexed");
    make_struct(3, lengths, bytes, types, &t);
    check_struct(expect(t, ST_STRUCT, 3, 0, 0, t), lengths, bytes, ordinals);
    MPI_Type_free(&t);
    make_hvector(3, 2, -500, MPI_INT, &t);
    expect(t, ST_HVECTOR, 3, 2, -500, MPI_INT);
    MPI_Type_free(&t);
    make_hindexed(3, lengths, bytes, MPI_INT, &t);
    CHECK(same32((char *)data_of(expect(t, ST_HINDEXED, 3, 0, 0, MPI_INT)) + 24, lengths, 3));
    MPI_Type_free(&t);
    CHECK(is_sound());
}

#if MPI_VERSION >= 4
static void test_large_counts(void)
{
    const MPI_Count big = INT64_C(1) << 35;
    MPI_Count lengths[] = {1, 2, 3}, offsets[] = {0, big, 2 * big};
    MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE}, t;
    MPI_Type_contiguous_c(big, MPI_BYTE, &t);
    expect(t, ST_CONTIGUOUS, big, 0, 0, MPI_BYTE);
    MPI_Type_free(&t);
    MPI_Type_vector_c(3, 2, big, MPI_BYTE, &t);
    expect(t, ST_VECTOR, 3, 2, big, MPI_BYTE);
    MPI_Type_free(&t);
    MPI_Type_create_hvector_c(3, 2, big, MPI_BYTE, &t);
    expect(t, ST_HVECTOR, 3, 2, big, MPI_BYTE);
    MPI_Type_free(&t);
    MPI_Type_create_resized_c(MPI_BYTE, 0, big, &t);
    expect(t, ST_RESIZED, 0, big, 0, MPI_BYTE);
    MPI_Type_free(&t);
    int64_t want[] = {0, big, 2 * big, 1, 2, 3};
    MPI_Type_indexed_c(3, lengths, offsets, MPI_BYTE, &t);
    struct st_node *node = expect(t, ST_INDEXED, 3, 0, 0, MPI_BYTE);
    CHECK_EQUAL(node->flags, ST_OFFSETS_64 | ST_LENGTHS_64);
    CHECK(same64(data_of(node), want, 6));
    MPI_Type_free(&t);
    MPI_Type_create_hindexed_c(3, lengths, offsets, MPI_BYTE, &t);
    CHECK(same64(data_of(expect(t, ST_HINDEXED, 3, 0, 0, MPI_BYTE)), want, 6));
    MPI_Type_free(&t);
    MPI_Type_create_indexed_block_c(3, 2, offsets, MPI_BYTE, &t);
    CHECK(same64(data_of(expect(t, ST_INDEXED_BLOCK, 3, 2, 0, MPI_BYTE)), want, 3));
    MPI_Type_free(&t);
    MPI_Type_create_hindexed_block_c(3, 2, offsets, MPI_BYTE, &t);
    CHECK(same64(data_of(expect(t, ST_HINDEXED_BLOCK, 3, 2, 0, MPI_BYTE)), want, 3));
    MPI_Type_free(&t);
    MPI_Type_create_struct_c(3, lengths, offsets, types, &t);
    node = expect(t, ST_STRUCT, 3, 0, 0, t);
    uint32_t ordinals[] = {ordinal_of(MPI_CHAR), ordinal_of(MPI_INT), ordinal_of(MPI_DOUBLE)};
    CHECK(same64(data_of(node), want, 6));
    CHECK(memcmp((char *)data_of(node) + 48, ordinals, 12) == 0);
    MPI_Type_free(&t);
    MPI_Count sizes[] = {big, 20}, subsizes[] = {big / 2, 4}, starts[] = {1, 2};
    int64_t all[] = {big, 20, big / 2, 4, 1, 2};
    MPI_Type_create_subarray_c(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_BYTE, &t);
    CHECK(same64(data_of(expect(t, ST_SUBARRAY, 2, 0, 0, MPI_BYTE)), all, 6));
    MPI_Type_free(&t);
    MPI_Count gsizes[] = {big};
    int distrib[] = {MPI_DISTRIBUTE_BLOCK}, darg[] = {MPI_DISTRIBUTE_DFLT_DARG}, psize[] = {4};
    int64_t grid[] = {big, ST_DISTRIBUTE_BLOCK, ST_DARG_DEFAULT, 4};
    MPI_Type_create_darray_c(4, 1, 1, gsizes, distrib, darg, psize, MPI_ORDER_C, MPI_BYTE, &t);
    CHECK(same64(data_of(expect(t, ST_DARRAY, 4, 1, 1, MPI_BYTE)), grid, 4));
    MPI_Type_free(&t);
    CHECK(is_sound());
}
#endif

static void test_dup(void)
{
    MPI_Datatype t, copy;
    MPI_Type_contiguous(7, MPI_INT, &t);
    MPI_Type_dup(t, &copy);
    expect(copy, ST_DUP, 0, 0, 0, t);
    MPI_Type_free(&copy);
    MPI_Type_commit(&t);
    CHECK(node_of(t)->flags & ST_COMMITTED);
    CHECK(site_is_in(node_of(t)->committed, (void *)expect));
    MPI_Type_dup(t, &copy);
    CHECK_EQUAL(node_of(copy)->combiner, ST_DUP);
    CHECK(node_of(copy)->flags & ST_COMMITTED);
    CHECK_EQUAL(node_of(copy)->committed, node_of(t)->committed);
    MPI_Type_free(&copy);
    MPI_Type_free(&t);
    uint32_t live = root->live;
    MPI_Type_dup(MPI_INT, &copy);
    if (copy == MPI_INT) {
        CHECK_EQUAL(root->live, live);
        CHECK_EQUAL(node_of(copy)->combiner, ST_NAMED);
    } else {
        CHECK_EQUAL(node_of(copy)->combiner, ST_DUP);
        CHECK(node_of(copy)->flags & ST_COMMITTED);
        MPI_Type_free(&copy);
    }
    CHECK(is_sound());
}

/* MPI says no: as if nothing had been called. */
static void test_refused(void)
{
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int lengths[] = {-1};
    MPI_Aint bytes[] = {0};
    MPI_Datatype none[] = {MPI_DATATYPE_NULL}, t = MPI_DATATYPE_NULL;
    uint32_t used = root->nodes_used, live = root->live;
    uint64_t changes = root->changes, reports = root->report_count;
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &t) != MPI_SUCCESS);
    CHECK(MPI_Type_vector(-3, 1, 1, MPI_INT, &t) != MPI_SUCCESS);
    CHECK(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &t) != MPI_SUCCESS);
    CHECK(MPI_Type_create_hindexed(1, lengths, bytes, MPI_INT, &t) != MPI_SUCCESS);
    CHECK(MPI_Type_create_struct(1, lengths, bytes, none, &t) != MPI_SUCCESS);
    CHECK_EQUAL(root->nodes_used, used);
    CHECK_EQUAL(root->live, live);
    /* What the checker has to say of it is all that is new. */
    CHECK_EQUAL(root->changes, changes + 2 * (root->report_count - reports));
    t = MPI_INT;
    CHECK(MPI_Type_free(&t) != MPI_SUCCESS);
    t = MPI_DATATYPE_NULL;
    CHECK(MPI_Type_free(&t) != MPI_SUCCESS);
    CHECK_EQUAL(node_of(MPI_INT)->combiner, ST_NAMED);
    CHECK(is_sound());
}

int main(int argc, char **argv)
{
    start();
    MPI_Init(&argc, &argv);
    MPI_Datatype base;
    MPI_Type_contiguous(2, MPI_INT, &base);
    test_plain(MPI_DOUBLE);
    test_plain(base);
    MPI_Type_free(&base);
    test_arrays();
    test_struct();
    test_grids();
    test_removed();
#if MPI_VERSION >= 4
    test_large_counts();
#endif
    test_dup();
    test_refused();
    CHECK_EQUAL(root->live, 0);
    MPI_Finalize();
    CHECK_EQUAL(root->state, ST_STATE_FINALIZED);
    return finish();
}
