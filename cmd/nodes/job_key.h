/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a process of the job needs to reach `mpipp run`: it is passed in the launcher's environment,
 * never on a command line.
 *
 *     MPIPP_GATHER = HOST,NONCE,SERVER,SECRET,ADDRESS,ADDRESS...
 *
 * SERVER is the public key of `mpipp run`, SECRET the secret key of all agents of the job, both in
 * hexadecimal; an ADDRESS is ZeroMQ's: "tcp://192.0.2.7:40123".
 */
#ifndef MPIPP_NODES_JOB_KEY_H
#define MPIPP_NODES_JOB_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define GATHER_VARIABLE "MPIPP_GATHER"
#define NODE_SIZE_VARIABLE "MPIPP_NODE_SIZE"

enum { KEY_BYTES = 32, MOST_ADDRESSES = 16 };

struct job_key {
    char host[256]; /* of `mpipp run` */
    uint64_t nonce; /* of the job (core/agree/segment.h) */
    unsigned char server[KEY_BYTES];
    unsigned char secret[KEY_BYTES];
    const char *addresses[MOST_ADDRESSES + 1]; /* to be tried in this order; NULL after the last */
};

/* Reads the variable's text, which it changes and keeps. Returns false if it is not of this form. */
bool job_key_read(char *text, struct job_key *key);

/* The variable's text, in new memory; NULL if memory runs out. */
char *job_key_text(const struct job_key *key);

/* The node of the process with this rank, 0 being that of `mpipp run`. Nodes are hosts; for tests
 * MPIPP_NODE_SIZE=N makes a node of each N ranks in a row. RANK -1: not known. */
uint32_t job_key_node(const struct job_key *key, const char *host, int rank);
#define ANOTHER_HOST UINT32_MAX

#endif
