"""The extension _mpipp on a registry made of bytes: every name of _mpipp.pyi, with good arguments and bad ones.

(tests/unit/ext.sh runs it under the sanitizers, on the image of ext_image.py.)
"""

import gc
import sys

import _mpipp
from ext_image import BASE, BUFFER, HANDLE, IMAGE, INT, ROOT, Target, opened, raises, run, sentence

DEEP = 100000


def format_run(basic, data, count, is_array):
    assert len(data) == basic.size * count, (basic, len(data), count)
    return f"{{{basic.name}x{count}}}" if is_array else f"<{basic.name}>"


# --- tests -------------------------------------------------------------------------------------------


def test_module():
    assert _mpipp.ROOT_SYMBOL == "shadowtype_registry"
    assert isinstance(_mpipp.LAYOUT_VERSION, int) and _mpipp.VERSION
    assert issubclass(_mpipp.Unreadable, _mpipp.Error)


def test_opening():
    sentence(raises(_mpipp.Error, _mpipp.Registry, Target(), BASE + 16))
    error = raises(_mpipp.Unreadable, _mpipp.Registry, Target(), 0)
    assert error.address == 0 and error.partial is None
    raises(_mpipp.Unreadable, _mpipp.Registry, Target(), 2**64 - 1)
    raises(_mpipp.Unreadable, _mpipp.Registry, 5, ROOT)  # a read that cannot be called
    raises(TypeError, _mpipp.Registry)
    raises(TypeError, _mpipp.Registry, Target(), "0")
    raises(TypeError, _mpipp.Registry, Target(), 1.5)
    raises(TypeError, _mpipp.Registry, Target(), None)
    for answer in (b"", b"short", "text", 5, [1, 2], memoryview(b"abc")):
        target = Target()
        target.answer = answer
        raises(_mpipp.Unreadable, _mpipp.Registry, target, ROOT)
    target = Target()
    target.data[ROOT - BASE + 8] += 1
    assert "layout version" in sentence(raises(_mpipp.Error, _mpipp.Registry, target, ROOT))
    _, registry = opened()
    raises(TypeError, registry.__init__, Target(), ROOT)


def test_a_registry_that_was_never_opened():
    empty = _mpipp.Registry.__new__(_mpipp.Registry)
    for call in (empty.refresh, empty.forget, empty.types, empty.predefined, empty.threads, empty.names):
        raises(_mpipp.Error, call)
    raises(_mpipp.Error, empty.find, 1)
    raises(_mpipp.Error, empty.site, 0)
    raises(_mpipp.Error, empty.form, 0)
    raises(_mpipp.Error, empty.form_of, "x")
    raises(_mpipp.Error, empty.named, "x")
    raises(_mpipp.Error, empty.node, 0, 0)
    for name in FACTS:
        try:
            getattr(empty, name)
        except _mpipp.Error:
            pass


FACTS = """mpi mpi_version state world_rank world_size handle_bytes pointer_bytes live types_bytes ring_bytes
           mapped_bytes reads bytes_read damage status""".split()


def test_calls():
    target, registry = opened()
    newest, oldest = registry.threads()
    assert (newest.id, newest.calls) == (72, []) and oldest.id == 71
    running, returned = oldest.calls
    assert running[:5] == ("running", 31, 0x5000, 0x7000, None) and running.values[:5] == (4096, 3, 5, 1, 7)
    assert returned[:5] == ("returned", 0, 1, 2, 15)
    assert (running.site, returned.site) == (0, -1)
    form = registry.form(running.form)
    assert form.function == "MPI_Recv" and len(form.parameters) == 7
    assert form.parameters[0] == ("write", "void *", "buf") and form.parameters[6] == ("-", "MPI_Status *", "status")
    assert registry.form_of("MPI_Recv") == form and registry.form_of("MPI_Finalize").parameters == ()
    assert registry.form_of("MPI_Rec") is None and registry.form_of("") is None
    sentence(raises(_mpipp.Error, registry.form, 2**20))
    sentence(raises(_mpipp.Error, registry.form, 2**64 - 1))
    raises(TypeError, registry.form, "0")
    raises(TypeError, registry.form_of, 5)
    assert registry.describe("MPI_Recv", running.values) == "MPI_Recv from 1, tag 7, communicator 0x0"
    assert registry.describe("MPI_Rec", ()) == "MPI_Rec" and registry.describe("MPI_Finalize", ()) == "MPI_Finalize"
    raises(TypeError, registry.describe, "MPI_Recv", [1])
    raises(TypeError, registry.describe, "MPI_Recv", ("x",))
    raises(OverflowError, registry.describe, "MPI_Recv", (-1,))
    assert registry.names()[0] == ("MPI_Comm", "MPI_COMM_WORLD", 1140850688) and len(registry.names()) == 2
    assert registry.status == (20, 8, 12, 16)
    target.data[registry_thread(registry, target)] ^= 1
    sentence(raises(_mpipp.Error, registry.threads))


