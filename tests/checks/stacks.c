/* A thread and a fibre with stacks of 16 KiB: derived datatypes, calls that give a request, and in
 * each a finding. MPI itself has room enough there; the library must have, too. */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { STACK = 16384, GUARD = 4096 };

static int table[8][8];

static MPI_Datatype columns(MPI_Datatype *column)
{
    MPI_Datatype next, both;
    MPI_Type_vector(8, 1, 8, MPI_INT, column);
    MPI_Type_commit(column);
    MPI_Type_create_resized(*column, 0, sizeof(int), &next);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, sizeof(int)},
                           (MPI_Datatype[]){next, next}, &both);
    MPI_Type_commit(&both);
    MPI_Type_free(&next);
    return both;
}

static void work(bool in_fibre)
{
    MPI_Datatype column, both = columns(&column);
    MPI_Request requests[2];
    MPI_Irecv(table, 1, both, 0, 1, MPI_COMM_SELF, &requests[0]);
    /* clang-format off */
    if (in_fibre)
        MPI_Irecv(&table[0][1], 1, column, 0, 2, MPI_COMM_SELF, &requests[1]); /* buffer-overlap */ /* at (STRUCT)[1][0](RESIZED)[0](VECTOR)[0][0](MPI_INT)+4 (VECTOR)[0][0](MPI_INT)+0 */
    else
        MPI_Irecv(&table[0][1], 1, column, 0, 2, MPI_COMM_SELF, &requests[1]); /* buffer-overlap */ /* at (STRUCT)[1][0](RESIZED)[0](VECTOR)[0][0](MPI_INT)+4 (VECTOR)[0][0](MPI_INT)+0 */
    /* clang-format on */
    MPI_Cancel(&requests[0]);
    MPI_Cancel(&requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&both);
    MPI_Type_free(&column);
}

/* The page below it cannot be touched. */
static void *new_stack(void)
{
    char *pages =
        mmap(NULL, GUARD + STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages, GUARD, PROT_NONE) != 0)
        abort();
    return pages + GUARD;
}

static void *in_thread(void *nothing)
{
    work(false);
    return nothing;
}

static ucontext_t main_context, fibre;

static void in_fibre(void)
{
    work(true);
    swapcontext(&fibre, &main_context);
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    pthread_attr_t attributes;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, new_stack(), STACK);
    if (pthread_create(&thread, &attributes, in_thread, NULL) != 0)
        abort();
    pthread_join(thread, NULL);
    getcontext(&fibre);
    fibre.uc_stack.ss_sp = new_stack();
    fibre.uc_stack.ss_size = STACK;
    makecontext(&fibre, in_fibre, 0);
    swapcontext(&main_context, &fibre);
    MPI_Finalize();
    return 0;
}
