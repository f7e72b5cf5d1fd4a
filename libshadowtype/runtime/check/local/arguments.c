/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include "runtime/objects/alive.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/check/quick.h"
#include "runtime/objects/records.h"
#include "runtime/record/lock.h"
#include "runtime/wrap/names.h"

static void report_argument(struct st_facts *facts, int number, enum st_check check,
                            const char *message, const char *advice)
{
    st_find(facts, &(struct st_found){
                       .check = check, .parameter = number, .message = message, .advice = advice});
}

/* --- communicators ------------------------------------------------------------------------- */

static void check_topology(struct st_facts *facts, int number, enum st_topology wanted,
                           const char *message, const char *advice)
{
    if (st_ask_topology(facts->values[number]) != wanted) {
        report_argument(facts, number, ST_ARGUMENT_COMM, message, advice);
    }
}

/* Checks that the communicator has the kind that the call needs: intercommunicator, topology. */
static void check_sort(struct st_facts *facts, int number, bool inter)
{
    enum st_role role = facts->form->parameters[number].role;
    if (role == ST_ROLE_INTER && !inter) {
        report_argument(facts, number, ST_ARGUMENT_COMM,
                        "passes an intracommunicator where an intercommunicator is needed",
                        "MPI_Intercomm_create makes one");
    } else if (role != ST_ROLE_INTER && role != ST_ROLE_COMM && inter) {
        report_argument(facts, number, ST_ARGUMENT_COMM,
                        "passes an intercommunicator where an intracommunicator is needed",
                        "MPI_Intercomm_merge makes an intracommunicator of it");
    } else if (role == ST_ROLE_CART) {
        check_topology(facts, number, ST_CARTESIAN,
                       "passes a communicator that has no Cartesian topology",
                       "pass the one that MPI_Cart_create made");
    } else if (role == ST_ROLE_GRAPH) {
        check_topology(facts, number, ST_GRAPH, "passes a communicator that has no graph topology",
                       "pass the one that MPI_Graph_create made");
    } else if (role == ST_ROLE_DISTGRAPH) {
        check_topology(facts, number, ST_DISTRIBUTED_GRAPH,
                       "passes a communicator that has no distributed graph topology",
                       "pass the one that MPI_Dist_graph_create or MPI_Dist_graph_create_adjacent "
                       "made");
    }
}

/* Returns false if the communicator is not in use, or unknown. Null and freed ones are reported. */
static bool check_in_use(struct st_facts *facts, int number, struct st_comm_facts *known)
{
    uint64_t comm = facts->values[number];
    if (comm == st_numbers.null[ST_KIND_COMM]) {
        report_argument(
            facts, number, ST_ARGUMENT_COMM, "passes MPI_COMM_NULL",
            "a rank outside of a communicator has MPI_COMM_NULL for it and must not use it");
        return false;
    }
    if (!st_comm_facts(comm, known)) {
        st_find_dead(facts, number, comm, ST_PASSES);
        return false;
    }
    return true;
}

static void check_comm(struct st_facts *facts, int number)
{
    struct st_comm_facts known;
    if (!check_in_use(facts, number, &known)) {
        return;
    }
    if (number == facts->form->comm) {
        facts->has_comm = true;
        facts->comm = known;
    }
    check_sort(facts, number, known.inter);
}

void st_check_comms(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    if (form->comm >= 0) {
        for (int i = 0; i < form->parameter_count; i++) {
            switch (form->parameters[i].role) {
            case ST_ROLE_COMM:
            case ST_ROLE_INTRA:
            case ST_ROLE_INTER:
            case ST_ROLE_CART:
            case ST_ROLE_GRAPH:
            case ST_ROLE_DISTGRAPH:
                check_comm(facts, i);
                break;
            default:
                break;
            }
        }
    }
    if (form->win >= 0) {
        facts->has_comm =
            st_check_win(facts) && st_win_facts(facts->values[form->win], &facts->comm);
    }
}

/* --- ranks, roots, tags -------------------------------------------------------------------- */

static const char *plural_ending(int count)
{
    return count == 1 ? "" : "s";
}

static void check_rank(struct st_facts *facts, int number, enum st_role role)
{
    int64_t rank = (int64_t)facts->values[number];
    const struct st_numbers *n = &st_numbers;
    if (rank >= 0 && (!facts->has_comm || rank < facts->comm.size)) {
        return;
    }
    if (rank == n->proc_null && role != ST_ROLE_RANK) {
        return;
    }
    if (rank == n->any_source && role == ST_ROLE_SOURCE) {
        return;
    }
    char message[120];
    const char *word = facts->form->parameters[number].name;
    if (rank == n->any_source) {
        snprintf(message, sizeof message, "passes MPI_ANY_SOURCE as '%s'", word);
    } else if (rank < 0) {
        snprintf(message, sizeof message, "passes a negative rank as '%s'", word);
    } else {
        snprintf(message, sizeof message, "passes rank %lld as '%s', in a %s of %d rank%s",
                 (long long)rank, word,
                 facts->form->win >= 0 ? "window"
                 : facts->comm.inter   ? "remote group"
                                       : "communicator",
                 facts->comm.size, plural_ending(facts->comm.size));
    }
    report_argument(facts, number, ST_ARGUMENT_RANK, message,
                    "ranks are 0 to the communicator's size - 1; MPI_PROC_NULL means no process");
}

