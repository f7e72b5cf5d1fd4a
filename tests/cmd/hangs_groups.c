/* Communicators that only the members of a group make: one of them does not come. */
#include "hangs.h"

#include <mpi.h>
#include <unistd.h>

enum { SECONDS = 6 };

static int number;

static MPI_Group group_of(int count, const int *ranks)
{
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, count, ranks, &group);
    MPI_Group_free(&world);
    return group;
}

static void make(MPI_Group group, int tag)
{
    MPI_Comm made;
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &made); /* hang: group */
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

/* Of four ranks, 1 is not in the group, and 2 waits for a message of 0. */
static void group_receives(void)
{
    if (rank == 2)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        make(group_of(3, (int[]){0, 2, 3}), 5);
}

/* Rank 2 goes to MPI_Finalize. */
static void group_finalized(void)
{
    if (rank == 0 || rank == 3)
        make(group_of(3, (int[]){0, 2, 3}), 5);
}

/* Rank 2 comes once, and the others come twice. */
static void group_twice(void)
{
    for (int i = 0; i < 3; i++)
        if (i < 2 || rank < 2)
            make(group_of(3, (int[]){0, 1, 2}), i % 2);
}

/* All come, and rank 1 passes another tag. */
static void group_tags(void)
{
    make(group_of(2, (int[]){0, 1}), rank);
}

/* Rank 2 comes late; rank 1 waits for it in many calls with other ranks. */
static void group_late(void)
{
    for (int i = 0; i < 3; i++) {
        if (rank == 2)
            sleep(SECONDS / 2);
        if (rank != 1)
            make(group_of(3, (int[]){0, 2, 3}), i);
    }
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4

static void make_from(MPI_Group group, const char *tag)
{
    MPI_Comm made;
    MPI_Comm_create_from_group(/* hang: from */ group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN,
                               &made);
    MPI_Comm_free(&made);
    MPI_Group_free(&group);
}

static void join(const char *tag)
{
    MPI_Comm made;
    const int upper = rank >= size / 2;
    MPI_Group halves[] = {group_of(2, (int[]){0, 1}), group_of(2, (int[]){2, 3})};
    MPI_Intercomm_create_from_groups(/* hang: join */ halves[upper], 0, halves[!upper], 0, tag,
                                     MPI_INFO_NULL, MPI_ERRORS_RETURN, &made);
    MPI_Comm_free(&made);
    MPI_Group_free(&halves[0]);
    MPI_Group_free(&halves[1]);
}

static void from_receives(void)
{
    if (rank == 2)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        make_from(group_of(3, (int[]){0, 2, 3}), "three");
}

static void from_ended(void)
{
    if (rank == 0 || rank == 3)
        make_from(group_of(3, (int[]){0, 2, 3}), "three");
}

/* Rank 1 of the lower half does not come. */
static void join_member(void)
{
    if (rank != 1)
        join("both");
}

/* The leader of the upper half does not come. */
static void join_leader(void)
{
    if (rank == 2)
        MPI_Recv(&number, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    join("both");
}

static void join_late(void)
{
    for (int late = 0; late < 4; late++) {
        if (rank == late)
            sleep(SECONDS / 2);
        join("both");
        make_from(group_of(4, (int[]){3, 2, 1, 0}), late % 2 ? "odd" : "even");
    }
}

#endif

const struct mode group_modes[] = {
    {"group_receives", group_receives},
    {"group_finalized", group_finalized},
    {"group_twice", group_twice},
    {"group_tags", group_tags},
    {"group_late", group_late},
#if MPI_VERSION >= 4
    {"from_receives", from_receives},
    {"from_ended", from_ended},
    {"join_member", join_member},
    {"join_leader", join_leader},
    {"join_late", join_late},
#endif
    {NULL, NULL},
};
