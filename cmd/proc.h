/*
 * What /proc tells of a process. Processes come and go: each function says when there is none.
 */
#ifndef MPIPP_PROC_H
#define MPIPP_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* /proc/PID/NAME in new memory, with a NUL behind it; NULL: there is none, or it is not ours to
 * read. */
char *proc_read(pid_t pid, const char *name, size_t *length);

/* The letter for the state of a process or a thread, as in ps; 0: no such process. */
char proc_state(pid_t id);

/* A number in /proc/PID/status, as "PPid"; -1 if there is none. */
long proc_status(pid_t pid, const char *field);

/* The path of the program, in new memory; NULL if it is not to be seen. */
char *proc_program(pid_t pid);

/* The name that the kernel keeps: at most 15 bytes. NULL: no such process. */
char *proc_name(pid_t pid);

/* Returns true if all threads of the process are zombies (a tracer may not have reaped them yet). */
bool proc_has_ended(pid_t pid);

/* Whether a file that is mapped has PIECE in its path. */
bool proc_maps(pid_t pid, const char *piece);

/* All processes, 0 at the end, in new memory. */
pid_t *proc_all(void);

/* Whether ANCESTOR is above PID. */
bool proc_descends(pid_t pid, pid_t ancestor);

#endif
