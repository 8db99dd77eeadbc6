"""Stands in for systemd's journal: prints the fields of each entry that it is sent, as its native protocol has them."""

import socket
import struct
import sys

listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
listener.bind("/run/systemd/journal/socket")
while True:
    entry, fields = listener.recv(1 << 20), []
    while entry:
        line, _, entry = entry.partition(b"\n")
        if b"=" not in line:
            # A value that is counted, because it holds line ends.
            (count,) = struct.unpack("<Q", entry[:8])
            line, entry = line + b"=" + entry[8:8 + count], entry[8 + count + 1:]
        fields.append(line + b"\n")
    sys.stdout.buffer.write(b"".join(fields))
    sys.stdout.buffer.flush()
