/* SPDX-License-Identifier: BSD-3-Clause */
/* A file's view: MPI-4.0, 14.3 and 14.1.1 (etype, filetype). */
#include <stdio.h>
#include <string.h>

#include "core/layout/ascending.h"
#include "core/signature/signature_match.h"
#include "runtime/check/checks.h"
#include "runtime/wrap/constants.h"
#include "runtime/report/finding.h"
#include "runtime/record/layouts.h"
#include "runtime/check/quick.h"
#include "runtime/objects/records.h"
#include "runtime/record/lock.h"

static void report_view(struct st_facts *facts, int number, const char *message, const char *advice,
                        struct st_spot spot)
{
    st_find(facts, &(struct st_found){.check = ST_FILE_VIEW,
                                      .parameter = number,
                                      .message = message,
                                      .type = facts->values[number],
                                      .spot = spot,
                                      .advice = advice});
}

static bool is_writable(uint64_t file)
{
    unsigned mode;
    return st_file_mode(file, &mode) && (mode & ST_FILE_RDONLY) == 0;
}

static bool goes_back(uint64_t type)
{
    int64_t element;
    if (st_quick_type(type)) {
        return false;
    }
    bool locked = st_lock();
    const struct st_type *tree = st_tree_of_handle(type);
    bool back = tree && st_ascending(tree, &element) == ST_NO;
    st_unlock(locked);
    return back;
}

/* Checks the displacements of an etype or filetype. */
static void check_displacements(struct st_facts *facts, int number, const char *word)
{
    int64_t lb, extent;
    char message[160];
    uint64_t type = facts->values[number];
    if (st_ask_true_extent(type, &lb, &extent) && extent > 0 && lb < 0) {
        snprintf(message, sizeof message, "sets a view with a negative displacement in its %s",
                 word);
        report_view(facts, number, message, "displacements are 0 or more, and do not decrease",
                    (struct st_spot){.which = ST_ELEMENT_NEGATIVE});
    } else if (goes_back(type)) {
        snprintf(message, sizeof message, "sets a view with decreasing displacements in its %s",
                 word);
        report_view(facts, number, message,
                    "the elements come in the order of their displacements: sort the blocks",
                    (struct st_spot){.which = ST_ELEMENTS_BACK});
    }
}

/* Returns true if the program has chosen the extent, for repetitions. Else the extent follows from
 * the members: a struct of some bytes and a subarray has the bounds of the subarray alone. */
static bool is_resized(uint64_t type)
{
    bool locked = st_lock();
    const struct st_type *tree = st_tree_of_handle(type);
    bool resized = tree && tree->combiner == ST_RESIZED;
    st_unlock(locked);
    return resized;
}

/* A file repeats its filetype without end. If only a repetition overlaps, this is no error: the
 * program may access no more than one filetype's data through this view. */
static void check_overlap(struct st_facts *facts, int number)
{
    struct st_shape shape;
    uint64_t type = facts->values[number];
    if (!st_shape_of(type, &shape) || !shape.overlaps_at || !is_writable(facts->values[0])) {
        return;
    }
    struct st_found found = {
        .check = ST_FILE_VIEW,
        .parameter = number,
        .message = "sets a view whose filetype names a byte of the file twice",
        .advice = "a filetype of a file that is written may not overlap itself",
        .type = type,
        .spot = {.which = ST_ELEMENTS_TWICE},
    };
    if (shape.overlaps_at > 1) {
        found.severity = is_resized(type) ? ST_SEVERITY_WARNING : ST_SEVERITY_NOTE;
        found.message = "sets a view whose filetype overlaps its own repetitions";
        found.advice = "access no more than the data of one filetype through this view, or resize "
                       "the filetype";
        found.spot.copies = shape.overlaps_at;
    }
    st_find(facts, &found);
}

enum { WORK = 1 << 20 }; /* some milliseconds in the worst case, once per view */
enum { UNLIKE_TEXT = 128 };

