/*
 * What one more pending operation costs, in time and in memory: bare and wrapped, in one process.
 *
 *     mpipp run -n 1 build/tests/bench/pending_bench-mpich times|basic|derived|collective
 *
 * All are receives of this rank from itself that nobody sends: pending until they are cancelled, and
 * no byte of their buffers is touched. So the buffers can lie in address space that is only reserved.
 * Lines: "NAME ns bare, ns wrapped" for a new one and its share of MPI_Waitall, the best of many
 * rounds; "bytes NAME bare wrapped": what a request adds to the process.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "bare.h"

enum { ROUNDS = 40, BATCH = 32, SIDE = 1024, MANY = 100000 };

#define PLANE ((size_t)SIDE * SIDE * sizeof(double)) /* bytes */
#define ARRAY ((size_t)SIDE * PLANE)

struct calls {
    int (*irecv)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*ialltoall)(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm,
                     MPI_Request *);
    int (*waitall)(int, MPI_Request *, MPI_Status *);
    int (*cancel)(MPI_Request *);
};

static struct calls bare, wrapped;
static MPI_Request older[MANY], fresh[BATCH];
static char *array; /* reserved, and never touched */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What is received into: a number of elements of a type, at so many places. */
struct place {
    MPI_Datatype type;
    int count;
    char *first;
    ptrdiff_t step; /* bytes from one buffer to the next */
};

/* Unlike every order that a tree likes, and each of them once. */
static size_t shuffled(size_t i, size_t count)
{
    return i * 7919 % count;
}

static void receive(const struct calls *calls, const struct place *place, size_t at, int tag,
                    MPI_Request *request)
{
    calls->irecv(place->first + (ptrdiff_t)at * place->step, place->count, place->type, 0, tag,
                 MPI_COMM_WORLD, request);
}

static void cancel(MPI_Request *requests, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bare.cancel(&requests[i]);
}

/* --- time ---------------------------------------------------------------------------------- */

/* One more, and its share of the MPI_Waitall that ends it, while `count` others are pending. */
static double one_more(const struct calls *calls, const struct place *place, size_t count)
{
    double start = now();
    for (size_t i = 0; i < BATCH; i++)
        receive(calls, place, shuffled(i * (count + BATCH) / BATCH, count + BATCH), 1, &fresh[i]);
    double time = now() - start;
    cancel(fresh, BATCH);
    start = now();
    calls->waitall(BATCH, fresh, MPI_STATUSES_IGNORE);
    return (time + now() - start) / BATCH;
}

static void begin_others(const struct calls *calls, const struct place *place, size_t count)
{
    size_t places = count + BATCH, begun = 0;
    char taken[places];
    memset(taken, 0, places);
    for (size_t i = 0; i < BATCH; i++)
        taken[shuffled(i * places / BATCH, places)] = 1;
    for (size_t i = 0; i < places && begun < count; i++) {
        size_t at = shuffled(i, places);
        if (!taken[at])
            receive(calls, place, at, 2, &older[begun++]);
    }
}

static void end_others(const struct calls *calls, size_t count)
{
    cancel(older, count);
    calls->waitall((int)count, older, MPI_STATUSES_IGNORE);
}

static void time_one_more(const char *name, const struct place *place, size_t count)
{
    const struct calls *both[2] = {&bare, &wrapped};
    double best[2] = {1e18, 1e18};
    for (int turn = 0; turn < 8; turn++) {
        begin_others(both[turn % 2], place, count);
        for (int i = 0; i < ROUNDS / 4; i++) {
            double time = one_more(both[turn % 2], place, count);
            best[turn % 2] = time < best[turn % 2] ? time : best[turn % 2];
        }
        end_others(both[turn % 2], count);
    }
    printf("%s %.1f %.1f\n", name, best[0], best[1]);
}

static MPI_Datatype committed(MPI_Datatype type)
{
    MPI_Type_commit(&type);
    return type;
}

