"""Makes, rewrites, renames and deletes documents on a drive until somebody ends it, or the drive."""

import os
import sys

drive = sys.argv[1]
os.chdir(drive)
number = 0
while True:
    number += 1
    for suffix, head in ((".txt", b""), (".png", b"\x89PNG\r\n\x1a\n")):
        name, other = f"hammered {number % 7}{suffix}", f"hammered {number % 5 + 10}{suffix}"
        for body in (b"one", b"two"):
            with open(name, "wb") as file:
                file.write(head + body * 200)
        with open("hammered.tmp", "wb") as file:
            file.write(head + b"new" * 200)
        os.rename("hammered.tmp", name)
        os.rename(name, other)
        if number % 3 == 0:
            os.unlink(other)
