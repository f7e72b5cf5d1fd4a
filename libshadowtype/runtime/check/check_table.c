/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rows of the table of groups (check_groups.h), in the order in which they look at a call. A
 * check may rely on the findings of those before it, and on the communicator that they have looked
 * up.
 *
 * One-sided comes before messages: a call must have ended its own reads of a window before another
 * rank can learn of the call.
 *
 * All rows but files, messages' handles, probes, messages, one-sided and split are quick: they find nothing
 * in a call whose quick condition holds (quick.h).
 */
#include "report/groups.h"
#include "runtime/check/check_groups.h"
#include "runtime/check/checks.h"
#include "runtime/check/gone.h"
#include "runtime/report/finding.h"
#include "runtime/objects/epochs.h"
#include "runtime/objects/allocated.h"
#include "runtime/objects/seals.h"
#include "runtime/check/local/size.h"
#include "runtime/check/looked_messages.h"
#include "runtime/check/messages.h"
#include "runtime/check/onesided.h"

/* --- the functions that a group wants ------------------------------------------------------ */

static bool is_any(const struct st_form *form)
{
    (void)form;
    return true;
}

static bool has_comms(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_COMM, ST_ROLE_INTRA, ST_ROLE_INTER, ST_ROLE_CART,
                       ST_ROLE_GRAPH, ST_ROLE_DISTGRAPH, ST_ROLE_WIN);
}

static bool has_pointers(const struct st_form *form)
{
    return form->pointers != 0;
}

static bool has_arguments(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_DEST, ST_ROLE_SOURCE, ST_ROLE_TARGET, ST_ROLE_MESSAGE,
                       ST_ROLE_RANK, ST_ROLE_ROOT, ST_ROLE_TAG, ST_ROLE_ANYTAG, ST_ROLE_N,
                       ST_ROLE_BYTES, ST_ROLE_COLOR, ST_ROLE_LOCK, ST_ROLE_MODE, ST_ROLE_UNIT,
                       ST_ROLE_OFFSET, ST_ROLE_WHENCE, ST_ROLE_POSITION, ST_ROLE_PEER,
                       ST_ROLE_THERE, ST_ROLE_ONE_THERE, ST_ROLE_INFOKEY, ST_ROLE_INFOVALUE);
}

static bool has_members(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_MEMBERS, ST_ROLE_RANGES, ST_ROLE_TRANSLATED, ST_ROLE_SUBGROUP);
}

static bool has_topology(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_DIMENSIONS, ST_ROLE_CARTDIMS, ST_ROLE_GIVENDIMS,
                       ST_ROLE_DIRECTION, ST_ROLE_COORDS, ST_ROLE_NODES, ST_ROLE_DEGREES,
                       ST_ROLE_NEIGHBOURS);
}

static bool has_parts(const struct st_form *form)
{
    return form->part_count || ST_FORM_HAS(form, ST_ROLE_COUNT, ST_ROLE_ROOM);
}

static bool has_types(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_TYPED, ST_ROLE_BASE, ST_ROLE_VIEW, ST_ROLE_COMMIT) ||
           st_form_has_kind(form, ST_ROLE_TAKES, ST_KIND_TYPE);
}

static bool is_constructor(const struct st_form *form)
{
    return form->is_constructor;
}

static bool has_operation(const struct st_form *form)
{
    return form->op >= 0 || form->there >= 0;
}

static bool is_of_file(const struct st_form *form)
{
    return form->is_view || st_depends_on_file_mode(form);
}

static bool has_requests(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_NEW_REQUEST, ST_ROLE_NEW_PERSISTENT, ST_ROLE_DONE,
                       ST_ROLE_DONES, ST_ROLE_START, ST_ROLE_STARTS, ST_ROLE_RELEASE,
                       ST_ROLE_CANCEL, ST_ROLE_ASK, ST_ROLE_PREADY, ST_ROLE_ARRIVED,
                       ST_ROLE_FULFIL);
}

