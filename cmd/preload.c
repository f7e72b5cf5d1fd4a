#include "preload.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tree.h"
#include "words.h"

/* What follows LIBRARY in LD_PRELOAD; NULL if LIBRARY is not first there. */
static const char *after_library(const char *library)
{
    const char *list = getenv("LD_PRELOAD");
    if (list == NULL || !text_begins(list, library))
        return NULL;
    const char *rest = list + strlen(library);
    return *rest == '\0' || *rest == ':' || *rest == ' ' ? rest : NULL;
}

void preload_set(enum mpi_kind kind)
{
    const char *library = tree_library(kind);
    const char *others = getenv("LD_PRELOAD");
    if (after_library(library) != NULL)
        return; /* a program started by mpipp may start another by mpipp */
    bool alone = others == NULL || others[0] == '\0';
    setenv("LD_PRELOAD", alone ? library : text_of("%s:%s", library, others), 1);
}

void preload_unset(enum mpi_kind kind)
{
    const char *others = after_library(tree_library(kind));
    if (others == NULL)
        return;
    if (others[0] == '\0')
        unsetenv("LD_PRELOAD");
    else
        setenv("LD_PRELOAD", text_of("%s", others + 1), 1);
}
