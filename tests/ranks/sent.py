"""Messages that do not fit their receives, and ones that do; a wildcard that the communicator's info excludes."""

import array

from mpi4py import MPI

comm = MPI.COMM_WORLD
values = array.array("i", range(4))
numbers = array.array("d", range(2))
if comm.rank == 0:
    comm.send({"a": 1}, dest=1)
    comm.Send([numbers, 2, MPI.DOUBLE], dest=1, tag=7)  # sent: send
elif comm.rank == 1:
    comm.recv(source=0)
    comm.Recv([values, 4, MPI.INT], source=0, tag=7)  # sent: receive

pair = MPI.INT.Create_contiguous(2).Commit()
info = MPI.Info.Create()
info.Set("mpi_assert_no_any_tag", "true")
asserted = comm.Dup_with_info(info)
status = MPI.Status()
if comm.rank == 0:
    comm.Send([values, 3, MPI.INT], dest=1, tag=8)
    comm.Send([values, 3, MPI.INT], dest=1, tag=9)  # partial: send
elif comm.rank == 1:
    comm.Recv([values, 2, pair], source=0, tag=8, status=status)
    status.Get_elements(pair)
    comm.Recv([values, 2, pair], source=0, tag=9)  # partial: receive
    asserted.Iprobe(source=MPI.ANY_SOURCE, tag=1)
    asserted.Iprobe(source=0, tag=MPI.ANY_TAG)
asserted.Free()
info.Free()
pair.Free()
