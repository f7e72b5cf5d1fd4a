/*
 * What a check has found, as facts, and the two forms in which it leaves the rank: a line of JSON
 * for 'mpipp run', which gathers and merges; text for a user who has no 'mpipp run'.
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
 * Nothing here allocates, knows MPI, or reads anything but what it is handed. Any text may be NULL
 * (it is left out) and may have any bytes: what is no UTF-8 is written as U+FFFD.
 */
#ifndef ST_REPORT_REPORT_H
#define ST_REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/catalogue.h"

/* Enough for any finding: a longer one is shortened to fit, with "shortened" set. */
enum { ST_FINDING_ROOM = 64 * 1024, ST_FINDING_ROOM_LEAST = 16 * 1024 };

/* One place in the code. Either TEXT ("halo.py:12 in main"), or MODULE and OFFSET. */
struct st_frame {
    const char *text;
    const char *module;     /* path of the file that is mapped there */
    uint64_t offset;        /* address less load bias, in bytes */
    const char *build;      /* the module's build id, in hex */
    const char *symbol;     /* the nearest one before, if there is */
    uint64_t symbol_offset; /* bytes from the symbol on */
    bool is_return;         /* offset is a return address: the call ends right before it */
};

/* The innermost frame first. */
struct st_frames {
    const struct st_frame *list;
    size_t count;
};

struct st_argument {
    const char *name;  /* as the standard has it */
    const char *value; /* decoded: MPI_COMM_WORLD, cell_t, 0x7ffd1234, 17 */
};

struct st_element {
    int rank;
    const char *address; /* cell_t(STRUCT)[0][0](MPI_DOUBLE) */
    int64_t byte;        /* from the buffer's address on */
    const char *type;    /* MPI_DOUBLE; NULL: no basic type */
    const char *of; /* whose buffer it is in, where there are two: "this call's buffer"; or NULL */
    bool nowhere;   /* it has no byte that 64 bits can tell */
    bool in_memory; /* the element lies at address `at` of the rank's memory */
    uint64_t at;
};

/* A piece of a datatype's memory, for its picture. */
struct st_piece {
    int64_t offset; /* bytes, from the buffer's address on */
    int64_t length; /* bytes */
    const char *type;
};

struct st_reported_type {
    const char *handle; /* 0x8c000005 */
    uint64_t serial;    /* of its node in the registry; 0: not known */
    uint32_t ordinal;
    const char *name;                               /* the set name, else NULL */
    const char *text;                               /* {kind = VECTOR, ...} */
    bool measured;                                  /* the six that follow are known */
    int64_t size, lb, extent, true_lb, true_extent; /* bytes */
    struct {
        const struct st_piece *list; /* ascending; the first ones, where there are many */
        size_t count;
        int64_t left_out; /* bytes of data that are in none of them */
    } blocks;
    struct st_frames created, committed, freed; /* count 0: not (known) */
};

/* Another call that has to do with it: the other side of a message, the pending operation. */
struct st_other_call {
    int rank;
    const char *call;
    const struct st_argument *arguments; /* NULL: not known */
    size_t argument_count;
    struct st_frames site;
    const char *label;  /* whose it is, where the finding is about several ranks: "ranks 0-2" */
    const char *remark; /* what there is to say of it: "waits for a message from rank 1" */
};

/* A line of a report that has a name of its own: "behind". */
struct st_line_of_report {
    const char *label, *text;
};

struct st_finding {
    enum st_check check;
    enum st_severity severity; /* 0: the catalogue's */
    int64_t number;            /* of this process, from 1 on: what a count names */
    int64_t count;             /* times, 0 as 1 */
    int rank;                  /* in MPI_COMM_WORLD; negative: not known (yet) */
    int64_t process;           /* its pid */
    /* What the rank does, in lower case, without the rank: "sends with MPI_DATATYPE_NULL". It is
     * the same in all ranks that err alike, so nothing that differs, as an address, is in it. */
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
    const char *advice; /* what to do */
    /* Who it is about, where that is not each of its ranks by itself: "ranks 0 and 1". Then their calls are
     * `others`, and `site` is only where the finding counts as being. */
    const char *subject;
    const int32_t *ranks; /* then: all of them, in MPI_COMM_WORLD */
    size_t rank_count;
};

/* Each writes one line, a JSON object with no line end, into BYTES, and returns its length in
 * bytes; 0: there is no room for it. A finding has room in any ST_FINDING_ROOM_LEAST bytes. */
size_t st_finding_json(const struct st_finding *finding, char *bytes, size_t room);

/* The other records of a process' file: */
struct st_begin {
    int rank, size;
    int64_t process;
    const char *host, *mpi, *program;
};
size_t st_begin_json(const struct st_begin *start, char *bytes,
                     size_t room); /* first, at MPI_Init */
/* Finding NUMBER was found COUNT times in all. */
size_t st_count_json(int64_t number, int64_t count, char *bytes, size_t room);
/* Last: a process with none was killed. */
struct st_end_counts {
    int64_t calls;       /* that were checked */
    int64_t collectives; /* collective calls that were to be compared with those of other ranks */
    int64_t uncompared;  /* those of them that could not be */
    int64_t
        messages; /* messages that were received, where they are to be compared with what was sent */
    int64_t unmatched; /* those of them that could not be */
    int64_t accesses;  /* one-sided accesses that were to be compared with each other */
    int64_t unordered; /* those that could not be */
};
size_t st_end_json(const struct st_end_counts *last, char *bytes, size_t room);
/* A sentence for the user on the checker itself, said once however many ranks say it. */
size_t st_note_json(const char *text, char *bytes, size_t room);

/* How a report looks. */
struct st_look {
    bool colour;
    const char *subject; /* who: "each of ranks 0-3"; NULL: "rank N" */
    const char *attach;  /* what 'mpipp attach' takes, and a remark behind it; NULL: no such line */
    const char *remark;
};

/* Writes the report as lines of text, the last one ended, too; the length in bytes as above, but
 * what has no room is cut at the end of a line. */
size_t st_finding_text(const struct st_finding *finding, const struct st_look *look, char *bytes,
                       size_t room);

enum st_severity st_finding_severity(const struct st_finding *finding);

#endif
