#include "pending.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void wrong(struct pending *pending, const char *format,
                                                        ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!pending->wrong[0]) {
        vsnprintf(pending->wrong, sizeof pending->wrong, format, arguments);
    }
    va_end(arguments);
}

static void wrong_read(struct pending *pending, const char *what, const struct st_fault *fault)
{
    wrong(pending, "%s: error %d, %s %" PRIu64 ", address 0x%" PRIx64, what, (int)fault->error,
          fault->field ? fault->field : "-", fault->value, fault->address);
}

/* --- operations --------------------------------------------------------------------------------
 */

/* A list has the oldest first: the smallest serial. */
static const struct st_operation *find(const struct st_operation_list *list, uint64_t serial)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->operations[middle].record.serial < serial) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < list->count && list->operations[low].record.serial == serial;
    return found ? &list->operations[low] : NULL;
}

static bool same_buffers(const struct st_operation_list *a, const struct st_operation *x,
                         const struct st_operation_list *b, const struct st_operation *y)
{
    if (x->buffer_count != y->buffer_count) {
        return false;
    }
    for (size_t i = 0; i < x->buffer_count; i++) {
        const struct st_record_buffer *p = &a->buffers[x->first_buffer + i];
        const struct st_record_buffer *q = &b->buffers[y->first_buffer + i];
        if (p->address != q->address || p->count != q->count || p->type != q->type ||
            p->access != q->access) {
            return false;
        }
    }
    return true;
}

/* One that was there before: its handle comes when its call returns. */
static bool same(const struct st_operation_list *a, const struct st_operation *x,
                 const struct st_operation_list *b, const struct st_operation *y)
{
    const struct st_record *p = &x->record, *q = &y->record;
    bool settled = !(p->flags & ST_RECORD_RUNNING);
    return p->kind == q->kind && p->comm == q->comm && p->site == q->site && p->peer == q->peer &&
           p->tag == q->tag && p->thread == q->thread && p->function == q->function &&
           (!settled || (p->handle == q->handle && p->variable == q->variable)) &&
           same_buffers(a, x, b, y);
}

static void check_new(struct pending *pending, const struct st_operation_list *list,
                      const struct st_operation *operation)
{
    const struct st_record *record = &operation->record;
    if (++pending->begun > pending->rule.begins) {
        wrong(pending, "operation #%" PRIu64 " of %s, which nobody began", record->serial,
              operation->function);
    }
    if (pending->rule.ends == 0 && strcmp(operation->function, pending->rule.function) != 0) {
        wrong(pending, "a new operation of %s", operation->function);
    }
    if (pending->rule.tag >= 0 && record->tag != pending->rule.tag) {
        wrong(pending, "a new operation with tag %" PRId32, record->tag);
    }
    for (size_t i = 0; i < operation->buffer_count; i++) {
        const struct st_record_buffer *buffer = &list->buffers[operation->first_buffer + i];
        if (!buffer->address || (buffer->access != ST_READ && buffer->access != ST_WRITE)) {
            wrong(pending, "a new operation whose buffer is not filled in");
        }
    }
}

static void check_operations(struct pending *pending, const struct st_operation_list *now)
{
    for (size_t i = 0; i < now->count; i++) {
        const struct st_operation *operation = &now->operations[i];
        const struct st_operation *before = find(&pending->list, operation->record.serial);
        if (!before) {
            check_new(pending, now, operation);
        } else if (!same(&pending->list, before, now, operation)) {
            wrong(pending, "operation #%" PRIu64 " is another one now", operation->record.serial);
        }
    }
    for (size_t i = 0; i < pending->list.count; i++) {
        const struct st_record *record = &pending->list.operations[i].record;
        if (!find(now, record->serial) && ++pending->ended > pending->rule.ends) {
            wrong(pending, "operation #%" PRIu64 " is gone, which nobody ended", record->serial);
        }
    }
}

static bool read_operations(struct pending *pending, struct st_registry *registry,
                            struct st_operation_list *list)
{
    struct st_damage damage;
    struct st_fault fault = {0};
    if (st_registry_operations(registry, list, &damage, &fault)) {
        wrong_read(pending, "the operations", &fault);
        return false;
    }
    if (damage.fault.error || damage.read != damage.all) {
        wrong_read(pending, "an operation", &damage.fault);
    }
    return true;
}

/* --- the call ----------------------------------------------------------------------------------
 */

