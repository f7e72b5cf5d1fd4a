#!/usr/bin/env python3
"""races.py make SEED [ROUNDS]: a random program of one-sided calls, in C (with races.h); races.py ranks SEED: for how many
ranks it is; races.py judge SEED FOUND [ROUNDS]: which calls are in conflict, by a model of what orders them, and that FOUND
(mpipp's .jsonl) has these and no others.

A program has ROUNDS rounds, between barriers, each of which is a small program of its own: epochs of MPI_Win_fence,
MPI_Win_start, MPI_Win_lock_all or MPI_Win_lock, by random nested datatypes, and messages and collective calls that order some
of the ranks. Each one-sided call is on a line of its own, so that a line names it.

The model is the graph of all events of a round. Some edges are there in every run. Others depend on the run: who gets a lock
first, what a rank may have seen in its memory. A pair of calls that no path orders has to be found; a pair that only an
edge of the second sort may order can be found.
"""

import json
import random
import sys

BYTES, UNIT, ROUNDS = 512, 4, 40
SIZES = {"MPI_INT": 4, "MPI_SHORT": 2, "MPI_FLOAT": 4}
OPERATIONS = ["MPI_SUM", "MPI_SUM", "MPI_MAX", "MPI_REPLACE"]
HEAD = '#include "races.h"\nint main(int argc, char **argv)\n{\n    static char data[%d];\n    MPI_Request request;\n    begin(&argc, &argv);'
TAIL = "    (void)request, (void)data;\n    return end();\n}"


# --- datatypes -------------------------------------------------------------------------------------


class Type:
    """A datatype: how C makes it, the places of its elements, and its bounds."""

    def __init__(self, text, places, low, high):
        self.text, self.places, self.low, self.high = text, places, low, high

    @property
    def extent(self):
        """From one element of an array of it to the next."""
        return self.high - self.low

    def copies(self, text, shifts):
        """One that repeats it at these places, in bytes."""
        return Type(text, [shift + place for shift in shifts for place in self.places],
                    min(shift + self.low for shift in shifts), max(shift + self.high for shift in shifts))


def draw_parts(draw, most, step):
    """Lengths and displacements of blocks that do not overlap, in any order."""
    parts, at = [], draw.randint(0, 2)
    for _ in range(draw.randint(1, 3)):
        length = draw.randint(1, most)
        parts.append((length, at * step))
        at += length + draw.randint(0, 3)
    draw.shuffle(parts)
    return parts


def wrap(draw, old, even):
    """A random constructor around a type."""
    extent = old.extent
    what = draw.choice(["contiguous", "vector", "hvector", "indexed", "hindexed", "struct", "resized", "subarray"])
    if what == "contiguous":
        count = draw.randint(1, 3)
        return old.copies(f"contiguous({count}, {old.text})", [i * extent for i in range(count)])
    if what in ("vector", "hvector"):
        count, length = draw.randint(1, 4), draw.randint(1, 2)
        stride = draw.choice([1, 1, 1, -1]) * (length + draw.randint(0, 3))
        step = stride * extent if what == "vector" or even else stride * extent + 2
        return old.copies(f"{what}({count}, {length}, {stride if what == 'vector' else step}, {old.text})",
                          [i * step + k * extent for i in range(count) for k in range(length)])
    if what == "resized":
        low, extent = old.low - 4 * draw.randint(0, 1), extent + 4 * draw.randint(0, 3)
        return Type(f"resized({low}, {extent}, {old.text})", old.places, low, low + extent)
    if what == "subarray":
        rows, columns = draw.randint(1, 4), draw.randint(1, 4)
        some_rows, some_columns = draw.randint(1, rows), draw.randint(1, columns)
        row, column = draw.randint(0, rows - some_rows), draw.randint(0, columns - some_columns)
        places = [((row + i) * columns + column + k) * extent + place
                  for i in range(some_rows) for k in range(some_columns) for place in old.places]
        return Type(f"subarray({rows}, {columns}, {some_rows}, {some_columns}, {row}, {column}, {old.text})", places,
                    old.low, old.low + rows * columns * extent)
    parts = draw_parts(draw, 2, 1)
    step = extent if what == "indexed" or even else extent + 2
    shifts = [at * step + k * extent for length, at in parts for k in range(length)]
    listed = f"{len(parts)}, " + ", ".join(f"{length}, {at if what == 'indexed' else at * step}" for length, at in parts)
    if what == "indexed":
        return old.copies(f"indexed({old.text}, {listed})", shifts)
    made = old.copies(f"hindexed({old.text}, {int(what == 'struct')}, {listed})", shifts)
    if what == "struct":  # its extent may have padding
        made.text = f"resized({made.low}, {made.extent}, {made.text})"
    return made


