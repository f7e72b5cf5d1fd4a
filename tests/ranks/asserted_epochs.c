/*
 * Epochs with assertions that are true, and one line in epochs of all kinds: `asserted_epochs CASE`, as three ranks.
 * --check=rma has to be silent of all.
 */
#include "onesided.h"

/* Nobody puts, where a rank has said so: in some of the epochs, and at one rank. */
static void asserted(void)
{
    for (int i = 0; i < 20; i++) {
        const int is_quiet = i % 3 == 0;
        MPI_Win_fence(rank == 1 && is_quiet ? MPI_MODE_NOPUT : 0, window);
        if (is_quiet) {
            GET(0, 2);
            MPI_Get_accumulate(NULL, 0, MPI_INT, data + 4, 1, MPI_INT, 1, 4, 1, MPI_INT, MPI_NO_OP,
                               window);
            MPI_Put(data, 0, MPI_INT, 1, 0, 0, MPI_INT, window);
        } else if (rank == 0) {
            PUT(0, 2);
        }
    }
    MPI_Win_fence(MPI_MODE_NOPUT | MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, window);
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        PUT(0, 1);
        MPI_Win_unlock(1, window);
    }
}

/* One line, in epochs of all kinds. */
static void put_here(int at)
{
    for (int i = 0; i < 4; i++)
        MPI_Put(data + i, 1, MPI_INT, 1, at + i, 1, MPI_INT, window);
}

static void one_line(void)
{
    for (int i = 0; i < 12; i++) {
        MPI_Win_fence(0, window);
        if (rank == i % 3)
            put_here(8);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        put_here(8);
        MPI_Win_unlock(1, window);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        put_here(16 + 4 * rank);
        MPI_Win_unlock(1, window);
        MPI_Win_lock_all(0, window);
        put_here(16 + 4 * rank);
        MPI_Win_unlock_all(window);
        BARRIER;
    }
}

/* MPI_MODE_NOCHECK in both calls, where a barrier or a message is between them; or in none. */
static void unchecked(void)
{
    MPI_Group all, other;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &(int){!rank}, &other);
    for (int i = 0; i < 40; i++) {
        const int how = i % 4, assertion = how == 3 ? 0 : MPI_MODE_NOCHECK;
        if (rank == 1) {
            MPI_Win_post(other, assertion | (how == 2 ? MPI_MODE_NOSTORE : 0), window);
            if (how == 0)
                send_to(0);
        }
        if (rank == 0 && how == 0)
            receive_from(1);
        if (how == 1 || how == 2)
            BARRIER;
        if (rank == 0) {
            MPI_Win_start(other, assertion, window);
            PUT(0, 1);
            MPI_Get(data + 8, 2, MPI_INT, 1, 1, 2, MPI_INT, window);
            MPI_Win_complete(window);
        }
        if (rank == 1)
            MPI_Win_wait(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

static const struct onesided_case cases[] = {
    CASE(asserted),
    CASE(unchecked),
    CASE(one_line),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