/* The outermost call of the only thread that calls MPI. */
static bool read_call(struct pending *pending, struct st_registry *registry,
                      struct st_thread_call *call)
{
    uint64_t address = st_registry_root(registry)->threads;
    *call = (struct st_thread_call){0};
    for (uint32_t number = 0; address;) {
        struct st_thread thread;
        struct st_fault fault = {0};
        if (st_registry_thread(registry, &address, &number, &thread, &fault)) {
            wrong_read(pending, "a thread", &fault);
            return false;
        }
        if (thread.id && call->pc) {
            wrong(pending, "there is a second thread");
        }
        if (thread.id) {
            *call = thread.calls[0];
        }
    }
    return true;
}

static bool is_running(const struct st_thread_call *call)
{
    return (call->state & UINT32_MAX) == ST_CALL_RUNNING;
}

static void check_arguments(struct pending *pending, const struct st_call_form *form,
                            const struct st_thread_call *call)
{
    if (pending->rule.function[0] && strcmp(form->function, pending->rule.function) != 0) {
        wrong(pending, "a call of %s", form->function);
    }
    for (size_t i = 0; i < form->count && pending->rule.tag >= 0; i++) {
        if (strcmp(form->parameters[i].name, "tag") == 0 &&
            (int64_t)call->values[i] != pending->rule.tag) {
            wrong(pending, "a call with tag %" PRId64, (int64_t)call->values[i]);
        }
    }
}

/* A call runs, and returns as it was; or there is none; or another one runs, which has its name. */
static void check_call(struct pending *pending, struct st_registry *registry,
                       const struct st_thread_call *now)
{
    const struct st_thread_call *before = &pending->call;
    struct st_call_form form;
    struct st_fault fault = {0};
    uint32_t state = (uint32_t)now->state;
    if (state == ST_CALL_NONE) {
        if (is_running(before)) {
            wrong(pending, "%s runs no more, and has not returned", pending->function);
        }
        return;
    }
    if (state != ST_CALL_RUNNING && state != ST_CALL_RETURNED) {
        wrong(pending, "a call in state %" PRIu64, now->state);
    }
    bool same = now->form == before->form && now->site == before->site && now->pc == before->pc &&
                now->sp == before->sp &&
                memcmp(now->values, before->values, sizeof now->values) == 0;
    bool goes_on = (uint32_t)before->state != ST_CALL_NONE && (state == ST_CALL_RETURNED || same);
    if (goes_on && !same) {
        wrong(pending, "%s returned as another call", pending->function);
    }
    if (state == ST_CALL_RETURNED && (uint32_t)before->state == ST_CALL_NONE) {
        wrong(pending, "a call has returned that never ran");
    }
    if (same && goes_on) {
        return;
    }
    if (st_registry_form(registry, now->form, &form, &fault)) {
        wrong_read(pending, "the form of a call", &fault);
        return;
    }
    snprintf(pending->function, sizeof pending->function, "%s", form.function);
    check_arguments(pending, &form, now);
}

/* --- stops -------------------------------------------------------------------------------------
 */

static bool look(struct pending *pending, bool begins, st_read_fn read, void *context,
                 uint64_t root)
{
    struct st_registry *registry;
    struct st_operation_list list;
    struct st_thread_call call;
    struct st_fault fault = {0};
    if (st_registry_open(&registry, read, context, root, &fault)) {
        wrong_read(pending, "the root", &fault);
        return false;
    }
    if (read_call(pending, registry, &call)) {
        if (!begins) {
            check_call(pending, registry, &call);
        }
        pending->call = call;
    }
    if (read_operations(pending, registry, &list)) {
        if (!begins) {
            check_operations(pending, &list);
        }
        st_operations_free(&pending->list);
        pending->list = list;
    }
    st_registry_close(registry);
    return !pending->wrong[0];
}

bool pending_begin(struct pending *pending, const struct stop_operations *rule, st_read_fn read,
                   void *context, uint64_t root)
{
    pending->rule = *rule;
    pending->begun = pending->ended = 0;
    pending->wrong[0] = 0;
    return look(pending, true, read, context, root);
}

bool pending_look(struct pending *pending, st_read_fn read, void *context, uint64_t root)
{
    pending->wrong[0] = 0;
    return look(pending, false, read, context, root);
}

bool pending_end(struct pending *pending)
{
    const struct stop_operations *rule = &pending->rule;
    pending->wrong[0] = 0;
    if (pending->begun != rule->begins || pending->ended != rule->ends) {
        wrong(pending,
              "%" PRIu32 " operations have come and %" PRIu32 " gone, not %" PRIu32 " and %" PRIu32,
              pending->begun, pending->ended, rule->begins, rule->ends);
    }
    if (rule->function[0] && strcmp(pending->function, rule->function) != 0) {
        wrong(pending, "no call of %s was seen", rule->function);
    }
    return !pending->wrong[0];
}

void pending_free(struct pending *pending)
{
    st_operations_free(&pending->list);
}
