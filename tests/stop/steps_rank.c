/*
 * The rank of steps.c: everything that the recorder does to the registry, part by part. A part is
 * what stands between begin() and end(); whatever it needs was made before, unwatched.
 */
#define _GNU_SOURCE
#include "recorder/tree.h"

#include <signal.h>

#include "stop/board.h"

static struct stop_board *board;

static void mark(void)
{
    raise(SIGUSR1); /* swallowed by who watches */
}

static void begin(const char *part, enum stop_rule rule)
{
    snprintf(board->part, sizeof board->part, "%s", part);
    board->rule = rule;
    mark();
}

static void end(void)
{
    mark();
}

/* --- what the parts are made of ----------------------------------------------------------------
 */

enum { MANY = 1 << 16 };
static MPI_Datatype held[MANY];
static int held_count;

static MPI_Datatype *hold_one(void)
{
    MPI_Datatype *type = &held[held_count++];
    MPI_Type_contiguous(held_count, MPI_INT, type);
    return type;
}

static void free_held(void)
{
    while (held_count)
        MPI_Type_free(&held[--held_count]);
}

static uint32_t table_entries(void)
{
    const struct st_table *table = at(root->table);
    uint32_t entries = 0;
    for (uint32_t i = 0; i < 1u << table->log2_slots; i++)
        entries += table->slots[i] != 0;
    return entries;
}

/* Until one more entry makes the table grow. */
static void fill_table(void)
{
    const struct st_table *table = at(root->table);
    uint64_t most = (UINT64_C(3) << table->log2_slots) / 4;
    while (table_entries() < most)
        hold_one();
}

/* Whether the entry of another type moves when this one's is taken out of the table. */
static bool others_pass(MPI_Datatype type)
{
    const struct st_table *table = at(root->table);
    uint32_t mask = (1u << table->log2_slots) - 1, gap = 0;
    while (table->slots[gap] != ordinal_of(type) + 1)
        gap++;
    for (uint32_t i = (gap + 1) & mask; table->slots[i]; i = (i + 1) & mask) {
        uint32_t home = st_table_home(node_at(table->slots[i] - 1)->handle, table->log2_slots);
        if (((i - home) & mask) >= ((i - gap) & mask))
            return true;
    }
    return false;
}

/* To the end of held[]: they are freed first. */
static void hold_those_that_others_pass(void)
{
    for (int i = 0, end = held_count; i < end;) {
        if (others_pass(held[i])) {
            MPI_Datatype type = held[i];
            held[i] = held[--end];
            held[end] = type;
        } else {
            i++;
        }
    }
}

static void free_one(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(2, MPI_CHAR, &type);
    MPI_Type_free(&type);
}

/* Until one more tombstone makes another give way. */
static void fill_ring(void)
{
    for (uint32_t i = 0; i < root->ring_slots; i++)
        free_one();
}

/* --- parts -------------------------------------------------------------------------------------
 */

static void creation(void)
{
    MPI_Datatype vector, record, subarray, indexed, copy, large;
    int lengths[] = {1, 5, 2}, displacements[] = {9, 2, 40};
    MPI_Aint offsets[] = {0, 8, 64};
    MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
    int sizes[] = {4, 5}, subsizes[] = {2, 3}, starts[] = {1, 1};
    /* Each entry costs some hundred stops, and with 4096 the block has pages of its own. */
    static MPI_Aint many[4100];
    for (int i = 0; i < 4100; i++)
        many[i] = 8 * i;

    /* Once unwatched: the functions that the wrappers call are looked up at the first call. */
    for (int watched = 0; watched < 2; watched++) {
        if (watched)
            begin("insertion of a vector", STOP_ONCE);
        MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &vector);
        if (watched) {
            end();
            begin("insertion of a struct with its block", STOP_ONCE);
        }
        MPI_Type_create_struct(3, lengths, offsets, types, &record);
        if (watched) {
            end();
            begin("insertion of a subarray", STOP_ONCE);
        }
        MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_FLOAT, &subarray);
        if (watched) {
            end();
            begin("insertion of an indexed type on a vector", STOP_ONCE);
        }
        MPI_Type_indexed(3, lengths, displacements, vector, &indexed);
        if (watched) {
            end();
            begin("insertion of a copy", STOP_ONCE);
        }
        MPI_Type_dup(vector, &copy);
        if (watched) {
            end();
            begin("insertion of a type with pages of its own", STOP_ONCE);
        }
        MPI_Type_create_hindexed_block(4100, 1, many, MPI_INT, &large);
        if (watched) {
            end();
            CHECK(((const struct st_block *)at(node_of(large)->block))->bytes > 32768);
        }
        if (watched)
            begin("free of a type with pages of its own", STOP_CHANGES);
        MPI_Type_free(&large);
        if (watched)
            end();
        MPI_Datatype made[] = {vector, record, subarray, indexed, copy};
        for (int i = 0; i < 5; i++)
            MPI_Type_free(&made[i]);
    }
}

