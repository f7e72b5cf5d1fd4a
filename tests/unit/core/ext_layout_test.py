"""Layouts and overlap through the extension, on a registry made of bytes: against bytes that are marked one by one.

(tests/unit/ext.sh runs it under the sanitizers, on the image of ext_image.py.)
"""

import gc
import random
import signal
import sys

import _mpipp
from ext_image import BUFFER, INT, opened, raises, run, sentence

MOST = 1 << 16  # bytes that are marked


def every_type(registry):
    return [registry.node(row.ordinal, row.serial) for row in registry.types()]


def kinds(registry):
    return {type_.kind: type_ for type_ in every_type(registry)}


def named(registry, name):
    return registry.named(name)[0]


def marked(type_, count):
    """How often each byte is named, by displacement; None: too many, or not known."""
    times = {}
    for entry in _mpipp.TypeMap(type_, count, 0):
        if entry.opaque or len(times) > MOST:
            return None
        for byte in range(entry.displacement, entry.displacement + entry.size):
            times[byte] = times.get(byte, 0) + 1
    return times


def runs_of(bytes_):
    """[(from, to)] of a set."""
    runs = []
    for byte in sorted(bytes_):
        if runs and runs[-1][1] == byte:
            runs[-1] = (runs[-1][0], byte + 1)
        else:
            runs.append((byte, byte + 1))
    return runs


def unfolded(block):
    """The bytes of a strided block."""
    starts = [block.displacement]
    for count, stride in block.levels:
        starts = [start + i * stride for start in starts for i in range(count)]
    return {byte for start in starts for byte in range(start, start + block.length)}


def element_bytes(element):
    return set(range(element.low, element.high))


# --- tests -------------------------------------------------------------------------------------------


def test_layouts_are_their_bytes():
    _, registry = opened()
    known = 0
    for type_ in every_type(registry):
        for count in (None, 0, 1, 3):
            layout, times = _mpipp.Layout(type_, count), marked(type_, count)
            if times is None:
                assert layout.doubt == ("" if count == 0 else "what is inside of a type is not known"), type_.kind
                continue
            known += 1
            assert layout.doubt == ""
            assert layout.high - layout.low == (max(times) + 1 - min(times) if times else 0)
            assert not times or layout.low == min(times)
            assert layout.covered() == len(times) and layout.pieces() == len(runs_of(times))
            blocks, more = layout.blocks(10**6)
            assert not more and set().union(*map(unfolded, blocks)) == set(times)
            assert layout.runs(layout.low, layout.high, 10**6) == (runs_of(times), "")
            for low, high in ((layout.low + 3, layout.high - 5), (7, 90), (-(10**30), 10**30), (5, 5), (9, 2)):
                window = {byte for byte in times if low <= byte < high}
                assert layout.runs(low, high, 10**6) == (runs_of(window), ""), (type_.kind, low, high)
    assert known > 40


def test_the_record():
    _, registry = opened()
    layout = _mpipp.Layout(named(registry, "particle"))
    assert (layout.low, layout.high, layout.covered(), layout.pieces()) == (0, 126, 59, 6)
    assert layout.alignment == (8, 4)
    runs = [(0, 20), (47, 54), (76, 92), (100, 112), (120, 122), (124, 126)]
    assert layout.runs(0, 126, 6) == (runs, "") and layout.runs(0, 126, 4) == (runs[:4], "more")
    assert layout.runs(0, 126, 0) == ([], "more") == layout.runs(0, 126, -1)
    assert layout.blocks(2) == ([(0, 20, ()), (47, 7, ())], True)


def test_large_counts():
    _, registry = opened()
    number, record = registry.node(INT, 0), named(registry, "particle")
    assert _mpipp.Layout(number, 10**9).blocks(9) == ([(0, 4 * 10**9, ())], False)
    many = _mpipp.Layout(record, 10**9)
    assert many.covered() == 59 * 10**9 and many.high == 140 * (10**9 - 1) + 126
    assert many.pieces() == 6 * 10**9
    at = 140 * 777777777
    assert many.runs(at + 10, at + 50, 9) == ([(at + 10, at + 20), (at + 47, at + 50)], "")
    far = _mpipp.Layout(record, 2**62)
    assert far.doubt == "its bytes do not lie within 64 bits" and far.low is far.high is far.alignment is None
    assert far.covered() is far.pieces() is None
    assert far.blocks(9) == ([], False) and far.runs(0, 9, 9) == ([], far.doubt)
    edge = _mpipp.Layout(named(registry, "MPI_CHAR"), 2**63 - 1)
    assert (edge.low, edge.high, edge.covered()) == (0, 2**63 - 1, 2**63 - 1)


