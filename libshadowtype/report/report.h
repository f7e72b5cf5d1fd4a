/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A finding of a check, as facts, and the two forms in which it leaves the rank: a line of JSON for
 * 'mpipp run', which gathers and merges; or text, for a user without 'mpipp run'.
 *
 *     struct st_argument arguments[] = {{"count", "1"}, {"datatype", "MPI_DATATYPE_NULL"}};
 *     struct st_finding finding = {
 *         .check = ST_DATATYPE_NULL, .number = 1, .rank = 0, .call = "MPI_Send",
 *         .message = "sends with MPI_DATATYPE_NULL",
 *         .arguments = arguments, .argument_count = 2, .site = {frames, 1},
 *         .advice = "pass the datatype of the buffer's elements",
 *     };
 *     size_t length = st_finding_json(&finding, line, sizeof line);
 *     st_sink_line(&sink, line, length);
 *
 * Nothing here allocates, knows MPI, or reads anything but its arguments. Any text may be NULL (it
 * is left out), and may have any bytes: invalid UTF-8 is written as U+FFFD.
 */
#ifndef ST_REPORT_REPORT_H
#define ST_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/catalogue.h"

/* Enough for any finding: a longer one is shortened, with "shortened" set. */
enum { ST_FINDING_ROOM = 64 * 1024, ST_FINDING_ROOM_LEAST = 16 * 1024 };

/* A place in the code: either TEXT ("halo.py:12 in main"), or MODULE and OFFSET. */
struct st_frame {
    const char *text;
    const char *module;     /* path of the mapped file */
    uint64_t offset;        /* address minus load bias, in bytes */
    const char *build;      /* the module's build id, in hex */
    const char *symbol;     /* the nearest symbol before; NULL if there is none */
    uint64_t symbol_offset; /* bytes from that symbol */
    bool is_return;         /* offset is a return address: the call ends right before it */
};

/* The innermost frame first. */
struct st_frames {
    const struct st_frame *list;
    size_t count;
};

struct st_argument {
    const char *name;  /* its name in the standard */
    const char *value; /* decoded: MPI_COMM_WORLD, cell_t, 0x7ffd1234, 17 */
};

struct st_element {
    int rank;
    const char *address; /* cell_t(STRUCT)[0][0](MPI_DOUBLE) */
    int64_t byte;        /* offset from the buffer's address */
    const char *type;    /* MPI_DOUBLE; NULL if it is no basic type */
    int64_t size;        /* of the basic type, in bytes; 0 if it is not known */
    const char *of;      /* in whose buffer, if there are two: "this call's buffer"; or NULL */
    bool nowhere;        /* its bytes do not fit in 64 bits */
    bool in_memory;      /* the element is at address `at` of the rank's memory */
    uint64_t at;
};

/* A piece of a datatype's memory, for the picture of it. */
struct st_piece {
    int64_t offset; /* bytes from the buffer's address */
    int64_t length; /* bytes */
    const char *type;
};

struct st_reported_type {
    const char *handle; /* 0x8c000005 */
    uint64_t serial;    /* of its node in the registry; 0: not known */
    uint32_t ordinal;
    const char *name;                               /* the name that was set, else NULL */
    const char *text;                               /* {kind = VECTOR, ...} */
    bool measured;                                  /* the six numbers that follow are known */
    int64_t size, lb, extent, true_lb, true_extent; /* bytes */
    struct {
        const struct st_piece *list; /* ascending; if there are too many, the first ones */
        size_t count;
        int64_t left_out; /* bytes of data that are in none of the pieces */
    } blocks;
    struct st_frames created, committed, freed; /* count 0: did not happen, or not known */
};

/* Another call that the finding is about: the other side of a message, a pending operation. */
struct st_other_call {
    int rank;
    const char *call;
    const struct st_argument *arguments; /* NULL: not known */
    size_t argument_count;
    struct st_frames site;
    const char *label;  /* of which ranks, if the finding is about several: "ranks 0-2" */
    const char *remark; /* a comment: "waits for a message from rank 1" */
};

