/*
 * Standing still at an error.
 */
#ifndef ST_RUNTIME_ATTACH_HOLD_H
#define ST_RUNTIME_ATTACH_HOLD_H

/* The words of 'mpipp on-error', a byte each. The end of its connection means ST_WORD_GO. */
enum { ST_WORD_GO = 'g', ST_WORD_STOP = 's' };

/* Returns when the helper says so, or a debugger has cleared shadowtype_held. Takes HELPER, and
 * closes it. */
void st_hold(int helper);

#endif
