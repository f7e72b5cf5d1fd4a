/*
 * Random nonblocking exchanges of random datatypes, held against a map of the bytes in use: each call
 * that uses memory of a pending operation is found, and no other one.
 *
 *     exchange [threads] [modified]   two ranks; ends with 1 and a sentence if it is otherwise
 *
 * With "modified", under MPIPP_CHECK=modified, bytes are changed at random meanwhile: each send whose
 * bytes are others when it is complete is found, and no other one, but where a receive into the same
 * memory was found already. With threads a few may be missed: where one thread is given the handle of a
 * request that another one is just completing, nobody can tell that this one was complete in order.
 *
 * What the library has found is read where a debugger reads it (core/model/registry.h).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/registry.h"

enum { MEMORY = 1 << 13, MOST_BYTES = 600, TYPES = 24, ROUNDS = 720, SLOTS = 32, THREADS = 3 };

/* A datatype and the bytes that it names, none of them twice. */
struct layout {
    MPI_Datatype type;
    int count, span; /* bytes; one more than the last displacement */
    int at[MOST_BYTES];
};

struct operation {
    MPI_Request request;
    const struct layout *layout;
    int place, tag;
    int writes, pending, persistent;
    int spoilt; /* what is sent is received into as well */
    unsigned char sent[MOST_BYTES];
};

struct worker {
    MPI_Comm comm;
    uint64_t seed;
    struct layout types[TYPES];
    struct operation slots[SLOTS];
    unsigned char memory[MEMORY];
    unsigned char readers[MEMORY], writers[MEMORY]; /* how many pending operations use the byte */
    long calls, expected, changed;                  /* of `expected` */
    int tag;
};

static const struct st_root *root;
static int rank, threaded, modifies;

static unsigned below(struct worker *w, unsigned limit)
{
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(w->seed >> 33) % limit;
}

/* --- datatypes ----------------------------------------------------------------------------- */

static void add(struct layout *layout, int at)
{
    layout->at[layout->count++] = at;
    layout->span = at + 1 > layout->span ? at + 1 : layout->span;
}

static void make_vector(struct worker *w, struct layout *layout)
{
    int count = 1 + (int)below(w, 12), length = 1 + (int)below(w, 12);
    int stride = length + (int)below(w, 20);
    MPI_Type_vector(count, length, stride, MPI_BYTE, &layout->type);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < length; k++)
            add(layout, i * stride + k);
}

static void make_indexed(struct worker *w, struct layout *layout)
{
    int count = 1 + (int)below(w, 8), lengths[8], places[8], at = (int)below(w, 9);
    for (int i = 0; i < count; i++) {
        lengths[i] = (int)below(w, 9);
        places[i] = at;
        for (int k = 0; k < lengths[i]; k++)
            add(layout, at + k);
        at += lengths[i] + (int)below(w, 30);
    }
    MPI_Type_indexed(count, lengths, places, MPI_BYTE, &layout->type);
}

/* Planes of planes: combs of combs. */
static void make_nested(struct worker *w, struct layout *layout)
{
    int inner = 1 + (int)below(w, 5), step = 1 + (int)below(w, 5);
    int outer = 1 + (int)below(w, 6), stride = inner * step + (int)below(w, 40);
    MPI_Datatype row;
    MPI_Type_vector(inner, 1, step, MPI_BYTE, &row);
    MPI_Type_create_hvector(outer, 1, stride, row, &layout->type);
    MPI_Type_free(&row);
    for (int i = 0; i < outer; i++)
        for (int k = 0; k < inner; k++)
            add(layout, i * stride + k * step);
}

static void make_type(struct worker *w, struct layout *layout)
{
    static void (*const make[])(struct worker *, struct layout *) = {make_vector, make_indexed,
                                                                     make_nested};
    layout->count = layout->span = 0;
    make[below(w, 3)](w, layout);
    MPI_Type_commit(&layout->type);
}

/* --- the map of bytes ---------------------------------------------------------------------- */

static int conflicts(const struct worker *w, const struct layout *layout, int place, int writes)
{
    for (int i = 0; i < layout->count; i++)
        if (w->writers[place + layout->at[i]] || (writes && w->readers[place + layout->at[i]]))
            return 1;
    return 0;
}

static int overlap(const struct operation *a, const struct operation *b)
{
    for (int i = 0; i < a->layout->count; i++)
        for (int k = 0; k < b->layout->count; k++)
            if (a->place + a->layout->at[i] == b->place + b->layout->at[k])
                return 1;
    return 0;
}

/* What a receive writes is not compared any more. */
static void spoil(struct worker *w, const struct operation *receive)
{
    for (int i = 0; i < SLOTS && modifies; i++)
        if (w->slots[i].pending && !w->slots[i].writes && overlap(&w->slots[i], receive))
            w->slots[i].spoilt = 1;
}

