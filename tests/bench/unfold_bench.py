"""In gdb, at mi_bench.c's steps: what 100 visible children cost in the plugin. Minima; a line for the dearest list."""

import itertools
import time

import gdb
from mpipp.printers import Lookup

ROUNDS = 30
LIMIT = 1.0  # ms

TOP = (
    "structure",
    "$mpi_type(indexed).entries",
    "$mpi_buf(data, 1000000000, $MPI_INT)",
    "$mpi_buf(data, 500, t19)",
    "$mpi_buf(data, 1, structure)",
)

look_up = Lookup()


def children(value: gdb.Value) -> list:
    """What gdb does for a listing: makes the children, and asks for each one's printer."""
    shown = list(itertools.islice(look_up(value).children(), 100))
    for _, child in shown:
        look_up(child)
    return shown


def milliseconds(value: gdb.Value) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        children(value)
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def listings() -> dict:
    """Every list, and what its first group unfolds into."""
    costs = {}
    for expression in TOP:
        value, label = gdb.parse_and_eval(expression), expression
        while look_up(value) is not None:
            costs[label] = milliseconds(value)
            name, child = children(value)[0]
            if ".." not in name:
                break
            value, label = child, f"{label} {name}"
    return costs


costs = listings()
dearest = max(costs, key=costs.get)
print(
    f"100 children: {costs[dearest]:.2f} ms in the plugin at most ({LIMIT:.0f} wanted), for {dearest};"
    f" {len(costs)} kinds of lists"
)
gdb.execute(f"quit {int(costs[dearest] > LIMIT)}")