def registry_thread(registry, target):
    """Where the newest thread lies in the image."""
    at = ROOT - BASE + 264
    return int.from_bytes(target.data[at : at + 8], "little") - BASE


def test_facts():
    _, registry = opened()
    facts = {name: getattr(registry, name) for name in FACTS}
    assert facts["mpi"] == "MPICH" and facts["state"] == "initialized", facts
    assert (facts["world_rank"], facts["world_size"]) == (1, 2), facts
    assert facts["mpi_version"].startswith("An MPI made of bytes") and facts["damage"] is None
    assert facts["reads"] >= 1 and facts["bytes_read"] >= 1
    for name in FACTS:
        raises(AttributeError, setattr, registry, name, 1)


def test_find_and_node():
    _, registry = opened()
    kind, type_ = registry.find(HANDLE + INT)
    assert kind == "live" and type_.name == "MPI_INT" and type_.kind == "NAMED"
    assert registry.find(12345) == ("unknown", None)
    assert registry.node(type_.ordinal, type_.serial) == type_
    assert registry.node(type_.ordinal, 0) == type_ and hash(registry.node(0, 0)) == hash(type_)
    sentence(raises(_mpipp.Error, registry.node, type_.ordinal, 999999))
    sentence(raises(_mpipp.Error, registry.node, 999999, 0))
    raises(TypeError, registry.find, "x")
    raises(TypeError, registry.find, None)
    raises(OverflowError, registry.find, -1)
    raises(OverflowError, registry.find, 2**64)
    raises(TypeError, registry.find)
    raises(TypeError, registry.node, 1)
    raises(TypeError, registry.node, 1, "x")
    raises(TypeError, _mpipp.Type)


def test_listings():
    target, registry = opened()
    rows = registry.types()
    assert [row.serial for row in rows] == sorted(row.serial for row in rows)
    assert any(row.tombstone for row in rows) and any(not row.live for row in rows)
    assert all(registry.node(row.ordinal, row.serial).kind == row.kind for row in rows)
    assert registry.damage is None
    names = dict(registry.predefined())
    assert names["MPI_INT"] == HANDLE + INT
    assert [t.kind for t in registry.named("particle")] == ["STRUCT"]
    assert [t.kind for t in registry.named("MPI_INT")] == ["NAMED"]
    assert registry.named("no such") == []
    raises(TypeError, registry.named, 5)
    assert registry.named("particle\0s") == []
    assert registry.refresh() is False
    target.data[ROOT - BASE + 40] += 2  # changes
    held = rows[0], registry.node(0, 0)
    assert registry.refresh() is True
    assert held[1].name == "MPI_INT"


def test_groups():
    _, registry = opened()
    rows = registry.types()
    assert len(rows) == len(list(rows)) and rows[0] == registry.types()[0]
    raises(IndexError, lambda: rows[len(rows)])
    raises(TypeError, type(rows))
    derived = [row for row in rows if not row.predefined]

    def wanted(**how):
        return {row.ordinal for row in derived if all(getattr(row, name) == value for name, value in how.items())}

    for how in ({}, {"live": True}, {"live": False, "tombstone": True}, {"live": True, "committed": False}):
        groups = rows.groups(**how)
        assert {row.ordinal for group in groups for row in group} == wanted(**how), how
        assert len({group[0].created for group in groups}) == len(groups)
        for group in groups:
            assert len({row.created for row in group}) == 1
            assert [row.serial for row in group] == sorted(row.serial for row in group)
            assert group.kinds == {kind: [row.kind for row in group].count(kind) for kind in {row.kind for row in group}}
            assert group.uncommitted == sum(row.live and not row.committed for row in group)
            assert [list(part) for part in group.groups(**how)] == [list(group)]
    assert len(rows.groups(live=None)) == len(rows.groups())
    raises(TypeError, rows.groups, True)
    raises(TypeError, lambda: rows.groups(nonsense=1))
    group = rows.groups()[0]
    del rows, registry
    assert group[0].ordinal in {row.ordinal for row in derived}  # it keeps what it needs


