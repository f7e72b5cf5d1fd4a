"""In gdb, after make_python.py or a program of make_fortran.py: each recorded tree is the one that was made, and its
numbers are MPI's. The files are named by MPIPP_TREES and MPIPP_NUMBERS; MPIPP_FORTRAN: handles are INTEGERs."""

import array
import json
import os

from mpipp import _mpipp
from mpipp.rank import ranks

# kind: the integers and the addresses of MPI_Type_get_contents; * is an array
INTEGERS = {
    "CONTIGUOUS": "count",
    "VECTOR": "count blocklength stride",
    "HVECTOR": "count blocklength",
    "INDEXED": "count *lengths *offsets",
    "HINDEXED": "count *lengths",
    "INDEXED_BLOCK": "count blocklength *offsets",
    "HINDEXED_BLOCK": "count blocklength",
    "STRUCT": "count *lengths",
    "SUBARRAY": "ndims *sizes *subsizes *starts order",
    "DARRAY": "size rank ndims *gsizes *distribs *dargs *psizes order",
}
ADDRESSES = {
    "HVECTOR": "stride",
    "HINDEXED": "*offsets",
    "HINDEXED_BLOCK": "*offsets",
    "STRUCT": "*offsets",
    "RESIZED": "lb extent",
}
ORDERS = ("C", "FORTRAN")
DISTRIBUTIONS = ("NONE", "BLOCK", "CYCLIC")


def numbers(of: "_mpipp.Type", names: str) -> list:
    values: list = []
    for name in names.split():
        if name == "order":
            values.append(ORDERS[of.member(name)])
        elif name[0] != "*":
            values.append(of.member(name))
        else:
            values.extend(array.array("q", of.array(name[1:])))
            if name == "*distribs":
                values[-of.entries :] = [DISTRIBUTIONS[value] for value in values[-of.entries :]]
            if name == "*dargs":
                values[-of.entries :] = ["DEFAULT" if value == -(2**63) else value for value in values[-of.entries :]]
    return values


def tree(of: "_mpipp.Type") -> list:
    if of.kind == "NAMED":
        return ["NAMED", of.name]
    below = [of.entry_type(i) for i in range(of.entries)] if of.kind == "STRUCT" else [of.base]
    return [
        of.kind,
        numbers(of, INTEGERS.get(of.kind, "")),
        numbers(of, ADDRESSES.get(of.kind, "")),
        [tree(one) for one in below],
    ]


def check(rank, wanted: list, line: str) -> str:
    """'' or what is wrong."""
    handle, *measures = map(int, line.split())
    if "MPIPP_FORTRAN" in os.environ:
        handle = rank.from_fortran(handle)
    state, of = rank.registry.find(handle)
    if state != "live":
        return f"the handle is {state}"
    if tree(of) != wanted:
        return f"recorded as {tree(of)}"
    ours = [of.size, of.lb, of.extent, of.true_lb, of.true_extent]
    if "DARRAY" in str(wanted):  # MPICH 4.0.2: the true bounds leave out where the data begins
        ours, measures = ours[:3], measures[:3]
    if ours != measures:
        return f"size, lb, extent, true lb, true extent are {ours}, MPI says {measures}"
    return ""


def main() -> None:
    rank = ranks.current()
    passed = failed = 0
    with open(os.environ["MPIPP_TREES"]) as trees, open(os.environ["MPIPP_NUMBERS"]) as lines:
        for text, line in zip(trees, lines):
            wrong = check(rank, json.loads(text), line)
            if wrong:
                failed += 1
                print(f"FAIL: {text.strip()}: {wrong}")
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed")


main()
