/*
 * What the two groups of an intercommunicator must agree on: the even ranks and the odd ones. The last rank passes
 * something else. A marked line is wrong, each of the others is right. The calls do not reach MPI (swallow.py); the last
 * rank makes its own when the others have.
 *
 *     inter         as four ranks
 */
#include "common.h"

extern int swallow;

static int odd; /* in the last rank, which is rank 1 of the second group */
static MPI_Comm both;
static MPI_Datatype four, some[ROOM];
static int in[ROOM], out[ROOM], second; /* in the second group */
static int ones[ROOM], twos[ROOM], threes[ROOM], displs[ROOM], bytes[ROOM];

/* clang-format off */

/* The root is rank 0 of the first group; of the second group. */
#define TO_SECOND (second ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL)
#define TO_FIRST (!second ? 0 : rank == 1 ? MPI_ROOT : MPI_PROC_NULL)

#define LAST(...) do { if (odd) meet(); __VA_ARGS__; if (!odd) meet(); meet(); } while (0)
#define NUMBER (odd ? 3 : 2)
#define NUMBERS (odd ? threes : twos)

static void roots(void)
{
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? 1 : TO_SECOND, both));                           /* wrong: collective-root */
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? MPI_PROC_NULL : TO_SECOND, both));               /* wrong: collective-root */
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? MPI_ROOT : TO_SECOND, both));                    /* wrong: collective-root */
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? MPI_ROOT : TO_FIRST, both));                     /* wrong: collective-root */
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? 0 : TO_FIRST, both));                            /* wrong: collective-root */
    /* The first group names the last rank, which is not the root. */
    LAST(MPI_Bcast(in, 4, MPI_INT, second ? MPI_PROC_NULL : 1, both));                    /* wrong: collective-root */
    LAST(MPI_Gather(in, 2, MPI_INT, out, 2, MPI_INT, odd ? 1 : TO_SECOND, both));         /* wrong: collective-root */
    LAST(MPI_Scatterv(in, twos, displs, MPI_INT, out, 2, MPI_INT, odd ? 1 : TO_SECOND, both)); /* wrong: collective-root */
    LAST(MPI_Reduce(in, out, 2, MPI_INT, MPI_SUM, odd ? 1 : TO_SECOND, both));            /* wrong: collective-root */
    LAST(MPI_Bcast(in, 4, MPI_INT, TO_SECOND, both));
    LAST(MPI_Bcast(in, 4, MPI_INT, TO_FIRST, both));
    LAST(MPI_Bcast(in, 4, MPI_INT, odd ? MPI_ROOT : second ? MPI_PROC_NULL : 1, both));
    LAST(MPI_Bcast(in, 4, MPI_INT, MPI_PROC_NULL, both));
}

static void from_one(void)
{
    LAST(MPI_Bcast(in, NUMBER, MPI_INT, TO_SECOND, both));                                /* wrong: collective-type */
    LAST(MPI_Bcast(in, 4, odd ? MPI_FLOAT : MPI_INT, TO_SECOND, both));                   /* wrong: collective-type */
    LAST(MPI_Bcast(in, odd ? 1 : 4, odd ? four : MPI_INT, TO_SECOND, both));
    LAST(MPI_Bcast(in, odd ? 9 : 4, odd ? MPI_FLOAT : MPI_INT, TO_FIRST, both));
    LAST(MPI_Gather(in, NUMBER, MPI_INT, out, 2, MPI_INT, TO_SECOND, both));              /* wrong: collective-type */
    LAST(MPI_Gather(in, 2, MPI_INT, out, NUMBER, MPI_INT, TO_SECOND, both));
    LAST(MPI_Scatter(in, NUMBER, MPI_INT, out, 2, MPI_INT, TO_SECOND, both));
    LAST(MPI_Scatter(in, 2, MPI_INT, out, NUMBER, MPI_INT, TO_SECOND, both));             /* wrong: collective-type */
    LAST(MPI_Gatherv(in, NUMBER, MPI_INT, out, twos, displs, MPI_INT, TO_SECOND, both));  /* wrong: collective-type */
    LAST(MPI_Gatherv(in, 2, MPI_INT, out, NUMBERS, displs, MPI_INT, TO_SECOND, both));
    LAST(MPI_Scatterv(in, twos, displs, MPI_INT, out, NUMBER, MPI_INT, TO_SECOND, both)); /* wrong: collective-type */
    LAST(MPI_Scatterv(in, NUMBERS, displs, MPI_INT, out, 2, MPI_INT, TO_SECOND, both));
    LAST(MPI_Reduce(in, out, NUMBER, MPI_INT, MPI_SUM, TO_SECOND, both));                 /* wrong: collective-type */
    LAST(MPI_Reduce(in, out, 2, MPI_INT, odd ? MPI_MAX : MPI_SUM, TO_SECOND, both));      /* wrong: collective-op */
    LAST(MPI_Reduce(in, out, NUMBER, MPI_INT, MPI_SUM, TO_FIRST, both));
}

