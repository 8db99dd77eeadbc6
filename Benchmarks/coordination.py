"""Claims of 20 processes on 1,000 documents in turn, each for writing: with no drive, where one of them serves the others, and through a drive.

It needs the processes beside the release build: swift build -c release --product ClaimTrial"""

import os
import subprocess

from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 5))
PROCESSES, ITEMS, TURNS = 20, 1000, int(os.environ.get("TURNS", 10_000))
TRIAL = os.path.join(os.path.dirname(VALISE), "ClaimTrial")


def claims_a_second(container):
    """Each begins at another document, and all of them meet all the time."""
    begin = time.perf_counter()
    programs = [subprocess.Popen([TRIAL, container, "turns", str(TURNS), str(ITEMS), str(number * ITEMS // PROCESSES)], stdout=subprocess.PIPE, text=True)
                for number in range(PROCESSES)]
    for program in programs:
        said, _ = program.communicate()
        assert program.returncode == 0 and said == f"{TURNS} claims\n", said
    return PROCESSES * TURNS / (time.perf_counter() - begin)


def main(work):
    table = Table("what", "claims a second", "wanted")

    def add(what, rates):
        table.add(what, f"{median(rates):,.0f} ({min(rates):,.0f} to {max(rates):,.0f})", "≥ 20,000")

    container = f"{work}/container"
    os.makedirs(container)
    add("no drive", [claims_a_second(container) for _ in range(ROUNDS)])
    with valise(container, f"{work}/drive"):
        add("through a drive", [claims_a_second(container) for _ in range(ROUNDS)])
    return table
