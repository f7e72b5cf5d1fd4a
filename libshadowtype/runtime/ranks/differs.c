/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/ranks/differs.h"

#include <string.h>

#include "core/agree/rules.h"
#include "report/writer.h"
#include "runtime/ranks/agreed.h"
#include "runtime/ranks/classes.h"
#include "runtime/ranks/node.h"
#include "runtime/ranks/places.h"
#include "runtime/ranks/words.h"
#include "runtime/report/finding.h"

enum { MOST_ARGUMENTS = 5, TEXT = 8192 };

/* Too large for a stack; mapped for one report. */
struct st_differing_text {
    struct st_rank_classes classes;
    struct st_other_call others[ST_MOST_CLASSES];
    struct st_argument arguments[ST_MOST_CLASSES][MOST_ARGUMENTS];
    int32_t ranks[ST_SEGMENT_RANKS];
    size_t rank_count;
    int32_t of_class[ST_SEGMENT_RANKS]; /* the ranks of the current class */
    struct st_places places;
    struct st_texts texts;
    char bytes[TEXT];
};

/* --- words --------------------------------------------------------------------------------- */

static const char *function_of(const struct st_rank_class *class)
{
    uint32_t number = class->call.called;
    return number < st_form_count ? st_form_table[number]->name : "a collective call";
}

static const char *operation_of(const struct st_collective *call)
{
    const char *name = st_agreed_operation(call->operation);
    return name                                          ? name
           : call->operation == ST_OPERATION_OF_PROGRAM ? ST_OPERATION_OF_PROGRAM_TEXT
                                                        : "another operation";
}

static void put_elements(struct st_writer *writer, const struct st_collective *call)
{
    st_put_elements(writer, call->length, call->hash[0], call->flags & ST_COLLECTIVE_UNIFORM);
}

static void put_pair(struct st_writer *writer, const struct st_rank_pair *pair)
{
    st_put_elements(writer, pair->length, pair->hash[0], pair->flags & ST_COLLECTIVE_UNIFORM);
}

/* Returns what the class does with its data: "sends", "send". A root and others in one class do
 * different things. */
static const char *class_verb(const struct st_rank_class *class, uint32_t rules)
{
    const bool is_root = class->call.flags & ST_COLLECTIVE_IS_ROOT;
    const bool sends = rules & ST_RULE_GATHER ? !is_root : is_root;
    if (rules & ST_RULE_OPERATION) {
        return class->count > 1 ? "reduce" : "reduces";
    }
    if (rules & ST_RULE_EACH) {
        return class->count > 1 ? "receive" : "receives";
    }
    if (class->count > 1) {
        return "pass";
    }
    return sends ? "sends" : "receives";
}

static const char *passes(const struct st_rank_class *class)
{
    return class->count > 1 ? "pass" : "passes";
}

static void put_root(struct st_writer *writer, const struct st_collective *call)
{
    const char *name = st_collective_root_name(call);
    if (name) {
        st_put(writer, name);
    } else {
        st_put_number(writer, call->root);
    }
}

/* Its tag is a text, of which the ranks publish a hash. */
static bool has_text_as_tag(const struct st_collective *call)
{
    return call->called < st_form_count && st_form_table[call->called]->tag < 0;
}

/* Writes what a class does, as far as it differs: "calls MPI_Barrier". */
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
        put_root(writer, &class->call);
        break;
    case ST_DIFFERS_IN_OPERATION:
        st_put(writer, passes(class));
        st_put(writer, " ");
        st_put(writer, operation_of(&class->call));
        break;
    case ST_DIFFERS_IN_PLACE:
        st_put(writer, passes(class));
        st_put(writer, class->call.flags & ST_COLLECTIVE_PLACED ? " MPI_IN_PLACE" : " a buffer");
        break;
    case ST_DIFFERS_IN_TAG:
        st_put(writer, passes(class));
        st_put(writer, " tag ");
        st_put_number(writer, class->call.length);
        break;
    case ST_DIFFERS_IN_SIGNATURE:
        st_put(writer, class_verb(class, rules));
        st_put(writer, " ");
        put_elements(writer, &class->call);
        break;
    default:
        st_put(writer, passes(class));
        st_put(writer, " other arguments");
        break;
    }
}

