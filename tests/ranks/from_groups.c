/*
 * Communicators that are made of groups (MPI-4.0, 7.4 and 7.6): all members of a group must pass the same group and the
 * same string tag. As four ranks:
 *
 *     from_groups           the last rank passes others. A marked line is wrong, each of the others is right. The calls do
 *                           not reach MPI (swallow.py); the last rank makes its own when the others have.
 *     from_groups silent    MPI makes many communicators of all sorts, and they are used. Any number of ranks.
 */
#include "common.h"

extern int swallow;

static int odd; /* in the last rank */
static MPI_Group world, two, back, some, low, high;
static MPI_Comm made;

/* clang-format off */

#define LAST(...) do { if (odd) meet(); __VA_ARGS__; if (!odd) meet(); meet(); } while (0)
#define MAKE(group, tag) MPI_Comm_create_from_group(group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made)
#define JOIN(local, leader, remote, other, tag) \
    MPI_Intercomm_create_from_groups(local, leader, remote, other, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &made)

static void make(void)
{
    const int ends = rank == 0 || rank == 3;
    LAST(if (ends) MAKE(odd ? back : two, "ends"));                       /* wrong: collective-argument */
    LAST(if (ends) MAKE(odd ? world : two, "ends"));                      /* wrong: collective-argument */
    LAST(if (ends) MAKE(two, odd ? "other" : "ends"));                    /* wrong: collective-argument */
    LAST(MAKE(world, odd ? "" : "ends"));                                 /* wrong: collective-argument */
    LAST(if (ends) MAKE(two, "ends"));
    LAST(MAKE(ends ? two : some, ends ? "ends" : "inner"));
    LAST(MAKE(world, ""));
    MPI_Group same;
    const char tag[] = "";
    MPI_Comm_group(MPI_COMM_WORLD, &same);
    LAST(MAKE(odd ? same : world, odd ? tag : ""));
    MPI_Group_free(&same);
}

/* Ranks 0 and 1 join ranks 2 and 3. */
static void join(void)
{
    const int first = rank < 2;
    MPI_Group own = first ? low : high, there = first ? high : low, empty = MPI_GROUP_EMPTY, turned;
    MPI_Group_incl(world, 2, (int[]){3, 2}, &turned);
    LAST(JOIN(own, 0, there, 0, "both"));
    LAST(JOIN(own, 1, there, 1, "both"));
    LAST(JOIN(own, odd, there, odd ? 1 : 0, "both"));                     /* wrong: collective-argument */
    LAST(JOIN(odd ? turned : own, odd, there, 0, "both"));                /* wrong: collective-argument */
    LAST(JOIN(own, 0, there, 0, odd ? "other" : "both"));                 /* wrong: collective-argument */
    /* What is not significant: the remote group, where a rank does not lead. */
    LAST(JOIN(own, 0, rank == 3 || rank == 1 ? empty : there, rank == 3 ? 7 : 0, "both"));
    /* The last rank leads. */
    LAST(JOIN(own, first ? 0 : 1, there, first ? 1 : 0, first ? "both" : "other")); /* wrong: collective-argument */
    LAST(JOIN(first ? own : turned, 0, there, first, "both"));            /* wrong: collective-argument */
    MPI_Group_free(&turned);
}

static void use(void)
{
    int all = 0, is_inter;
    MPI_Comm_test_inter(made, &is_inter);
    if (is_inter)
        MPI_Barrier(made);
    else
        MPI_Allreduce(&rank, &all, 1, MPI_INT, MPI_SUM, made);
    MPI_Comm_free(&made);
}

static void silent(void)
{
    for (int i = 0; i < 20; i++) {
        MAKE(world, i % 2 ? "one" : "two");
        use();
        for (int other = 1; other < size; other++) { /* rank 0 makes one with each of the others */
            MPI_Group pair;
            MPI_Group_incl(world, 2, i % 3 ? (int[]){0, other} : (int[]){other, 0}, &pair);
            if (rank == 0 || rank == other) {
                MAKE(pair, "pair");
                use();
            }
            MPI_Group_free(&pair);
        }
        MPI_Group self, odds, evens;
        MPI_Group_incl(world, 1, &rank, &self);
        MAKE(self, rank % 2 ? "self" : "own");
        use();
        MPI_Group_free(&self);
        MPI_Group_range_incl(world, 1, (int[][3]){{0, (size - 1) / 2 * 2, 2}}, &evens);
        MPI_Group_difference(world, evens, &odds);
        MAKE(rank % 2 ? odds : evens, "same");
        use();
        JOIN(rank % 2 ? odds : evens, 0, rank % 2 ? evens : odds, 0, "same");
        use();
        MPI_Group_free(&evens);
        MPI_Group_free(&odds);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    odd = rank == size - 1;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (argc > 1) {
        silent();
    } else {
        MPI_Group_incl(world, 2, (int[]){0, 3}, &two);
        MPI_Group_incl(world, 2, (int[]){3, 0}, &back);
        MPI_Group_incl(world, 2, (int[]){1, 2}, &some);
        MPI_Group_incl(world, 2, (int[]){0, 1}, &low);
        MPI_Group_incl(world, 2, (int[]){2, 3}, &high);
        swallow = 1;
        make();
        join();
        swallow = 0;
        for (int i = 0; i < 5; i++)
            MPI_Group_free((MPI_Group *[]){&two, &back, &some, &low, &high}[i]);
    }
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
