/*
 * The memory that the ranks of this node share (libshadowtype/core/agree/segment.h): `mpipp run` makes it, and
 * names it to them in the environment. It is gone with the last process that has it.
 */
#ifndef CMD_WATCH_NODE_H
#define CMD_WATCH_NODE_H

/* Before the launcher is started. Where it cannot be made, a sentence says what is not checked. */
void node_make(void);

/* Returns the file descriptor of that memory; -1 if it could not be made. */
int node_file(void);

#endif
