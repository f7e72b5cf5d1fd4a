/*
 * GDB/MI for frontends that look at a variable's numchild alone (Eclipse CDT.cloud's adapter). Of a
 * variable whose children a printer makes gdb says numchild="0" and has_more="1", as its manual
 * tells; such a frontend shows it as a leaf. Here it is numchild="1".
 */
#ifndef MPIPP_MI_UNFOLD_H
#define MPIPP_MI_UNFOLD_H

#include <stddef.h>

/* Rewrites a result record that begins with '^', without its newline, LENGTH bytes. Returns the
 * text to write in its place and stores its length: RECORD itself, changed, or a constant. */
const char *mi_unfold_record(char *record, size_t *length);

/* From here on what this process writes to its standard output goes through another process, which
 * rewrites result records and ends when nobody is left to write. It is no child of this one. */
void mi_unfold_output(void);

#endif