def test_fortran_handles():
    target, registry = opened()
    wanted = registry.node(INT, 0)
    at = find_node(IMAGE, wanted.handle)
    target.data[at + 96 : at + 100] = (77).to_bytes(4, "little")
    assert registry.from_fortran(77) is None  # what was read stands until the registry changes
    registry.forget()
    assert registry.from_fortran(77) == wanted.handle
    for none in (78, -1, -(2**62)):
        assert registry.from_fortran(none) is None
    raises(OverflowError, registry.from_fortran, 2**64)
    raises(TypeError, registry.from_fortran, "1")


def test_forgetting():
    target, registry = opened()
    registry.types()
    held = registry.node(INT, 0)
    reads = registry.reads
    registry.types()
    assert registry.reads == reads  # once between two changes
    registry.forget()
    registry.types()
    assert registry.reads > reads and held.name == "MPI_INT"


def test_stack():
    assert _mpipp.stack_is_low() is False


def test_damage_is_a_sentence():
    target, registry = opened()
    whole = len(registry.types())
    position = IMAGE.index(b"particle") - 16  # its block's header
    target.data[position] ^= 1
    target.data[ROOT - BASE + 40] += 2
    assert registry.refresh()
    row = [row for row in registry.types() if row.kind == "STRUCT"][0]
    sentence(raises(_mpipp.Error, registry.node, row.ordinal, row.serial))
    # a node without a combiner
    at = find_node(IMAGE, registry.node(INT, 0).handle)
    target.data[at + 100] = 200
    target.data[ROOT - BASE + 40] += 2
    assert registry.refresh()
    assert len(registry.types()) == whole - 1
    assert f"{whole - 1} of {whole} types read" in sentence(registry.damage)
    assert isinstance(registry.damage, _mpipp.Error)
    assert len(registry.predefined()) >= 3 and registry.named("MPI_INT") == []


def find_node(image, handle):
    """Where the node with this handle and serial 1 lies in the image."""
    return image.index(handle.to_bytes(8, "little") + (INT + 1).to_bytes(8, "little"))


def no_place(rank, thread, of, function, is_short):
    return ""


def test_messages():
    target, registry = opened()
    own, sides = registry.messages()
    assert own & 0xFFFFFF == 1 and all(isinstance(side.function, str) for side in sides), (own, sides)
    kinds = {(side.sends, side.handle != 0, side.thread != 0) for side in sides}
    assert all(handle != thread for _, handle, thread in kinds), sides
    raises(TypeError, registry.messages, 1)
    target.answer = b""
    sentence(raises(_mpipp.Unreadable, registry.messages))
    raises(_mpipp.Error, _mpipp.Registry.__new__(_mpipp.Registry).messages)


def test_deadlocks():
    target, registry = opened()
    assert _mpipp.deadlocks([(registry, (71, 72))], no_place) == []  # a call in a callback of its own has returned
    assert _mpipp.deadlocks([], no_place) == []
    raises(TypeError, _mpipp.deadlocks, (registry,), no_place)
    raises(TypeError, _mpipp.deadlocks, [registry], no_place)
    raises(TypeError, _mpipp.deadlocks, [(registry, [71])], no_place)
    raises(TypeError, _mpipp.deadlocks, [])
    target.answer = b""
    sentence(raises(_mpipp.Unreadable, _mpipp.deadlocks, [(registry, (71,))], no_place))


def test_named_ranks():
    assert _mpipp.named_ranks([3]) == "rank 3"
    assert _mpipp.named_ranks((1, 0)) == "ranks 0 and 1"
    assert _mpipp.named_ranks({0, 1, 2, 7}) == "ranks 0-2,7"
    raises(ValueError, _mpipp.named_ranks, [])
    raises(TypeError, _mpipp.named_ranks, ["x"])
    raises(TypeError, _mpipp.named_ranks, 1)


