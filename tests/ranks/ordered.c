/*
 * One-sided calls of three ranks that are in order, or apart: `ordered CASE`. --check=rma has to be silent of all.
 */
#include <signal.h>

#include "onesided.h"

static int large[10000];

/* An epoch of its own. */
static void put_locked(int lock, int at)
{
    MPI_Win_lock(lock, 1, 0, window);
    PUT(at, 1);
    MPI_Win_unlock(1, window);
}

static void apart(void)
{
    MPI_Datatype column, type = make_indexed(1);
    MPI_Type_vector(4, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_fence(0, window);
    if (rank != 1)
        MPI_Put(data, 4, MPI_INT, 1, 2 + rank, 1, column, window);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Put(data, 7, MPI_INT, 1, 0, 1, type, window);
    if (rank == 2)
        MPI_Put(data, 8, MPI_INT, 1, 12, 8, MPI_INT, window);
    MPI_Win_fence(0, window);
    if (rank != 1)
        GET(0, 32);
    MPI_Win_fence(0, window);
    MPI_Type_free(&column);
    MPI_Type_free(&type);
}

static void fences(void)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    for (int i = 0; i < 20; i++) {
        if (rank == i % 3)
            PUT(0, 8);
        MPI_Win_fence(0, window);
        if (rank == (i + 1) % 3)
            GET(0, 8);
        MPI_Win_fence(0, window);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

/* Such a fence is no barrier. Calls after it still reach the target after the target's own fence. */
static void no_precede(void)
{
    for (int i = 0; i < 20; i++) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
        if (rank == i % 3)
            PUT(0, 8);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
        if (rank == 1) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            GET(0, 8);
            MPI_Win_unlock(1, window);
        }
    }
    BARRIER;
}

static void exclusive(void)
{
    for (int i = 0; i < 20; i++)
        put_locked(MPI_LOCK_EXCLUSIVE, 0);
    BARRIER;
}

static void unlocked(void)
{
    if (rank == 0)
        put_locked(MPI_LOCK_SHARED, 0);
    BARRIER;
    if (rank == 2)
        put_locked(MPI_LOCK_SHARED, 0);
    BARRIER;
}

static void messages(void)
{
    MPI_Request request;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
        send_to(2);
        MPI_Recv(data + 8, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
        PUT(0, 1);
        MPI_Win_flush_all(window);
        MPI_Ssend(data, 0, MPI_INT, 2, 1, world);
    }
    if (rank == 2) {
        receive_from(0);
        PUT(0, 1);
        MPI_Win_flush(1, window);
        MPI_Isend(data, 1, MPI_INT, 0, 9, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Irecv(data + 8, 1, MPI_INT, MPI_ANY_SOURCE, 1, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        PUT(0, 1);
    }
    MPI_Win_unlock_all(window);
}

/* Who receives is before who has sent synchronously. */
static void backwards(void)
{
    MPI_Request request;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
        receive_from(2);
    }
    if (rank == 2) {
        MPI_Ssend(data, 1, MPI_INT, 0, 7, world);
        PUT(0, 1);
        MPI_Win_flush(1, window);
        MPI_Recv(data + 8, 1, MPI_INT, 1, 3, world, MPI_STATUS_IGNORE);
    }
    if (rank == 1) {
        MPI_Issend(data, 1, MPI_INT, 2, 3, world, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        PUT(0, 1);
    }
    MPI_Win_unlock_all(window);
}

static void probed(void)
{
    MPI_Message message;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
        send_to(2);
        send_to(1);
    }
    if (rank == 2) {
        MPI_Probe(0, 7, world, MPI_STATUS_IGNORE);
        PUT(0, 1);
        MPI_Win_flush(1, window);
        receive_from(0);
        send_to(1);
    }
    if (rank == 1) {
        MPI_Mprobe(2, 7, world, &message, MPI_STATUS_IGNORE);
        PUT(0, 1);
        MPI_Mrecv(data + 8, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        receive_from(0);
    }
    MPI_Win_unlock_all(window);
}

static void collectives(void)
{
    MPI_Request request;
    MPI_Comm pair, inter;
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 7; i++) {
        if (rank == 0) {
            PUT(0, 1);
            MPI_Win_flush(1, window);
        }
        switch (i) {
        case 0:
            MPI_Bcast(data + 8, 1, MPI_INT, 0, world);
            break;
        case 1:
            MPI_Reduce(data + 8, data + 9, 1, MPI_INT, MPI_SUM, 2, world);
            break;
        case 2:
            MPI_Gather(data + 8, 1, MPI_INT, data + 12, 1, MPI_INT, 2, world);
            break;
        case 3:
            MPI_Exscan(data + 8, data + 9, 1, MPI_INT, MPI_SUM, world);
            break;
        case 4:
            MPI_Ibarrier(world, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            break;
        case 5:
            MPI_Comm_split(world, rank != 1, 0, &pair);
            MPI_Barrier(pair);
            MPI_Comm_free(&pair);
            break;
        default:
            MPI_Comm_split(world, rank == 0, 0, &pair);
            MPI_Intercomm_create(pair, 0, world, rank == 0 ? 1 : 0, 4, &inter);
            MPI_Barrier(inter);
            MPI_Comm_free(&inter);
            MPI_Comm_free(&pair);
        }
        if (rank == 2) {
            PUT(0, 1);
            MPI_Win_flush(1, window);
        }
        BARRIER;
    }
    MPI_Win_unlock_all(window);
}

static void accumulates(void)
{
    int results[3], expected = 0;
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 10; i++) {
        ADD(0, MPI_SUM);
        MPI_Fetch_and_op(data, &results[0], MPI_INT, 1, 0, MPI_NO_OP, window);
        MPI_Fetch_and_op(data, &results[1], MPI_INT, 1, 1, MPI_SUM, window);
        MPI_Compare_and_swap(data, &expected, &results[2], MPI_INT, 1, 2, window);
        MPI_Win_flush(1, window);
        ADD(2, MPI_REPLACE);
    }
    MPI_Win_unlock_all(window);
}

/* A lock of the program's own, of atomic accesses: element 0 is who has it. */
static void own_lock(void)
{
    int was;
    const int zero = 0, mine = rank + 1;
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 5; i++) {
        do {
            MPI_Compare_and_swap(&mine, &zero, &was, MPI_INT, 1, 0, window);
            MPI_Win_flush(1, window);
        } while (was != 0);
        PUT(8, 4);
        MPI_Win_flush(1, window);
        MPI_Accumulate(&zero, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(1, window);
    }
    MPI_Win_unlock_all(window);
}

/* Rank 2 looks at its own memory until rank 0 has put there. */
static void polled(void)
{
    const int one = 1;
    int seen = 0;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(8, 4);
        MPI_Win_flush(1, window);
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
        MPI_Win_flush(2, window);
    }
    if (rank == 2) {
        while (!seen) {
            MPI_Win_sync(window);
            seen = *(volatile int *)memory;
            MPI_Win_flush(2, window);
        }
        PUT(8, 4);
    }
    MPI_Win_unlock_all(window);
}

