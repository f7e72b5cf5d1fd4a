/* Handles that are used again, freed types below others, tombstones, handles that MPI hands out. */
#include "recorder/tree.h"

static void test_reuse(void)
{
    MPI_Datatype t;
    uint64_t serial = 0, handle = 0;
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        MPI_Type_contiguous(i + 1, MPI_INT, &t);
        CHECK_EQUAL(node_of(t)->args[0], i + 1);
        CHECK(node_of(t)->serial > serial);
        serial = node_of(t)->serial;
        same += number_of(t) == handle;
        handle = number_of(t);
        MPI_Type_free(&t);
        CHECK_EQUAL(ordinal_of_number(handle), ST_NO_NODE);
    }
    CHECK(same > 0); /* else this test shows nothing */
    CHECK_EQUAL(derived_nodes(), root->ring_slots - 1);
    CHECK(is_sound());
}

static void test_tombstones(void)
{
    MPI_Datatype t;
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    uint64_t handle = number_of(t);
    uint32_t ordinal = ordinal_of(t);
    MPI_Type_free(&t);
    CHECK(t == MPI_DATATYPE_NULL);
    struct st_node *node = newest_tombstone();
    CHECK(node == node_at(ordinal));
    CHECK_EQUAL(node->handle, handle);
    CHECK_EQUAL(node->flags, ST_FREED);
    CHECK_EQUAL(node->combiner, ST_VECTOR);
    CHECK_EQUAL(node->handles, 0);
    CHECK_EQUAL(node->references, 1);
    CHECK(site_is_in(node->freed, (void *)test_tombstones));
    CHECK(node->freed != node->created);
    /* The ring forgets the oldest. */
    uint64_t serial = node->serial;
    for (uint32_t i = 0; i < root->ring_slots; i++) {
        MPI_Type_contiguous(1, MPI_INT, &t);
        MPI_Type_free(&t);
    }
    CHECK(node_at(ordinal)->serial != serial);
    CHECK(is_sound());
}

static void test_freed_base(void)
{
    MPI_Datatype base, top;
    MPI_Type_contiguous(3, MPI_INT, &base);
    MPI_Type_vector(2, 1, 4, base, &top);
    uint32_t ordinal = ordinal_of(base);
    uint64_t serial = node_at(ordinal)->serial;
    CHECK_EQUAL(node_at(ordinal)->references, 2);
    MPI_Type_free(&base);
    for (uint32_t i = 0; i < 2 * root->ring_slots; i++) {
        MPI_Datatype t;
        MPI_Type_contiguous(1, MPI_INT, &t);
        MPI_Type_free(&t);
    }
    CHECK_EQUAL(node_of(top)->base, ordinal);
    CHECK_EQUAL(node_at(ordinal)->serial, serial);
    CHECK_EQUAL(node_at(ordinal)->args[0], 3);
    CHECK_EQUAL(node_at(ordinal)->references, 1);
    CHECK(node_at(ordinal)->flags & ST_FREED);
    CHECK(is_sound());
    MPI_Type_free(&top);
    CHECK_EQUAL(newest_tombstone()->base, ordinal);
    CHECK(is_sound());
}

static void test_struct_holds_all(void)
{
    int lengths[] = {1, 1, 1};
    MPI_Aint offsets[] = {0, 64, 128};
    MPI_Datatype part[2], top;
    MPI_Type_contiguous(3, MPI_INT, &part[0]);
    MPI_Type_contiguous(5, MPI_INT, &part[1]);
    MPI_Datatype types[] = {part[0], part[1], part[0]};
    MPI_Type_create_struct(3, lengths, offsets, types, &top);
    struct st_node *first = node_of(part[0]), *second = node_of(part[1]);
    CHECK_EQUAL(first->references, 3);
    CHECK_EQUAL(second->references, 2);
    MPI_Type_free(&part[0]);
    MPI_Type_free(&part[1]);
    CHECK(is_sound());
    MPI_Type_free(&top);
    CHECK(first->serial && second->serial);
    CHECK(is_sound());
}

static void test_large_tombstone(void)
{
    enum { COUNT = 100000 };
    int *offsets = malloc(COUNT * sizeof *offsets);
    for (int i = 0; i < COUNT; i++)
        offsets[i] = 2 * i;
    MPI_Datatype t;
    uint64_t mapped = root->mapped_bytes;
    MPI_Type_create_indexed_block(COUNT, 1, offsets, MPI_INT, &t);
    CHECK(root->mapped_bytes >= mapped + COUNT * sizeof *offsets);
    CHECK(memcmp(data_of(node_of(t)), offsets, COUNT * sizeof *offsets) == 0);
    free(offsets);
    MPI_Type_free(&t);
    CHECK_EQUAL(root->mapped_bytes, mapped);
    CHECK_EQUAL(newest_tombstone()->flags, ST_FREED | ST_ELIDED);
    CHECK_EQUAL(newest_tombstone()->block, 0);
    CHECK_EQUAL(newest_tombstone()->args[0], COUNT);
    CHECK(is_sound());
}

