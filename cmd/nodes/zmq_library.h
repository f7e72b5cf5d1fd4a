/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ZeroMQ, loaded when a job has several nodes: `mpipp exec`, which starts each rank, must not take the
 * time, and mpipp runs without it.
 *
 *     const struct zmq *zmq = zmq_load();
 *     if (zmq == NULL) { ... zmq_why_not() ... }
 */
#ifndef MPIPP_NODES_ZMQ_LIBRARY_H
#define MPIPP_NODES_ZMQ_LIBRARY_H

#include <zmq.h>

#define ZMQ_FUNCTIONS(X)                                                                           \
    X(zmq_ctx_new)                                                                                 \
    X(zmq_ctx_set)                                                                                 \
    X(zmq_ctx_term)                                                                                \
    X(zmq_socket)                                                                                  \
    X(zmq_close)                                                                                   \
    X(zmq_setsockopt)                                                                              \
    X(zmq_getsockopt)                                                                              \
    X(zmq_bind)                                                                                    \
    X(zmq_connect)                                                                                 \
    X(zmq_disconnect)                                                                              \
    X(zmq_send)                                                                                    \
    X(zmq_poll)                                                                                    \
    X(zmq_socket_monitor)                                                                          \
    X(zmq_msg_init)                                                                                \
    X(zmq_msg_recv)                                                                                \
    X(zmq_msg_data)                                                                                \
    X(zmq_msg_size)                                                                                \
    X(zmq_msg_more)                                                                                \
    X(zmq_msg_close)                                                                               \
    X(zmq_curve_keypair)                                                                           \
    X(zmq_curve_public)                                                                            \
    X(zmq_z85_encode)                                                                              \
    X(zmq_z85_decode)                                                                              \
    X(zmq_has)

struct zmq {
#define X(name) __typeof__(&name) name; /* NOLINT(bugprone-macro-parentheses) */
    ZMQ_FUNCTIONS(X)
#undef X
};

/* Returns NULL if it is not installed, or cannot encrypt. */
const struct zmq *zmq_load(void);
/* Why not, as a part of a sentence. */
const char *zmq_why_not(void);

#endif
