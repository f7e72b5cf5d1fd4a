/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "runtime/report/finding.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/asked.h"
#include "report/report.h"
#include "report/sink.h"
#include "report/writer.h"
#include "runtime/attach/attach.h"
#include "runtime/report/built_for.h"
#include "runtime/report/decoded.h"
#include "runtime/report/frames.h"
#include "runtime/record/calm.h"
#include "runtime/record/change.h"
#include "runtime/wrap/launched.h"
#include "runtime/record/publish.h"
#include "runtime/wrap/python.h"
#include "runtime/record/root.h"
#include "runtime/record/sites.h"
#include "runtime/wrap/threads.h"

/* A finding that was made before: the check, where, and for which parameter. */
struct st_local_known {
    struct st_report *report; /* NULL: there were too many findings with its id */
    const char *call;         /* distinguishes functions that are called in one source line */
    int64_t count;
    uint32_t site;
    uint32_t other_site; /* ST_NO_SITE if it does not distinguish findings */
    uint8_t check;
    int8_t parameter;
    bool used;
};

_Atomic uint64_t st_check_calls, st_collective_calls, st_collective_uncompared, st_message_calls,
    st_message_uncompared, st_access_calls, st_access_uncompared, st_far_ready, st_far_wild;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct st_local_known *table;
static uint32_t log2_slots, entries;
static int64_t reports_of[ST_CHECK_COUNT], notes_of[ST_CHECK_COUNT];
static int64_t most_reports = INT64_MAX;
static int64_t numbers;
static struct st_report *last_report;

static struct st_sink sink;
static bool dropped;
static bool is_child;  /* findings are dropped for good */
static bool is_opened; /* the sink is open */
static struct st_launched early = {-1, -1};
static pid_t outside; /* the process that opened the sink before MPI_Init, or after MPI_Finalize */
static char line[ST_FINDING_ROOM], text[ST_FINDING_ROOM];

void mpipp_error(const char *json, int64_t held_at);

/* For `break mpipp_error`. If --on-error holds the rank, at finding `held_at`, it is held in this
 * function. */
__attribute__((visibility("default"), noinline)) void mpipp_error(const char *json, int64_t held_at)
{
    __asm__ volatile("" : : "r"(json) : "memory");
    if (held_at) {
        st_attach_at(held_at);
    }
    __asm__ volatile(""
                     :
                     : "r"(json)
                     : "memory"); /* prevents a tail call: the name must stay on
                                                      the stack */
}

/* How long a thread, and the end of the process, wait while another thread writes a report. */
enum { MILLISECONDS_TO_WAIT = 60000, MILLISECONDS_TO_END = 2000 };

static atomic_bool lost; /* a thread left the library while it held the mutex */

/* --- known findings ------------------------------------------------------------------------ */

static struct st_local_known *probe_known(const struct st_local_known *like)
{
    uint64_t hash = ((uint64_t)like->site << 16) + ((uint64_t)like->check << 8) +
                    (uint8_t)like->parameter + ((uint64_t)like->other_site << 40) +
                    (uintptr_t)like->call;
    uint32_t mask = (1u << log2_slots) - 1;
    uint32_t at = (uint32_t)(hash * UINT64_C(0x9E3779B97F4A7C15) >> (64 - log2_slots));
    while (table[at].used &&
           (table[at].call != like->call || table[at].check != like->check ||
            table[at].site != like->site || table[at].other_site != like->other_site ||
            table[at].parameter != like->parameter)) {
        at = (at + 1) & mask;
    }
    return &table[at];
}

static bool make_finding_room(void)
{
    if (table && entries < 1u << (log2_slots - 1)) {
        return true;
    }
    struct st_local_known *old = table;
    uint32_t log2_old = log2_slots;
    uint32_t log2_new = old ? log2_old + 1 : 8;
    struct st_local_known *larger = st_map(sizeof(struct st_local_known) << log2_new);
    if (!larger) {
        return false;
    }
    table = larger;
    log2_slots = log2_new;
    for (uint32_t i = 0; old && i < 1u << log2_old; i++) {
        if (old[i].used) {
            *probe_known(&old[i]) = old[i];
        }
    }
    if (old) {
        st_unmap(old, sizeof(struct st_local_known) << log2_old);
    }
    return true;
}

/* In the place of a parameter. A note must not hide an error or a warning at the same place. */
enum { NOTE = -2 };

static bool is_note(const struct st_found *found)
{
    return found->severity == ST_SEVERITY_NOTE;
}