def test_collectives():
    target, registry = opened()
    found = registry.collectives()
    assert isinstance(found, _mpipp.Collectives) and len(found.calls) == 12, found
    assert found.waiting == (), found.waiting
    (rows,) = (one for one in found.comms if one.id == 0x1234)
    assert (rows.kind, rows.name, rows.inter) == ("MPI_Comm", "rows", True), rows
    calls = [one for one in found.calls if one.comm == rows.key]
    assert [one.number for one in calls] == [2, 4, 6, 8, 10, 12], calls
    last = calls[-1]
    assert last.text == f"{last.function}(data=8 x several basic types, root=1)", last
    assert last.frames == (0x5001, 0x6001) and last.digest == calls[0].digest, last
    shared = int.from_bytes(target.data[ROOT - BASE + 328 : ROOT - BASE + 336], "little")
    target.data[shared - BASE] ^= 1
    sentence(raises(_mpipp.Error, registry.collectives))
    target.data[ROOT - BASE + 328 : ROOT - BASE + 336] = bytes(8)
    found = registry.collectives()
    assert found.calls is None and all(one.key == 0 for one in found.comms), found


def test_operations():
    target, registry = opened()
    (other, request), damage = registry.operations()
    assert damage is None and (other.function, other.request, other.site) == ("", False, -1)
    assert (request.function, request.handle, request.peer, request.tag) == ("MPI_Ialltoall", 0x98000000, -1, -2)
    assert request.active and not request.possible and not request.persistent and not request.running
    assert request.complete is None and other.complete is None and other.variable == 0
    assert [(one.address, one.count, one.node) for one in request.buffers] == [(0x1000, 2, 5), (0x2000, 1, None)]
    assert [(one.sent, one.received, one.active) for one in request.buffers] == [
        (True, False, True),
        (False, True, False),
    ]
    target.answer = b""
    sentence(raises(_mpipp.Unreadable, registry.operations))


def test_objects():
    target, registry = opened()
    comm = registry.object("MPI_Comm", 0x84000001)
    assert tuple(comm) == ("MPI_Ialltoall", 0, "rows", 2, 2, True)
    assert tuple(registry.object("MPI_Comm", 0x84000002)) == ("", 0, None, None, None, False)
    assert tuple(registry.object("MPI_Win", 0x84000001)) == ("MPI_Ialltoall", 0, "rows", 4, 2, False)
    assert registry.object("MPI_Comm", 0x84000003) is registry.object("MPI_File", 0x84000001) is None
    assert registry.object("MPI_Datatype", 0x84000001) is None
    raises(TypeError, registry.object, "MPI_Comm")
    raises(OverflowError, registry.object, "MPI_Comm", 2**70)
    target.answer = b""
    sentence(raises(_mpipp.Unreadable, registry.object, "MPI_Comm", 0x84000001))


def test_sites():
    _, registry = opened()
    top = [t for t in every_type(registry) if t.created_at]
    assert any(len(t.created_at) == 3 for t in top), [t.created_at for t in top]
    assert registry.site(-1) == () and registry.site(0)[0] == 0x401000
    sentence(raises(_mpipp.Error, registry.site, 1000))
    registry.site(2**40)
    raises(OverflowError, registry.site, 2**70)
    raises(TypeError, registry.site, "x")


def every_type(registry):
    return [registry.node(row.ordinal, row.serial) for row in registry.types()]


MEMBERS = "count blocklength stride ndims size rank lb extent precision range order nonsense".split()
ARRAYS = "lengths offsets sizes subsizes starts gsizes distribs dargs psizes nonsense".split()
ATTRIBUTES = """registry ordinal serial handle kind name committed commit_undefined predefined freed elided
    references fortran created_at committed_at freed_at base basic entries size lb ub extent true_lb true_ub
    true_extent elements depth""".split()