static void one_by_one(void)
{
    MPI_Group all, target, origin;
    const int one = 1;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &one, &target);
    for (int i = 0; i < 6; i++) {
        const int who = i % 2 ? 2 : 0;
        MPI_Group_incl(all, 1, &who, &origin);
        if (rank == 1) {
            MPI_Win_post(origin, 0, window);
            MPI_Win_wait(window);
        } else if (rank == who) {
            MPI_Win_start(target, 0, window);
            PUT(0, 2);
            MPI_Win_complete(window);
        }
        MPI_Group_free(&origin);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&target);
}

static void requests(void)
{
    MPI_Request request;
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) {
            MPI_Rget(data, 4, MPI_INT, 1, 0, 4, MPI_INT, window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        BARRIER;
        if (rank == 2) {
            MPI_Rput(data, 4, MPI_INT, 1, 0, 4, MPI_INT, window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Win_flush(1, window);
        }
        BARRIER;
        if (rank == 0) {
            GET(0, 2);
            MPI_Win_flush_local(1, window);
        }
        BARRIER;
        if (rank == 2) {
            int was;
            MPI_Rget_accumulate(data, 1, MPI_INT, &was, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE,
                                window, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        BARRIER;
    }
    MPI_Win_unlock_all(window);
}

/* The same, in order or apart. */
static void own_buffers(void)
{
    MPI_Request request;
    for (int i = 0; i < 5; i++) {
        MPI_Win_fence(0, window);
        if (rank == 0)
            PUT(0, 4);
        if (rank == 1)
            MPI_Irecv(memory + 4, 1, MPI_INT, 2, 7, world, &request);
        if (rank == 2) {
            send_to(1);
            GET(8, 4);
        }
        if (rank == 1)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_fence(0, window);
        MPI_Bcast(rank == 1 ? memory : data, 8, MPI_INT, 1, world);
        MPI_Allreduce(MPI_IN_PLACE, rank == 1 ? memory : data, 8, MPI_INT, MPI_SUM, world);
        BARRIER;
        MPI_Win_lock_all(0, window);
        if (rank == 2) {
            PUT(0, 8);
            MPI_Win_flush(1, window);
            send_to(1);
        }
        if (rank == 1) {
            receive_from(2);
            MPI_Sendrecv(memory, 4, MPI_INT, 1, 3, memory + 4, 4, MPI_INT, 1, 3, world,
                         MPI_STATUS_IGNORE);
            send_to(0);
        }
        if (rank == 0) {
            receive_from(1);
            PUT(0, 8);
            MPI_Win_flush(1, window);
            send_to(1);
            receive_from(1);
            PUT(0, 2); /* what has arrived was read */
        }
        if (rank == 1) {
            receive_from(0);
            MPI_Send(memory, 2, MPI_INT, 0, 7, world);
        }
        MPI_Win_unlock_all(window);
        BARRIER;
        if (rank == 1) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Reduce_local(data, memory, 4, MPI_INT, MPI_SUM);
            MPI_Win_unlock(1, window);
        }
        if (rank == 0)
            put_locked(MPI_LOCK_EXCLUSIVE, 0);
    }
    BARRIER;
}

/* Complete, and known to be by MPI_Request_get_status. */
static void asked(void)
{
    MPI_Request request;
    int done = 0;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
        send_to(2);
    }
    if (rank == 2) {
        MPI_Irecv(data + 8, 1, MPI_INT, 0, 7, world, &request);
        while (!done)
            MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE);
        PUT(0, 1);
        MPI_Win_flush(1, window);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(window);
}

/* Ranks that share memory may be ordered by it. */
static void by_memory(void)
{
    volatile int *flag;
    MPI_Aint bytes;
    int unit;
    MPI_Win flags;
    MPI_Win_allocate_shared(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, world,
                            (void *)&flag, &flags);
    MPI_Win_shared_query(flags, 0, &bytes, &unit, (void *)&flag);
    MPI_Win_lock_all(0, flags);
    if (rank == 0)
        *flag = 0;
    BARRIER;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
        MPI_Win_sync(flags);
        *flag = 1;
    }
    if (rank == 2) {
        while (*flag == 0)
            MPI_Win_sync(flags);
        PUT(0, 1);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_unlock_all(flags);
    MPI_Win_free(&flags);
}

static void freed(void)
{
    MPI_Win other;
    for (int i = 0; i < 3; i++) {
        MPI_Win_create(memory, COUNT * sizeof *memory, 4, MPI_INFO_NULL, world, &other);
        MPI_Win_lock_all(0, other);
        if (rank == i)
            MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, other);
        MPI_Win_unlock_all(other);
        MPI_Win_free(&other);
    }
}

