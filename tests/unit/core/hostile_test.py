"""The extension _mpipp on damaged registries: every function of _mpipp.pyi is called on what comes of them.

Each case is a sound image (ext_image.py) with a few fields changed: of the root, the table, the ring, a node, a block,
or bytes anywhere. Whatever happens is a result or an exception that _mpipp.pyi documents, with one sentence for its
text; never a crash, a hang, a leak (tests/unit/ext.sh runs this under the sanitizers).

    [ST_SEED=N] [ST_CASES=N | ST_SECONDS=N] tests/unit/ext.sh hostile_test.py
"""

import ast
import gc
import itertools
import os
import random
import struct
import sys
import time

import _mpipp
from ext_image import BASE, BUFFER, HANDLE, IMAGE, ROOT, Target, run, sentence

SEED = int(os.environ.get("ST_SEED", "4"))
CASES = int(os.environ.get("ST_CASES", "200"))
SECONDS = float(os.environ.get("ST_SECONDS", "0"))
MOST_READS = 20000  # of one case: a walk that does not end

NODE = 104
PLACES = 512 * 96  # in a rank's area
NODES = struct.unpack_from("<I", IMAGE, ROOT - BASE + 72)[0]

# --- changes -----------------------------------------------------------------------------------------

# (offset, width) of every field, as registry.h has them.
ROOT_FIELDS = [(0, 8), (8, 4), (12, 4), (16, 2), (18, 2), (20, 2), (22, 2)]
ROOT_FIELDS += [(at, 4) for at in (24, 28, 32, 36, 64, 68, 72, 76, 88, 92, 96, 100, 112, 116)]
ROOT_FIELDS += [(at, 8) for at in (40, 48, 56, 80, 104, 120, 128, 136, 144, 248, 256, 264, 272, 280)]
ROOT_FIELDS += [(288, 4), (292, 4), (296, 2), (298, 2), (328, 8)]
NODE_FIELDS = [(at, 8) for at in range(0, 72, 8)] + [(at, 4) for at in range(72, 100, 4)] + [(100, 1), (101, 1)]
BLOCK_FIELDS = [(0, 4), (8, 8), (16, 4), (16, 8), (24, 8)]  # the header, and the first numbers

HOSTILE = [0, 1, 2, 3, 7, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**40, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64 - 4096]
HOSTILE += [BASE, BASE + 1, BASE - 1, BASE + 4095, BASE + len(IMAGE), ROOT, BUFFER, 0xFFFF800000000000, 0xFFFFFFFF81000000]


def number_at(data, address, width):
    """0 outside the image."""
    at = address - BASE
    return int.from_bytes(data[at : at + width], "little") if 0 <= at <= len(data) - width else 0


