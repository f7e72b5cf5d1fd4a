/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../clock.h"
#include "../findings/choices.h"
#include "../say.h"
#include "../watch/node.h"
#include "../words.h"
#include "core/agree/segment.h"
#include "core/model/hash.h"

enum {
    TO_ASK = 3,          /* milliseconds between two looks at questions that are open */
    TO_SUM = 100,        /* and at the sums of messages */
    TO_BEAT = 1000,      /* between two signs of life for the agents */
    SILENCE = 6,         /* an agent that says nothing between so many of these signs is lost */
    TO_END = 5000,       /* for the last answers, when the job has ended */
    SLOW_TO_END = 20000, /* the same, if agents are still heard of */
    MOST_TO_END = 60000  /* for all of them, if answers still come */
};

struct nodes nodes_all;

/* --- opening ---------------------------------------------------------------------------------- */

bool nodes_are_open(void)
{
    return nodes_all.link != NULL;
}

void nodes_open(void)
{
    struct job_key key = {.nonce = node_nonce()};
    const char *why = "there is no memory to share";
    gethostname(key.host, sizeof key.host - 1);
    nodes_all.link = key.nonce != 0 && node_add_firsts() ? link_listen(&key, &why) : NULL;
    if (nodes_all.link == NULL) {
        warn("what ranks of different nodes do together is not checked: %s", why);
        nodes_all.is_refused = true;
        return;
    }
    nodes_all.key = key;
    nodes_all.disagree = disagree_new();
    nodes_all.blocks = blocks_new();
    nodes_all.scan = call_scan_new();
    nodes_all.matching = matching_new();
    nodes_all.exchange = exchange_scan_new();
    char *text = job_key_text(&key);
    if (text == NULL) {
        fail(1, "out of memory");
    }
    setenv(GATHER_VARIABLE, text, 1);
    free(text);
}

/* True if answers are waited for. Else the messages of all agents are taken together, once in a turn. */
static bool is_awake(void)
{
    const int64_t now = clock_ms();
    return compared_is_busy(now) || far_describes(now);
}

/* Milliseconds of the clocks of all hosts in which the agents' messages of a turn have come. */
static int64_t clock_of_turns(void)
{
    return clock_of_day_ms() - NODE_TO_COME;
}

int nodes_file(void)
{
    return nodes_all.link != NULL && (nodes_all.count == 0 || is_awake())
               ? link_file(nodes_all.link)
               : -1;
}

int nodes_wait(void)
{
    if (nodes_all.count == 0) {
        return -1;
    }
    return is_awake() ? TO_ASK : (int)(NODE_TICK - clock_of_turns() % NODE_TICK);
}

/* --- ranks ------------------------------------------------------------------------------------ */

static size_t place_of(const char *host, int64_t pid)
{
    return (size_t)(st_hash_word(st_hash_text(1, host), (uint64_t)pid) &
                    (nodes_all.table_room - 1));
}

static void put_rank(struct far_rank *rank)
{
    size_t at = place_of(rank->node->host, rank->state.pid);
    while (nodes_all.table[at] != NULL) {
        at = (at + 1) & (nodes_all.table_room - 1);
    }
    nodes_all.table[at] = rank;
}

static void grow_table(void)
{
    struct far_rank **old = nodes_all.table;
    const size_t room = nodes_all.table_room;
    nodes_all.table_room = room != 0 ? 2 * room : 64;
    nodes_all.table = zeroed(nodes_all.table_room, sizeof *nodes_all.table);
    for (size_t i = 0; i < room; i++) {
        if (old[i] != NULL) {
            put_rank(old[i]);
        }
    }
    free(old);
}

struct far_rank *nodes_find_rank(const char *host, int64_t pid)
{
    for (size_t at = nodes_all.table_room != 0 ? place_of(host, pid) : 0;
         nodes_all.table_room != 0 && nodes_all.table[at] != NULL;
         at = (at + 1) & (nodes_all.table_room - 1)) {
        struct far_rank *rank = nodes_all.table[at];
        if (rank->state.pid == pid && strcmp(rank->node->host, host) == 0) {
            return rank;
        }
    }
    return NULL;
}

