"""Reading a container, beside native files and bindfs: listing, reading, what one document costs, what the daemon needs."""

import os
import tempfile
import time

import containers
from measuring import *

LISTED = int(os.environ.get("LISTED", 10_000))
READ_BYTES = int(os.environ.get("READ_MIB", 2048)) << 20
# As a phone's camera makes them.
READ_SIZES = [(2 << 20) + 314_159, (3 << 20) + 141_592, (4 << 20) + 65_359, (5 << 20) - 89_793]
ROUNDS = int(os.environ.get("ROUNDS", 7))


def list_command(folder):
    return ["ls", "-l", "--color=never", folder]


def listing(work, table):
    container = containers.photos(f"{work}/listed", [3000] * LISTED)
    folder = containers.plain(f"{work}/listed-plain", [3000] * LISTED)
    seconds(list_command(folder))
    seconds(["ls", "-lR", container])
    native, cold, warm, peer = [], [], [], []
    for _ in range(ROUNDS):
        native.append(min(seconds(list_command(folder)) for _ in range(3)))
        with bindfs(folder, f"{work}/b") as mount:
            peer.append(seconds(list_command(mount.mountpoint)))
        with valise(container, f"{work}/v") as mount:
            cold.append(seconds(list_command(mount.mountpoint)))
            warm.append(min(seconds(list_command(mount.mountpoint)) for _ in range(3)))
    name = f"`ls -l` of {LISTED:,} photos"
    table.add(name + ", first", f"{median(cold) * 1000:.0f} ms", f"{ratio(cold, native):.2f} × native", "≤ 4 × native")
    table.add(name + ", first", f"bindfs {median(peer) * 1000:.0f} ms", f"{1 / ratio(cold, peer):.1f} × as fast as bindfs", "≥ 3 ×")
    table.add(name + ", again", f"{median(warm) * 1000:.0f} ms", f"{ratio(warm, native):.2f} × native", "≤ 1.2 × native")
    with valise(container, f"{work}/v") as mount:
        before = mount.requests()
        seconds(list_command(mount.mountpoint))
        between = mount.requests()
        seconds(list_command(mount.mountpoint))
        after = mount.requests()
    table.add(name + ", first: requests", told(difference(between, before)), "", "no request per file")
    table.add(name + ", again: requests", told(difference(after, between)), "", "no READDIRPLUS")
    return container


def reading(work, table):
    sizes = READ_SIZES * (READ_BYTES // sum(READ_SIZES))
    container = containers.photos(f"{work}/read", sizes)
    folder = containers.plain(f"{work}/read-plain", sizes)
    photos = [f"{container}/Documents/{name}/photo.data" for name in os.listdir(f"{container}/Documents")]
    files = [f"{folder}/{name}" for name in os.listdir(folder)]

    def read(top):
        return seconds(["sh", "-c", "cat -- *.jpg >/dev/null"], cwd=top)

    def keep_in_memory(paths):
        """In the page cache, read once: a page costs more the second time than ever after, on each side."""
        for path in paths:
            with open(path, "rb", buffering=0) as file:
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                while file.read(1 << 20):
                    pass

    os.sync()
    keep_in_memory(photos)
    native, peer, first, again, requests = [], [], [], [], {}
    for _ in range(ROUNDS):
        keep_in_memory(files)
        native.append(read(folder))
        with bindfs(folder, f"{work}/b") as mount:
            peer.append(read(mount.mountpoint))
        with valise(container, f"{work}/v") as mount:
            seconds(list_command(mount.mountpoint))
            first.append(read(mount.mountpoint))
            before = mount.requests()
            again.append(read(mount.mountpoint))
            requests = difference(mount.requests(), before)
    size = f"{sum(sizes) / (1 << 30):.1f} GiB of photos of 2 to 5 MB"
    table.add(f"Reading {size}, first", f"{median(first):.2f} s", f"{1 / ratio(first, peer):.2f} × as fast as bindfs ({median(peer):.2f} s)", "≥ 1.5 ×")
    table.add(f"Reading {size}, again", f"{median(again):.2f} s", f"{1 / ratio(again, native):.2f} × as fast as native ({median(native):.2f} s)", "≥ 0.5 ×")
    table.add("Reading them again: requests for each", told({kind: round(count / len(sizes), 2) for kind, count in requests.items() if count >= len(sizes) / 100}), "", "no READ")


def one_document(work, container, table):
    with valise(container, f"{work}/v") as mount:
        os.stat(mount.mountpoint)
        before = mount.requests()
        with open(f"{mount.mountpoint}/IMG_00077.jpg", "rb", buffering=0) as file:
            file.read(100_000)
        time.sleep(0.2)
        after = mount.requests()
    table.add(f"Opening one of {LISTED:,}: requests", told(difference(after, before)), "", "LOOKUP, OPEN, READ, RELEASE")


def daemon(work, container, table):
    answered, empty, per_document = [], [], []
    for _ in range(ROUNDS):
        with valise(container, f"{work}/v") as mount:
            answered.append(mount.seconds)
            process = mount.status()["process"]
            before = resident(process)
            empty.append(before)
            seconds(list_command(mount.mountpoint))
            per_document.append((resident(process) - before) / LISTED)
    table.add("`valise mount` returns, the drive answers, after", f"{median(answered) * 1000:.1f} ms", "", "≤ 50 ms")
    table.add("Resident after mounting", f"{median(empty) / (1 << 20):.1f} MiB", "", "≤ 20 MB")
    table.add("Resident for each listed document", f"{median(per_document):.0f} bytes", "", "≤ 400 bytes")


def main(work):
    table = Table("what", "measured", "compared", "wanted")
    container = listing(work, table)
    one_document(work, container, table)
    daemon(work, container, table)
    reading(work, table)
    return table
