/* SPDX-License-Identifier: BSD-3-Clause */
#include "tree.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "say.h"
#include "words.h"

const char *tree_executable(void)
{
    static char path[PATH_MAX];
    if (path[0] == '\0') {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        if (length <= 0) {
            fail(1, "cannot tell where mpipp is: '/proc/self/exe' is not readable");
        }
        path[length] = '\0';
    }
    return path;
}

static const char *in_tree(const char *relative)
{
    const char *executable = tree_executable();
    const char *bin = text_base_name(executable);
    int length = (int)(bin - executable - 1); /* length of the folder's name, without its '/' */
    while (length > 0 && executable[length - 1] != '/') {
        length--;
    }
    return text_of("%.*s%s", length, executable, relative);
}

/* The folder of the libraries: what 'make install LIBDIR=' may be, seen from PREFIX. */
static const char *libraries(void)
{
    static const char *const folders[] = {"lib", "lib64", ("lib/" MPIPP_MULTIARCH)};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        if (access(in_tree(text_of("%s/mpipp/hold.so", folders[i])), F_OK) == 0) {
            return folders[i];
        }
    }
    return folders[0];
}

static const char *in_libraries(const char *relative)
{
    return in_tree(text_of("%s/%s", libraries(), relative));
}

/* ld.so takes both characters as separators in LD_PRELOAD, and knows no quoting. */
static const char *preloadable(const char *path)
{
    if (strpbrk(path, " \t:") != NULL) {
        fail(1, "'%s' cannot be preloaded: a blank or a colon is in its path", path);
    }
    return path;
}

const char *tree_library_path(enum mpi_kind kind)
{
    return in_libraries(text_of("libshadowtype-%s.so", mpi_kind_name(kind)));
}

const char *tree_library(enum mpi_kind kind)
{
    const char *path = tree_library_path(kind);
    if (access(path, R_OK) != 0) {
        fail(1, "'%s' is missing: this mpipp was built without %s", path, mpi_kind_title(kind));
    }
    return preloadable(path);
}

const char *tree_heap_path(void)
{
    return in_libraries("libshadowtype-heap.so");
}

const char *tree_heap(void)
{
    const char *path = tree_heap_path();
    if (access(path, R_OK) != 0) {
        fail(1, "'--check=size' needs '%s', which is missing", path);
    }
    return preloadable(path);
}

const char *tree_plugin(void)
{
    const char *path = in_libraries("mpipp/gdb/mpipp-gdb.py");
    if (access(path, R_OK) != 0) {
        fail(1, "the gdb plugin is missing: no file '%s'", path);
    }
    return path;
}

bool tree_has_command(const char *command)
{
    const char *name = command + strcspn(command, " ");
    if (*name == ' ') {
        name++;
    }
    const char *file =
        text_of("mpipp/gdb/mpipp/commands/mpi_%.*s.py", (int)strcspn(name, " "), name);
    return access(in_libraries(file), R_OK) == 0;
}

const char *tree_hold(void)
{
    const char *path = in_libraries("mpipp/hold.so");
    if (access(path, R_OK) != 0) {
        fail(1, "this mpipp is not complete: no file '%s'", path);
    }
    return path;
}
