"""A container that another program changes while it is mounted: what that costs the other program, and the drive."""

import os
import subprocess
import time

import containers
from measuring import *

COPIED = int(os.environ.get("COPIED", 10_000))
KNOWN = int(os.environ.get("KNOWN", 100_000))
ROUNDS = int(os.environ.get("ROUNDS", 7))


def copying(work, table):
    """The copy without a mount and with one, in turn, while the drive is listed."""
    source = containers.plain(f"{work}/source", [3000] * COPIED)
    alone, beside, idle = [], [], []

    def copy(container):
        return seconds(["cp", "-r", f"{source}/.", container])

    def fresh():
        clear(f"{work}/target")
        os.makedirs(f"{work}/target/Documents")
        os.sync()
        return f"{work}/target"

    copy(fresh() + "/Documents")
    for _ in range(ROUNDS):
        alone.append(copy(fresh() + "/Documents"))
        with valise(fresh(), f"{work}/v") as mount:
            os.listdir(mount.mountpoint)
            idle.append(copy(f"{work}/target/Documents"))
            complete(mount)
        with valise(fresh(), f"{work}/v") as mount:
            command = f"while :; do ls -l {mount.mountpoint} >/dev/null; sleep 0.1; done"
            listing = subprocess.Popen(["sh", "-c", command], start_new_session=True)
            beside.append(copy(f"{work}/target/Documents"))
            os.killpg(listing.pid, 15)
            listing.wait()
            complete(mount)
    name = f"Copying {COPIED:,} files into the container"
    table.add(name, f"{median(alone) * 1000:.0f} ms", "without a mount", "")
    table.add(name + ", mounted", f"{median(idle) * 1000:.0f} ms", f"{ratio(idle, alone):.2f} × without", "≤ 1.3 ×")
    table.add(name + ", mounted and listed", f"{median(beside) * 1000:.0f} ms", f"{ratio(beside, alone):.2f} × without", "≤ 1.3 ×")


def complete(mount):
    end = time.monotonic() + 60
    while len(os.listdir(mount.mountpoint)) != COPIED:
        assert time.monotonic() < end, "files are missing from the listing"
        time.sleep(0.05)


def one_change(work, table):
    container = containers.photos(f"{work}/known", [300] * KNOWN)
    target = os.path.join(container, "Documents", "plain")
    containers.write(target, b"one")
    with valise(container, f"{work}/v") as mount:
        with open(os.devnull, "w") as nowhere:
            subprocess.run(["ls", "-l", mount.mountpoint], stdout=nowhere, check=True)
        shown = os.path.join(mount.mountpoint, "plain")
        delays, before = [], mount.status()
        for round in range(ROUNDS):
            size = os.stat(shown).st_size
            with open(target, "ab") as file:
                file.write(b" more")
            begin = time.perf_counter()
            while os.stat(shown).st_size == size:
                time.sleep(0.001)
            delays.append(time.perf_counter() - begin)
        after = mount.status()
        process = after["process"]
        counts = {key: (after["changes"][key] - before["changes"][key]) / ROUNDS for key in ("lookedAt", "told")}
        table.add(f"One of {KNOWN:,} changed: shown after", f"{median(delays) * 1000:.0f} ms", "", "≤ 1 s")
        table.add(f"One of {KNOWN:,} changed: items looked at, invalidations", f"{counts['lookedAt']:.1f}, {counts['told']:.1f}", "", "1, ≤ 3")
        table.add("Watches", f"{after['changes']['watched']:,}" + (" (the system's limit)" if after["changes"]["limitReached"] else ""), "", "")
        table.add("Resident for each listed document", f"{resident(process) / KNOWN:.0f} bytes", "", "≤ 400 bytes")


def main(work):
    table = Table("what", "measured", "compared", "wanted")
    copying(work, table)
    one_change(work, table)
    return table
