/*
 * Arguments that all ranks must agree on in calls that make communicators, and on windows and files: the last rank
 * passes others. A marked line is wrong, each of the others is right. The calls do not reach MPI (swallow.py); the last
 * rank makes its own when the others have.
 *
 *     arguments         as four ranks
 */
#include "common.h"

extern int swallow;

static int odd; /* in the last rank */
static MPI_Win win;
static MPI_File file, other;
static MPI_Comm half, both, grid, made;
static MPI_Datatype five;
static const int one[ROOM] = {1, 1}, two[] = {2, 2};
/* Of the edge to the rank after the next one, and of two to the next one, in any order. */
static const int weights[] = {4, 7, 8}, swapped[] = {8, 4, 7}, others[] = {7, 4, 7};

/* clang-format off */

#define LAST(...) do { if (odd) meet(); __VA_ARGS__; if (!odd) meet(); meet(); } while (0)

static void windows(void)
{
    LAST(MPI_Win_fence(odd ? MPI_MODE_NOPRECEDE : 0, win));                               /* wrong: MPI_Win_fence */
    LAST(MPI_Win_fence(odd ? 0 : MPI_MODE_NOSUCCEED | MPI_MODE_NOPUT, win));              /* wrong: MPI_Win_fence */
    LAST(MPI_Win_fence(odd ? MPI_MODE_NOSTORE : MPI_MODE_NOPUT, win));
    LAST(MPI_Win_fence(MPI_MODE_NOPRECEDE | (odd ? MPI_MODE_NOPUT : 0), win));
}

static void files(void)
{
    LAST(MPI_File_open(MPI_COMM_WORLD, "data", odd ? MPI_MODE_RDONLY : MPI_MODE_RDWR, MPI_INFO_NULL, &other)); /* wrong: MPI_File_open */
    LAST(MPI_File_open(MPI_COMM_WORLD, odd ? "./data" : "data", MPI_MODE_RDWR, odd ? MPI_INFO_NULL : MPI_INFO_ENV, &other));
    LAST(MPI_File_set_size(file, odd ? 200 : 100));                                       /* wrong: MPI_File_set_size */
    LAST(MPI_File_preallocate(file, odd ? 200 : 100));                                    /* wrong: MPI_File_preallocate */
    LAST(MPI_File_set_size(file, 100));
    LAST(MPI_File_preallocate(file, 100));
    LAST(MPI_File_set_atomicity(file, odd));                                              /* wrong: MPI_File_set_atomicity */
    LAST(MPI_File_set_atomicity(file, 1 + odd));
    LAST(MPI_File_seek_shared(file, odd, MPI_SEEK_SET));                                  /* wrong: MPI_File_seek_shared */
    LAST(MPI_File_seek_shared(file, 0, odd ? MPI_SEEK_END : MPI_SEEK_SET));               /* wrong: MPI_File_seek_shared */
    LAST(MPI_File_seek_shared(file, 5, MPI_SEEK_CUR));
    LAST(MPI_File_set_view(file, 0, MPI_INT, MPI_INT, odd ? "internal" : "native", MPI_INFO_NULL)); /* wrong: MPI_File_set_view */
    LAST(MPI_File_set_view(file, 0, odd ? five : MPI_INT, odd ? five : MPI_INT, "native", MPI_INFO_NULL)); /* wrong: MPI_File_set_view */
    LAST(MPI_File_set_view(file, odd ? 40 : 0, odd ? MPI_FLOAT : MPI_INT, odd ? MPI_FLOAT : five, odd ? "native" : "NATIVE", MPI_INFO_NULL));
}

static void groups(void)
{
    MPI_Group world, two, back, some;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){0, 3}, &two);
    MPI_Group_incl(world, 2, (int[]){3, 0}, &back);
    MPI_Group_incl(world, 2, (int[]){1, 2}, &some);
    const int ends = rank == 0 || rank == 3;
    LAST(MPI_Comm_create(MPI_COMM_WORLD, odd ? back : ends ? two : some, &made));         /* wrong: MPI_Comm_create */
    LAST(MPI_Comm_create(MPI_COMM_WORLD, odd ? MPI_GROUP_EMPTY : ends ? two : some, &made)); /* wrong: MPI_Comm_create */
    LAST(MPI_Comm_create(MPI_COMM_WORLD, odd ? world : ends ? two : some, &made));        /* wrong: MPI_Comm_create */
    LAST(MPI_Comm_create(MPI_COMM_WORLD, ends ? two : some, &made));
    LAST(MPI_Comm_create(MPI_COMM_WORLD, ends ? two : MPI_GROUP_EMPTY, &made));
    LAST(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &made));
    LAST(MPI_Comm_create(MPI_COMM_WORLD, world, &made));
    /* Of these the other ranks know nothing. */
    LAST(if (ends) MPI_Comm_create_group(MPI_COMM_WORLD, odd ? back : two, 5, &made));    /* wrong: MPI_Comm_create_group */
    LAST(if (ends) MPI_Comm_create_group(MPI_COMM_WORLD, odd ? world : two, 5, &made));   /* wrong: MPI_Comm_create_group */
    LAST(if (ends) MPI_Comm_create_group(MPI_COMM_WORLD, two, 5 + odd, &made));           /* wrong: MPI_Comm_create_group */
    LAST(MPI_Comm_create_group(MPI_COMM_WORLD, world, odd ? 6 : 5, &made));               /* wrong: MPI_Comm_create_group */
    LAST(if (ends) MPI_Comm_create_group(MPI_COMM_WORLD, two, 5, &made));
    LAST(MPI_Comm_create_group(MPI_COMM_WORLD, ends ? two : some, ends ? 5 : 6, &made));
    LAST(MPI_Comm_create_group(MPI_COMM_WORLD, world, 6, &made));
    MPI_Group_free(&world);
    MPI_Group_free(&two);
    MPI_Group_free(&back);
    MPI_Group_free(&some);
}

