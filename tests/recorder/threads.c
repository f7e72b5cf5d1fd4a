/* Several threads make and free types at once: the same handles go from one to another.
 *
 *     threads [STEPS]
 */
#include "recorder/tree.h"

#include <pthread.h>

enum { THREADS = 4, HELD = 8 };

static int steps = 20000;

static int wrong[THREADS];

static void *work(void *context)
{
    int me = (int)(intptr_t)context;
    MPI_Datatype held[HELD];
    for (int i = 0; i < HELD; i++)
        held[i] = MPI_DATATYPE_NULL;
    for (int step = 0; step < steps; step++) {
        MPI_Datatype *slot = &held[step % HELD];
        if (*slot != MPI_DATATYPE_NULL)
            MPI_Type_free(slot);
        if (step % 3)
            MPI_Type_vector(me + 1, 1, step + 2, MPI_INT, slot);
        else
            MPI_Type_contiguous(step + 1, MPI_INT, slot);
        MPI_Type_commit(slot);
    }
    for (int i = 0; i < HELD; i++)
        MPI_Type_free(&held[i]);
    return NULL;
}

/* A type that a thread holds is the one that it made: checked while all others are quiet. */
static void *make_and_keep(void *context)
{
    MPI_Datatype *held = context;
    for (int i = 0; i < HELD; i++)
        MPI_Type_contiguous(i + 1, MPI_INT, &held[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[THREADS];
    start();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (argc > 1)
        steps = (int)strtol(argv[1], NULL, 10);
    if (level != MPI_THREAD_MULTIPLE) {
        puts("note: this MPI has no MPI_THREAD_MULTIPLE");
        MPI_Finalize();
        CHECK(1);
        return finish();
    }
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < THREADS; i++)
            pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        CHECK_EQUAL(root->live, 0);
        CHECK(derived_nodes() <= root->ring_slots);
        CHECK(is_sound());
    }
    static MPI_Datatype held[THREADS][HELD];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, make_and_keep, held[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(root->live, THREADS * HELD);
    for (int i = 0; i < THREADS; i++)
        for (int k = 0; k < HELD; k++) {
            wrong[i] += node_of(held[i][k])->args[0] != k + 1;
            MPI_Type_free(&held[i][k]);
        }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQUAL(wrong[i], 0);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