struct st_unlike {
    int64_t number; /* of the basic element in the filetype, from 0; a pair type counts as one */
    char filetype[UNLIKE_TEXT], etype[UNLIKE_TEXT]; /* the elements of both: "MPI_INT" */
};

static bool stands_for_all(const struct st_basic_element *element)
{
    return element->kind == ST_NAMED && strcmp(element->name, "MPI_BYTE") == 0;
}

static bool elements_differ(const struct st_match *match)
{
    return match->verdict == ST_MATCH_DIFFERENT && !match->bytes && match->at[0].present &&
           match->at[1].present && match->at[1].place.number >= 0 &&
           !stands_for_all(&match->at[0].element);
}

/* Checks that a filetype is made of its etype (MPI-4.0, 14.1.1): its type signature must be a
 * repetition of the etype's. With an etype of MPI_BYTE anything is accepted: files are often used
 * as bytes, and no library complains, though MPI_BYTE matches only itself.
 *
 * Returns true if `filetype` is not `copies` times `etype`, and stores the first difference in
 * `unlike`. Returns false if it is, or if that is not known. The sizes of both types must agree. */
static bool is_unlike_etype(uint64_t etype, uint64_t filetype, int64_t copies,
                            struct st_unlike *unlike)
{
    _Static_assert(sizeof unlike->etype >= ST_ELEMENT_TEXT, "room for each name");
    bool unlike_it = false;
    if (etype == filetype) {
        return false;
    }
    bool locked = st_lock();
    const struct st_type *one = st_tree_of_handle(etype), *all = st_tree_of_handle(filetype);
    struct st_signatures *signatures = one && all ? st_signatures_new() : NULL;
    if (signatures) {
        struct st_match match;
        st_signatures_bound(signatures, WORK);
        st_match(signatures, one, copies, all, 1, &match);
        unlike_it = elements_differ(&match);
        if (unlike_it) {
            unlike->number = match.at[1].place.number;
            st_element_text(&match.at[0].element, unlike->etype);
            st_element_text(&match.at[1].element, unlike->filetype);
        }
        st_signatures_free(signatures);
    }
    st_unlock(locked);
    return unlike_it;
}

/* The filetype has as many bytes as `copies` of the etype: compares the signatures. */
static void check_signature(struct st_facts *facts, int number, uint64_t etype, int64_t copies)
{
    struct st_unlike unlike;
    char message[2 * UNLIKE_TEXT + 80];
    if (!is_unlike_etype(etype, facts->values[number], copies, &unlike)) {
        return;
    }
    snprintf(message, sizeof message, "sets a view whose filetype has %s where the etype has %s",
             unlike.filetype, unlike.etype);
    report_view(facts, number, message, "build the filetype from the etype that is passed",
                (struct st_spot){.which = ST_ELEMENT_NUMBER, .number = unlike.number});
}

void st_check_view(struct st_facts *facts)
{
    const struct st_form *form = facts->form;
    int types[2] = {-1, -1};
    for (int i = form->parameter_count - 1; i >= 0; i--) {
        if (form->parameters[i].role == ST_ROLE_VIEW) {
            types[1] = types[0];
            types[0] = i;
        }
    }
    if (types[1] < 0 || st_found_at(facts, types[0]) || st_found_at(facts, types[1])) {
        return;
    }
    int64_t element = st_ask_size(facts->values[types[0]]);
    int64_t all = st_ask_size(facts->values[types[1]]);
    check_displacements(facts, types[0], "etype");
    if (element > 0 && all >= 0 && all % element != 0) {
        report_view(
            facts, types[1], "sets a view whose filetype is not made of whole etypes",
            "build the filetype from the etype that is passed",
            (struct st_spot){.which = ST_ELEMENT_OF_BYTE, .number = all / element * element});
    } else if (element > 0) {
        check_signature(facts, types[1], facts->values[types[0]], all / element);
    }
    if (facts->values[types[0]] != facts->values[types[1]] && !st_found_at(facts, types[1])) {
        check_displacements(facts, types[1], "filetype");
    }
    if (!st_found_at(facts, types[1])) {
        check_overlap(facts, types[1]);
    }
}
