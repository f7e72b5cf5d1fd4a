/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GDB/MI for frontends that use only a variable's numchild (Eclipse CDT.cloud's adapter). For a
 * variable whose children a printer makes, gdb reports numchild="0" and has_more="1", as its manual
 * says; such a frontend shows it as a leaf. This module changes it to numchild="1".
 */
#ifndef MPIPP_MI_UNFOLD_H
#define MPIPP_MI_UNFOLD_H

#include <stddef.h>

/* Rewrites a result record of LENGTH bytes that begins with '^', without its newline. Returns the
 * text to write in its place, and stores its length. The text is RECORD itself, changed, or a
 * constant. */
const char *mi_unfold_record(char *record, size_t *length);

/* From here on, the standard output of this process goes through another process, which rewrites
 * result records. That one ends when no writer is left. It is not a child of this process. */
void mi_unfold_output(void);

#endif
