/*
 * Writes a registry image (zoo.h) to a file, for tests in another language.
 *
 *     dump_image FILE [DEPTH]
 *
 * prints "BASE ROOT BUFFER" in hexadecimal: the addresses of the file's first byte, of the root,
 * and of the numbers 0 to 255 as int. DEPTH: so many RESIZED types on top of MPI_INT, the last node
 * at the top.
 */
#include <stdio.h>
#include <stdlib.h>

#include "zoo.h"

int main(int argc, char **argv)
{
    FILE *file = argc == 2 || argc == 3 ? fopen(argv[1], "wb") : NULL;
    if (!file) {
        fputs("usage: dump_image FILE [DEPTH]\n", stderr);
        return 2;
    }
    struct image image;
    image_init(&image);
    zoo_fill(&image);
    zoo_add_work(&image);
    zoo_add_log(&image);
    uint32_t top = 0; /* MPI_INT */
    for (long i = argc == 3 ? strtol(argv[2], NULL, 10) : 0; i > 0; i--) {
        top = image_resized(&image, 0, 4, top);
    }
    image_finish(&image);
    int numbers[256];
    for (int i = 0; i < 256; i++) {
        numbers[i] = i;
    }
    uint64_t buffer = image_add(&image, numbers, sizeof numbers);
    size_t written = fwrite(image.data, 1, image.size, file);
    printf("%llx %llx %llx\n", (unsigned long long)IMAGE_BASE, (unsigned long long)image.root,
           (unsigned long long)buffer);
    bool ok = written == image.size;
    ok = fclose(file) == 0 && ok;
    image_deinit(&image);
    return !ok;
}
