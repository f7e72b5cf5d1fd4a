/* SPDX-License-Identifier: BSD-3-Clause */
#include "states.h"

#include <stdlib.h>
#include <string.h>

#include "../words.h"
#include "groups.h"
#include "states_internal.h"
#include "stream.h"

enum {
    MOST_MEMORY = 1 << 26,  /* bytes for what one message tells */
    MOST_MEMBERS = 1 << 23, /* of all its communicators */
    PIECE = 1 << 14         /* bytes that are allocated at a time */
};

/* Memory that is freed as a whole. */
struct piece {
    struct piece *before;
    size_t used, room;
    unsigned char bytes[] __attribute__((aligned(16)));
};

struct read_text {
    const char *text;
    json_t *
        frames; /* it, if it is that of a site, and was asked for; NULL: not yet, or it is damaged */
};

struct states_set {
    struct st_wait_comm *comms;
    size_t count;
};

struct states_class {
    enum st_wait_presence presence;
    uint64_t world;
    int32_t world_size;
    uint64_t shown_flags;
    struct st_wait_shown shown; /* without its lists */
    struct st_wait_thread *threads;
    size_t thread_count, part_count, pending_count;
    bool is_same;               /* those that are pending are the parts */
    size_t most_comm;           /* the largest number of a communicator in them; 0: none */
    struct st_wait_part *parts; /* with those that are pending; without what is each rank's own */
    bool *has_other;            /* by part: each rank tells the process of its peer */
    /* The list of the last rank, and of what it was made: most often the next one has the same. */
    const struct states_set *set;
    struct stream_reader own;
    struct st_wait_part *own_parts;
};

/* All that belongs to a message. */
struct reading {
    struct states states; /* must be the first */
    struct piece *pieces;
    size_t used; /* bytes of memory */
    size_t members;
    bool is_bad;
    struct read_text *texts; /* from number 1 on */
    size_t text_count;
    struct known_group **groups; /* from number 1 on */
    size_t group_count;
    struct states_set *sets; /* the same */
    size_t set_count;
    struct states_class *classes; /* the same */
    size_t class_count;
};

/* --- memory ---------------------------------------------------------------------------------------- */

/* Zeroed. Returns NULL, and the message is bad, if it takes too much. */
static void *room_for(struct reading *reading, size_t count, size_t size)
{
    const size_t align = 16, length = (count * size + align - 1) / align * align;
    struct piece *last = reading->pieces;
    if (count > MOST_MEMORY / size || length > MOST_MEMORY - reading->used) {
        reading->is_bad = true;
        return NULL;
    }
    reading->used += length;
    if (last == NULL || last->room - last->used < length) {
        const size_t room = length > PIECE ? length : PIECE;
        struct piece *next = zeroed_one(sizeof *next + room);
        next->before = last;
        next->room = room;
        reading->pieces = last = next;
    }
    last->used += length;
    return last->bytes + (last->used - length);
}

/* --- communicators --------------------------------------------------------------------------------- */

static const char *take_text(struct reading *reading, struct stream_reader *from, uint32_t *number)
{
    *number = (uint32_t)stream_take_most(from, reading->text_count);
    return *number != 0 ? reading->texts[*number].text : "";
}

static void copy_text(char *to, size_t room, const char *from)
{
    const size_t length = strnlen(from, room - 1);
    memcpy(to, from, length);
    to[length] = '\0';
}

static uint64_t *take_group(struct reading *reading, struct stream_reader *from, int32_t *size)
{
    const size_t number = (size_t)stream_take_most(from, reading->group_count);
    if (number == 0) {
        from->is_bad = true;
        return NULL;
    }
    *size = reading->groups[number]->size;
    return reading->groups[number]->members;
}

