#include "runtime/ranks/differs.h"

#include <string.h>

#include "core/agree/rules.h"
#include "report/writer.h"
#include "runtime/objects/comms.h"
#include "runtime/objects/collectives.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/signed.h"
#include "runtime/report/finding.h"
#include "runtime/wrap/constants.h"

enum { MOST_CLASSES = 8, MOST_ARGUMENTS = 5, TEXT = 8192 };

/* Ranks whose calls agree with each other. */
struct st_rank_class {
    struct st_collective call;             /* that of its first rank */
    uint8_t members[ST_SEGMENT_RANKS / 8]; /* bits: ranks of MPI_COMM_WORLD */
    int32_t first;                         /* the lowest one */
    uint32_t count;
    struct st_argument arguments[MOST_ARGUMENTS];
};

/* Too large for a stack; mapped for one report. */
struct st_differing_text {
    struct st_rank_class classes[MOST_CLASSES];
    size_t class_count;
    struct st_other_call others[MOST_CLASSES];
    int32_t ranks[ST_SEGMENT_RANKS];
    size_t rank_count;
    struct st_places places;
    char text[TEXT];
    size_t used;
};

/* --- who is there -------------------------------------------------------------------------- */

bool st_differs_find(uint32_t rank, uint64_t key, const struct st_collective *mine,
                     struct st_collective *call)
{
    const struct st_rank_area *area = st_node_area(rank);
    return area &&
           st_rank_call_read(
               &area->calls[st_collective_place(mine->comm, mine->number, ST_AREA_LOG2_CALLS)], key,
               call) &&
           call->comm == mine->comm && call->number == mine->number;
}

static bool has_member(const struct st_rank_class *class, int32_t rank)
{
    return class->members[rank / 8] >> rank % 8 & 1;
}

static void add_member(struct st_rank_class *class, int32_t rank)
{
    if (has_member(class, rank))
        return;
    class->members[rank / 8] |= (uint8_t)(1 << rank % 8);
    if (!class->count++ || rank < class->first)
        class->first = rank;
}

static void add_call(struct st_differing_text *told, const struct st_collective *call)
{
    int32_t rank = st_node_world_rank(call->rank);
    if (rank < 0 || rank >= ST_SEGMENT_RANKS)
        return;
    size_t i = 0;
    while (i < told->class_count &&
           st_collective_compare(&told->classes[i].call, call) != ST_CALLS_AGREE)
        i++;
    if (i == MOST_CLASSES)
        return;
    if (i == told->class_count)
        told->classes[told->class_count++].call = *call;
    add_member(&told->classes[i], rank);
}

/* All that have come so far. */
static void find_classes(struct st_differing_text *told, const struct st_differing *differing)
{
    const uint64_t key = st_collective_key(differing->mine->comm, differing->mine->number);
    add_call(told, differing->other);
    add_call(told, differing->mine);
    for (uint32_t i = 0, count = st_node_ranks(); i < count; i++) {
        struct st_collective call;
        if (st_differs_find(i, key, differing->mine, &call))
            add_call(told, &call);
    }
}

/* Whether a class is the one that the others are held against: the larger one, or that of the lower rank. */
static bool leads(const struct st_rank_class *class, const struct st_rank_class *other)
{
    if (class->count != other->count)
        return class->count > other->count;
    return class->first < other->first;
}

/* The leading class first. */
static void sort_classes(struct st_differing_text *told)
{
    for (size_t i = 1; i < told->class_count; i++)
        for (size_t k = i; k > 0 && leads(&told->classes[k], &told->classes[k - 1]); k--) {
            struct st_rank_class class = told->classes[k];
            told->classes[k] = told->classes[k - 1];
            told->classes[k - 1] = class;
        }
}

/* --- words --------------------------------------------------------------------------------- */

static struct st_writer start_text(struct st_differing_text *told)
{
    return (struct st_writer){.bytes = told->text + told->used, .room = TEXT - told->used - 1};
}

static const char *finish_text(struct st_differing_text *told, const struct st_writer *writer)
{
    size_t length = writer->length < writer->room ? writer->length : writer->room;
    writer->bytes[length] = 0;
    told->used += length + 1;
    if (told->used > TEXT - 2)
        told->used = TEXT - 2;
    return writer->bytes;
}

/* "rank 3", "ranks 0-2,5" */
static void put_ranks(struct st_writer *writer, const struct st_rank_class *class)
{
    const char *comma = class->count > 1 ? "ranks " : "rank ";
    for (int32_t rank = 0; rank < ST_SEGMENT_RANKS; rank++) {
        if (!has_member(class, rank))
            continue;
        int32_t last = rank;
        while (last + 1 < ST_SEGMENT_RANKS && has_member(class, last + 1))
            last++;
        st_put(writer, comma);
        st_put_number(writer, rank);
        if (last > rank) {
            st_put(writer, "-");
            st_put_number(writer, last);
        }
        comma = ",";
        rank = last;
    }
}

