"""Writing into a container, beside bindfs on plain files on the same disk: photos, bookmarks, plain files, and reading meanwhile."""

import io
import os
import random
import shutil
import statistics
import subprocess
import tarfile
import threading
import time

import containers
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 5))
PHOTOS, PHOTO_SIZE = int(os.environ.get("PHOTOS", 1000)), 2 << 20
BOOKMARKS = int(os.environ.get("BOOKMARKS", 5000))
FILES = int(os.environ.get("FILES", 10_000))
# A round in which other machines took this share of the processors, or more, tells of them: they hold up its slowest hundredth.
DISTURBED = 0.005


class Pair:
    """A drive of an empty container, and bindfs on an empty folder, for one round each."""

    def __init__(self, work):
        self.work = work

    def valise(self, body):
        container = f"{self.work}/container"
        clear(container)
        subprocess.run([VALISE, "init", container], check=True, stdout=subprocess.DEVNULL)
        with valise(container, f"{self.work}/v", "rw") as mount:
            return body(mount.mountpoint, mount)

    def bindfs(self, body):
        folder = f"{self.work}/folder"
        clear(folder)
        os.makedirs(folder)
        with bindfs(folder, f"{self.work}/b") as mount:
            return body(mount.mountpoint, None)

    def compare(self, body, rounds=ROUNDS):
        ours, theirs = [], []
        for _ in range(rounds):
            theirs.append(self.bindfs(body))
            ours.append(self.valise(body))
        return ours, theirs


def timed(body):
    def run(top, mount):
        begin = time.perf_counter()
        body(top)
        return time.perf_counter() - begin

    return run


def row(table, name, ours, theirs, wanted):
    table.add(name, f"{median(ours):.2f} s", f"{ratio(ours, theirs):.2f} × bindfs ({median(theirs):.2f} s)", wanted)


def photos(work, table):
    source = containers.plain(f"{work}/photos", [PHOTO_SIZE] * PHOTOS)
    pair = Pair(work)
    ours, theirs = pair.compare(timed(lambda top: subprocess.run(["cp", "-r", source, top], check=True)), rounds=min(ROUNDS, 3))
    row(table, f"`cp` of {PHOTOS:,} photos of 2 MB", ours, theirs, "≤ 1.25 ×")

    def written(top, mount):
        subprocess.run(["cp", "-r", source, top], check=True)
        with open(f"/proc/{mount.status()['process']}/io") as file:
            return int(next(line for line in file if line.startswith("write_bytes")).split()[1])

    bytes_written = pair.valise(written)
    table.add("Bytes that the daemon had written for them", f"{bytes_written / (1 << 20):.0f} MiB", f"{bytes_written / (PHOTOS * PHOTO_SIZE):.3f} × their size", "≤ 1.05 ×")


def bookmarks(work, table):
    def write(top):
        for number in range(BOOKMARKS):
            with open(f"{top}/Bookmark {number}.url", "w") as file:
                file.write(f"[InternetShortcut]\nURL=https://example.com/{number}\n")

    row(table, f"{BOOKMARKS:,} bookmarks by one process", *Pair(work).compare(timed(write), rounds=min(ROUNDS, 3)), "≤ 1.5 ×")


def plain_files(work, table):
    archive = f"{work}/source.tar"
    with tarfile.open(archive, "w") as tar:
        for number in range(FILES):
            data = (f"int value_{number};\n" * (number % 200)).encode()
            entry = tarfile.TarInfo(f"source/{number // 100:03}/file_{number}.c")
            entry.size, entry.mtime, entry.mode = len(data), 1_700_000_000 + number, 0o644
            tar.addfile(entry, io.BytesIO(data))
    pair = Pair(work)
    row(table, f"Untarring {FILES:,} files", *pair.compare(timed(lambda top: subprocess.run(["tar", "-xf", archive, "-C", top], check=True))), "≤ 1.1 ×")

    def sequential(top):
        with open(f"{top}/big", "wb", buffering=0) as file:
            block = os.urandom(1 << 20)
            for _ in range(512):
                file.write(block)

    row(table, "Writing 512 MiB one after another", *pair.compare(timed(sequential)), "≤ 1 ×")

    def scattered(top):
        generator = random.Random(7)
        with open(f"{top}/big", "wb", buffering=0) as file:
            file.truncate(64 << 20)
            block = os.urandom(4096)
            for _ in range(10_000):
                file.seek(generator.randrange(16384) * 4096)
                file.write(block)

    row(table, "10,000 writes of 4 KiB at random places", *pair.compare(timed(scattered)), "≤ 1 ×")


