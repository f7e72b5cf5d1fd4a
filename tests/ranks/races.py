#!/usr/bin/env python3
"""races.py make SEED: a random program of one-sided calls by four ranks, in C; races.py judge SEED FOUND: which of them are in
conflict, by a model of what orders them, and that FOUND (mpipp's .jsonl) has these and no others.

Epochs of MPI_Win_fence, MPI_Win_lock_all and MPI_Win_start, each between barriers; in those of locks, flushes, messages and
collective calls order some of the ranks. Each call stands on a line of its own, so that a line names it. What ranks do is
drawn as one sequence, which is one way in which the program may run; a vector clock for each rank says what of it holds for
every way.
"""

import json
import random
import sys

RANKS, ELEMENTS, TARGET, ROUNDS = 4, 48, 1, 40
ACTORS = (0, 2, 3)  # rank 1 takes no part in what orders them: it could have seen more in its memory

HEAD = """#include <mpi.h>
static int rank, memory[48], data[%d];
static MPI_Win window;
static MPI_Comm world = MPI_COMM_WORLD, actors;
static MPI_Datatype column, holes;
static MPI_Group target, origins;
static void make_types(void)
{
    const int lengths[] = {1, 2, 1}, places[] = {0, 3, 7}, one = 1, others[] = {0, 2, 3};
    MPI_Group all;
    MPI_Type_vector(4, 1, 6, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_indexed(3, lengths, places, MPI_INT, &holes);
    MPI_Type_commit(&holes);
    MPI_Comm_group(world, &all);
    MPI_Group_incl(all, 1, &one, &target);
    MPI_Group_incl(all, 3, others, &origins);
    MPI_Group_free(&all);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    make_types();
    MPI_Comm_split(world, rank == 1 ? MPI_UNDEFINED : 0, 0, &actors);
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, world, &window);"""
TAIL = """    MPI_Win_free(&window);
    if (rank != 1) MPI_Comm_free(&actors);
    MPI_Type_free(&column);
    MPI_Type_free(&holes);
    MPI_Group_free(&target);
    MPI_Group_free(&origins);
    MPI_Finalize();
    return 0;
}"""
SHAPES = {"column": [0, 6, 12, 18], "holes": [0, 3, 4, 7]}


class Access:
    """A one-sided call: what it does where, when it began and ended."""

    def __init__(self, rank, target, kind, op, elements, line):
        self.rank, self.target, self.kind, self.op, self.elements, self.line = rank, target, kind, op, elements, line
        self.start, self.end = {}, None


def before(one, other):
    """Whether one is complete before the other begins."""
    return one.end is not None and other.start[one.end[0]] >= one.end[1]


def judge(one, other):
    """The id of the conflict of two accesses; None: there is none."""
    if one.target != other.target or not one.elements & other.elements or before(one, other) or before(other, one):
        return None
    if one.kind == other.kind == "get":
        return None
    if one.kind != "add" or other.kind != "add":
        return "rma-conflict"
    return None if one.op == other.op or one.rank == other.rank else "rma-atomic"


