/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/check/refused.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/wrap/caller.h"
#include "runtime/check/checks.h"
#include "runtime/check/failed.h"
#include "runtime/objects/alive.h"
#include "runtime/ranks/collective.h"
#include "runtime/check/error_class.h"
#include "runtime/check/messages.h"
#include "runtime/wrap/mpi_side.h"
#include "runtime/record/sites.h"
#include "runtime/wrap/threads.h"

enum { MOST_TEXT = 200, MOST_LINE = 640 };

/* --- MPI's own words ----------------------------------------------------------------------------- */

static void text_of(int code, char text[MPI_MAX_ERROR_STRING + 1])
{
    typedef int ask(int, char *, int *);
    ask *get = (ask *)st_mpi_function("PMPI_Error_string");
    int length = 0;
    if (!get || get(code, text, &length) != MPI_SUCCESS) {
        length = 0;
    }
    text[length < MPI_MAX_ERROR_STRING ? length : MPI_MAX_ERROR_STRING] = 0;
}

/* Writes "MPI_ERR_RANK: invalid rank": the name, and the text of Open MPI after its own name;
 * MPICH's text is used alone. */
static void describe_class(int error_class, char text[MOST_TEXT])
{
    char said[MPI_MAX_ERROR_STRING + 1];
    const char *name = st_error_class_name(error_class), *rest = said;
    text_of(error_class, said);
    if (name && strncmp(said, name, strlen(name)) == 0) {
        rest = said[strlen(name)] == ':' ? said + strlen(name) + 2 : "";
    }
    snprintf(text, MOST_TEXT, "%s%s%.120s", name ? name : "an error of no standard class",
             *rest ? ": " : "", rest);
}

/* MPICH's text is a stack of lines: "internal_Send(104): Invalid rank has value 5 but ...". The
 * innermost one is the most useful. Returns false if there is nothing beyond the class. */
static bool describe_code(const struct st_refusal *refusal, char text[MOST_TEXT])
{
    char said[MPI_MAX_ERROR_STRING + 1];
    text_of(refusal->code, said);
    if (!strchr(said, '\n')) {
        return false;
    }
    const char *last = strrchr(said, '\n') + 1;
    const char *words = last + strcspn(last, " ");
    snprintf(text, MOST_TEXT, "%.190s", words > last && words[-1] == ':' ? words + 1 : last);
    return *text != 0;
}

/* --- severity
 * ------------------------------------------------------------------------------------- */

/* Returns true for classes of wrong arguments: an error of the program, whatever the MPI library
 * is. Open MPI also gives MPI_ERR_WIN if it cannot create a window. MPI_Win_shared_query accepts all
 * windows from MPI 4.1 on. */
static bool is_of_arguments(int error_class, const struct st_form *form)
{
    switch (error_class) {
    case MPI_ERR_BUFFER:
    case MPI_ERR_COUNT:
    case MPI_ERR_TYPE:
    case MPI_ERR_TAG:
    case MPI_ERR_COMM:
    case MPI_ERR_RANK:
    case MPI_ERR_ROOT:
    case MPI_ERR_GROUP:
    case MPI_ERR_OP:
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
    case MPI_ERR_TRUNCATE:
    case MPI_ERR_LOCKTYPE:
    case MPI_ERR_ASSERT:
        return true;
    case MPI_ERR_WIN:
        return form->win >= 0;
    case MPI_ERR_RMA_FLAVOR:
        return strcmp(form->name, "MPI_Win_shared_query") != 0;
    default:
        return false;
    }
}

/* Returns true for questions that a program may ask by a call: does such a file, or name, exist. */
static bool is_answer(int error_class)
{
    switch (error_class) {
    case MPI_ERR_FILE:
    case MPI_ERR_NO_SUCH_FILE:
    case MPI_ERR_FILE_EXISTS:
    case MPI_ERR_FILE_IN_USE:
    case MPI_ERR_BAD_FILE:
    case MPI_ERR_ACCESS:
    case MPI_ERR_READ_ONLY:
    case MPI_ERR_NO_SPACE:
    case MPI_ERR_QUOTA:
    case MPI_ERR_IO:
    case MPI_ERR_NAME:
    case MPI_ERR_SERVICE:
    case MPI_ERR_PORT:
        return true;
    default:
        return false;
    }
}

/* MPI may refuse what the standard allows: MPI_BOTTOM with a datatype of absolute addresses, and
 * null pointers for empty buffers. */
static bool has_null_buffer(const struct st_facts *facts)
{
    for (int i = 0; i < facts->form->part_count; i++) {
        int buffer = facts->form->parts[i].buffer;
        if (buffer >= 0 && !facts->values[buffer]) {
            return true;
        }
    }
    return false;
}

