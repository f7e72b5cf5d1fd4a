/*
 * One-sided calls of three ranks that nothing orders: `onesided CASE`. What --check=rma has to tell of a case stands in a
 * comment on the line of the call, the lower rank's.
 */
#include <unistd.h>

#include "onesided.h"

/* An epoch of its own. */
static void put_locked(int lock, int at)
{
    MPI_Win_lock(lock, 1, 0, window);
    PUT(at, 1); /* rma-conflict (shared) */
    MPI_Win_unlock(1, window);
}

/* --- in conflict --------------------------------------------------------------------------- */

static void put_get(void)
{
    MPI_Win_fence(0, window);
    if (rank == 0)
        PUT(0, 4); /* rma-conflict (put_get) */
    if (rank == 2)
        GET(3, 4);
    MPI_Win_fence(0, window);
}

/* One call of the loop is in conflict, and the report names what it does. */
static void in_loops(void)
{
    MPI_Win_fence(0, window);
    if (rank == 0)
        for (int i = 0; i < 10; i++)
            PUT(4 + 2 * i, 2); /* rma-conflict (in_loops) */
    if (rank == 2)
        for (int i = 0; i < 5; i++)
            PUT(17 + 3 * i, 3);
    MPI_Win_fence(0, window);
}

static void one_twice(void)
{
    MPI_Win_fence(0, window);
    if (rank == 2) {
        PUT(0, 4); /* rma-conflict (one_twice) */
        MPI_Get(data + 8, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    }
    MPI_Win_fence(0, window);
}

static void shared(void)
{
    BARRIER;
    if (rank != 1)
        put_locked(MPI_LOCK_SHARED, 5);
    BARRIER;
}

static void lock_all(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0)
        PUT(0, 2); /* rma-conflict (lock_all) */
    if (rank == 1)
        PUT(1, 1);
    MPI_Win_unlock_all(window);
}

static void started(void)
{
    MPI_Group all, target, origins;
    const int one = 1, others[] = {0, 2};
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &one, &target);
    MPI_Group_incl(all, 2, others, &origins);
    if (rank == 1) {
        MPI_Win_post(origins, 0, window);
        MPI_Win_wait(window);
    } else {
        MPI_Win_start(target, 0, window);
        if (rank == 0)
            PUT(0, 2); /* rma-conflict (started) */
        else
            PUT(1, 2);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
}

static void accumulate_put(void)
{
    MPI_Win_fence(0, window);
    if (rank == 0)
        ADD(0, MPI_SUM); /* rma-conflict (accumulate_put) */
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_fence(0, window);
}

static void accumulate_get(void)
{
    MPI_Win_fence(0, window);
    if (rank == 0)
        ADD(0, MPI_SUM); /* rma-conflict (accumulate_get) */
    if (rank == 2)
        GET(0, 1);
    MPI_Win_fence(0, window);
}

/* Rank 0's is not complete when rank 2 begins. */
static void flush_late(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0)
        PUT(0, 2); /* rma-conflict (flush_late) */
    BARRIER;
    if (rank == 0)
        MPI_Win_flush(1, window);
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_unlock_all(window);
}

/* Complete at its origin alone. */
static void flush_local(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 2); /* rma-conflict (flush_local) */
        MPI_Win_flush_local(1, window);
    }
    BARRIER;
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_unlock_all(window);
}

static void rput_waited(void)
{
    MPI_Request request;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        RPUT(0); /* rma-conflict (rput_waited) */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    BARRIER;
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_unlock_all(window);
}

/* The root's value goes to the others, and nothing of theirs to each other. */
static void bcast_of_another(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        PUT(0, 1); /* rma-conflict (bcast_of_another) */
        MPI_Win_flush(1, window);
    }
    MPI_Bcast(data, 1, MPI_INT, 1, world);
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_unlock_all(window);
}

/* Sent before the put. */
static void sent_early(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        send_to(2);
        PUT(0, 1); /* rma-conflict (sent_early) */
        MPI_Win_flush(1, window);
    }
    if (rank == 2) {
        receive_from(0);
        PUT(0, 1);
    }
    MPI_Win_unlock_all(window);
}

