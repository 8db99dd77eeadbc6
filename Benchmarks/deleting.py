"""Deleting ten thousand documents in one folder and bringing them back: with what is deleted kept, without (`-o deleted=off`), and by an
earlier build if BEFORE names its `valise`. Each round deletes with all of them in turn; the end of the drive is measured too, because
what is not kept is removed after a while or then."""

import os
import re
import shutil
import subprocess
import time

import containers
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 5))
COUNT = int(os.environ.get("COUNT", 10_000))
BEFORE = os.environ.get("BEFORE")


def texts(folder):
    os.makedirs(f"{folder}/Documents/Album")
    for number in range(COUNT):
        containers.write(f"{folder}/Documents/Album/Text {number}.stedoc", f"text {number}\n".encode())
    return folder


def photos(folder):
    containers.photos(folder, [20_000] * COUNT)
    os.rename(f"{folder}/Documents", f"{folder}/Album")
    os.mkdir(f"{folder}/Documents")
    os.rename(f"{folder}/Album", f"{folder}/Documents/Album")
    return folder


class Drives:
    def __init__(self, work):
        self.work = work
        self.kinds = {"kept": (VALISE, []), "deleted=off": (VALISE, ["deleted=off"])}
        if BEFORE:
            self.kinds["before"] = (BEFORE, [])

    def run(self, make, kind, body):
        """Seconds of the deleting, and of that with the end of the drive."""
        program, options = self.kinds[kind]
        container = make(f"{self.work}/container")
        subprocess.run(["sync"], check=True)
        mount = Mount([program, "mount", *(("-o", ",".join(options)) if options else ()), container], f"{self.work}/v")
        try:
            subprocess.run(["ls", "-l", f"{mount.mountpoint}/Album"], check=True, stdout=subprocess.DEVNULL)
            begin = time.perf_counter()
            answer = body(mount)
            deleted = time.perf_counter() - begin
        finally:
            subprocess.run([program, "unmount", mount.mountpoint], check=True)
        whole = time.perf_counter() - begin
        shutil.rmtree(container)
        return deleted, whole, answer


def remove(mount):
    subprocess.run("rm -- *", shell=True, check=True, cwd=f"{mount.mountpoint}/Album", executable="/bin/bash")


def counted(work):
    """The system calls of the process that serves the drive, while all is deleted."""

    def body(mount):
        process = mount.status()["process"]
        log = f"{work}/strace"
        tracer = subprocess.Popen(["strace", "-f", "-c", "-S", "calls", "-o", log, "-p", str(process)], stderr=subprocess.PIPE, text=True)
        tracer.stderr.readline()
        remove(mount)
        time.sleep(18)
        tracer.terminate()
        tracer.wait()
        with open(log) as file:
            calls = {match[2]: int(match[1]) for match in re.finditer(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$", file.read(), re.M)}
        calls.pop("total", None)
        return calls

    return body


def main(work):
    table = Table("What", "Kept", "Beside", "Wanted")
    drives = Drives(work)
    for name, make in [("texts", texts), ("photos", photos)]:
        seconds = {kind: [] for kind in drives.kinds}
        for _ in range(ROUNDS):
            for kind in drives.kinds:
                seconds[kind].append(drives.run(make, kind, remove)[:2])
        kept = seconds["kept"]
        for kind in list(drives.kinds)[1:]:
            for index, what in enumerate(["`rm`", "`rm` and the end of the drive"]):
                ours, theirs = [round[index] for round in kept], [round[index] for round in seconds[kind]]
                table.add(f"{what} of {COUNT:,} {name}", f"{median(ours):.2f} s", f"{ratio(ours, theirs):.2f} × {kind} ({median(theirs):.2f} s)", "≤ 1.3 ×")
        if shutil.which("strace"):
            calls = {kind: drives.run(make, kind, counted(work))[2] for kind in drives.kinds}
            told = "; ".join(f"{kind}: {sum(found.values()) / COUNT:.1f} (" + ", ".join(f"{count / COUNT:.1f} {call}" for call, count in sorted(found.items(), key=lambda item: -item[1])[:8]) + ")" for kind, found in calls.items())
            table.add(f"System calls for each of {COUNT:,} {name}, with the 18 s after", f"{sum(calls['kept'].values()) / COUNT:.1f}", told, "≤ 1.3 ×")

        def back(mount):
            top = mount.mountpoint
            before = subprocess.run("sha256sum -- * | sort | sha256sum", shell=True, check=True, capture_output=True, cwd=f"{top}/Album").stdout
            remove(mount)
            begin = time.perf_counter()
            subprocess.run([VALISE, "undelete", "--since", "1 hour ago", top], check=True)
            undone = time.perf_counter() - begin
            after = subprocess.run("sha256sum -- * | sort | sha256sum", shell=True, check=True, capture_output=True, cwd=f"{top}/Album").stdout
            return undone, before == after

        undone, same = drives.run(make, "kept", back)[2]
        table.add(f"`valise undelete --since '1 hour ago'` of {COUNT:,} {name}", f"{undone:.1f} s", "byte for byte the same" if same else "NOT THE SAME", "seconds")
    return table
