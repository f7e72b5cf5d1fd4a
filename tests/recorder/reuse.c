/* One thread frees a type; before its MPI_Type_free comes back, MPI has given the handle to
 * another thread, which has recorded it: the late thread must not take that type for its own. With
 * free_tool.c below the recorder, which stands still between the two. */
#include "recorder/tree.h"

#include <pthread.h>
#include <semaphore.h>

typedef int free_fn(MPI_Datatype *datatype);

enum { ROUNDS = 50, TRIES = 2000 };

static sem_t freed, taken;
static uint64_t handle; /* that MPI has just taken back */
static MPI_Datatype others[TRIES];
static int made;

/* In the freeing thread, beneath the recorder. */
static int free_and_wait(MPI_Datatype *datatype, free_fn *real)
{
    handle = number_of(*datatype);
    int result = real(datatype);
    sem_post(&freed);
    sem_wait(&taken);
    return result;
}

/* Until MPI gives that handle out again: then others[made - 1] has it. */
static void *take_handle(void *context)
{
    (void)context;
    sem_wait(&freed);
    for (made = 0; made < TRIES;) {
        MPI_Type_vector(made + 2, 1, 9, MPI_INT, &others[made]);
        if (number_of(others[made++]) == handle)
            break;
    }
    sem_post(&taken);
    return NULL;
}

static int refuse_at_last(MPI_Datatype *datatype, free_fn *real)
{
    (void)datatype, (void)real;
    sem_post(&freed);
    sem_wait(&taken);
    return MPI_ERR_OTHER;
}

static void *make_three(void *context)
{
    (void)context;
    sem_wait(&freed);
    for (made = 0; made < 3; made++)
        MPI_Type_vector(made + 2, 1, 9, MPI_INT, &others[made]);
    sem_post(&taken);
    return NULL;
}

static int free_beside(void *(*beside)(void *), MPI_Datatype *type)
{
    pthread_t thread;
    pthread_create(&thread, NULL, beside, NULL);
    int result = MPI_Type_free(type);
    pthread_join(thread, NULL);
    return result;
}

static void free_others(void)
{
    while (made)
        MPI_Type_free(&others[--made]);
}

int main(int argc, char **argv)
{
    int level, met = 0;
    int (**tool)(MPI_Datatype *, free_fn *);
    start();
    tool = (int (**)(MPI_Datatype *, free_fn *))dlsym(RTLD_DEFAULT, "free_tool");
    if (!tool) {
        puts("FAIL: the tool is not preloaded\n0 passed, 1 failed");
        return 1;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    CHECK_EQUAL(level, MPI_THREAD_MULTIPLE);
    sem_init(&freed, 0, 0);
    sem_init(&taken, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Datatype type;
        MPI_Type_contiguous(round + 5, MPI_DOUBLE, &type);
        uint64_t serial = node_of(type)->serial;
        *tool = free_and_wait;
        CHECK_EQUAL(free_beside(take_handle, &type), MPI_SUCCESS);
        *tool = NULL;
        if (number_of(others[made - 1]) == handle) {
            met++;
            const struct st_node *taker = node_of(others[made - 1]);
            CHECK_EQUAL(taker->combiner, ST_VECTOR);
            CHECK_EQUAL(taker->args[0], made + 1);
            CHECK_EQUAL(taker->handles, 1);
            CHECK_EQUAL(taker->flags & ST_FREED, 0);
            CHECK(taker->serial > serial);
            CHECK_EQUAL(newest_tombstone()->serial, serial);
            CHECK_EQUAL(newest_tombstone()->combiner, ST_CONTIGUOUS);
        }
        CHECK_EQUAL(root->live, made);
        CHECK(is_sound());
        free_others();
    }
    CHECK(met > 0); /* else this shows nothing */
    printf("%d of %d times the handle was given out again at once\n", met, ROUNDS);

    /* What MPI refuses to free is there again, whatever came in between. */
    MPI_Datatype type;
    MPI_Type_contiguous(5, MPI_DOUBLE, &type);
    MPI_Type_set_name(type, "stays");
    MPI_Type_commit(&type);
    struct st_node before = *node_of(type);
    *tool = refuse_at_last;
    CHECK_EQUAL(free_beside(make_three, &type), MPI_ERR_OTHER);
    *tool = NULL;
    CHECK(memcmp(node_of(type), &before, sizeof before) == 0);
    CHECK(has_name(node_of(type), "stays"));
    CHECK_EQUAL(root->live, 4);
    CHECK(is_sound());
    free_others();
    MPI_Type_free(&type);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
