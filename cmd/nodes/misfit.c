/* SPDX-License-Identifier: BSD-3-Clause */
#include "misfit.h"

#include "../watch/differing.h"
#include "../words.h"
#include "core/agree/message_advice.h"
#include "core/agree/numbering.h"

static char *data_text(const uint64_t hash[2], int64_t length, int64_t bytes, uint16_t flags)
{
    if (flags & ST_MESSAGE_SIGNED) {
        return elements_of(length, hash[0], flags & ST_MESSAGE_UNIFORM);
    }
    return flags & ST_MESSAGE_SIZED ? text_of("%lld bytes", (long long)bytes)
                                    : text_of("a message");
}

static char *sent_text(const struct misfit *misfit)
{
    const struct st_message *sent = misfit->sent;
    const uint64_t hash[2] = {sent->hash[0], sent->hash[1]};
    return data_text(hash, sent->length, sent->bytes, st_message_flags(sent));
}

static char *room_text(const struct misfit *misfit)
{
    const struct st_remote_message *received = misfit->received;
    const uint64_t hash[2] = {received->hash[0], received->hash[1]};
    return data_text(hash, received->length, received->bytes, received->data);
}

/* "receives 10 x MPI_INT where rank 0 sends 10 x MPI_FLOAT" */
static char *message_text(const struct misfit *misfit)
{
    const int from = misfit->from;
    const bool has_room = misfit->check == ST_MATCH_TRUNCATION || misfit->check == ST_MATCH_ASSERT;
    if (misfit->check == ST_MATCH_LOST) {
        char *text =
            text_of("never receives what rank %d sends with tag %d", from, misfit->sent->tag);
        return misfit->times > 1
                   ? text_of("%s, %llu messages", text, (unsigned long long)misfit->times)
                   : text;
    }
    if (misfit->received == NULL) {
        return text_of("receives other types than rank %d sends, in one of %llu messages", from,
                       (unsigned long long)misfit->times);
    }
    if (misfit->sent == NULL) {
        return text_of("has room for %s where rank %d sends more", room_text(misfit), from);
    }
    if (misfit->check == ST_MATCH_PARTIAL) {
        return text_of("receives elements of %u bytes where rank %d sends %s, %lld bytes: the last "
                       "element is not complete",
                       misfit->received->element, from, sent_text(misfit),
                       (long long)misfit->sent->bytes);
    }
    return text_of("%s %s where rank %d sends %s%s", has_room ? "has room for" : "receives",
                   room_text(misfit), from, sent_text(misfit),
                   misfit->check == ST_MATCH_ASSERT
                       ? ", although the communicator's info says mpi_assert_exact_length"
                       : "");
}

/* --- the calls --------------------------------------------------------------------------------- */

static void add_argument(json_t *list, const char *name, const char *value)
{
    json_array_append_new(list, json_pack("[s, s]", name, value));
}

static void add_number(json_t *list, const char *name, int32_t number, const char *any)
{
    add_argument(list, name, number == ST_NUMBERING_ANY ? any : text_of("%d", number));
}

static json_t *call_of(int rank, const char *function, json_t *arguments, json_t *frames)
{
    return json_pack("{s:i, s:s, s:s, s:o, s:o}", "rank", rank, "label", text_of("rank %d", rank),
                     "call", function, "arguments", arguments, "site", frames);
}

static json_t *receive_of(const struct misfit *misfit)
{
    const struct st_remote_message *received = misfit->received;
    const char *comm = exchange_comm(misfit->receiver, received->comm);
    json_t *arguments = json_array();
    add_argument(arguments, "data", room_text(misfit));
    add_number(arguments, "source", received->peer, "MPI_ANY_SOURCE");
    add_number(arguments, "tag", received->tag, "MPI_ANY_TAG");
    add_argument(arguments, "comm", comm != NULL ? comm : "its communicator");
    return call_of(misfit->to, exchange_function(misfit->receiver, &received->as), arguments,
                   exchange_frames(misfit->receiver, received->as.place));
}

static json_t *send_of(const struct misfit *misfit)
{
    const struct st_message *sent = misfit->sent;
    json_t *arguments = json_array();
    add_argument(arguments, "data", sent_text(misfit));
    add_number(arguments, "dest", misfit->received != NULL ? misfit->received->own : sent->to, "");
    add_number(arguments, "tag", sent->tag, "");
    return call_of(misfit->from, exchange_function(misfit->sender, sent), arguments,
                   exchange_frames(misfit->sender, sent->place));
}

/* --- the finding ------------------------------------------------------------------------------- */

static bool find_beginning(const struct exchanged *list, const uint64_t hash[2], int64_t length,
                           uint16_t flags, struct st_beginning *beginning)
{
    if (flags & ST_MESSAGE_UNIFORM || length == 0) {
        *beginning = st_beginning_uniform(hash[0], length);
        return true;
    }
    return exchange_beginning(list, hash, beginning);
}

/* NULL if it is not known, or obvious. */
static char *first_of(const struct misfit *misfit)
{
    const struct st_message *sent = misfit->sent;
    const struct st_remote_message *received = misfit->received;
    struct st_beginning taken, given;
    struct st_first_difference first;
    if (misfit->check != ST_MATCH_TYPE || sent == NULL || received == NULL ||
        (st_message_flags(sent) & received->data & ST_MESSAGE_UNIFORM) ||
        !find_beginning(misfit->receiver, (uint64_t[]){received->hash[0], received->hash[1]},
                        received->length, received->data, &taken) ||
        !find_beginning(misfit->sender, (uint64_t[]){sent->hash[0], sent->hash[1]}, sent->length,
                        st_message_flags(sent), &given) ||
        !st_beginnings_differ(&taken, &given, &first)) {
        return NULL;
    }
    return difference_of(&first, text_of("rank %d", misfit->to), text_of("rank %d", misfit->from));
}

json_t *misfit_record(const struct misfit *misfit)
{
    const struct st_check_row *row = &st_check_rows[misfit->check];
    const enum st_severity severity = misfit->is_handled ? ST_SEVERITY_NOTE : row->severity;
    json_t *others = json_array(), *lines = json_array();
    if (misfit->received != NULL) {
        json_array_append_new(others, receive_of(misfit));
    }
    if (misfit->sent != NULL) {
        json_array_append_new(others, send_of(misfit));
    }
    const char *first = first_of(misfit);
    if (first != NULL) {
        json_array_append_new(lines, json_pack("[s, s]", "first", first));
    }
    json_t *site = misfit->received != NULL
                       ? exchange_frames(misfit->receiver, misfit->received->as.place)
                   : misfit->sent != NULL ? exchange_frames(misfit->sender, misfit->sent->place)
                                          : json_array();
    const json_int_t times = misfit->received != NULL ? (json_int_t)misfit->times : 1;
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:[i, i], s:I, s:I, s:I, s:o, s:o, s:o, s:s}",
                     "record", "finding", "id", row->id, "severity", st_severity_name(severity),
                     "subject", text_of("rank %d", misfit->to), "message", message_text(misfit),
                     "rank", misfit->to, "ranks", misfit->to, misfit->from, "pid",
                     json_integer_value(json_object_get(misfit->receiver->json, "pid")), "count",
                     times, "n", (json_int_t)misfit->number, "site", site, "other", others, "lines",
                     lines, "advice", st_message_advice(misfit->check));
}
