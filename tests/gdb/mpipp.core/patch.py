"""patch.py CORE [ADDRESS WIDTH VALUE]...: other bytes in the memory that a core file holds."""

import struct
import sys

path, words = sys.argv[1], [int(word, 0) for word in sys.argv[2:]]
with open(path, "r+b") as core:
    header = core.read(64)
    at, each, count = struct.unpack_from("Q", header, 32)[0], *struct.unpack_from("HH", header, 54)
    core.seek(at)
    parts = [struct.unpack_from("IIQQQQ", core.read(each)) for _ in range(count)]
    for address, width, value in zip(words[::3], words[1::3], words[2::3]):
        for kind, _, offset, start, _, kept in parts:
            if kind == 1 and start <= address and address + width <= start + kept:
                core.seek(offset + address - start)
                core.write((value % (1 << 8 * width)).to_bytes(width, sys.byteorder))
                break
        else:
            sys.exit(f"the core file does not have {address:#x}")