static void intercomms(void)
{
    const int leads = rank < 2;
    LAST(MPI_Intercomm_create(MPI_COMM_WORLD, odd, MPI_COMM_WORLD, 3, 5, &made));         /* wrong: MPI_Intercomm_create */
    LAST(MPI_Intercomm_create(MPI_COMM_WORLD, 0, MPI_COMM_WORLD, 3, 5 + odd, &made));     /* no leader */
    LAST(MPI_Intercomm_create(half, 0, leads ? MPI_COMM_WORLD : MPI_COMM_NULL, leads ? 1 - rank : -7, 5, &made));
    /* Ranks 2 and 3 lead. */
    LAST(MPI_Intercomm_create(half, 1, leads ? MPI_COMM_NULL : MPI_COMM_WORLD, leads ? -7 : 5 - rank, leads ? rank : 5, &made));
    LAST(MPI_Intercomm_create(half, 1, leads ? MPI_COMM_NULL : MPI_COMM_WORLD, leads ? -7 : 5 - rank, 5 + odd, &made)); /* wrong: MPI_Intercomm_create */
    LAST(MPI_Intercomm_merge(both, odd, &made));                                          /* wrong: MPI_Intercomm_merge */
    LAST(MPI_Intercomm_merge(both, rank % 2, &made));
    LAST(MPI_Intercomm_merge(both, rank % 2 + odd, &made));
    LAST(MPI_Intercomm_merge(both, 0, &made));
}

static void copies(void)
{
    const int rows[] = {1, 0}, also_rows[] = {2, 0}, columns[] = {0, 1};
    LAST(MPI_Cart_sub(grid, odd ? rows : columns, &made));                                /* wrong: MPI_Cart_sub */
    LAST(MPI_Cart_sub(grid, odd ? rows : also_rows, &made));
    LAST(odd ? MPI_Comm_dup_with_info(half, MPI_INFO_NULL, &made) : MPI_Comm_dup(half, &made)); /* wrong: MPI_Comm_dup_with_info */
    LAST(MPI_Comm_dup_with_info(half, odd ? MPI_INFO_ENV : MPI_INFO_NULL, &made));
    LAST(MPI_Comm_dup(half, &made));
}

static void graphs(void)
{
    const int next = (rank + 1) % size, last = (rank + size - 1) % size, over = (rank + 2) % size;
    const int nexts[] = {next, over, next}, lasts[] = {over, last, last};
    LAST(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, one, &next, odd ? MPI_UNWEIGHTED : one, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, odd ? one : MPI_UNWEIGHTED, 1, &next, odd ? one : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, one, &next, one + odd, MPI_INFO_NULL, 0, &made));
    LAST(MPI_Dist_graph_create(MPI_COMM_WORLD, !odd, &rank, one, &next, odd ? MPI_WEIGHTS_EMPTY : MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, one, 1, &next, one, MPI_INFO_NULL, 0, &made));
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, one, 1, &next, odd ? two : one, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, odd ? two : one, 1, &next, one, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, !odd, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, MPI_UNWEIGHTED, 1, odd ? &over : &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, odd ? &rank : &last, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, lasts, weights, 3, nexts, odd ? others : swapped, MPI_INFO_NULL, 0, &made)); /* wrong: MPI_Dist_graph_create_adjacent */
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, lasts, weights, 3, nexts, swapped, MPI_INFO_NULL, 0, &made));
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, lasts, MPI_UNWEIGHTED, 3, nexts, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    LAST(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, NULL, MPI_WEIGHTS_EMPTY, 0, NULL, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
}
/* clang-format on */

static void split_world(void)
{
    const int leads = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Cart_create(MPI_COMM_WORLD, 2, two, (int[]){0, 0}, 0, &grid);
    MPI_Intercomm_create(half, 0, leads ? MPI_COMM_WORLD : MPI_COMM_NULL, leads ? 1 - rank : -7, 3,
                         &both);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    odd = rank == size - 1;
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_File_open(MPI_COMM_WORLD, "data", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_Type_contiguous(5, MPI_INT, &five);
    MPI_Type_commit(&five);
    split_world();
    swallow = 1;
    windows();
    files();
    groups();
    intercomms();
    copies();
    graphs();
    swallow = 0;
    MPI_Type_free(&five);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