static void take_peers(struct reading *reading, struct stream_reader *from,
                       struct st_wait_comm *comm)
{
    comm->own_rank = stream_take_int(from);
    if (comm->size <= 0 || comm->size > ST_MOST_WIN_PEERS ||
        (comm->peers = room_for(reading, (size_t)comm->size, sizeof *comm->peers)) == NULL) {
        from->is_bad = true;
        return;
    }
    for (size_t i = 0, count = (size_t)comm->size; i < count && !from->is_bad;) {
        size_t length = (size_t)stream_take_most(from, count - i);
        const struct st_win_peer peer = {.started = (uint32_t)stream_take_most(from, UINT32_MAX),
                                         .completed = (uint32_t)stream_take_most(from, UINT32_MAX),
                                         .posted = (uint32_t)stream_take_most(from, UINT32_MAX),
                                         .lock = (uint32_t)stream_take_most(from, UINT32_MAX),
                                         .site = ST_NO_SITE};
        from->is_bad |= length == 0;
        for (; length != 0; length--) {
            comm->peers[i++] = peer;
        }
    }
}

static void take_comm(struct reading *reading, struct stream_reader *from,
                      struct st_wait_comm *comm)
{
    uint32_t text;
    comm->kind = (enum st_kind)stream_take_most(from, ST_KIND_END);
    const uint64_t flags = stream_take(from);
    comm->is_inter = flags & STATES_INTER;
    comm->id = stream_take_word(from);
    comm->begun = stream_take(from);
    comm->size = stream_take_int(from);
    comm->own_rank = -1;
    copy_text(comm->name, sizeof comm->name, take_text(reading, from, &text));
    from->is_bad |= comm->size > GROUPS_MOST;
    if (flags & STATES_LISTED) {
        int32_t size = 0;
        comm->members = take_group(reading, from, &size);
        from->is_bad |= size != comm->size;
    }
    if (flags & STATES_OWN) {
        comm->own_members = take_group(reading, from, &comm->own_size);
    }
    if (flags & STATES_PEERS) {
        take_peers(reading, from, comm);
    }
}

static void take_set(struct reading *reading, struct stream_reader from, struct states_set *set)
{
    const size_t count = stream_take_count(&from);
    set->comms = room_for(reading, count, sizeof *set->comms);
    for (size_t i = 0; i < count && set->comms != NULL && !from.is_bad; i++) {
        take_comm(reading, &from, &set->comms[i]);
    }
    set->count = count;
    reading->is_bad |= from.is_bad || from.left != 0;
}

/* --- calls ----------------------------------------------------------------------------------------- */

static void take_thread(struct reading *reading, struct stream_reader *from,
                        struct st_wait_thread *thread)
{
    uint32_t text, site;
    const uint64_t flags = stream_take(from);
    thread->in_call = flags & STATES_IN_CALL;
    thread->runs = flags & STATES_RUNS;
    thread->first = (size_t)stream_take(from);
    thread->count = (size_t)stream_take(from);
    copy_text(thread->function, sizeof thread->function, take_text(reading, from, &text));
    take_text(reading, from, &site);
    thread->call.site = site != 0 ? site : ST_NO_SITE;
}

static void take_part(struct reading *reading, struct stream_reader *from, struct states_class *of,
                      struct st_wait_part *part, bool *has_other)
{
    uint32_t text, site;
    const uint64_t flags = stream_take(from);
    part->sort = (enum st_wait_sort)(flags & STATES_SORT);
    from->is_bad |= part->sort > ST_WAIT_LEADER;
    part->from_nearby = flags & STATES_NEARBY;
    part->of_some = flags & STATES_OF_SOME;
    part->is_request = flags & STATES_REQUEST;
    part->is_complete = flags & STATES_COMPLETE;
    *has_other = flags & STATES_OTHER_PEER;
    const size_t comm = (size_t)stream_take(from);
    part->comm = comm != 0 ? comm - 1 : ST_NO_COMM;
    of->most_comm = comm > of->most_comm ? comm : of->most_comm;
    part->n = stream_take(from);
    part->starts = (uint32_t)stream_take_most(from, UINT32_MAX);
    part->partitions = (uint32_t)stream_take_most(from, UINT32_MAX);
    part->unready = (uint32_t)stream_take_most(from, UINT32_MAX);
    part->unready_bits = stream_take_word(from);
    copy_text(part->function, sizeof part->function, take_text(reading, from, &text));
    take_text(reading, from, &site);
    part->site = site != 0 ? site : ST_NO_SITE;
    part->handle = stream_take(from);
}

