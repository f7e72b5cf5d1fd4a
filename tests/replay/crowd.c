/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many ranks on other nodes, for the code of `mpipp run' that gathers them: they begin, and their agents tell what they do.
 *
 *     crowd NODES RANKS      so many ranks on each node; prints what it took
 */
#include "agents.h"
#include "used.h"
#include "watch/looks.h"

static void print_step(const char *what, long long before)
{
    printf("%d ranks %s: %lld ms, peak memory %ld MB\n", node_count * rank_count, what,
           used_time() - before, peak_memory());
}

int main(int argc, char **argv)
{
    static struct findings findings;
    if (argc != 3 || !agents_count(argv + 1)) {
        return 2;
    }
    const pid_t child = agents_start(MPIPP_VERSION, NULL);
    struct looks *looks = looks_new();
    long long before = used_time();
    agents_begin_ranks(&findings);
    agents_wait();
    print_step("have begun", before);
    before = used_time();
    looks_take(looks, &findings, clock_ms());
    print_step("were looked at first", before);
    before = used_time();
    looks_take(looks, &findings, clock_ms());
    const bool is_due = looks_is_due(looks, 5 * SECOND, clock_ms());
    print_step("were looked at again", before);
    size_t right = 0;
    for (size_t i = 0; i < looks->count; i++) {
        right += looks->ranks[i].process->rank == (int)i && looks->ranks[i].memory->far != NULL &&
                 looks->ranks[i].counted == 9 * SECOND;
    }
    printf("%zu ranks in order, which wait: %s\n", right, is_due ? "yes" : "no");
    agents_end(child);
    return 0;
}
