/* SPDX-License-Identifier: BSD-3-Clause */
#include "agent.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../clock.h"
#include "../proc.h"
#include "../stacks/beside.h"
#include "../watch/described.h"
#include "../watch/looks.h"
#include "../watch/node.h"
#include "../watch/shared.h"
#include "../words.h"
#include "calls.h"
#include "exchange.h"
#include "far_turns.h"
#include "link.h"
#include "protocol.h"

enum {
    TO_SUM = 100,          /* the same for sums of messages */
    TO_LOOK = 1000,        /* and between two looks at the ranks */
    TO_TRY = 3000,         /* for `mpipp run` to answer at one of its addresses */
    PATIENCE = 4000,       /* without a word of `mpipp run`, while no rank is there */
    SLOW_PATIENCE = 8000,  /* the same, before its first word: a slow link takes a while to begin */
    FIRST_PATIENCE = 60000 /* the same, before any rank was seen */
};

struct agent {
    const struct job_key *key;
    const char *name;
    int door;
    struct link *link; /* NULL: not possible */
    bool is_heard;     /* `mpipp run` has answered */
    size_t address;    /* of the key's, the one that is tried now */
    int64_t tried;     /* since when; milliseconds */
    int64_t heard;     /* when `mpipp run` was heard last, or the agent began */
    bool is_over;      /* `mpipp run` has said goodbye */
    bool told_ends;    /* all ranks have ended, and `mpipp run` knows it */
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
    const struct node_head head = {kind, ticket};
    if (agent->link != NULL) {
        link_send(agent->link, 0, &head, sizeof head, body, length);
    }
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

/* --- the way to `mpipp run` ------------------------------------------------------------------- */

static void say_hello(struct agent *agent)
{
    struct node_hello hello = {.protocol = NODE_PROTOCOL, .segment = ST_SEGMENT_VERSION};
    gethostname(hello.host, sizeof hello.host - 1);
    strncpy(hello.version, MPIPP_VERSION, sizeof hello.version - 1);
    tell_root(agent, NODE_HELLO, 0, &hello, sizeof hello);
}

/* Tries the addresses of `mpipp run` in turn until it answers at one. A single one is not given up. */
static void keep_link(struct agent *agent, int64_t now)
{
    const char *why;
    if (agent->is_heard || (agent->link != NULL && agent->key->addresses[1] == NULL) ||
        (agent->link != NULL && now - agent->tried < TO_TRY) ||
        (agent->link == NULL && agent->tried != 0)) {
        return;
    }
    if (agent->link != NULL) {
        link_close(agent->link);
        agent->address++;
    }
    if (agent->key->addresses[agent->address] == NULL) {
        agent->address = 0;
    }
    agent->tried = now;
    agent->link =
        link_connect(agent->key, agent->name, agent->key->addresses[agent->address], &why);
    say_hello(agent);
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
    char *bytes = agent->is_heard ? turn_scan_take(agent->turns, &length) : NULL;
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

static void examine_rank(struct agent *agent, int64_t pid, FILE *answer)
{
    struct image image = {0};
    struct looked *rank = find_rank(agent, pid);
    struct far_examined examined = {.pid = pid};
    size_t length = 0;
    if (rank != NULL && looks_examine(rank, &image)) {
        examined.identity = rank->identity;
        examined.is_read = true;
        examined.is_stuck = rank->waits.is_stuck;
        examined.is_stopped = rank->processor.is_stopped;
    }
    char *bytes = image_bytes(&image, &length);
    if (bytes != NULL) {
        fwrite(&examined, sizeof examined, 1, answer);
        fwrite(bytes, 1, length, answer);
    }
    free(bytes);
    image_clear(&image);
}

static void examine_ranks(struct agent *agent, uint32_t ticket, const char *body, size_t length)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *answer = open_memstream(&bytes, &size);
    for (size_t at = 0; answer != NULL && at + sizeof(int64_t) <= length; at += sizeof(int64_t)) {
        int64_t pid;
        memcpy(&pid, body + at, sizeof pid);
        examine_rank(agent, pid, answer);
    }
    if (answer != NULL && fclose(answer) == 0) {
        tell_root(agent, NODE_EXAMINED, ticket, bytes, size);
    }
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

static void tell_block(struct agent *agent, uint32_t ticket, const struct far_call *block)
{
    size_t length = 0;
    char *bytes = call_scan_block(agent->scan, block, &length);
    tell_root(agent, NODE_CALLS, ticket, bytes, length);
    free(bytes);
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

static void take_message(struct agent *agent, const struct link_message *message)
{
    struct node_head head;
    struct far_read_request what;
    struct far_call call;
    struct far_question question;
    struct far_turn_request turn;
    if (!read_body(message->bytes, message->length, &head, sizeof head)) {
        return;
    }
    const char *body = message->bytes + sizeof head;
    const size_t length = message->length - sizeof head;
    agent->heard = clock_ms();
    agent->is_heard = true;
    switch (head.kind) {
    case NODE_HELLO: /* it did not know us: it has begun anew, or a message was lost */
        say_hello(agent);
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
        if (read_body(body, length, &call, sizeof call)) {
            tell_block(agent, head.ticket, &call);
        }
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
    case NODE_GOODBYE:
        agent->is_over = true;
        break;
    default: /* NODE_BEAT: it is there */
        break;
    }
}

/* --- its life --------------------------------------------------------------------------------- */

/* Returns false if no call is left. A call is told once, and not before `mpipp run' has been heard: if the link is given
 * up, it would be lost. */
static bool tell_calls(struct agent *agent)
{
    size_t length;
    char *bytes = agent->is_heard ? call_scan_take(agent->scan, &length) : NULL;
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
        agent->is_heard ? exchange_scan_take(agent->exchange, &count) : NULL;
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
    if (!agent->told_ends && agent->is_heard) {
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
    const int64_t patience = agent->guest_count == 0 ? FIRST_PATIENCE
                             : !agent->is_heard      ? SLOW_PATIENCE
                                                     : PATIENCE;
    return !has_ranks && (agent->is_over || now - agent->heard > patience);
}

static void wait_for_more(const struct agent *agent)
{
    struct pollfd polls[] = {
        {.fd = agent->door, .events = POLLIN},
        {.fd = agent->link != NULL ? link_file(agent->link) : -1, .events = POLLIN},
        {.fd = agent->stacks != NULL ? beside_file(agent->stacks) : -1, .events = POLLIN}};
    poll(polls, sizeof polls / sizeof *polls, (int)(NODE_TICK - clock_of_day_ms() % NODE_TICK));
}

static void serve_agent(struct agent *agent)
{
    bool has_ranks = true;
    for (int64_t now = clock_ms(); !is_over(agent, has_ranks, now); now = clock_ms()) {
        struct link_message message;
        wait_for_more(agent);
        open_door(agent);
        keep_link(agent, now);
        while (agent->link != NULL && link_receive(agent->link, 0, &message)) {
            take_message(agent, &message);
        }
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

/* The launcher must not wait for the agent: it keeps nothing of what the rank has open. */
static void leave_rank(int door)
{
    int null = open("/dev/null", O_RDWR);
    for (int file = 0; file <= 2 && null >= 0; file++) {
        dup2(null, file);
    }
    for (int file = 3, most = (int)sysconf(_SC_OPEN_MAX); file < most && file < 65536; file++) {
        if (file != door) {
            close(file);
        }
    }
    setsid();
    if (chdir("/") != 0) {
        _exit(1);
    }
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    prctl(PR_SET_NAME, "mpipp-agent");
}

_Noreturn void agent_run(const struct job_key *key, const char *name, int door)
{
    struct agent agent = {.key = key, .name = name, .door = door};
    leave_rank(door);
    unsetenv("LD_PRELOAD");
    fcntl(door, F_SETFL, O_NONBLOCK);
    node_make_of(key->nonce);
    agent.looks = looks_new();
    agent.scan = call_scan_new();
    agent.exchange = exchange_scan_new();
    agent.turns = turn_scan_new();
    agent.heard = clock_ms();
    serve_agent(&agent);
    if (agent.link != NULL) {
        link_close(agent.link);
    }
    exit(0);
}
