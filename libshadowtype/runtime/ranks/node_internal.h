/* SPDX-License-Identifier: BSD-3-Clause */
/* What node.c shares with node_messages.c: the file of the memory that the ranks of a node share. */
#ifndef ST_RUNTIME_RANKS_NODE_INTERNAL_H
#define ST_RUNTIME_RANKS_NODE_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

/* Opens the memory; O_RDONLY or O_RDWR. In another PID namespace, as in a container, the descriptor may belong
 * to another process: then it is not opened. Returns -1 if it cannot be had. */
int st_node_open(int access);
/* Allocates memory before it is touched. (Without that, a limit on the size of files would raise a signal.)
 * Returns false if there is none. */
bool st_node_allocate(int file, uint64_t from, uint64_t bytes);
/* Maps a part of it; PROT_READ, or with PROT_WRITE. Returns NULL on failure. */
void *st_node_map(int file, uint64_t from, uint64_t bytes, int access);

/* Returns true if the table of ranks has this rank. */
bool st_node_has(uint32_t rank);
/* Lets a debugger find what this rank shows of its messages (struct st_shared_messages). */
void st_node_show(uint64_t messages);

#endif
