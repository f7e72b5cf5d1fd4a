/*
 * A rank as the checker has it, without MPI: says what a test wants said, by the same code.
 *
 *     rank clean | same | many COUNT | again COUNT | killed [all] | abort | launcher | exit STATUS | noise | both COUNT | prompt | overlap
 *
 * Its rank and the world's size it takes from the launcher's environment; with RANK_WORLDLESS it says
 * neither, as a process with MPI sessions alone does.
 */
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/report.h"
#include "report/sink.h"

static struct st_sink sink;
static int rank, size;
static int told_rank, told_size;
static long most;
static const char *program;

static int from_environment(const char *const *names)
{
    for (; *names != NULL; names++) {
        if (getenv(*names) != NULL)
            return atoi(getenv(*names));
    }
    return -1;
}

static void pass(const char *line, size_t length)
{
    if (!st_sink_line(&sink, line, length))
        st_sink_text("no way\n", 7);
}

static void begin(void)
{
    char host[256] = "", line[2048];
    gethostname(host, sizeof host - 1);
    const char *other = getenv("RANK_HOST");
    struct st_begin start = {told_rank,  told_size, getpid(), other ? other : host,
                             "None 1.0", program,   0};
    st_sink_open(&sink, getenv("MPIPP_REPORTS"), start.host);
    pass(line, st_begin_json(&start, line, sizeof line));
}

static void end(void)
{
    char line[256];
    pass(line, st_end_json(&(struct st_end_counts){.calls = 100 + rank}, line, sizeof line));
}

/* The frame that ADDRESS returns into. */
static struct st_frame frame_of(void *address)
{
    Dl_info info;
    struct link_map *map;
    struct st_frame frame = {.is_return = true};
    if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return frame;
    frame.module = map->l_name[0] != '\0' ? map->l_name : program;
    frame.offset = (uint64_t)address - map->l_addr;
    frame.symbol = info.dli_sname;
    frame.symbol_offset = (uint64_t)address - (uint64_t)info.dli_saddr;
    return frame;
}

static void report(enum st_check check, int64_t number, const char *message, void *address)
{
    static char line[ST_FINDING_ROOM];
    const char *others = getenv("RANK_TEXT");
    const struct st_argument arguments[] = {
        {"buf", "0x7ffd1000"}, {"count", "1"}, {"datatype", "<cell & \"t\">"}};
    const struct st_frame site[] = {frame_of(address)};
    const struct st_frame made[] = {frame_of(address)};
    const struct st_element elements[] = {
        {.rank = told_rank, .address = "cell_t[0](MPI_INT)", .byte = 4, .type = "MPI_INT"}};
    const struct st_piece pieces[] = {{0, 4, "MPI_INT"}, {8, 16, "MPI_DOUBLE"}};
    const struct st_reported_type types[] = {{.handle = "0x8c000005",
                                              .name = "cell_t",
                                              .text = others ? others : "{kind = STRUCT}",
                                              .measured = true,
                                              .size = 20,
                                              .extent = 32,
                                              .true_extent = 24,
                                              .blocks = {pieces, 2, 3},
                                              .created = {made, 1}}};
    const struct st_finding finding = {.check = check,
                                       .number = number,
                                       .rank = told_rank,
                                       .process = getpid(),
                                       .message = message,
                                       .call = "MPI_Send",
                                       .arguments = arguments,
                                       .argument_count = 3,
                                       .site = {site, 1},
                                       .elements = elements,
                                       .element_count = 1,
                                       .types = types,
                                       .type_count = 1,
                                       .advice = "pass the datatype of the elements"};
    pass(line, st_finding_json(&finding, line, sizeof line));
}

/* Two buffers that share 12 bytes: two structs from 0x1000 on, and five ints from 0x1010 on. */
static void overlap(void)
{
    static char line[ST_FINDING_ROOM];
    const struct st_argument arguments[] = {
        {"buf", "0x1000"}, {"count", "2"}, {"datatype", "cell_t"}};
    const struct st_argument pending[] = {
        {"buf", "0x1010"}, {"count", "5"}, {"datatype", "MPI_INT"}};
    const struct st_frame site[] = {frame_of(__builtin_return_address(0))};
    const struct st_element elements[] = {{.address = "cell_t{1}(STRUCT)[0](MPI_INT)",
                                           .byte = 16,
                                           .type = "MPI_INT",
                                           .size = 4,
                                           .of = "this call's buffer",
                                           .in_memory = true,
                                           .at = 0x1010},
                                          {.address = "MPI_INT{0}",
                                           .byte = 0,
                                           .type = "MPI_INT",
                                           .size = 4,
                                           .of = "the buffer of the pending MPI_Irecv",
                                           .in_memory = true,
                                           .at = 0x1010}};
    const struct st_piece pieces[] = {{0, 4, "MPI_INT"}, {8, 8, "MPI_DOUBLE"}};
    const struct st_reported_type types[] = {{.handle = "0x8c000005",
                                              .name = "cell_t",
                                              .text = "{kind = STRUCT}",
                                              .measured = true,
                                              .size = 12,
                                              .extent = 16,
                                              .true_extent = 16,
                                              .blocks = {pieces, 2, 0}}};
    const struct st_other_call others[] = {
        {.call = "MPI_Irecv", .arguments = pending, .argument_count = 3, .site = {site, 1}}};
    const struct st_finding finding = {.check = ST_BUFFER_OVERLAP,
                                       .number = 1,
                                       .rank = told_rank,
                                       .process = getpid(),
                                       .message = "reads 12 bytes",
                                       .call = "MPI_Send",
                                       .arguments = arguments,
                                       .argument_count = 3,
                                       .site = {site, 1},
                                       .elements = elements,
                                       .element_count = 2,
                                       .types = types,
                                       .type_count = 1,
                                       .others = others,
                                       .other_count = 1};
    pass(line, st_finding_json(&finding, line, sizeof line));
}

