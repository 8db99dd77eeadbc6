"""What it costs to delete 10,000 documents that are kept, against the build in BEFORE, which destroys them, or else against a
drive with -o deleted=off. 2,000 of them have versions. All in one folder, and in a hundred; by `rm -r`, then the drive is
unmounted, which is when what was deleted just before is put where it is kept: both together are the time.

The row of undoing is one `valise undelete --since`, after which every document and every version is compared byte by byte. The
system calls are those of the process that serves the drive while `rm` runs, counted by strace in one more round."""

import hashlib
import os
import subprocess

import measuring
from guard import counted
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 5))
COUNT = int(os.environ.get("COUNT", 10_000))
BEFORE = os.environ.get("BEFORE")


def container(path, folders):
    """Texts, each fifth saved twice."""
    versions = f"{path}/.valise/versions"
    for number in range(COUNT):
        folder = f"folder{number % folders}/" if folders > 1 else ""
        os.makedirs(f"{path}/Documents/{folder}", exist_ok=True)
        with open(f"{path}/Documents/{folder}text{number}.stedoc", "w") as file:
            file.write(f"document {number}\n" * 20)
        if number % 5 == 0:
            shelf = f"{versions}/{folder}text{number}.stedoc"
            os.makedirs(shelf, mode=0o700)
            with open(f"{shelf}/2026-01-01T00-00-00.000000Z@elsewhere", "w") as file:
                file.write(f"what document {number} was\n")
    for place, _, _ in os.walk(f"{path}/.valise"):
        os.chmod(place, 0o700)


def everything(path):
    """All documents and versions, by their paths."""
    found = {}
    for top in ("Documents", ".valise/versions"):
        for place, _, files in os.walk(f"{path}/{top}"):
            for name in files:
                with open(f"{place}/{name}", "rb") as file:
                    found[os.path.relpath(f"{place}/{name}", path)] = hashlib.sha256(file.read()).hexdigest()
    return found


def deleted(program, options, work, folders, how=None, undone=False):
    """Seconds for deleting and unmounting (or the calls of deleting), and for undoing."""
    clear(f"{work}/container")
    container(f"{work}/container", folders)
    before = everything(f"{work}/container") if undone else None
    drive = Mount([program, "mount", *options, f"{work}/container"], f"{work}/m")
    back = None
    try:
        subprocess.run(["ls", "-lR", drive.mountpoint], stdout=subprocess.DEVNULL, check=True)
        command = ["sh", "-c", "rm -r -- *"]
        if how:
            return how(drive, command, cwd=drive.mountpoint), None
        took = seconds(command, drive.mountpoint)
        if undone:
            back = seconds([program, "undelete", "--since", "1 hour ago", drive.mountpoint])
    finally:
        end = seconds([program, "unmount", drive.mountpoint])
    if undone:
        assert everything(f"{work}/container") == before, "not all of it is back"
    return took if undone else took + end, back


def main(work):
    table = Table("what", "kept", "against", "ratio", "at most", "system calls", "against")
    other = (BEFORE, []) if BEFORE else (measuring.VALISE, ["-o", "deleted=off"])
    sides = [(measuring.VALISE, []), other]
    for folders in (1, 100):
        rounds = []
        for number in range(ROUNDS + 1):
            order = (0, 1) if number % 2 else (1, 0)
            found = {side: deleted(*sides[side], work, folders)[0] for side in order}
            # The first round warms both up.
            if number:
                rounds.append((found[0], found[1]))
        calls = [deleted(*side, work, folders, counted)[0] for side in sides]
        ours, theirs = [one for one, _ in rounds], [two for _, two in rounds]
        place = "one folder" if folders == 1 else f"{folders} folders"
        table.add(f"deleting {COUNT:,} in {place}", f"{median(ours):.2f} s", f"{median(theirs):.2f} s", f"{ratio(ours, theirs):.2f}", "1.3",
                  f"{calls[0]:,}", f"{calls[1]:,}")
        undone = [deleted(*sides[0], work, folders, undone=True)[1] for _ in range(ROUNDS)]
        table.add(f"undoing that by one command, {place}", f"{median(undone):.2f} s", "", "", "", "", "")
    return table
