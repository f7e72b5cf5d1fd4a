/*
 * The fuzzer without a fuzzer: a fixed number of random inputs from a recorded seed, or the files
 * named on the command line (what libFuzzer left as crash-...).
 *
 *     [ST_SEED=N] [ST_CASES=N] decode_fuzz|element_fuzz [FILE...]
 *
 * The last line is "N passed, N failed"; a case that crashes ends the program before it, and the
 * line before tells the seed to have it again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CASES = 4000, LONGEST = 16 * 12, SLOW = 20 /* seconds */ };

static void random_case(uint64_t seed)
{
    uint8_t input[LONGEST];
    size_t size = 12 * (size_t)image_between(&seed, 1, image_random(&seed) % 4 ? 3 : 16);
    for (size_t i = 0; i < size; i++) {
        input[i] = (uint8_t)image_random(&seed);
    }
    LLVMFuzzerTestOneInput(input, size);
}

static int run_file(const char *name)
{
    static uint8_t input[1 << 16];
    FILE *file = fopen(name, "rb");
    if (!file) {
        perror(name);
        return 1;
    }
    size_t size = fread(input, 1, sizeof input, file);
    fclose(file);
    LLVMFuzzerTestOneInput(input, size);
    return 0;
}

int main(int argc, char **argv)
{
    int failed = 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc > 1) {
        for (int i = 1; i < argc; i++) {
            failed += run_file(argv[i]);
        }
        printf("%d passed, %d failed\n", argc - 1 - failed, failed);
        return failed != 0;
    }
    const char *wanted = getenv("ST_CASES");
    long cases = wanted ? strtol(wanted, NULL, 10) : CASES;
    uint64_t seed = image_seed(271828);
    for (long i = 0; i < cases; i++) {
        uint64_t one = seed + (uint64_t)i;
        clock_t start = clock();
        if (i % 500 == 0) {
            printf("# from ST_SEED=%llu ST_CASES=500\n", (unsigned long long)one);
        }
        random_case(one);
        if ((clock() - start) / CLOCKS_PER_SEC > SLOW) {
            printf("FAIL: ST_SEED=%llu takes more than %d seconds of the processor's\n",
                   (unsigned long long)one, SLOW);
            failed++;
        }
    }
    printf("%ld passed, %d failed\n", cases - failed, failed);
    return failed != 0;
}
