/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The form of what agents say of their ranks (states.h), shared by who writes it and who reads it. All numbers are those of
 * stream.h.
 *
 *     tables   how many, and each as a block: texts; groups; sets of communicators; classes
 *     ranks    how many, and of each: pid less that of the one before, identity (a word), flags, its class + 1 (0: it was not
 *              read), its world rank, its set, its own numbers (a block), its messages (a block)
 *
 *     group    members, runs; of each run: first gpid, step, count
 *     set      communicators; of each: kind, flags, id (a word), begun, size, name, then what the flags say
 *     class    presence, world, size of the world, flags of its messages, job (a word),
 *              threads; of each: flags, first, count, function, site
 *              parts; those that are pending + 1, 0: they are the same as the parts; of each of both: flags, communicator + 1,
 *              n, starts, function, site, handle
 *     own      of each part: peer, tag, and if its flags say so: world, process
 *              (a communicator that only this rank has, and that no part has, is left out of the set)
 *     messages counts of those sent, and received: how many, and of each: rank less that before, number
 *
 * A text, group or set is its number in the table. 0 is the empty text, and the site that is not known.
 */
#ifndef MPIPP_NODES_STATES_INTERNAL_H
#define MPIPP_NODES_STATES_INTERNAL_H

enum states_flag { STATES_READ = 1, STATES_STUCK = 2, STATES_STOPPED = 4 };

enum states_comm_flag {
    STATES_INTER = 1,
    STATES_LISTED = 2, /* its members: the number of a group */
    STATES_OWN = 4,    /* the members of the own side: the number of a group */
    STATES_PEERS = 8 /* own rank, runs of peers; of each: count, started, completed, posted, lock */
};

enum states_thread_flag { STATES_IN_CALL = 1, STATES_RUNS = 2 };

enum states_part_flag {
    STATES_SORT = 15, /* enum st_wait_sort */
    STATES_NEARBY = 16,
    STATES_OF_SOME = 32,
    STATES_REQUEST = 64,
    STATES_COMPLETE = 128,
    STATES_OTHER_PEER = 256 /* its process is not the one that its peer and communicator make */
};

enum states_shown_flag {
    STATES_SHOWN = 1,
    STATES_COUNTS = 2,
    STATES_SENDER = 4,
    STATES_RECEIVER = 8
};

#endif