static void both_ways(void)
{
    const int sent = second ? 1 : 2, received = second ? 2 : 1;
    const int *sends = second ? ones : twos, *receives = second ? twos : ones;
    LAST(MPI_Allgather(in, sent + odd, MPI_INT, out, received, MPI_INT, both));           /* wrong: collective-type */
    LAST(MPI_Allgather(in, sent, MPI_INT, out, received + odd, MPI_INT, both));           /* wrong: collective-type */
    LAST(MPI_Allgather(in, sent, MPI_INT, out, received, MPI_INT, both));
    LAST(MPI_Allgather(in, second ? 0 : 2, second ? MPI_FLOAT : MPI_INT, out, second ? 2 : 0, MPI_INT, both));
    LAST(MPI_Alltoall(in, sent + odd, MPI_INT, out, received, MPI_INT, both));            /* wrong: collective-type */
    LAST(MPI_Alltoall(in, sent, odd ? MPI_FLOAT : MPI_INT, out, received, MPI_INT, both)); /* wrong: collective-type */
    LAST(MPI_Alltoall(in, sent, MPI_INT, out, received, MPI_INT, both));
    LAST(MPI_Allgatherv(in, sent + odd, MPI_INT, out, receives, displs, MPI_INT, both));  /* wrong: collective-type */
    LAST(MPI_Allgatherv(in, sent, MPI_INT, out, receives, displs, MPI_INT, both));
    LAST(MPI_Alltoallv(in, sends, displs, MPI_INT, out, odd ? threes : receives, displs, MPI_INT, both)); /* wrong: collective-type */
    LAST(MPI_Alltoallv(in, sends, displs, MPI_INT, out, receives, displs, MPI_INT, both));
    LAST(MPI_Alltoallw(in, odd ? threes : sends, bytes, some, out, receives, bytes, some, both)); /* wrong: collective-type */
    LAST(MPI_Alltoallw(in, sends, bytes, some, out, receives, bytes, some, both));
}

static void reduced(void)
{
    LAST(MPI_Allreduce(in, out, NUMBER, MPI_INT, MPI_SUM, both));                         /* wrong: collective-type */
    LAST(MPI_Allreduce(in, out, 2, MPI_INT, odd ? MPI_MAX : MPI_SUM, both));              /* wrong: collective-op */
    LAST(MPI_Allreduce(in, out, 2, MPI_INT, MPI_SUM, both));
    LAST(MPI_Reduce_scatter_block(in, out, NUMBER, MPI_INT, MPI_SUM, both));              /* wrong: collective-type */
    LAST(MPI_Reduce_scatter_block(in, out, 2, odd ? MPI_FLOAT : MPI_INT, MPI_SUM, both)); /* wrong: collective-type */
    LAST(MPI_Reduce_scatter_block(in, out, 2, MPI_INT, MPI_SUM, both));
    LAST(MPI_Reduce_scatter(in, out, NUMBERS, MPI_INT, MPI_SUM, both));                   /* wrong: collective-type */
    LAST(MPI_Reduce_scatter(in, out, second ? twos : (int[]){1, 3}, MPI_INT, MPI_SUM, both));
    LAST(MPI_Reduce_scatter(in, out, odd ? (int[]){1, 3} : twos, MPI_INT, MPI_SUM, both)); /* wrong: collective-argument */
}

/* The groups are those of the local group: rank 0, all ranks, and all ranks backward. */
static void created(void)
{
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Group local, first, back;
    MPI_Comm_group(both, &local);
    MPI_Group_incl(local, 1, (int[]){0}, &first);
    MPI_Group_incl(local, 2, (int[]){1, 0}, &back);
    swallow = 1;
    LAST(MPI_Comm_create(both, odd ? back : local, &made));                               /* wrong: collective-argument */
    LAST(MPI_Comm_create(both, odd || !second ? local : first, &made));                   /* wrong: collective-argument */
    LAST(MPI_Comm_create(both, second ? back : local, &made));
    LAST(MPI_Comm_create(both, odd ? MPI_GROUP_EMPTY : second ? first : local, &made));
    swallow = 0;
    MPI_Group_free(&local);
    MPI_Group_free(&first);
    MPI_Group_free(&back);
}
/* clang-format on */

static void split_world(void)
{
    MPI_Comm half;
    const int leads = rank < 2;
    MPI_Comm_split(MPI_COMM_WORLD, second, 0, &half);
    MPI_Intercomm_create(half, 0, leads ? MPI_COMM_WORLD : MPI_COMM_NULL, leads ? 1 - rank : -7, 3,
                         &both);
    MPI_Comm_free(&half);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    odd = rank == size - 1;
    second = rank % 2;
    for (int i = 0; i < ROOM; i++) {
        ones[i] = 1;
        twos[i] = 2;
        threes[i] = 3;
        displs[i] = 4 * i;
        bytes[i] = 16 * i;
        some[i] = MPI_INT;
    }
    MPI_Type_contiguous(4, MPI_INT, &four);
    MPI_Type_commit(&four);
    split_world();
    swallow = 1;
    roots();
    from_one();
    both_ways();
    reduced();
    created();
    MPI_Type_free(&four);
    MPI_Comm_free(&both);
    MPI_Finalize();
    return 0;
}