static struct st_local_known like_of(const struct st_found *found, const char *call, uint32_t site)
{
    return (struct st_local_known){.call = call,
                                   .site = site,
                                   .other_site = found->by_other ? found->other_site : ST_NO_SITE,
                                   .check = (uint8_t)found->check,
                                   .parameter = (int8_t)(is_note(found) ? NOTE : found->parameter),
                                   .used = true};
}

/* Returns a new entry, which must be reported; NULL if the finding is known, or if there is no
 * memory. */
static struct st_local_known *new_known(const struct st_found *found, const char *call,
                                        uint32_t site, int64_t count)
{
    if (!make_finding_room()) {
        return NULL;
    }
    const struct st_local_known like = like_of(found, call, site);
    struct st_local_known *known = probe_known(&like);
    known->count += count;
    if (known->used) {
        if (known->report) {
            bool locked = st_change_begin();
            st_publish64(&known->report->count, (uint64_t)known->count);
            st_change_end(locked);
        }
        return NULL;
    }
    *known = like;
    known->count = count;
    entries++;
    return known;
}

/* --- output -------------------------------------------------------------------------------- */

/* Keeps a report for a debugger. Returns NULL if there is no memory. */
static struct st_report *keep_report(const char *json, size_t bytes)
{
    static char *room, *room_end;
    size_t whole = (sizeof(struct st_report) + bytes + 1 + 7) / 8 * 8; /* with a terminating 0 */
    if ((size_t)(room_end - room) < whole) {
        size_t chunk = ST_FINDING_ROOM * 4;
        char *fresh = st_map(chunk);
        if (!fresh) {
            return NULL;
        }
        room = fresh;
        room_end = fresh + chunk;
    }
    struct st_report *report = (struct st_report *)(void *)room;
    room += whole;
    *report = (struct st_report){
        .magic = ST_REPORT_MAGIC, .number = (uint32_t)numbers, .count = 1, .bytes = bytes};
    memcpy(report + 1, json, bytes);
    bool locked = st_change_begin();
    st_publish64(last_report ? &last_report->next : &st_root.reports, st_address(report));
    st_publish64(&st_root.report_count, st_root.report_count + 1);
    st_change_end(locked);
    last_report = report;
    return report;
}

/* The arguments of mpipp_error(), which is called when the report has been written. */
struct st_told {
    const char *json; /* NULL: nothing was reported */
    int64_t held_at;
};

static struct st_told give_out(const struct st_finding *finding, struct st_local_known *known)
{
    size_t length = st_finding_json(finding, line, sizeof line - 1);
    line[length] = 0;
    if (st_finding_severity(finding) == ST_SEVERITY_NOTE) {
        st_sink_line(&sink, line, length); /* only for 'mpipp run': no debugger stops here */
        return (struct st_told){0};
    }
    known->report = keep_report(line, length);
    if (!st_sink_line(&sink, line, length)) {
        const struct st_look look = {.colour = isatty(STDERR_FILENO) == 1};
        size_t size = st_asked_text(secure_getenv("MPIPP_LINES"), line, length, look.colour, text,
                                    sizeof text);
        st_sink_text(text, size ? size : st_finding_text(finding, &look, text, sizeof text));
    }
    bool holds = st_attach_wanted() && st_finding_severity(finding) == ST_SEVERITY_ERROR;
    return (struct st_told){.json = known->report ? (const char *)(known->report + 1) : line,
                            .held_at = holds ? finding->number : 0};
}

static struct st_launched this_rank(void)
{
    return st_root.world_rank >= 0 ? (struct st_launched){st_root.world_rank, st_root.world_size}
                                   : early;
}