static const char *function_of(const struct st_rank_class *class)
{
    uint32_t number = class->call.called;
    return number < st_form_count ? st_form_table[number]->name : "a collective call";
}

/* The name of a predefined operation by its hash. */
static const char *operation_of(uint64_t hash)
{
    for (const struct st_constant *constant = st_constants; constant->name; constant++) {
        uint64_t of_name = 1;
        if (constant->kind != ST_KIND_OP)
            continue;
        for (const char *text = constant->name; *text; text++)
            of_name = st_collective_hash(of_name, (uint8_t)*text);
        if (of_name == hash)
            return constant->name;
    }
    return "another operation";
}

/* "100 x MPI_DOUBLE" */
static void put_signature(struct st_writer *writer, int64_t length, uint64_t element, bool uniform)
{
    if (length == 0) {
        st_put(writer, "nothing");
        return;
    }
    st_put_number(writer, length);
    st_put(writer, " x ");
    if (!uniform)
        st_put(writer, "several basic types");
    else if (!st_put_signed_element(writer, element))
        st_put(writer, "a basic type");
}

static void put_elements(struct st_writer *writer, const struct st_collective *call)
{
    put_signature(writer, call->length, call->hash[0], call->flags & ST_COLLECTIVE_UNIFORM);
}

static void put_pair(struct st_writer *writer, const struct st_rank_pair *pair)
{
    put_signature(writer, pair->length, pair->hash[0], pair->flags & ST_COLLECTIVE_UNIFORM);
}

/* What the class does with its data: "sends", "send". */
static const char *verb_of(const struct st_rank_class *class, uint32_t rules)
{
    const bool is_root = class->call.flags & ST_COLLECTIVE_IS_ROOT;
    const bool sends = rules & ST_RULE_GATHER ? !is_root : is_root;
    if (rules & ST_RULE_OPERATION)
        return class->count > 1 ? "reduce" : "reduces";
    if (rules & ST_RULE_EACH || !sends)
        return class->count > 1 ? "receive" : "receives";
    return class->count > 1 ? "send" : "sends";
}

static const char *passes(const struct st_rank_class *class)
{
    return class->count > 1 ? "pass" : "passes";
}

/* What a class does, as far as it is another thing: "calls MPI_Barrier". */
static void put_deed(struct st_writer *writer, const struct st_rank_class *class,
                     enum st_agreement agreement, uint32_t rules)
{
    switch (agreement) {
    case ST_DIFFERS_IN_CALL:
        st_put(writer, class->count > 1 ? "call " : "calls ");
        st_put(writer, function_of(class));
        break;
    case ST_DIFFERS_IN_ROOT:
        st_put(writer, passes(class));
        st_put(writer, " root ");
        st_put_number(writer, class->call.root);
        break;
    case ST_DIFFERS_IN_OPERATION:
        st_put(writer, passes(class));
        st_put(writer, " ");
        st_put(writer, operation_of(class->call.operation));
        break;
    case ST_DIFFERS_IN_PLACE:
        st_put(writer, passes(class));
        st_put(writer, class->call.flags & ST_COLLECTIVE_PLACED ? " MPI_IN_PLACE" : " a buffer");
        break;
    case ST_DIFFERS_IN_SIGNATURE:
        st_put(writer, verb_of(class, rules));
        st_put(writer, " ");
        put_elements(writer, &class->call);
        break;
    default:
        st_put(writer, passes(class));
        st_put(writer, " other arguments");
        break;
    }
}

static bool names_function(enum st_agreement agreement)
{
    return agreement == ST_DIFFERS_IN_CALL;
}

/* "calls MPI_Barrier where ranks 0-2 call MPI_Bcast" */
static const char *write_message(struct st_differing_text *told, enum st_agreement agreement,
                                 uint32_t rules)
{
    const struct st_rank_class *lead = &told->classes[0];
    const struct st_rank_class *odd = &told->classes[told->class_count - 1];
    struct st_writer writer = start_text(told);
    if (agreement == ST_DIFFERS_IN_ARGUMENTS) {
        st_put(&writer, passes(odd));
        st_put(&writer, " other arguments to ");
        st_put(&writer, function_of(odd));
        st_put(&writer, " than ");
        put_ranks(&writer, lead);
        return finish_text(told, &writer);
    }
    put_deed(&writer, odd, agreement, rules);
    if (!names_function(agreement)) {
        st_put(&writer, agreement == ST_DIFFERS_IN_SIGNATURE ? " in " : " to ");
        st_put(&writer, function_of(odd));
    }
    st_put(&writer, " where ");
    put_ranks(&writer, lead);
    st_put(&writer, " ");
    put_deed(&writer, lead, agreement, rules);
    return finish_text(told, &writer);
}

