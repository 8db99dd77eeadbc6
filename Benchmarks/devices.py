"""What devices that agree on one container have to think: facts written, read and joined, and what everybody sees of them. Of one processor, in the process's own
time; each figure is the median of several runs of ReplicationSpeed, which `swift build -c release --product ReplicationSpeed` builds, and ShareSpeed.

100,000 items are 200,000 facts: bookmarks in 1,000 folders, each with a version and a place. The share's documents have half a kilobyte each, and that a newcomer
heard them is written down, in time as a clock shows it. Looking at a share at rest is counted by strace, in one that eight devices see."""

import os
import shutil
import subprocess
import tempfile

from measuring import *

DEVICES = 8
ROUNDS = int(os.environ.get("ROUNDS", 5))
SPEED = os.environ.get("REPLICATION_SPEED", os.path.join(os.path.dirname(VALISE), "ReplicationSpeed"))
# Its name in the output, words, the unit, what one of it counts in that unit, and what is wanted: at most, or at least.
FIGURES = [
    ("whole_seconds", "the whole view of 100,000 items", "ms", 1000, "≤ 1,000 ms"),
    ("bytes_a_fact", "memory a fact", "bytes", 1, "≤ 200 bytes"),
    ("one_more_seconds", "one more fact", "µs", 1_000_000, "≤ 100 µs"),
    ("one_edit_planned_seconds", "one edit among 100,000 items: seen, planned and said", "ms", 1000, "≤ 5 ms"),
    ("change_said_seconds", "one change in a share of 100,000 documents: written down, heard and said", "ms", 1000, "≤ 5 ms"),
    ("first_plan_seconds", "the first plan of 100,000 items that are at rest", "ms", 1000, ""),
    ("whole_plan_seconds", "a plan of 100,000 items from nothing", "ms", 1000, ""),
    ("bytes_an_item_planned", "memory an item of what is here and what was planned", "bytes", 1, "≤ 1,000 bytes"),
    ("written_a_second", "facts written", "a second", 1, "≥ 300,000 a second"),
    ("read_a_second", "facts read", "a second", 1, "≥ 300,000 a second"),
    ("heard_seconds", "a share of 20,000 documents heard by a newcomer", "s", 1, "≤ 2 s"),
    ("heard_memory", "its memory, with the whole process", "MB", 1e-6, "≤ 64 MB"),
    ("join_seconds", "200,000 facts joined", "ms", 1000, ""),
    ("followed_seconds", "the view that is followed, from nothing", "ms", 1000, ""),
    ("written_bytes_a_fact", "bytes of a fact as it is written", "bytes", 1, ""),
    ("hashed_mib_a_second", "SHA-256", "MiB a second", 1, ""),
    ("hashed_mib_a_second_without_instructions", "SHA-256 without the processor's instructions", "MiB a second", 1, ""),
]


def looks(share, work):
    """The system calls of one look."""
    heads = f"{work}/share"
    with open(next(f"{heads}/{name}/head" for name in os.listdir(heads) if os.path.exists(f"{heads}/{name}/head")), "rb") as file:
        head = file.read()
    for number in range(DEVICES - len([name for name in os.listdir(heads) if name.startswith("d-")])):
        os.mkdir(f"{heads}/d-{number:016x}")
        with open(f"{heads}/d-{number:016x}/head", "wb") as file:
            file.write(head)

    def calls(count):
        with tempfile.NamedTemporaryFile("r") as trace:
            subprocess.run(["strace", "-f", "-o", trace.name, share, "look", work, str(count)], check=True)
            return sum(1 for line in trace if "(" in line)

    return (calls(1001) - calls(1)) / 1000


def shown(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def main(work):
    runs, share = [], os.path.join(os.path.dirname(SPEED), "ShareSpeed")
    subprocess.run([share, "say", work, "20000"], check=True)
    for _ in range(ROUNDS):
        shutil.rmtree(os.path.join(work, "hear"), ignore_errors=True)
        alone = os.path.join(work, "alone")
        shutil.rmtree(alone, ignore_errors=True)
        os.mkdir(alone)
        commands = ([SPEED], [share, "hear", work], [share, "change", alone, "100000"])
        words = [line for command in commands for line in subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\n")]
        runs.append({name: float(value) for name, value in (line.split() for line in words if line)})
    table = Table("what", "takes", "wanted")
    for name, what, unit, factor, wanted in FIGURES:
        table.add(what, f"{shown(median([run[name] for run in runs]) * factor)} {unit}", wanted)
    table.add(f"looking at a share at rest, {DEVICES} devices", f"{shown(looks(share, work))} calls", "one `stat` a device")
    return table
