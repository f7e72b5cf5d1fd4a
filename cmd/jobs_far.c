/* SPDX-License-Identifier: BSD-3-Clause */
#include "jobs_far.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/waits/since.h"
#include "inquiry/ask.h"
#include "say.h"
#include "words.h"

/* Returns true if the process has another host name than we: it is in a container, or another such name
 * space. */
static bool is_elsewhere(pid_t pid)
{
    char ours[64] = "", theirs[64] = "";
    char *path = text_of("/proc/%d/ns/uts", (int)pid);
    const bool known = readlink("/proc/self/ns/uts", ours, sizeof ours - 1) > 0 &&
                       readlink(path, theirs, sizeof theirs - 1) > 0;
    free(path);
    return known && strcmp(ours, theirs) != 0;
}

/* Returns the entry of the list for a process; NULL if the list has none. */
static struct rank *find_process(struct rank *ranks, size_t count, const char *here,
                                 const char *host, pid_t pid, long number)
{
    for (size_t i = 0; i < count; i++) {
        struct rank *rank = &ranks[i];
        if (rank->pid == pid && rank->world.rank == number && rank->host == NULL &&
            (strcmp(host, here) == 0 || is_elsewhere(pid))) {
            return rank;
        }
    }
    return NULL;
}

static const char *text_in(const json_t *row, const char *name)
{
    return json_string_value(json_object_get(row, name));
}

static const char *since_of(const json_t *row)
{
    const json_t *both = json_object_get(row, "since");
    const struct st_wait_since since = {
        json_is_array(both) ? json_integer_value(json_array_get(both, 0)) : -1,
        json_is_array(both) ? json_integer_value(json_array_get(both, 1)) : -1};
    char text[ST_SINCE_TEXT];
    st_wait_since_text(&since, text);
    return text_of("%s", text);
}

static struct rank rank_of(const json_t *row)
{
    const char *line = text_in(row, "line"), *program = text_in(row, "program");
    return (struct rank){
        .world_name = text_of("%s", ""),
        .world = {(long)json_integer_value(json_object_get(row, "rank")), -1, -1, false},
        .pid = (pid_t)json_integer_value(json_object_get(row, "pid")),
        .has_mpi = true,
        .recorded = true,
        .program = text_of("%s", program != NULL ? program : ""),
        .line = line != NULL ? text_of("%s", line) : NULL,
        .since = since_of(row)};
}

/* Says of which hosts it is not known what their ranks do. */
static void say_unknown(const json_t *answer)
{
    const json_t *row;
    size_t i;
    const char *said = NULL;
    json_array_foreach(answer, i, row)
    {
        const char *why = text_in(row, "why"), *host = text_in(row, "host");
        if (why == NULL || host == NULL || strstr(why, "agent") == NULL ||
            (said != NULL && strcmp(said, host) == 0)) {
            continue;
        }
        said = host;
        warn("the agent on '%s' does not answer: what its ranks do is not known", host);
    }
}

static struct rank *add_answer(struct rank *ranks, size_t *count, const json_t *answer, pid_t run,
                               const char *here)
{
    const json_t *row;
    size_t i;
    ranks = realloc(ranks, (*count + json_array_size(answer) + 1) * sizeof *ranks);
    if (ranks == NULL) {
        fail(1, "out of memory");
    }
    const size_t local_count = *count;
    json_array_foreach(answer, i, row)
    {
        struct rank one = rank_of(row);
        const char *host = text_in(row, "host");
        struct rank *known = find_process(ranks, local_count, here, host != NULL ? host : "",
                                          one.pid, one.world.rank);
        if (known == NULL) {
            ranks[*count] = one;
            known = &ranks[(*count)++];
            known->host = text_of("%s", host != NULL ? host : "");
        } else if (host != NULL && strcmp(host, here) != 0) {
            known->host = text_of("%s", host);
            known->line = one.line;
            known->since = one.since;
        }
        known->job = text_of("%d", (int)run);
        known->world_number = (int)json_integer_value(json_object_get(row, "world"));
    }
    return ranks;
}

struct rank *jobs_add_far(struct rank *ranks, size_t *count, const pid_t *runs, const char *here)
{
    for (; *runs != 0; runs++) {
        char *why;
        json_t *answer = inquiry_ask(*runs, INQUIRY_RANKS, &why);
        if (answer == NULL && why != NULL) {
            warn("%s", why);
        }
        say_unknown(answer);
        ranks = add_answer(ranks, count, answer, *runs, here);
        json_decref(answer);
        free(why);
    }
    return ranks;
}