def node_address(ordinal):
    per_chunk = number_at(IMAGE, ROOT + 68, 4)
    directory = number_at(IMAGE, ROOT + 56, 8)
    return number_at(IMAGE, directory + 8 * (ordinal // per_chunk), 8) + NODE * (ordinal % per_chunk)


def fields(choice):
    """The address and the width of some field."""
    what = choice.choice(["root", "node", "node", "node", "block", "block", "table", "ring", "calls", "shared", "log", "any"])
    node = node_address(choice.randrange(NODES))
    if what == "root":
        return tuple(map(sum, zip((ROOT, 0), choice.choice(ROOT_FIELDS))))
    if what == "node":
        return tuple(map(sum, zip((node, 0), choice.choice(NODE_FIELDS))))
    if what == "block":
        block = number_at(IMAGE, node + choice.choice([56, 64]), 8)
        return tuple(map(sum, zip((block or node, 0), choice.choice(BLOCK_FIELDS))))
    if what == "table":
        return number_at(IMAGE, ROOT + 48, 8) + 4 * choice.randrange(32), 4
    if what == "calls":
        where = number_at(IMAGE, ROOT + choice.choice([264, 272, 280]), 8)
        return where + choice.choice([0, 4, 8, 16, 24, 25, 32, 40, 48, 56, 64]), choice.choice([1, 4, 8])
    shared = number_at(IMAGE, ROOT + 328, 8)
    if what == "shared":
        return shared + choice.choice([0, 4, 8, 16]), choice.choice([4, 8])
    if what == "log":  # a call, or where one was made: the key, and what follows
        area = number_at(IMAGE, shared + 8, 8)
        at = choice.choice([96 * 7 * choice.randrange(12), PLACES + 8])
        return area + at + 8 * choice.randrange(12), choice.choice([2, 4, 8])
    if what == "ring":
        return number_at(IMAGE, ROOT + 104, 8) + 4 * choice.randrange(8), 4
    return BASE + choice.randrange(len(IMAGE) - 8), choice.choice([1, 2, 4, 8])


def change(data, choice):
    address, width = fields(choice)
    old = number_at(data, address, width)
    new = choice.choice(
        [
            choice.choice(HOSTILE),
            choice.randrange(NODES + 2),  # a cycle, a type below itself, one that is not there
            old + choice.choice([-8, -1, 1, 2, 4, 8, 1000]),
            old ^ 1 << choice.randrange(8 * width),
            BASE + choice.randrange(len(IMAGE)),
            choice.getrandbits(64),
        ]
    )
    at = address - BASE
    data[at : at + width] = (new % (1 << 8 * width)).to_bytes(width, "little")


class Endless(BaseException):
    """No Exception: it comes through the core."""


class Damaged(Target):
    """Target memory with changes, that a walk cannot read for ever."""

    def __init__(self, choice):
        super().__init__()
        self.left = MOST_READS
        for _ in range(choice.choice([1, 1, 2, 3, 8])):
            change(self.data, choice)

    def __call__(self, address, length):
        self.left -= 1
        if self.left < 0:
            raise Endless("a case reads for ever")
        return super().__call__(address, length)


# --- calls -------------------------------------------------------------------------------------------


def format_run(basic, data, count, is_array):
    assert len(data) == basic.size * count, (basic, len(data), count)
    return "{...}" if is_array else "?"


CELL = [
    ("group", 5, 0, 24, ((3, 24),)), ("float", 0, 0, 8, ()), ("union", 2, 8, 4, ()), ("signed", 0, 0, 4, ()),
    ("float", 0, 0, 4, ()), ("pointer", 0, 16, 8, ()),
]
LINE = [("signed", 0, 0, 4, ((-1, 4),))]
COUNTS = (None, 0, 1, 3, 10**12)
STEPS = 1000  # the default is some seconds' worth
TEXTS = ("", "[0]", "[2][5]", "{1}[0]", "[0][0][0]", "[1](MPI_INT)", "[0].second", "[7][", "{3}")
MEMBERS = "count blocklength stride ndims size rank lb extent precision range order nonsense".split()
ARRAYS = "lengths offsets sizes subsizes starts gsizes distribs dargs psizes nonsense".split()
OPTIONS = (
    {},
    {"elements": 3, "repeats": 2, "max_depth": 2, "natural": False},
    {"elements": 20, "pretty": True, "array": True, "array_indexes": True},
)


class Case:
    """What one damaged registry gives, and what is done with it."""

    def __init__(self, seed):
        self.choice = random.Random(seed)
        self.target = Damaged(self.choice)
        self.done = set()
        self.left = self.places = 0  # to look at

    def call(self, name, function, *arguments, also=(), **keywords):
        """None where it raises what it may raise."""
        self.done.add(name)
        try:
            return self.look(function(*arguments, **keywords))
        except _mpipp.Unreadable as error:
            sentence(error)
            assert isinstance(error.address, int) and isinstance(error.partial, (str, type(None))), vars(error)
        except _mpipp.Error as error:
            assert "\n" not in sentence(error), error
        except also:
            pass
        return None

    def look(self, value):
        """Reads all of a result: attributes, members of tuples and lists."""
        self.left -= 1
        if self.left > 0:
            if isinstance(value, (tuple, list)):
                for member in value[:8]:
                    self.look(member)
            for attribute in ATTRIBUTES.get(type(value).__name__, ()):
                self.call(f"{type(value).__name__}.{attribute}", getattr, value, attribute)
        return value

    def some(self, values, most):
        values = list(itertools.islice(values, 200))
        return self.choice.sample(values, min(most, len(values)))

    def run(self):
        registry = self.call("Registry.__init__", _mpipp.Registry, self.target, ROOT)
        if registry is None:
            return self
        types = self.registry(registry)
        for type_ in self.some(types, 6):
            self.type(type_)
            self.places = 30
            self.place(self.call("Place.__init__", _mpipp.Place, type_, BUFFER, self.choice.choice(COUNTS)), 0)
            self.functions(type_)
        change(self.target.data, self.choice)
        changes = ROOT - BASE + 40
        self.target.data[changes] ^= 2
        self.call("Registry.refresh", registry.refresh)
        self.call("Registry.types", registry.types)
        self.call("Registry.forget", registry.forget)
        for type_ in self.some(types, 2):
            self.type(type_)
        self.text()
        self.lines()
        return self

    def text(self):
        """Any characters: nothing in what is shown of them acts on a terminal."""
        acting = ["\x1b", "\x07", "\x7f", "\x9b", "\u202e", "\ud800"]
        other = [chr(self.choice.randrange(32, 0x110000)) for _ in range(20)]
        text = "".join(self.choice.sample(acting + other, 26)) + "\n"
        lines = self.choice.choice([True, False])
        shown = self.call("visible", _mpipp.visible, text, lines=lines)
        assert len(shown) == len(text) and not set(shown) & set(acting), ascii(shown)
        assert shown.endswith("\n") == lines and _mpipp.visible(shown, lines=lines) == shown, ascii(shown)

    def lines(self):
        """Any instruction of any file."""
        path = self.choice.choice((_mpipp.__file__, sys.argv[0], "/dev/null", "/nonexistent"))
        line = self.call("source_line", _mpipp.source_line, path, self.choice.randrange(1 << self.choice.randrange(1, 65)))
        assert line is None or (path == _mpipp.__file__ and line[1] > 0), line
        self.call("forget_source_lines", _mpipp.forget_source_lines)

    def registry(self, registry):
        self.left = 200
        self.look(registry)
        types = []
        for handle in [HANDLE + i for i in range(NODES)] + [0, 2**64 - 1]:
            found = self.call("Registry.find", registry.find, handle)
            types += [found[1]] if found and found[1] is not None else []
        for ordinal in range(NODES + 2):
            types.append(self.call("Registry.node", registry.node, ordinal, 0))
        for name in ("particle", "MPI_INT", ""):
            types += self.call("Registry.named", registry.named, name) or []
        self.call("Registry.from_fortran", registry.from_fortran, self.choice.choice([-1, 0, 77, 2**62]))
        self.call("Registry.predefined", registry.predefined)
        for index in (-1, 0, 2, 1000):
            self.call("Registry.site", registry.site, index)
        self.call("Registry.reports", registry.reports)
        for thread in self.call("Registry.threads", registry.threads) or []:
            for one in thread.calls:
                self.call("Registry.form", registry.form, one.form)
        self.call("Registry.form", registry.form, self.choice.choice([0, 31, 32, 2**32, 2**64 - 1]))
        for name in ("MPI_Recv", "MPI_Finalize", "MPI_", ""):
            self.call("Registry.form_of", registry.form_of, name)
            values = tuple(self.choice.choice([0, 5, BUFFER, 2**31, 2**64 - 1]) for _ in range(8))
            self.call("Registry.describe", registry.describe, name, values)
        self.call("Registry.names", registry.names)
        self.call("named_ranks", _mpipp.named_ranks, [3, -1, 2**40])
        for now in (None, 0, 5000, 2**62):
            bounds = self.call("Registry.since", registry.since, now)
            if bounds is not None:
                self.call("duration", _mpipp.duration, *bounds)
        self.call("duration", _mpipp.duration, 3, 2**62)
        self.call("deadlocks", _mpipp.deadlocks, [(registry, (71, 72)), (registry, ())], (registry.world, 7), lambda *of: "x")
        self.look(self.call("Registry.operations", registry.operations))
        self.look(self.call("Registry.collectives", registry.collectives))
        self.look(self.call("Registry.messages", registry.messages))
        self.look(self.call("sent_messages", _mpipp.sent_messages, [registry, registry]))
        self.call("Registry.epochs", registry.epochs)
        for of, handle in (("MPI_Comm", 0x84000001), ("MPI_Win", 1), ("MPI_Comm", 2**64 - 1)):
            self.call("Registry.object", registry.object, of, handle)
            self.call("Registry.objects", registry.objects, of)
        self.listing(self.call("Registry.types", registry.types))
        return [type_ for type_ in types if type_ is not None]

    def listing(self, listing):
        if listing is None:
            return
        self.left = 100
        length = self.call("Listing.__len__", len, listing)
        self.call("Listing.__iter__", list, listing)
        for index in (0, -1, length - 1, length):
            self.call("Listing.__getitem__", lambda i=index: listing[i], also=IndexError)
        for group in self.call("Listing.groups", listing.groups, live=self.choice.choice([None, True, False])) or []:
            self.look(group)

    def type(self, type_):
        self.left = 60
        self.look(type_)
        for name in MEMBERS:
            self.call("Type.member", type_.member, name, also=KeyError)
        for name in ARRAYS:
            self.call("Type.array", type_.array, name, 0, 100, also=KeyError)
        for index in (0, type_.entries - 1, type_.entries):
            self.call("Type.entry_type", type_.entry_type, index, also=IndexError)

    def place(self, place, depth):
        self.places -= 1
        if place is None or self.places < 0:
            return
        self.left = 40
        self.look(place)
        length = self.call("Place.__len__", len, place)
        self.call("Place.path", place.path)
        self.call("Place.fold", place.fold)
        for start, stop in ((0, 1), (0, min(length, 50)), (0, length)):
            also = (TypeError, IndexError, MemoryError)  # no run; a leaf has one; as much as was claimed
            self.call("Place.gather", place.gather, self.target, start, stop, also=also)
        for index in {0, 1, length - 1, length}:
            child = self.call("Place.child", place.child, index, also=IndexError)
            if depth < 5:
                self.place(child, depth + 1)

    def functions(self, type_):
        self.left = 100
        count = self.choice.choice(COUNTS)
        place = _mpipp.Place(type_, BUFFER, count)
        for options in OPTIONS:
            self.call("render", _mpipp.render, place, self.target, format_run=format_run, **options)
        names = ((type_, BUFFER, ((3, 8), (-1, 0)), ("a", None) * 8),)
        self.call("render", _mpipp.render, place, self.target, format_run=format_run, stages=False, names=names)
        self.call("stack_is_low", _mpipp.stack_is_low)
        for text in TEXTS:
            self.call("splits", _mpipp.splits, "T" + text)
            self.call("element", _mpipp.element, type_, BUFFER, count, text, "t")
        for byte in (BUFFER, BUFFER + self.choice.randrange(4096), 2**64 - 1):
            self.call("locate", _mpipp.locate, type_, BUFFER, count, byte, 5, 1000)
        for first in (0, 5, 10**12):
            rows = self.call("TypeMap.__init__", _mpipp.TypeMap, type_, count, first)
            if rows is not None:
                self.call("TypeMap.__iter__", iter, rows)
                for _ in range(8):
                    self.call("TypeMap.__next__", next, rows, None)
        for program in (CELL, LINE):
            address = self.choice.choice([0, BUFFER, 2**64 - 8])
            self.call("compare", _mpipp.compare, type_, program, min(count or 0, 12), address)  # 10**12: seconds
        self.algebra(type_, count)

    def algebra(self, type_, count):
        other = self.choice.choice(COUNTS)
        self.left = 100
        self.call("contiguous", _mpipp.contiguous, type_)
        self.call("signature_text", _mpipp.signature_text, type_, count, 10)
        self.call("match", _mpipp.match, type_, count, type_, other)
        self.call("overlap", _mpipp.overlap, type_, BUFFER, count, type_, BUFFER + 4, other, STEPS)
        self.call("self_overlap", _mpipp.self_overlap, type_, count, STEPS)
        self.call("misaligned", _mpipp.misaligned, type_, BUFFER + 1, count, 5, STEPS)
        layout = self.call("Layout.__init__", _mpipp.Layout, type_, count)
        if layout is not None:
            self.call("Layout.covered", layout.covered, STEPS)
            self.call("Layout.pieces", layout.pieces, STEPS)
            self.call("Layout.blocks", layout.blocks, 5)
            self.call("Layout.runs", layout.runs, -100, 10**6, 5, STEPS)
        data = (type_, BUFFER, count, self.target)
        found = self.call("diff", _mpipp.diff, data, (type_, BUFFER + 4, other, self.target), 5000, other == 1)
        self.look(None if found is None else found.first)
        packed = self.call("Pack.__init__", _mpipp.Pack, type_, BUFFER, count, self.target)
        if packed is not None:
            self.call("Pack.__iter__", iter, packed)
            for _ in range(3):
                self.call("Pack.__next__", next, packed, None)


# --- what there is to call ---------------------------------------------------------------------------


def described():
    """The functions, methods and attributes of _mpipp.pyi: "find", "Registry.find". Of a tuple, its members are looked
    at anyway."""
    with open("gdb-plugin/ext/_mpipp.pyi", encoding="utf-8") as text:
        tree = ast.parse(text.read())
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    attributes = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.bases:
            functions |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, ast.FunctionDef)}
            attributes[node.name] = [one.target.id for one in node.body if isinstance(one, ast.AnnAssign)]
    return functions, attributes


