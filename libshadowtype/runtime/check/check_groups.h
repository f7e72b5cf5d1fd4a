/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of checks, one row each (check_table.c), and the calls that each of them looks at.
 *
 *     const struct st_check_group st_check_table[] = {
 *         ...
 *         {.name = "barriers", .wants = is_barrier, .before = count_barrier, .end = say_count},
 *     };
 *
 * This is all that a new group needs: it gets every call of the functions that it wants, from C,
 * Fortran and Python, in the order of the rows. A group is on if the user asks for its word of
 * --check (report/groups.h).
 */
#ifndef ST_RUNTIME_CHECK_CHECK_GROUPS_H
#define ST_RUNTIME_CHECK_CHECK_GROUPS_H

#include "runtime/check/check.h"

/* NULL members: the group has nothing to do then. */
struct st_check_group {
    const char *name;
    /* The bits of enum st_group (report/groups.h) that turn it on; 0: it is always on. */
    unsigned asked;
    /* True if it never finds anything in a call whose quick condition holds (quick.h): it need not
     * see those calls. False: while it is on, all calls of the functions that it wants are slow. */
    bool quick;
    /* The same for single functions: the group gets quick calls of those with quick_message,
     * or quick_access, in another way. NULL: for no function. */
    bool (*sees_quick)(const struct st_form *form);
    /* Returns true if it looks at calls of a function. Called once for each function when the
     * checks begin. */
    bool (*wants)(const struct st_form *form);
    /* Called when the checks begin, once in a process. */
    void (*begin)(void);
    /* Called before MPI carries out the call, and after it has returned. */
    void (*before)(struct st_checked *checked);
    void (*after)(struct st_checked *checked, bool succeeded);
    /* Called when a call has completed the operation of `record`: the call has its request as
     * parameter `parameter`, member `member`, or ends the operations of a window or file (member
     * -1). The caller holds the lock of the operations; a group may release it meanwhile, and then
     * sets *locked. Returns the record, or NULL if it is gone. */
    struct st_record *(*completed)(struct st_facts *facts, int parameter, int64_t member,
                                   struct st_record *record, bool *locked);
    /* Called in MPI_Finalize, when the attributes of MPI_COMM_SELF are deleted. */
    void (*end)(void);
};

extern const struct st_check_group st_check_table[] __attribute__((visibility("hidden")));
extern const uint32_t st_check_table_count __attribute__((visibility("hidden")));

/* One more group, after those of the table, if the program or a preloaded library defines it. For
 * tests: they see every call of the library as it is built, with no other build of it. */
extern const struct st_check_group shadowtype_more_checks
    __attribute__((weak, visibility("default")));

/* Turns on the groups that `asked` (enum st_group) selects, and calls their begin(). Not inlined:
 * tests/stop does not stop in it, and finds it by its symbol. */
void st_check_groups_begin(unsigned asked) __attribute__((cold, noinline));

/* Calls the functions of all groups that are on and want the function of the call. */
void st_check_groups_before(struct st_checked *checked);
void st_check_groups_after(struct st_checked *checked, bool succeeded);
extern uint32_t st_check_with_completed __attribute__((visibility("hidden")));
struct st_record *st_check_call_completed(struct st_facts *facts, int parameter, int64_t member,
                                          struct st_record *record, bool *locked);
static inline struct st_record *st_check_groups_completed(struct st_facts *facts, int parameter,
                                                          int64_t member, struct st_record *record,
                                                          bool *locked)
{
    return st_check_with_completed
               ? st_check_call_completed(facts, parameter, member, record, locked)
               : record;
}
void st_check_groups_end(void);

/* Makes the wrappers check calls from now on, or not any more. */
void st_check_switch(bool on);

/* True if a parameter has one of these roles: ST_FORM_HAS(form, ST_ROLE_DEST, ST_ROLE_SOURCE). */
#define ST_FORM_HAS(form, ...) st_form_has(form, (const uint8_t[]){__VA_ARGS__, ST_ROLE_NONE})
/* `roles` ends with ST_ROLE_NONE. */
static inline bool st_form_has(const struct st_form *form, const uint8_t *roles)
{
    for (; *roles != ST_ROLE_NONE; roles++) {
        if (form->roles[*roles / 64] >> *roles % 64 & 1) {
            return true;
        }
    }
    return false;
}
/* True if a parameter with the role is a handle of the kind, or points to one. */
bool st_form_has_kind(const struct st_form *form, enum st_role role, enum st_kind kind);
/* True if a parameter is a buffer of this process. */
bool st_form_has_buffers(const struct st_form *form);

#endif
