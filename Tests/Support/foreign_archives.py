#!/usr/bin/env python3
"""Whether the archives of a folder say the same to KeyedUnarchiver as to Foundation's unarchiver.

    Tests/Support/foreign_archives.py FOLDER          the programs are those of .build/debug, or of BUILT

Each file is read by both, each time in a process of its own: Foundation's ends with some. Ours has to say the same where Foundation says
anything, and may not end in any other way than with a value or an error. Prints how many there are of each sort, and what differs."""

import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TRIAL = os.path.join(os.environ.get("BUILT", os.path.join(HERE, "..", "..", ".build", "debug")), "ArchiveTrial")


def said(who, file):
    ended = subprocess.run([TRIAL, who, file], capture_output=True, text=True, errors="replace", timeout=120)
    return ended.returncode, ended.stdout, ended.stderr.strip().splitlines()


def main():
    counts, failed = {}, False

    def count(what): counts[what] = counts.get(what, 0) + 1

    for folder, _, names in sorted(os.walk(sys.argv[1])):
        for name in sorted(names):
            file = os.path.join(folder, name)
            code, ours, errors = said("ours", file)
            if ours == "no archive\n":
                count("no archive")
                continue
            # Thrown at the top: it is none of those that are read at all.
            is_error = code == 1 and any("Error" in line for line in errors)
            if code < 0 or (code != 0 and not is_error):
                print(f"{file}: ours ended with {code}: {errors[-1:]}")
                failed = True
                continue
            code, theirs, _ = said("foundation", file)
            is_told = code == 0 and "error " not in theirs and " = nil" not in theirs
            if not is_told: count("error of both" if is_error or "\nerror " in "\n" + ours else "read by ours alone")
            elif ours == theirs: count("the same")
            else:
                print(f"{file}:\n  ours       {ours.rstrip()}\n  Foundation {theirs.rstrip()}")
                count("different")
                failed = True
    print(", ".join(f"{number} {what}" for what, number in sorted(counts.items())))
    sys.exit(failed or not counts.get("the same"))


main()