/* A further line of a report, with a label: "behind". */
struct st_line_of_report {
    const char *label, *text;
};

struct st_finding {
    enum st_check check;
    enum st_severity severity; /* 0: that of the catalogue */
    int64_t number;            /* in this process, from 1 on; counts refer to it */
    int64_t count;             /* how often; 0 means 1 */
    int rank;                  /* in MPI_COMM_WORLD; negative: not known (yet) */
    int64_t process;           /* its pid */
    /* What the rank does, in lower case, without the rank: "sends with MPI_DATATYPE_NULL". Ranks
     * with the same error have the same text: it contains nothing that differs between them, such
     * as an address. */
    const char *message;
    const char *call; /* MPI_Send */
    const struct st_argument *arguments;
    size_t argument_count;
    struct st_frames site;
    const struct st_element *elements;
    size_t element_count;
    const struct st_reported_type *types;
    size_t type_count;
    const struct st_other_call *others;
    size_t other_count;
    const struct st_line_of_report *lines;
    size_t line_count;
    const char *advice; /* what the user should do */
    /* The ranks that the finding is about together: "ranks 0 and 1"; NULL if it is about each of
     * its ranks alone. If set, their calls are in `others`, and `site` is only the place under
     * which the finding is counted. */
    const char *subject;
    const int32_t *ranks; /* if `subject` is set: all these ranks, in MPI_COMM_WORLD */
    size_t rank_count;
};

/* Each writes one line, a JSON object without line end, into BYTES, and returns its length in
 * bytes; 0 if there is no room. A finding fits in any ST_FINDING_ROOM_LEAST bytes. */
size_t st_finding_json(const struct st_finding *finding, char *bytes, size_t room);

/* The other records of a process' file. */
struct st_begin {
    int rank, size;
    int64_t process;
    const char *host, *mpi, *program;
    int64_t world; /* the name of its MPI_COMM_WORLD in gpids; 0: none is known */
};
size_t st_begin_json(const struct st_begin *start, char *bytes,
                     size_t room); /* the first record, at MPI_Init */
/* Finding NUMBER was found COUNT times in all. */
size_t st_count_json(int64_t number, int64_t count, char *bytes, size_t room);
/* The last record: a process without one was killed. */
struct st_end_counts {
    int64_t calls;       /* checked calls */
    int64_t collectives; /* collective calls to compare with those of other ranks */
    int64_t uncompared;  /* of these, calls that could not be compared */
    int64_t messages;    /* received messages to compare with what was sent */
    int64_t unmatched;   /* of these, messages that could not be compared */
    int64_t accesses;    /* one-sided accesses to compare with each other */
    int64_t unordered;   /* of these, accesses that could not be compared */
    int64_t ready;       /* ready sends to ranks of other nodes */
    int64_t wild; /* receives from any source, with --check=race, in a job of several nodes */
};
size_t st_end_json(const struct st_end_counts *last, char *bytes, size_t room);
/* The process leaves by exit() with this status. */
size_t st_exit_json(int status, char *bytes, size_t room);
/* A sentence for the user about the checker itself; shown once, even if many ranks write it. */
size_t st_note_json(const char *text, char *bytes, size_t room);

/* How a report is to look. */
struct st_look {
    bool colour;
    const char *subject; /* the subject: "each of ranks 0-3"; NULL: "rank N" */
    const char *attach;  /* argument for 'mpipp attach', and a remark after it; NULL: no such
                            line */
    const char *remark;
};

/* Writes the report as lines of text, each with a line end. Returns the length in bytes like above.
 * If there is not enough room, the text is cut at the end of a line. */
size_t st_finding_text(const struct st_finding *finding, const struct st_look *look, char *bytes,
                       size_t room);

enum st_severity st_finding_severity(const struct st_finding *finding);

#endif