/* What the code that judges relies on: parts that are there, and a call of two groups with a communicator. */
static bool is_sound_thread(const struct states_class *of, const struct st_wait_thread *thread)
{
    if (thread->first > of->part_count || thread->count > of->part_count - thread->first) {
        return false;
    }
    const struct st_wait_part *parts = of->parts + thread->first;
    return thread->count != 2 || parts[1].sort != ST_WAIT_LEADER ||
           (parts[0].comm != ST_NO_COMM && parts[0].sort == ST_WAIT_COLLECTIVE);
}

/* How many are in memory. */
static size_t count_parts(const struct states_class *of)
{
    return of->is_same ? of->part_count : of->part_count + of->pending_count;
}

static void take_parts(struct reading *reading, struct stream_reader *from, struct states_class *of)
{
    of->part_count = stream_take_count(from);
    const size_t pending = stream_take_count(from);
    of->is_same = pending == 0;
    of->pending_count = of->is_same ? of->part_count : pending - 1;
    const size_t count = count_parts(of);
    of->parts = room_for(reading, count, sizeof *of->parts);
    of->has_other = room_for(reading, count, sizeof *of->has_other);
    from->is_bad |= of->parts == NULL || of->has_other == NULL;
    for (size_t i = 0; i < count && !from->is_bad; i++) {
        take_part(reading, from, of, &of->parts[i], &of->has_other[i]);
    }
}

static void take_shown(struct stream_reader *from, struct states_class *of)
{
    of->shown_flags = stream_take(from);
    of->shown = (struct st_wait_shown){.job = stream_take_word(from),
                                       .has_counts = of->shown_flags & STATES_COUNTS,
                                       .is_sender = of->shown_flags & STATES_SENDER,
                                       .is_receiver = of->shown_flags & STATES_RECEIVER};
}

static void take_class(struct reading *reading, struct stream_reader from, struct states_class *of)
{
    of->presence = (enum st_wait_presence)stream_take_most(&from, ST_WAIT_ENDED);
    of->world = stream_take(&from);
    of->world_size = stream_take_int(&from);
    take_shown(&from, of);
    of->thread_count = stream_take_count(&from);
    of->threads = room_for(reading, of->thread_count, sizeof *of->threads);
    for (size_t i = 0; i < of->thread_count && of->threads != NULL && !from.is_bad; i++) {
        take_thread(reading, &from, &of->threads[i]);
    }
    take_parts(reading, &from, of);
    for (size_t i = 0; i < of->thread_count && of->threads != NULL && !from.is_bad; i++) {
        from.is_bad |= !is_sound_thread(of, &of->threads[i]);
    }
    reading->is_bad |= from.is_bad || from.left != 0;
}

/* --- ranks ----------------------------------------------------------------------------------------- */

/* What is the rank's own in one of its parts. */
static void take_own(struct stream_reader *from, const struct st_wait_rank *rank, bool has_other,
                     struct st_wait_part *part)
{
    part->peer = stream_take_int(from);
    part->tag = stream_take_int(from);
    if (has_other) {
        part->world = stream_take_int(from);
        part->process = stream_take_word(from);
    } else {
        st_wait_find_process(rank, part);
    }
}

static bool is_same_block(const struct stream_reader *one, const struct stream_reader *other)
{
    return one->left == other->left && memcmp(one->at, other->at, one->left) == 0;
}

