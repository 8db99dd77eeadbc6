"""What it costs that a drive does nothing for others that they may not do themselves. The same on a drive of one user, and by an
ordinary user on one of root's that all share. With BEFORE, the path of another `valise`, against that one; or else the shared
drive against the one of one user.

Both programs are to lie where no thumbnail worker is beside them, or both where one is: thumbnails are made meanwhile.

The system calls are those of the process that serves the drive, counted by strace in one more round, in which nothing is timed."""

import os
import signal
import subprocess
import time

import containers
import measuring
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 7))
LISTED = int(os.environ.get("LISTED", 10_000))
OPENED = int(os.environ.get("OPENED", 2_000))
COPIED = int(os.environ.get("COPIED", 500))
READ_BYTES = int(os.environ.get("READ_MIB", 2048)) << 20
BEFORE = os.environ.get("BEFORE")
SOMEBODY = ["setpriv", "--reuid", "5001", "--regid", "5001", "--clear-groups"]
OPEN_EACH = """
import os, sys
for name in sorted(os.listdir(sys.argv[1]))[:int(sys.argv[2])]:
    os.close(os.open(sys.argv[1] + "/" + name, os.O_RDONLY))
"""


def mounted(program, container, mountpoint, options):
    return Mount([program, "mount", *(("-o", ",".join(options)) if options else ()), container], mountpoint)


def timed(drive, command, cwd=None):
    return seconds(command, cwd)


def counted(drive, command, cwd=None):
    """How many system calls the serving process makes meanwhile."""
    process, page = drive.status()["process"], f"{drive.mountpoint}.calls"
    tracer = subprocess.Popen(["strace", "-q", "-f", "-c", "-o", page, "-p", str(process)], stderr=subprocess.DEVNULL)
    while tracer.poll() is None and not all_traced(process):
        time.sleep(0.02)
    seconds(command, cwd)
    # What is done when the last request has been answered belongs to it.
    time.sleep(0.5)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    with open(page) as file:
        return next(int(line.split()[3]) for line in file if line.split()[-1:] == ["total"])


def all_traced(process):
    try:
        for task in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{task}/status") as file:
                if "TracerPid:\t0\n" in file.read():
                    return False
    except FileNotFoundError:
        return False
    return True


class Side:
    """One program, as one of the two drives."""

    def __init__(self, program, is_shared):
        self.program = program
        self.options = ["allow_other"] if is_shared else []
        self.caller = SOMEBODY if is_shared else []

    def measure(self, work, how=timed):
        """Seconds, or calls, of each thing that is done, on a drive that has just been mounted."""
        found = {}
        with mounted(self.program, f"{work}/listed", f"{work}/m", self.options) as drive:
            found["list"] = how(drive, [*self.caller, "ls", "-l", "--color=never", drive.mountpoint])
            found["open"] = how(drive, [*self.caller, "python3", "-c", OPEN_EACH, drive.mountpoint, str(OPENED)])
        with mounted(self.program, f"{work}/read", f"{work}/m", self.options) as drive:
            found["read"] = how(drive, [*self.caller, "sh", "-c", "cat -- *.jpg"], cwd=drive.mountpoint)
        os.makedirs(f"{work}/copied/Documents")
        os.chmod(f"{work}/copied/Documents", 0o777)
        with mounted(self.program, f"{work}/copied", f"{work}/m", self.options) as drive:
            found["copy"] = how(drive, [*self.caller, "cp", "-r", f"{work}/source", f"{drive.mountpoint}/copy"])
        clear(f"{work}/copied")
        return found


def main(work):
    os.chmod(work, 0o755)
    containers.photos(f"{work}/listed", [3000] * LISTED)
    containers.photos(f"{work}/read", [4 << 20] * (READ_BYTES >> 22))
    containers.plain(f"{work}/source", [100_000] * COPIED)
    table = Table("what", "drive", "against", "ratio", "at most", "system calls", "against")
    pairs = [("of one user", Side(measuring.VALISE, False), Side(BEFORE, False), "before", 1.05),
             ("of root, shared", Side(measuring.VALISE, True), Side(BEFORE, True), "before", 1.15)]
    if not BEFORE:
        pairs = [("of root, shared", Side(measuring.VALISE, True), Side(measuring.VALISE, False), "of one user", None)]
    names = {"list": f"`ls -l` of {LISTED:,}, first", "open": f"opening {OPENED:,}, one by one", "read": f"reading {READ_BYTES >> 20:,} MiB",
             "copy": f"copying {COPIED} photos in"}
    for drive, one, other, against, most in pairs:
        rounds = []
        for number in range(ROUNDS + 1):
            first, second = (one, other) if number % 2 else (other, one)
            found = {first: first.measure(work), second: second.measure(work)}
            # The first round warms both up.
            if number:
                rounds.append((found[one], found[other]))
        calls = [side.measure(work, counted) for side in (one, other)]
        for key, name in names.items():
            ours, theirs = [round[0][key] for round in rounds], [round[1][key] for round in rounds]
            table.add(name, f"{drive}: {median(ours) * 1000:.0f} ms", f"{against}: {median(theirs) * 1000:.0f} ms", f"{ratio(ours, theirs):.3f}",
                      f"{most}" if most else "", f"{calls[0][key]:,}", f"{calls[1][key]:,}")
    return table