static inline __attribute__((always_inline)) void inlined(void)
{
    __asm__ volatile(""); /* the line after the call belongs to it */
    void *here;
    __asm__ volatile("lea 0(%%rip), %0" : "=r"(here)); /* marker: inlined */
    report(ST_DATATYPE_NULL, 1, "sends with MPI_DATATYPE_NULL", here);
}

static __attribute__((noinline)) void exchange(void)
{
    inlined(); /* marker: caller */
}

static void many(void)
{
    for (long i = 0; i < most; i++) {
        char message[64];
        snprintf(message, sizeof message, "errs in way %ld", i);
        report(ST_ARGUMENT_TAG, i + 1, message, __builtin_return_address(0));
    }
}

static void again(void)
{
    char line[256];
    exchange();
    pass(line, st_count_json(1, most, line, sizeof line));
}

/* Long lines on standard output, short ones on standard error, each one write(2). */
static void both(void)
{
    char text[3000];
    memset(text, 'o', sizeof text);
    text[0] = 'O';
    text[sizeof text - 1] = '\n';
    for (int i = 0; i < most; i++) {
        if (write(STDOUT_FILENO, text, sizeof text) != sizeof text ||
            write(STDERR_FILENO, "error line\n", 11) != 11)
            _exit(1);
    }
    usleep(500000);
    if (write(STDOUT_FILENO, "no end", 6) != 6)
        _exit(1);
}

/* Asks, and ends when it has got an answer. */
static void prompt(void)
{
    char answer;
    if (write(STDOUT_FILENO, "name? ", 6) != 6 || read(STDIN_FILENO, &answer, 1) != 1)
        _exit(1);
    /* MPICH's launcher fails if it has input for a rank that has ended. */
    while (read(STDIN_FILENO, &answer, 1) == 1)
        continue;
}

static void noise(void)
{
    for (int i = 0; i < 200; i++) {
        char text[64];
        int length = snprintf(text, sizeof text, "@mpipp noise %d of rank %d\n", i, rank);
        if (write(STDERR_FILENO, text, (size_t)length) != length)
            _exit(1);
        if (i == 100)
            exchange();
    }
}

/* Waits until all ranks are here, so that the same finding of all comes at about the same time. */
static void meet(void)
{
    char name[64];
    snprintf(name, sizeof name, "here.%d.%d", (int)getppid(), rank);
    FILE *mark = fopen(name, "w");
    if (mark == NULL || fclose(mark) != 0)
        _exit(1);
    for (int other = 0; other < size;) {
        snprintf(name, sizeof name, "here.%d.%d", (int)getppid(), other);
        if (access(name, F_OK) == 0)
            other++;
        else
            usleep(2000);
    }
}

/* Until the launcher is gone, which may end its ranks, or not. */
static void outlive_launcher(void)
{
    pid_t parent = getppid();
    puts("waits");
    fflush(stdout);
    while (getppid() == parent)
        usleep(20000);
    _exit(1);
}

int main(int count, char **arguments)
{
    static const char *const ranks[] = {"PMI_RANK", "OMPI_COMM_WORLD_RANK", NULL};
    static const char *const sizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", NULL};
    const char *what = count > 1 ? arguments[1] : "clean";
    most = count > 2 ? atol(arguments[2]) : 1;
    program = realpath("/proc/self/exe", NULL);
    rank = from_environment(ranks);
    size = from_environment(sizes);
    told_rank = getenv("RANK_WORLDLESS") ? -1 : rank;
    told_size = getenv("RANK_WORLDLESS") ? -1 : size;
    begin();
    puts("the program's own words");
    fflush(stdout);
    if (strcmp(what, "killed") != 0)
        meet();
    if (strcmp(what, "same") == 0)
        exchange();
    else if (strcmp(what, "warning") == 0)
        report(ST_DATATYPE_LEAK, 1, "never frees 3 datatypes", __builtin_return_address(0));
    else if (strcmp(what, "many") == 0)
        many();
    else if (strcmp(what, "again") == 0)
        again();
    else if (strcmp(what, "overlap") == 0)
        overlap();
    else if (strcmp(what, "both") == 0)
        both();
    else if (strcmp(what, "prompt") == 0)
        prompt();
    else if (strcmp(what, "noise") == 0)
        noise();
    else if (strcmp(what, "killed") == 0 && (rank == 0 || count > 2))
        raise(SIGKILL);
    else if (strcmp(what, "launcher") == 0)
        outlive_launcher();
    else if (strcmp(what, "abort") == 0) {
        exchange();
        if (rank == 0)
            abort();
    }
    end();
    return strcmp(what, "exit") == 0 ? (int)most : 0;
}
