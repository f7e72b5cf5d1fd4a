/*
 * Epochs of windows: a wrong call each, of rank 0 of two, by the name of a CASE. What MPI does with such a call differs: it may
 * refuse it, do it, wait or crash. The finding is there before that.
 */
#include <mpi.h>
#include <string.h>
#include <sys/time.h>

/* A call and what is found in it stand on one line. */
/* clang-format off */
static MPI_Win win;
static MPI_Group group; /* of the other rank */
static int data[8], more[8];

/* No epoch is open to the target of these calls. */
static void call_missing(const char *name)
{
    MPI_Request request;
    if (strcmp(name, "put") == 0) {
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (put) */
    }
    if (strcmp(name, "get") == 0) {
        MPI_Get(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (get) */
    }
    if (strcmp(name, "accumulate") == 0) {
        MPI_Accumulate(data, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* rma-epoch-missing (accumulate) */
    }
    if (strcmp(name, "get-accumulate") == 0) {
        MPI_Get_accumulate(data, 1, MPI_INT, more, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win); /* rma-epoch-missing (get-accumulate) */
    }
    if (strcmp(name, "fetch") == 0) {
        MPI_Fetch_and_op(data, more, MPI_INT, 1, 0, MPI_SUM, win); /* rma-epoch-missing (fetch) */
    }
    if (strcmp(name, "swap") == 0) {
        MPI_Compare_and_swap(data, data + 1, more, MPI_INT, 1, 0, win); /* rma-epoch-missing (swap) */
    }
    if (strcmp(name, "rput") == 0) {
        MPI_Rput(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /* rma-epoch-missing (rput) */
    }
    if (strcmp(name, "put-unlocked") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-unlocked) */
    }
    if (strcmp(name, "put-unlocked-all") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_unlock_all(win);
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-unlocked-all) */
    }
    if (strcmp(name, "put-other") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-other) */
    }
    if (strcmp(name, "put-no-succeed-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-no-succeed-fence) */
    }
    if (strcmp(name, "put-after-fence-lock") == 0) {
        MPI_Win_fence(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-after-fence-lock) */
    }
    if (strcmp(name, "put-other-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-other-start) */
    }
    if (strcmp(name, "put-completed-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_complete(win);
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-completed-start) */
    }
    if (strcmp(name, "put-posted") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* rma-epoch-missing (put-posted) */
    }
    if (strcmp(name, "flush") == 0) {
        MPI_Win_flush(1, win); /* rma-epoch-missing (flush) */
    }
    if (strcmp(name, "flush-local") == 0) {
        MPI_Win_flush_local(1, win); /* rma-epoch-missing (flush-local) */
    }
    if (strcmp(name, "flush-all") == 0) {
        MPI_Win_flush_all(win); /* rma-epoch-missing (flush-all) */
    }
    if (strcmp(name, "flush-local-all") == 0) {
        MPI_Win_flush_local_all(win); /* rma-epoch-missing (flush-local-all) */
    }
    if (strcmp(name, "flush-other") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_flush(0, win); /* rma-epoch-missing (flush-other) */
    }
    if (strcmp(name, "flush-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win); /* rma-epoch-missing (flush-fence) */
    }
    if (strcmp(name, "flush-unlocked") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock(1, win);
        MPI_Win_flush(1, win); /* rma-epoch-missing (flush-unlocked) */
    }
    if (strcmp(name, "rput-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Rput(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request); /* rma-epoch-missing (rput-fence) */
    }
    if (strcmp(name, "rput-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Rput(data, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request); /* rma-epoch-missing (rput-start) */
    }
    if (strcmp(name, "rput-other") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Rput(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win, &request); /* rma-epoch-missing (rput-other) */
    }
}

/* An epoch is open in which these may not begin. */
static void call_nested(const char *name)
{
    if (strcmp(name, "lock-lock") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* rma-epoch-nested (lock-lock) */
    }
    if (strcmp(name, "two-locks-lock") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* rma-epoch-nested (two-locks-lock) */
    }
    if (strcmp(name, "lock-all-lock") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* rma-epoch-nested (lock-all-lock) */
    }
    /* Where MPI has refused the call, what would end its epoch is no second error; another one is. */
    if (strcmp(name, "lock-all-lock-unlock") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* rma-epoch-nested (lock-all-lock-unlock) */
        MPI_Win_unlock(1, win);
        MPI_Win_unlock(1, win); /* rma-epoch-end (lock-all-lock-unlock) */
    }
    if (strcmp(name, "start-start-complete") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_start(group, 0, win); /* rma-epoch-nested (start-start-complete) */
        MPI_Win_complete(win);
        MPI_Win_complete(win);
    }
    if (strcmp(name, "lock-lock-all") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock_all(0, win); /* rma-epoch-nested (lock-lock-all) */
    }
    if (strcmp(name, "lock-all-lock-all") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_lock_all(0, win); /* rma-epoch-nested (lock-all-lock-all) */
    }
    if (strcmp(name, "start-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_start(group, 0, win); /* rma-epoch-nested (start-start) */
    }
    if (strcmp(name, "post-post") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_post(group, 0, win); /* rma-epoch-nested (post-post) */
    }
    if (strcmp(name, "lock-start") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_start(group, 0, win); /* rma-epoch-nested (lock-start) */
    }
    if (strcmp(name, "start-lock") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* rma-epoch-nested (start-lock) */
    }
    if (strcmp(name, "lock-all-start") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_start(group, 0, win); /* rma-epoch-nested (lock-all-start) */
    }
    if (strcmp(name, "start-lock-all") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_lock_all(0, win); /* rma-epoch-nested (start-lock-all) */
    }
    if (strcmp(name, "fence-lock") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* rma-epoch-nested (fence-lock) */
    }
    if (strcmp(name, "fence-lock-all") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_lock_all(0, win); /* rma-epoch-nested (fence-lock-all) */
    }
    if (strcmp(name, "fence-start") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_start(MPI_GROUP_EMPTY, 0, win); /* rma-epoch-nested (fence-start) */
    }
    if (strcmp(name, "lock-fence") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_fence(0, win); /* rma-epoch-nested (lock-fence) */
    }
    if (strcmp(name, "lock-all-fence") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_fence(0, win); /* rma-epoch-nested (lock-all-fence) */
    }
    if (strcmp(name, "start-fence") == 0) {
        MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
        MPI_Win_fence(0, win); /* rma-epoch-nested (start-fence) */
    }
    if (strcmp(name, "post-fence") == 0) {
        MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
        MPI_Win_fence(0, win); /* rma-epoch-nested (post-fence) */
    }
    if (strcmp(name, "lock-post") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_post(group, 0, win); /* rma-epoch-nested (lock-post) */
    }
    if (strcmp(name, "lock-all-post") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_post(group, 0, win); /* rma-epoch-nested (lock-all-post) */
    }
    if (strcmp(name, "post-lock") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* rma-epoch-nested (post-lock) */
    }
    if (strcmp(name, "post-lock-all") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_lock_all(0, win); /* rma-epoch-nested (post-lock-all) */
    }
}

/* There is nothing that these may end. */
static void call_end(const char *name)
{
    int flag;
    if (strcmp(name, "unlock") == 0) {
        MPI_Win_unlock(1, win); /* rma-epoch-end (unlock) */
    }
    if (strcmp(name, "unlock-other") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock(0, win); /* rma-epoch-end (unlock-other) */
    }
    if (strcmp(name, "unlock-twice") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock(1, win);
        MPI_Win_unlock(1, win); /* rma-epoch-end (unlock-twice) */
    }
    if (strcmp(name, "unlock-one-of-all") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_unlock(1, win); /* rma-epoch-end (unlock-one-of-all) */
    }
    if (strcmp(name, "unlock-all") == 0) {
        MPI_Win_unlock_all(win); /* rma-epoch-end (unlock-all) */
    }
    if (strcmp(name, "unlock-all-of-one") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock_all(win); /* rma-epoch-end (unlock-all-of-one) */
    }
    if (strcmp(name, "unlock-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win); /* rma-epoch-end (unlock-fence) */
    }
    if (strcmp(name, "complete") == 0) {
        MPI_Win_complete(win); /* rma-epoch-end (complete) */
    }
    if (strcmp(name, "complete-posted") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_complete(win); /* rma-epoch-end (complete-posted) */
    }
    if (strcmp(name, "complete-twice-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_complete(win);
        MPI_Win_complete(win); /* rma-epoch-end (complete-twice-start) */
    }
    if (strcmp(name, "wait") == 0) {
        MPI_Win_wait(win); /* rma-epoch-end (wait) */
    }
    if (strcmp(name, "wait-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_wait(win); /* rma-epoch-end (wait-start) */
    }
    if (strcmp(name, "test") == 0) {
        MPI_Win_test(win, &flag); /* rma-epoch-end (test) */
    }
}

/* The window is in an epoch. */
static void call_open(const char *name)
{
    if (strcmp(name, "free-lock") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_free(&win); /* rma-epoch-open (free-lock) */
    }
    if (strcmp(name, "free-lock-all") == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Win_free(&win); /* rma-epoch-open (free-lock-all) */
    }
    if (strcmp(name, "free-start") == 0) {
        MPI_Win_start(group, 0, win);
        MPI_Win_free(&win); /* rma-epoch-open (free-start) */
    }
    if (strcmp(name, "free-post") == 0) {
        MPI_Win_post(group, 0, win);
        MPI_Win_free(&win); /* rma-epoch-open (free-post) */
    }
    if (strcmp(name, "free-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_free(&win); /* rma-epoch-open (free-fence) */
    }
    if (strcmp(name, "finalize-fence") == 0) {
        MPI_Win_fence(0, win); /* rma-epoch-open (finalize-fence) */
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Finalize();
    }
}

/* Assertions that do not hold. */
static void call_assert(const char *name)
{
    if (strcmp(name, "no-precede-fence") == 0) {
        MPI_Win_fence(0, win);
        MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win); /* rma-assert (no-precede-fence) */
    }
}

/* Where MPI waits for ever, it does so busily: the process ends after this much of its own time, on a busy machine, too. */
static void end_after_seconds(time_t seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    const int *memory;
    int rank, flag, with_fence;
    MPI_Group world;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world); /* handle-leak (finalize-fence) */
    MPI_Group_incl(world, 1, (int[]){!rank}, &group); /* handle-leak (finalize-fence) */
    with_fence = strstr(name, "fence") != NULL; /* one process need not be joined by another */
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, with_fence ? MPI_COMM_SELF : MPI_COMM_WORLD, &memory, &win); /* handle-leak (finalize-fence) */
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank) {
        if (strstr(name, "finalize")) {
            MPI_Win_free(&win);
            MPI_Group_free(&group);
            MPI_Group_free(&world);
            MPI_Finalize();
            return 0;
        }
        if (!with_fence && strstr(name, "start"))
            MPI_Win_post(group, 0, win);
        for (;;) /* MPICH's locks need it */
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    } else {
        end_after_seconds(2);
        call_missing(name);
        call_nested(name);
        call_end(name);
        call_open(name);
        call_assert(name);
    }
    MPI_Abort(MPI_COMM_WORLD, 3);
}
