/*
 * Who asks for memory: where malloc returns to, or, past C++'s operator new, where that does.
 */
#ifndef ST_HEAP_CALLER_H
#define ST_HEAP_CALLER_H

/* malloc returns to `pc`, with the stack pointer `sp` then. */
const void *st_heap_caller(const void *pc, const void *sp);

#endif
