"""In gdb, at show.c's all_made(): what `mpipp/x` shows of each random buffer, in order, is what MPI packs.

The numbers are taken from the text as a user sees it; the core is asked only how wide each one is.
"""

import re

import gdb
from mpipp import _mpipp
from mpipp.rank import ranks

NUMBER = re.compile(r"0x[0-9a-f]+|<repeats (\d+) times>|\bMPI_[LU]B\b")


def widths(place: "_mpipp.Place") -> list:
    """Bytes of each number below a place, in order."""
    basic = place.leaf
    if basic is not None:
        if basic.class_ == "pair":
            return [basic.first[1], basic.second[1]]
        if basic.class_ == "complex":
            return [basic.size // 2] * 2
        return [basic.size] if basic.class_ != "marker" else []
    if place.run is not None and place.run[0].class_ not in ("pair", "complex", "marker"):
        return [place.run[0].size] * len(place)
    return [width for i in range(len(place)) for width in widths(place.child(i))]


def shown_bytes(text: str, sizes: list) -> bytes:
    numbers = [int(n, 16) for n in re.findall(r"0x[0-9a-f]+", re.sub(r"\[\d+\] = ", "", text))]
    if len(numbers) != len(sizes):
        raise ValueError(f"{len(numbers)} numbers shown, {len(sizes)} expected")
    return b"".join(n.to_bytes(size, "little") for n, size in zip(numbers, sizes))


def check(sample: gdb.Value) -> str:
    """'' or what is wrong."""
    inferior = gdb.selected_inferior()
    size = int(sample["packed_size"])
    packed = bytes(inferior.read_memory(int(sample["packed"]), size)) if size else b""
    gdb.set_convenience_variable("sample", sample)
    text = gdb.execute("mpipp/x $sample.type $sample.buffer $sample.count", to_string=True)
    registry = ranks.current().registry
    handle = int(sample["type"].cast(gdb.lookup_type("unsigned long"))) & (
        (1 << 8 * registry.handle_bytes) - 1
    )
    state, datatype = registry.find(handle)
    if datatype is None:
        return f"the handle is {state}"
    place = _mpipp.Place(datatype, int(sample["buffer"]), int(sample["count"]))
    sizes = widths(place)
    try:
        shown = shown_bytes(text.split("=", 1)[1], sizes)
    except (ValueError, OverflowError) as error:
        return f"{error}: {text[:300]}"
    at = 0
    for width in sizes:  # MPI packs ten bytes of a long double's sixteen
        if width == 16:
            packed = packed[: at + 10] + bytes(6) + packed[at + 16 :]
            shown = shown[: at + 10] + bytes(6) + shown[at + 16 :]
        at += width
    return "" if shown == packed else f"differs from what MPI packs: {text[:300]}"


def main() -> None:
    for setting in ("elements unlimited", "repeats unlimited", "max-depth unlimited"):
        gdb.execute(f"set print {setting}")
    passed = failed = 0
    for i in range(int(gdb.parse_and_eval("sample_count"))):
        sample = gdb.parse_and_eval(f"samples[{i}]")
        wrong = check(sample)
        if wrong:
            failed += 1
            print(f"FAIL: seed {int(sample['seed'])}: {wrong}")
        else:
            passed += 1
    print(f"{passed} passed, {failed} failed")


main()
