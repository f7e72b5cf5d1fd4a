/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The paths of mpipp's own files: relative to its executable, so that the tree can be moved. The folder `lib`
 * may also be lib64, or lib/x86_64-linux-gnu and its like. Each function ends mpipp with a sentence if the file
 * does not exist.
 */
#ifndef MPIPP_TREE_H
#define MPIPP_TREE_H

#include <stdbool.h>

#include "mpi_kind.h"

const char *tree_executable(void);                 /* bin/mpipp */
const char *tree_library(enum mpi_kind kind);      /* lib/libshadowtype-KIND.so */
const char *tree_library_path(enum mpi_kind kind); /* the same, whether it exists or not; never
                                                      ends mpipp */
const char *tree_heap(void);                       /* lib/libshadowtype-heap.so */
const char *tree_heap_path(void);                  /* the same, whether it exists or not; never ends
                                                 mpipp */
const char *tree_plugin(void);                     /* lib/mpipp/gdb/mpipp-gdb.py */
const char *tree_hold(void);                       /* lib/mpipp/hold.so */

/* Returns true if the plugin has a command, by its first two words: "mpi types". Never ends mpipp. */
bool tree_has_command(const char *command);

#endif
