"""leave_out.py CORE ADDRESS: as if the kernel had written nothing of a mapping from this address on."""

import struct
import sys

path, address = sys.argv[1], int(sys.argv[2], 0)
with open(path, "r+b") as core:
    header = core.read(64)
    at, each, count = struct.unpack_from("Q", header, 32)[0], *struct.unpack_from("HH", header, 54)
    for number in range(count):
        core.seek(at + number * each)
        kind, _, _, start, _, kept, size = struct.unpack("IIQQQQQ", core.read(48))
        if kind == 1 and start <= address < start + size:
            core.seek(at + number * each + 32)
            core.write(struct.pack("Q", min(kept, address - start)))
            break
    else:
        sys.exit(f"no mapping has {address:#x}")
