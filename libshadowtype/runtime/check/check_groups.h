/*
 * The groups of checks, one row each (check_table.c), and the calls that each of them looks at.
 *
 *     const struct st_check_group st_check_table[] = {
 *         ...
 *         {.name = "barriers", .wants = is_barrier, .before = count_barrier, .end = say_count},
 *     };
 *
 * This is all that a new group needs: every call of a function that it wants reaches it, from C, Fortran
 * and Python, in the order of the rows. A group is on if the program's user asks for its word of --check
 * (report/groups.h).
 */
#ifndef ST_RUNTIME_CHECK_CHECK_GROUPS_H
#define ST_RUNTIME_CHECK_CHECK_GROUPS_H

#include "runtime/check/check.h"

/* NULL: the group has nothing to do there. */
struct st_check_group {
    const char *name;
    /* The bits of enum st_group (report/groups.h) of which one turns it on; 0: it is always on. */
    unsigned asked;
    /* It finds nothing in a call whose quick condition holds (quick.h), so that it need not see those calls.
     * False: all calls of the functions that it wants take the long way while it is on. */
    bool quick;
    /* The same of single functions: quick calls of those with quick_message reach it another way. NULL: of none. */
    bool (*sees_quick)(const struct st_form *form);
    /* Whether it looks at calls of a function. Asked once for each function when the checks begin. */
    bool (*wants)(const struct st_form *form);
    /* When the checks begin, once in a process. */
    void (*begin)(void);
    /* Before MPI does the call, and after it has returned. */
    void (*before)(struct st_checked *checked);
    void (*after)(struct st_checked *checked, bool succeeded);
    /* A call that parameter `parameter` names a request of, its member `member`, or that ends a window's or
     * file's operations (member -1), has completed the operation of `record`. Called under the lock of the operations; a group may give it
     * back meanwhile, and then sets *locked. Returns the record, or NULL if it is gone. */
    struct st_record *(*completed)(struct st_facts *facts, int parameter, int64_t member,
                                   struct st_record *record, bool *locked);
    /* In MPI_Finalize, when the attributes of MPI_COMM_SELF are deleted. */
    void (*end)(void);
};

extern const struct st_check_group st_check_table[] __attribute__((visibility("hidden")));
extern const uint32_t st_check_table_count __attribute__((visibility("hidden")));

/* Turns on the groups that `asked` (enum st_group) asks for, and calls their begin(). */
void st_check_groups_begin(unsigned asked);

/* Of all groups that are on, and want the function of the call. */
void st_check_groups_before(struct st_checked *checked);
void st_check_groups_after(struct st_checked *checked, bool succeeded);
struct st_record *st_check_groups_completed(struct st_facts *facts, int parameter, int64_t member,
                                            struct st_record *record, bool *locked);
void st_check_groups_end(void);

/* Lets the wrappers check calls from now on, or no more. */
void st_check_switch(bool on);

/* True if a parameter has one of these roles: ST_FORM_HAS(form, ST_ROLE_DEST, ST_ROLE_SOURCE). */
#define ST_FORM_HAS(form, ...) st_form_has(form, (const uint8_t[]){__VA_ARGS__, ST_ROLE_NONE})
/* `roles` ends with ST_ROLE_NONE. */
bool st_form_has(const struct st_form *form, const uint8_t *roles);
/* True if a parameter with the role is a handle of the kind, or points to one. */
bool st_form_has_kind(const struct st_form *form, enum st_role role, enum st_kind kind);
/* True if a parameter is a buffer of this process. */
bool st_form_has_buffers(const struct st_form *form);

#endif
