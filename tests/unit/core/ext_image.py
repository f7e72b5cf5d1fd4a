"""A registry made of bytes for tests of the extension _mpipp: what dump_image wrote, read as target memory.

    SCRIPT IMAGE BASE ROOT BUFFER DEEP_IMAGE BASE ROOT BUFFER

are the arguments of a test script (tests/unit/ext.sh). No gdb. TAP on standard output.
"""

import sys
import traceback

import _mpipp

BASE, ROOT, BUFFER = (int(word, 16) for word in sys.argv[2:5])
with open(sys.argv[1], "rb") as file:
    IMAGE = file.read()
HANDLE = 0x4C000000
INT = 0  # zoo.c: the ordinal of MPI_INT
DEEP = 100000  # how many types the second image has on top of each other
ATTRIBUTES = """registry ordinal serial handle kind name committed commit_undefined predefined freed elided
    references fortran created_at committed_at freed_at base basic entries size lb ub extent true_lb true_ub
    true_extent elements depth""".split()
CELL = [  # struct { double x; union { int i; float f; }; char *p; } [3]
    ("group", 5, 0, 24, ((3, 24),)), ("float", 0, 0, 8, ()), ("union", 2, 8, 4, ()), ("signed", 0, 0, 4, ()),
    ("float", 0, 0, 4, ()), ("pointer", 0, 16, 8, ()),
]


class Target:
    """Target memory, and what happens to a read."""

    def __init__(self, image=IMAGE):
        self.data = bytearray(image)
        self.hole = range(0)
        self.longest = None  # longer reads fail
        self.raise_at = None  # (number of the read from now on, exception)
        self.answer = None  # instead of the bytes

    def __call__(self, address, length):
        if self.raise_at is not None:
            left, exception = self.raise_at
            if left <= 1:
                self.raise_at = None
                raise exception
            self.raise_at = (left - 1, exception)
        if self.answer is not None:
            return self.answer
        if self.longest is not None and length > self.longest:
            raise ValueError("too long")
        start = address - BASE
        if start < 0 or start + length > len(self.data):
            raise ValueError("outside")
        if self.hole and address < self.hole.stop and address + length > self.hole.start:
            raise MemoryError("a hole")
        return bytes(self.data[start : start + length])


def opened():
    target = Target()
    return target, _mpipp.Registry(target, ROOT)


def every_type(registry):
    return [registry.node(row.ordinal, row.serial) for row in registry.types()]


def zoo(registry, name="particle"):
    (found,) = registry.named(name)
    return found


def opaque_ones(registry):
    """The OPAQUE type; what is an array of it and of others; an indexed type that was too large to keep."""
    known = every_type(registry)
    (opaque,) = [type_ for type_ in known if type_.kind == "OPAQUE"]
    (top,) = [type_ for type_ in known if type_.kind == "STRUCT" and type_.entries == 8]
    (elided,) = [type_ for type_ in known if type_.elided]
    return opaque, top, elided


def walk(target, place, depth):
    for name in ("type", "address", "leaf", "opaque", "struct", "run"):
        getattr(place, name)
    place.path()
    if place.leaf or place.run:
        try:
            place.gather(target, 0, 1 if place.leaf else len(place))
        except _mpipp.Unreadable:
            pass
    for index in range(min(len(place), 4)):
        if depth < 12:
            walk(target, place.child(index), depth + 1)


def format_run(basic, data, count, is_array):
    assert len(data) == basic.size * count, (basic, len(data), count)
    return f"{{{basic.name}x{count}}}" if is_array else f"<{basic.name}>"


def raises(exception, call, *arguments, **keywords):
    """Calls; the exception must come, and be of exactly this kind or below it."""
    try:
        result = call(*arguments, **keywords)
    except exception as raised:
        return raised
    raise AssertionError(f"{call} gave {result!r}, not {exception}")


def sentence(error):
    text = str(error)
    assert text and text[0] not in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" and not text.endswith("."), text
    return text


def run(tests):
    """Runs what is called test_...; exits with 1 if one fails."""
    tests = [(name, test) for name, test in tests.items() if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (name, test) in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - {name}", flush=True)
        except BaseException:
            failed += 1
            print(f"not ok {number} - {name}", flush=True)
            print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), flush=True)
    sys.exit(failed != 0)