def reading_meanwhile(work, table):
    """How long a 4 KiB read of one document takes while another one of 500 MB is saved, and as often with nothing going on.

    A read waits for four turns of two busy processors, so what other virtual machines take of them decides its slowest
    hundredth. Rounds in which they took next to nothing are told apart, and gone on for until there are enough."""
    big = f"{work}/big.jpg"
    containers.write(big, containers.image(1, 500 << 20))
    rounds, most, least = max(ROUNDS, 5), int(os.environ.get("MOST_ROUNDS", 200)), 1000

    def latencies(path, goes_on):
        result = []
        with open(path, "rb", buffering=0) as file:
            while goes_on(len(result)):
                # Out of the container, not out of the kernel's cache of the drive.
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                place = random.randrange(512) * 4096
                begin = time.perf_counter()
                os.pread(file.fileno(), 4096, place)
                result.append(time.perf_counter() - begin)
                time.sleep(0.001)
        return result

    def while_saving(top):
        """Saves follow one another until there are enough reads. One that takes longer than that is not waited for."""
        result = []
        while len(result) < least:
            copying = subprocess.Popen(["cp", big, f"{top}/big.jpg"])
            result += latencies(f"{top}/small.jpg", lambda count: copying.poll() is None and len(result) + count < 2 * least)
            copying.kill()
            copying.wait()
            os.remove(f"{top}/big.jpg")
        return result

    def body(top, mount, anyway=True):
        shutil.copy(f"{work}/photos/IMG_00000.jpg", f"{top}/small.jpg")
        os.sync()
        # As much as two copies of it take: the drive's cache, and the container's.
        touch_memory(2 * (500 << 20))
        stolen = Stolen()
        during = while_saving(top)
        share = stolen.share()
        if share >= DISTURBED and not anyway:
            return None
        os.sync()
        stolen = Stolen()
        idle = latencies(f"{top}/small.jpg", lambda count: count < len(during))
        return percentile(idle), percentile(during), max(share, stolen.share())

    pair = Pair(work)
    ours, theirs = pair.compare(body, rounds=rounds)
    undisturbed, tried = [one for one in ours if one[2] < DISTURBED], len(ours)
    while len(undisturbed) < rounds and tried < most:
        one, tried = pair.valise(lambda top, mount: body(top, mount, anyway=False)), tried + 1
        if one and one[2] < DISTURBED:
            undisturbed.append(one)

    def tell(name, results, wanted):
        idle, busy, stolen = zip(*results)
        name = f"{name}, median of {len(results)} rounds, {100 * median(stolen):.1f} % of the processors taken by other machines"
        table.add(name, f"{median(busy) * 1e6:.0f} µs", f"{ratio(busy, idle):.2f} × idle ({median(idle) * 1e6:.0f} µs)", wanted)

    tell("99th percentile of a 4 KiB read while 500 MB are saved", ours, "≤ 2 ×")
    if undisturbed:
        tell(f"the same, of {tried} rounds those in which it was less than {100 * DISTURBED:.1f} %", undisturbed, "≤ 2 ×")
    tell("the same through bindfs, whatever was taken", theirs, "")


def percentile(values):
    return sorted(values)[int(len(values) * 0.99)]


def main(work):
    table = Table("what", "measured", "compared", "wanted")
    photos(work, table)
    bookmarks(work, table)
    plain_files(work, table)
    reading_meanwhile(work, table)
    return table
