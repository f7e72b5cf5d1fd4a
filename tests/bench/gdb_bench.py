"""In gdb, at gdb_bench.c's ready(): the plugin's speed. Times are minima of interleaved runs; a line each."""

import re
import time

import gdb

ROUNDS = 5


def timed(command: str) -> tuple:
    start = time.perf_counter()
    text = gdb.execute(command, to_string=True)
    return time.perf_counter() - start, text


def numbers(text: str) -> list:
    return re.findall(r"-?\d[\d.e+-]*", text.split("=", 1)[1])


def rendering() -> bool:
    for setting in ("elements unlimited", "repeats unlimited"):
        gdb.execute(f"set print {setting}")
    gdb.execute("set max-value-size unlimited")
    own = ours = float("inf")
    for _ in range(ROUNDS):
        seconds, gdb_text = timed("print plain")
        own = min(own, seconds)
        seconds, our_text = timed("mpipp strided spaced")
        ours = min(ours, seconds)
    same = numbers(gdb_text) == numbers(our_text)
    print(
        f"1,000,000 doubles: gdb's print {own * 1e6 / 1e6:.2f} us each, mpipp through a strided type"
        f" {ours * 1e6 / 1e6:.2f} us each: {own / ours:.1f} x faster (at least 6 wanted),"
        f" digits {'the same' if same else 'DIFFER'}"
    )
    return same and own / ours >= 6


def listing() -> bool:
    gdb.execute("set print elements 200")
    first, _ = timed("print types[0]")
    later = min(timed(f"print types[{i}]")[0] for i in range(1, 50))
    whole = min(timed("mpi types")[0] for _ in range(3))
    print(
        f"100,000 live types: print T {first * 1e3:.1f} ms the first time, {later * 1e3:.2f} ms then (5 wanted);"
        f" mpi types {whole * 1e3:.0f} ms (1000 wanted)"
    )
    return later <= 0.005 and whole <= 1


gdb.execute("set pagination off")
good = [listing(), rendering()]
gdb.execute(f"quit {int(not all(good))}")
