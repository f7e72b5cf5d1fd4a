/* What MPI_Comm_spawn is asked for, as a tool below the recorder sees it (tool.c): so that it is
 * seen under an MPI that cannot spawn, too. */
#include "recorder/tree.h"

#include <limits.h>

static const char *asked;
static MPI_Comm children;

static void spawn(const char *command, MPI_Info info)
{
    char *arguments[] = {"one", "two words", NULL};
    MPI_Comm_spawn(command, arguments, 2, info, 0, MPI_COMM_SELF, &children, MPI_ERRCODES_IGNORE);
}

/* Takes the word out that names the children's world, which is another one in each call. Returns false if it is not
 * there. */
static bool take_world_out(char *text)
{
    char *word = strstr(text, "MPIPP_SPAWNED="), *end = word ? strchr(word, '|') : NULL;
    if (!end)
        return false;
    memmove(word, end + 1, strlen(end));
    return true;
}

static void check_words(const char *before, const char *command, const char *after)
{
    char wanted[2 * PATH_MAX], given[2 * PATH_MAX];
    snprintf(wanted, sizeof wanted, "%s%s|%s", before, command, after);
    snprintf(given, sizeof given, "%s", asked);
    CHECK(take_world_out(given) == (*before != 0));
    CHECK(strcmp(given, wanted) == 0);
    if (strcmp(given, wanted) != 0)
        printf("asked: %s\nwanted: %s\n", asked, wanted);
}

static void check(const char *before, const char *command)
{
    check_words(before, command, "one|two words|");
}

int main(int argc, char **argv)
{
    char before[PATH_MAX], *commands[] = {argv[0], argv[0]}, *one[] = {"one", "two words", NULL};
    char **arguments[] = {one, one};
    int counts[] = {1, 1};
    MPI_Info infos[] = {MPI_INFO_NULL, MPI_INFO_NULL}, info;
    start();
    asked = dlsym(RTLD_DEFAULT, "spawn_asked");
    if (!asked) {
        puts("FAIL: the tool is not preloaded\n0 passed, 1 failed");
        return 1;
    }
    MPI_Init(&argc, &argv);
    snprintf(before, sizeof before, "env|LD_PRELOAD=%s|", getenv("LD_PRELOAD"));
    spawn(argv[0], MPI_INFO_NULL);
    check(before, argv[0]);
    spawn("sh", MPI_INFO_NULL);
    check(before, "sh");
    MPI_Comm_spawn_multiple(2, commands, arguments, counts, infos, 0, MPI_COMM_SELF, &children,
                            MPI_ERRCODES_IGNORE);
    check(before, argv[0]);

    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &children,
                   MPI_ERRCODES_IGNORE);
    check_words(before, argv[0], "");
    MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_SELF, &children,
                            MPI_ERRCODES_IGNORE);
    check_words(before, argv[0], "");

    setenv("MPIPP_CALLERS", "4", 1);
    snprintf(before, sizeof before, "env|LD_PRELOAD=%s|MPIPP_CALLERS=4|", getenv("LD_PRELOAD"));
    spawn(argv[0], MPI_INFO_NULL);
    check(before, argv[0]);

    setenv("MPIPP_CHECK", "size", 1);
    snprintf(before, sizeof before, "env|LD_PRELOAD=%s|MPIPP_CALLERS=4|MPIPP_CHECK=size|",
             getenv("LD_PRELOAD"));
    spawn(argv[0], MPI_INFO_NULL);
    check(before, argv[0]);

    /* Where MPI looks for the command in another place, or will not find it, the call is left alone. */
    MPI_Info_create(&info);
    MPI_Info_set(info, "host", "localhost");
    spawn(argv[0], info);
    check(before, argv[0]);
    MPI_Info_set(info, "wdir", "/");
    spawn(argv[0], info);
    check("", argv[0]);
    MPI_Info_free(&info);
    spawn("no-such-command", MPI_INFO_NULL);
    check("", "no-such-command");
    CHECK(strcmp(one[0], "one") == 0 && strcmp(commands[1], argv[0]) == 0);
    MPI_Finalize();
    return finish();
}
