"""Searches in a container of many small documents (documents.py), beside `find -name`, plocate, ripgrep and recoll over the same as plain files;
and what the catalog costs and spares a drive.

COUNT documents (1,000,000 without it). With KEPT, a folder, the containers are made there once and used again; PARTS chooses some of what is
measured: searching, drive, live, writing. plocate, ripgrep and recollcmd (Debian's packages) are measured beside where they are installed, and
the build at BEFORE, the path of another `valise`, where that is set. First and 10,000th result are of an answer while it comes; “ends” is when
the process ended: without a drive, each item was looked at once more by then, because nobody watches it."""

import glob
import os
import shutil
import subprocess
import time

import containers
import documents
import measuring
from measuring import *

COUNT = int(os.environ.get("COUNT", 1_000_000))
ROUNDS = int(os.environ.get("ROUNDS", 5))
KEPT = os.environ.get("KEPT")
PARTS = os.environ.get("PARTS", "searching drive live writing").split()
BEFORE = os.environ.get("BEFORE")
LIVE = int(os.environ.get("LIVE", 1000))


def made(work, count):
    """The container and the plain files."""
    top = os.path.join(KEPT or work, f"{count}")
    container, plain = os.path.join(top, "container"), os.path.join(top, "plain")
    if not os.path.exists(os.path.join(top, "done")):
        clear(top)
        documents.make_all(count, container, plain)
        os.sync()
        containers.write(os.path.join(top, "done"), b"")
    return container, plain




class Answer:
    """A command's lines as they come: seconds to the first, to the 10,000th and to the end, and what it took."""

    def __init__(self, command, cache, most=10_000):
        begin = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": cache})
        self.first = self.many = None
        self.lines = 0
        while data := os.read(process.stdout.fileno(), 1 << 16):
            now = time.perf_counter() - begin
            self.first = self.first or now
            self.lines += data.count(b"\n")
            if self.many is None and self.lines >= most:
                self.many = now
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        self.end, self.memory = time.perf_counter() - begin, usage.ru_maxrss << 10


def ms(value):
    return "" if value is None else f"{value * 1000:.1f} ms" if value < 0.1 else f"{value * 1000:.0f} ms" if value < 10 else f"{value:.1f} s"


def mib(value):
    return f"{value / (1 << 20):.1f} MiB"


def middle(answers, what):
    values = [getattr(answer, what) for answer in answers]
    return None if None in values else median(values)


def settle(seconds=0.5):
    """So that no time of what was just read is so young that it is read again."""
    os.sync()
    time.sleep(seconds)


def size(folder):
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(folder) for name in names)


# Searching without a drive


def index(table, container, cache):
    clear(cache)
    answer = Answer([measuring.VALISE, "find", "FALSEPREDICATE", container], cache)
    table.add("reading it the first time", ms(answer.end), f"{COUNT / answer.end:,.0f} documents a second", "≥ 20,000 a second")
    settle()
    Answer([measuring.VALISE, "find", "FALSEPREDICATE", container], cache)
    table.add("the catalog on disk, a document", f"{size(cache) / COUNT:.0f} bytes", mib(size(cache)), "≤ 600 bytes")
    table.add("memory of the first reading", mib(answer.memory), "", "< 100 MB")