static void commit_and_name(void)
{
    MPI_Datatype type;
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_set_name(MPI_INT, "MPI_INT"); /* resolved */
    begin("commit", STOP_ONCE);
    MPI_Type_commit(&type);
    end();
    begin("commit once more", STOP_SAME);
    MPI_Type_commit(&type);
    end();
    begin("name", STOP_ONCE);
    MPI_Type_set_name(type, "particle");
    end();
    begin("another name", STOP_ONCE);
    MPI_Type_set_name(type, "a particle with a longer name");
    end();
    begin("no name", STOP_ONCE);
    MPI_Type_set_name(type, "");
    end();
    MPI_Type_free(&type);
}

static void sites(void)
{
    MPI_Datatype type;
    uint32_t used = root->sites_used;
    begin("insertion from a new call site", STOP_ONCE);
    MPI_Type_contiguous(3, MPI_INT, &type);
    end();
    CHECK_EQUAL(root->sites_used, used + 1);
    MPI_Type_free(&type);
    hold_one();
    free_held(); /* from where that is done below */
    /* Each of these calls is a place of its own: until the table of sites and its chunk are full.
     */
#define CALL                                                                                       \
    if (root->sites_used % 512 != 0)                                                               \
        MPI_Type_contiguous(3, MPI_INT, &held[held_count++]);
#define CALLS(X) X X X X X X X X
    CALLS(CALLS(CALLS(CALL)))
    CHECK_EQUAL(root->sites_used % 512, 0);
    uint32_t chunks = root->site_chunk_count;
    begin("growth of the table of call sites", STOP_ONCE);
    MPI_Type_contiguous(3, MPI_INT, &type);
    end();
    CHECK_EQUAL(root->site_chunk_count, chunks + 1);
    MPI_Type_free(&type);
    free_held();
}

static void frees(void)
{
    MPI_Datatype base, top, type;
    MPI_Type_contiguous(3, MPI_INT, &base);
    MPI_Type_vector(2, 1, 4, base, &top);
    begin("free of a base that lives on below another", STOP_ONCE);
    MPI_Type_free(&base);
    end();
    begin("free of the type above it", STOP_ONCE);
    MPI_Type_free(&top);
    end();

    fill_table();
    hold_those_that_others_pass();
    begin("free of 16 types in a full table", STOP_CHANGES);
    for (int i = 0; i < 16; i++)
        MPI_Type_free(&held[--held_count]);
    end();
    hold_those_that_others_pass();
    CHECK(others_pass(held[held_count - 1])); /* else this part shows nothing */
    begin("free of a type whose place another one takes", STOP_ONCE);
    MPI_Type_free(&held[--held_count]);
    end();
    free_held();

    fill_ring();
    MPI_Type_vector(5, 1, 7, MPI_INT, &type);
    begin("free with the ring full", STOP_ONCE);
    MPI_Type_free(&type);
    end();

    /* The tombstone that gives way is the last to hold its base. */
    MPI_Type_contiguous(5, MPI_INT, &base);
    MPI_Type_vector(5, 1, 7, base, &type);
    MPI_Type_free(&base);
    MPI_Type_free(&type);
    MPI_Type_contiguous(6, MPI_INT, &type);
    uint64_t serial = newest_tombstone()->serial;
    for (int found = 1; found;) {
        free_one();
        const uint32_t *ring = at(root->ring);
        uint32_t oldest = 1;
        while (!ring[(root->ring_next + oldest) % root->ring_slots])
            oldest++;
        found = node_at(ring[(root->ring_next + oldest) % root->ring_slots] - 1)->serial != serial;
    }
    begin("free that makes a whole tree give way", STOP_ONCE);
    MPI_Type_free(&type);
    end();

    for (int i = 0; i < 8; i++)
        hold_one();
    while (root->ring_next != root->ring_slots - 4)
        free_one();
    begin("free of 8 types across the ring's end", STOP_CHANGES);
    for (int i = 0; i < 8; i++)
        MPI_Type_free(&held[--held_count]);
    end();
    CHECK(root->ring_next < 8);
    free_held();
}

static int refuse(MPI_Datatype *datatype, int (*real)(MPI_Datatype *))
{
    (void)datatype, (void)real;
    return MPI_ERR_OTHER;
}

