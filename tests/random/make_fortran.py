"""Writes a Fortran program that makes random types, for same.py to look at in gdb.

make_fortran.py SEED COUNT TREES PROGRAM.f90; the program takes the name of the file for the numbers (make_python.py).
"""

import json
import sys

from trees import FORTRAN_BASES, trees

HEAD = """program made
  use mpi
  implicit none
  integer, parameter :: a = MPI_ADDRESS_KIND
  integer :: t({most}), ierr, s
  integer(kind=a) :: lb, extent, true_lb, true_extent
  character(len=1000) :: path
  call MPI_Init(ierr)
  call get_command_argument(1, path)
  open(10, file=trim(path))
"""
SHOW = """  call MPI_Type_size(t({n}), s, ierr)
  call MPI_Type_get_extent(t({n}), lb, extent, ierr)
  call MPI_Type_get_true_extent(t({n}), true_lb, true_extent, ierr)
  write(10, *) t({n}), s, lb, extent, true_lb, true_extent
"""
TAIL = """  close(10)
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
end program
"""
PREFIX = {"C": "MPI_ORDER_", "FORTRAN": "MPI_ORDER_", "BLOCK": "MPI_DISTRIBUTE_", "CYCLIC": "MPI_DISTRIBUTE_"}


class Program:
    """The statements, and how many types they have made."""

    def __init__(self):
        self.text = ""
        self.made = 0

    def make(self, tree):
        """Adds what makes the tree; returns the expression of its handle."""
        if tree[0] == "NAMED":
            return tree[1]
        kind, integers, far, below = tree
        types = [self.make(one) for one in below]
        n = ["MPI_DISTRIBUTE_DFLT_DARG" if k == "DEFAULT" else f"{PREFIX.get(k, '')}{k}" for k in integers]
        far = [f"{k}_a" for k in far]
        count = integers[0] if n else 0

        def array(values):
            return "[" + ", ".join(values) + "]"

        name, arguments = f"create_{kind.lower()}", n
        if kind in ("CONTIGUOUS", "VECTOR"):
            name = kind.lower()
        elif kind == "HVECTOR":
            arguments = n + far
        elif kind == "INDEXED":
            name, arguments = "indexed", [n[0], array(n[1 : count + 1]), array(n[count + 1 :])]
        elif kind == "HINDEXED":
            arguments = [n[0], array(n[1:]), array(far)]
        elif kind == "INDEXED_BLOCK":
            arguments = [n[0], n[1], array(n[2:])]
        elif kind == "HINDEXED_BLOCK":
            arguments = [n[0], n[1], array(far)]
        elif kind == "STRUCT":
            arguments = [n[0], array(n[1:]), array(far), array(types)]
        elif kind == "SUBARRAY":
            columns = [array(n[1 + k * count : 1 + (k + 1) * count]) for k in range(3)]
            arguments = [n[0], *columns, n[-1]]
        elif kind == "DARRAY":
            dims = integers[2]
            columns = [array(n[3 + k * dims : 3 + (k + 1) * dims]) for k in range(4)]
            arguments = [*n[:3], *columns, n[-1]]
        elif kind == "RESIZED":
            self.made += 1
            self.text += f"  call MPI_Type_create_resized({types[0]}, {far[0]}, {far[1]}, t({self.made}), ierr)\n"
            return f"t({self.made})"
        else:
            name, arguments = "dup", []
        if kind != "STRUCT":
            arguments = [*arguments, types[0]]
        self.made += 1
        self.text += f"  call MPI_Type_{name}({', '.join(arguments)}, t({self.made}), ierr)\n"
        return f"t({self.made})"


def main(seed, count, trees_path, program_path):
    program = Program()
    with open(trees_path, "w") as out:
        for tree in trees(int(seed), int(count), FORTRAN_BASES):
            program.make(tree)
            program.text += SHOW.format(n=program.made)
            json.dump(tree, out)
            out.write("\n")
    with open(program_path, "w") as out:
        out.write(HEAD.format(most=program.made) + program.text + TAIL)


main(*sys.argv[1:])