/* Writes "passes another string tag to MPI_Comm_create_from_group than rank 0", for example. */
static void put_other(struct st_writer *writer, struct st_differing_text *told, const char *what)
{
    const struct st_rank_class *odd = &told->classes.list[told->classes.count - 1];
    st_put(writer, passes(odd));
    st_put(writer, what);
    st_put(writer, function_of(odd));
    st_put(writer, " than ");
    st_put_class(writer, &told->classes.list[0], told->of_class);
}

/* "calls MPI_Barrier where ranks 0-2 call MPI_Bcast" */
static const char *write_message(struct st_differing_text *told, enum st_agreement agreement,
                                 uint32_t rules)
{
    const struct st_rank_class *lead = &told->classes.list[0];
    const struct st_rank_class *odd = &told->classes.list[told->classes.count - 1];
    struct st_writer writer = st_texts_begin(&told->texts);
    if (agreement == ST_DIFFERS_IN_ARGUMENTS && odd->call.called == lead->call.called) {
        put_other(&writer, told, " other arguments to ");
        return st_texts_end(&told->texts, &writer);
    }
    if (agreement == ST_DIFFERS_IN_TAG && has_text_as_tag(&odd->call)) {
        put_other(&writer, told, " another string tag to ");
        return st_texts_end(&told->texts, &writer);
    }
    /* MPI_Comm_dup and MPI_Comm_dup_with_info */
    if (agreement == ST_DIFFERS_IN_ARGUMENTS) {
        agreement = ST_DIFFERS_IN_CALL;
    }
    put_deed(&writer, odd, agreement, rules);
    if (agreement != ST_DIFFERS_IN_CALL) {
        st_put(&writer, agreement == ST_DIFFERS_IN_SIGNATURE ? " in " : " to ");
        st_put(&writer, function_of(odd));
    }
    st_put(&writer, " where ");
    st_put_class(&writer, lead, told->of_class);
    if (st_collective_are_opposite(&odd->call, &lead->call)) {
        st_put(&writer, " of the other group");
    }
    st_put(&writer, " ");
    put_deed(&writer, lead, agreement, rules);
    return st_texts_end(&told->texts, &writer);
}

static void put_comm(struct st_writer *writer, const struct st_differing *differing)
{
    const int number = differing->comm;
    uint64_t handle = differing->values[number];
    if (differing->form->parameters[number].pointer) {
        const struct st_facts facts = {.form = differing->form, .values = differing->values};
        handle = st_handle_at(&facts, number, 0);
    }
    st_put_comm(writer, differing->form->parameters[number].kind, handle);
}

/* --- the calls ----------------------------------------------------------------------------- */

struct st_argument_list {
    struct st_texts *texts;
    struct st_argument *list; /* MOST_ARGUMENTS */
    size_t count;
};

static void add_argument(struct st_argument_list *arguments, const char *name,
                         const struct st_writer *writer)
{
    if (arguments->count < MOST_ARGUMENTS) {
        arguments->list[arguments->count++] =
            (struct st_argument){name, st_texts_end(arguments->texts, writer)};
    }
}

/* Writes the arguments on which the ranks must agree, and the communicator, window or file. Returns
 * how many. */
static size_t write_arguments(struct st_differing_text *told, const struct st_collective *call,
                              struct st_argument *list, const struct st_differing *differing)
{
    struct st_argument_list arguments = {&told->texts, list, 0};
    struct st_writer writer = st_texts_begin(&told->texts);
    if (call->flags & ST_COLLECTIVE_PLACED) {
        st_put(&writer, "MPI_IN_PLACE");
        add_argument(&arguments, "buffer", &writer);
        writer = st_texts_begin(&told->texts);
    }
    if (call->flags & ST_COLLECTIVE_SIGNATURE) {
        put_elements(&writer, call);
        add_argument(&arguments, "data", &writer);
        writer = st_texts_begin(&told->texts);
    }
    if (call->operation) {
        st_put(&writer, operation_of(call));
        add_argument(&arguments, "op", &writer);
        writer = st_texts_begin(&told->texts);
    }
    if (call->flags & ST_COLLECTIVE_ROOT) {
        put_root(&writer, call);
        add_argument(&arguments, "root", &writer);
        writer = st_texts_begin(&told->texts);
    }
    if (call->flags & ST_COLLECTIVE_TAG && !has_text_as_tag(call)) {
        st_put_number(&writer, call->length);
        add_argument(&arguments, "tag", &writer);
        writer = st_texts_begin(&told->texts);
    }
    if (differing->comm >= 0) {
        put_comm(&writer, differing);
        add_argument(&arguments, differing->form->parameters[differing->comm].name, &writer);
    }
    return arguments.count;
}