static void refused_free(void)
{
    int (**tool)(MPI_Datatype *, int (*)(MPI_Datatype *)) = dlsym(RTLD_DEFAULT, "free_tool");
    MPI_Datatype type;
    CHECK(tool != NULL);
    MPI_Type_contiguous(7, MPI_INT, &type);
    *tool = refuse;
    begin("free that MPI refuses", STOP_CHANGES);
    int result = MPI_Type_free(&type);
    end();
    *tool = NULL;
    CHECK_EQUAL(result, MPI_ERR_OTHER);
    CHECK_EQUAL(node_of(type)->args[0], 7);
    CHECK_EQUAL(node_of(type)->flags, 0);
    MPI_Type_free(&type);
}

/* MPI's own name past the recorder: a free that nobody sees, and the handle is given out again. */
static void replaced(void)
{
    int (*unseen_free)(MPI_Datatype *);
    Dl_info info;
    dladdr(dlsym(RTLD_DEFAULT, "MPI_Wtime"), &info);
    void *mpi = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&unseen_free = dlsym(mpi, "PMPI_Type_free");
    fill_ring();
    MPI_Datatype type, other;
    MPI_Type_contiguous(7, MPI_INT, &type);
    uint64_t handle = number_of(type);
    unseen_free(&type);
    begin("insertion under a handle that lives", STOP_ONCE);
    MPI_Type_vector(9, 1, 2, MPI_INT, &other);
    end();
    CHECK_EQUAL(number_of(other), handle); /* else this part shows nothing */
    MPI_Type_free(&other);
}

static void contents(void)
{
    int lengths[] = {1, 1, 1}, integers[8];
    MPI_Aint offsets[] = {0, 64, 128}, addresses[8];
    MPI_Datatype types[3], top, out[3];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 3; i++)
            MPI_Type_contiguous(i + 2, MPI_INT, &types[i]);
        MPI_Type_create_struct(3, lengths, offsets, types, &top);
        MPI_Type_free(&types[0]);
        MPI_Type_free(&types[1]);
        if (round)
            begin("handles that MPI_Type_get_contents gives out", STOP_CHANGES);
        MPI_Type_get_contents(top, 4, 3, 3, integers, addresses, out);
        if (round)
            end();
        MPI_Type_free(&types[2]);
        for (int i = 0; i < 3; i++)
            MPI_Type_free(&out[i]);
        MPI_Type_free(&top);
    }
}

static void unknown_base(void)
{
    int (*unseen)(int, MPI_Datatype, MPI_Datatype *);
    Dl_info info;
    dladdr(dlsym(RTLD_DEFAULT, "MPI_Wtime"), &info);
    void *mpi = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&unseen = dlsym(mpi, "PMPI_Type_contiguous");
    MPI_Datatype base, top;
    unseen(5, MPI_INT, &base);
    begin("insertion on a base that nobody saw", STOP_CHANGES);
    MPI_Type_vector(3, 1, 2, base, &top);
    end();
    CHECK_EQUAL(node_at(node_of(top)->base)->combiner, ST_OPAQUE);
    MPI_Type_free(&top);
    MPI_Type_free(&base);
}

/* More bytes than tombstones may hold: old ones give way, one after the other. */
static void ring_bytes(void)
{
    enum { COUNT = 3500 };
    static int offsets[COUNT];
    for (int i = 0; i < COUNT; i++)
        offsets[i] = 3 * i;
    for (int i = 0; i < 100; i++)
        MPI_Type_create_indexed_block(COUNT, 1, offsets, MPI_INT, &held[held_count++]);
    for (int i = 0; i < 98; i++)
        MPI_Type_free(&held[--held_count]);
    begin("free with the ring's memory used up", STOP_CHANGES);
    MPI_Type_free(&held[--held_count]);
    end();
    free_held();
}

static void growth(void)
{
    MPI_Datatype type;
    fill_table();
    uint64_t table = root->table;
    begin("growth of the table", STOP_ONCE);
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &type);
    end();
    CHECK(root->table != table);
    MPI_Type_free(&type);

    uint32_t chunks = root->node_chunk_count;
    while (root->nodes_used % root->nodes_per_chunk != 0)
        hold_one();
    begin("growth of the arena", STOP_ONCE);
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &type);
    end();
    CHECK_EQUAL(root->node_chunk_count, chunks + 1);
    MPI_Type_free(&type);
    free_held();
}

int main(int argc, char **argv)
{
    start();
    board = stop_board_of_rank();
    if (!board) {
        puts("FAIL: to be started by steps\n0 passed, 1 failed");
        return 1;
    }
    board->root = (uint64_t)(uintptr_t)root;
    begin("MPI_Init", STOP_CHANGES);
    MPI_Init(&argc, &argv);
    end();
    creation();
    commit_and_name();
    sites();
    frees();
    refused_free();
    replaced();
    contents();
    unknown_base();
    ring_bytes();
    growth();
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    board->done = 1;
    mark();
    return failed != 0;
}
