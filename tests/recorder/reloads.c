/* Libraries that are opened and closed again and again, and call MPI, cost memory once. */
#include "recorder/tree.h"

/* MPICH alone takes up to 170 pages in as many cycles: UCX, below it, sees each library come and go. */
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

/* usage: reloads LIBRARY LIBRARY: objects of different size with a function `job` */
int main(int argc, char **argv)
{
    start();
    MPI_Init(NULL, NULL);
    long before = -1, after = -1;
    bool called = argc == 3;
    for (int i = 0; called && i < WARM_UP + CYCLES; i++) {
        if (i == WARM_UP)
            before = mapped_pages();
        called = call_in(argv[1]) && call_in(argv[2]);
    }
    after = mapped_pages();
    CHECK(called);
    CHECK(before > 0);
    CHECK(after - before < MOST_PAGES);
    if (after - before >= MOST_PAGES)
        printf("%ld pages more after %d times\n", after - before, CYCLES);
    CHECK_EQUAL(root->live, 0);
    CHECK(is_sound());
    MPI_Finalize();
    return finish();
}