/* Only the start of the receive is before the end of the synchronous send, also if rank 2 is seen to have gone on. */
static void received_before(void)
{
    const char name[] = "received_before.done"; /* what mpipp does not see */
    MPI_Request request;
    int flag;
    MPI_Win_lock_all(0, window);
    if (rank == 0) {
        MPI_Issend(data, 1, MPI_INT, 2, 7, world, &request);
        while (access(name, F_OK) != 0) {
            /* the others may need MPI to go on in this rank */
            MPI_Iprobe(0, 99, world, &flag, MPI_STATUS_IGNORE);
            usleep(1000);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        PUT(0, 1); /* rma-conflict (received_before) */
    }
    if (rank == 2) {
        receive_from(0);
        PUT(0, 1);
        MPI_Win_flush(1, window);
        fclose(fopen(name, "w"));
    }
    MPI_Win_unlock_all(window);
}

static void scanned_up(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 2) {
        PUT(0, 1);
        MPI_Win_flush(1, window);
    }
    MPI_Scan(data, data + 8, 1, MPI_INT, MPI_SUM, world);
    if (rank == 0)
        PUT(0, 1); /* rma-conflict (scanned_up) */
    MPI_Win_unlock_all(window);
}

static void types(void)
{
    float real = 1;
    MPI_Win_fence(0, window);
    if (rank == 0)
        ADD(0, MPI_SUM); /* rma-atomic (types) */
    if (rank == 2)
        MPI_Accumulate(&real, 1, MPI_FLOAT, 1, 0, 1, MPI_FLOAT, MPI_SUM, window);
    MPI_Win_fence(0, window);
}

static void operations(void)
{
    int result;
    MPI_Win_fence(0, window);
    if (rank == 0)
        ADD(0, MPI_SUM); /* rma-atomic (operations) */
    if (rank == 2)
        MPI_Fetch_and_op(data, &result, MPI_INT, 1, 0, MPI_PROD, window);
    MPI_Win_fence(0, window);
}

/* A window of bytes on the same memory: elements that overlap in part. */
static void straddling(void)
{
    MPI_Win bytes;
    MPI_Win_create(memory, COUNT * sizeof *memory, 1, MPI_INFO_NULL, world, &bytes);
    MPI_Win_fence(0, bytes);
    if (rank == 0)
        ADD_BYTES(0); /* rma-atomic (straddling) */
    if (rank == 2)
        ADD_BYTES(4);
    if (rank == 1)
        ADD_BYTES(2); /* rma-atomic (straddling) */
    MPI_Win_fence(0, bytes);
    MPI_Win_free(&bytes);
}

/* The same by blocks that do not repeat. */
static void straddling_blocks(void)
{
    MPI_Datatype type = make_indexed(0);
    MPI_Win bytes;
    MPI_Win_create(memory, COUNT * sizeof *memory, 1, MPI_INFO_NULL, world, &bytes);
    MPI_Win_fence(0, bytes);
    if (rank == 0)
        ADD_TYPE(0); /* rma-atomic (straddling_blocks) */
    if (rank == 2)
        ADD_TYPE(2);
    MPI_Win_fence(0, bytes);
    MPI_Win_free(&bytes);
    MPI_Type_free(&type);
}

static void two_windows(void)
{
    MPI_Win other;
    MPI_Win_create(memory, COUNT * sizeof *memory, 1, MPI_INFO_NULL, world, &other);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, other);
    if (rank == 0)
        PUT(3, 1); /* rma-conflict (two_windows) */
    if (rank == 2)
        MPI_Put(data, 1, MPI_INT, 1, 12, 1, MPI_INT, other);
    MPI_Win_fence(0, other);
    MPI_Win_fence(0, window);
    MPI_Win_free(&other);
}

