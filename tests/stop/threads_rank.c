/*
 * The rank of threads.c: two threads that create, commit, name and free types until the test ends
 * them, and write their progress to the board.
 */
#define _GNU_SOURCE
#include "recorder/tree.h"

#include <pthread.h>

#include "stop/board.h"

static struct stop_board *board;

static uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 33) % limit;
}

static void say(struct stop_held *held, enum stop_phase phase)
{
    __atomic_store_n(&held->phase, phase, __ATOMIC_RELEASE);
}

/* The id is a parameter: threads.c finds it there (id_of). */
static void make(int id, MPI_Datatype *type)
{
    int lengths[] = {1, id}, displacements[] = {0, 1}, offsets[] = {id, 0, 2 * id};
    MPI_Aint bytes[] = {0, 16};
    MPI_Datatype base, types[] = {MPI_CHAR, MPI_DOUBLE};
    switch (id % 5) {
    case 0:
        MPI_Type_contiguous(id, MPI_INT, type);
        break;
    case 1: /* on a base that lives on below */
        MPI_Type_contiguous(STOP_BASE, MPI_INT, &base);
        MPI_Type_vector(2, 1, id, base, type);
        MPI_Type_free(&base);
        break;
    case 2:
        MPI_Type_indexed(2, lengths, displacements, MPI_INT, type);
        break;
    case 3:
        MPI_Type_create_indexed_block(3, 1, offsets, MPI_SHORT, type);
        break;
    default:
        MPI_Type_create_struct(2, lengths, bytes, types, type);
        break;
    }
}

static void change(struct stop_held *held, int *next_id)
{
    MPI_Datatype type;
    char name[32];
    switch (held->phase) {
    case STOP_NONE:
        held->id = (uint32_t)(*next_id += STOP_THREADS);
        say(held, STOP_CREATING);
        make((int)held->id, &type);
        held->handle = number_of(type);
        say(held, STOP_CREATED);
        return;
    case STOP_CREATED:
        memcpy(&type, &held->handle, sizeof type); /* little-endian, where it is an int */
        say(held, STOP_COMMITTING);
        MPI_Type_commit(&type);
        say(held, STOP_COMMITTED);
        return;
    case STOP_COMMITTED:
        memcpy(&type, &held->handle, sizeof type);
        snprintf(name, sizeof name, "type %u", held->id);
        say(held, STOP_NAMING);
        MPI_Type_set_name(type, name);
        say(held, STOP_NAMED);
        return;
    default:
        memcpy(&type, &held->handle, sizeof type);
        say(held, STOP_FREEING);
        MPI_Type_free(&type);
        say(held, STOP_NONE);
        return;
    }
}

static void *work(void *context)
{
    int me = (int)(intptr_t)context, next_id = STOP_FIRST_ID + me;
    uint64_t state = 88172645463325252u + (uint64_t)me;
    while (!__atomic_load_n(&board->done, __ATOMIC_ACQUIRE) && next_id < INT32_MAX / 4) {
        change(&board->held[me][random_below(&state, STOP_HELD)], &next_id);
        board->rounds[me]++;
    }
    for (int i = 0; i < STOP_HELD; i++)
        while (board->held[me][i].phase != STOP_NONE)
            change(&board->held[me][i], &next_id);
    return NULL;
}

int main(int argc, char **argv)
{
    int level;
    pthread_t threads[STOP_THREADS];
    start();
    board = stop_board_of_rank();
    if (!board) {
        puts("FAIL: to be started by threads\n0 passed, 1 failed");
        return 1;
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    board->unsupported = level != MPI_THREAD_MULTIPLE;
    __atomic_store_n(&board->root, (uint64_t)(uintptr_t)root, __ATOMIC_RELEASE);
    for (intptr_t i = 0; i < STOP_THREADS && !board->unsupported; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < STOP_THREADS && !board->unsupported; i++)
        pthread_join(threads[i], NULL);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return failed != 0;
}
