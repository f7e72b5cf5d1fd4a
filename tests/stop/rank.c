#define _GNU_SOURCE
#include "rank.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static bool fail(const char *what)
{
    printf("FAIL: %s: %s\n", what, strerror(errno));
    return false;
}

static void become_rank(const char *preload, char *const *argv, bool traced, int board)
{
    char descriptor[16];
    snprintf(descriptor, sizeof descriptor, "%d", board);
    setenv(STOP_BOARD, descriptor, 1);
    setenv("LD_PRELOAD", preload, 1);
    setenv("LD_BIND_NOW", "1", 1); /* a call goes where it goes, not through the loader */
    if (!traced || ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0) {
        execv(argv[0], argv);
    }
    perror(argv[0]);
    _exit(127);
}

bool rank_start(struct rank *rank, const char *preload, char *const *argv, bool traced)
{
    *rank = (struct rank){.pid = -1, .memory = -1};
    int board = memfd_create("board", 0); /* inherited by the rank */
    if (board < 0 || ftruncate(board, sizeof *rank->board) != 0) {
        return fail("memfd_create");
    }
    rank->board = stop_board_map(board);
    fflush(stdout);
    rank->pid = rank->board ? fork() : -1;
    if (rank->pid == 0) {
        become_rank(preload, argv, traced, board);
    }
    close(board);
    if (rank->pid < 0) {
        return fail("fork");
    }
    int status;
    if (traced && (waitpid(rank->pid, &status, 0) != rank->pid || !WIFSTOPPED(status) ||
                   ptrace(PTRACE_SETOPTIONS, rank->pid, NULL, PTRACE_O_EXITKILL) != 0)) {
        return fail("ptrace");
    }
    return true;
}

static void free_pieces(struct rank *rank)
{
    free(rank->pieces);
    free(rank->bytes);
    free(rank->again);
}

void rank_view_end(struct rank *view)
{
    free_pieces(view);
}

bool rank_end(struct rank *rank)
{
    int status = 0;
    bool ended =
        rank->pid > 0 && waitpid(rank->pid, &status, WNOHANG) == rank->pid && !WIFSTOPPED(status);
    if (rank->pid > 0 && !ended) {
        kill(rank->pid, SIGKILL);
        waitpid(rank->pid, &status, 0);
    }
    if (rank->memory >= 0) {
        close(rank->memory);
    }
    if (rank->board) {
        munmap(rank->board, sizeof *rank->board);
    }
    free_pieces(rank);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* --- memory ------------------------------------------------------------------------------------
 */

/* Opened when it is first read: an execve() gives a process another memory. */
static int memory_of(struct rank *rank)
{
    if (rank->memory < 0) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/mem", (int)rank->pid);
        rank->memory = open(path, O_RDWR | O_CLOEXEC);
    }
    return rank->memory;
}

struct rank rank_view(struct rank *rank)
{
    return (struct rank){.pid = rank->pid, .memory = memory_of(rank), .board = rank->board};
}

static void *grown(void *old, size_t bytes)
{
    void *fresh = realloc(old, bytes);
    if (!fresh) {
        puts("FAIL: out of memory");
        exit(2);
    }
    return fresh;
}

/* The bit of a line of 64 bytes. Lines far from each other may share one. */
static uint64_t *word_of(const struct rank *rank, uint64_t line, uint64_t *bit)
{
    uint64_t hash = (line * 0x9e3779b97f4a7c15) >> 48;
    *bit = (uint64_t)1 << hash % 64;
    return (uint64_t *)&rank->lines[hash / 64];
}

static void mark_lines(struct rank *rank, uint64_t address, uint64_t length)
{
    uint64_t bit;
    for (uint64_t line = address / 64; length && line <= (address + length - 1) / 64; line++) {
        *word_of(rank, line, &bit) |= bit;
    }
}

bool rank_may_have_read(const struct rank *rank, uint64_t address, uint64_t length)
{
    uint64_t bit;
    for (uint64_t line = address / 64; line <= (address + length - 1) / 64; line++) {
        if (*word_of(rank, line, &bit) & bit) {
            return true;
        }
    }
    return false;
}

static void remember(struct rank *rank, uint64_t address, const void *data, size_t length)
{
    if (rank->piece_count == rank->piece_capacity) {
        rank->piece_capacity = rank->piece_capacity ? rank->piece_capacity * 2 : 256;
        rank->pieces = grown(rank->pieces, rank->piece_capacity * sizeof *rank->pieces);
    }
    if (rank->byte_count + length > rank->byte_capacity) {
        rank->byte_capacity = (rank->byte_count + length) * 2;
        rank->bytes = grown(rank->bytes, rank->byte_capacity);
        rank->again = grown(rank->again, rank->byte_capacity);
    }
    memcpy(rank->bytes + rank->byte_count, data, length);
    rank->pieces[rank->piece_count++] =
        (struct rank_piece){.address = address, .length = length, .at = rank->byte_count};
    rank->byte_count += length;
    mark_lines(rank, address, length);
}

enum st_read_result rank_read(uint64_t address, void *buffer, size_t length, void *context)
{
    struct rank *rank = context;
    if (address > INT64_MAX ||
        pread(memory_of(rank), buffer, length, (off_t)address) != (ssize_t)length) {
        return ST_READ_FAILED;
    }
    remember(rank, address, buffer, length);
    return ST_READ_OK;
}

bool rank_write(struct rank *rank, uint64_t address, const void *data, size_t length)
{
    return pwrite(memory_of(rank), data, length, (off_t)address) == (ssize_t)length;
}

void rank_forget(struct rank *rank)
{
    rank->piece_count = 0;
    rank->byte_count = 0;
    memset(rank->lines, 0, sizeof rank->lines);
}

enum { PIECES_AT_ONCE = 512 };

bool rank_unchanged(struct rank *rank)
{
    for (size_t first = 0; first < rank->piece_count; first += PIECES_AT_ONCE) {
        struct iovec remote[PIECES_AT_ONCE];
        const struct rank_piece *pieces = rank->pieces + first;
        size_t count = rank->piece_count - first, total = 0;
        count = count < PIECES_AT_ONCE ? count : PIECES_AT_ONCE;
        for (size_t i = 0; i < count; i++) {
            remote[i].iov_base = (void *)(uintptr_t)pieces[i].address;
            remote[i].iov_len = pieces[i].length;
            total += pieces[i].length;
        }
        unsigned char *again = rank->again + pieces[0].at;
        struct iovec local = {.iov_base = again, .iov_len = total};
        if (process_vm_readv(rank->pid, &local, 1, remote, count, 0) != (ssize_t)total ||
            memcmp(again, rank->bytes + pieces[0].at, total) != 0) {
            return false;
        }
    }
    return rank->piece_count != 0;
}