static void test_ring_bytes(void)
{
    enum { COUNT = 10000 };
    static int offsets[COUNT];
    for (int i = 0; i < COUNT; i++)
        offsets[i] = 2 * i;
    for (int i = 0; i < 200; i++) {
        MPI_Datatype t;
        MPI_Type_create_indexed_block(COUNT, 1, offsets, MPI_INT, &t);
        MPI_Type_free(&t);
    }
    CHECK(root->ring_bytes <= 1 << 20);
    CHECK(root->ring_bytes > 1 << 19);
    CHECK_EQUAL(newest_tombstone()->flags, ST_FREED);
    CHECK(is_sound());
}

/* Freed from the bottom, freed from the top: memory goes back, with no recursion. */
static void test_chain(void)
{
    enum { LENGTH = 20000 }; /* both MPI libraries recurse: 200,000 overrun the stack */
    static MPI_Datatype chain[LENGTH];
    for (int from_the_top = 0; from_the_top < 2; from_the_top++) {
        uint64_t before = root->types_bytes;
        chain[0] = MPI_INT;
        for (int i = 1; i < LENGTH; i++)
            MPI_Type_contiguous(1, chain[i - 1], &chain[i]);
        CHECK_EQUAL(root->live, LENGTH - 1);
        for (int i = 1; i < LENGTH; i++)
            MPI_Type_free(&chain[from_the_top ? LENGTH - i : i]);
        CHECK_EQUAL(root->live, 0);
        CHECK(derived_nodes() <= root->ring_slots);
        CHECK(root->types_bytes < before + (4 << 20)); /* the table has grown */
        CHECK(is_sound());
    }
}

/* MPI_Type_get_contents: MPICH gives the same handle again, Open MPI one of its own. */
static void test_contents(void)
{
    MPI_Datatype base, top, out;
    int count;
    MPI_Aint no_address;
    MPI_Type_contiguous(3, MPI_INT, &base);
    MPI_Type_commit(&base);
    MPI_Type_contiguous(2, base, &top);
    uint32_t live = root->live;
    MPI_Type_get_contents(top, 1, 0, 1, &count, &no_address, &out);
    CHECK_EQUAL(count, 2);
    struct st_node *node = node_of(out);
    CHECK_EQUAL(node->combiner, ST_CONTIGUOUS);
    CHECK_EQUAL(node->args[0], 3);
    CHECK_EQUAL(node->base, ordinal_of(MPI_INT));
    if (out == base) {
        CHECK_EQUAL(node->handles, 2);
        CHECK_EQUAL(root->live, live);
        MPI_Type_free(&out);
        CHECK_EQUAL(node_of(base)->handles, 1);
    } else {
        CHECK(node->flags & ST_COMMIT_UNDEFINED);
        CHECK_EQUAL(node->handles, 1);
        CHECK_EQUAL(root->live, live + 1);
        MPI_Type_free(&out);
    }
    CHECK_EQUAL(root->live, live);
    CHECK_EQUAL(node_of(base)->combiner, ST_CONTIGUOUS);
    CHECK(is_sound());

    /* The base that the program has freed comes back. */
    MPI_Type_free(&base);
    CHECK_EQUAL(root->live, live - 1);
    MPI_Type_get_contents(top, 1, 0, 1, &count, &no_address, &out);
    CHECK_EQUAL(node_of(out)->combiner, ST_CONTIGUOUS);
    CHECK_EQUAL(node_of(out)->args[0], 3);
    CHECK(!(node_of(out)->flags & ST_FREED));
    CHECK_EQUAL(root->live, live);
    CHECK(is_sound());
    MPI_Type_commit(&out);
    CHECK_EQUAL(node_of(out)->flags, ST_COMMITTED);
    MPI_Type_free(&out);
    MPI_Type_free(&top);
    CHECK_EQUAL(root->live, live - 2);
    CHECK(is_sound());

    /* A struct: several at once, a basic one among them. */
    int lengths[] = {1, 1, 1}, integers[4];
    MPI_Aint offsets[] = {0, 64, 128}, addresses[3];
    MPI_Type_contiguous(3, MPI_INT, &base);
    MPI_Datatype types[] = {base, MPI_DOUBLE, base}, outs[3];
    MPI_Type_create_struct(3, lengths, offsets, types, &top);
    MPI_Type_get_contents(top, 4, 3, 3, integers, addresses, outs);
    CHECK(outs[1] == MPI_DOUBLE);
    CHECK_EQUAL(node_of(outs[0])->args[0], 3);
    CHECK_EQUAL(node_of(outs[2])->args[0], 3);
    CHECK(is_sound());
    MPI_Type_free(&outs[0]);
    MPI_Type_free(&outs[2]);
    MPI_Type_get_contents(base, 1, 0, 1, integers, addresses, outs); /* of a basic type */
    CHECK(outs[0] == MPI_INT);
    CHECK_EQUAL(node_of(MPI_INT)->handles, 1);
    /* Open MPI's copy of a struct holds what the struct holds. */
    MPI_Datatype outer;
    MPI_Type_contiguous(2, top, &outer);
    MPI_Type_free(&top);
    MPI_Type_get_contents(outer, 1, 0, 1, integers, addresses, &out);
    CHECK_EQUAL(node_of(out)->combiner, ST_STRUCT);
    CHECK(is_sound());
    MPI_Type_free(&out);
    MPI_Type_free(&outer);
    MPI_Type_free(&base);
    CHECK_EQUAL(root->live, live - 2);
    CHECK(is_sound());
}