def peers(work, table, plain):
    """Indexes of the others, and what to ask them."""
    commands = {}
    if shutil.which("plocate"):
        database = os.path.join(work, "plocate.db")
        begin = time.perf_counter()
        subprocess.run(["updatedb", "-U", plain, "-o", database, "-l", "no", "--prune-bind-mounts", "no", "--prunepaths", "", "--prunefs", ""], check=True)
        table.add("plocate: its index", ms(time.perf_counter() - begin), f"{os.path.getsize(database) / COUNT:.0f} bytes each, names only", "")
        commands["plocate"] = ["plocate", "-d", database, "-r", "/Swift [^/]*$"]
    if shutil.which("rg"):
        commands["ripgrep"] = ["rg", "-l", "--no-messages", "cinnamon", os.path.join(plain, "Notes"), os.path.join(plain, "More Notes")]
        if COUNT * 81 // 1000 > documents.LARGEST:
            commands["ripgrep"][4:] = [plain, "-g", "*.txt"]
    if shutil.which("recollindex"):
        folder = os.path.join(work, "recoll")
        os.makedirs(folder)
        containers.write(os.path.join(folder, "recoll.conf"), f'topdirs = "{plain}/Notes" "{plain}/More Notes"\nindexallfilenames = 0\n'.encode())
        begin = time.perf_counter()
        subprocess.run(["recollindex", "-c", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        spent, texts = time.perf_counter() - begin, COUNT * 9 // 100
        table.add("recoll: its index of the texts alone", ms(spent), f"{texts / spent:,.0f} a second, {size(folder) / texts:,.0f} bytes each", "")
        commands["recoll"] = ["recollq", "-c", folder, "-n", "0", "-b", "-q", "cinnamon"]
    return commands


def searching(work, table):
    container, plain = made(work, COUNT)
    cache = os.path.join(KEPT or work, f"cache-{COUNT}")
    index(table, container, cache)
    commands = peers(work, table, plain)
    hits = COUNT // 100
    asked = [
        ("name LIKE 'Swift*'", [("find -name", ["find", plain, "-name", "Swift *"])] + [(name, commands[name]) for name in ("plocate",) if name in commands]),
        ("text CONTAINS 'cinnamon'", [(name, commands[name]) for name in ("ripgrep", "recoll") if name in commands]),
        ("url CONTAINS 'walnut7.'", [("grep -r", ["grep", "-rlF", "walnut7.", plain, "--include=*.url"])]),
    ]
    for query, others in asked:
        ours = [Answer([measuring.VALISE, "find", query, container], cache) for _ in range(ROUNDS)]
        table.add(f"`{query}`: {ours[0].lines:,} results", f"first {ms(middle(ours, 'first'))}, 10,000 {ms(middle(ours, 'many')) or 'never'}, ends {ms(middle(ours, 'end'))}", mib(max(answer.memory for answer in ours)), "first ≤ 20 ms, 10,000 ≤ 300 ms")
        assert "url" in query or ours[0].lines == hits, (query, ours[0].lines, hits)
        for name, command in others:
            theirs = [Answer(command, cache) for _ in range(2 if name == "grep -r" else ROUNDS)]
            assert name == "recoll" or theirs[0].lines == ours[0].lines, (command, theirs[0].lines, ours[0].lines)
            table.add(f"  beside it {name}: {theirs[0].lines:,} lines", f"first {ms(middle(theirs, 'first'))}, 10,000 {ms(middle(theirs, 'many')) or 'never'}, ends {ms(middle(theirs, 'end'))}", "", "")
    everything = Answer([measuring.VALISE, "find", "TRUEPREDICATE", container], cache)
    assert everything.lines == COUNT, everything.lines
    sort = Answer([measuring.VALISE, "find", "--sort", "-changed", "TRUEPREDICATE", container], cache)
    native = Answer(["find", plain, "-type", "f"], cache)
    table.add("`TRUEPREDICATE`: everything", f"first {ms(everything.first)}, ends {ms(everything.end)}", mib(everything.memory), "< 100 MB")
    table.add("  beside it find -type f", f"first {ms(native.first)}, ends {ms(native.end)}", mib(native.memory), "")
    table.add("`TRUEPREDICATE`, the newest first", f"first {ms(sort.first)}, ends {ms(sort.end)}", mib(sort.memory), "< 100 MB")


def main(work):
    table = Table("what", "measured", "besides", "wanted")
    print(f"{COUNT:,} documents", flush=True)
    for part in PARTS:
        {"searching": searching}[part](work, table)
    return table
