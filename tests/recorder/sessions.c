/* MPI sessions: types without MPI_Init, and no world. */
#include "recorder/tree.h"

int main(void)
{
    start();
#if MPI_VERSION >= 4
    MPI_Session session;
    MPI_Datatype t;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    CHECK_EQUAL(root->state, ST_STATE_INITIALIZED);
    CHECK_EQUAL(root->world_rank, -1);
    CHECK_EQUAL(root->world_size, -1);
    MPI_Type_vector(3, 1, 8, MPI_DOUBLE, &t);
    CHECK_EQUAL(node_of(t)->combiner, ST_VECTOR);
    CHECK_EQUAL(node_at(node_of(t)->base)->args[0], 8);
    MPI_Type_free(&t);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Session_finalize(&session);
#else
    puts("note: this MPI has no sessions");
    CHECK_EQUAL(root->state, ST_STATE_LOADED);
#endif
    return finish();
}
