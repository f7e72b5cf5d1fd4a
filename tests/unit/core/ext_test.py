"""The extension _mpipp on a registry made of bytes: the registry and what it holds, and what every
read of it may meet. (ext_element_test.py, ext_compare_test.py and ext_layout_test.py: what is done with a type.)

(tests/unit/ext.sh runs it under the sanitizers, on the image of ext_image.py.)
"""

import gc
import sys

import _mpipp
from ext_image import (
    ATTRIBUTES, BASE, BUFFER, CELL, HANDLE, IMAGE, INT, ROOT, Target, every_type, format_run, opaque_ones, opened,
    raises, run, sentence, walk, zoo,
)


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
    assert (running.user, returned.user) == ((0x5100, 0x7100), None)
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


def test_source_lines():
    for path in ("/nonexistent", "/dev/null", "/", "not UTF-8: \udcff", sys.argv[0]):
        assert _mpipp.source_line(path, 0) is None
        assert _mpipp.source_line(path, 2**64 - 1) is None
    own = _mpipp.__file__
    assert {_mpipp.source_line(own, address) for address in (0, 1, 2**63, 2**64 - 1)} == {None}
    lines = {_mpipp.source_line(own, address) for address in range(0x1000, 0x400000, 0x1000)} - {None}
    assert len(lines) > 10 and all(line > 0 for _, line in lines), lines
    assert any(file.endswith("gdb-plugin/ext/module.c") or "/ext/" in file for file, _ in lines), lines
    _mpipp.forget_source_lines()
    _mpipp.forget_source_lines()
    assert {_mpipp.source_line(own, address) for address in range(0x1000, 0x400000, 0x1000)} - {None} == lines
    raises(TypeError, _mpipp.source_line, own)
    raises(TypeError, _mpipp.source_line, own, "x")
    raises(ValueError, _mpipp.source_line, "a\0b", 1)


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
    assert _mpipp.deadlocks([(registry, (71, 72))], (registry.world,), no_place) == []  # a call in a callback of its own has returned
    assert _mpipp.deadlocks([], (), no_place) == []
    raises(TypeError, _mpipp.deadlocks, (registry,), (), no_place)
    raises(TypeError, _mpipp.deadlocks, [registry], (), no_place)
    raises(TypeError, _mpipp.deadlocks, [(registry, [71])], (), no_place)
    raises(TypeError, _mpipp.deadlocks, [(registry, (71,))], (1.5,), no_place)
    raises(TypeError, _mpipp.deadlocks, [(registry, (71,))], no_place)
    raises(TypeError, _mpipp.deadlocks, [])
    target.answer = b""
    sentence(raises(_mpipp.Unreadable, _mpipp.deadlocks, [(registry, (71,))], (), no_place))


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
    assert tuple(comm)[:6] == ("MPI_Ialltoall", 0, "rows", 2, 2, True)
    assert tuple(comm)[6:] == (None, [(2, True, 1), (3, False, 2)], None, 0)
    assert registry.object("MPI_Comm", 0x84000005).members == [(0, 1, 1), (4, 1, 3), (3, 1, 1), (1, 1, 1)]
    assert tuple(registry.object("MPI_Comm", 0x84000002)) == ("", 0, None, None, None, False, None, None, None, 0)
    window = registry.object("MPI_Win", 0x84000001)
    assert tuple(window) == ("MPI_Ialltoall", 0, "rows", 4, 2, False, None, None, (0x4000, 64, 4), 0)
    assert registry.object("MPI_Comm", 0x84000003) is registry.object("MPI_File", 0x84000001) is None
    assert registry.object("MPI_Datatype", 0x84000001) is None
    comms, damage = registry.objects("MPI_Comm")
    assert (0x84000001, comm) in comms and damage is None, (comms, damage)
    assert [one for _, one in registry.objects("MPI_Win")[0]] == [window]
    assert registry.objects("MPI_Info") == ([], None) and registry.objects("MPI_Datatype") == (None, None)
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


MEMBERS = "count blocklength stride ndims size rank lb extent precision range order nonsense".split()


ARRAYS = "lengths offsets sizes subsizes starts gsizes distribs dargs psizes nonsense".split()


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