/* More than the ranks' memory for it has room for, and more than is kept. */
static void many(void)
{
    for (int i = 0; i < 4; i++) {
        MPI_Win_fence(0, window);
        for (int k = 0; k < 10000; k++)
            if (rank == 0)
                MPI_Get(large + k, 1, MPI_INT, 1, k % COUNT, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        if (rank == 2)
            PUT(0, COUNT);
    }
    MPI_Win_fence(0, window);
    MPI_Win_lock_all(0, window);
    for (int k = 0; k < 6000; k++) {
        PUT(rank, 1);
        MPI_Win_flush(1, window);
    }
    MPI_Win_unlock_all(window);
}

/* A rank is killed while others access its memory. */
static void killed(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0)
        PUT(0, 4);
    if (rank == 1)
        raise(SIGKILL);
    if (rank == 2)
        GET(8, 4);
    MPI_Win_unlock_all(window);
    BARRIER;
}

/* A window that begins within the memory of another one: other bytes. */
static void within(void)
{
    MPI_Win other;
    MPI_Win_create(memory + 8, 16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, world, &other);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, other);
    if (rank == 0)
        PUT(0, 8);
    if (rank == 2)
        MPI_Put(data, 8, MPI_INT, 1, 0, 8, MPI_INT, other);
    MPI_Win_fence(0, other);
    MPI_Win_fence(0, window);
    MPI_Win_free(&other);
}

/* Memory of MPI_Win_allocate, a multiple of 8 bytes but none of 16: other bytes. */
static void allocated(void)
{
    MPI_Win other;
    double *own;
    MPI_Win_allocate(3 * sizeof *own, sizeof *own, MPI_INFO_NULL, world, &own, &other);
    MPI_Win_fence(0, other);
    for (int to = 1; to < 3 && rank == 0; to++) {
        MPI_Put(data, 1, MPI_DOUBLE, to, 2, 1, MPI_DOUBLE, other);
        MPI_Send(data, 1, MPI_DOUBLE, to, 7, world);
    }
    if (rank != 0)
        MPI_Recv(own + 1, 1, MPI_DOUBLE, 0, 7, world, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, other);
    MPI_Win_free(&other);
}

/* No lock is needed: a barrier is between them. */
static void no_check(void)
{
    for (int i = 0; i < 5; i++) {
        if (rank == i % 3) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, MPI_MODE_NOCHECK, window);
            PUT(0, 2);
            MPI_Win_unlock(1, window);
        }
        BARRIER;
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
        GET(0, 2);
        MPI_Win_unlock_all(window);
        BARRIER;
    }
}

static const struct onesided_case cases[] = {
    CASE(within),   CASE(no_check),  CASE(asked),      CASE(own_buffers), CASE(by_memory),
    CASE(apart),    CASE(fences),    CASE(no_precede), CASE(exclusive),   CASE(unlocked),
    CASE(messages), CASE(backwards), CASE(probed),     CASE(collectives), CASE(accumulates),
    CASE(own_lock), CASE(polled),    CASE(one_by_one), CASE(requests),    CASE(freed),
    CASE(many),     CASE(allocated), CASE(killed),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
