/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which functions of MPI order two ranks, by their names and parameters, for those who follow that (onesided.h).
 */
#ifndef ST_RUNTIME_CHECK_ORDER_H
#define ST_RUNTIME_CHECK_ORDER_H

#include "runtime/wrap/facts.h"

/* The receiver is before what comes after them. */
bool st_order_is_synchronous(const struct st_form *form);
/* After them, the caller may know what others have done; it is not followed which others. */
bool st_order_may_learn(const struct st_form *form);
/* MPI_Win_create and its like. */
bool st_order_makes_window(const struct st_form *form);
/* It only begins an operation: what it orders, its completion does. */
bool st_order_is_later(const struct st_form *form);
/* MPI_Scan and its like: lower ranks are before higher ones. */
bool st_order_is_scan(const struct st_form *form);
/* A message whose sender and receiver the matching of messages finds (matched.h). */
bool st_order_is_message(const struct st_form *form);

#endif
