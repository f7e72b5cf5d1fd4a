/* Several threads do everything at once that the recorder follows: also the program that is run
 * under the thread sanitizer (tests/tsan).
 *
 *     mixed_threads [ROUNDS [peek]]
 *
 * With peek, the main thread reads the registry meanwhile, with no lock.
 */
#include "recorder/tree.h"

#include <pthread.h>

enum { THREADS = 4 };

static int rounds = 2000;
static volatile uint64_t peeked;
static MPI_Datatype shared; /* all stand on it */

static void build(int i, MPI_Datatype *made)
{
    int lengths[] = {1, 2, i % 7}, displacements[] = {0, 4, 9}, sizes[] = {6, 5},
        subsizes[] = {2, 3}, starts[] = {1, 0};
    MPI_Aint offsets[] = {0, 40, 4096};
    MPI_Datatype types[] = {MPI_CHAR, shared, MPI_DOUBLE};
    switch (i % 9) {
    case 0:
        MPI_Type_contiguous(i % 11, shared, made);
        break;
    case 1:
        MPI_Type_vector(3, 2, i % 5, MPI_DOUBLE, made);
        break;
    case 2:
        MPI_Type_create_hvector(3, 2, 100, shared, made);
        break;
    case 3:
        MPI_Type_indexed(3, lengths, displacements, MPI_INT, made);
        break;
    case 4:
        MPI_Type_create_hindexed(3, lengths, offsets, shared, made);
        break;
    case 5:
        MPI_Type_create_struct(3, lengths, offsets, types, made);
        break;
    case 6:
        MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, made);
        break;
    case 7:
        MPI_Type_create_resized(shared, 0, 8 * (i % 9) + 64, made);
        break;
    default:
        MPI_Type_dup(shared, made);
        break;
    }
}

static void look_inside(MPI_Datatype type)
{
    int integers, addresses, types, combiner, numbers[16];
    MPI_Aint where[16];
    MPI_Datatype out[16];
    MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    /* No more than there are: Open MPI would look at what is in the rest. */
    MPI_Type_get_contents(type, integers, addresses, types, numbers, where, out);
    for (int i = 0; i < types; i++) {
        MPI_Type_get_envelope(out[i], &integers, &addresses, &integers, &combiner);
        if (combiner != MPI_COMBINER_NAMED)
            MPI_Type_free(&out[i]);
    }
}

static void *work(void *context)
{
    int me = (int)(intptr_t)context;
    for (int i = 0; i < rounds; i++) {
        MPI_Datatype type, above, f90;
        char name[32];
        build(i + me, &type);
        MPI_Type_commit(&type);
        snprintf(name, sizeof name, "thread %d, %d", me, i);
        MPI_Type_set_name(type, name);
        MPI_Type_contiguous(2, type, &above);
        MPI_Type_free(&type);
        look_inside(above);
        (void)MPI_Type_c2f(above);
        MPI_Type_set_name(above, "");
        MPI_Type_create_f90_real(6 + i % 5, MPI_UNDEFINED, &f90);
        MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &f90);
        MPI_Type_free(&above);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[THREADS];
    start();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (argc > 1)
        rounds = (int)strtol(argv[1], NULL, 10);
    CHECK_EQUAL(level, MPI_THREAD_MULTIPLE);
    MPI_Type_vector(3, 1, 2, MPI_INT, &shared);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(intptr_t)i);
    for (int i = 0; argc > 2 && i < 1000; i++)
        peeked += root->changes;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(root->live, 1);
    CHECK_EQUAL(node_of(shared)->handles, 1);
    CHECK(is_sound());
    MPI_Type_free(&shared);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
