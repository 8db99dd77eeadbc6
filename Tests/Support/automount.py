"""What systemd does for an automount: `automount.py FOLDER COMMAND…` runs the command when somebody comes by."""

import fcntl
import os
import struct
import subprocess
import sys
import ctypes

AUTOFS_IOC_READY, AUTOFS_IOC_FAIL = 0x9360, 0x9361

folder, command = sys.argv[1], sys.argv[2:]
# The kernel lets the automount's own process group past it, and nobody else.
os.setpgid(0, 0)
reader, writer = os.pipe()
options = f"fd={writer},pgrp={os.getpgrp()},minproto=5,maxproto=5,direct"
libc = ctypes.CDLL(None, use_errno=True)
if libc.mount(b"valise-test", folder.encode(), b"autofs", 0, options.encode()) != 0:
    sys.exit(f"mounting autofs: {os.strerror(ctypes.get_errno())}")
os.close(writer)
place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
# struct autofs_v5_packet begins with: protocol, type, token.
_, _, token = struct.unpack_from("iii", os.read(reader, 4096))
try:
    code = subprocess.run(command, timeout=30).returncode
except subprocess.TimeoutExpired:
    code = "nothing, and was in its own way"
fcntl.ioctl(place, AUTOFS_IOC_READY if code == 0 else AUTOFS_IOC_FAIL, token)
print(f"mount answered {code}")
