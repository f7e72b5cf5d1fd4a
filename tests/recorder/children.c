/* Processes that a rank starts: those of MPI_Comm_spawn are recorded, others are left alone.
 *
 *     children [multiple]    by MPI_Comm_spawn, or by MPI_Comm_spawn_multiple
 */
#include "recorder/tree.h"

#include <sys/wait.h>
#include <unistd.h>

static void as_child(MPI_Comm parent)
{
    int sum = 0, bad = !root || root->live != 1 || root->state != ST_STATE_INITIALIZED;
    MPI_Reduce(&bad, &sum, 1, MPI_INT, MPI_SUM, 0, parent);
    MPI_Comm_disconnect(&parent);
}

static void check_children(MPI_Comm children)
{
    int bad = -1, none = 0;
    MPI_Reduce(&none, &bad, 1, MPI_INT, MPI_SUM, MPI_ROOT, children);
    CHECK_EQUAL(bad, 0);
    MPI_Comm_disconnect(&children);
}

/* Children that were started well and recorded a type. Once in a process: Open MPI 4.1.4 may wait for
 * ever in a second spawn (spawn_words.c has the other cases). */
static void spawn(char *program, int multiple)
{
    char *arguments[] = {"one", "two words", NULL};
    char *programs[] = {program, program};
    char **all_arguments[] = {arguments, arguments};
    int counts[] = {1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL};
    int codes[2], result;
    MPI_Comm children;
    if (multiple)
        result = MPI_Comm_spawn_multiple(2, programs, all_arguments, counts, infos, 0,
                                         MPI_COMM_SELF, &children, codes);
    else
        result = MPI_Comm_spawn(program, arguments, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                                codes);
    CHECK(strcmp(programs[0], program) == 0); /* ours are put back */
    if (result == MPI_SUCCESS)
        check_children(children);
    else
        puts("note: this MPI cannot spawn here");
}

static void run_a_shell(void)
{
    int ends[2], status = -1;
    char text[100] = "";
    CHECK_EQUAL(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        execlp("sh", "sh", "-c", "echo unharmed | cat", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    CHECK(read(ends[0], text, sizeof text - 1) > 0);
    CHECK(strcmp(text, "unharmed\n") == 0);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(status, 0);
}

/* A copy of the rank that ends without MPI: its registry is a copy, too. */
static void fork_only(MPI_Datatype type)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0)
        _exit(root->live != 1 || node_of(type)->args[0] != 3 || !is_sound());
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(status, 0);
    CHECK(is_sound());
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    MPI_Datatype type;
    MPI_Init(&argc, &argv);
    MPI_Comm_get_parent(&parent);
    root = dlsym(RTLD_DEFAULT, ST_ROOT_SYMBOL);
    MPI_Type_contiguous(3, MPI_INT, &type);
    if (parent != MPI_COMM_NULL) {
        if (argc != 3 || strcmp(argv[2], "two words"))
            root = NULL;
        as_child(parent);
        MPI_Finalize();
        return 0;
    }
    start();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    run_a_shell();
    fork_only(type);
    spawn(argv[0], argc > 1 && strcmp(argv[1], "multiple") == 0);
    MPI_Type_free(&type);
    MPI_Finalize();
    return finish();
}