static void take_state(struct node *node, const struct far_state *state)
{
    struct far_rank *rank = nodes_find_rank(node->host, state->pid);
    if (rank != NULL && rank->node == node) {
        const uint32_t moved = rank->state.flags & FAR_MOVED; /* until it was looked at */
        rank->state = *state;
        rank->state.flags |= moved;
        return;
    }
    if (rank != NULL) {
        return; /* two agents of one host say that it is theirs */
    }
    struct far_rank **longer = realloc(node->ranks, (node->rank_count + 1) * sizeof *longer);
    if (longer == NULL) {
        fail(1, "out of memory");
    }
    node->ranks = longer;
    rank = node->ranks[node->rank_count++] = zeroed_one(sizeof *rank);
    rank->node = node;
    rank->state = *state;
    if (2 * ++nodes_all.table_count > nodes_all.table_room) {
        grow_table();
    }
    put_rank(rank);
}

const struct far_state *far_now(const struct far_rank *far)
{
    return far->node->is_silent ? NULL : &far->state;
}

bool far_has_moved(struct far_rank *far)
{
    const bool moved = far->state.flags & FAR_MOVED;
    far->state.flags &= ~(uint32_t)FAR_MOVED;
    return moved;
}

/* --- messages --------------------------------------------------------------------------------- */

/* Says so once. */
static void refuse_node(struct node *node, const struct node_hello *hello)
{
    const bool is_version = strncmp(hello->version, MPIPP_VERSION, sizeof hello->version) != 0;
    if (node->is_foreign) {
        return;
    }
    node->is_foreign = true;
    warn("the mpipp on %.*s is %s%.*s, not %s: what its ranks do together with others is not "
         "checked",
         (int)sizeof hello->host - 1, hello->host, is_version ? "version " : "another build of ",
         (int)sizeof hello->version - 1, hello->version, is_version ? MPIPP_VERSION : "this one");
}

void nodes_take_hello(struct node *node, const struct node_hello *hello)
{
    if (hello->protocol != NODE_PROTOCOL || hello->segment != ST_SEGMENT_VERSION ||
        strncmp(hello->version, MPIPP_VERSION, sizeof hello->version) != 0) {
        refuse_node(node, hello);
        return;
    }
    if (!node->is_known) {
        node->host = text_of("%.*s", (int)sizeof hello->host - 1, hello->host);
        node->is_known = true;
    }
    nodes_tell(node, NODE_BEAT, 0, NULL, 0);
}

static void take_json(json_t **to, const char *body, size_t length)
{
    json_decref(*to);
    *to = json_loadb(body, length, 0, NULL);
}

static void take_dropped(const char *body, size_t length)
{
    struct node_dropped dropped;
    if (length >= sizeof dropped) {
        memcpy(&dropped, body, sizeof dropped);
        nodes_all.dropped += dropped.count;
    }
}

void nodes_take_message(struct node *node, const struct node_head *head, const char *body,
                        size_t length)
{
    const int64_t now = clock_ms();
    if (!node->is_known) {
        return; /* it speaks another language */
    }
    switch (head->kind) {
    case NODE_RANKS:
        for (size_t at = 0; at + sizeof(struct far_state) <= length;
             at += sizeof(struct far_state)) {
            struct far_state state;
            memcpy(&state, body + at, sizeof state);
            take_state(node, &state);
        }
        break;
    case NODE_CALLS:
        if (head->ticket != 0) {
            compared_take_blocks(node->index, head->ticket, body, length, now);
        } else {
            compared_take(node->index, body, length, now);
        }
        break;
    case NODE_EXAMINED:
        far_take_examined(node, head->ticket, body, length);
        break;
    case NODE_BYTES:
    case NODE_PLACED:
        far_take_answer(head->ticket, body, length);
        break;
    case NODE_STACK_TEXT:
        far_stacks_take(head->ticket, json_loadb(body, length, JSON_DECODE_ANY, NULL));
        break;
    case NODE_TURNS:
        far_take_turns(node, body, length);
        break;
    case NODE_DESCRIBED:
        far_take_described(node, head->ticket, json_loadb(body, length, 0, NULL));
        break;
    case NODE_DETAIL:
        disagree_answer(nodes_all.disagree, head->ticket, json_loadb(body, length, 0, NULL));
        break;
    case NODE_SUMS:
        for (size_t at = 0; at + sizeof(struct far_sums) <= length; at += sizeof(struct far_sums)) {
            struct far_sums sums;
            memcpy(&sums, body + at, sizeof sums);
            matching_take(nodes_all.matching, &sums, now);
        }
        break;
    case NODE_MESSAGES:
        matching_answer(nodes_all.matching, head->ticket,
                        json_loadb(body, length, JSON_DECODE_ANY, NULL));
        break;
    case NODE_ENDS:
        take_json(&node->ends, body, length);
        break;
    case NODE_ALL_CALLS:
        take_json(&node->all_calls, body, length);
        break;
    case NODE_DROPPED:
        take_dropped(body, length);
        break;
    default:
        break;
    }
}

