/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Information on a process from /proc. The process may end at any time: each function reports that
 * there is none.
 */
#ifndef MPIPP_PROC_H
#define MPIPP_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Returns /proc/PID/NAME in new memory, with a NUL after it; NULL if it does not exist, or may not
 * be read. */
char *proc_read(pid_t pid, const char *name, size_t *length);

/* Returns the letter for the state of a process or a thread, as in ps; 0 if there is no such
 * process. */
char proc_state(pid_t id);

/* Returns a number in /proc/PID/status, such as "PPid"; -1 if there is none. */
long proc_status(pid_t pid, const char *field);

/* Returns true if the process ignores the signal. */
bool proc_ignores(pid_t pid, int signal);

/* Returns the path of the program, in new memory; NULL if it may not be read. */
char *proc_program(pid_t pid);

/* Returns the name that the kernel keeps, at most 15 bytes; NULL if there is no such process. */
char *proc_name(pid_t pid);

/* Returns true if all threads of the process are zombies (a tracer may not have reaped them yet). */
bool proc_has_ended(pid_t pid);

/* Returns true if a mapped file has PIECE in its path. */
bool proc_maps(pid_t pid, const char *piece);

/* Returns all processes, terminated by 0, in new memory. */
pid_t *proc_all(void);

/* Returns true if ANCESTOR is above PID. */
bool proc_descends(pid_t pid, pid_t ancestor);

#endif
