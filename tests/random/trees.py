"""Random nested types as trees, for the languages that have no generator of their own.

    ["NAMED", "MPI_INT"]    [kind, integers, addresses, [tree below, ...]]

Integers and addresses are those of MPI_Type_get_contents, in its order; MPI's constants are texts. No part is without
data, and nothing steps back by one byte: there the libraries differ from the standard (docs/mpi-libraries.md).
"""

import random

C_BASES = ("MPI_INT", "MPI_DOUBLE", "MPI_CHAR", "MPI_FLOAT", "MPI_SHORT", "MPI_LONG")
FORTRAN_BASES = ("MPI_INTEGER", "MPI_DOUBLE_PRECISION", "MPI_REAL", "MPI_CHARACTER", "MPI_LOGICAL", "MPI_COMPLEX")

KINDS = (
    "CONTIGUOUS",
    "VECTOR",
    "HVECTOR",
    "INDEXED",
    "HINDEXED",
    "INDEXED_BLOCK",
    "HINDEXED_BLOCK",
    "STRUCT",
    "SUBARRAY",
    "DARRAY",
    "RESIZED",
    "DUP",
)


def tree(rng: random.Random, depth: int, bases: tuple) -> list:
    """A random tree of at most this depth."""
    if depth == 0:
        return ["NAMED", rng.choice(bases)]
    kind = rng.choice(KINDS)
    count = rng.randint(1, 3)
    lengths = [rng.randint(1, 3) for _ in range(count)]
    offsets = [rng.randint(-9, 20) for _ in range(count)]
    far = [8 * rng.randint(-9, 50) for _ in range(count)]
    below = [tree(rng, rng.randint(0, depth - 1), bases) for _ in range(count if kind == "STRUCT" else 1)]
    if kind == "CONTIGUOUS":
        return [kind, [count], [], below]
    if kind == "VECTOR":
        return [kind, [count, lengths[0], rng.randint(3, 9)], [], below]
    if kind == "HVECTOR":
        return [kind, [count, lengths[0]], [8 * rng.randint(1, 90)], below]
    if kind == "INDEXED":
        return [kind, [count] + lengths + offsets, [], below]
    if kind in ("HINDEXED", "STRUCT"):
        return [kind, [count] + lengths, far, below]
    if kind == "INDEXED_BLOCK":
        return [kind, [count, lengths[0]] + offsets, [], below]
    if kind == "HINDEXED_BLOCK":
        return [kind, [count, lengths[0]], far, below]
    order = rng.choice(("C", "FORTRAN"))
    if kind == "SUBARRAY":
        starts = [rng.randint(0, 2) for _ in range(count)]
        sizes = [start + length + rng.randint(0, 2) for start, length in zip(starts, lengths)]
        return [kind, [count] + sizes + lengths + starts + [order], [], below]
    if kind == "DARRAY":
        places = [rng.randint(1, 2) for _ in range(count)]
        size = 1
        for place in places:
            size *= place
        sizes = [place * length for place, length in zip(places, lengths)]
        spread = [rng.choice(("BLOCK", "CYCLIC")) for _ in range(count)]
        first = [size, rng.randint(0, size - 1), count]
        return [kind, first + sizes + spread + ["DEFAULT"] * count + places + [order], [], below]
    if kind == "RESIZED":
        return [kind, [], [rng.randint(-8, 8), rng.randint(1, 64)], below]
    return ["DUP", [], [], below]


def trees(seed: int, count: int, bases: tuple) -> list:
    """So many trees, of a depth of 1 to 4."""
    rng = random.Random(seed)
    made = []
    while len(made) < count:
        one = tree(rng, rng.randint(1, 4), bases)
        if one[0] != "NAMED":
            made.append(one)
    return made