/* The caller holds the mutex. */
static struct st_told compose_finding(struct st_facts *facts, const struct st_found *found,
                                      const char *call, const uint64_t *frames,
                                      struct st_local_known *known)
{
    static struct st_places places;
    static struct st_decoded decoded;
    places.used = places.text_used = 0;
    struct st_finding finding = {
        .check = found->check,
        .severity = found->severity,
        .number = ++numbers,
        .count = known->count,
        .rank = this_rank().rank,
        .process = getpid(),
        .message = found->message,
        .call = call,
        .site = st_places_of(&places, frames, st_root.site_frames),
        .advice = found->advice,
    };
    st_decode(&decoded, facts, found, &places);
    finding.elements = decoded.spots.elements;
    finding.element_count = decoded.spots.count;
    finding.arguments = decoded.arguments;
    finding.argument_count = decoded.argument_count;
    finding.types = decoded.types;
    finding.type_count = decoded.type_count;
    if (found->element_count) {
        finding.elements = found->elements;
        finding.element_count = found->element_count;
    }
    struct st_other_call others[2];
    finding.others = others;
    if (found->other_call) {
        others[finding.other_count++] =
            (struct st_other_call){.rank = st_root.world_rank,
                                   .call = found->other_call,
                                   .remark = found->other_remark,
                                   .site = st_places_of_site(&places, found->other_site),
                                   .arguments = found->other_arguments,
                                   .argument_count = found->other_argument_count};
    }
    if (found->made_call) {
        others[finding.other_count++] =
            (struct st_other_call){.rank = st_root.world_rank,
                                   .call = found->made_call,
                                   .site = st_places_of_site(&places, found->made_site)};
    }
    if (found->between) {
        finding.subject = found->between->subject;
        finding.others = found->between->others;
        finding.other_count = found->between->other_count;
        finding.lines = found->between->lines;
        finding.line_count = found->between->line_count;
        finding.ranks = found->between->ranks;
        finding.rank_count = found->between->rank_count;
    }
    return give_out(&finding, known);
}

/* True if this thread is in count_again(), or has left it by a longjmp() out of a signal handler. */
static _Thread_local volatile bool counts __attribute__((tls_model("initial-exec")));

/* Counts a known finding without a system call, because it may come millions of times. Returns
 * false if it may be new. */
static bool count_again(const struct st_found *found, const char *call, uint32_t site,
                        int64_t count)
{
    int cancellation;
    bool known = false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    counts = true;
    if (pthread_mutex_trylock(&mutex) == 0) {
        const struct st_local_known like = like_of(found, call, site);
        known =
            dropped || (table && probe_known(&like)->used && !new_known(found, call, site, count));
        pthread_mutex_unlock(&mutex);
    }
    counts = false;
    pthread_setcancelstate(cancellation, NULL);
    return known;
}

static void report_found(struct st_facts *facts, const struct st_found *found, const char *call,
                         const uint64_t *frames, uint32_t site, int64_t count)
{
    int saved = errno;
    struct st_calm calm;
    struct st_told told = {0};
    if (counts || atomic_load(&lost) || count_again(found, call, site, count)) {
        return;
    }
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_WAIT)) {
        atomic_store(&lost, true);
        return;
    }
    struct st_local_known *known = dropped ? NULL : new_known(found, call, site, count);
    int64_t *reports = is_note(found) ? &notes_of[found->check] : &reports_of[found->check];
    if (known && (*reports)++ < most_reports) {
        told = compose_finding(facts, found, call, frames, known);
    }
    st_calm_unlock(&calm, &mutex);
    if (told.json) {
        mpipp_error(told.json, told.held_at); /* without a lock: a thread that is held may leave
                                                 by exit() */
    }
    errno = saved;
}

/* Finds the call site. If mpi4py calls, it includes the line of Python, also in a call for which
 * mpi4py has released the interpreter's lock. */
static void find_site(const struct st_call *call, struct st_site *site)
{
    int state;
    bool entered = call->caller == ST_CALLER_PYTHON && st_python_enter(&state);
    st_site_of(call->pc, call->sp, call->caller, site);
    if (entered) {
        st_python_leave(state);
    }
}

void st_find(struct st_facts *facts, const struct st_found *found)
{
    if (found->parameter >= 0 && !found->by_other) {
        if (st_found_at(facts, found->parameter)) {
            return;
        }
        facts->found |= UINT32_C(1) << found->parameter;
    }
    struct st_thread_call *shown = st_thread_call_at(facts->call->sp);
    if (shown) {
        st_thread_call_mark(shown, ST_CALL_FOUND);
    }
    struct st_site site;
    find_site(facts->call, &site);
    bool locked = st_lock();
    uint32_t number = st_site_intern(site.frames);
    st_unlock(locked);
    report_found(facts, found, facts->form->name, site.frames, number, 1);
}

void st_find_at(const struct st_found *found, const char *call, uint32_t site, int64_t count)
{
    uint64_t frames[ST_SITE_FRAMES] = {0};
    st_site_read(site, frames);
    report_found(NULL, found, call, frames, site, count);
}

/* --- the first and the last record --------------------------------------------------------- */

static void read_most(void)
{
    const char *most = secure_getenv("MPIPP_MAX_REPORTS");
    char *end;
    long long number = most ? strtoll(most, &end, 10) : 0;
    if (number > 0 && !*end) {
        most_reports = number;
    }
}