def test_overlap_of_buffers():
    _, registry = opened()
    record, number = named(registry, "particle"), registry.node(INT, 0)
    found = _mpipp.overlap(record, BUFFER, 2, number, BUFFER + 140 + 49, None)
    assert found.overlaps is True and found.doubt == "" and found.bytes == 4
    assert (found.address, found.length) == (BUFFER + 140 + 49, 1)
    assert (found.first.short, found.second.short) == ("{1}[2][2]", "")
    assert _mpipp.overlap(record, BUFFER, None, number, BUFFER + 20, 6) == (False, "", 0, 0, None, None, 0)
    # of a pair, the member; round the end of the address space
    pair = named(registry, "MPI_DOUBLE_INT")
    found = _mpipp.overlap(pair, 2**64 - 8, 1, number, 0, 1)
    assert (found.address, found.length, found.first.short) == (0, 4, "{0}.second"), found
    assert _mpipp.overlap(pair, 0, 2, number, 12, 1).overlaps is False  # its gap
    assert _mpipp.overlap(pair, 0, 1, number, 0, 0).overlaps is False
    # not known: where it may lie is not looked at
    opaque = kinds(registry)["OPAQUE"]
    found = _mpipp.overlap(opaque, 0, 1, number, 4, 1)
    assert found == (None, "what is inside of a type is not known", 0, 0, None, None, None)
    # more steps than there are
    types = [t for t in every_type(registry) if marked(t, 2)]
    hvector = kinds(registry)["HVECTOR"]
    assert _mpipp.overlap(hvector, 0, 100, hvector, 1, 100, steps=0).overlaps in (None, True)
    overlaps = 0
    for a in types:
        for b in types[::3]:
            for shift in (0, 1, -3, 20, 333):
                ours, theirs = set(marked(a, 2)), {byte + shift for byte in marked(b, None)}
                found = _mpipp.overlap(a, BUFFER, 2, b, BUFFER + shift, None)
                assert found.overlaps == bool(ours & theirs) and found.bytes == len(ours & theirs)
                if found.overlaps:
                    overlaps += 1
                    at = found.address - BUFFER
                    shared = set(range(at, at + found.length))
                    assert shared and shared <= ours & theirs
                    assert shared <= element_bytes(found.first)
                    assert {byte - shift for byte in shared} <= element_bytes(found.second)
    assert overlaps > 100


def test_overlap_with_itself():
    _, registry = opened()
    twice = never = 0
    for type_ in every_type(registry):
        one = marked(type_, None)
        found = _mpipp.self_overlap(type_, None)
        if one is None:
            assert found == (None, None, "what is inside of a type is not known", None, None, None, None, 0)
            continue
        smallest = found.smallest if found.ever else 5
        for count in range(1, min(smallest, 5)):
            assert not any(times > 1 for times in marked(type_, count).values())
            assert _mpipp.self_overlap(type_, count).overlaps is False
        if not found.ever:
            never += 1
            assert found == (False, False, "", None, None, None, None, 0)
            continue
        twice += 1
        assert found.overlaps == (smallest == 1) and _mpipp.self_overlap(type_, smallest).overlaps is True
        times = marked(type_, smallest)
        for byte in range(found.low, found.low + found.length):
            assert times[byte] > 1 and byte in element_bytes(found.first) & element_bytes(found.second)
        assert found.length > 0 and found.first.number < found.second.number
        assert found.first.short.startswith("{") == (smallest > 1)
    assert twice > 0 and never > 5


def test_alignment():
    _, registry = opened()
    number, record = registry.node(INT, 0), named(registry, "particle")
    assert _mpipp.misaligned(number, BUFFER, 10**9, 5) == ([], "")
    wrong, ended = _mpipp.misaligned(number, 4 * BUFFER + 2, 10**9, 5)
    assert [element.short for element in wrong] == ["{0}", "{1}", "{2}", "{3}", "{4}"] and ended == "more"
    wrong, ended = _mpipp.misaligned(record, 64, None, 9)
    assert [element.short for element in wrong] == ["[3][0]", "[3][1]", "[4][0]"] and ended == ""
    assert _mpipp.misaligned(record, 68, None, 9) == ([], "")
    assert _mpipp.misaligned(number, 1, 1, 0) == ([], "more") == _mpipp.misaligned(number, 1, 1, -5)
    wrong, ended = _mpipp.misaligned(kinds(registry)["OPAQUE"], 1, 1, 9)
    assert wrong == [] and ended == "what is inside of a type is not known"
    for type_ in every_type(registry):
        layout = _mpipp.Layout(type_, 2)
        for address in range(0 if layout.doubt else 32):
            aligned = layout.alignment is not None and address % layout.alignment[0] == layout.alignment[1]
            assert (_mpipp.misaligned(type_, address, 2, 1)[0] == []) == aligned


