/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What happens after an error: the words of '--on-error' and MPIPP_ON_ERROR.
 */
#ifndef ST_REPORT_ON_ERROR_H
#define ST_REPORT_ON_ERROR_H

#define ST_ON_ERROR_VARIABLE "MPIPP_ON_ERROR"
#define ST_MAX_DEBUGGERS_VARIABLE "MPIPP_MAX_DEBUGGERS"

/* X(name, word) */
#define ST_ON_ERROR_LIST(X)                                                                        \
    X(REPORT, "report")       /* the report only */                                                \
    X(WAIT, "wait")           /* the rank is held until a debugger lets it go on */                \
    X(STOP, "stop")           /* the rank stops with SIGSTOP */                                    \
    X(GDB, "gdb")             /* gdb writes a transcript, and the rank goes on */                  \
    X(XTERM, "xterm")         /* gdb in an xterm */                                                \
    X(DDD, "ddd")             /* gdb in DDD */                                                     \
    X(GDBSERVER, "gdbserver") /* a gdbserver waits for a gdb */                                    \
    X(CORE, "core")           /* gdb writes a core file, and the rank goes on */

enum st_on_error {
#define ST_ON_ERROR_NAME(name, word) ST_ON_ERROR_##name,
    ST_ON_ERROR_LIST(ST_ON_ERROR_NAME)
#undef ST_ON_ERROR_NAME
        ST_ON_ERROR_COUNT, /* there is no such word */
};

enum { ST_MOST_DEBUGGERS = 1000, ST_MAX_DEBUGGERS_DEFAULT = 1 };

/* The words, for sentences. */
#define ST_ON_ERROR_WORDS "report, wait, stop, gdb, xterm, ddd, gdbserver or core"
#define ST_MAX_DEBUGGERS_WORDS "a number of ranks, 1 to 1000"

enum st_on_error st_on_error_find(const char *word);
const char *st_on_error_word(enum st_on_error what);

/* Returns 1 to ST_MOST_DEBUGGERS; 0 if TEXT is no such number. */
unsigned st_max_debuggers(const char *text);

#endif