/* Only the local leader of MPI_Intercomm_create uses the peer communicator, and the rank in it. */
static void check_peer(struct st_facts *facts, int number)
{
    const int own = st_parameter_of(facts->form, ST_ROLE_RANK);
    const int leader = st_parameter_of(facts->form, ST_ROLE_LEADER);
    const int64_t remote = (int64_t)facts->values[leader];
    struct st_comm_facts known;
    char message[120];
    if (!facts->has_comm || (int64_t)facts->values[own] != facts->comm.rank ||
        !check_in_use(facts, number, &known) || (remote >= 0 && remote < known.size)) {
        return;
    }
    snprintf(message, sizeof message, "passes %lld as '%s', in a communicator of %d rank%s",
             (long long)remote, facts->form->parameters[leader].name, known.size,
             plural_ending(known.size));
    report_argument(facts, leader, ST_ARGUMENT_RANK, message,
                    "the remote leader is a rank of the peer communicator");
}

static void check_root(struct st_facts *facts, int number)
{
    int64_t root = (int64_t)facts->values[number];
    if (!facts->has_comm || (root >= 0 && root < facts->comm.size)) {
        return;
    }
    if (facts->comm.inter && (root == st_numbers.root || root == st_numbers.proc_null)) {
        return;
    }
    char message[120];
    if (root >= 0) {
        snprintf(message, sizeof message, "passes root %lld, in a %s of %d rank%s", (long long)root,
                 facts->comm.inter ? "remote group" : "communicator", facts->comm.size,
                 plural_ending(facts->comm.size));
    } else {
        snprintf(message, sizeof message, "passes %s as the root",
                 root == st_numbers.root        ? "MPI_ROOT in an intracommunicator"
                 : root == st_numbers.proc_null ? "MPI_PROC_NULL in an intracommunicator"
                                                : "a negative number");
    }
    report_argument(facts, number, ST_ARGUMENT_ROOT, message,
                    "roots are ranks of the communicator, the same in all of them");
}

static void check_tag(struct st_facts *facts, int number, enum st_role role)
{
    int64_t tag = (int64_t)facts->values[number];
    if (tag >= 0 && tag <= st_numbers.tag_ub) {
        return;
    }
    if (tag == st_numbers.any_tag && role == ST_ROLE_ANYTAG) {
        return;
    }
    report_argument(
        facts, number, ST_ARGUMENT_TAG,
        tag == st_numbers.any_tag ? "passes MPI_ANY_TAG to a call that sends"
        : tag < 0                 ? "passes a negative tag"
                                  : "passes a tag above MPI_TAG_UB",
        "tags are 0 to the value of the attribute MPI_TAG_UB; only a receive may take any");
}

static void check_length(struct st_facts *facts, int number)
{
    if ((int64_t)facts->values[number] < 0) {
        report_argument(facts, number, ST_ARGUMENT_COUNT,
                        "passes a negative number of array members",
                        "is the number computed, and can it overflow?");
    }
}

static void check_bytes(struct st_facts *facts, int number)
{
    if ((int64_t)facts->values[number] < 0) {
        report_argument(facts, number, ST_ARGUMENT_COUNT, "passes a negative number of bytes",
                        "is the number computed, and can it overflow?");
    }
}

/* Checks the position in the memory of MPI_Pack and MPI_Unpack. */
static void check_position(struct st_facts *facts, int number)
{
    const int bytes = st_parameter_of(facts->form, ST_ROLE_BYTES);
    if (!facts->values[number] || (int64_t)facts->values[bytes] < 0) {
        return;
    }
    const int64_t position = st_number_at(facts, number, 0);
    if (position >= 0 && position <= (int64_t)facts->values[bytes]) {
        return;
    }
    char message[120];
    snprintf(message, sizeof message, "passes position %lld in %lld bytes of packed data",
             (long long)position, (long long)facts->values[bytes]);
    report_argument(facts, number, ST_ARGUMENT_COUNT, message,
                    "set the position to 0 before the first call; each call moves it forward");
}

/* --- numbers with a limited range ----------------------------------------------------------- */

static void check_color(struct st_facts *facts, int number)
{
    int64_t color = (int64_t)facts->values[number];
    if (color < 0 && color != st_numbers.undefined) {
        report_argument(
            facts, number, ST_ARGUMENT_COLOR, "passes a negative color",
            "colors are not negative; MPI_UNDEFINED is for a rank that gets no communicator");
    }
}

static void check_lock(struct st_facts *facts, int number)
{
    if (!st_name_of("lock", facts->values[number])) {
        report_argument(facts, number, ST_ARGUMENT_LOCK, "passes a number that is no lock type",
                        "pass MPI_LOCK_SHARED or MPI_LOCK_EXCLUSIVE");
    }
}

