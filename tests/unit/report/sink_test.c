/* The way of records out of a rank (sink.h): file, pieces, what happens when neither goes. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "report/sink.h"

static char folder[] = "/tmp/mpipp-sink-XXXXXX";
static char where[64];
static char got[200000];

/* What comes on standard error while ACT runs is in `got` afterwards. */
static void catch_errors(void (*act)(struct st_sink *), struct st_sink *sink)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    act(sink);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
}

static void read_file(const struct st_sink *sink)
{
    char path[ST_SINK_PATH + ST_SINK_KEY + 8];
    snprintf(path, sizeof path, "%s/%s.jsonl", folder, sink->key);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    got[fread(got, 1, sizeof got - 1, file)] = '\0';
    fclose(file);
    unlink(path);
}

static void two_lines(struct st_sink *sink)
{
    errno = 77;
    assert_true(st_sink_line(sink, "{1}", 3));
    assert_true(st_sink_line(sink, "{2}", 3));
    assert_int_equal(errno, 77);
}

static void on_this_host_lines_are_in_a_file(void **state)
{
    (void)state;
    struct st_sink sink;
    st_sink_open(&sink, where, "here");
    catch_errors(two_lines, &sink);
    assert_string_equal(got, "");
    read_file(&sink);
    assert_string_equal(got, "{1}\n{2}\n");
}

static void on_another_host_lines_are_tagged(void **state)
{
    (void)state;
    struct st_sink sink;
    char wanted[256];
    st_sink_open(&sink, where, "elsewhere");
    catch_errors(two_lines, &sink);
    snprintf(wanted, sizeof wanted, "@mpipp:%s:0:0.{1}\n@mpipp:%s:1:0.{2}\n", sink.key, sink.key);
    assert_string_equal(got, wanted);
}

static char line[5000];

static void long_line(struct st_sink *sink)
{
    assert_true(st_sink_line(sink, line, sizeof line));
}

static void a_long_line_comes_in_pieces(void **state)
{
    (void)state;
    struct st_sink sink;
    for (size_t i = 0; i < sizeof line; i++)
        line[i] = (char)('a' + i % 26);
    st_sink_open_tagged(&sink);
    catch_errors(long_line, &sink);
    size_t joined = 0;
    unsigned number = 0;
    for (char *piece = strtok(got, "\n"); piece != NULL; piece = strtok(NULL, "\n"), number++) {
        char head[64];
        assert_true(strlen(piece) + 1 <= ST_SINK_PIECE);
        int length = snprintf(head, sizeof head, "@mpipp:%s:0:%u", sink.key, number);
        assert_memory_equal(piece, head, (size_t)length);
        const char *payload = piece + length + 1;
        assert_memory_equal(payload, line + joined, strlen(payload));
        joined += strlen(payload);
        assert_int_equal(piece[length], joined < sizeof line ? '+' : '.');
    }
    assert_int_equal(joined, sizeof line);
}

static void with_no_gatherer_there_is_no_way(void **state)
{
    (void)state;
    static const char *const wheres[] = {NULL, "", "nocolon"};
    for (size_t i = 0; i < sizeof wheres / sizeof wheres[0]; i++) {
        struct st_sink sink;
        st_sink_open(&sink, wheres[i], "here");
        assert_int_equal(sink.way, ST_SINK_NONE);
        assert_false(st_sink_line(&sink, "{}", 2));
    }
}

static void a_folder_that_is_not_there_is_said_once(void **state)
{
    (void)state;
    struct st_sink sink;
    st_sink_open(&sink, "here:/nowhere/at/all", "here");
    catch_errors(two_lines, &sink);
    char *said = strstr(got, "{\"record\":\"note\",\"text\":\"cannot write reports to "
                             "'/nowhere/at/all': No such file or directory; they go to standard "
                             "error\"}\n");
    assert_non_null(said);
    assert_null(strstr(said + 20, "\"note\""));
    assert_non_null(strstr(got, ":1:0.{1}\n"));
    assert_non_null(strstr(got, ":2:0.{2}\n"));
}

/* As when the disk is full: part of the line goes in. */
static void a_line_that_goes_in_partly_is_sent_again(void **state)
{
    (void)state;
    struct st_sink sink;
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    st_sink_open(&sink, where, "here");
    assert_true(st_sink_line(&sink, "{0}", 3));
    fflush(NULL);
    limit = (struct rlimit){.rlim_cur = 6, .rlim_max = before.rlim_max};
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        sink.process = getpid(); /* the parent's file goes on */
        dup2(ends[1], STDERR_FILENO);
        setrlimit(RLIMIT_FSIZE, &limit);
        _exit(st_sink_line(&sink, "{1}", 3) && st_sink_line(&sink, "{2}", 3) ? 0 : 1);
    }
    close(ends[1]);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0); /* and no SIGXFSZ */
    ssize_t length = read(ends[0], got, sizeof got - 1);
    close(ends[0]);
    assert_true(length > 0);
    got[length] = '\0';
    assert_non_null(strstr(got, ".{1}\n"));
    assert_non_null(strstr(got, ".{2}\n"));
    read_file(&sink);
    assert_string_equal(got, "{0}\n{1");
}

static void a_closed_pipe_raises_no_signal(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    pid_t child = fork();
    if (child == 0) {
        struct st_sink sink;
        dup2(ends[1], STDERR_FILENO);
        st_sink_open_tagged(&sink);
        bool taken = st_sink_line(&sink, "{}", 2);
        sigset_t pending;
        sigpending(&pending);
        _exit(taken || sigismember(&pending, SIGPIPE) ? 1 : 0);
    }
    close(ends[1]);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

static void a_child_has_a_file_of_its_own(void **state)
{
    (void)state;
    struct st_sink sink;
    st_sink_open(&sink, where, "here");
    assert_true(st_sink_line(&sink, "{1}", 3));
    pid_t child = fork();
    if (child == 0) {
        char before[ST_SINK_KEY];
        strcpy(before, sink.key);
        bool own = st_sink_line(&sink, "{2}", 3) && strcmp(before, sink.key) != 0;
        char path[ST_SINK_PATH + ST_SINK_KEY + 8];
        snprintf(path, sizeof path, "%s/%s.jsonl", folder, sink.key);
        _exit(own && unlink(path) == 0 ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    read_file(&sink);
    assert_string_equal(got, "{1}\n");
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(where, sizeof where, "here:%s", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_this_host_lines_are_in_a_file),
        cmocka_unit_test(on_another_host_lines_are_tagged),
        cmocka_unit_test(a_long_line_comes_in_pieces),
        cmocka_unit_test(with_no_gatherer_there_is_no_way),
        cmocka_unit_test(a_folder_that_is_not_there_is_said_once),
        cmocka_unit_test(a_line_that_goes_in_partly_is_sent_again),
        cmocka_unit_test(a_closed_pipe_raises_no_signal),
        cmocka_unit_test(a_child_has_a_file_of_its_own),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