/* Returns the parts of a rank of this class, and those that are pending after them. */
static struct st_wait_part *take_own_parts(struct reading *reading, struct states_class *of,
                                           const struct states_set *set, struct stream_reader from)
{
    const size_t count = count_parts(of);
    const struct st_wait_rank rank = {
        .world = of->world, .comms = set->comms, .comm_count = set->count};
    if (of->own_parts != NULL && of->set == set && is_same_block(&of->own, &from)) {
        return of->own_parts;
    }
    if (of->most_comm > set->count) {
        reading->is_bad = true;
        return NULL;
    }
    of->set = set;
    struct st_wait_part *parts = room_for(reading, count, sizeof *parts);
    if (parts == NULL) {
        return NULL;
    }
    of->own = from;
    of->own_parts = parts;
    for (size_t i = 0; i < count; i++) {
        parts[i] = of->parts[i];
        take_own(&from, &rank, of->has_other[i], &parts[i]);
    }
    reading->is_bad |= from.is_bad || from.left != 0;
    return parts;
}

static void take_counts(struct reading *reading, struct stream_reader *from,
                        struct st_wait_counts *counts)
{
    const size_t count = stream_take_count(from);
    int64_t rank = 0;
    counts->list = room_for(reading, count, sizeof *counts->list);
    for (; counts->count < count && counts->list != NULL && !from->is_bad; counts->count++) {
        const uint64_t step = stream_take_most(from, INT32_MAX);
        rank += (int64_t)step;
        from->is_bad |= rank > INT32_MAX || (counts->count != 0 && step == 0);
        counts->list[counts->count] = (struct st_wait_count){(int32_t)rank, stream_take(from)};
    }
}

/* Returns NULL if nothing is known. */
static const struct st_wait_shown *
take_messages(struct reading *reading, const struct states_class *of, struct stream_reader from)
{
    if (from.left == 0) {
        return of->shown_flags & STATES_SHOWN ? &of->shown : NULL;
    }
    struct st_wait_shown *shown = room_for(reading, 1, sizeof *shown);
    if (shown == NULL) {
        return NULL;
    }
    *shown = of->shown;
    take_counts(reading, &from, &shown->sent);
    take_counts(reading, &from, &shown->received);
    reading->is_bad |= from.is_bad || from.left != 0;
    return shown;
}

static void take_rank(struct reading *reading, struct stream_reader *from, int64_t before,
                      struct states_one *one)
{
    one->pid = (int64_t)((uint64_t)before + (uint64_t)stream_take_signed(from));
    one->identity = stream_take_word(from);
    const uint64_t flags = stream_take(from);
    one->is_read = flags & STATES_READ;
    one->is_stuck = flags & STATES_STUCK;
    one->is_stopped = flags & STATES_STOPPED;
    const size_t class_ = (size_t)stream_take_most(from, reading->class_count);
    from->is_bad |= one->is_read != (class_ != 0);
    if (class_ == 0 || from->is_bad) {
        return;
    }
    struct states_class *of = &reading->classes[class_];
    one->of = of;
    one->world_rank = stream_take_int(from);
    const size_t set = (size_t)stream_take_most(from, reading->set_count);
    if (set == 0) {
        from->is_bad = true;
        return;
    }
    one->set = &reading->sets[set];
    one->parts = take_own_parts(reading, of, one->set, stream_take_block(from));
    one->shown = take_messages(reading, of, stream_take_block(from));
}

/* --- a message ------------------------------------------------------------------------------------- */

/* How many entries a table has, each with a byte at least. Their memory has a place for number 0. */
static void *take_table(struct reading *reading, struct stream_reader *from, size_t size,
                        size_t *count)
{
    *count = stream_take_count(from);
    void *table = room_for(reading, *count + 1, size);
    *count = table != NULL ? *count : 0;
    return table;
}

static void take_texts(struct reading *reading, struct stream_reader *from)
{
    reading->texts = take_table(reading, from, sizeof *reading->texts, &reading->text_count);
    for (size_t i = 1; i <= reading->text_count; i++) {
        const struct stream_reader block = stream_take_block(from);
        char *text = room_for(reading, block.left + 1, 1);
        if (text == NULL) {
            reading->text_count = i - 1;
            return;
        }
        memcpy(text, block.at, block.left);
        reading->texts[i].text = text;
    }
}

