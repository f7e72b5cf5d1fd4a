"""Elements by the extension _mpipp: places, what they hold as text, addresses, type maps.

(tests/unit/ext.sh runs it under the sanitizers, on the image of ext_image.py.)
"""

import gc
import sys

import _mpipp
from ext_image import (
    BASE, BUFFER, DEEP, INT, Target, every_type, format_run, opened, raises, run, sentence, walk, zoo,
)


def test_places():
    target, registry = opened()
    for type_ in every_type(registry):
        for place in (_mpipp.Place(type_, BUFFER), _mpipp.Place(type_, BUFFER, count=3)):
            walk(target, place, 0)
    integer = registry.node(INT, 0)
    place = _mpipp.Place(integer, BUFFER, 10)
    assert len(place) == 10 and place.run[1] == 4 and place.path() == ""
    assert place.child(3).path() == "{3}" and place.child(3).address == BUFFER + 12
    assert place.gather(target, 2, 4) == (2).to_bytes(4, "little") + (3).to_bytes(4, "little")
    assert place.gather(target, 4, 4) == b""
    raises(IndexError, place.child, 10)
    raises(IndexError, place.child, -1)
    raises(OverflowError, place.child, 2**70)
    raises(TypeError, place.child, "x")
    raises(IndexError, place.gather, target, 5, 4)
    raises(IndexError, place.gather, target, -1, 4)
    raises(IndexError, place.gather, target, 0, 11)
    raises(TypeError, place.gather, target, 0)
    raises(TypeError, place.gather, target, "0", 1)
    raises(_mpipp.Unreadable, place.gather, 5, 0, 1)
    sentence(raises(_mpipp.Error, _mpipp.Place, integer, 0, -1))
    raises(OverflowError, _mpipp.Place, integer, 0, 2**63)
    raises(TypeError, _mpipp.Place, integer)
    raises(TypeError, _mpipp.Place, 5, 0)
    raises(TypeError, _mpipp.Place, integer, "x")
    raises(TypeError, _mpipp.Place, integer, 0, "x")
    many = _mpipp.Place(integer, BUFFER, 2**62)
    assert len(many) == 2**62
    sentence(raises(_mpipp.Error, many.child, 2**62 - 1))
    raises((MemoryError, _mpipp.Error), many.gather, target, 0, 2**62)
    raises((MemoryError, _mpipp.Error), many.gather, target, 0, 2**60)
    raises(TypeError, _mpipp.Place(registry.named("particle")[0], 0).gather, target, 0, 1)


def test_a_long_chain_of_places_goes_away():
    with open(sys.argv[5], "rb") as file:
        target = Target(file.read())
    registry = _mpipp.Registry(target, int(sys.argv[7], 16))
    top = registry.node(max(row.ordinal for row in registry.types()), 0)
    assert top.depth == DEEP
    place = _mpipp.Place(top, BUFFER)
    for _ in range(DEEP):
        place = place.child(0)  # a child keeps its parents
    assert place.leaf.name == "MPI_INT"
    del place
    while top is not None:
        top = top.base


def test_render():
    target, registry = opened()
    for type_ in every_type(registry):
        for count in (None, 0, 1, 40, 10**12):
            place = _mpipp.Place(type_, BUFFER, count)
            for options in ({}, {"natural": False}, {"pretty": True, "array": True, "array_indexes": True},
                            {"elements": 3, "repeats": 2, "max_depth": 1},
                            {"elements": -1 if count != 10**12 else 5, "repeats": -1, "max_depth": -1}):
                try:
                    text = _mpipp.render(place, target, format_run=format_run, **options)
                    assert isinstance(text, str)
                except _mpipp.Unreadable as error:
                    sentence(error)
                    assert isinstance(error.partial, str) and isinstance(error.path, str), vars(error)
                    assert BASE <= error.address
    integer = registry.node(INT, 0)
    place = _mpipp.Place(integer, BUFFER, 5)
    assert _mpipp.render(place, target) == "{0, 1, 2, 3, 4}"
    assert _mpipp.render(place, target, elements=2) == "{0, 1...}"
    assert _mpipp.render(place, target, natural=False, format_run=format_run) == "{MPI_INTx5}"
    target.hole = range(BUFFER + 12, BUFFER + 13)
    error = raises(_mpipp.Unreadable, _mpipp.render, place, target)
    assert (error.partial, error.path, error.address) == ("{0, 1, 2", "{3}", BUFFER + 12), vars(error)