static void test_names(void)
{
    MPI_Datatype t;
    MPI_Type_contiguous(3, MPI_INT, &t);
    CHECK_EQUAL(node_of(t)->name, 0);
    MPI_Type_set_name(t, "face");
    CHECK(has_name(node_of(t), "face"));
    MPI_Type_set_name(t, "a longer name of the face, which takes another block");
    CHECK(has_name(node_of(t), "a longer name of the face, which takes another block"));
    MPI_Type_set_name(t, "");
    CHECK_EQUAL(node_of(t)->name, 0);
    MPI_Type_free(&t);
    MPI_Type_set_name(MPI_INT, "my own integer");
    CHECK(has_name(node_of(MPI_INT), "MPI_INT"));
    MPI_Type_set_name(MPI_INT, "MPI_INT");
    CHECK(is_sound());
}

static void test_predefined(void)
{
    struct {
        MPI_Datatype type;
        const char *name;
        int size;
    } some[] = {{MPI_INT, "MPI_INT", 4},
                {MPI_DOUBLE_INT, "MPI_DOUBLE_INT", 12},
                {MPI_LONG_LONG, "MPI_LONG_LONG_INT", 8},
                {MPI_C_COMPLEX, "MPI_C_COMPLEX", 8},
                {MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", 8}};
    for (unsigned i = 0; i < sizeof some / sizeof *some; i++) {
        struct st_node *node = node_of(some[i].type);
        CHECK_EQUAL(node->combiner, ST_NAMED);
        CHECK_EQUAL(node->flags, ST_PREDEFINED | ST_COMMITTED);
        CHECK_EQUAL(node->args[0], some[i].size);
        CHECK(has_name(node, some[i].name));
        CHECK(node->fortran != -1);
    }
    CHECK_EQUAL(node_of(MPI_DOUBLE_INT)->args[1], 12);
    CHECK_EQUAL(node_of(MPI_DOUBLE_INT)->args[2], 16);
    CHECK(has_name(node_of(MPI_DATATYPE_NULL), "MPI_DATATYPE_NULL"));
    CHECK_EQUAL(node_of(MPI_DATATYPE_NULL)->args[0], -1);

    /* Every one of them says its name to MPI too, and in the same way. */
    for (uint32_t i = 0; i < root->nodes_used; i++) {
        struct st_node *node = node_at(i);
        if (!node->serial || node->combiner != ST_NAMED ||
            node->handle == number_of(MPI_DATATYPE_NULL))
            continue;
        char name[MPI_MAX_OBJECT_NAME] = "";
        int length;
        MPI_Datatype type;
#ifdef OPEN_MPI
        type = at(node->handle);
#else
        type = (MPI_Datatype)node->handle;
#endif
        MPI_Type_get_name(type, name, &length);
        if (!has_name(node, name))
            printf("note: MPI calls it '%s', the registry '%.*s'\n", name,
                   (int)((struct st_block *)at(node->name))->bytes,
                   (char *)at(node->name) + sizeof(struct st_block));
    }

    MPI_Datatype t, again;
    uint32_t used = root->nodes_used;
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &t);
    CHECK_EQUAL(node_of(t)->combiner, ST_NAMED);
    CHECK(node_of(t)->flags & ST_PREDEFINED);
    CHECK_EQUAL(root->nodes_used, used);

    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &t);
    if (node_of(t)->combiner != ST_NAMED) {
        CHECK_EQUAL(node_of(t)->combiner, ST_F90_REAL);
        CHECK_EQUAL(node_of(t)->flags, ST_PREDEFINED | ST_COMMITTED);
        CHECK_EQUAL(node_of(t)->args[0], 15);
        CHECK_EQUAL(node_of(t)->args[1], ST_F90_UNDEFINED);
        CHECK_EQUAL(node_of(t)->args[2], 8);
        CHECK_EQUAL(node_of(t)->extent, ST_EXTENT_UNKNOWN); /* it follows from the size */
    }
    uint32_t ordinal = ordinal_of(t);
    uint64_t serial = node_at(ordinal)->serial;
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &again);
    CHECK(again == t);
    CHECK_EQUAL(ordinal_of(again), ordinal);
    CHECK_EQUAL(node_at(ordinal)->serial, serial);
    MPI_Type_create_f90_complex(6, 37, &t);
    CHECK(node_of(t)->combiner == ST_F90_COMPLEX || node_of(t)->combiner == ST_NAMED);
    CHECK_EQUAL(node_of(t)->combiner == ST_NAMED ? node_of(t)->args[0] : node_of(t)->args[2], 8);
    MPI_Type_create_f90_integer(9, &t);
    CHECK(node_of(t)->combiner == ST_F90_INTEGER || node_of(t)->combiner == ST_NAMED);
    if (node_of(t)->combiner == ST_F90_INTEGER) {
        CHECK_EQUAL(node_of(t)->args[1], 9);
        CHECK_EQUAL(node_of(t)->args[2], 4);
    }
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
}

