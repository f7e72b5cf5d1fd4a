/* Libraries that are opened and closed again and again, and call MPI, cost memory once. */
#include "recorder/tree.h"

/* MOST_PAGES: more than MPI takes alone in as many cycles. */
enum { CYCLES = 5000, WARM_UP = 50, MOST_PAGES = 500 };

/* The size of this process in pages; -1: unknown. */
static long mapped_pages(void)
{
    long pages = -1;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld", &pages) != 1)
        pages = -1;
    if (file)
        fclose(file);
    return pages;
}

static bool call_in(const char *library)
{
    void *opened = dlopen(library, RTLD_NOW);
    int (*job)(void) = opened ? (int (*)(void))dlsym(opened, "job") : NULL;
    return job && job() == MPI_SUCCESS && dlclose(opened) == 0;
}

/* How many pages more there are after CYCLES times; -1: it could not be done. */
static long pages_taken(const char *first, const char *second)
{
    long before = -1;
    for (int i = 0; i < WARM_UP + CYCLES; i++) {
        if (i == WARM_UP)
            before = mapped_pages();
        if (!call_in(first) || !call_in(second))
            return -1;
    }
    long after = mapped_pages();
    if (before < 0 || after < 0)
        return -1;
    return after > before ? after - before : 0;
}

/* usage: reloads LIBRARY LIBRARY [PAGES]: objects of different size with a function `job`. Without PAGES it says how
 * many pages are taken; with it, the recorder is there, and may take little more than that. */
int main(int argc, char **argv)
{
    if (argc == 4)
        start();
    MPI_Init(NULL, NULL);
    long taken = argc >= 3 ? pages_taken(argv[1], argv[2]) : -1;
    if (argc == 3)
        printf("%ld\n", taken);
    if (argc == 4) {
        CHECK(taken >= 0);
        CHECK(taken - atol(argv[3]) < MOST_PAGES);
        if (taken - atol(argv[3]) >= MOST_PAGES)
            printf("%ld pages more after %d times\n", taken, CYCLES);
        CHECK_EQUAL(root->live, 0);
        CHECK(is_sound());
    }
    MPI_Finalize();
    return argc == 4 ? finish() : 0;
}