/* --- while the job runs ----------------------------------------------------------------------- */

/* Counts signs of life, not seconds: `mpipp run' itself may have been stopped meanwhile. */
static void look_for_silence(int64_t now)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        struct node *node = nodes_all.nodes[i];
        if (!node->is_known || node->unheard++ < SILENCE) {
            continue;
        }
        if (!node->is_silent) {
            disagree_lose(nodes_all.disagree, now);
        }
        node->is_silent = true;
        if (!node->said_silent && node->ends == NULL) {
            node->said_silent = true;
            warn("nothing is heard of the agent on %s any more: what its ranks do is not known",
                 node->host);
        }
    }
}

void nodes_step(struct findings *findings, int64_t now)
{
    if (nodes_all.link == NULL) {
        return;
    }
    const int64_t turn = clock_of_turns() / NODE_TICK;
    const bool is_turn = turn != nodes_all.turn;
    nodes_all.turn = turn;
    if (is_turn || is_awake() || nodes_all.count == 0) {
        nodes_take_messages(0);
    }
    if (nodes_all.count == 0) {
        return;
    }
    if (is_turn) {
        compared_scan(now);
    }
    compared_step(findings, now);
    if (now - nodes_all.summed >= TO_SUM) {
        nodes_all.summed = now;
        matched_scan(now);
        matched_step(findings, now);
    }
    if (now - nodes_all.beat >= TO_BEAT) {
        nodes_all.beat = now;
        ways_beat();
        look_for_silence(now);
    }
}

/* --- when it has ended ------------------------------------------------------------------------ */

static bool lacks_ends(const struct node *node)
{
    return node->is_known && !node->is_silent && node->ends == NULL;
}

static bool lacks_calls(const struct node *node)
{
    return node->is_known && !node->is_silent && node->all_calls == NULL;
}

/* True for a rank of another node of which no agent has told. */
static bool is_unseen(const struct process *process)
{
    return process->began && process->rank >= 0 && process->host != NULL &&
           job_key_node(&nodes_all.key, process->host, process->rank) != 0 &&
           nodes_find_rank(process->host, process->pid) == NULL;
}

/* True if some agent was heard of lately. It tells of itself once a second. */
static bool hears_agents(int64_t now)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        if (nodes_all.nodes[i]->is_known && now - nodes_all.nodes[i]->heard < TO_END) {
            return true;
        }
    }
    return false;
}

/* Waits until agents have told of all ranks, but not for long: in a short job the first word of an agent may
 * still be under way. Longer if others have come: then the network lets them through. */
static void wait_for_agents(const struct findings *findings)
{
    const int64_t begun = clock_ms();
    size_t i = 0;
    for (int64_t now = begun;
         i < findings->process_count && now - begun < (hears_agents(now) ? SLOW_TO_END : TO_END);
         now = clock_ms()) {
        if (is_unseen(findings->processes[i])) {
            nodes_take_messages(100);
        } else {
            i++;
        }
    }
}

/* Waits until no agent lacks an answer, but not for long: longer if they are only slow. */
static void wait_for_all(bool (*lacks)(const struct node *))
{
    const int64_t begun = clock_ms();
    for (int64_t now = begun; now - begun < (hears_agents(now) ? SLOW_TO_END : TO_END);
         now = clock_ms()) {
        bool is_waited_for = false;
        for (size_t i = 0; i < nodes_all.count; i++) {
            is_waited_for |= lacks(nodes_all.nodes[i]);
        }
        if (!is_waited_for) {
            return;
        }
        nodes_take_messages(100);
    }
}

/* Agents that have not told the last of their ranks. */
static void say_lost(void)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        struct node *node = nodes_all.nodes[i];
        if (node->is_known && node->ends == NULL && !node->said_silent) {
            node->said_silent = true;
            warn("the agent on %s has not told the last calls of its ranks: they were not compared "
                 "with others",
                 node->host);
        }
    }
}

/* Compares the messages that are left. */
static void finish_messages(struct findings *findings)
{
    const int64_t begun = clock_ms();
    matched_scan(begun);
    for (int64_t now = begun; matching_hurry(nodes_all.matching) && now - begun < TO_END;
         now = clock_ms()) {
        matched_step(findings, now);
        nodes_take_messages(10);
    }
    matched_step(findings, clock_ms());
    findings->unmatched += (int64_t)matching_uncompared(nodes_all.matching);
}