static void test_fortran_index(void)
{
    MPI_Datatype t;
    MPI_Type_contiguous(3, MPI_INT, &t);
    MPI_Fint index = MPI_Type_c2f(t);
    CHECK_EQUAL(node_of(t)->fortran, index);
    MPI_Type_free(&t);
}

/* Callbacks of the program run inside MPI_Type_free, and make and free types. */
static MPI_Datatype kept;

static int on_delete(MPI_Datatype type, int keyval, void *value, void *state)
{
    MPI_Datatype t;
    (void)type, (void)keyval, (void)value, (void)state;
    MPI_Type_contiguous(11, MPI_INT, &t);
    CHECK_EQUAL(node_of(t)->args[0], 11);
    MPI_Type_free(&t);
    MPI_Type_contiguous(12, MPI_INT, &kept);
    return MPI_SUCCESS;
}

static int on_delete_refuse(MPI_Datatype type, int keyval, void *value, void *state)
{
    (void)type, (void)keyval, (void)value, (void)state;
    for (uint32_t i = 0; i < 2 * root->ring_slots; i++) {
        MPI_Datatype t;
        MPI_Type_contiguous(1, MPI_INT, &t);
        MPI_Type_free(&t);
    }
    return MPI_ERR_OTHER;
}

static void test_callbacks(void)
{
    MPI_Datatype t;
    int keyval;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete, &keyval, NULL);
    MPI_Type_contiguous(10, MPI_INT, &t);
    MPI_Type_set_attr(t, keyval, NULL);
    uint64_t handle = number_of(t);
    MPI_Type_free(&t);
    CHECK_EQUAL(node_of(kept)->args[0], 12);
    CHECK(number_of(kept) == handle || ordinal_of_number(handle) == ST_NO_NODE);
    MPI_Type_free(&kept);
    MPI_Type_free_keyval(&keyval);
    CHECK_EQUAL(root->live, 0);

    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete_refuse, &keyval, NULL);
    MPI_Type_contiguous(10, MPI_INT, &t);
    MPI_Type_set_attr(t, keyval, NULL);
    uint32_t ordinal = ordinal_of(t);
    uint64_t serial = node_at(ordinal)->serial;
    handle = number_of(t);
    if (MPI_Type_free(&t) != MPI_SUCCESS) {
        CHECK_EQUAL(ordinal_of_number(handle), ordinal);
        CHECK_EQUAL(node_at(ordinal)->serial, serial);
        CHECK_EQUAL(node_at(ordinal)->flags, 0);
        CHECK_EQUAL(node_at(ordinal)->freed, ST_NO_SITE);
        CHECK_EQUAL(node_at(ordinal)->handles, 1);
        CHECK_EQUAL(node_at(ordinal)->references, 1);
        CHECK_EQUAL(root->live, 1);
    } else {
        puts("note: this MPI frees a type although its callback refuses");
    }
    CHECK(is_sound());
}

int main(int argc, char **argv)
{
    start();
    CHECK(has_name(node_of(MPI_INT), "MPI_INT")); /* before MPI_Init */
    CHECK_EQUAL(root->state, ST_STATE_LOADED);
    MPI_Init(&argc, &argv);
    CHECK_EQUAL(root->state, ST_STATE_INITIALIZED);
    CHECK_EQUAL(root->world_rank, 0);
    CHECK_EQUAL(root->world_size, 1);
    CHECK(root->mpi_version[0]);
    CHECK(is_sound());
    test_predefined();
    test_reuse();
    test_tombstones();
    test_freed_base();
    test_struct_holds_all();
    test_large_tombstone();
    test_ring_bytes();
    test_chain();
    test_contents();
    test_names();
    test_fortran_index();
    test_callbacks();
    MPI_Finalize();
    return finish();
}