class Program:
    """What is written, and what is known of it."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.lines = []
        self.clocks = [[0] * RANKS for _ in range(RANKS)]
        self.conflicts = []
        self.buffers = self.messages = 0
        self.round = []

    def add(self, text):
        """One more line of main()."""
        self.lines.append("    " + text)

    def line(self):
        """The number of the next line."""
        return len(HEAD.split("\n")) + len(self.lines) + 1

    def tick(self, rank):
        """The rank's next moment."""
        self.clocks[rank][rank] += 1
        return rank, self.clocks[rank][rank]

    def learn(self, rank, clock):
        """The rank knows what the clock says, too."""
        self.clocks[rank] = [max(pair) for pair in zip(self.clocks[rank], clock)]

    def access(self, rank, target):
        """A call of random sort."""
        shape = self.draw.choice(["row", "row", "column", "holes"])
        kind, op = self.draw.choice([("put", ""), ("get", ""), ("add", "MPI_SUM"), ("add", "MPI_SUM"), ("add", "MPI_MAX")])
        count = self.draw.randint(1, 4) if shape == "row" else 4
        offsets = range(count) if shape == "row" else SHAPES[shape]
        at = self.draw.randint(0, ELEMENTS - 1 - max(offsets))
        one = Access(rank, target, kind, op, {at + offset for offset in offsets}, self.line())
        one.start = list(self.clocks[rank])
        name = {"put": "Put", "get": "Get", "add": "Accumulate"}[kind]
        there = f"{count}, MPI_INT" if shape == "row" else f"1, {shape}"
        self.add(f"if (rank == {rank}) MPI_{name}(data + {self.buffers}, {count}, MPI_INT, {target}, {at}, {there}, "
                 f"{op + ', ' if op else ''}window);")
        self.buffers += count
        self.round.append(one)

    def finish(self):
        """All that was begun is over; what was in conflict stays known."""
        for number, one in enumerate(self.round):
            for other in self.round[:number]:
                found = judge(one, other)
                if found:
                    lower, higher = sorted((one, other), key=lambda access: (access.rank, access.line))
                    self.conflicts.append((found, lower.rank, lower.line, higher.rank, higher.line))
        self.round = []
        self.add("MPI_Barrier(world);")
        everything = [max(numbers) + 1 for numbers in zip(*self.clocks)]
        self.clocks = [list(everything) for _ in range(RANKS)]

    def end(self, rank, kinds):
        """Those of the rank that are of these kinds are complete."""
        moment = self.tick(rank)
        for one in self.round:
            if one.rank == rank and one.kind in kinds and one.end is None:
                one.end = moment

    def order(self):
        """Something that orders ranks, or completes what one of them has done."""
        rank, other = self.draw.sample(ACTORS, 2)
        what = self.draw.choice(["flush", "flush", "flush_local", "message", "any", "bcast", "reduce", "barrier"])
        if what in ("flush", "flush_local"):
            self.add(f"if (rank == {rank}) MPI_Win_{what}({TARGET}, window);")
            self.end(rank, ("put", "get", "add") if what == "flush" else ("get",))
        elif what in ("message", "any"):
            source = "MPI_ANY_SOURCE" if what == "any" else rank
            self.messages += 1  # its tag: it is this one that is received
            self.add(f"if (rank == {rank}) MPI_Send(0, 0, MPI_INT, {other}, {self.messages}, world);")
            self.add(f"if (rank == {other}) MPI_Recv(0, 0, MPI_INT, {source}, {self.messages}, world, MPI_STATUS_IGNORE);")
            self.learn(other, self.clocks[rank])
        elif what == "bcast":
            self.add(f"if (rank != 1) MPI_Bcast(&data[{self.buffers}], 1, MPI_INT, {ACTORS.index(rank)}, actors);")
            for one in ACTORS:
                self.learn(one, self.clocks[rank])
            self.buffers += 1
        elif what == "reduce":
            self.add(f"if (rank != 1) MPI_Reduce(&data[{self.buffers}], &data[{self.buffers + 1}], 1, MPI_INT, MPI_SUM, "
                     f"{ACTORS.index(rank)}, actors);")
            for one in ACTORS:
                self.learn(rank, self.clocks[one])
            self.buffers += 2
        else:
            self.add("if (rank != 1) MPI_Barrier(actors);")
            everything = [max(self.clocks[one][of] for one in ACTORS) for of in range(RANKS)]
            for one in ACTORS:
                self.learn(one, everything)

    def locks(self):
        """An epoch of MPI_Win_lock_all."""
        self.add("MPI_Win_lock_all(0, window);")
        for _ in range(self.draw.randint(4, 14)):
            if self.draw.random() < 0.45:
                self.access(self.draw.choice(ACTORS), TARGET)
            else:
                self.order()
        self.add("MPI_Win_unlock_all(window);")

    def fences(self):
        """Some epochs of MPI_Win_fence: a message orders nothing there."""
        self.add("MPI_Win_fence(MPI_MODE_NOPRECEDE, window);")
        for last in (False, True):
            for _ in range(self.draw.randint(1, 6)):
                self.access(self.draw.randrange(RANKS), self.draw.randrange(RANKS))
            self.add("if (rank == 0) MPI_Send(0, 0, MPI_INT, 2, 5, world);")
            self.add("if (rank == 2) MPI_Recv(0, 0, MPI_INT, 0, 5, world, MPI_STATUS_IGNORE);")
            self.add(f"MPI_Win_fence({'MPI_MODE_NOSUCCEED' if last else '0'}, window);")
            for one in self.round:
                one.end = one.end or (TARGET, self.clocks[TARGET][TARGET] + 1)
            everything = [max(numbers) + 1 for numbers in zip(*self.clocks)]
            self.clocks = [list(everything) for _ in range(RANKS)]

    def starts(self):
        """Two epochs of MPI_Win_start, one after the other."""
        for _ in range(2):
            self.add("if (rank == 1) MPI_Win_post(origins, 0, window);")
            self.add("if (rank != 1) MPI_Win_start(target, 0, window);")
            for _ in range(self.draw.randint(1, 4)):
                self.access(self.draw.choice(ACTORS), TARGET)
            self.add("if (rank != 1) MPI_Win_complete(window);")
            self.add("if (rank == 1) MPI_Win_wait(window);")
            moment = self.tick(TARGET)
            for one in self.round:
                one.end = one.end or moment
            for rank in ACTORS:
                self.learn(rank, self.clocks[TARGET])

    def make(self):
        """Draws all of it."""
        for _ in range(ROUNDS):
            self.draw.choice([self.locks, self.locks, self.locks, self.fences, self.starts])()
            self.finish()
        return "\n".join([HEAD % (self.buffers + 1)] + self.lines + [TAIL])


def read(name):
    """What mpipp has found."""
    found = []
    with open(name, encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            sides = [(int(other["ranks"].split()[-1]), other["site"]["line"]) for other in one["other"]]
            found.append((one["id"], *sides[0], *sides[1]))
    return found


def main():
    """Writes the program, or holds what was found against the model."""
    program = Program(int(sys.argv[2]))
    text = program.make()
    if sys.argv[1] == "make":
        print(text)
        return 0
    found, known = sorted(read(sys.argv[3])), sorted(program.conflicts)
    lines = text.split("\n")
    for title, ones in (("missed", set(known) - set(found)), ("wrong", set(found) - set(known))):
        for one in sorted(ones):
            print(title, *one, lines[one[2] - 1], lines[one[4] - 1])
    print(len(known), "conflicts")
    return 0 if found == known else 1


if __name__ == "__main__":
    sys.exit(main())
