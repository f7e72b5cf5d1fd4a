/* SPDX-License-Identifier: BSD-3-Clause */
/* What a report of a message that does not match its receive advises. */
#ifndef ST_CORE_AGREE_MESSAGE_ADVICE_H
#define ST_CORE_AGREE_MESSAGE_ADVICE_H

#include "report/catalogue.h"

const char *st_message_advice(enum st_check check);

#endif