def test_render_with_bad_arguments():
    target, registry = opened()
    place = _mpipp.Place(registry.node(INT, 0), BUFFER, 5)
    raises(TypeError, _mpipp.render)
    raises(TypeError, _mpipp.render, place)
    raises(TypeError, _mpipp.render, 5, target)
    raises(TypeError, _mpipp.render, place, target, 5)
    raises(TypeError, _mpipp.render, place, target, elements="x")
    raises(TypeError, _mpipp.render, place, target, nonsense=1)
    raises(OverflowError, _mpipp.render, place, target, elements=2**70)
    raises(_mpipp.Unreadable, _mpipp.render, place, None)
    raises(TypeError, _mpipp.render, place, target, natural=False)  # no format_run
    raises(TypeError, _mpipp.render, place, target, natural=False, format_run=lambda *_: 5)
    raises(ZeroDivisionError, _mpipp.render, place, target, natural=False, format_run=lambda *_: 1 / 0)
    raises(UnicodeEncodeError, _mpipp.render, place, target, natural=False, format_run=lambda *_: "\ud800")
    shown = _mpipp.render(place, target, natural=False, format_run=lambda *_: "\u00e9\0")
    assert shown == "\u00e9\ufffd", ascii(shown)


def test_elements():
    target, registry = opened()
    record = zoo(registry)  # { MPI_LB, 5 MPI_INT, 7 MPI_CHAR, 2 MPI_DOUBLE, MPI_DOUBLE_INT, 2 blocks of MPI_CHAR }
    found = _mpipp.element(record, BUFFER, None, "[2][5]", "T")
    assert (found.long, found.short) == ("(STRUCT)[2][5](MPI_CHAR)", "[2][5]")
    assert (found.displacement, found.low, found.high, found.exact) == (52, 52, 53, True)
    assert (found.number, found.byte, found.elements, found.total) == (10, 25, 1, record.elements)
    assert found.address == BUFFER + 52 and found.basic.name == "MPI_CHAR" and found.member is None
    assert found.place.leaf == found.basic and found.unknown == "" and found.within == 0
    assert found.type_place.address == found.address and found.way == ()
    block = _mpipp.element(record, BUFFER, None, "{2}[2]", "T")
    assert block.basic is None and block.place.stage == "block" and len(block.place) == 7 and block.place.alike
    assert (block.low, block.high, block.number, block.elements) == (2 * 140 + 47, 2 * 140 + 54, 2 * 19 + 5, 7)
    assert block.type_place.type == record and block.type_place.stage == "type" and block.way == (2,)
    assert not block.type_place.alike
    second = _mpipp.element(record, BUFFER, 1, "{0}[4][0].second", "T")
    assert (second.member, second.displacement, second.byte) == (1, 108, 51)
    assert second.basic.class_ == "signed" and second.basic.size == 4 and second.long.endswith(").second")
    marker = _mpipp.element(record, BUFFER, None, "[0][0]", "T")
    assert marker.low == marker.high == -4 and marker.elements == 0
    del target, registry, record
    gc.collect()
    assert found.place.type.name == "MPI_CHAR"


def test_large_repetitions():
    """Against Python's integers, which are exact: what leaves 64 bits is None, and nothing is wrapped."""
    _, registry = opened()
    record = zoo(registry)
    fits = 0
    for exponent in range(63):
        for repetition in (1 << exponent, (1 << exponent) + 12345, (1 << exponent + 1) - 1):
            if repetition >= 1 << 63:
                continue
            try:
                found = _mpipp.element(record, 0, None, f"{{{repetition}}}[2][5]", "t")
            except _mpipp.Error as error:
                assert sentence(error) and repetition * record.extent >= 1 << 63
                continue
            exact = (52 + repetition * record.extent, 10 + repetition * record.elements, 25 + repetition * record.size)
            expected = tuple(number if number < 1 << 63 else None for number in exact)
            assert (found.displacement, found.number, found.byte) == expected, (repetition, found, expected)
            assert found.unknown == ("" if expected[1] is not None else "64 bits")
            fits += None not in expected
            if expected[1] is not None:
                entry = next(iter(_mpipp.TypeMap(record, 2**63 - 1, exact[1])))
                assert (entry.number, entry.displacement, entry.name) == (exact[1], expected[0], "MPI_CHAR"), entry
    assert fits > 100, fits


def test_addresses_that_lead_nowhere():
    _, registry = opened()
    record = zoo(registry)
    for text, expected in (
        ("[2][7]", "no such element: T[2] has 7 children, [7] is out of range"),
        ("[2][-1]", "no such element: [-1] below T[2] is out of range"),
        ("[9]", "no such element: T has 6 children, [9] is out of range"),
        ("[0][1]", "no such element: T[0] has 1 child, [1] is out of range"),
        ("{3}", "no such element: T has 3 repetitions, {3} is out of range"),
        ("{-1}", "no such element: {-1} below T is out of range"),
        ("[2][5][0]", "no such element: T[2][5] is MPI_CHAR and has no children, [0] is out of range"),
        ("(VECTOR)[2]", "no such element: T is STRUCT, not VECTOR"),
        ("[2][5](INT)", "no such element: T[2][5] is MPI_CHAR, not INT"),
        ("[2](CHAR)", "no such element: T[2] is a block of STRUCT, not CHAR"),
        ("[2][5].first", "no such element: T[2][5] is MPI_CHAR, no pair: it has no .first"),
        ("[99999999999999999999]", "no such element: [99999999999999999999] is out of range"),
        ("[2", "'[2' is no element address: it ends too early"),
        ("[2]x[5]", "'x[5]' is no part of an element address like [2][5]"),
        ("[2]" + "\u00e4" * 100, "'" + "\u00e4" * 30 + "...' is no part of an element address like [2][5]"),
    ):
        told = sentence(raises(_mpipp.Error, _mpipp.element, record, BUFFER, 3, text, "T"))
        assert told == expected, (text, told)
    raises(_mpipp.Error, _mpipp.element, record, BUFFER, -1, "", "T")
    raises(TypeError, _mpipp.element, record, BUFFER, 3, 7, "T")
    raises(OverflowError, _mpipp.element, record, 1 << 64, 3, "", "T")
    for type_ in every_type(registry):
        place = _mpipp.Place(type_, 0)
        if place.opaque:
            told = sentence(raises(_mpipp.Error, _mpipp.element, type_, BUFFER, None, "[0]", "T"))
            assert told == "no such element: what is inside T is not known"