class Interrupted(Exception):
    """Stands for Ctrl-C."""


def test_ctrl_c_ends_what_takes_long():
    _, registry = opened()
    hindexed, hvector = kinds(registry)["HINDEXED"], kinds(registry)["HVECTOR"]
    many = _mpipp.Layout(hindexed, 10**6)

    def stop(_number, _frame):
        raise Interrupted

    before = signal.signal(signal.SIGVTALRM, stop)
    try:
        for call in (
            lambda: many.runs(0, 2**62, 10**9),
            _mpipp.Layout(hvector, 10**5).pieces,
        ):
            signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)  # of its own time: it is still under way then
            raises(Interrupted, call)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert many.low == -24  # and all is as before


def packed(target, type_, address, count):
    """The same element by element, from the type map."""
    data = b""
    for entry in _mpipp.TypeMap(type_, count, 0):
        start = address + entry.displacement
        basic = None if not entry.name.endswith("DOUBLE_INT") else 12
        data += target(start, basic or entry.size)
    return data


def test_pack():
    _, registry = opened()
    number, record = registry.node(INT, 0), named(registry, "particle")
    target, middle = memory_of(1 << 20), 1 << 19
    compared = 0
    for type_ in every_type(registry):
        for count in (None, 0, 1, 4):
            times = marked(type_, count)
            if times is None and count != 0:
                error = raises(_mpipp.Error, list, _mpipp.Pack(type_, middle, count, target))
                assert sentence(error) == "what is inside this type is not known"
                continue
            if times and max(times) - min(times) < 4000:
                data = b"".join(_mpipp.Pack(type_, middle, count, target))
                assert data == packed(target, type_, middle, count)
                assert len(data) == type_.size * (1 if count is None else count)
                compared += 1
    assert compared > 40
    # in portions, and none of them kept
    wide = memory_of(3 << 20)
    portions = list(_mpipp.Pack(number, 0, 3 << 18, wide))
    assert list(map(len, portions)) == [1 << 20] * 3 and b"".join(portions) == wide(0, 3 << 20)
    assert list(_mpipp.Pack(number, 0, 0, wide)) == []
    # up to what cannot be read
    pack = _mpipp.Pack(record, BUFFER, 2, memory_of(BUFFER + 140 + 50))
    error = raises(_mpipp.Unreadable, next, pack)
    assert error.path == "{1}[2][3]" and error.address == BUFFER + 140 + 50, (error.path, error.address)
    assert str(error) == f"cannot read 1 byte at 0x{BUFFER + 140 + 50:x}"
    raises(StopIteration, next, pack)
    pack = _mpipp.Pack(number, 0, 10**12, memory_of((1 << 20) + 10))
    assert len(next(pack)) == 1 << 20
    error = raises(_mpipp.Unreadable, next, pack)
    assert error.path == f"{{{(1 << 18) + 2}}}" and error.address == (1 << 20) + 10, (error.path, error.address)

    class Stop(BaseException):
        pass

    def stopping(_address, _length):
        raise Stop

    raises(Stop, next, _mpipp.Pack(number, 0, 5, stopping))
    pack = _mpipp.Pack(number, 0, 5, lambda *_: next(pack))
    raises(_mpipp.Unreadable, next, pack)
    for bad in ((), (None, 0, 1, target), (number, "x", 1, target), (number, 0, "x", target), (number, 0, 1)):
        raises(TypeError, _mpipp.Pack, *bad)
    raises(_mpipp.Unreadable, next, _mpipp.Pack(number, 0, 1, 5))
    sentence(raises(_mpipp.Error, _mpipp.Pack, number, 0, -1, target))