/* The error code may come from a callback of the program. */
static bool may_call_back(const char *function)
{
    static const char *const parts[] = {"_free",           "_dup",     "_idup",   "_attr", "Attr_",
                                        "Comm_disconnect", "Finalize", "Grequest"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (strstr(function, parts[i])) {
            return true;
        }
    }
    return false;
}

static enum st_severity severity_of(const struct st_facts *facts, const struct st_refusal *refusal)
{
    if (!refusal->fatal) {
        return ST_SEVERITY_NOTE;
    }
    if (!is_of_arguments(refusal->error_class, facts->form) || may_call_back(facts->form->name) ||
        (refusal->error_class == MPI_ERR_BUFFER && has_null_buffer(facts))) {
        return ST_SEVERITY_WARNING;
    }
    return ST_SEVERITY_ERROR;
}

/* The program itself calls its error handler: MPI has refused nothing. */
static bool is_own_call(const char *function)
{
    return strstr(function, "_call_errhandler") != NULL;
}

/* --- the report ----------------------------------------------------------------------------------- */

static const char *class_advice(int error_class)
{
    switch (error_class) {
    case MPI_ERR_TRUNCATE:
        return "receive into a buffer that has room for the whole message";
    case MPI_ERR_RANK:
    case MPI_ERR_ROOT:
        return "ranks are 0 to the communicator's size - 1";
    case MPI_ERR_TOPOLOGY:
    case MPI_ERR_DIMS:
        return "compare dimensions, directions and edges with the number of ranks";
    case MPI_ERR_IN_STATUS:
        return "the member MPI_ERROR of the statuses says which operation failed";
    default:
        return "look at the arguments";
    }
}

static __attribute__((noinline)) void report_refusal(struct st_facts *facts,
                                                     const struct st_refusal *refusal,
                                                     const struct st_failed *failed)
{
    char reason[MOST_TEXT], said[MOST_TEXT], message[2 * MOST_TEXT], advice[2 * MOST_TEXT];
    const char *name = facts->form->name;
    const char *own = failed ? st_form_table[failed->record.function]->name : NULL;
    describe_class(refusal->error_class, reason);
    if (own) {
        snprintf(message, sizeof message, "calls %s, in which its %s fails with %s", name, own,
                 reason);
    } else {
        snprintf(message, sizeof message, "calls %s, which MPI refuses with %s", name, reason);
    }
    if (describe_code(refusal, said)) {
        snprintf(advice, sizeof advice, "%s; MPI says: %s", class_advice(refusal->error_class),
                 said);
    } else {
        snprintf(advice, sizeof advice, "%s", class_advice(refusal->error_class));
    }
    struct st_found found = {.check = ST_MPI_ERROR,
                             .severity = severity_of(facts, refusal),
                             .parameter = -1,
                             .message = message,
                             .advice = advice,
                             .other_call = own,
                             .other_site = ST_NO_SITE};
    if (failed) {
        found.other_site = failed->record.site;
        found.other_arguments = failed->pending.arguments;
        found.other_argument_count = failed->pending.count;
    }
    st_find(facts, &found);
}

/* Returns the kind of handle that the error class is about, or ST_KIND_NONE. */
static enum st_kind kind_of_class(int error_class)
{
    switch (error_class) {
    case MPI_ERR_COMM:
        return ST_KIND_COMM;
    case MPI_ERR_GROUP:
        return ST_KIND_GROUP;
    case MPI_ERR_OP:
        return ST_KIND_OP;
    case MPI_ERR_WIN:
        return ST_KIND_WIN;
    case MPI_ERR_FILE:
        return ST_KIND_FILE;
    case MPI_ERR_INFO:
        return ST_KIND_INFO;
    default:
        return ST_KIND_NONE;
    }
}

/* Returns true if MPI says that there is no such object, and not that the call needs another kind
 * of it. MPICH says so: "Invalid communicator", "Null Comm pointer". Open MPI has been asked for
 * the object before the call. */
static bool is_no_object(const struct st_refusal *refusal)
{
    char said[MOST_TEXT], of_class[MPI_MAX_ERROR_STRING + 1];
    if (!describe_code(refusal, said)) {
        return false;
    }
    text_of(refusal->error_class, of_class);
    return strcmp(said, of_class) == 0 || strncmp(said, "Null ", 5) == 0;
}

/* Returns true if MPI may have refused the call's keyval. Open MPI has no class for that. */
static bool may_be_keyval(int error_class)
{
#ifdef OPEN_MPI
    if (error_class == MPI_ERR_OTHER) {
        return true;
    }
#endif
    return error_class == MPI_ERR_KEYVAL;
}

