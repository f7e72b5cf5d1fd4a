/*
 * A rank with errors, for --on-error.
 *
 *     on_error RANK|all [thread] [undumpable] [leak]
 *
 * The ranks that are named make two wrong calls; then each looks whether it is as it was: its
 * descriptors, its signal mask, no child, no SIGCHLD. The exit status is 7.
 */
#include <dirent.h>
#include <errno.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

static volatile sig_atomic_t children_ended;
static int rank;

static void child_ended(int number)
{
    (void)number;
    children_ended++;
}

/* The library may keep one that is far from the program's own. */
static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.' && atoi(entry->d_name) < 512;
    closedir(folder);
    return count;
}

static void *exchange(void *unused)
{
    int numbers[8] = {11, 12, 13, 14, 15, 16, 17, 18};
    MPI_Datatype column;
    (void)unused;
    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Bcast(numbers, 1, column, 0, MPI_COMM_SELF);   /* wrong: uncommitted */
    MPI_Bcast(numbers, -1, MPI_INT, 0, MPI_COMM_SELF); /* wrong: count */
    MPI_Type_free(&column);
    return NULL;
}

static int is_named(char **words, const char *word)
{
    for (; *words != NULL; words++)
        if (strcmp(*words, word) == 0)
            return 1;
    return 0;
}

/* MPI would spin while another rank is held. */
static void wait_for_all(void)
{
    int done = 0;
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); !done;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
}

static void err(char **words)
{
    pthread_t thread;
    if (!is_named(words, "thread")) {
        exchange(NULL);
        return;
    }
    pthread_create(&thread, NULL, exchange, NULL);
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int level;
    char own[16];
    MPI_Datatype never_freed;
    sigset_t before = {0}, after = {0};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(own, sizeof own, "%d", rank);
    if (is_named(argv, "undumpable"))
        prctl(PR_SET_DUMPABLE, 0);
    if (is_named(argv, "leak"))
        MPI_Type_contiguous(2, MPI_INT, &never_freed);
    wait_for_all();
    signal(SIGCHLD, child_ended);
    int files = open_files();
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    if (is_named(argv, own) || is_named(argv, "all"))
        err(argv);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    int same = open_files() == files && children_ended == 0 &&
               memcmp(&before, &after, sizeof before) == 0 && waitpid(-1, NULL, 0) < 0 &&
               errno == ECHILD;
    printf("rank %d %s\n", rank, same ? "as before" : "has changed");
    fflush(stdout);
    wait_for_all();
    MPI_Finalize();
    return 7;
}
