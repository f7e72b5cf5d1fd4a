"""Threads of Python that call MPI and may not. A line with a finding says so. Runs as one rank."""

import threading

import mpi4py

mpi4py.rc.thread_level = "funneled"
from mpi4py import MPI  # noqa: E402


def work():
    MPI.COMM_WORLD.Get_rank()  # thread-level
    MPI.COMM_SELF.Barrier()  # thread-level
    MPI.Get_version()
    MPI.Info.Create().Free()


MPI.COMM_WORLD.Get_rank()
thread = threading.Thread(target=work)
thread.start()
thread.join()
MPI.COMM_WORLD.Barrier()