static void list_ranks(struct st_differing_text *told, const struct st_rank_class *class)
{
    const size_t count = st_class_list(class, told->of_class);
    for (size_t i = 0; i < count && told->rank_count < ST_SEGMENT_RANKS; i++) {
        told->ranks[told->rank_count++] = told->of_class[i];
    }
}

static void write_others(struct st_differing_text *told, const struct st_differing *differing)
{
    for (size_t i = 0; i < told->classes.count; i++) {
        /* The odd classes come first. */
        const struct st_rank_class *class = &told->classes.list[told->classes.count - 1 - i];
        struct st_writer writer = st_texts_begin(&told->texts);
        st_put_class(&writer, class, told->of_class);
        const char *label = st_texts_end(&told->texts, &writer);
        told->others[i] = (struct st_other_call){
            .rank = class->first,
            .call = function_of(class),
            .label = label,
            .arguments = told->arguments[i],
            .argument_count = write_arguments(told, &class->call, told->arguments[i], differing),
            .site = st_place_read(st_node_area(class->call.rank), class->call.place, &told->places),
        };
        list_ranks(told, class);
    }
}

/* "both are call 2 of MPI_Comm_create_group between the two in MPI_COMM_WORLD" */
static const char *write_order_of_two(struct st_differing_text *told,
                                      const struct st_differing *differing)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put(&writer, "both are call ");
    st_put_number(&writer, (int64_t)differing->mine->number);
    st_put(&writer, " of ");
    st_put(&writer, differing->form->name);
    st_put(&writer, " between the two");
    if (differing->comm >= 0) {
        st_put(&writer, " in ");
        put_comm(&writer, differing);
    }
    return st_texts_end(&told->texts, &writer);
}

/* "all are collective call 118 of MPI_COMM_WORLD; 117 was MPI_Allreduce" */
static const char *write_order(struct st_differing_text *told, const struct st_differing *differing)
{
    if (differing->is_of_two) {
        return write_order_of_two(told, differing);
    }
    struct st_collective before = *differing->mine, last;
    struct st_writer writer = st_texts_begin(&told->texts);
    const size_t count = told->classes.count;
    st_put(&writer, count > 2   ? "all are collective call "
                    : count > 1 ? "both are collective call "
                                : "it is collective call ");
    st_put_number(&writer, (int64_t)differing->mine->number);
    st_put(&writer, " of ");
    put_comm(&writer, differing);
    before.number--;
    if (st_node_find_call(st_ranks_node.rank, st_collective_key(before.comm, before.number),
                          &before, &last) &&
        last.called < st_form_count) {
        st_put(&writer, "; ");
        st_put_number(&writer, (int64_t)before.number);
        st_put(&writer, " was ");
        st_put(&writer, st_form_table[last.called]->name);
    }
    return st_texts_end(&told->texts, &writer);
}

/* --- the finding --------------------------------------------------------------------------- */

static const enum st_check checks[] = {
    [ST_DIFFERS_IN_CALL] = ST_COLLECTIVE_CALL,
    [ST_DIFFERS_IN_ROOT] = ST_COLLECTIVE_OTHER_ROOT,
    [ST_DIFFERS_IN_PLACE] = ST_COLLECTIVE_OTHER_PLACE,
    [ST_DIFFERS_IN_OPERATION] = ST_COLLECTIVE_OP,
    [ST_DIFFERS_IN_TAG] = ST_COLLECTIVE_ARGUMENT,
    [ST_DIFFERS_IN_EDGES] = ST_COLLECTIVE_ARGUMENT,
    [ST_DIFFERS_IN_ARGUMENTS] = ST_COLLECTIVE_ARGUMENT,
    [ST_DIFFERS_IN_SIGNATURE] = ST_COLLECTIVE_TYPE,
};