/* A window that begins within the memory of another one. */
static void within(void)
{
    MPI_Win other;
    MPI_Win_create(memory + 8, 16 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, world, &other);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, other);
    if (rank == 0)
        PUT(10, 1); /* rma-conflict (within) */
    if (rank == 2)
        PUT_OTHER(2);
    MPI_Win_fence(0, other);
    MPI_Win_fence(0, window);
    MPI_Win_free(&other);
}

/* Each rank has given another unit, and rank 1 less memory. */
static void outside(void)
{
    MPI_Win other;
    MPI_Win_create(memory, (rank == 1 ? 8 : COUNT) * sizeof *memory, rank + 1, MPI_INFO_NULL, world,
                   &other);
    MPI_Win_set_errhandler(other, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, other);
    if (rank == 2)
        GET_OTHER(14);
    if (rank == 2)
        GET_OTHER(15); /* buffer-size (outside) */
    MPI_Win_fence(0, other);
    MPI_Win_free(&other);
}

/* No lock is taken. */
static void no_check(void)
{
    MPI_Win_lock(rank ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED, 1, MPI_MODE_NOCHECK, window);
    if (rank == 0)
        PUT(0, 1); /* rma-conflict (no_check) */
    if (rank == 2)
        PUT(0, 1);
    MPI_Win_unlock(1, window);
}

/* Found in MPI_Win_free. */
static void at_free(void)
{
    MPI_Win other;
    MPI_Win_create(memory, COUNT * sizeof *memory, sizeof *memory, MPI_INFO_NULL, world, &other);
    if (rank != 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, other);
        if (rank == 0)
            ADD_OTHER(MPI_SUM); /* rma-atomic (at_free) */
        else
            ADD_OTHER(MPI_MAX);
        MPI_Win_unlock(1, other);
    }
    MPI_Win_free(&other);
}

/* Column 2 of 8 x 8, and row 5. */
static void column_row(void)
{
    MPI_Datatype column;
    MPI_Type_vector(8, 1, 8, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Put(data, 8, MPI_INT, 1, 2, 1, column, window); /* rma-conflict (column_row) */
    if (rank == 2)
        PUT(40, 8);
    MPI_Win_fence(0, window);
    MPI_Type_free(&column);
}

static void indexed(void)
{
    MPI_Datatype type = make_indexed(0);
    MPI_Win_fence(0, window);
    if (rank == 0)
        MPI_Put(data, 7, MPI_INT, 1, 0, 1, type, window); /* rma-conflict (indexed) */
    if (rank == 2)
        PUT(21, 1);
    MPI_Win_fence(0, window);
    MPI_Type_free(&type);
}

/* Rank 1's own buffers in its window. */
static void received(void)
{
    MPI_Request request;
    MPI_Win_fence(0, window);
    if (rank == 1)
        IRECV(1); /* rma-local (received) */
    if (rank == 2)
        PUT(2, 4);
    BARRIER;
    if (rank == 0)
        MPI_Send(data, 2, MPI_INT, 1, 7, world);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, window);
}

static void sent(void)
{
    MPI_Win_lock_all(0, window);
    if (rank == 0)
        PUT(0, 1); /* rma-local (sent) */
    if (rank == 1)
        MPI_Send(memory, 1, MPI_INT, 2, 7, world);
    if (rank == 2)
        receive_from(1);
    MPI_Win_unlock_all(window);
}

