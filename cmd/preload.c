/* SPDX-License-Identifier: BSD-3-Clause */
#include "preload.h"

#include <stdlib.h>
#include <string.h>

#include "tree.h"
#include "words.h"

/* Returns what follows LIBRARY in LIST, which has the form of LD_PRELOAD; NULL if LIBRARY is not
 * first there. */
static const char *after_library(const char *list, const char *library)
{
    if (!text_begins(list, library)) {
        return NULL;
    }
    const char *rest = list + strlen(library);
    if (*rest == ':' || *rest == ' ') {
        return rest + 1;
    }
    return *rest == '\0' ? rest : NULL;
}

/* Returns LIST without the library of the heap, if that is first there. */
static const char *after_heap(const char *list)
{
    const char *rest = after_library(list, tree_heap_path());
    return rest != NULL ? rest : list;
}

static const char *listed(void)
{
    const char *list = getenv("LD_PRELOAD");
    return list == NULL ? "" : list;
}

/* A program compiled with -fsanitize=address and linked with the shared runtime ends at once if a
 * library is preloaded before that runtime. ASan's documentation has this option for preloaded
 * libraries. It is set for every program, because one without ASan may start one with it. */
static void allow_asan(void)
{
    static const char option[] = "verify_asan_link_order=0";
    const char *options = getenv("ASAN_OPTIONS");
    if (options == NULL || options[0] == '\0') {
        setenv("ASAN_OPTIONS", option, 1);
    } else if (strstr(options, option) == NULL) { /* the last setting counts */
        setenv("ASAN_OPTIONS", text_of("%s:%s", options, option), 1);
    }
}

void preload_set(enum mpi_kind kind, bool heap)
{
    const char *library = tree_library(kind);
    const char *others = after_library(listed(), library);
    /* A program started by mpipp may itself start another one by mpipp. */
    others = after_heap(others == NULL ? listed() : others);
    const char *list = heap ? text_of("%s:%s", library, tree_heap()) : library;
    setenv("LD_PRELOAD", others[0] == '\0' ? list : text_of("%s:%s", list, others), 1);
    allow_asan();
}

void preload_unset(enum mpi_kind kind)
{
    const char *others = after_library(listed(), tree_library(kind));
    if (others == NULL) {
        return;
    }
    others = after_heap(others);
    if (others[0] == '\0') {
        unsetenv("LD_PRELOAD");
    } else {
        setenv("LD_PRELOAD", text_of("%s", others), 1);
    }
}
