#!/usr/bin/env python3
"""What an NFS server does: file handles (open_by_handle_at). As root.

usage: file_handles.py take FILE …      prints each file's handle as one word
       file_handles.py open FOLDER HANDLE …
                                        prints of each what the file holds, or why it cannot be opened;
                                        FOLDER lies on the file system
"""

import ctypes
import os
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
LONGEST = 128


def take(path):
    handle = ctypes.create_string_buffer(struct.pack("Ii", LONGEST, 0) + bytes(LONGEST), 8 + LONGEST)
    mount = ctypes.c_int()
    if libc.name_to_handle_at(-100, os.fsencode(path), handle, ctypes.byref(mount), 0) != 0:
        sys.exit(f"{path}: {os.strerror(ctypes.get_errno())}")
    return handle.raw.hex()


def opened(folder, word):
    handle = ctypes.create_string_buffer(bytes.fromhex(word))
    descriptor = libc.open_by_handle_at(folder, handle, os.O_RDONLY)
    if descriptor < 0:
        return os.strerror(ctypes.get_errno())
    with os.fdopen(descriptor, "rb") as file:
        return file.read().decode(errors="replace").replace("\n", "|")


if sys.argv[1] == "take":
    for path in sys.argv[2:]:
        print(take(path))
else:
    folder = os.open(sys.argv[2], os.O_RDONLY | os.O_DIRECTORY)
    for word in sys.argv[3:]:
        print(opened(folder, word))
