/*
 * Random datatypes in blocks of malloc that they just fit into, and that are too short for them by a few
 * bytes, at either end: those are found, with --check=size, and no others.
 *
 *     size_random      one rank; ends with 1 and a sentence if it is otherwise
 *
 * All elements are aligned: what is suspicious already is not looked at any further.
 *
 * How far a datatype reaches is asked of MPI; what was found is read where a debugger reads it
 * (core/model/registry.h).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/model/registry.h"

enum { ROUNDS = 1500, MOST_SPAN = 1 << 20 };

static const struct st_root *root;
static unsigned seed = 20261122;

static int below(int limit)
{
    return rand_r(&seed) % limit;
}

static long found(void)
{
    long sum = 0;
    const struct st_report *report = (const struct st_report *)(uintptr_t)root->reports;
    for (; report; report = (const struct st_report *)(uintptr_t)report->next)
        if (strstr((const char *)(report + 1), "\"buffer-size\""))
            sum += (long)report->count;
    return sum;
}

static MPI_Datatype basic(void)
{
    const MPI_Datatype types[] = {MPI_CHAR, MPI_SHORT, MPI_INT, MPI_DOUBLE};
    return types[below(4)];
}

static MPI_Datatype placed(MPI_Datatype base)
{
    int lengths[4], count = 1 + below(4), in_elements = below(2);
    int places[4], at = 0;
    MPI_Aint offsets[4], lb, extent;
    MPI_Datatype members[4], type;
    MPI_Type_get_extent(base, &lb, &extent);
    for (int i = 0; i < count; i++) {
        lengths[i] = 1 + below(3);
        places[i] = at;
        offsets[i] = (MPI_Aint)at * llabs(extent) + (in_elements ? 0 : 8 * below(5));
        members[i] = base;
        at += lengths[i] + 1 + below(3);
    }
    if (in_elements)
        MPI_Type_indexed(count, lengths, places, base, &type);
    else if (below(2))
        MPI_Type_create_hindexed(count, lengths, offsets, base, &type);
    else
        MPI_Type_create_struct(count, lengths, offsets, members, &type);
    return type;
}

/* One constructor above `base`. */
static MPI_Datatype above(MPI_Datatype base)
{
    static const int strides[] = {-4, -3, -2, 0, 1, 2, 3, 4, 7}; /* -1: docs/mpi-libraries.md */
    int sizes[2] = {2 + below(4), 2 + below(4)}, part[2], start[2];
    MPI_Aint lb, extent;
    MPI_Datatype type;
    MPI_Type_get_extent(base, &lb, &extent);
    switch (below(6)) {
    case 0:
        MPI_Type_contiguous(1 + below(4), base, &type);
        return type;
    case 1:
        MPI_Type_vector(1 + below(4), 1 + below(3), strides[below(9)], base, &type);
        return type;
    case 2:
        MPI_Type_create_hvector(1 + below(4), 1, 8 * (below(25) - 8), base, &type);
        return type;
    case 3:
        for (int i = 0; i < 2; i++) {
            part[i] = 1 + below(sizes[i]);
            start[i] = below(sizes[i] - part[i] + 1);
        }
        MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_FORTRAN, base, &type);
        return type;
    case 4:
        MPI_Type_create_resized(base, lb, extent + 8 * (below(5) - 1), &type);
        return type;
    default:
        return placed(base);
    }
}

static MPI_Datatype random_type(void)
{
    MPI_Datatype type, base = basic();
    MPI_Type_dup(base, &type);
    for (int depth = below(4); depth > 0; depth--) {
        MPI_Datatype next = above(type);
        MPI_Type_free(&type);
        type = next;
    }
    MPI_Type_commit(&type);
    return type;
}

/* One call site for each of what is right and wrong: it is counted. */
static long right(void *buffer, int count, MPI_Datatype type)
{
    long before = found();
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_SELF);
    return found() - before;
}

static long wrong(void *buffer, int count, MPI_Datatype type)
{
    long before = found();
    MPI_Bcast(buffer, count, type, 0, MPI_COMM_SELF);
    return found() - before;
}

/* The bytes that `count` elements span, from the buffer's address. */
static int span_of(MPI_Datatype type, int count, MPI_Aint *low, MPI_Aint *high)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    int size;
    MPI_Type_size(type, &size);
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    MPI_Aint last = (count - 1) * extent;
    *low = true_lb + (last < 0 ? last : 0);
    *high = true_lb + true_extent + (last > 0 ? last : 0);
    return size > 0 && *high - *low > 8 && *high - *low < MOST_SPAN;
}

int main(int argc, char **argv)
{
    long fits = 0, short_ones = 0, failed = 0;
    MPI_Init(&argc, &argv);
    root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Datatype type = random_type();
        MPI_Aint low, high;
        int count = 1 + below(5);
        if (span_of(type, count, &low, &high)) {
            MPI_Aint slack = 8 * below(10), less = 1 + below(4);
            char *block = calloc(1, (size_t)(high - low + slack));
            if (right(block - low, count, type) || right(block + slack - low, count, type)) {
                printf("round %d: found where it fits\n", i);
                failed++;
            }
            free(block);
            block = calloc(1, (size_t)(high - low - less));
            if (wrong(block - low, count, type) != 1) {
                printf("round %d: not found, %ld bytes less of %ld\n", i, (long)less,
                       (long)(high - low));
                failed++;
            }
            free(block);
            fits++;
            short_ones++;
        }
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    if (failed || fits < ROUNDS / 2)
        printf("%ld that fit, %ld that do not; %ld failed\n", fits, short_ones, failed);
    return failed || fits < ROUNDS / 2;
}
