/*
 * This thread's calls that have sent or received and have not returned. An error handler of the program may leave
 * such a call by longjmp() or an exception: what it has done is not known then.
 */
#ifndef ST_RUNTIME_CHECK_UNRETURNED_H
#define ST_RUNTIME_CHECK_UNRETURNED_H

#include <stdbool.h>
#include <stdint.h>

struct st_unreturned {
    const void *pc, *sp; /* as in struct st_call */
    uint32_t receive;    /* that it has posted; ST_NO_RECEIVE: none */
    bool sends;
    bool begins;   /* operations of requests that were there before */
    uint64_t comm; /* whose message it sends: its id */
};

/* Adds a call. */
void st_unreturned_add(const struct st_unreturned *call);

/* A call begins with the stack pointer `sp`. Removes a call of this thread that was left, and stores it. Returns false
 * if there is none. */
bool st_unreturned_left(const void *sp, struct st_unreturned *left);

/* The call with this stack pointer returns. Removes it; calls that it has made in callbacks and that were left are
 * removed first, one at a time, as above. */
bool st_unreturned_left_inside(const void *sp, struct st_unreturned *left);

/* Returns the receive that the innermost call has posted; ST_NO_RECEIVE: none. */
uint32_t st_unreturned_receive(void);

#endif
