"""What the extension _mpipp compares: types with the program's own, types with types, and their signatures.

(tests/unit/ext.sh runs it under the sanitizers, on the image of ext_image.py.)
"""

import _mpipp
from ext_image import (
    BASE, BUFFER, CELL, INT, ROOT, Target, every_type, opaque_ones, opened, raises, run, sentence, zoo,
)


def test_comparison():
    _, registry = opened()
    number = registry.node(INT, 0)
    found = _mpipp.compare(number, [("signed", 0, 0, 4, ((6, 8), (2, 4)))], count=5, address=BUFFER)
    assert (found.fields, found.different, found.in_part, found.size, found.element) == (1, 0, 1, 48, 4)
    assert found.complete and found.compared == 5 and not found.absolute
    row = found.rows[0]
    assert (row.finding, row.kind, row.field, row.elements, row.all) == ("match", "signed", 0, 5, 12)
    assert row.basic.name == "MPI_INT" and row.where[0] == ((0, 1, 1, 1, 2), (0, 1, 1, 1, 2)), row.where
    assert (row.first, row.last, row.boxes) == ("{0}", "{0}", 2)
    assert found.rows[1].finding == "not sent" and found.rows[1].first is None and found.rows[1].basic is None
    for type_ in every_type(registry):
        for count in (0, 1, 3):
            try:
                found = _mpipp.compare(type_, CELL, count)
            except _mpipp.Error as error:
                sentence(error)
                continue
            assert found.fields >= 1 and found.different + found.not_sent <= found.fields
            for row in found.rows:
                assert row.field is None or row.field < len(CELL)
                assert row.first is None or row.first[:1] in ("", "[", "{", ".")


def test_comparison_arguments():
    _, registry = opened()
    number = registry.node(INT, 0)
    leaf = ("signed", 0, 0, 4, ())
    for bad in (None, leaf, [None], [leaf[:4]], [("nonsense", 0, 0, 4, ())], [("signed", 0, 0, 4, [])],
                [("signed", 0, 0, 4, (3,))], [("signed", 0, 0, 4, ((3, None),))], [("signed", 0, 0, 1 << 64, ())],
                [("padding", 0, 0, 4, ())]):
        raises((TypeError, ValueError, OverflowError), _mpipp.compare, number, bad)
    for unsound in ([], [("signed", -1, 0, 4, ())],
                    [leaf, leaf], [("group", 1, 0, 4, ())], [("signed", 0, 0, 4, ((3, 2),))],
                    [("signed", 0, 0, 4, ((-2, 4),))], [("signed", 0, 0, 4, ((1, 4),) * 13)],
                    [("signed", 0, 0, 4, ((1 << 62, 4),))]):
        sentence(raises(_mpipp.Error, _mpipp.compare, number, unsound))
    raises(TypeError, _mpipp.compare, None, [leaf])
    raises(Exception, _mpipp.compare, number, [leaf], 1, -1)


def test_matches():
    target, registry = opened()
    record, number, other = zoo(registry), registry.node(INT, 0), _mpipp.Registry(Target(), ROOT)
    for here in (record, zoo(other)):  # of one rank, of two
        found = _mpipp.match(record, None, here, 1)
        assert (found.verdict, found.lengths, found.agreed, found.at) == ("equal", (20, 20), 20, (None, None)), found
        found = _mpipp.match(record, 2, here, 3)
        assert (found.verdict, found.longer, found.agreed) == ("prefix", 1, 40) and not found.bytes
        assert found.at[0] is None and found.at[1].long == "{2}(STRUCT)[1][0](MPI_INT)"
        found = _mpipp.match(number, 5, here, None)
        assert (found.verdict, found.lengths, found.agreed) == ("prefix", (5, 20), 5)
        assert (found.at[1].name, found.at[1].long) == ("MPI_CHAR", "(STRUCT)[2][0](MPI_CHAR)")
        found = _mpipp.match(number, 6, here, None)
        assert found.verdict == "different" and found.hashes == "" and not found.at[0].opaque
        assert [at.long for at in found.at] == ["{5}(MPI_INT)", "(STRUCT)[2][0](MPI_CHAR)"]
    # A pair is two elements.
    (pair,) = registry.named("MPI_DOUBLE_INT")
    assert _mpipp.match(pair, 2, record, 1).at[0].long == "{0}(MPI_DOUBLE_INT).first"
    assert _mpipp.match(pair, 2, registry.named("MPI_DOUBLE")[0], 3).at[0].long == "{0}(MPI_DOUBLE_INT).second"
    # What is not known.
    opaque, top, elided = opaque_ones(registry)
    assert _mpipp.match(opaque, 3, opaque, 3).verdict == "equal"
    found = _mpipp.match(opaque, 1, number, 1)
    assert (found.verdict, found.agreed, found.at[0].opaque) == ("opaque", 0, True) and found.lengths == (None, 1)
    found = _mpipp.match(top, 1, record, 9)
    assert found.verdict in ("opaque", "different") and found.agreed is not None
    assert _mpipp.match(elided, 1, number, 1).verdict == "opaque"
    assert _mpipp.match(number, 2**63 - 1, number, 2**63 - 1).verdict == "equal"
    assert _mpipp.match(record, 2**63 - 1, number, 1).verdict == "too long"
    target.data[ROOT - BASE + 40] += 2  # changes: types of two generations of one registry
    assert registry.refresh()
    assert _mpipp.match(record, 2, zoo(registry), 2).verdict == "equal"
    raises(_mpipp.Error, _mpipp.match, record, -1, record, 1)
    raises(TypeError, _mpipp.match, record, "1", record, 1)
    raises(OverflowError, _mpipp.match, record, 2**63, record, 1)
    raises(TypeError, _mpipp.match, record, 1, None, 1)
    raises(TypeError, _mpipp.match, record, 1)


def test_signature_texts():
    _, registry = opened()
    record, number = zoo(registry), registry.node(INT, 0)
    text = _mpipp.signature_text(record, None, 100)
    assert text.text == "MPI_INT*5 MPI_CHAR*7 MPI_DOUBLE*3 MPI_INT MPI_CHAR*4", text
    assert (text.elements, text.left_out, text.known) == (20, 0, True)
    text = _mpipp.signature_text(record, 10**12, 2)
    assert text.text == f"MPI_INT*5 MPI_CHAR*7 ... {20 * 10**12 - 12} more elements", text
    assert (text.elements, text.left_out) == (20 * 10**12, 20 * 10**12 - 12)
    assert _mpipp.signature_text(record, 0, 2).text == ""
    assert _mpipp.signature_text(number, 7, 0).text == "MPI_INT*7"
    opaque, _, elided = opaque_ones(registry)
    text = _mpipp.signature_text(opaque, 3, 9)
    assert (text.text, text.elements, text.known) == ("OPAQUE*3", 3, False), text
    assert not _mpipp.signature_text(elided, 3, 9).known
    sentence(raises(_mpipp.Error, _mpipp.signature_text, record, 2**63 - 1, 9))
    raises(_mpipp.Error, _mpipp.signature_text, record, -1, 9)
    raises(TypeError, _mpipp.signature_text, None, 1, 9)


def test_repetitions():
    _, registry = opened()
    told = {}
    for type_ in every_type(registry):
        found = _mpipp.contiguous(type_)
        if found is not None:
            told[type_.kind] = (found.unit.name, found.count, found.bigmpi)
            assert found.count > 1 and found.unit.size * found.count == type_.size
    assert told == {}, told  # the zoo's have gaps, or are what one call made
    raises(TypeError, _mpipp.contiguous, None)
    raises(TypeError, _mpipp.contiguous)


run(globals())
