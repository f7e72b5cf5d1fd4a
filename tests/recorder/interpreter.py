"""The recorder asks the interpreter at every call: it goes on as if nobody had asked."""

import ctypes
import gc
import sys
import threading

from mpi4py import MPI

passed = failed = 0


def check(what, good):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(f"FAIL: {what}")


class Owner:
    def __init__(self):
        self.type = MPI.INT.Create_contiguous(2)

    def __del__(self):
        self.type.Free()
        freed.append(1)


def fail():
    owner = Owner()
    raise ValueError(owner.type.Get_size())


def recurse(depth):
    return recurse(depth - 1) if depth else MPI.INT.Dup()


freed: list = []
check("the recorder is there", bytes((ctypes.c_char * 8).in_dll(ctypes.CDLL(None), "shadowtype_registry")) == b"shadowty")

for _ in range(500):  # freed by the collector, in its own time
    owner = Owner()
    owner.itself = owner
del owner
gc.collect()
check("finalizers run", len(freed) == 500)
check("the collector is on", gc.isenabled())
gc.disable()
Owner()
check("the collector stays off", not gc.isenabled())
gc.enable()

caught = 0
for _ in range(200):  # freed while an exception is on its way
    try:
        fail()
    except ValueError as error:
        caught += error.args == (8,)
check("exceptions pass", caught == 200)

try:
    MPI.INT.Create_contiguous(-1)
    check("an error of MPI is raised", False)
except MPI.Exception:
    check("an error of MPI is raised", True)

threads = [threading.Thread(target=lambda: [Owner() for _ in range(300)]) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
check("threads", len(freed) == 500 + 1 + 200 + 1200)

# More places than are kept, of code that is gone at once.
names = {"MPI": MPI}
for line in range(7000):
    text = "\n" * line + "made = MPI.INT.Create_contiguous(3)\nmade.Free()"
    exec(compile(text, f"generated{line % 50}.py", "exec"), names)
check("code that comes and goes", True)

recurse(500).Free()
before = sys.getrefcount(recurse.__code__)
for _ in range(100):
    recurse(3).Free()
check("references", sys.getrefcount(recurse.__code__) - before <= 2)  # one is kept for each line
print(f"{passed} passed, {failed} failed")
