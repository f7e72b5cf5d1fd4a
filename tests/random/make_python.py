"""Makes random types by mpi4py, for same.py to look at in gdb: make_python.py SEED COUNT TREES NUMBERS.

TREES: one tree a line, as MPI_Type_get_envelope and MPI_Type_get_contents give it back. NUMBERS: the handle, size, lb,
extent, true lb and true extent of each, as MPI says.
"""

import ctypes
import json
import sys

from mpi4py import MPI
from trees import C_BASES, trees

CONSTANTS = {
    "C": MPI.ORDER_C,
    "FORTRAN": MPI.ORDER_FORTRAN,
    "BLOCK": MPI.DISTRIBUTE_BLOCK,
    "CYCLIC": MPI.DISTRIBUTE_CYCLIC,
    "DEFAULT": MPI.DISTRIBUTE_DFLT_DARG,
}
KINDS = {getattr(MPI, name): name[len("COMBINER_") :] for name in dir(MPI) if name.startswith("COMBINER_")}


def make(tree):
    if tree[0] == "NAMED":
        return getattr(MPI, tree[1][len("MPI_") :])
    kind, integers, far, below = tree
    n = [CONSTANTS.get(number, number) for number in integers]
    types = [make(one) for one in below]
    base = types[0]
    count = n[0] if n else 0
    if kind == "CONTIGUOUS":
        new = base.Create_contiguous(count)
    elif kind == "VECTOR":
        new = base.Create_vector(*n)
    elif kind == "HVECTOR":
        new = base.Create_hvector(*n, far[0])
    elif kind == "INDEXED":
        new = base.Create_indexed(n[1 : count + 1], n[count + 1 :])
    elif kind == "HINDEXED":
        new = base.Create_hindexed(n[1:], far)
    elif kind == "INDEXED_BLOCK":
        new = base.Create_indexed_block(n[1], n[2:])
    elif kind == "HINDEXED_BLOCK":
        new = base.Create_hindexed_block(n[1], far)
    elif kind == "STRUCT":
        new = MPI.Datatype.Create_struct(n[1:], far, types)
    elif kind == "SUBARRAY":
        new = base.Create_subarray(n[1 : count + 1], n[count + 1 : 2 * count + 1], n[2 * count + 1 : -1], n[-1])
    elif kind == "DARRAY":
        columns = [n[3 + k * n[2] : 3 + (k + 1) * n[2]] for k in range(4)]
        new = base.Create_darray(n[0], n[1], *columns, n[-1])
    elif kind == "RESIZED":
        new = base.Create_resized(*far)
    else:
        new = base.Dup()
    for one in types:
        if not one.is_predefined:
            one.Free()
    return new


def told(of):
    """The tree that MPI gives back, with its numbers for the constants."""
    if of.Get_envelope()[-1] == MPI.COMBINER_NAMED:
        return ["NAMED", of.Get_name()]
    integers, addresses, *_, types = of.Get_contents()  # mpi4py 4 tells large counts, too
    below = [told(one) for one in types]
    for one in types:
        if not one.is_predefined:
            one.Free()
    return [KINDS[of.Get_envelope()[-1]], list(integers), list(addresses), below]


def numbered(tree):
    if tree[0] == "NAMED":
        return tree
    return [tree[0], [CONSTANTS.get(n, n) for n in tree[1]], tree[2], [numbered(below) for below in tree[3]]]


def handle(of):
    word = ctypes.c_uint32 if MPI._sizeof(MPI.Datatype) == 4 else ctypes.c_uint64
    return word.from_address(MPI._addressof(of)).value


def main(seed, count, trees_path, numbers_path):
    kept = []
    with open(trees_path, "w") as out, open(numbers_path, "w") as numbers:
        for tree in trees(int(seed), int(count), C_BASES):
            new = make(tree)
            if told(new) != numbered(tree):
                sys.exit(f"MPI gives back another tree: {tree} {told(new)}")
            json.dump(tree, out)
            out.write("\n")
            print(handle(new), new.Get_size(), *new.Get_extent(), *new.Get_true_extent(), file=numbers)
            kept.append(new)
    MPI.COMM_WORLD.Barrier()  # same.py stops here


main(*sys.argv[1:])
