/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/objects/alive.h"

#include <stdio.h>
#include <string.h>

#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"
#include "runtime/wrap/names.h"
#include "runtime/objects/converted.h"
#include "runtime/objects/graves.h"
#include "runtime/objects/objects.h"
#include "runtime/record/lock.h"

static const struct st_kind_words kinds[ST_KIND_END] = {
    [ST_KIND_REQUEST] = {"request", "a request", "MPI_Wait", "MPI_REQUEST_NULL"},
    [ST_KIND_COMM] = {"communicator", "a communicator", "MPI_Comm_free", "MPI_COMM_NULL"},
    [ST_KIND_GROUP] = {"group", "a group", "MPI_Group_free", "MPI_GROUP_NULL"},
    [ST_KIND_OP] = {"operation", "an operation", "MPI_Op_free", "MPI_OP_NULL"},
    [ST_KIND_WIN] = {"window", "a window", "MPI_Win_free", "MPI_WIN_NULL"},
    [ST_KIND_FILE] = {"file", "a file", "MPI_File_close", "MPI_FILE_NULL"},
    [ST_KIND_INFO] = {"info object", "an info object", "MPI_Info_free", "MPI_INFO_NULL"},
    [ST_KIND_ERRHANDLER] = {"error handler", "an error handler", "MPI_Errhandler_free",
                            "MPI_ERRHANDLER_NULL"},
    [ST_KIND_KEYVAL] = {"keyval", "a keyval", "the keyval's MPI_..._free_keyval",
                        "MPI_KEYVAL_INVALID"},
    [ST_KIND_MESSAGE] = {"message", "a message", "MPI_Mrecv", "MPI_MESSAGE_NULL"},
};

const struct st_kind_words *st_kind_words(enum st_kind kind)
{
    return &kinds[kind];
}

static const char *verb(enum st_handle_use use)
{
    return use == ST_FREES ? "frees" : "passes";
}

bool st_find_nothing(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use)
{
    enum st_kind kind = facts->form->parameters[number].kind;
    struct st_conversion conversion;
    if (!st_is_null_handle(kind, handle)) {
        return false;
    }
    const bool is_lost = !handle && st_conversion_failed(facts, kind, &conversion);
    if ((handle != st_numbers.null[kind] || is_lost) && kind != ST_KIND_KEYVAL) {
        return st_find_dead(facts, number, handle, use);
    }
    char message[120];
    snprintf(message, sizeof message, "%s %s", verb(use), kinds[kind].null);
    st_find(facts, &(struct st_found){
                       .check = kind == ST_KIND_COMM ? ST_ARGUMENT_COMM : ST_HANDLE_NULL,
                       .parameter = number,
                       .message = message,
                       .advice = kind == ST_KIND_MESSAGE
                                     ? "is it received already? MPI_Mrecv sets its argument "
                                       "to MPI_MESSAGE_NULL"
                                     : "is it freed already, or never made?"});
    return true;
}

static void find_freed(struct st_facts *facts, int number, enum st_handle_use use,
                       const struct st_grave *grave)
{
    enum st_kind kind = grave->kind;
    char message[120], advice[120];
    bool is_request = kind == ST_KIND_REQUEST;
    snprintf(message, sizeof message, "%s %s that was %s", verb(use), kinds[kind].one,
             is_request                ? "completed or freed"
             : kind == ST_KIND_MESSAGE ? "received"
                                       : "freed");
    snprintf(advice, sizeof advice,
             is_request ? "a copy of a request is void once the request was completed"
             : kind == ST_KIND_MESSAGE ? "a copy of a message is void once the message was received"
             : use == ST_FREES
                 ? "free each handle once; a copy of a handle is void once it was freed"
                 : "free %s after its last use",
             kinds[kind].one);
    bool has_site = grave->freed != ST_NO_SITE;
    st_find(facts,
            &(struct st_found){.check = is_request             ? ST_REQUEST_UNKNOWN
                                        : kind == ST_KIND_COMM ? ST_ARGUMENT_COMM
                                                               : ST_HANDLE_FREED,
                               .parameter = number,
                               .message = message,
                               .advice = advice,
                               .other_call = has_site ? st_form_table[grave->by]->name : NULL,
                               .other_site = grave->freed,
                               .made_call = grave->function == ST_NO_FUNCTION
                                                ? NULL
                                                : st_form_table[grave->function]->name,
                               .made_site = grave->made});
}