/* Compares the odd class with the leading one. Returns NULL if it is obvious how they differ. */
static const char *write_first(struct st_differing_text *told, const struct st_collective *odd,
                               const struct st_collective *lead)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const struct st_side_of_data sides[2] = {
        {odd->rank, odd->hash, odd->length, odd->flags & ST_COLLECTIVE_UNIFORM,
         told->others[0].label},
        {lead->rank, lead->hash, lead->length, lead->flags & ST_COLLECTIVE_UNIFORM,
         told->others[told->classes.count - 1].label}};
    return st_put_first_difference(&writer, sides) ? st_texts_end(&told->texts, &writer) : NULL;
}

static const char *write_first_of_pair(struct st_differing_text *told,
                                       const struct st_unequal_pair *unequal)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const struct st_rank_pair *sent = &unequal->sent, *received = &unequal->received;
    const struct st_side_of_data sides[2] = {
        {unequal->from->rank, sent->hash, sent->length, sent->flags & ST_COLLECTIVE_UNIFORM,
         told->others[0].label},
        {unequal->to->rank, received->hash, received->length,
         received->flags & ST_COLLECTIVE_UNIFORM, told->others[told->classes.count - 1].label}};
    return unequal->from->rank != unequal->to->rank && st_put_first_difference(&writer, sides)
               ? st_texts_end(&told->texts, &writer)
               : NULL;
}

static const char *difference_advice(const struct st_differing *differing,
                                     enum st_agreement agreement)
{
    if (agreement == ST_DIFFERS_IN_ROOT && differing->mine->flags & ST_COLLECTIVE_INTER) {
        return "pass MPI_ROOT in the root, MPI_PROC_NULL in the other ranks of its group, and the "
               "root's rank in all ranks of the other group";
    }
    return st_agreement_advice(agreement);
}

/* `first`: where the elements first differ; NULL: it is obvious, or they do not. */
static void add_finding(struct st_differing_text *told, const struct st_differing *differing,
                        enum st_agreement agreement, const char *message, const char *first)
{
    const struct st_line_of_report lines[] = {{"order", write_order(told, differing)},
                                              {"first", first}};
    const struct st_between between = {
        .subject = told->others[0].label,
        .others = told->others,
        .other_count = told->classes.count,
        .lines = lines,
        .line_count = first ? 2 : 1,
        .ranks = told->ranks,
        .rank_count = told->rank_count,
    };
    struct st_facts facts = {
        .form = differing->form, .call = differing->call, .values = differing->values};
    const bool may =
        agreement == ST_DIFFERS_IN_ARGUMENTS && differing->mine->flags & ST_COLLECTIVE_MAY;
    st_find(&facts, &(struct st_found){.check = checks[agreement],
                                       .severity = may ? ST_SEVERITY_WARNING : 0,
                                       .parameter = -1,
                                       .message = message,
                                       .advice = difference_advice(differing, agreement),
                                       .between = &between});
}

static enum st_agreement compare_ends(const struct st_rank_classes *classes)
{
    return st_collective_compare(&classes->list[classes->count - 1].call, &classes->list[0].call);
}

/* Sorts all ranks that have come so far into classes. Not every two calls can be compared: if the
 * first and the last class cannot, only the two ranks that were found are reported. Returns in what
 * they differ. */
static enum st_agreement find_classes(struct st_rank_classes *classes,
                                      const struct st_collective *mine,
                                      const struct st_collective *other)
{
    /* Ranks of an intercommunicator may agree and pass different arguments. */
    const bool alone = mine->flags & ST_COLLECTIVE_INTER && mine->function == other->function;
    if (!alone) {
        st_classes_add(classes, other);
        st_classes_add(classes, mine);
        st_classes_add_all(classes, mine);
        st_classes_sort(classes);
    }
    if (classes->count > 1 && compare_ends(classes) != ST_CALLS_AGREE) {
        return compare_ends(classes);
    }
    memset(classes, 0, sizeof *classes);
    st_classes_add_alone(classes, other);
    st_classes_add_alone(classes, mine);
    st_classes_sort(classes);
    return classes->count > 1 ? compare_ends(classes) : ST_CALLS_AGREE;
}