static bool has_handles(const struct st_form *form)
{
    for (int i = 0; i < form->parameter_count; i++) {
        const struct st_parameter *parameter = &form->parameters[i];
        bool moves = parameter->role == ST_ROLE_GIVES || parameter->role == ST_ROLE_TAKES ||
                     parameter->role == ST_ROLE_SHOWS;
        if (moves && parameter->kind != ST_KIND_TYPE) {
            return true;
        }
    }
    return ST_FORM_HAS(form, ST_ROLE_LATER, ST_ROLE_NAMES, ST_ROLE_HANDLE, ST_ROLE_SUBGROUP,
                       ST_ROLE_FILE, ST_ROLE_OPTIONAL, ST_ROLE_KEYVAL);
}

static bool has_buffers(const struct st_form *form)
{
    return st_form_has_buffers(form) || form->ends >= 0;
}

static bool has_memory(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_MEMORY, ST_ROLE_UNMEMORY) ||
           st_form_has_kind(form, ST_ROLE_TAKES, ST_KIND_WIN);
}

static bool has_epochs(const struct st_form *form)
{
    return form->sync != ST_SYNC_NONE;
}

static bool has_attached(const struct st_form *form)
{
    return (form->attached != ST_ATTACHED_NOT && form->attached != ST_ATTACHED_LATER) ||
           st_has_dynamic(form);
}

static bool has_adopted(const struct st_form *form)
{
    return ST_FORM_HAS(form, ST_ROLE_ADOPT, ST_ROLE_ADOPTS);
}

static bool has_room(const struct st_form *form)
{
    return form->room >= 0;
}

static bool has_there(const struct st_form *form)
{
    return form->there >= 0;
}

static bool has_quick_message(const struct st_form *form)
{
    return form->quick_message;
}

static bool has_quick_access(const struct st_form *form)
{
    return form->quick_access;
}

/* --- checks that need only the arguments --------------------------------------------------- */

#define OF_FACTS(name, check)                                                                      \
    static void name(struct st_checked *checked)                                                   \
    {                                                                                              \
        check(&checked->facts);                                                                    \
    }
OF_FACTS(check_gone_memory, st_check_gone_memory)
OF_FACTS(check_comms, st_check_comms)
OF_FACTS(check_nulls, st_check_nulls)
OF_FACTS(check_arguments, st_check_arguments)
OF_FACTS(check_members, st_check_groups)
OF_FACTS(check_topology, st_check_topology)
OF_FACTS(check_parts, st_check_parts)
OF_FACTS(check_types, st_check_types)
OF_FACTS(check_constructor, st_check_constructor)
OF_FACTS(check_op, st_check_op)
OF_FACTS(check_target, st_check_target)
OF_FACTS(check_asserts, st_check_asserts)
OF_FACTS(note_memory, st_allocated_before)
OF_FACTS(check_packed, st_check_packed)
OF_FACTS(check_room, st_check_room)
OF_FACTS(check_window, st_check_window)
OF_FACTS(check_split, st_check_split)
OF_FACTS(check_own_block, st_check_own_block)
#undef OF_FACTS

static void check_file(struct st_checked *checked)
{
    if (checked->facts.form->is_view) {
        st_check_view(&checked->facts);
    } else {
        st_check_file_mode(&checked->facts);
    }
}

static void note_room(struct st_checked *checked, bool succeeded)
{
    if (checked->facts.form->room >= 0 && succeeded) {
        st_gone_memory_after(&checked->facts);
    }
}

static void note_memory_after(struct st_checked *checked, bool succeeded)
{
    st_allocated_after(&checked->facts, succeeded);
}

static void check_epochs(struct st_checked *checked)
{
    checked->changes_epochs = st_check_epochs(&checked->facts);
}

static void note_epochs(struct st_checked *checked, bool succeeded)
{
    if (checked->changes_epochs) {
        st_epochs_after(&checked->facts, succeeded);
    }
}

static void check_attached(struct st_checked *checked)
{
    if (st_has_dynamic(checked->facts.form)) {
        st_check_dynamic(&checked->facts);
    } else {
        st_check_attached(&checked->facts);
    }
}

static void note_attached(struct st_checked *checked, bool succeeded)
{
    if (succeeded) {
        st_check_attached_after(&checked->facts);
        st_check_dynamic_after(&checked->facts);
    }
}

static void note_split(struct st_checked *checked, bool succeeded)
{
    st_check_split_after(&checked->facts, succeeded);
}

static void adopt_handles(struct st_checked *checked, bool succeeded)
{
    if (succeeded) {
        st_adopt_after(checked);
    }
}

