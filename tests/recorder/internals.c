/* What MPI makes for itself is not the program's: ROMIO's and collective operations' types. */
#include "recorder/tree.h"

#include <unistd.h>

static void test_file(void)
{
    char path[] = "/tmp/shadowtype-test-XXXXXX";
    int descriptor = mkstemp(path);
    MPI_File file;
    MPI_Datatype view, copy;
    int data[64] = {0};
    CHECK(descriptor >= 0);
    MPI_Type_vector(8, 1, 2, MPI_INT, &view);
    MPI_Type_commit(&view);
    uint32_t nodes = derived_nodes();
    MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, view, "native", MPI_INFO_NULL);
    MPI_File_write_all(file, data, 16, MPI_INT, MPI_STATUS_IGNORE);
    CHECK_EQUAL(derived_nodes(), nodes);
    CHECK_EQUAL(root->live, 1);

    /* What MPI hands out is the program's, though nobody saw its constructor. */
    MPI_Offset offset;
    MPI_Datatype element;
    char representation[MPI_MAX_DATAREP_STRING];
    MPI_File_get_view(file, &offset, &element, &copy, representation);
    CHECK(element == MPI_INT);
    CHECK_EQUAL(node_of(MPI_INT)->combiner, ST_NAMED);
    CHECK_EQUAL(node_of(copy)->combiner, ST_OPAQUE);
    CHECK_EQUAL(node_of(copy)->args[0], 32);
    CHECK_EQUAL(node_of(copy)->args[2], 60);
    CHECK_EQUAL(root->live, 2);
    MPI_Type_free(&copy);
    CHECK_EQUAL(root->live, 1);
    MPI_File_close(&file);
    CHECK_EQUAL(root->live, 1);
    MPI_Type_free(&view);
    CHECK_EQUAL(root->live, 0);
    close(descriptor);
    unlink(path);
    CHECK(is_sound());
}

static void test_collectives(void)
{
    int counts[] = {1}, displacements[] = {0}, from[8] = {0}, to[8];
    MPI_Datatype type;
    MPI_Type_vector(4, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    uint32_t nodes = derived_nodes();
    MPI_Alltoallw(from, counts, displacements, &type, to, counts, displacements, &type,
                  MPI_COMM_WORLD);
    MPI_Allreduce(from, to, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_free(&copy);
    CHECK_EQUAL(derived_nodes(), nodes);
    MPI_Type_free(&type);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
}

/* A base whose constructor was not seen is measured. */
static void test_unknown_base(void)
{
    Dl_info info;
    int (*contiguous)(int, MPI_Datatype, MPI_Datatype *);
    int (*resized)(MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype *);
    MPI_Datatype unseen[2], t;
    dladdr(dlsym(RTLD_DEFAULT, "MPI_Wtime"), &info);
    void *mpi = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    *(void **)&contiguous = dlsym(mpi, "PMPI_Type_contiguous");
    *(void **)&resized = dlsym(mpi, "PMPI_Type_create_resized");
    contiguous(5, MPI_INT, &unseen[0]);
    resized(MPI_INT, -4, 16, &unseen[1]);
    CHECK_EQUAL(ordinal_of(unseen[0]), ST_NO_NODE);
    MPI_Type_contiguous(2, unseen[0], &t);
    struct st_node *base = node_at(node_of(t)->base);
    CHECK_EQUAL(base->combiner, ST_OPAQUE);
    CHECK_EQUAL(base->args[0], 20);
    CHECK_EQUAL(base->args[2], 20);
    CHECK(is_sound());
    MPI_Type_free(&t);

    int lengths[] = {1, 1, 1};
    MPI_Aint offsets[] = {0, 64, 128};
    MPI_Datatype types[] = {unseen[1], MPI_CHAR, unseen[1]};
    MPI_Type_create_struct(3, lengths, offsets, types, &t);
    base = node_of(unseen[1]);
    CHECK_EQUAL(base->combiner, ST_OPAQUE);
    CHECK_EQUAL(base->args[0], 4);
    CHECK_EQUAL(base->args[1], -4);
    CHECK_EQUAL(base->args[2], 16);
    CHECK_EQUAL(base->references, 3);
    CHECK(is_sound());
    MPI_Type_free(&t);
    MPI_Type_free(&unseen[0]);
    MPI_Type_free(&unseen[1]);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
}

int main(int argc, char **argv)
{
    start();
    MPI_Init(&argc, &argv);
    test_collectives();
    test_unknown_base();
    test_file();
    MPI_Finalize();
    return finish();
}