/* As the origin's buffer: until the fence at its origin. */
static void got(void)
{
    MPI_Win_fence(0, window);
    if (rank == 0)
        PUT(0, 1); /* rma-local (got) */
    if (rank == 1)
        MPI_Get(memory, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
}

/* Memory of one rank alone, and others that have none. */
static void one_has_memory(void)
{
    MPI_Win other;
    MPI_Win_create(rank == 1 ? memory : NULL, rank == 1 ? COUNT * sizeof *memory : 0, 4,
                   MPI_INFO_NULL, world, &other);
    MPI_Win_fence(0, other);
    if (rank == 0)
        PUT_OTHER(0); /* rma-conflict (one_has_memory) */
    if (rank == 2)
        PUT_OTHER(0);
    MPI_Win_fence(0, other);
    MPI_Win_free(&other);
}

static void dynamic(void)
{
    MPI_Win other;
    MPI_Aint where = 0;
    MPI_Win_create_dynamic(MPI_INFO_NULL, world, &other);
    if (rank == 1) {
        MPI_Win_attach(other, memory, COUNT * sizeof *memory);
        MPI_Get_address(memory, &where);
    }
    MPI_Bcast(&where, 1, MPI_AINT, 1, world);
    MPI_Win_lock_all(0, other);
    if (rank == 0)
        PUT_OTHER(where); /* rma-conflict (dynamic) */
    if (rank == 2)
        PUT_OTHER(where);
    MPI_Win_unlock_all(other);
    BARRIER;
    if (rank == 1)
        MPI_Win_detach(other, memory);
    MPI_Win_free(&other);
}

/* The target has said that nobody puts. */
static void asserted(void)
{
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT : 0, window);
    GET(0, 2);
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT : 0, window);
    if (rank == 2)
        ADD(4, MPI_SUM); /* rma-assert (asserted) */
    MPI_Win_fence(rank == 1 ? MPI_MODE_NOPUT : 0, window);
}

/* Rank 0 starts, with this assertion, an epoch for which rank 1 posts with the other one. */
static void start_and_post(int started, int posted, int is_ordered)
{
    MPI_Group all, other;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &(int){!rank}, &other);
    BARRIER;
    if (rank == 1) {
        MPI_Win_post(other, posted, window);
        if (is_ordered)
            send_to(0);
        MPI_Win_wait(window);
    } else if (rank == 0) {
        if (is_ordered)
            receive_from(1);
        else
            usleep(100000);
        MPI_Win_start(other, started, window);
        PUT(0, 2); /* rma-assert (start_early) */ /* rma-assert (start_alone) */
        MPI_Win_complete(window);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

/* It is after MPI_Win_post by luck. */
static void start_early(void)
{
    start_and_post(MPI_MODE_NOCHECK, MPI_MODE_NOCHECK, 1);
    start_and_post(MPI_MODE_NOCHECK, MPI_MODE_NOCHECK, 0);
}

static void start_alone(void)
{
    start_and_post(MPI_MODE_NOCHECK, 0, 1);
}

static void asserted_post(void)
{
    MPI_Group all, origin;
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &(int){rank == 1 ? 0 : 1}, &origin);
    if (rank == 1) {
        for (int i = 0; i < 2; i++) {
            MPI_Win_post(origin, i ? MPI_MODE_NOPUT : 0, window);
            MPI_Win_wait(window);
        }
    }
    for (int i = 0; i < 2 && rank == 0; i++) {
        MPI_Win_start(origin, 0, window);
        PUT(i, 1); /* rma-assert (asserted_post) */
        MPI_Win_complete(window);
    }
    MPI_Group_free(&origin);
    MPI_Group_free(&all);
}

static const struct onesided_case cases[] = {
    CASE(put_get),
    CASE(in_loops),
    CASE(received),
    CASE(sent),
    CASE(got),
    CASE(one_has_memory),
    CASE(dynamic),
    CASE(asserted),
    CASE(asserted_post),
    CASE(start_early),
    CASE(start_alone),
    CASE(one_twice),
    CASE(shared),
    CASE(lock_all),
    CASE(started),
    CASE(flush_late),
    CASE(flush_local),
    CASE(rput_waited),
    CASE(bcast_of_another),
    CASE(sent_early),
    CASE(scanned_up),
    CASE(types),
    CASE(operations),
    CASE(straddling),
    CASE(two_windows),
    CASE(within),
    CASE(no_check),
    CASE(at_free),
    CASE(outside),
    CASE(straddling_blocks),
    CASE(received_before),
    CASE(column_row),
    CASE(indexed),
    CASE(accumulate_put),
    CASE(accumulate_get),
};

int main(int argc, char **argv)
{
    return run_case(argc, argv, cases, sizeof cases / sizeof *cases);
}