static void check_assertions(struct st_facts *facts, int number)
{
    if ((int64_t)facts->values[number] & ~st_numbers.assertions) {
        report_argument(facts, number, ST_ARGUMENT_LOCK, "passes a number that is no assertion",
                        "pass 0, or constants as MPI_MODE_NOCHECK, joined by |");
    }
}

static void check_unit(struct st_facts *facts, int number)
{
    if ((int64_t)facts->values[number] < 1) {
        report_argument(
            facts, number, ST_ARGUMENT_COUNT, "passes a displacement unit below 1",
            "pass the size of a unit in bytes: 1, or the size of the window's elements");
    }
}

/* In a window of MPI_Win_create_dynamic the displacement is an address. */
static void check_there(struct st_facts *facts, int number)
{
    const struct st_form *form = facts->form;
    if ((int64_t)facts->values[number] >= 0 || !facts->has_comm ||
        (int64_t)facts->values[form->target] == st_numbers.proc_null ||
        st_ask_dynamic(facts->values[form->win])) {
        return;
    }
    report_argument(facts, number, ST_ARGUMENT_COUNT,
                    "passes a negative displacement at the target",
                    "displacements count units from the beginning of the target's window");
}

/* --- files ---------------------------------------------------------------------------------- */

/* The offset of MPI_File_seek may be negative if it counts from the current position or the end. */
static void check_offset(struct st_facts *facts, int number)
{
    int whence = st_parameter_of(facts->form, ST_ROLE_WHENCE);
    int64_t offset = (int64_t)facts->values[number];
    if (offset >= 0 || offset == st_numbers.displacement_current ||
        (whence >= 0 && (int64_t)facts->values[whence] != st_numbers.seek_set)) {
        return;
    }
    report_argument(facts, number, ST_ARGUMENT_COUNT, "passes a negative offset in a file",
                    "positions in a file are counted from its beginning, or from that of its view");
}

static void check_whence(struct st_facts *facts, int number)
{
    int64_t whence = (int64_t)facts->values[number];
    if (whence != st_numbers.seek_set && whence != st_numbers.seek_cur &&
        whence != st_numbers.seek_end) {
        report_argument(facts, number, ST_ARGUMENT_COUNT, "passes an unknown 'whence'",
                        "pass MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END");
    }
}

/* --- texts ---------------------------------------------------------------------------------- */

/* Checks a key or a value of an info object. */
static void check_text(struct st_facts *facts, int number, size_t most)
{
    const char *text = (const char *)(uintptr_t)facts->values[number];
    char message[120];
    if (!text || strnlen(text, most) < most) {
        return;
    }
    snprintf(message, sizeof message, "passes a text of more than %zu characters as '%s'", most - 1,
             facts->form->parameters[number].name);
    report_argument(
        facts, number, ST_ARGUMENT_COUNT, message,
        "MPI_MAX_INFO_KEY and MPI_MAX_INFO_VAL say how long keys and values may be, with their "
        "end");
}

void st_check_arguments(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count; i++) {
        enum st_role role = form->parameters[i].role;
        switch (role) {
        case ST_ROLE_DEST:
        case ST_ROLE_SOURCE:
        case ST_ROLE_TARGET:
        case ST_ROLE_RANK:
            check_rank(facts, i, role);
            break;
        case ST_ROLE_ROOT:
            check_root(facts, i);
            break;
        case ST_ROLE_TAG:
        case ST_ROLE_ANYTAG:
            check_tag(facts, i, role);
            break;
        case ST_ROLE_N:
            check_length(facts, i);
            break;
        case ST_ROLE_BYTES:
            check_bytes(facts, i);
            break;
        case ST_ROLE_COLOR:
            check_color(facts, i);
            break;
        case ST_ROLE_LOCK:
            check_lock(facts, i);
            break;
        case ST_ROLE_MODE:
            check_assertions(facts, i);
            break;
        case ST_ROLE_UNIT:
            check_unit(facts, i);
            break;
        case ST_ROLE_THERE:
        case ST_ROLE_ONE_THERE:
            check_there(facts, i);
            break;
        case ST_ROLE_MESSAGE:
            if (facts->values[i]) {
                st_find_nothing(facts, i, st_handle_at(facts, i, 0), ST_PASSES);
            }
            break;
        case ST_ROLE_PEER:
            check_peer(facts, i);
            break;
        case ST_ROLE_POSITION:
            check_position(facts, i);
            break;
        case ST_ROLE_OFFSET:
            check_offset(facts, i);
            break;
        case ST_ROLE_WHENCE:
            check_whence(facts, i);
            break;
        case ST_ROLE_INFOKEY:
            check_text(facts, i, st_numbers.most_key);
            break;
        case ST_ROLE_INFOVALUE:
            check_text(facts, i, st_numbers.most_value);
            break;
        default:
            break;
        }
    }
}