class Changed:
    """Other memory with some bits changed."""

    def __init__(self, read, choice, start, length):
        self.read = read
        self.bits = {start + choice.randrange(length): 1 << choice.randrange(8) for _ in range(choice.choice((0, 1, 40)))}

    def __call__(self, address, length):
        data = bytearray(self.read(address, length))
        for at, bit in self.bits.items():
            if 0 <= at - address < length:
                data[at - address] ^= bit
        return bytes(data)


def elements_of(read, type_, address, count):
    """The bytes of each element, from the type map alone; a pair is two."""
    for entry in _mpipp.TypeMap(type_, count, 0):
        start = address + entry.displacement
        for size in (8, 4) if entry.name == "MPI_DOUBLE_INT" else (entry.size,):
            yield read(start, size)
            start += size


def test_diff_against_every_element():
    _, registry = opened()
    choice, middle = random.Random(11), 1 << 19
    read = memory_of(1 << 20)
    compared = different = 0
    for type_ in every_type(registry):
        for count in (None, 1, 4):
            times = marked(type_, count)
            if not times or max(times) - min(times) > 4000 or type_.extent is None:
                continue
            length = max(times) - min(times)
            other = Changed(read, choice, middle + min(times), length + 1)
            wanted = list(zip(elements_of(read, type_, middle, count), elements_of(other, type_, middle, count)))
            differing = [number for number, (one, two) in enumerate(wanted) if one != two]
            one, two = (type_, middle, count, read), (type_, middle, count, other)
            for most in {len(wanted), len(wanted) // 2}:
                found = _mpipp.diff(one, two, most)
                numbers = [number for number in differing if number < most]
                assert (found.compared, found.different) == (most, len(numbers)), (type_.kind, found)
                assert found.number == (numbers[0] if numbers else None) and not found.sizes and not found.unreadable
                if numbers:
                    sides = [wanted[numbers[0]][side] for side in (0, 1)]
                    assert sides == [r(e.address, e.basic.size) for r, e in zip((read, other), found.first)], found
                    assert found.first[0].long == found.first[1].long
                compared += 1
                different += len(numbers)
            sent = sum(len(one) for one, _ in wanted)
            found = _mpipp.diff(one, two, sent, True)
            pairs = [pair for one, two in wanted for pair in zip(one, two)]
            assert (found.compared, found.different) == (sent, sum(a != b for a, b in pairs)), (type_.kind, found)
    assert compared > 100 and different > 100, (compared, different)


def test_diff():
    _, registry = opened()
    number, record = registry.node(INT, 0), named(registry, "particle")
    real = named(registry, "MPI_DOUBLE")
    read, ends = memory_of(1 << 21), memory_of((1 << 20) + 10)
    found = _mpipp.diff((number, 0, 10**12, ends), (number, 0, 10**12, read), 10**12)
    assert (found.compared, found.different, found.side) == ((1 << 18) + 2, 0, 0) and found.first is None
    assert found.unreadable.path == f"{{{(1 << 18) + 2}}}" and found.unreadable.address == (1 << 20) + 10
    sentence(found.unreadable)
    found = _mpipp.diff((record, BUFFER, 2, lambda a, n: bytes(n)), (record, BUFFER, 2, memory_of(BUFFER + 190)), 99)
    assert found.side == 1 and found.unreadable.path == "{1}[2][3]" and found.compared == found.different + 0
    found = _mpipp.diff((number, 0, 4, read), (real, 0, 4, read), 4)
    assert found.sizes and (found.compared, found.different) == (0, 0)
    assert _mpipp.diff((number, 0, 4, read), (number, 0, 9, read), 9).compared == 4  # one side has no more
    assert _mpipp.diff((number, 0, 4, read), (number, 0, 9, read), 0).compared == 0

    class Stop(BaseException):
        pass

    def stopping(_address, _length):
        raise Stop

    raises(Stop, _mpipp.diff, (number, 0, 4, read), (number, 0, 4, stopping), 4)
    good = (number, 0, 4, read)
    for bad in (None, (), good[:3], (None, 0, 4, read), (number, "x", 4, read), (number, 0, "x", read), list(good)):
        raises(TypeError, _mpipp.diff, bad, good, 4)
        raises(TypeError, _mpipp.diff, good, bad, 4)
    raises(TypeError, _mpipp.diff, good, good)
    raises(OverflowError, _mpipp.diff, good, good, 2**64)
    sentence(raises(_mpipp.Error, _mpipp.diff, good, (number, 0, -1, read), 4))
    opaque = [type_ for type_ in every_type(registry) if type_.kind == "OPAQUE"]
    for type_ in opaque:
        sentence(raises(_mpipp.Error, _mpipp.diff, (type_, 0, 1, read), (type_, 0, 1, read), 4))


def memory_of(size):
    """Memory 0..size-1, of random bytes."""
    seed, known = random.Random(6), {}

    def read(address, length):
        if address + length > size:
            raise ValueError("outside")
        pages = range(address >> 12, (address + length >> 12) + 1)
        for page in pages:
            if page not in known:
                known[page] = seed.randbytes(4096)
        data = b"".join(known[page] for page in pages)
        return data[address & 4095 : (address & 4095) + length]

    return read


def test_arguments():
    _, registry = opened()
    number = registry.node(INT, 0)
    for bad in ((), (None,), (5,), (number, "x"), (number, 1, 2), (number, "x")):
        raises(TypeError, _mpipp.Layout, *bad)
    sentence(raises(_mpipp.Error, _mpipp.Layout, number, -1))
    raises(OverflowError, _mpipp.Layout, number, 2**63)
    layout = _mpipp.Layout(number)
    for name in ("doubt", "low", "high", "alignment"):
        raises(AttributeError, setattr, layout, name, 1)
    for call in (layout.covered, layout.pieces):
        raises(TypeError, call, "x")
        raises(OverflowError, call, -1)
        raises(TypeError, call, 1, 2)
    raises(TypeError, layout.blocks, "x")
    raises(OverflowError, layout.blocks, 2**70)
    for bad in ((), (0, 1), ("x", 1, 1), (0, None, 1), (0, 1, "x"), (0, 1, 1, "x"), (0.5, 1, 1)):
        raises(TypeError, layout.runs, *bad)
    raises(OverflowError, layout.runs, 0, 1, 1, -1)
    for bad in ((), (number, 0, 1, number, 0), (number, 0, 1, None, 0, 1), (number, "x", 1, number, 0, 1)):
        raises(TypeError, _mpipp.overlap, *bad)
    raises(OverflowError, _mpipp.overlap, number, -1, 1, number, 0, 1)
    sentence(raises(_mpipp.Error, _mpipp.overlap, number, 0, 1, number, 0, -1))
    raises(TypeError, _mpipp.self_overlap, number)
    raises(TypeError, _mpipp.self_overlap, None, 1)
    raises(OverflowError, _mpipp.self_overlap, number, 1, -1)
    raises(TypeError, _mpipp.misaligned, number, 0, 1)
    raises(TypeError, _mpipp.misaligned, number, 0, 1, "x")
    for type_ in (_mpipp.Block, _mpipp.Overlap, _mpipp.SelfOverlap):
        assert issubclass(type_, tuple)
    assert _mpipp.STEPS == 1 << 26


def test_a_layout_outlives_its_registry():
    target, registry = opened()
    layout = _mpipp.Layout(named(registry, "particle"), 2)
    registry.forget()
    _mpipp.Layout(named(registry, "particle"))
    del target, registry
    gc.collect()
    assert layout.covered() == 118 and len(layout.runs(0, 300, 99)[0]) == 12


def test_references_do_not_leak():
    _, registry = opened()
    record = named(registry, "particle")
    shared = [None, True, False, _mpipp.Layout, _mpipp.Overlap, _mpipp.SelfOverlap, _mpipp.Block, record]

    def exercise():
        layout = _mpipp.Layout(record, 3)
        layout.covered(), layout.pieces(), layout.blocks(4), layout.runs(3, 300, 5), layout.alignment, layout.low
        _mpipp.overlap(record, 0, 2, record, 1, None)
        _mpipp.self_overlap(record, 4)
        _mpipp.self_overlap(kinds(registry)["HVECTOR"], 4)
        _mpipp.misaligned(record, 1, 2, 4)
        raises(Exception, layout.runs, 0, 1, 1, -1)
        raises(Exception, _mpipp.overlap, record, 0, 1, record, 0, -1)

    for _ in range(20):
        exercise()
    gc.collect()
    before, objects = [sys.getrefcount(o) for o in shared], len(gc.get_objects())
    rounds = 200
    for _ in range(rounds):
        exercise()
    gc.collect()
    after = [sys.getrefcount(o) for o in shared]
    for one, was, is_ in zip(shared, before, after):
        assert abs(is_ - was) < rounds // 2, (one, was, is_)
    assert len(gc.get_objects()) - objects < rounds // 2


run(globals())
