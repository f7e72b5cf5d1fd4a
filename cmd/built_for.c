/* SPDX-License-Identifier: BSD-3-Clause */
#include "built_for.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_file.h"
#include "say.h"
#include "tree.h"
#include "words.h"

/* Returns libshadowtype's text, "Open MPI 4.1.4, libmpi.so.40", in new memory; NULL if there is no
 * such library, or one without that text. */
static char *built_for(enum mpi_kind kind)
{
    struct elf_file file;
    if (elf_open(&file, tree_library_path(kind)) != ELF_OK) {
        return NULL;
    }
    const char *text = elf_text(&file, "shadowtype_built_for");
    char *copy = text != NULL ? text_of("%s", text) : NULL;
    elf_close(&file);
    return copy;
}

void built_for_print(void)
{
    for (enum mpi_kind kind = MPI_KIND_MPICH; kind <= MPI_KIND_OPENMPI; kind++) {
        char *text = built_for(kind);
        if (text != NULL) {
            printf("%s: built for %s\n", text_base_name(tree_library_path(kind)), text);
        }
        free(text);
    }
}

/* Returns the number of "libmpi.so.40": 40; -1 if it has none. */
static long number_of(const char *soname)
{
    static const char before[] = ".so.";
    const char *number = strstr(soname, before);
    char *end;
    if (number == NULL) {
        return -1;
    }
    number += sizeof before - 1;
    long value = strtol(number, &end, 10);
    return end == number ? -1 : value;
}

void built_for_compare(enum mpi_kind kind, const char *program, const char *soname)
{
    char *text = built_for(kind);
    const char *other = text != NULL ? strrchr(text, ' ') : NULL;
    if (soname != NULL && other != NULL) {
        long number = number_of(soname), wanted = number_of(other + 1);
        if (number >= 0 && wanted >= 0 && number != wanted) {
            warn(
                "'%s' uses %s, and this mpipp was built for %s: it may report what is no error, or "
                "crash the program ('make MPICC=' builds it for another MPI)",
                program, soname, text);
        }
    }
    free(text);
}