def draw_type(draw, basic):
    """A nested one that does not overlap itself, and fits into the window."""
    size = SIZES[basic]
    even = size == 2 or draw.random() < 0.8
    while True:
        made = Type(basic, [0], 0, size)
        for _ in range(draw.randint(1, 3)):
            made = wrap(draw, made, even)
            if not even:  # MPI libraries round other extents differently
                made.text = f"resized({made.low}, {made.extent}, {made.text})"
        count = draw.choice([1, 1, 1, 2])
        places = [i * made.extent + place for i in range(count) for place in made.places]
        touched = {place + i for place in places for i in range(size)}
        if made.extent > 0 and len(places) <= 24 and len(touched) == size * len(places) and \
                max(touched) + max(-min(touched), 0) + UNIT <= BYTES:
            return made.text, count, places


# --- the model -------------------------------------------------------------------------------------


class Access:
    """A one-sided call: what it does where, and the events at which it begins and is complete."""

    def __init__(self, rank, target, line):
        self.rank, self.target, self.line = rank, target, line
        self.window = 0
        self.reads = self.writes = self.atomic = self.swaps = False
        self.op = self.basic = ""
        self.starts = {}  # byte: the first byte of its element
        self.lock = None  # the number of its epoch, and whether that excludes others
        self.called = self.start = self.end = -1

    def is_even(self):
        """Whether all of its elements are at multiples of their size from the first one."""
        first, size = min(self.starts), SIZES[self.basic]
        return all((start - first) % size == 0 for start in self.starts.values())


def judge(one, other):
    """The id of the conflict of two accesses that nothing orders, and whether it has to be found; None: there is none."""
    shared = one.starts.keys() & other.starts.keys()
    if one.target != other.target or not shared or not (one.writes or other.writes):
        return None
    if one.rank != other.rank and one.window == other.window and one.lock and other.lock and (one.lock[1] or other.lock[1]):
        return None
    if not (one.atomic and other.atomic):
        return "rma-conflict", True
    if one.basic != other.basic:
        return "rma-atomic", True
    if any(one.starts[byte] != other.starts[byte] for byte in shared):
        return "rma-atomic", one.is_even() and other.is_even()
    meet = not (one.writes and other.writes) or one.swaps or other.swaps or one.rank == other.rank or one.op == other.op
    return None if meet else ("rma-atomic", True)


class Graph:
    """The events of a round: those of a rank in a row, and edges between ranks."""

    def __init__(self):
        self.sure, self.after = [], {}  # by event: the events directly after it; by rank: its last one
        self.rank_of = []
        self.maybe = []

    def event(self, rank):
        """One more of a rank; rank None: of no row."""
        self.sure.append(set())
        self.rank_of.append(rank)
        number = len(self.sure) - 1
        if rank is not None:
            if rank in self.after:
                self.sure[self.after[rank]].add(number)
            self.after[rank] = number
        return number

    def edge(self, one, other):
        """One is before the other, in each run."""
        self.sure[one].add(other)

    def reach(self, edges):
        """By event: a bit for each event that paths lead to, and for itself."""
        reached = [1 << number for number in range(len(edges))]
        changed = True
        while changed:
            changed = False
            for number in range(len(edges) - 1, -1, -1):
                bits = reached[number]
                for other in edges[number]:
                    bits |= reached[other]
                if bits != reached[number]:
                    reached[number], changed = bits, True
        return reached

    def closures(self):
        """Both: by what holds in each run, and by what may hold in some."""
        sure = self.reach(self.sure)
        edges = [set(others) for others in self.sure]
        for one, other in self.maybe:
            if not sure[other] >> one & 1:
                edges[one].add(other)
        return sure, self.reach(edges)


