#!/usr/bin/env python3
"""Random programs of sends that wait, and receives, and which of them rely on MPI's buffers (messages.sh).

    buffered.py make RANKS ROUNDS SEED     writes such programs as one in C: a round each, and all ranks meet after it
    buffered.py judge RANKS ROUNDS SEED REPORTS
                                           'mpipp run' reports deadlock-potential in no round that ends where each send waits
                                           for its receive, and in each that begins with two sends head to head, or
                                           with sends in a ring
"""

import json
import random
import sys
from typing import List, Optional, Set, Tuple

Op = Tuple[str, int, int]
Program = List[List[Op]]  # by rank
TAGS = 8  # for each round


def ends(program: Program, buffers: bool) -> bool:
    """Whether all ranks come to their end, if MPI keeps each message in a buffer, or none."""
    at = [0] * len(program)
    sent: Set[int] = set()
    posted: Set[int] = set()
    moves = True
    while moves:
        moves = False
        for rank, ops in enumerate(program):
            while at[rank] < len(ops):
                kind, _, tag = ops[at[rank]]
                if kind == "s":
                    sent.add(tag)
                    done = buffers or tag in posted
                elif kind == "w":
                    done = all(other in sent for what, _, other in ops[: at[rank]] if what == "i")
                else:
                    posted.add(tag)
                    done = kind == "i" or tag in sent
                if not done:
                    break
                at[rank] += 1
                moves = True
    return all(place == len(ops) for place, ops in zip(at, program))


def put_ring(program: Program, tag: int) -> None:
    """Each sends to the next one, and receives from the one before. One may receive first."""
    ranks = len(program)
    for rank in range(ranks):
        program[rank].append(("s", (rank + 1) % ranks, tag + rank))
    for rank in range(ranks):
        program[(rank + 1) % ranks].append(("r", random.choice((rank, -1)), tag + rank))
    if random.randint(0, 1):
        random.choice(program).reverse()


def draw(ranks: int, number: int) -> Program:
    """One that ends where messages are buffered."""
    while True:
        program: Program = [[] for _ in range(ranks)]
        first = number * TAGS
        if random.randint(0, 3) == 0 and 3 <= ranks < TAGS - 1:
            put_ring(program, first)
            first += ranks
        for tag in range(first, first + random.randint(1, (number + 1) * TAGS - 1 - first)):
            source, destination = random.sample(range(ranks), 2)
            sender, receiver = program[source], program[destination]
            sender.insert(random.randint(int(first > number * TAGS), len(sender)), ("s", destination, tag))
            kind = random.choice("rrri")
            place = random.randint(0, len(receiver))
            receiver.insert(place, (kind, random.choice((source, -1)), tag))
        for ops in program:
            last = max((i for i, op in enumerate(ops) if op[0] == "i"), default=None)
            if last is not None:
                ops.insert(random.randint(last + 1, len(ops)), ("w", 0, 0))
        if ends(program, True):
            return program


def rounds_of(ranks: int, rounds: int, seed: int) -> List[Program]:
    random.seed(seed)
    return [draw(ranks, number) for number in range(rounds)]


def is_nonblocking(tag: int) -> bool:
    return tag % 5 == 0


def statement(op: Op) -> str:
    """A separate line of C: reports differ by it."""
    kind, peer, tag = op
    source = "MPI_ANY_SOURCE" if peer < 0 else str(peer)
    if kind == "s" and is_nonblocking(tag):
        return f"MPI_Isend(&number, 1, MPI_INT, {peer}, {tag}, MPI_COMM_WORLD, &one), MPI_Wait(&one, MPI_STATUS_IGNORE);"
    if kind == "s":
        return f"MPI_Send(&number, 1, MPI_INT, {peer}, {tag}, MPI_COMM_WORLD);"
    if kind == "r":
        return f"MPI_Recv(&number, 1, MPI_INT, {source}, {tag}, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
    if kind == "i":
        return f"MPI_Irecv(&numbers[n], 1, MPI_INT, {source}, {tag}, MPI_COMM_WORLD, &requests[n]), n++;"
    return "MPI_Waitall(n, requests, MPI_STATUSES_IGNORE), n = 0;"


def make(programs: List[Program]) -> None:
    print("#include <mpi.h>\nint main(int argc, char **argv)\n{")
    print(f"int rank, n = 0, number = 5, numbers[{TAGS}];\nMPI_Request requests[{TAGS}], one;")
    print("MPI_Init(&argc, &argv);\nMPI_Comm_rank(MPI_COMM_WORLD, &rank);")
    for program in programs:
        for rank, ops in enumerate(program):
            print(f"if (rank == {rank}) {{", *map(statement, ops), "}", sep="\n")
        print("MPI_Barrier(MPI_COMM_WORLD);")
    print("MPI_Finalize();\nreturn 0;\n}")


def head_to_head(program: Program) -> bool:
    """Whether two ranks begin with MPI_Send to each other."""
    first: List[Optional[int]] = [
        ops[0][1] if ops and ops[0][0] == "s" and not is_nonblocking(ops[0][2]) else None for ops in program
    ]
    return any(to is not None and first[to] == rank for rank, to in enumerate(first))


def ring(program: Program) -> bool:
    """Whether ranks begin with sends in a circle, and each receives from the one before it before it sends again."""
    first = [ops[0] if ops and ops[0][0] == "s" else None for ops in program]

    def is_next(sender: int) -> Optional[int]:
        op = first[sender]
        if op is None or first[op[1]] is None:
            return None
        ops = program[op[1]]
        received = [i for i, other in enumerate(ops) if other[0] in "ri" and other[2] == op[2]]
        again = [i for i, other in enumerate(ops) if i and other[0] == "s"]
        return op[1] if ops[received[0]][0] == "r" and received[0] < min(again, default=len(ops)) else None

    for start in range(len(program)):
        rank: Optional[int] = start
        for _ in program:
            rank = None if rank is None else is_next(rank)
            if rank == start:
                return True
    return False


def judge(programs: List[Program], reports: str) -> int:
    told = set()
    with open(reports, encoding="utf-8") as lines:
        for line in lines:
            finding = json.loads(line)
            if finding["id"] != "deadlock-potential":
                print("another finding:", finding["id"], finding["message"])
                return 1
            tags = {int(call["arguments"]["tag"]) for call in finding["other"]}
            told.update(tag // TAGS for tag in tags)
    wrong = [number for number in sorted(told) if ends(programs[number], False)]
    missed = [number for number, one in enumerate(programs) if (head_to_head(one) or ring(one)) and number not in told]
    for number in wrong[:3] + missed[:3]:
        print("wrong:" if number in wrong else "missed:", number, programs[number])
    unsafe = sum(not ends(one, False) for one in programs)
    rings = sum(ring(one) and not head_to_head(one) for one in programs)
    print(f"{len(programs)} rounds, {unsafe} unsafe, {rings} rings, {len(told)} told, {len(wrong)} wrong, {len(missed)} missed")
    return 1 if wrong or missed or not told or unsafe == len(programs) else 0


def main() -> int:
    numbers = [int(word) for word in sys.argv[2:5]]
    programs = rounds_of(*numbers)
    if sys.argv[1] == "judge":
        return judge(programs, sys.argv[5])
    make(programs)
    return 0


sys.exit(main())
