#!/bin/sh
# Prints a Python that has mpi4py and numpy, and the MPI that it uses. Fails if there is none.
for python in python3 /usr/bin/python3; do
    mpi=$($python -c 'import numpy, mpi4py.MPI as MPI
print({"Open MPI": "openmpi", "MPICH": "mpich"}[MPI.get_vendor()[0]])' 2>/dev/null) || continue
    $python -c "import sys; print(sys.executable, '$mpi')"
    exit
done
exit 1