static void times(void)
{
    MPI_Datatype vector, plane;
    struct place solid = {.type = MPI_BYTE, .count = 1024, .first = array, .step = 2048};
    time_one_more("at-100", &solid, 100);
    time_one_more("at-10000", &solid, 10000);

    MPI_Type_vector(64, 1, 2, MPI_DOUBLE, &vector);
    struct place derived = {committed(vector), 1, array, 2048};
    time_one_more("derived-at-100", &derived, 100);
    time_one_more("derived-at-10000", &derived, 10000);
    MPI_Type_free(&vector);

    /* Planes of SIDE^3 doubles, and as many buffers of their size: of a basic type, and of a type
     * that a program would make for it. */
    struct place buffers = {MPI_DOUBLE, SIDE * SIDE, array, (ptrdiff_t)PLANE};
    time_one_more("buffers", &buffers, BATCH);
    MPI_Type_contiguous(SIDE * SIDE, MPI_DOUBLE, &plane);
    struct place contiguous = {committed(plane), 1, array, (ptrdiff_t)PLANE};
    time_one_more("contiguous", &contiguous, BATCH);
    MPI_Type_free(&plane);

    static const char *const names[] = {"plane-xy", "plane-xz", "plane-yz"};
    int sizes[] = {SIDE, SIDE, SIDE};
    for (int axis = 0; axis < 3; axis++) {
        int parts[] = {SIDE, SIDE, SIDE}, starts[] = {0, 0, 0};
        ptrdiff_t step =
            axis == 0 ? (ptrdiff_t)PLANE : (ptrdiff_t)sizeof(double) * (axis == 1 ? SIDE : 1);
        parts[axis] = 1;
        MPI_Type_create_subarray(3, sizes, parts, starts, MPI_ORDER_C, MPI_DOUBLE, &plane);
        struct place planes = {committed(plane), 1, array, step};
        time_one_more(names[axis], &planes, BATCH);
        MPI_Type_free(&plane);
    }
}

/* --- memory -------------------------------------------------------------------------------- */

static double resident(void)
{
    char text[128] = "";
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fgets(text, sizeof text, file))
        sscanf(text, "%*s %ld", &pages);
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

/* The bare ones first, and once more: what MPI keeps of its own is there by then. */
static void bytes_of_receives(const char *name, const struct place *place)
{
    const struct calls *turns[] = {&bare, &bare, &wrapped};
    double bytes[3];
    for (int turn = 0; turn < 3; turn++) {
        double before = resident();
        for (size_t i = 0; i < MANY; i++)
            receive(turns[turn], place, shuffled(i, MANY), 1, &older[i]);
        bytes[turn] = (resident() - before) / MANY;
        cancel(older, MANY);
        turns[turn]->waitall(MANY, older, MPI_STATUSES_IGNORE);
    }
    printf("bytes-%s %.1f %.1f\n", name, bytes[1], bytes[2]);
}

/* They are complete in this rank of one, and pending until they are waited for. */
static void bytes_of_collectives(void)
{
    enum { COUNT = MANY / 10 };
    mprotect(array, (size_t)COUNT * 128, PROT_READ | PROT_WRITE);
    memset(array, 0, (size_t)COUNT * 128);
    const struct calls *turns[] = {&bare, &bare, &wrapped};
    double bytes[3];
    for (int turn = 0; turn < 3; turn++) {
        double before = resident();
        for (size_t i = 0; i < COUNT; i++)
            turns[turn]->ialltoall(array + i * 128, 1, MPI_DOUBLE, array + i * 128 + 64, 1,
                                   MPI_DOUBLE, MPI_COMM_WORLD, &older[i]);
        bytes[turn] = (resident() - before) / COUNT;
        turns[turn]->waitall(COUNT, older, MPI_STATUSES_IGNORE);
    }
    printf("bytes-collective %.1f %.1f\n", bytes[1], bytes[2]);
}

static struct calls wrapped_calls(void)
{
    return (struct calls){MPI_Irecv, MPI_Ialltoall, MPI_Waitall, MPI_Cancel};
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    wrapped = wrapped_calls();
    *(void **)&bare.irecv = bare_function("PMPI_Irecv");
    *(void **)&bare.ialltoall = bare_function("PMPI_Ialltoall");
    *(void **)&bare.waitall = bare_function("PMPI_Waitall");
    *(void **)&bare.cancel = bare_function("PMPI_Cancel");
    array = mmap(NULL, ARRAY + PLANE * BATCH * 2, PROT_NONE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (array == MAP_FAILED) {
        perror("pending_bench");
        return 2;
    }
    const char *what = argc > 1 ? argv[1] : "times";
    MPI_Datatype vector;
    MPI_Type_vector(64, 1, 2, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    for (size_t i = 0; i < MANY; i++)
        older[i] = MPI_REQUEST_NULL;
    if (!strcmp(what, "times"))
        times();
    else if (!strcmp(what, "basic"))
        bytes_of_receives(what, &(struct place){MPI_BYTE, 1024, array, 2048});
    else if (!strcmp(what, "derived"))
        bytes_of_receives(what, &(struct place){vector, 1, array, 2048});
    else
        bytes_of_collectives();
    MPI_Type_free(&vector);
    MPI_Finalize();
    return 0;
}