static void remember(struct worker *w, struct operation *o)
{
    for (int i = 0; i < o->layout->count; i++) {
        o->sent[i] = w->memory[o->place + o->layout->at[i]];
        o->spoilt = o->spoilt || w->writers[o->place + o->layout->at[i]];
    }
}

/* Whether it is to be found when the operation is complete. */
static int has_changed(const struct worker *w, const struct operation *o)
{
    for (int i = 0; i < o->layout->count && modifies && !o->writes && !o->spoilt; i++)
        if (w->memory[o->place + o->layout->at[i]] != o->sent[i])
            return 1;
    return 0;
}

/* A byte anywhere, mostly one between those that are being sent. */
static void change(struct worker *w)
{
    const struct operation *o = &w->slots[below(w, SLOTS)];
    if (!modifies)
        return;
    for (int tries = 0; tries < 8 && (!o->pending || o->writes); tries++)
        o = &w->slots[below(w, SLOTS)];
    if (o->pending && !o->writes && o->layout->span)
        w->memory[o->place + (int)below(w, (unsigned)o->layout->span)]++;
    else
        w->memory[below(w, MEMORY)]++;
}

static void take(struct worker *w, const struct operation *o, int change)
{
    unsigned char *map = o->writes ? w->writers : w->readers;
    for (int i = 0; i < o->layout->count; i++)
        map[o->place + o->layout->at[i]] =
            (unsigned char)(map[o->place + o->layout->at[i]] + change);
}

/* --- what the library found ---------------------------------------------------------------- */

static long found(const char *id)
{
    long sum = 0;
    const struct st_report *report = (const struct st_report *)(uintptr_t)root->reports;
    for (; report; report = (const struct st_report *)(uintptr_t)report->next)
        if (strstr((const char *)(report + 1), id))
            sum += (long)__atomic_load_n(&report->count, __ATOMIC_ACQUIRE);
    return sum;
}

static void check(struct worker *w, int expected, const char *what)
{
    static _Thread_local long before;
    w->calls++;
    w->expected += expected;
    if (threaded)
        return;
    long now = found("\"buffer-");
    if (now - before != expected) {
        printf("rank %d, call %ld, %s: %ld found, %d expected\n", rank, w->calls, what,
               now - before, expected);
        exit(1);
    }
    before = now;
}

/* --- calls --------------------------------------------------------------------------------- */

static void check_complete(struct worker *w, int changed, const char *what)
{
    w->changed += changed;
    check(w, changed, what);
}

static struct operation *free_slot(struct worker *w)
{
    for (int i = 0; i < SLOTS; i++)
        if (!w->slots[i].pending)
            return &w->slots[i];
    return NULL;
}

static int place_of(struct worker *w, const struct layout *layout, int writes, int crowded)
{
    int place = 0;
    for (int tries = 0; tries < 20; tries++) {
        place = (int)below(w, (unsigned)((crowded ? MEMORY / 8 : MEMORY) - layout->span));
        if (!conflicts(w, layout, place, writes))
            break;
        if (crowded && !below(w, 3))
            break;
    }
    return place;
}

/* One side of a message: what is received has room for what is sent. */
static void begin(struct worker *w, const struct layout *layout, int writes, int tag, int crowded)
{
    struct operation *o = free_slot(w);
    int other = 1 - rank, how = (int)below(w, 4);
    *o = (struct operation){.layout = layout, .tag = tag, .writes = writes, .pending = 1};
    o->place = place_of(w, layout, writes, crowded);
    int expected = conflicts(w, layout, o->place, writes);
    unsigned char *at = w->memory + o->place;
    if (writes)
        spoil(w, o);
    else
        remember(w, o);
    if (how == 0 && writes) {
        MPI_Recv_init(at, 1, layout->type, other, tag, w->comm, &o->request);
        check(w, 0, "MPI_Recv_init");
        MPI_Start(&o->request);
        o->persistent = 1;
    } else if (how == 0) {
        MPI_Ssend_init(at, 1, layout->type, other, tag, w->comm, &o->request);
        check(w, 0, "MPI_Ssend_init");
        MPI_Start(&o->request);
        o->persistent = 1;
    } else if (writes) {
        MPI_Irecv(at, 1, layout->type, other, tag, w->comm, &o->request);
    } else if (how == 1 &&
               !threaded) { /* else threads share its handle, too: nobody can tell whose is whose */
        MPI_Isend(at, 1, layout->type, other, tag, w->comm, &o->request);
    } else {
        MPI_Issend(at, 1, layout->type, other, tag, w->comm, &o->request);
    }
    check(w, expected, writes ? "a receive" : "a send");
    take(w, o, 1);
}

static void pair(struct worker *w, int crowded)
{
    const struct layout *a = &w->types[below(w, TYPES)], *b = &w->types[below(w, TYPES)];
    const struct layout *received = a->count > b->count ? a : b, *sent = received == a ? b : a;
    int tag = w->tag++ % 1000;
    begin(w, received, 1, tag, crowded);
    begin(w, sent, 0, tag, crowded);
}