static void begin_seals(void)
{
    if (!st_seals_begin()) {
        st_findings_note("this system lets no process read its memory by process_vm_readv: what is "
                         "sent is not compared (--check=modified)");
    }
}

/* --- the table ----------------------------------------------------------------------------- */

/* clang-format off */
#define LOCAL(group) .name = group, .quick = true
const struct st_check_group st_check_table[] = {
    {LOCAL("gone memory"), .wants = is_any, .before = check_gone_memory, .after = note_room, .end = st_check_gone_at_end},
    {LOCAL("communicators"), .wants = has_comms, .before = check_comms},
    {LOCAL("nulls"), .wants = has_pointers, .before = check_nulls},
    {LOCAL("arguments"), .wants = has_arguments, .before = check_arguments},
    {LOCAL("members"), .wants = has_members, .before = check_members},
    {LOCAL("topology"), .wants = has_topology, .before = check_topology},
    {LOCAL("parts"), .wants = has_parts, .before = check_parts},
    {LOCAL("types"), .wants = has_types, .before = check_types},
    {LOCAL("constructors"), .wants = is_constructor, .before = check_constructor},
    {LOCAL("operations"), .wants = has_operation, .before = check_op},
    {LOCAL("targets"), .wants = st_has_target_type, .before = check_target},
    {LOCAL("own blocks"), .wants = st_has_own_block, .before = check_own_block},
    {LOCAL("assertions"), .wants = st_has_asserts, .before = check_asserts, .after = st_asserts_after},
    {.name = "files", .wants = is_of_file, .before = check_file},
    {LOCAL("requests"), .wants = has_requests, .before = st_check_requests, .after = st_check_requests_after,
     .end = st_check_requests_at_end},
    {.name = "messages' handles", .wants = st_has_message, .before = st_check_message, .after = st_check_message_after},
    {LOCAL("type leaks"), .end = st_check_types_at_end},
    {LOCAL("handles"), .wants = has_handles, .before = st_check_handles, .after = st_check_handles_after,
     .end = st_check_handles_at_end},
    {LOCAL("epochs"), .wants = has_epochs, .before = check_epochs, .after = note_epochs, .end = st_check_epochs_at_end},
    {LOCAL("buffers"), .wants = has_buffers, .before = st_check_buffers, .after = st_check_buffers_after},
    {LOCAL("memory"), .wants = has_memory, .before = note_memory, .after = note_memory_after},
    {LOCAL("attached"), .wants = has_attached, .before = check_attached, .after = note_attached},
    {LOCAL("packed"), .wants = st_has_packed, .before = check_packed},
    {LOCAL("adopted"), .wants = has_adopted, .before = st_adopt_before, .after = adopt_handles},
    {LOCAL("modified"), .asked = ST_GROUP_MODIFIED, .begin = begin_seals, .completed = st_check_modified},
    {LOCAL("size"), .asked = ST_GROUP_SIZE, .wants = has_room, .begin = st_size_begin, .before = check_room},
    {LOCAL("window sizes"), .asked = ST_GROUP_SIZE | ST_GROUP_RMA, .wants = has_there, .begin = st_window_begin,
     .before = check_window},
    {.name = "split", .asked = ST_GROUP_COLLECTIVE, .wants = st_is_split_order, .before = check_split, .after = note_split},
    {.name = "one-sided", .asked = ST_GROUP_RMA | ST_GROUP_RACE, .wants = st_onesided_wants, .before = st_onesided_before,
     .after = st_onesided_after, .completed = st_onesided_completed, .sees_quick = has_quick_access},
    {.name = "probes", .asked = ST_GROUP_P2P | ST_GROUP_RMA | ST_GROUP_RACE, .wants = st_looks_for_message, .before = st_looked_before,
     .after = st_looked_after},
    {.name = "messages", .asked = ST_GROUP_P2P, .wants = st_messages_want, .before = st_messages_before,
     .after = st_messages_after, .completed = st_messages_completed, .sees_quick = has_quick_message},
};
/* clang-format on */

enum { COUNT = sizeof st_check_table / sizeof *st_check_table };
_Static_assert(COUNT < 32, "a bit for each group, and for shadowtype_more_checks");
const uint32_t st_check_table_count = COUNT;