static void write_note(const char *sentence)
{
    if (st_sink_line(&sink, line, st_note_json(sentence, line, sizeof line))) {
        return;
    }
    struct st_writer writer = {text, sizeof text, 0};
    st_put(&writer, "mpipp: ");
    st_put(&writer, sentence);
    st_put(&writer, "\n");
    st_sink_text(text, writer.length < writer.room ? writer.length : writer.room);
}

/* Writes a sentence about this rank only: each rank writes its own. */
static void say_sentence(const char *sentence)
{
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_WAIT)) {
        return;
    }
    write_note(sentence);
    st_calm_unlock(&calm, &mutex);
}

static void note_other_mpi(void)
{
    char sentence[320];
    if (st_built_for_other(st_root.mpi_version, sentence, sizeof sentence)) {
        st_findings_note(sentence);
    }
}

void st_findings_begin(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    const struct st_launched launched = this_rank();
    const struct st_begin begin = {.rank = launched.rank,
                                   .size = launched.size,
                                   .process = getpid(),
                                   .host = host,
                                   .mpi = st_root.mpi_version,
                                   .program = text,
                                   .world = (int64_t)st_root.world};
    bool first = !is_opened;
    is_opened = true;
    if (first) {
        read_most();
        st_sink_open(&sink, secure_getenv("MPIPP_REPORTS"), host);
    }
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_WAIT)) {
        return;
    }
    ssize_t length = readlink("/proc/self/exe", text, sizeof text - 1);
    text[length > 0 ? length : 0] = 0;
    st_sink_line(&sink, line, st_begin_json(&begin, line, sizeof line));
    outside = 0;
    st_calm_unlock(&calm, &mutex);
    if (first) {
        note_other_mpi();
        st_attach_begin(say_sentence);
    }
}

void st_findings_reopen(void)
{
    if (!is_opened) {
        early = st_launched();
        st_mpi_read_version();
        st_findings_begin();
    }
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_WAIT)) {
        return;
    }
    dropped = is_child;
    outside = is_child ? 0 : getpid();
    st_calm_unlock(&calm, &mutex);
}

void st_findings_close(void)
{
    if (outside == getpid()) {
        st_findings_end(true);
    }
}

void st_findings_note(const char *sentence)
{
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_WAIT)) {
        return;
    }
    if (st_root.world_rank <= 0 || atomic_load(&sink.way) != ST_SINK_NONE) {
        write_note(sentence);
    }
    st_calm_unlock(&calm, &mutex);
}

/* exit() calls this, too: it must not wait for a thread that will never finish writing. */
void st_findings_end(bool whole)
{
    int saved = errno;
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_END)) {
        return;
    }
    for (uint32_t i = 0; table && !dropped && i < 1u << log2_slots; i++) {
        if (table[i].used && table[i].report && table[i].count > 1) {
            st_sink_line(&sink, line,
                         st_count_json(table[i].report->number, table[i].count, line, sizeof line));
        }
    }
    const struct st_end_counts last = {.calls = (int64_t)atomic_load(&st_check_calls),
                                       .collectives = (int64_t)atomic_load(&st_collective_calls),
                                       .uncompared =
                                           (int64_t)atomic_load(&st_collective_uncompared),
                                       .messages = (int64_t)atomic_load(&st_message_calls),
                                       .unmatched = (int64_t)atomic_load(&st_message_uncompared),
                                       .accesses = (int64_t)atomic_load(&st_access_calls),
                                       .unordered = (int64_t)atomic_load(&st_access_uncompared),
                                       .ready = (int64_t)atomic_load(&st_far_ready),
                                       .wild = (int64_t)atomic_load(&st_far_wild)};
    if (!dropped && whole) {
        st_sink_line(&sink, line, st_end_json(&last, line, sizeof line));
    }
    dropped = true;
    st_calm_unlock(&calm, &mutex);
    errno = saved;
}

void st_findings_exit(int status)
{
    int saved = errno;
    struct st_calm calm;
    if (!st_calm_lock(&calm, &mutex, MILLISECONDS_TO_END)) {
        return;
    }
    if (!is_child && atomic_load(&sink.way) == ST_SINK_FILE) {
        st_sink_line(&sink, line, st_exit_json(status, line, sizeof line));
    }
    st_calm_unlock(&calm, &mutex);
    errno = saved;
}

void st_findings_resume(void)
{
    pthread_mutex_lock(&mutex);
    dropped = false;
    pthread_mutex_unlock(&mutex);
}

void st_findings_drop(void)
{
    pthread_mutex_init(&mutex, NULL);
    dropped = is_child = true;
}