/* Compares the collective calls that are left, as long as answers come. */
static void finish_calls(struct findings *findings)
{
    const int64_t begun = clock_ms();
    int64_t heard = begun;
    size_t open = 0, left;
    compared_scan(begun);
    for (int64_t now = begun; (left = compared_hurry()) != 0 && now - begun < MOST_TO_END &&
                              now - heard < (hears_agents(now) ? SLOW_TO_END : TO_END);
         now = clock_ms()) {
        heard = left != open ? now : heard;
        open = left;
        compared_step(findings, now);
        nodes_take_messages(10);
    }
    compared_step(findings, clock_ms());
    compared_give_up();
}

void nodes_finish(struct findings *findings)
{
    if (nodes_all.link == NULL) {
        return;
    }
    wait_for_agents(findings);
    wait_for_all(lacks_ends);
    say_lost();
    finish_calls(findings);
    finish_messages(findings);
}

void nodes_find_ends(struct left_ends *ends)
{
    for (size_t i = 0; i < nodes_all.count; i++) {
        const json_t *node = nodes_all.nodes[i]->ends, *end;
        size_t k;
        ends->is_unfinished |= json_is_true(json_object_get(node, "unfinished"));
        json_array_foreach(json_object_get(node, "ends"), k, end)
        {
            uint64_t comm;
            const char *text = json_string_value(json_array_get(end, 0));
            if (text != NULL && sscanf(text, "%" SCNx64, &comm) == 1) {
                left_add_end(ends, comm, (uint64_t)json_integer_value(json_array_get(end, 1)));
            }
        }
    }
}

void nodes_add_calls(struct published_call **list, size_t *count)
{
    if (nodes_all.link == NULL) {
        return;
    }
    nodes_tell_all(NODE_LEFT, NULL, 0);
    wait_for_all(lacks_calls);
    for (size_t i = 0; i < nodes_all.count; i++) {
        calls_append(nodes_all.nodes[i]->all_calls, list, count);
    }
}

/* Says of which ranks it was not checked what they do with others. WHERE: where they were. */
static void say_unchecked(const struct findings *findings,
                          bool (*is_unchecked)(const struct process *), const char *where)
{
    struct report unchecked = {0};
    for (size_t i = 0; i < findings->process_count; i++) {
        if (is_unchecked(findings->processes[i])) {
            report_add_rank(&unchecked, findings->processes[i]->rank);
        }
    }
    if (unchecked.rank_count != 0) {
        warn("%s %s %s on %s: what they do together with others was not checked",
             unchecked.rank_count == 1 ? "rank" : "ranks", report_ranks(&unchecked),
             unchecked.rank_count == 1 ? "was" : "were", where);
    }
}

static bool is_elsewhere(const struct process *process)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return process->began && process->rank >= 0 && process->host != NULL &&
           strcmp(process->host, host) != 0;
}

/* Without agents: ranks may be on other hosts all the same. */
static void say_elsewhere(const struct findings *findings)
{
    if (!nodes_all.is_refused && findings->process_count > 1 &&
        choices_groups() & (ST_GROUP_COLLECTIVE | ST_GROUP_P2P)) {
        say_unchecked(findings, is_elsewhere,
                      "other hosts, which no option of the launcher named (such as -hosts)");
    }
}

/* What agents have said, and was not used. */
static void say_dropped(void)
{
    if (nodes_all.dropped != 0) {
        warn("%" PRIu64 " message%s of agents %s dropped while mpipp run was not heard: some calls "
             "and messages of their ranks may not have been compared",
             nodes_all.dropped, nodes_all.dropped == 1 ? "" : "s",
             nodes_all.dropped == 1 ? "was" : "were");
    }
    if (nodes_all.damaged != 0) {
        warn("%lu answer%s of agents could not be read: what their ranks waited for was not known",
             nodes_all.damaged, nodes_all.damaged == 1 ? "" : "s");
    }
}

void nodes_close(const struct findings *findings)
{
    if (nodes_all.link == NULL) {
        say_elsewhere(findings);
        return;
    }
    nodes_tell_all(NODE_GOODBYE, NULL, 0);
    if (link_refused(nodes_all.link) != 0) {
        warn("%lu connections without the key of this job were refused",
             link_refused(nodes_all.link));
    }
    if (ways_back() != 0) {
        warn("%zu agent%s lost the way by another agent, which was not heard any more: some calls "
             "and messages of "
             "their ranks may not have been compared",
             ways_back(), ways_back() == 1 ? "" : "s");
    }
    say_dropped();
    compared_say_missed();
    say_unchecked(findings, is_unseen, "nodes whose agents could not be reached");
    link_close(nodes_all.link);
    nodes_all.link = NULL;
}