/* Returns true, and reports, if MPI refuses a handle that is not known here either. */
static __attribute__((noinline)) bool find_handle(struct st_facts *facts,
                                                  const struct st_refusal *refusal)
{
    enum st_kind kind = kind_of_class(refusal->error_class);
    if (may_be_keyval(refusal->error_class) && st_find_refused_keyval(facts)) {
        return true;
    }
    if (kind == ST_KIND_NONE || !is_no_object(refusal) ||
        (!refusal->fatal && may_call_back(facts->form->name))) {
        return false;
    }
    return st_find_refused(facts, kind);
}

__attribute__((noinline)) void st_check_refused(struct st_facts *facts,
                                                const struct st_refusal *refusal)
{
    struct st_refusal own = *refusal;
    struct st_failed failed;
    if (find_handle(facts, refusal)) {
        return;
    }
    bool is_known = st_request_failed(facts, &own.code, &failed);
    if (own.code != refusal->code) {
        own.error_class = st_error_class_of(own.code);
    }
    if (own.error_class == MPI_ERR_TRUNCATE &&
        st_messages_truncated(facts, is_known ? &failed.record : NULL, own.fatal)) {
        return;
    }
    if (own.error_class == MPI_ERR_OTHER && is_known &&
        st_messages_unequal(facts, &failed.record, own.fatal)) {
        return;
    }
    if (own.fatal || !is_answer(own.error_class)) {
        report_refusal(facts, &own, is_known ? &failed : NULL);
    }
}

/* --- the call ------------------------------------------------------------------------------------- */

static int compare_name(const void *name, const void *form)
{
    return strcmp(name, (*(const struct st_form *const *)form)->name);
}

/* The form of a function that has none, because nothing is checked in it. */
struct st_bare_form {
    struct st_form form;
    struct st_parameter parameters[ST_CALL_VALUES];
    char text[MOST_LINE];
};

static void add_parameter(struct st_bare_form *bare, char *described)
{
    char *type = strchr(described, '|');
    char *name = type ? strchr(type + 1, '|') : NULL;
    if (!name || bare->form.parameter_count == ST_CALL_VALUES) {
        return;
    }
    *name = 0;
    bare->parameters[bare->form.parameter_count++] =
        (struct st_parameter){.name = name + 1, .pointer = strchr(type, '*') != NULL};
}

/* Reads it from the function's line, "MPI_Dims_create:-|int|nnodes,-|int|ndims,-|int *|dims". */
static void read_form(struct st_bare_form *bare, const char *line)
{
    char *rest, *described;
    bare->form = (struct st_form){
        .name = bare->text, .parameters = bare->parameters, ST_FORM_WITHOUT_PARAMETERS};
    snprintf(bare->text, sizeof bare->text, "%.*s", (int)strcspn(line, "\n"), line);
    rest = bare->text + strcspn(bare->text, ":");
    if (*rest) {
        *rest++ = 0;
    }
    while ((described = strsep(&rest, ","))) {
        add_parameter(bare, described);
    }
}

static const struct st_form *form_of(const struct st_thread_call *shown, struct st_bare_form *bare)
{
    read_form(bare, st_forms + shown->form);
    const struct st_form *const *found =
        bsearch(bare->text, st_form_table, st_form_count, sizeof *st_form_table, compare_name);
    return found ? *found : &bare->form;
}

static void *address(uint64_t value)
{
    return (void *)(uintptr_t)value;
}

void st_refused(struct st_thread_call *shown, int code, bool fatal)
{
    int saved = errno;
    struct st_bare_form bare;
    const struct st_call call = {.pc = address(shown->pc),
                                 .sp = address(shown->sp),
                                 .caller = st_caller_of(address(shown->pc)),
                                 .record = true};
    struct st_facts facts = {.form = form_of(shown, &bare), .call = &call, .values = shown->values};
    const struct st_refusal refusal = {
        .code = code, .error_class = st_error_class_of(code), .fatal = fatal};
    /* Also after a finding: the rank's next collective call will not match that of the others. */
    st_collective_refused(facts.form, facts.values);
    if (!(shown->state & ST_CALL_FOUND) && !is_own_call(facts.form->name) &&
        atomic_load_explicit(&st_check_on, memory_order_relaxed)) {
        st_check_refused(&facts, &refusal);
    }
    errno = saved;
}

void st_refused_unseen(const char *function, const void *pc, int code)
{
    uint64_t values[1] = {0};
    struct st_form form = {.name = function, .comm = -1, .win = -1, .op = -1, .n = -1};
    const struct st_call call = {.pc = pc, .sp = &call, .caller = st_caller_of(pc), .record = true};
    struct st_facts facts = {.form = &form, .call = &call, .values = values};
    if (!is_own_call(function) && atomic_load_explicit(&st_check_on, memory_order_relaxed)) {
        report_refusal(&facts,
                       &(struct st_refusal){
                           .code = code, .error_class = st_error_class_of(code), .fatal = true},
                       NULL);
    }
}