static bool is_alive(enum st_kind kind, uint64_t handle, struct st_grave *grave, bool *freed)
{
    bool locked = st_lock();
    bool alive = st_records_find(kind, handle, 0) != NULL;
    *freed = !alive && st_graves_find(kind, handle, grave);
    st_unlock(locked);
    return alive;
}

/* A freed keyval may be used as long as an attribute has it. */
static bool is_keyval_gone(const struct st_grave *grave, enum st_handle_use use)
{
    return use == ST_FREES || !(grave->flags & ST_RECORD_ATTACHED);
}

static void find_no_object(struct st_facts *facts, int number, enum st_handle_use use,
                           const char *what)
{
    enum st_kind kind = facts->form->parameters[number].kind;
    char message[120];
    snprintf(message, sizeof message, "%s %s no %s", verb(use), what, kinds[kind].name);
    st_find(facts, &(struct st_found){
                       .check = kind == ST_KIND_REQUEST ? ST_REQUEST_UNKNOWN : ST_HANDLE_UNKNOWN,
                       .parameter = number,
                       .message = message,
                       .advice = "is the variable set, and is it of the right type?"});
}

/* Reports a handle of Fortran for which MPI has no object. If one had this number before, it was
 * freed. */
static void find_not_converted(struct st_facts *facts, int number, enum st_handle_use use,
                               const struct st_conversion *conversion)
{
    enum st_kind kind = facts->form->parameters[number].kind;
    struct st_grave grave = {
        .kind = (uint8_t)kind, .made = ST_NO_SITE, .freed = ST_NO_SITE, .function = ST_NO_FUNCTION};
    char what[40];
    if (!conversion->last) {
        snprintf(what, sizeof what, "%d, which is", conversion->number);
        find_no_object(facts, number, use, what);
        return;
    }
    bool locked = st_lock();
    st_graves_find(kind, conversion->last, &grave);
    st_unlock(locked);
    find_freed(facts, number, use, &grave);
}

bool st_find_dead(struct st_facts *facts, int number, uint64_t handle, enum st_handle_use use)
{
    enum st_kind kind = facts->form->parameters[number].kind;
    struct st_conversion conversion;
    struct st_grave grave;
    bool freed;
    if (!handle && st_conversion_failed(facts, kind, &conversion)) {
        find_not_converted(facts, number, use, &conversion);
        return true;
    }
    if (is_alive(kind, handle, &grave, &freed) || (handle && st_constant_name(kind, handle))) {
        return false;
    }
    if (freed && (kind != ST_KIND_KEYVAL || is_keyval_gone(&grave, use))) {
        find_freed(facts, number, use, &grave);
        return true;
    }
    if (kind == ST_KIND_KEYVAL || (handle && !st_is_no_object(kind, handle))) {
        return false;
    }
    find_no_object(facts, number, use, handle ? "a handle that is" : "0, which is");
    return true;
}

/* --- handles that MPI has refused
 * ----------------------------------------------------------------- */

/* Returns false if the handle may be insignificant in this rank: the peer communicator of
 * MPI_Intercomm_create. */
static bool is_significant(const struct st_form *form, int number)
{
    switch (form->parameters[number].role) {
    case ST_ROLE_TAKES:
    case ST_ROLE_HANDLE:
    case ST_ROLE_OPTIONAL:
    case ST_ROLE_SUBGROUP:
    case ST_ROLE_FILE:
        return true;
    default:
        return number == form->comm || number == form->win || number == form->op;
    }
}

static bool is_known(enum st_kind kind, uint64_t handle)
{
    struct st_grave grave;
    bool freed;
    return st_is_null_handle(kind, handle) || st_constant_name(kind, handle) ||
           is_alive(kind, handle, &grave, &freed);
}

static void find_unknown(struct st_facts *facts, int number, enum st_handle_use use)
{
    const struct st_kind_words *words = &kinds[facts->form->parameters[number].kind];
    char message[120];
    snprintf(message, sizeof message,
             "%s a handle that no call gave out as %s, and that MPI refuses", verb(use),
             words->one);
    st_find(facts,
            &(struct st_found){.check = ST_HANDLE_UNKNOWN,
                               .parameter = number,
                               .message = message,
                               .advice = "is the variable set, and is it of the right type?"});
}

