/*
 * A rank that a test starts, stops and reads: ptrace and /proc/PID/mem.
 *
 *     struct rank rank;
 *     if (!rank_start(&rank, library, argv, true)) ...
 *     ... PTRACE_CONT, waitpid(rank.pid, ...) ...
 *     st_registry_open(&registry, rank_read, &rank, rank.board->root, &fault);
 *     rank_end(&rank);
 *
 * What can go wrong here says so on stdout as a failed test.
 */
#ifndef TESTS_STOP_RANK_H
#define TESTS_STOP_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "board.h"
#include "core/model/memory.h"

enum { RANK_LINES = 1 << 16 };

struct rank {
    pid_t pid;
    int memory; /* /proc/PID/mem */
    struct stop_board *board;

    /* What rank_read() delivered since rank_forget(). */
    struct rank_piece {
        uint64_t address;
        size_t length, at; /* in bytes[] */
    } *pieces;
    size_t piece_count, piece_capacity;
    unsigned char *bytes, *again;
    size_t byte_count, byte_capacity;
    uint64_t
        lines[RANK_LINES / 64]; /* a bit for each line of 64 bytes that a piece touches, hashed */
};

/* Starts argv[0] as a rank of its own with the libraries in `preload`; traced: it stands at its
 * first instruction. */
bool rank_start(struct rank *rank, const char *preload, char *const *argv, bool traced);

/* The same rank, which remembers apart what rank_read() delivers by it. To be freed by
 * rank_view_end(), before the rank itself is. */
struct rank rank_view(struct rank *rank);
void rank_view_end(struct rank *view);

/* Kills it if it still runs. True if it had ended by itself with status 0. */
bool rank_end(struct rank *rank);

/* The st_read_fn; context is the rank. */
enum st_read_result rank_read(uint64_t address, void *buffer, size_t length, void *context);

/* Writes over any page, one that is only executable included. */
bool rank_write(struct rank *rank, uint64_t address, const void *data, size_t length);

void rank_forget(struct rank *rank);

/* Whether bytes from `address` on may have been delivered since rank_forget(). */
bool rank_may_have_read(const struct rank *rank, uint64_t address, uint64_t length);

/* Whether all that was delivered since rank_forget() still stands there: a reader would then read
 * and find the same again. */
bool rank_unchanged(struct rank *rank);

#endif
