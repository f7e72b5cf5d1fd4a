/*
 * Messages held against the receives that take them: what is sent is left in the memory that the ranks of a node
 * share, before MPI has it; the receiver works out which one it has got (core/agree/numbering.h), and looks.
 *
 * No message is sent for it, and nobody waits. Where the sender is on another node, or not seen, or its record was
 * overwritten, the message is counted as not compared. A process in which several threads send or receive is followed no
 * more: their messages have no order.
 */
#ifndef ST_RUNTIME_CHECK_MESSAGES_H
#define ST_RUNTIME_CHECK_MESSAGES_H

#include <stdatomic.h>

#include "core/agree/numbering.h"
#include "runtime/check/check.h"

/* MPI is initialized, and the ranks of the node share memory (node.h). Returns false if there is none for messages. */
bool st_messages_begin(void);
/* MPI_Finalize has returned: what was sent here and never received is told. */
void st_messages_end(void);
/* In a child after fork(). */
void st_messages_forget(void);

/* The group of checks (check_groups.h). It looks at quick calls, too (form->quick_message): a wrapper that calls MPI at
 * once tells it before and after, if it is on. */
bool st_messages_want(const struct st_form *form);
void st_messages_before(struct st_checked *checked);
void st_messages_after(struct st_checked *checked, bool succeeded);
struct st_record *st_messages_completed(struct st_facts *facts, int parameter, int64_t member,
                                        struct st_record *record, bool *locked);

extern atomic_bool st_messages_on __attribute__((visibility("hidden")));
static inline bool st_messages_are_on(void)
{
    return __builtin_expect(atomic_load_explicit(&st_messages_on, memory_order_relaxed), 0);
}

/* A call straight out of the program, `pc` and `sp` as in struct st_call, sends or receives one message. Returns what is to
 * be told at its end: the receive that is posted, or ST_NO_RECEIVE. */
uint32_t st_message_begins_quick(const struct st_form *form, const void *pc, const void *sp,
                                 const uint64_t *values);
/* STATUS: what MPI has filled, where the program wants no status; else NULL. */
void st_message_ends_quick(const struct st_form *form, const void *pc, const void *sp,
                           const uint64_t *values, uint32_t receive, const void *status,
                           bool succeeded);

/* MPI has cut a message, in a receiving call or in one that completes the request of `record`. Returns true if that
 * is told, with both sides. FATAL: the program does not go on. */
bool st_messages_truncated(struct st_facts *facts, const struct st_record *record, bool fatal);

#endif
