"""Watches folders and files like a file manager, and says what it is told: a line for each event, "NAME EVENT|EVENT".

usage: watch.py PATH…       says "ready" when it watches all of them
"""
import ctypes, os, struct, sys

EVENTS = {0x2: "MODIFY", 0x4: "ATTRIB", 0x8: "CLOSE_WRITE", 0x40: "MOVED_FROM", 0x80: "MOVED_TO", 0x100: "CREATE", 0x200: "DELETE"}

C = ctypes.CDLL(None, use_errno=True)
queue = C.inotify_init1(os.O_CLOEXEC)
for path in sys.argv[1:]:
    if C.inotify_add_watch(queue, os.fsencode(path), sum(EVENTS)) < 0: raise OSError(ctypes.get_errno(), path)
print("ready", flush=True)
while True:
    told = os.read(queue, 65536)
    while told:
        _, mask, _, length = struct.unpack("iIII", told[:16])
        name = os.fsdecode(told[16:16 + length].rstrip(b"\0"))
        print(name or ".", "|".join(word for bit, word in EVENTS.items() if mask & bit) or "?", flush=True)
        told = told[16 + length:]
