/*
 * A program that tells how it was started, for tests of mpipp.
 *
 *     probe args A B...    one line: rank, size, whether libshadowtype is loaded, [A][B]...
 *     probe cat            copies its standard input
 *     probe exit N         ends with status N
 *     probe signal N       ends by signal N
 *     probe retitle N      overwrites its environment, as what changes a program's title does; lives on
 *                          for 13 seconds, and ends with status N
 *     probe sleep          waits to be killed
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_loaded(const char *library)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL)
        found = found || strstr(line, library) != NULL;
    if (maps != NULL)
        fclose(maps);
    return found;
}

static void print_arguments(char **arguments)
{
    char line[4096];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int length = snprintf(line, sizeof line, "rank %d of %d, %s", rank, size,
                          is_loaded("/libshadowtype-") ? "loaded" : "not loaded");
    for (; *arguments != NULL && length < (int)sizeof line; arguments++)
        length += snprintf(line + length, sizeof line - (size_t)length, " [%s]", *arguments);
    puts(line);
}

int main(int count, char **arguments)
{
    const char *what = count > 1 ? arguments[1] : "args";
    int number = count > 2 ? atoi(arguments[2]) : 0;
    int status = 0;

    MPI_Init(&count, &arguments);
    if (strcmp(what, "args") == 0) {
        print_arguments(count > 1 ? arguments + 2 : arguments + 1);
    } else if (strcmp(what, "cat") == 0) {
        int c;
        while ((c = getchar()) != EOF)
            putchar(c);
    } else if (strcmp(what, "exit") == 0) {
        status = number;
    } else if (strcmp(what, "signal") == 0) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (strcmp(what, "retitle") == 0) {
        for (char **entry = environ; *entry != NULL; entry++)
            memset(*entry, 0, strlen(*entry));
        sleep(13);
        status = number;
    } else {
        puts("asleep");
        fflush(stdout);
        sleep(60);
    }
    MPI_Finalize();
    return status;
}
