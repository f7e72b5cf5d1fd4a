/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../clock.h"
#include "../detach.h"
#include "../proc.h"
#include "../stacks/beside.h"
#include "../watch/described.h"
#include "../watch/looks.h"
#include "../watch/node.h"
#include "../watch/shared.h"
#include "../words.h"
#include "branch.h"
#include "calls.h"
#include "examined.h"
#include "exchange.h"
#include "far_turns.h"
#include "link.h"
#include "protocol.h"
#include "way.h"

enum {
    TO_WAKE = NODE_TICK / 2, /* milliseconds in which it wakes by itself */
    TO_SUM = 100,            /* between two looks at the sums of messages */
    TO_LOOK = 1000,          /* and between two looks at the ranks */
    /* Without a word of `mpipp run`, while no rank is there: it may be busy with what it has found. That it has ended is
     * known earlier, from the link. */
    PATIENCE = 30000,
    FIRST_PATIENCE = 60000 /* the same, before any rank was seen */
};

struct agent {
    const struct job_key *key;
    int door;
    struct way way;
    unsigned changes;      /* of the way, that are known */
    struct branch *branch; /* for other agents; NULL: none come to this one */
    bool is_over;          /* `mpipp run` has said goodbye */
    bool told_ends;        /* all ranks have ended, and `mpipp run` knows it */
    pid_t *guests; /* processes that have asked for the memory: they become ranks, or start some */
    size_t guest_count;
    size_t first_guest; /* those before it have ended */
    struct looks *looks;
    int64_t looked; /* time of the last look; milliseconds */
    struct call_scan *scan;
    struct exchange_scan *exchange;
    struct turn_scan *turns;
    int64_t turn;          /* of NODE_TICK milliseconds, in which it has told calls last */
    int64_t summed;        /* time of the last look at the sums of messages; milliseconds */
    struct beside *stacks; /* are being taken; NULL: none */
    uint32_t stacks_ticket;
};

static void tell_root(struct agent *agent, enum node_kind kind, uint32_t ticket, const void *body,
                      size_t length)
{
    way_send(&agent->way, kind, ticket, body, length);
}