def test_types():
    _, registry = opened()
    for type_ in every_type(registry):
        for name in ATTRIBUTES:
            getattr(type_, name)
            raises(AttributeError, setattr, type_, name, 1)
        for name in MEMBERS:
            try:
                type_.member(name)
            except KeyError as error:
                assert error.args == (name,)
        for name in ARRAYS:
            try:
                data = type_.array(name)
                assert len(data) == 8 * type_.entries
                assert type_.array(name, 1, 2) == data[8:16]
                assert type_.array(name, start=-5, stop=2**62) == data
                assert type_.array(name, 2**62) == b"" == type_.array(name, 1, -3)
            except KeyError:
                pass
        for index in range(type_.entries):
            type_.entry_type(index)
        raises(IndexError, type_.entry_type, type_.entries)
        raises(IndexError, type_.entry_type, -1)
        raises((IndexError, OverflowError), type_.entry_type, 2**70)
        raises(TypeError, type_.entry_type, "0")
        raises(TypeError, type_.member, 3)
        raises(TypeError, type_.array, 3)
        raises(TypeError, type_.array, "offsets", "x")
        raises((TypeError, OverflowError), type_.array, "offsets", 0, 1.5)
        raises(OverflowError, type_.array, "offsets", 2**70)
        assert type_ == type_ and type_ != 5 and not type_ == None  # noqa: E711
        raises(TypeError, lambda: type_ < type_)
    kinds = {type_.kind: type_ for type_ in every_type(registry)}
    assert kinds.keys() == _mpipp.COMBINERS.keys()
    for kind, (numbers, arrays) in _mpipp.COMBINERS.items():
        assert all(isinstance(kinds[kind].member(name), (int, type(None))) for name in numbers)
        assert all(isinstance(kinds[kind].array(name), bytes) for name in arrays if name != "types")
    assert _mpipp.COMBINERS["HINDEXED"] == (["count"], ["offsets_bytes", "lengths"])
    assert kinds["HVECTOR"].member("stride_bytes") == -300
    raises(KeyError, kinds["VECTOR"].member, "stride_bytes")
    raises(KeyError, kinds["STRUCT"].array, "types")
    assert kinds["VECTOR"].member("stride") == 3 and kinds["HVECTOR"].member("stride") == -300
    assert kinds["F90_COMPLEX"].member("range") is None and kinds["DARRAY"].member("order") == 1
    assert kinds["RESIZED"].extent == 200 and kinds["RESIZED"].base.name == "particle"
    pair = registry.named("MPI_DOUBLE_INT")[0].basic
    assert (pair.class_, pair.first, pair.second) == ("pair", ("float", 8, 0), ("signed", 4, 8))
    assert registry.named("MPI_INT")[0].basic.first is None


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


def calls(target, registry):
    """Each reads target memory, from scratch."""
    integer = registry.node(INT, 0)
    top = registry.named("particle")[0]
    return [
        registry.refresh,
        registry.types,
        registry.predefined,
        lambda: registry.from_fortran(5),
        lambda: registry.named("particle"),
        lambda: registry.find(HANDLE + INT),
        lambda: registry.find(4711),
        lambda: [registry.node(row.ordinal, row.serial) for row in registry.types()],
        lambda: registry.site(1),
        lambda: top.created_at,
        lambda: _mpipp.Place(integer, BUFFER, 9).gather(target, 0, 9),
        lambda: _mpipp.render(_mpipp.Place(integer, BUFFER, 9), target),
        lambda: _mpipp.render(_mpipp.Place(top, BUFFER + 8, 2), target, format_run=format_run),
    ]


def test_keyboard_interrupt_passes_from_every_read():
    target, registry = opened()
    target.longest = 4095  # no page of the registry is read whole, nothing cached
    for which in range(len(calls(target, registry))):
        for nth in range(1, 1000):
            target.data[ROOT - BASE + 40] += 2 if target.data[ROOT - BASE + 40] < 200 else -198
            registry.refresh()
            call = calls(target, registry)[which]
            target.data[ROOT - BASE + 40] += 2
            registry.refresh()  # nothing is cached now
            target.raise_at = (nth, KeyboardInterrupt())
            try:
                call()
                assert target.raise_at is not None, f"call {which}: the interrupt at read {nth} was lost"
                break
            except KeyboardInterrupt:
                assert target.raise_at is None
        else:
            raise AssertionError(f"call {which} reads too often")
        target.raise_at = None
        call()  # all is well afterwards


def test_other_exceptions_are_unreadable_memory():
    target, registry = opened()
    place = _mpipp.Place(registry.node(INT, 0), BUFFER, 9)

    def broken(_address, _length):
        raise RuntimeError("gdb said no")

    error = raises(_mpipp.Unreadable, _mpipp.render, place, broken)
    assert error.address == BUFFER and error.partial == "{" and error.path == "{0}", vars(error)
    raises(_mpipp.Unreadable, place.gather, broken, 0, 9)
    raises(SystemExit, place.gather, lambda *_: sys.exit(3), 0, 9)  # no Exception: it passes