static void at_once(struct worker *w, int crowded)
{
    const struct layout *a = &w->types[below(w, TYPES)], *b = &w->types[below(w, TYPES)];
    const struct layout *received = a->count > b->count ? a : b, *sent = received == a ? b : a;
    int into = place_of(w, received, 1, crowded), from = place_of(w, sent, 0, crowded);
    struct operation own = {.layout = sent, .place = from};
    int first = conflicts(w, sent, from, 0), second = conflicts(w, received, into, 1);
    take(w, &own, 1);
    second = second || conflicts(w, received, into, 1);
    take(w, &own, -1);
    spoil(w, &(struct operation){.layout = received, .place = into});
    MPI_Sendrecv(w->memory + from, 1, sent->type, 1 - rank, 2000, w->memory + into, 1,
                 received->type, 1 - rank, 2000, w->comm, MPI_STATUS_IGNORE);
    check(w, first + second, "MPI_Sendrecv");
}

static void ended(struct worker *w, struct operation *o)
{
    take(w, o, -1);
    o->pending = 0;
    if (o->persistent)
        MPI_Request_free(&o->request);
}

static void wait_one(struct worker *w)
{
    struct operation *o = &w->slots[below(w, SLOTS)];
    if (!o->pending || (!o->writes && !o->persistent))
        return; /* small sends may share a handle */
    if (below(w, 2)) {
        MPI_Wait(&o->request, MPI_STATUS_IGNORE);
    } else {
        for (int flag = 0; !flag;)
            MPI_Test(&o->request, &flag, MPI_STATUS_IGNORE);
    }
    check_complete(w, has_changed(w, o), "MPI_Wait or MPI_Test");
    ended(w, o);
}

static void wait_all(struct worker *w)
{
    MPI_Request all[SLOTS];
    int changed = 0;
    for (int i = 0; i < SLOTS; i++)
        all[i] = w->slots[i].pending ? w->slots[i].request : MPI_REQUEST_NULL;
    MPI_Waitall(SLOTS, all, MPI_STATUSES_IGNORE);
    for (int i = 0; i < SLOTS; i++)
        if (w->slots[i].pending)
            changed += has_changed(w, &w->slots[i]);
    check_complete(w, changed, "MPI_Waitall");
    for (int i = 0; i < SLOTS; i++)
        if (w->slots[i].pending)
            ended(w, &w->slots[i]);
}

static void *work(void *state)
{
    struct worker *w = state;
    for (int i = 0; i < TYPES; i++)
        make_type(w, &w->types[i]);
    for (int round = 0; round < ROUNDS / (threaded ? 3 * THREADS : 1); round++) {
        int crowded = round % 2, pairs = 2 + (int)below(w, SLOTS / 2 - 1);
        for (int i = 0; i < pairs; i++) {
            pair(w, crowded);
            if (!below(w, 3))
                at_once(w, crowded);
            if (below(w, 4))
                change(w);
            if (!below(w, 4) && i + 1 < pairs)
                wait_one(w);
        }
        /* A type that is freed while it is in use, and a new one. */
        struct layout *layout = &w->types[below(w, TYPES)];
        struct layout old = *layout;
        MPI_Type_free(&old.type);
        wait_all(w);
        make_type(w, layout);
    }
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&w->types[i].type);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    int provided;
    long calls = 0, expected = 0, changed = 0;
    for (int i = 1; i < argc; i++) {
        threaded = threaded || strcmp(argv[i], "threads") == 0;
        modifies = modifies || strcmp(argv[i], "modified") == 0;
    }
    MPI_Init_thread(&argc, &argv, threaded ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    if (!root || (threaded && provided != MPI_THREAD_MULTIPLE))
        return 2;
    for (int i = 0; i < (threaded ? THREADS : 1); i++) {
        workers[i].seed = 1 + (uint64_t)i;
        MPI_Comm_dup(MPI_COMM_WORLD, &workers[i].comm);
    }
    if (!threaded)
        work(&workers[0]);
    for (int i = 0; threaded && i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &workers[i]);
    for (int i = 0; i < (threaded ? THREADS : 1); i++) {
        if (threaded)
            pthread_join(threads[i], NULL);
        calls += workers[i].calls;
        expected += workers[i].expected;
        changed += workers[i].changed;
        MPI_Comm_free(&workers[i].comm);
    }
    long modified = found("\"buffer-modified\""), least = changed - (threaded ? changed / 20 : 0);
    if (found("\"buffer-") - modified != expected - changed || modified > changed ||
        modified < least || expected < 100 || (modifies && changed < 20)) {
        printf("rank %d: %ld found, %ld expected; of these changed: %ld found, %ld expected\n",
               rank, found("\"buffer-"), expected, modified, changed);
        return 1;
    }
    if (rank == 0)
        printf("%ld calls, %ld of them wrong, %ld of these as what is sent has changed\n", calls,
               expected, changed);
    MPI_Finalize();
    return 0;
}