class Program:
    """What is written, and what is known of it."""

    def __init__(self, seed, rounds):
        self.draw = random.Random(seed)
        self.size = 2 + seed % 3
        self.rounds = rounds
        self.lines = []
        self.must, self.may = set(), set()  # conflicts
        self.bytes = self.messages = 0
        self.new_round()

    def new_round(self):
        """All that was is before all that follows."""
        self.graph = Graph()
        self.accesses, self.types = [], []
        self.releases, self.acquires = [], []  # of locks: rank, event, whether it excludes others
        self.fetched = []  # events at which atomic accesses have given values
        self.epoch = 0

    def add(self, text, rank=None):
        """One more line of main(), of one rank or of all."""
        self.lines.append("    " + (f"if (rank == {rank}) " if rank is not None else "") + text)

    def line(self):
        """The number of the next line."""
        return len(HEAD.split("\n")) + len(self.lines) + 1

    # --- one-sided calls ---

    def take(self, count, basic):
        """That much memory of its own for an origin."""
        at = self.bytes
        self.bytes += (count * SIZES[basic] + 3) // 4 * 4
        return f"data + {at}"

    def draw_bytes(self, one, single):
        """Where it goes. Returns the displacement, the count and the datatype at the target, and the number of elements."""
        size = SIZES[one.basic]
        if single or self.draw.random() < 0.35:
            count = 1 if single else self.draw.randint(1, 6)
            text, places = one.basic, [i * size for i in range(count)]
        else:
            made, count, places = draw_type(self.draw, one.basic)
            text = f"type{len(self.types)}_{self.line()}"
            self.types.append(text)
            self.add(f"MPI_Datatype {text} = committed({made});")
        low, high = min(places), max(places) + size
        least, most = max(-(low // UNIT), 0), (BYTES - high) // UNIT
        at = self.draw.choice([least, self.draw.randint(least, most)])  # more often where others are
        for place in places:
            for i in range(size):
                one.starts[at * UNIT + place + i] = at * UNIT + place
        return at, count, text, len(places)

    def draw_steps(self, one, single, times):
        """Where a loop goes, mostly from one place to the next. Returns its first displacement, its step, and the count."""
        size = SIZES[one.basic]
        count = 1 if single else self.draw.randint(1, 2) * UNIT // size
        width = (count * size + UNIT - 1) // UNIT
        step = width * self.draw.choice([1, 1, 1, 2, -1] + ([0] if one.atomic or not one.writes else []))
        at = self.draw.choice([0, self.draw.randint(0, 40)]) + max(-step, 0) * times
        for place in [(at + k * step) * UNIT + i * size for k in range(times) for i in range(count)]:
            for byte in range(place, place + size):
                one.starts[byte] = place
        return at, step, count

    def access(self, rank, target, window=0, lock=None, requests=False):
        """A call of random sort."""
        one = Access(rank, target, 0)
        one.window, one.lock = window, lock
        one.basic = self.draw.choice(["MPI_INT", "MPI_INT", "MPI_INT", "MPI_SHORT", "MPI_FLOAT"])
        name = self.draw.choice(["Put", "Put", "Get", "Accumulate", "Accumulate", "Get_accumulate", "Fetch_and_op",
                                 "Compare_and_swap"])
        if name == "Compare_and_swap" and one.basic == "MPI_FLOAT":
            one.basic = "MPI_INT"
        one.reads = name not in ("Put", "Accumulate")
        one.writes = name != "Get"
        one.atomic = name not in ("Put", "Get")
        one.swaps = name == "Compare_and_swap"
        one.op = self.draw.choice(OPERATIONS + (["MPI_NO_OP"] if one.reads else [])) if one.atomic and not one.swaps else ""
        one.writes &= one.op != "MPI_NO_OP"
        is_single = name in ("Fetch_and_op", "Compare_and_swap")
        times = self.draw.randint(2, 6) if self.draw.random() < 0.3 else 1
        if times > 1:
            at, step, count = self.draw_steps(one, is_single, times)
            text, elements, shift = one.basic, count, f" + {count * SIZES[one.basic]} * k"
            at = f"{at} + k * {step}"
        else:
            at, count, text, elements = self.draw_bytes(one, is_single)
            shift = ""
        win = f"windows[{window}]"
        waits = requests and times == 1 and name in ("Put", "Get", "Accumulate", "Get_accumulate") and self.draw.random() < 0.3
        one.line = self.line()
        buffers = [self.take(times * elements, one.basic) + shift for _ in range(3)]
        origin = f"{buffers[0]}, {elements}, {one.basic}"
        there = f"{target}, {at}, {count}, {text}"
        if name in ("Put", "Get"):
            call = f"{origin}, {there}, {win}"
        elif name == "Accumulate":
            call = f"{origin}, {there}, {one.op}, {win}"
        elif name == "Get_accumulate":
            call = f"{origin}, {buffers[1]}, {elements}, {one.basic}, {there}, {one.op}, {win}"
        elif name == "Fetch_and_op":
            call = f"{buffers[0]}, {buffers[1]}, {one.basic}, {target}, {at}, {one.op}, {win}"
        else:
            call = f"{', '.join(buffers)}, {one.basic}, {target}, {at}, {win}"
        loop = f"for (int k = 0; k < {times}; k++) " if times > 1 else ""
        self.add(f"{loop}MPI_{'R' + name.lower() if waits else name}({call}{', &request' if waits else ''});", rank)
        one.called = self.graph.event(rank)
        one.start = self.graph.event(None)
        self.graph.edge(one.called, one.start)
        self.accesses.append(one)
        if waits:
            self.add("MPI_Wait(&request, MPI_STATUS_IGNORE);", rank)
            done = self.graph.event(rank)
            if one.reads:
                one.end = done
                self.acquires.append((rank, done, True))
            if one.reads and one.atomic:
                self.fetched.append((rank, done))
        return one

    def complete(self, rank, event, fits):
        """Those of the rank that fit are complete at an event."""
        for one in self.accesses:
            if one.rank == rank and one.end < 0 and fits(one):
                one.end = event

    def gives(self, rank, event):
        """An event after which the rank has the values of its atomic accesses."""
        if any(one.rank == rank and one.atomic and one.reads for one in self.accesses):
            self.fetched.append((rank, event))

    def finish(self):
        """All that was begun is over: which calls were in conflict?"""
        self.add(f"barrier({self.size});")
        for text in self.types:
            self.add(f"release({text});")
        maybe = self.graph.maybe
        maybe += [(one, other) for rank, one, excludes in self.releases for taker, other, all_of in self.acquires
                  if rank != taker and (excludes or all_of)]
        maybe += [(one.called, event) for one in self.accesses for rank, event in self.fetched
                  if one.atomic and one.writes and one.rank != rank]
        maybe += [(one.called, event) for one in self.accesses if one.lock and one.writes
                  for event, rank in enumerate(self.graph.rank_of) if rank == one.target != one.rank]
        sure, some = self.graph.closures()
        for number, one in enumerate(self.accesses):
            for other in self.accesses[:number]:
                self.hold(one, other, sure, some)
        self.new_round()

    def hold(self, one, other, sure, some):
        """Keeps the conflict of two, if there is one."""
        found = judge(one, other)
        if not found or any(first.end >= 0 and sure[first.end] >> second.start & 1
                            for first, second in ((one, other), (other, one))):
            return
        lower, higher = sorted((one, other), key=lambda access: (access.rank, access.line))
        name = (found[0], lower.rank, lower.line, higher.rank, higher.line)
        self.may.add(name)
        if found[1] and not any(first.end >= 0 and some[first.end] >> second.start & 1
                                for first, second in ((one, other), (other, one))):
            self.must.add(name)

    # --- what orders ---

    def all_meet(self, before, after):
        """What each of some ranks did before is before what each does after."""
        for one in before:
            for other in after:
                self.graph.edge(one, other)

    def message(self, rank, other):
        """From one to the other."""
        what = self.draw.choice(["send", "send", "ssend", "issend"])
        source = self.draw.choice([rank, rank, "MPI_ANY_SOURCE"])
        self.messages += 1  # its tag: it is this one that is received
        self.add(f"{what}({other}, {self.messages % 30000});", rank)
        self.add(f"receive({source}, {self.messages % 30000});", other)
        sent, begun = self.graph.event(rank), self.graph.event(other)
        received = self.graph.event(other)
        self.graph.edge(sent, received)
        if what in ("ssend", "issend"):
            self.graph.edge(begun, self.graph.event(rank))

    def collective(self, comm, ranks):
        """Of all these ranks, which are those of a communicator."""
        what = self.draw.choice(["bcast", "reduce", "scan", "barrier"])
        root = self.draw.randrange(len(ranks))
        self.add(f"if (rank != {comm}) {what}({comm if what in ('scan', 'barrier') else f'{root}, {comm}'});")
        before = [self.graph.event(rank) for rank in ranks]
        after = [self.graph.event(rank) for rank in ranks]
        if what == "bcast":
            self.all_meet([before[root]], after)
        elif what == "reduce":
            self.all_meet(before, [after[root]])
        elif what == "barrier":
            self.all_meet(before, after)
        else:
            for place in range(len(ranks)):
                self.all_meet(before[:place], [after[place]])

    def flush(self, rank, targets, window, excludes=False):
        """Of one sort, by a rank that has locked these targets."""
        what = self.draw.choice(["flush", "flush", "flush_local"] + (["flush_all"] if len(targets) > 1 else []))
        target = self.draw.choice(targets)
        self.add(f"{what}({window if what == 'flush_all' else f'{target}, {window}'});", rank)
        self.complete(rank, self.graph.event(rank), lambda one: one.window == window and one.lock and
                      (what == "flush_all" or one.target == target) and (what != "flush_local" or one.reads))
        self.end_wait(rank, excludes)

    def end_wait(self, rank, excludes):
        """The event after a flush, or an unlock: of what others have released something may be known."""
        after = self.graph.event(rank)
        self.acquires.append((rank, after, excludes))
        self.gives(rank, after)

    # --- rounds ---

    def lock_everything(self):
        """Epochs of MPI_Win_lock_all, of both windows."""
        targets = list(range(self.size)) if self.draw.random() < 0.15 else [self.draw.randrange(self.size)]
        apart = targets[0] if len(targets) == 1 and self.size > 2 and self.draw.random() < 0.9 else self.size
        actors = [rank for rank in range(self.size) if rank != apart]
        self.add(f"lock_all({self.draw.choice(['0', 'MPI_MODE_NOCHECK'])});")
        for _ in range(self.draw.randint(4, 14)):
            draw, window = self.draw.random(), self.draw.choice([0, 0, 1])
            rank = self.draw.choice(actors)
            if draw < 0.45:
                rank = apart if draw < 0.03 and apart < self.size else rank
                self.access(rank, self.draw.choice(targets), window, (0, False), True)
            elif draw < 0.7:
                self.flush(rank, targets, window)
            elif draw < 0.85 and len(actors) > 1:
                self.message(*self.draw.sample(actors, 2))
            else:
                self.collective(apart, actors)
        self.add("unlock_all();")
        for rank in range(self.size):
            for window in (0, 1):
                before = self.graph.event(rank)
                self.complete(rank, before, lambda one: one.window == window)
                self.releases.append((rank, before, False))
                self.end_wait(rank, False)

    def lock_epochs(self):
        """Epochs of MPI_Win_lock, by turns, and what orders ranks between them."""
        targets = self.draw.sample(range(self.size), self.draw.choice([1, 1, min(2, self.size)]))
        actors = [rank for rank in range(self.size) if rank not in targets] or list(range(self.size))
        for _ in range(self.draw.randint(2, 6)):
            if self.draw.random() < 0.3 and len(actors) > 1:
                self.message(*self.draw.sample(actors, 2))
                continue
            rank, target, window = self.draw.choice(actors), self.draw.choice(targets), self.draw.choice([0, 0, 0, 1])
            excludes = self.draw.random() < 0.35
            self.epoch += 1
            self.add(f"lock({'MPI_LOCK_EXCLUSIVE' if excludes else 'MPI_LOCK_SHARED'}, {target}, {window});", rank)
            begun = self.graph.event(rank)
            if rank == target:
                self.acquires.append((rank, begun, excludes))
            for _ in range(self.draw.randint(1, 3)):
                self.access(rank, target, window, (self.epoch, excludes), True)
                if self.draw.random() < 0.2:
                    self.flush(rank, [target], window, excludes)
            self.add(f"unlock({target}, {window});", rank)
            before = self.graph.event(rank)
            self.complete(rank, before, lambda one: one.window == window and one.target == target)
            self.releases.append((rank, before, excludes))
            self.end_wait(rank, excludes)

    def fences(self):
        """Some epochs of MPI_Win_fence: a message completes nothing there."""
        window, everyone = self.draw.choice([0, 0, 1]), range(self.size)
        opened = None
        for number in range(self.draw.randint(2, 4)):
            last = number and self.draw.random() < 0.3
            assertion = "MPI_MODE_NOPRECEDE" if not number else "MPI_MODE_NOSUCCEED" if last else "0"
            self.add(f"fence({assertion}, {window});")
            before = [self.graph.event(rank) for rank in everyone]
            after = [self.graph.event(rank) for rank in everyone]
            for one in self.accesses:
                if one.end < 0:
                    one.end = before[one.target]
            if number:
                self.all_meet(before, after)
            for rank in everyone:
                self.gives(rank, after[rank])
            opened = before
            if last:
                return
            for _ in range(self.draw.randint(0, 6)):
                one = self.access(self.draw.choice(everyone), self.draw.choice(everyone), window)
                self.graph.edge(opened[one.target], one.start)
            if self.draw.random() < 0.5:
                self.message(*self.draw.sample(everyone, 2))
        self.add(f"fence(MPI_MODE_NOSUCCEED, {window});")

    def starts(self):
        """Epochs of MPI_Win_start and MPI_Win_post, one after the other."""
        window = self.draw.choice([0, 0, 1])
        targets = self.draw.sample(range(self.size), self.draw.randint(1, self.size - 1))
        rest = [rank for rank in range(self.size) if rank not in targets]
        origins = self.draw.sample(rest, self.draw.randint(1, len(rest)))
        for _ in range(self.draw.randint(1, 3)):  # by the same ranks: else MPICH 4.0.2 may wait for ever
            posted = {}
            for rank in targets:
                self.add(f"post({sum(1 << one for one in origins)}, {window});", rank)
                posted[rank] = self.graph.event(rank)
            for rank in origins:
                self.add(f"start({sum(1 << one for one in targets)}, {window});", rank)
                self.graph.event(rank)
            for _ in range(self.draw.randint(1, 6)):
                one = self.access(self.draw.choice(origins), self.draw.choice(targets), window)
                self.graph.edge(posted[one.target], one.start)
            completed = {}
            for rank in origins:
                self.add(f"complete({window});", rank)
                completed[rank] = self.graph.event(rank)
                self.complete(rank, completed[rank], lambda one: one.reads)
                after = self.graph.event(rank)
                self.gives(rank, after)
                self.joined.append((after, targets))
            for rank in targets:
                self.add(f"wait_for_all({self.draw.randrange(2)}, {window});", rank)
                waited = self.graph.event(rank)
                self.all_meet(completed.values(), [waited])
                for one in self.accesses:
                    if one.target == rank and one.end < 0:
                        one.end = waited
            if self.draw.random() < 0.3:
                self.message(*self.draw.sample(range(self.size), 2))
        # Of a target that it has completed, a rank may know more.
        for after, targets in self.joined:
            self.graph.maybe += [(event, after) for event, rank in enumerate(self.graph.rank_of) if rank in targets]
        self.joined = []

    joined = []

    def make(self):
        """Draws all of it."""
        for _ in range(self.rounds):
            self.draw.choice([self.lock_everything, self.lock_everything, self.lock_epochs, self.fences, self.starts])()
            self.finish()
        return "\n".join([HEAD % (self.bytes + 1)] + self.lines + [TAIL])


def read(name):
    """What mpipp has found."""
    found = set()
    with open(name, encoding="utf-8") as lines:
        for one in map(json.loads, lines):
            sides = [(int(other["ranks"].split()[-1]), other["site"]["line"]) for other in one["other"]]
            found.add((one["id"], *sides[0], *sides[1]))
    return found


def main():
    """Writes the program, or holds what was found against the model."""
    what, seed = sys.argv[1], int(sys.argv[2])
    rest = sys.argv[4:] if what == "judge" else sys.argv[3:]
    program = Program(seed, int(rest[0]) if rest else ROUNDS)
    if what == "ranks":
        print(program.size)
        return 0
    text = program.make()
    if what == "make":
        print(text)
        return 0
    found, lines = read(sys.argv[3]), text.split("\n")
    missed, wrong = program.must - found, found - program.may
    for title, ones in (("missed", missed), ("wrong", wrong)):
        for one in sorted(ones):
            print(title, *one, lines[one[2] - 1], lines[one[4] - 1])
    print(f"{program.rounds} rounds, {len(program.must)} conflicts, {len(found - program.must)} of "
          f"{len(program.may - program.must)} that depend on the run")
    return 1 if missed or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