static void take_groups(struct reading *reading, struct stream_reader *from)
{
    size_t count;
    reading->groups = take_table(reading, from, sizeof *reading->groups, &count);
    for (size_t i = 1; i <= count && !reading->is_bad; i++) {
        struct known_group *group = groups_take(stream_take_block(from));
        if (group == NULL) {
            reading->is_bad = true;
            return;
        }
        reading->groups[i] = group;
        reading->group_count = i;
        reading->members += (size_t)group->size;
        reading->is_bad |= reading->members > MOST_MEMBERS;
    }
}

static void take_tables(struct reading *reading, struct stream_reader *from)
{
    take_texts(reading, from);
    take_groups(reading, from);
    reading->sets = take_table(reading, from, sizeof *reading->sets, &reading->set_count);
    for (size_t i = 1; i <= reading->set_count && !reading->is_bad; i++) {
        take_set(reading, stream_take_block(from), &reading->sets[i]);
    }
    reading->classes = take_table(reading, from, sizeof *reading->classes, &reading->class_count);
    for (size_t i = 1; i <= reading->class_count && !reading->is_bad; i++) {
        take_class(reading, stream_take_block(from), &reading->classes[i]);
    }
}

struct states *states_read(const char *bytes, size_t length)
{
    struct reading *reading = zeroed_one(sizeof *reading);
    struct states *states = &reading->states;
    struct stream_reader from = {(const unsigned char *)bytes, length, false};
    states->users = 1;
    take_tables(reading, &from);
    const size_t count = stream_take_count(&from);
    states->list = room_for(reading, count, sizeof *states->list);
    for (int64_t pid = 0; states->count < count && !reading->is_bad && !from.is_bad;) {
        struct states_one *one = &states->list[states->count++];
        take_rank(reading, &from, pid, one);
        pid = one->pid;
    }
    if (reading->is_bad || from.is_bad || from.left != 0) {
        states_drop(states);
        return NULL;
    }
    return states;
}

struct states *states_share(struct states *states)
{
    states->users++;
    return states;
}

void states_drop(struct states *states)
{
    struct reading *reading = (struct reading *)states;
    if (states == NULL || --states->users != 0) {
        return;
    }
    for (size_t i = 1; i <= reading->group_count; i++) {
        groups_drop(reading->groups[i]);
    }
    for (size_t i = 1; i <= reading->text_count; i++) {
        json_decref(reading->texts[i].frames);
    }
    for (struct piece *piece = reading->pieces, *before; piece != NULL; piece = before) {
        before = piece->before;
        free(piece);
    }
    free(reading);
}

void states_fill(const struct states_one *one, struct st_wait_rank *rank)
{
    const struct states_class *of = one->of;
    *rank = (struct st_wait_rank){.world_rank = one->world_rank,
                                  .presence = of->presence,
                                  .world = of->world,
                                  .world_size = of->world_size,
                                  .threads = of->threads,
                                  .thread_count = of->thread_count,
                                  .parts = one->parts,
                                  .part_count = of->part_count,
                                  .pending = of->is_same ? one->parts : one->parts + of->part_count,
                                  .pending_count = of->pending_count,
                                  .comms = one->set->comms,
                                  .comm_count = one->set->count};
}

const char *states_frames_text(const struct states *states, uint32_t site)
{
    const struct reading *reading = (const struct reading *)states;
    return site != 0 && site <= reading->text_count ? reading->texts[site].text : NULL;
}

const json_t *states_frames(const struct states *states, uint32_t site)
{
    const char *text = states_frames_text(states, site);
    if (text == NULL) {
        return NULL;
    }
    struct read_text *read = &((const struct reading *)states)->texts[site];
    if (read->frames == NULL) {
        read->frames = json_loads(text, 0, NULL);
    }
    return json_is_array(read->frames) ? read->frames : NULL;
}