def test_where_T_ends():
    assert _mpipp.splits("types[1][0]") == [("types[1][0]", ""), ("types[1]", "[0]"), ("types", "[1][0]")]
    assert _mpipp.splits('"\u00e4"[1]') == [('"\u00e4"', "[1]")]
    assert _mpipp.splits("") == []
    raises(TypeError, _mpipp.splits, 7)


def test_located_elements():
    _, registry = opened()
    record = zoo(registry)
    (found,), ended = _mpipp.locate(record, BUFFER, None, BUFFER + 52, 10, 10**6)
    assert (found.short, found.within, ended) == ("[2][5]", 0, "")
    (found,), ended = _mpipp.locate(record, BUFFER, 3, BUFFER + 2 * 140 + 110, 10, 10**6)
    assert (found.short, found.within, found.number) == ("{2}[4][0].second", 2, 2 * 19 + 14)
    assert _mpipp.locate(record, BUFFER, None, BUFFER + 60, 10, 10**6) == ([], "")
    assert _mpipp.locate(record, BUFFER, None, BUFFER - 1, 10, 10**6) == ([], "")
    assert _mpipp.locate(record, BUFFER, None, BUFFER + 52, 10, 1)[1] == "undecided"
    assert _mpipp.locate(record, BUFFER, None, BUFFER + 52, 0, 10**6) == ([], "more")
    raises(_mpipp.Error, _mpipp.locate, record, BUFFER, -1, BUFFER, 1, 1)
    opaque = [type_ for type_ in every_type(registry) if type_.kind == "OPAQUE"]
    (found,), ended = _mpipp.locate(opaque[0], BUFFER, None, BUFFER + 1, 10, 10**6)
    assert found.basic is None and found.place.opaque and found.number == 0 and found.elements is None


def test_type_maps():
    _, registry = opened()
    record = zoo(registry)
    rows = list(_mpipp.TypeMap(record, None, 0))
    assert len(rows) == record.elements and [row.number for row in rows] == list(range(len(rows)))
    for row in rows:
        found = _mpipp.element(record, BUFFER, None, row.short, "T")
        assert (found.number, found.displacement, found.basic.name) == (row.number, row.displacement, row.name)
    rows = list(_mpipp.TypeMap(record, 10**15, 10**15 * 19 - 2))
    assert [row.short for row in rows] == ["{999999999999999}[5][0][1][0]", "{999999999999999}[5][0][1][1]"]
    assert list(_mpipp.TypeMap(record, 2, 38)) == list(_mpipp.TypeMap(record, None, -1)) == []
    top = max(every_type(registry), key=lambda type_: type_.depth)
    rows = list(_mpipp.TypeMap(top, None, 0))
    hidden = [row for row in rows if row.opaque]
    assert hidden and hidden[0].name == "OPAQUE" and hidden[0].size == 8
    behind = rows[rows.index(hidden[0]) + 1]
    assert behind.number is None and not behind.opaque
    first = next(_mpipp.TypeMap(top, None, 10**6))
    assert first.opaque and first.short == hidden[0].short
    map_ = _mpipp.TypeMap(record, None, 17)
    del registry, record, rows, top
    gc.collect()
    assert [row.short for row in map_] == ["[5][0][1][0]", "[5][0][1][1]"]


def test_elements_of_a_deep_type():
    with open(sys.argv[5], "rb") as file:
        image = file.read()
    registry = _mpipp.Registry(Target(image), int(sys.argv[7], 16))
    deepest = max(every_type(registry), key=lambda type_: type_.depth)
    (row,) = _mpipp.TypeMap(deepest, None, 0)
    assert row.short == "[0]" * DEEP
    found = _mpipp.element(deepest, BUFFER, None, row.short, "T")
    assert found.displacement == 0 and found.basic.name == "MPI_INT"
    (again,), ended = _mpipp.locate(deepest, BUFFER, None, BUFFER + 3, 10, 10**6)
    assert again.short == row.short and again.within == 3 and ended == ""


run(globals())