/* Takes ownership of the JSON. */
static void tell_json(struct agent *agent, enum node_kind kind, uint32_t ticket, json_t *json)
{
    char *text = json_dumps(json, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(json);
    if (text != NULL) {
        tell_root(agent, kind, ticket, text, strlen(text));
        free(text);
    }
}

/* --- processes of the node -------------------------------------------------------------------- */

static void add_guest(struct agent *agent, pid_t pid)
{
    pid_t *longer = realloc(agent->guests, (agent->guest_count + 1) * sizeof *agent->guests);
    if (longer == NULL) {
        return;
    }
    agent->guests = longer;
    agent->guests[agent->guest_count++] = pid;
}

/* Lets in a process of this user. */
static void open_door(struct agent *agent)
{
    struct ucred who;
    socklen_t length = sizeof who;
    const char *value = getenv(ST_NODE_VARIABLE);
    int guest = accept4(agent->door, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (guest < 0) {
        return;
    }
    if (getsockopt(guest, SOL_SOCKET, SO_PEERCRED, &who, &length) == 0 && who.uid == geteuid()) {
        char *line = text_of("%s\n", value != NULL ? value : "");
        if (send(guest, line, strlen(line), MSG_NOSIGNAL) == (ssize_t)strlen(line)) {
            add_guest(agent, who.pid);
        }
        free(line);
    }
    close(guest);
}

static bool is_gone(pid_t pid)
{
    return (kill(pid, 0) != 0 && errno == ESRCH) || proc_has_ended(pid);
}

/* True if one of them has not ended. Looks no further than to the first of these. */
static bool has_guests(struct agent *agent)
{
    while (agent->first_guest < agent->guest_count && is_gone(agent->guests[agent->first_guest])) {
        agent->first_guest++;
    }
    return agent->first_guest < agent->guest_count;
}

/* --- looks at the ranks ----------------------------------------------------------------------- */

static struct looked *find_rank(const struct agent *agent, int64_t pid)
{
    for (size_t i = 0; i < agent->looks->count; i++) {
        if (agent->looks->ranks[i].process->pid == pid) {
            return &agent->looks->ranks[i];
        }
    }
    return NULL;
}

/* Adds the ranks that have entered the shared memory. */
static void add_ranks(struct agent *agent)
{
    struct shared shared = {0};
    if (!shared_map(&shared)) {
        return;
    }
    for (uint32_t i = 0; i < shared.rank_count; i++) {
        const struct st_segment_rank *entry = &shared.ranks[i];
        if (__atomic_load_n(&entry->state, __ATOMIC_ACQUIRE) == ST_RANK_NONE || entry->pid <= 0 ||
            find_rank(agent, entry->pid) != NULL) {
            continue;
        }
        struct process *process = zeroed(1, sizeof *process);
        *process = (struct process){.rank = st_gpid_rank(entry->gpid),
                                    .size = -1,
                                    .pid = entry->pid,
                                    .host = agent->looks->host,
                                    .began = true,
                                    .world = st_gpid_world(entry->gpid)};
        looks_add(agent->looks, process);
    }
    shared_unmap(&shared);
}

static struct far_state state_of(const struct looked *rank)
{
    uint32_t flags = 0;
    flags |= rank->state == LOOKED_ENDED ? FAR_ENDED : 0;
    flags |= rank->state == LOOKED_RUNS ? FAR_RUNS : 0;
    flags |= rank->state == LOOKED_FORBIDDEN ? FAR_FORBIDDEN : 0;
    flags |= rank->computes ? FAR_COMPUTES : 0;
    flags |= rank->processor.is_stopped ? FAR_STOPPED : 0;
    flags |= rank->processor.is_starved ? FAR_STARVED : 0;
    flags |= looks_waits(rank) ? FAR_WAITS : 0;
    return (struct far_state){.pid = rank->process->pid,
                              .root = rank->root,
                              .identity = rank->identity,
                              .counted = rank->counted,
                              .flags = flags,
                              .rank = rank->process->rank};
}

static void tell_ranks(struct agent *agent, bool has_moved)
{
    const size_t count = agent->looks->count;
    struct far_state *states = zeroed(count + 1, sizeof *states);
    for (size_t i = 0; i < count; i++) {
        states[i] = state_of(&agent->looks->ranks[i]);
        states[i].flags |= has_moved ? FAR_MOVED : 0;
    }
    tell_root(agent, NODE_RANKS, 0, states, count * sizeof *states);
    free(states);
}

static void tell_turns(struct agent *agent)
{
    size_t length;
    char *bytes = agent->way.is_heard ? turn_scan_take(agent->turns, &length) : NULL;
    if (bytes != NULL) {
        tell_root(agent, NODE_TURNS, 0, bytes, length);
    }
    free(bytes);
}

static void look_at_ranks(struct agent *agent, int64_t now)
{
    add_ranks(agent);
    looks_take_known(agent->looks, now);
    agent->looked = now;
    tell_ranks(agent, agent->looks->moved == now);
    tell_turns(agent);
}

/* --- answers ---------------------------------------------------------------------------------- */

static void examine_ranks(struct agent *agent, uint32_t ticket, const char *body, size_t length)
{
    struct states_writer *writer = states_begin();
    size_t size;
    for (size_t at = 0; at + sizeof(int64_t) <= length; at += sizeof(int64_t)) {
        int64_t pid;
        memcpy(&pid, body + at, sizeof pid);
        examined_add(writer, pid, find_rank(agent, pid));
    }
    char *bytes = states_end(writer, &size);
    tell_root(agent, NODE_EXAMINED, ticket, bytes, size);
    free(bytes);
}

static void read_memory(struct agent *agent, uint32_t ticket, const struct far_read_request *what)
{
    enum { MOST = 16 << 20 };
    struct looked *rank = find_rank(agent, what->pid);
    char *bytes = rank != NULL && what->length <= MOST ? malloc(what->length + 1) : NULL;
    const bool is_read = bytes != NULL && memory_read(what->address, bytes, what->length,
                                                      rank->memory) == ST_READ_OK;
    tell_root(agent, NODE_BYTES, ticket, bytes, is_read ? what->length : 0);
    free(bytes);
}

static void find_place(struct agent *agent, uint32_t ticket, const struct far_read_request *what)
{
    static struct memory_place place; /* too large for a small stack */
    struct looked *rank = find_rank(agent, what->pid);
    char answer[sizeof(struct far_placed) + sizeof place.path];
    struct far_placed placed = {0};
    if (rank != NULL && memory_place_of(rank->memory, what->address, &place)) {
        placed = (struct far_placed){
            .offset = place.offset, .is_known = true, .length = (uint32_t)strlen(place.path)};
    }
    memcpy(answer, &placed, sizeof placed);
    memcpy(answer + sizeof placed, place.path, placed.length);
    tell_root(agent, NODE_PLACED, ticket, answer, sizeof placed + placed.length);
}

static void start_stacks(struct agent *agent, uint32_t ticket, const char *body, size_t length)
{
    struct stacks_group group = {zeroed(length / sizeof(struct far_stack) + 1, sizeof *group.list),
                                 0};
    for (size_t at = 0; at + sizeof(struct far_stack) <= length; at += sizeof(struct far_stack)) {
        struct far_stack one;
        memcpy(&one, body + at, sizeof one);
        if (find_rank(agent, one.pid) != NULL) {
            group.list[group.count++] = (struct stacks_process){(pid_t)one.pid, (int)one.rank};
        }
    }
    if (agent->stacks != NULL) {
        json_decref(beside_end(agent->stacks));
    }
    agent->stacks = beside_start(&group, 1);
    agent->stacks_ticket = ticket;
    free(group.list);
}

static void tell_stacks(struct agent *agent, int64_t now)
{
    if (agent->stacks == NULL || !beside_is_done(agent->stacks, now)) {
        return;
    }
    json_t *taken = beside_end(agent->stacks), *first = json_array_get(taken, 0);
    agent->stacks = NULL;
    tell_json(agent, NODE_STACK_TEXT, agent->stacks_ticket,
              first != NULL ? json_incref(first) : json_null());
    json_decref(taken);
}

static void describe_ranks(struct agent *agent, uint32_t ticket)
{
    json_t *list = json_array();
    looks_take_known(agent->looks, clock_ms());
    for (size_t i = 0; i < agent->looks->count; i++) {
        json_array_append_new(list, described_rank(&agent->looks->ranks[i]));
    }
    tell_json(agent, NODE_DESCRIBED, ticket, list);
}

static void tell_blocks(struct agent *agent, uint32_t ticket, const char *body, size_t length)
{
    const size_t count = length / sizeof(struct far_call);
    struct far_call *blocks = zeroed(count + 1, sizeof *blocks);
    size_t size = 0;
    memcpy(blocks, body, count * sizeof *blocks);
    char *bytes = call_scan_blocks(agent->scan, blocks, count, &size);
    tell_root(agent, NODE_CALLS, ticket, bytes, size);
    free(bytes);
    free(blocks);
}

/* Copies the rest of a message, if it is there. */
static bool read_body(const char *body, size_t length, void *to, size_t size)
{
    if (length < size) {
        return false;
    }
    memcpy(to, body, size);
    return true;
}

/* Lets other agents come to this one, and says where. */
static void open_branch(struct agent *agent)
{
    struct node_branch where;
    if (agent->branch == NULL) {
        agent->branch = branch_open(agent->key, &where);
        if (agent->branch != NULL) {
            tell_root(agent, NODE_BRANCHES, 0, &where, sizeof where);
        }
    }
}

static void take_message(struct agent *agent, const struct link_message *message)
{
    struct node_head head;
    struct far_read_request what;
    struct far_call call;
    struct far_question question;
    struct far_turn_request turn;
    struct node_branch where;
    if (!read_body(message->bytes, message->length, &head, sizeof head)) {
        return;
    }
    const char *body = message->bytes + sizeof head;
    const size_t length = message->length - sizeof head;
    agent->way.heard = clock_ms();
    agent->way.is_heard = agent->way.was_heard = true;
    switch (head.kind) {
    case NODE_HELLO: /* it did not know us: it has begun anew, or a message was lost */
        way_say_hello(&agent->way);
        break;
    case NODE_EXAMINE:
        examine_ranks(agent, head.ticket, body, length);
        break;
    case NODE_READ:
        if (read_body(body, length, &what, sizeof what)) {
            read_memory(agent, head.ticket, &what);
        }
        break;
    case NODE_PLACE:
        if (read_body(body, length, &what, sizeof what)) {
            find_place(agent, head.ticket, &what);
        }
        break;
    case NODE_STACKS:
        start_stacks(agent, head.ticket, body, length);
        break;
    case NODE_TURN:
        if (read_body(body, length, &turn, sizeof turn)) {
            tell_json(agent, NODE_BYTES, head.ticket, turn_answer(&turn));
        }
        break;
    case NODE_DESCRIBE:
        describe_ranks(agent, head.ticket);
        break;
    case NODE_DETAILS:
        if (read_body(body, length, &call, sizeof call)) {
            tell_json(agent, NODE_DETAIL, head.ticket, calls_with(call.comm, call.number));
        }
        break;
    case NODE_EXPAND:
        tell_blocks(agent, head.ticket, body, length);
        break;
    case NODE_LEFT:
        tell_json(agent, NODE_ALL_CALLS, head.ticket, calls_all());
        break;
    case NODE_TOLD:
        if (read_body(body, length, &call, sizeof call)) {
            calls_tell(&call);
        }
        break;
    case NODE_QUESTION:
        if (read_body(body, length, &question, sizeof question)) {
            json_t *list = exchange_list(&question);
            tell_json(agent, NODE_MESSAGES, head.ticket, list != NULL ? list : json_null());
        }
        break;
    case NODE_BRANCH:
        open_branch(agent);
        break;
    case NODE_MOVE:
        if (read_body(body, length, &where, sizeof where)) {
            way_move(&agent->way, &where, agent->way.heard);
        }
        break;
    case NODE_DOWN:
        branch_down(agent->branch, body, length);
        break;
    case NODE_GOODBYE:
        agent->is_over = true;
        break;
    default: /* NODE_BEAT: it is there */
        branch_beat(agent->branch);
        break;
    }
}

/* --- its life --------------------------------------------------------------------------------- */

/* Returns false if no call is left. A call is told once, and not before `mpipp run' has been heard: if the link is given
 * up, it would be lost. */
static bool tell_calls(struct agent *agent)
{
    size_t length;
    char *bytes = agent->way.is_heard ? call_scan_take(agent->scan, &length) : NULL;
    if (bytes != NULL && agent->branch != NULL) {
        char *fresh = branch_fresh(agent->branch, bytes, length, &length);
        free(bytes);
        if (fresh == NULL) {
            return true;
        }
        bytes = fresh;
    }
    if (bytes != NULL) {
        tell_root(agent, NODE_CALLS, 0, bytes, length);
    }
    free(bytes);
    return bytes != NULL;
}

static void tell_sums(struct agent *agent)
{
    size_t count = 0;
    const struct far_sums *list =
        agent->way.is_heard ? exchange_scan_take(agent->exchange, &count) : NULL;
    if (count != 0) {
        tell_root(agent, NODE_SUMS, 0, list, count * sizeof *list);
    }
}

/* Tells the last of it when all ranks have ended, and again if new ones have come meanwhile. */
static void tell_ends(struct agent *agent, bool has_ranks)
{
    if (has_ranks || agent->guest_count == 0) {
        agent->told_ends = false;
        return;
    }
    if (!agent->told_ends && agent->way.is_heard) {
        while (tell_calls(agent)) {
        }
        tell_sums(agent);
        look_at_ranks(agent, clock_ms());
        tell_json(agent, NODE_ENDS, 0, calls_ends(agent->scan));
        agent->told_ends = true;
    }
}

static bool is_over(const struct agent *agent, bool has_ranks, int64_t now)
{
    const int64_t patience = agent->guest_count == 0 ? FIRST_PATIENCE : PATIENCE;
    const bool is_alone = agent->guest_count != 0 && way_is_down(&agent->way, now);
    return !has_ranks && (agent->is_over || is_alone || now - agent->way.heard > patience);
}

static void wait_for_more(const struct agent *agent)
{
    int wait = (int)(TO_WAKE - clock_of_day_ms() % TO_WAKE);
    const int branch = agent->way.is_heard ? branch_wait(agent->branch, clock_ms()) : -1;
    struct pollfd polls[] = {
        {.fd = agent->door, .events = POLLIN},
        {.fd = way_file(&agent->way), .events = POLLIN},
        {.fd = way_next_file(&agent->way), .events = POLLIN},
        {.fd = branch_file(agent->branch), .events = POLLIN},
        {.fd = agent->stacks != NULL ? beside_file(agent->stacks) : -1, .events = POLLIN}};
    wait = branch >= 0 && branch < wait ? branch : wait;
    poll(polls, sizeof polls / sizeof *polls, wait);
}

/* Passes on what other agents have said. */
static void pass_on(struct agent *agent, int64_t now)
{
    size_t length;
    if (agent->branch == NULL) {
        return;
    }
    if (agent->changes != agent->way.changes) {
        agent->changes = agent->way.changes;
        branch_forget(agent->branch);
    }
    branch_take(agent->branch, now);
    const char *up = agent->way.is_heard ? branch_up(agent->branch, now, &length) : NULL;
    if (up != NULL) {
        const struct node_dropped dropped = {branch_dropped(agent->branch)};
        tell_root(agent, NODE_UP, 0, up, length);
        if (dropped.count != 0) {
            tell_root(agent, NODE_DROPPED, 0, &dropped, sizeof dropped);
        }
    }
}

static void serve_agent(struct agent *agent)
{
    bool has_ranks = true;
    for (int64_t now = clock_ms(); !is_over(agent, has_ranks, now); now = clock_ms()) {
        struct link_message message;
        wait_for_more(agent);
        open_door(agent);
        way_keep(&agent->way, now);
        while (way_receive(&agent->way, &message)) {
            take_message(agent, &message);
        }
        pass_on(agent, now);
        const int64_t turn = clock_of_day_ms() / NODE_TICK;
        if (turn != agent->turn) {
            agent->turn = turn;
            tell_calls(agent);
        }
        tell_stacks(agent, now);
        if (now - agent->summed >= TO_SUM) {
            agent->summed = now;
            tell_sums(agent);
        }
        if (now - agent->looked >= TO_LOOK) {
            look_at_ranks(agent, now);
        }
        has_ranks = has_guests(agent);
        tell_ends(agent, has_ranks);
    }
}

_Noreturn void agent_run(const struct job_key *key, const char *name, int door)
{
    struct agent agent = {.key = key, .door = door, .way = {.key = key, .name = name}};
    detach(door, "mpipp-agent"); /* of the rank that has started it */
    signal(SIGPIPE, SIG_IGN);
    unsetenv("LD_PRELOAD");
    fcntl(door, F_SETFL, O_NONBLOCK);
    node_make_of(key->nonce);
    agent.looks = looks_new();
    agent.scan = call_scan_new();
    agent.exchange = exchange_scan_new();
    agent.turns = turn_scan_new();
    agent.way.heard = clock_ms();
    serve_agent(&agent);
    branch_close(agent.branch);
    way_close(&agent.way);
    exit(0);
}