def test_garbage_is_collected():
    class Holder:
        pass

    gone = []

    class Noticed(Target):
        def __del__(self):
            gone.append(1)

    for _ in range(3):
        target = Noticed()
        target.registry = _mpipp.Registry(target, ROOT)  # a cycle through the callable
        del target
    gc.collect()
    assert len(gone) == 3, len(gone)


def zoo(registry, name="particle"):
    (found,) = registry.named(name)
    return found


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
CELL = [  # struct { double x; union { int i; float f; }; char *p; } [3]
    ("group", 5, 0, 24, ((3, 24),)), ("float", 0, 0, 8, ()), ("union", 2, 8, 4, ()), ("signed", 0, 0, 4, ()),
    ("float", 0, 0, 4, ()), ("pointer", 0, 16, 8, ()),
]


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


def opaque_ones(registry):
    """The OPAQUE type; what is an array of it and of others; an indexed type that was too large to keep."""
    known = every_type(registry)
    (opaque,) = [type_ for type_ in known if type_.kind == "OPAQUE"]
    (top,) = [type_ for type_ in known if type_.kind == "STRUCT" and type_.entries == 8]
    (elided,) = [type_ for type_ in known if type_.elided]
    return opaque, top, elided


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


def rss():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


def exercise():
    target, registry = opened()
    for call in calls(target, registry):
        call()
    for group in registry.types().groups(live=True):
        assert group.kinds and len(group) and group.uncommitted >= 0 and group[0]
    for type_ in every_type(registry)[:8]:
        for name in ATTRIBUTES:
            getattr(type_, name)
        walk(target, _mpipp.Place(type_, BUFFER, 2), 8)
    record = zoo(registry)
    for text in ("", "[2][5]", "{7}[4][0].second"):
        _mpipp.element(record, BUFFER, None, text, "T")
    _mpipp.locate(record, BUFFER, 3, BUFFER + 52, 10, 1000)
    list(_mpipp.TypeMap(record, 2, 3))
    _mpipp.splits("types[1](STRUCT)[2]")
    opaque, top, _ = opaque_ones(registry)
    for one in (record, opaque, top, registry.node(INT, 0)):
        _mpipp.match(record, 2, one, 3)
        _mpipp.match(record, 2, zoo(_mpipp.Registry(target, ROOT)), 3)
        _mpipp.signature_text(one, 3, 2)
        _mpipp.contiguous(one)
    for type_ in every_type(registry)[:8]:
        _mpipp.compare(type_, CELL, 2)
    raises(Exception, _mpipp.compare, type_, CELL + [None])
    for bad in (lambda: _mpipp.element(record, BUFFER, None, "[2][7]", "T"),
                lambda: registry.find("x"), lambda: registry.node(10**6, 0), lambda: registry.site(10**6),
                lambda: _mpipp.Registry(target, 0), lambda: _mpipp.signature_text(record, 2**63 - 1, 9),
                lambda: _mpipp.match(record, -1, record, 1), lambda: _mpipp.Place(type_, 0, -1),
                lambda: type_.member("nonsense"), lambda: _mpipp.Place(type_, BUFFER).child(-1),
                lambda: _mpipp.render(_mpipp.Place(registry.node(INT, 0), 0, 3), target)):
        raises(Exception, bad)


def test_references_do_not_leak():
    shared = [None, True, False, Target, _mpipp.Registry, _mpipp.Listing, _mpipp.Type, _mpipp.Place,
              _mpipp.Element, _mpipp.Entry, _mpipp.TypeMap, _mpipp.Match, _mpipp.Standing,
              _mpipp.SignatureText, _mpipp.Error, _mpipp.Unreadable, format_run]
    for _ in range(20):
        exercise()
    gc.collect()
    before, objects, memory = [sys.getrefcount(o) for o in shared], len(gc.get_objects()), rss()
    rounds = 200
    for _ in range(rounds):
        exercise()
    gc.collect()
    after = [sys.getrefcount(o) for o in shared]
    for one, was, is_ in zip(shared, before, after):
        assert abs(is_ - was) < rounds // 2, (one, was, is_)
    assert len(gc.get_objects()) - objects < rounds // 2, (objects, len(gc.get_objects()))
    assert rss() - memory < 64 << 20, (memory, rss())  # the sanitizer's quarantine is 16 MB


run(globals())
