/* With another PMPI tool below the recorder (tool.c): it sees every call, each type is recorded
 * once. Callbacks of the program inside the tool's call are the program's still. */
#include "recorder/tree.h"

static MPI_Datatype kept;

static int on_delete(MPI_Datatype type, int keyval, void *value, void *state)
{
    (void)type, (void)keyval, (void)value, (void)state;
    MPI_Type_vector(4, 1, 9, MPI_INT, &kept);
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    start();
    int *vectors = dlsym(RTLD_DEFAULT, "counted_vectors");
    int *frees = dlsym(RTLD_DEFAULT, "counted_frees");
    if (!vectors || !frees) {
        puts("FAIL: the tool is not preloaded\n0 passed, 1 failed");
        return 1;
    }
    MPI_Init(&argc, &argv);
    MPI_Datatype t;
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    CHECK_EQUAL(*vectors, 1);
    CHECK_EQUAL(root->live, 1);
    CHECK_EQUAL(derived_nodes(), 1);
    CHECK_EQUAL(node_of(t)->combiner, ST_VECTOR);
    CHECK(site_is_in(node_of(t)->created, (void *)main));
    MPI_Type_free(&t);
    CHECK_EQUAL(*frees, 1);
    CHECK_EQUAL(root->live, 0);
    CHECK(site_is_in(newest_tombstone()->freed, (void *)main));

    /* By its other name, past the tool. */
    PMPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    CHECK_EQUAL(*vectors, 1);
    CHECK_EQUAL(root->live, 1);
    PMPI_Type_free(&t);
    CHECK_EQUAL(*frees, 1);
    CHECK_EQUAL(root->live, 0);

    int keyval;
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, on_delete, &keyval, NULL);
    MPI_Type_contiguous(2, MPI_INT, &t);
    MPI_Type_set_attr(t, keyval, NULL);
    MPI_Type_free(&t);
    CHECK_EQUAL(*vectors, 2);
    CHECK_EQUAL(root->live, 1);
    CHECK_EQUAL(node_of(kept)->args[0], 4);
    MPI_Type_free(&kept);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