static void put_comm(struct st_writer *writer, const struct st_differing *differing)
{
    const int number = differing->form->collective;
    uint64_t handle = differing->values[number];
    if (differing->form->parameters[number].pointer) {
        const struct st_facts facts = {.form = differing->form, .values = differing->values};
        handle = st_handle_at(&facts, number, 0);
    }
    const char *name = st_constant_name(ST_KIND_COMM, handle);
    if (name) {
        st_put(writer, name);
        return;
    }
    bool locked = st_lock();
    const struct st_record *record = st_records_find(ST_KIND_COMM, handle, 0);
    const struct st_comm *comm = record ? st_comms_of(record) : NULL;
    const struct st_block *block = comm ? st_pointer(comm->name) : NULL;
    const enum st_kind kind = differing->form->parameters[number].kind;
    if (block)
        st_put_bytes(writer, (const char *)(block + 1), (size_t)block->bytes);
    else
        st_put(writer, kind == ST_KIND_WIN    ? "its window"
                       : kind == ST_KIND_FILE ? "its file"
                                              : "its communicator");
    st_unlock(locked);
}

/* --- the calls ----------------------------------------------------------------------------- */

static void add_argument(struct st_differing_text *told, struct st_rank_class *class, size_t *count,
                         const char *name, struct st_writer *writer)
{
    if (*count < MOST_ARGUMENTS)
        class->arguments[(*count)++] = (struct st_argument){name, finish_text(told, writer)};
}

static size_t write_arguments(struct st_differing_text *told, struct st_rank_class *class,
                              const struct st_differing *differing)
{
    size_t count = 0;
    const struct st_collective *call = &class->call;
    struct st_writer writer;
    if (call->flags & ST_COLLECTIVE_PLACED) {
        writer = start_text(told);
        st_put(&writer, "MPI_IN_PLACE");
        add_argument(told, class, &count, "buffer", &writer);
    }
    if (call->flags & ST_COLLECTIVE_SIGNATURE) {
        writer = start_text(told);
        put_elements(&writer, call);
        add_argument(told, class, &count, "data", &writer);
    }
    if (call->operation) {
        writer = start_text(told);
        st_put(&writer, operation_of(call->operation));
        add_argument(told, class, &count, "op", &writer);
    }
    if (call->flags & ST_COLLECTIVE_ROOT) {
        writer = start_text(told);
        st_put_number(&writer, call->root);
        add_argument(told, class, &count, "root", &writer);
    }
    writer = start_text(told);
    put_comm(&writer, differing);
    add_argument(told, class, &count, differing->form->parameters[differing->form->collective].name,
                 &writer);
    return count;
}

static void write_others(struct st_differing_text *told, const struct st_differing *differing)
{
    for (size_t i = 0; i < told->class_count; i++) {
        /* The odd ones first. */
        struct st_rank_class *class = &told->classes[told->class_count - 1 - i];
        struct st_writer writer = start_text(told);
        put_ranks(&writer, class);
        const char *label = finish_text(told, &writer);
        told->others[i] = (struct st_other_call){
            .rank = class->first,
            .call = function_of(class),
            .label = label,
            .arguments = class->arguments,
            .argument_count = write_arguments(told, class, differing),
            .site = st_place_read(st_node_area(class->call.rank), class->call.place, &told->places),
        };
        for (int32_t rank = 0; rank < ST_SEGMENT_RANKS; rank++)
            if (has_member(class, rank) && told->rank_count < ST_SEGMENT_RANKS)
                told->ranks[told->rank_count++] = rank;
    }
}

/* "all are collective call 118 of MPI_COMM_WORLD; 117 was MPI_Allreduce" */
static const char *write_order(struct st_differing_text *told, const struct st_differing *differing)
{
    struct st_collective before = *differing->mine, last;
    struct st_writer writer = start_text(told);
    st_put(&writer, told->class_count > 2   ? "all are collective call "
                    : told->class_count > 1 ? "both are collective call "
                                            : "it is collective call ");
    st_put_number(&writer, (int64_t)differing->mine->number);
    st_put(&writer, " of ");
    put_comm(&writer, differing);
    before.number--;
    if (st_differs_find(st_ranks_node.rank, st_collective_key(before.comm, before.number), &before,
                        &last) &&
        last.called < st_form_count) {
        st_put(&writer, "; ");
        st_put_number(&writer, (int64_t)before.number);
        st_put(&writer, " was ");
        st_put(&writer, st_form_table[last.called]->name);
    }
    return finish_text(told, &writer);
}