FUNCTIONS, ATTRIBUTES = described()

# --- tests -------------------------------------------------------------------------------------------


def test_the_sound_image_passes():
    class Sound(Case):
        def __init__(self):
            super().__init__(0)
            self.target = Target()

    case = Sound().run()
    assert _mpipp.Registry(Target(), ROOT).damage is None and "Place.gather" in case.done


def test_damaged_images():
    done, start, seed = set(), time.monotonic(), SEED
    while seed < SEED + CASES if not SECONDS else time.monotonic() < start + SECONDS:
        if (seed - SEED) % 50 == 0:
            print(f"# from ST_SEED={seed} ST_CASES=50", flush=True)
        try:
            done |= Case(seed).run().done
        except BaseException:
            print(f"# ST_SEED={seed} ST_CASES=1", flush=True)
            raise
        seed += 1
    print(f"# {seed - SEED} cases", flush=True)
    wanted = FUNCTIONS | {f"{name}.{one}" for name, all_ in ATTRIBUTES.items() for one in all_}
    if CASES > 100 or SECONDS:
        assert not wanted - done, f"never called: {sorted(wanted - done)}"
    assert not done - wanted, f"not in _mpipp.pyi: {sorted(done - wanted)}"


def rss():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def test_nothing_leaks():
    def again():
        for seed in range(40):
            Case(seed).run()
        gc.collect()

    again()
    again()
    objects, memory, references = len(gc.get_objects()), rss(), sys.getrefcount(_mpipp.Type)
    again()
    again()
    assert len(gc.get_objects()) - objects < 40, (objects, len(gc.get_objects()))
    assert abs(sys.getrefcount(_mpipp.Type) - references) < 40
    assert rss() - memory < 32 << 20, (memory, rss())  # the sanitizer's quarantine is 16 MB


run(globals())
