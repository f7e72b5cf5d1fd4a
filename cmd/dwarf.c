/* SPDX-License-Identifier: BSD-3-Clause */
#include "dwarf.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static struct dwarf loaded;
static const char *why;

static bool load_library(void)
{
    void *library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        return false;
    }
#define X(name)                                                                                    \
    *(void **)&loaded.name = dlsym(library, #name);                                                \
    if (loaded.name == NULL)                                                                       \
        return false;
    DWARF_FUNCTIONS(X)
#undef X
    return true;
}

const struct dwarf *dwarf_load(void)
{
    static bool tried, there;
    if (!tried) {
        tried = true;
        there = load_library();
        if (!there) {
            why = strdup(dlerror());
        }
    }
    return there ? &loaded : NULL;
}

const char *dwarf_why_not(void)
{
    return why != NULL ? why : "";
}