bool st_find_refused(struct st_facts *facts, enum st_kind kind)
{
    const struct st_form *form = facts->form;
    for (int i = 0; i < form->parameter_count; i++) {
        if (form->parameters[i].kind != kind || !is_significant(form, i)) {
            continue;
        }
        bool takes = form->parameters[i].role == ST_ROLE_TAKES;
        if (takes && !facts->values[i]) {
            continue;
        }
        uint64_t handle = takes ? st_handle_at(facts, i, 0) : facts->values[i];
        if (!is_known(kind, handle)) {
            find_unknown(facts, i, takes ? ST_FREES : ST_PASSES);
            return true;
        }
    }
    return false;
}

/* --- keyvals, and error handlers ----------------------------------------------------------- */

/* Returns what a function is for: a word of its name. */
static const char *owner_word(const struct st_form *form)
{
    static const struct {
        const char *beginning, *word;
    } words[] = {{"MPI_Type_", "datatypes"},
                 {"MPI_Win_", "windows"},
                 {"MPI_File_", "files"},
                 {"MPI_Session_", "sessions"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(form->name, words[i].beginning, strlen(words[i].beginning)) == 0) {
            return words[i].word;
        }
    }
    return "communicators";
}

/* Returns the word for the objects that the handle was created for; NULL if it is not known. */
static const char *owner_of_handle(enum st_kind kind, uint64_t handle)
{
    bool locked = st_lock();
    const struct st_record *record = st_records_find(kind, handle, 0);
    const bool is_known = record && record->function != ST_NO_FUNCTION;
    const char *owner = is_known ? owner_word(st_form_table[record->function]) : NULL;
    st_unlock(locked);
    return owner;
}

bool st_find_other_owner(struct st_facts *facts, int number, uint64_t handle)
{
    const enum st_kind kind = facts->form->parameters[number].kind;
    if (kind != ST_KIND_KEYVAL && (kind != ST_KIND_ERRHANDLER || st_may_call_from_fortran())) {
        return false;
    }
    const char *owner = owner_of_handle(kind, handle), *needed = owner_word(facts->form);
    if (!owner || owner == needed) {
        return false;
    }
    char message[120], advice[120];
    snprintf(message, sizeof message, "passes %s of %s where one of %s is needed", kinds[kind].one,
             owner, needed);
    snprintf(advice, sizeof advice, "%s and %s have different %ss", needed, owner,
             kinds[kind].name);
    st_find(facts, &(struct st_found){.check = ST_HANDLE_UNKNOWN,
                                      .parameter = number,
                                      .message = message,
                                      .advice = advice});
    return true;
}

/* Returns true, and reports, if the call sets or deletes an attribute that only MPI sets. */
static bool find_own_attribute(struct st_facts *facts, int number)
{
    const char *name = st_name_of("keyval", facts->values[number]);
    if (!name || strstr(facts->form->name, "_get")) {
        return false;
    }
    char message[120];
    snprintf(message, sizeof message, "%s the attribute of %s, which is MPI's own",
             strstr(facts->form->name, "_delete") ? "deletes" : "sets", name);
    st_find(facts, &(struct st_found){.check = ST_HANDLE_UNKNOWN,
                                      .parameter = number,
                                      .message = message,
                                      .advice = "create a keyval, by MPI_Comm_create_keyval or a "
                                                "similar call"});
    return true;
}

bool st_find_keyval(struct st_facts *facts, int number)
{
    const uint64_t keyval = (uint32_t)facts->values[number];
    return st_find_nothing(facts, number, keyval, ST_PASSES) ||
           st_find_dead(facts, number, keyval, ST_PASSES) ||
           st_find_other_owner(facts, number, keyval) || find_own_attribute(facts, number);
}

bool st_find_refused_keyval(struct st_facts *facts)
{
    const int number = st_parameter_of(facts->form, ST_ROLE_KEYVAL);
    struct st_grave grave;
    bool freed;
    if (number < 0 || st_name_of("keyval", facts->values[number]) ||
        is_alive(ST_KIND_KEYVAL, (uint32_t)facts->values[number], &grave, &freed)) {
        return false;
    }
    if (freed) {
        find_freed(facts, number, ST_PASSES, &grave);
    } else {
        find_unknown(facts, number, ST_PASSES);
    }
    return true;
}