static void tell_difference(struct st_differing_text *told, const struct st_differing *differing,
                            const struct st_collective *other)
{
    enum st_agreement agreement = find_classes(&told->classes, differing->mine, other);
    if (agreement == ST_CALLS_AGREE) {
        return;
    }
    write_others(told, differing);
    const struct st_rank_classes *classes = &told->classes;
    const char *first =
        agreement == ST_DIFFERS_IN_SIGNATURE
            ? write_first(told, &classes->list[classes->count - 1].call, &classes->list[0].call)
            : NULL;
    add_finding(told, differing, agreement, write_message(told, agreement, differing->rules),
                first);
}

/* "sends 99 x MPI_INT to rank 0 in MPI_Gatherv, which receives 100 x MPI_INT of it" */
static const char *write_pair(struct st_differing_text *told, const struct st_unequal_pair *unequal)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    st_put(&writer, "sends ");
    put_pair(&writer, &unequal->sent);
    st_put(&writer, " to ");
    if (unequal->from->rank == unequal->to->rank) {
        st_put(&writer, "itself");
    } else {
        st_put_rank(&writer, unequal->to->rank);
    }
    st_put(&writer, " in ");
    st_put(&writer, function_of(&told->classes.list[0]));
    st_put(&writer,
           unequal->from->rank == unequal->to->rank ? ", and receives " : ", which receives ");
    put_pair(&writer, &unequal->received);
    st_put(&writer, unequal->from->rank == unequal->to->rank ? "" : " from it");
    return st_texts_end(&told->texts, &writer);
}

static void put_edges(struct st_writer *writer, int64_t count)
{
    if (count) {
        st_put_number(writer, count);
    }
    st_put(writer, count == 0 ? "no edge" : count == 1 ? " edge" : " edges");
}

/* "names 1 edge to rank 0 in MPI_Dist_graph_create_adjacent, which names no edge from it" */
static const char *write_edges(struct st_differing_text *told,
                               const struct st_unequal_pair *unequal)
{
    struct st_writer writer = st_texts_begin(&told->texts);
    const bool is_self = unequal->from->rank == unequal->to->rank;
    const bool by_weight = unequal->sent.length == unequal->received.length;
    st_put(&writer, "names ");
    put_edges(&writer, unequal->sent.length);
    st_put(&writer, " to ");
    if (is_self) {
        st_put(&writer, "itself");
    } else {
        st_put_rank(&writer, unequal->to->rank);
    }
    st_put(&writer, " in ");
    st_put(&writer, function_of(&told->classes.list[0]));
    st_put(&writer, is_self ? ", and names " : ", which names ");
    if (by_weight) {
        st_put(&writer, "other weights");
    } else {
        put_edges(&writer, unequal->received.length);
    }
    st_put(&writer, is_self ? " from itself" : by_weight ? " for it" : " from it");
    return st_texts_end(&told->texts, &writer);
}

static void tell_pair(struct st_differing_text *told, const struct st_differing *differing,
                      const struct st_unequal_pair *unequal)
{
    /* The sender comes first: it is the last class. */
    if (unequal->to->rank != unequal->from->rank) {
        st_classes_add_alone(&told->classes, unequal->to);
    }
    st_classes_add_alone(&told->classes, unequal->from);
    if (told->classes.count == 0) {
        return;
    }
    write_others(told, differing);
    if (unequal->are_edges) {
        add_finding(told, differing, ST_DIFFERS_IN_EDGES, write_edges(told, unequal), NULL);
    } else {
        add_finding(told, differing, ST_DIFFERS_IN_SIGNATURE, write_pair(told, unequal),
                    write_first_of_pair(told, unequal));
    }
}

static struct st_differing_text *open_text(void)
{
    struct st_differing_text *told = st_map(sizeof *told);
    if (told) {
        told->texts = (struct st_texts){told->bytes, sizeof told->bytes, 0};
    }
    return told;
}

void st_differs_tell(const struct st_differing *differing, const struct st_collective *other)
{
    struct st_differing_text *told = open_text();
    if (!told) {
        return;
    }
    tell_difference(told, differing, other);
    st_unmap(told, sizeof *told);
}

void st_differs_tell_pair(const struct st_differing *differing,
                          const struct st_unequal_pair *unequal)
{
    struct st_differing_text *told = open_text();
    if (!told) {
        return;
    }
    tell_pair(told, differing, unequal);
    st_unmap(told, sizeof *told);
}
