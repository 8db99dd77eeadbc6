"""Two builds of Valise in turn in one run: what the one of now costs against the one at BEFORE, the path of another `valise`.
Nothing may be slower by more than a twentieth.

Both programs are to lie where no thumbnail worker is beside them, or both where one is: thumbnails are made meanwhile."""

import os
import random
import subprocess
import sys
import tarfile
import io
import time

import containers
import measuring
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 7))
LISTED = int(os.environ.get("LISTED", 10_000))
READ_BYTES = int(os.environ.get("READ_MIB", 1024)) << 20
PHOTOS, BOOKMARKS, FILES, MOUNTS = 200, 1000, 3000, 10
BEFORE = os.environ.get("BEFORE")
LIMIT = 1.05


class Build:
    """One of the two, and what it takes for each thing."""

    def __init__(self, program, work):
        self.program, self.work = program, work

    def mount(self, container):
        return Mount([self.program, "mount", container], f"{self.work}/m")

    def timed(self, body):
        begin = time.perf_counter()
        body()
        return time.perf_counter() - begin

    def reading(self):
        found, work = {}, self.work
        mounting = []
        for _ in range(MOUNTS):
            with self.mount(f"{work}/few") as drive:
                mounting.append(drive.seconds)
        found[f"mounting {MOUNTS} times"] = sum(mounting)
        with self.mount(f"{work}/listed") as drive:
            listing = ["ls", "-l", "--color=never", drive.mountpoint]
            found[f"`ls -l` of {LISTED:,} photos, first"] = seconds(listing)
            found[f"`ls -l` of {LISTED:,} photos, again"] = min(seconds(listing) for _ in range(3))
        with self.mount(f"{work}/read") as drive:
            name = f"reading {READ_BYTES >> 20:,} MiB of photos"
            for which in ("first", "again"):
                found[f"{name}, {which}"] = seconds(["sh", "-c", "cat -- *.jpg"], cwd=drive.mountpoint)
        return found

    def writing(self):
        found, container = {}, f"{self.work}/container"
        clear(container)
        subprocess.run([self.program, "init", container], check=True, stdout=subprocess.DEVNULL)
        with self.mount(container) as drive:
            for name, body in self.bodies(drive.mountpoint).items():
                found[name] = self.timed(body)
        clear(container)
        return found

    def bodies(self, top):
        def bookmarks():
            for number in range(BOOKMARKS):
                with open(f"{top}/Bookmark {number}.url", "w") as file:
                    file.write(f"[InternetShortcut]\nURL=https://example.com/{number}\n")

        def sequential():
            block = bytes(1 << 20)
            with open(f"{top}/big", "wb", buffering=0) as file:
                for _ in range(512):
                    file.write(block)

        def scattered():
            generator, block = random.Random(7), bytes(4096)
            with open(f"{top}/scattered", "wb", buffering=0) as file:
                file.truncate(64 << 20)
                for _ in range(10_000):
                    file.seek(generator.randrange(16384) * 4096)
                    file.write(block)

        return {
            f"`cp` of {PHOTOS} photos of 2 MB": lambda: subprocess.run(["cp", "-r", f"{self.work}/photos", top], check=True),
            f"{BOOKMARKS:,} bookmarks by one process": bookmarks,
            f"untarring {FILES:,} files": lambda: subprocess.run(["tar", "-xf", f"{self.work}/source.tar", "-C", top], check=True),
            "writing 512 MiB one after another": sequential,
            "10,000 writes of 4 KiB at random places": scattered,
        }

    def measure(self):
        return self.reading() | self.writing()


def archive(path):
    with tarfile.open(path, "w") as tar:
        for number in range(FILES):
            data = (f"int value_{number};\n" * (number % 200)).encode()
            entry = tarfile.TarInfo(f"source/{number // 100:03}/file_{number}.c")
            entry.size, entry.mtime, entry.mode = len(data), 1_700_000_000 + number, 0o644
            tar.addfile(entry, io.BytesIO(data))


def main(work):
    if not BEFORE:
        sys.exit("BEFORE is to be the path of another valise")
    containers.photos(f"{work}/few", [3000] * 10)
    containers.photos(f"{work}/listed", [3000] * LISTED)
    containers.photos(f"{work}/read", [4 << 20] * (READ_BYTES >> 22))
    containers.plain(f"{work}/photos", [2 << 20] * PHOTOS)
    archive(f"{work}/source.tar")
    now, before = Build(measuring.VALISE, work), Build(BEFORE, work)
    rounds = []
    for number in range(ROUNDS + 1):
        first, second = (now, before) if number % 2 else (before, now)
        found = {first: first.measure(), second: second.measure()}
        # The first round warms both up.
        if number:
            rounds.append((found[now], found[before]))
    table = Table("what", "now", "before", "ratio", "at most")
    for name in rounds[0][0]:
        ours, theirs = [round[0][name] for round in rounds], [round[1][name] for round in rounds]
        table.add(name, f"{median(ours) * 1000:.0f} ms", f"{median(theirs) * 1000:.0f} ms", f"{ratio(ours, theirs):.3f}", f"{LIMIT}")
    return table