/* --- the finding --------------------------------------------------------------------------- */

static const struct {
    enum st_check check;
    const char *advice;
} kinds[] = {
    [ST_DIFFERS_IN_CALL] =
        {ST_COLLECTIVE_CALL,
         "let all ranks make the same collective calls in the same order: look at "
         "the conditions around them"},
    [ST_DIFFERS_IN_ROOT] = {ST_COLLECTIVE_OTHER_ROOT, "pass the same root in all ranks"},
    [ST_DIFFERS_IN_PLACE] = {ST_COLLECTIVE_OTHER_PLACE,
                             "pass MPI_IN_PLACE in all ranks, or in none"},
    [ST_DIFFERS_IN_OPERATION] = {ST_COLLECTIVE_OP, "pass the same operation in all ranks"},
    [ST_DIFFERS_IN_ARGUMENTS] = {ST_COLLECTIVE_ARGUMENT,
                                 "pass the same arguments in all ranks: see the standard's "
                                 "description of the function"},
    [ST_DIFFERS_IN_SIGNATURE] = {ST_COLLECTIVE_TYPE,
                                 "let count and datatype name the same elements in all ranks"},
};

static void find(struct st_differing_text *told, const struct st_differing *differing,
                 enum st_agreement agreement, const char *message)
{
    const struct st_line_of_report order = {"order", write_order(told, differing)};
    const struct st_between between = {
        .subject = told->others[0].label,
        .others = told->others,
        .other_count = told->class_count,
        .lines = &order,
        .line_count = 1,
        .ranks = told->ranks,
        .rank_count = told->rank_count,
    };
    struct st_facts facts = {
        .form = differing->form, .call = differing->call, .values = differing->values};
    st_find(&facts, &(struct st_found){.check = kinds[agreement].check,
                                       .parameter = -1,
                                       .message = message,
                                       .advice = kinds[agreement].advice,
                                       .between = &between});
}

static void tell(struct st_differing_text *told, const struct st_differing *differing)
{
    find_classes(told, differing);
    if (told->class_count < 2)
        return;
    sort_classes(told);
    const enum st_agreement agreement =
        st_collective_compare(&told->classes[told->class_count - 1].call, &told->classes[0].call);
    if (agreement == ST_CALLS_AGREE)
        return;
    write_others(told, differing);
    find(told, differing, agreement, write_message(told, agreement, differing->rules));
}

/* "sends 99 x MPI_INT to rank 0 in MPI_Gatherv, which receives 100 x MPI_INT of it" */
static const char *write_pair(struct st_differing_text *told, const struct st_unequal_pair *unequal)
{
    struct st_writer writer = start_text(told);
    st_put(&writer, "sends ");
    put_pair(&writer, &unequal->sent);
    st_put(&writer, " to ");
    if (unequal->from->rank == unequal->to->rank) {
        st_put(&writer, "itself");
    } else {
        st_put(&writer, "rank ");
        st_put_number(&writer, st_node_world_rank(unequal->to->rank));
    }
    st_put(&writer, " in ");
    st_put(&writer, function_of(&told->classes[0]));
    st_put(&writer,
           unequal->from->rank == unequal->to->rank ? ", and receives " : ", which receives ");
    put_pair(&writer, &unequal->received);
    st_put(&writer, unequal->from->rank == unequal->to->rank ? "" : " from it");
    return finish_text(told, &writer);
}

static void add_class(struct st_differing_text *told, const struct st_collective *call)
{
    int32_t rank = st_node_world_rank(call->rank);
    if (rank < 0 || rank >= ST_SEGMENT_RANKS)
        return;
    struct st_rank_class *class = &told->classes[told->class_count++];
    class->call = *call;
    add_member(class, rank);
}

static void tell_pair(struct st_differing_text *told, const struct st_differing *differing,
                      const struct st_unequal_pair *unequal)
{
    /* The sender is told first: the last class. */
    if (unequal->to->rank != unequal->from->rank)
        add_class(told, unequal->to);
    add_class(told, unequal->from);
    if (told->class_count == 0)
        return;
    write_others(told, differing);
    find(told, differing, ST_DIFFERS_IN_SIGNATURE, write_pair(told, unequal));
}

void st_differs_tell(const struct st_differing *differing)
{
    struct st_differing_text *told = st_map(sizeof *told);
    if (!told)
        return;
    tell(told, differing);
    st_unmap(told, sizeof *told);
}

void st_differs_tell_pair(const struct st_differing *differing,
                          const struct st_unequal_pair *unequal)
{
    struct st_differing_text *told = st_map(sizeof *told);
    if (!told)
        return;
    tell_pair(told, differing, unequal);
    st_unmap(told, sizeof *told);
}
