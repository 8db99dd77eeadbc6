"""Searches in a container of many small documents (documents.py), beside `find -name`, plocate, ripgrep and recoll over the same as plain files;
and what the catalog costs and spares a drive.

COUNT documents (1,000,000 without it). With KEPT, a folder, the containers are made there once and used again; PARTS chooses some of what is
measured: searching, drive, live, writing, scaling (the curves in find-flat.svg and find-growing.svg). plocate, ripgrep and recollcmd (Debian's packages) are measured beside where they are installed, and
the build at BEFORE, the path of another `valise`, where that is set. The documents are read once before each first reading, so that the disk is not
what is measured; with the page cache emptied (where this may: /proc/sys/vm/drop_caches) it is. LIVE live queries (1,000 without it) go on at once, as far as
fs.inotify.max_user_instances lets them: `sysctl fs.inotify.max_user_instances=2000` before. First and 10,000th result are of an answer while it comes; “ends” is when
the process ended: without a drive, each item was looked at once more by then, because nobody watches it."""

import os
import shutil
import select
import subprocess
import tempfile
import time

import containers
import documents
import measuring
import plot
from measuring import *

COUNT = int(os.environ.get("COUNT", 1_000_000))
ROUNDS = int(os.environ.get("ROUNDS", 5))
SAVES = max(ROUNDS, 12)
KEPT = os.environ.get("KEPT")
PARTS = os.environ.get("PARTS", "searching drive live writing scaling").split()
BEFORE = os.environ.get("BEFORE")

with open("/proc/sys/fs/inotify/max_user_instances") as limit:
    # Each `valise find --live` watches by itself, and other programs of this user do, too.
    LIVE = min(int(os.environ.get("LIVE", 1000)), int(limit.read()) * 3 // 4)


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
        self.lines = self.memory = 0
        looked = begin
        while True:
            # One that finds nothing says nothing till its end.
            ready, _, _ = select.select([process.stdout], [], [], 0.02)
            if ready and not (data := os.read(process.stdout.fileno(), 1 << 16)):
                break
            if time.perf_counter() - looked > 0.02:
                self.look(process)
                looked = time.perf_counter()
            if not ready:
                continue
            now = time.perf_counter() - begin
            self.first = self.first or now
            self.lines += data.count(b"\n")
            if self.many is None and self.lines >= most:
                self.many = now
        self.look(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        self.end = time.perf_counter() - begin
        # What others on the machine have of it does not count in this.
        self.processor = usage.ru_utime + usage.ru_stime

    def look(self, process):
        """At most so much memory till now. What the kernel tells of a process that has ended counts what it was forked from."""
        try:
            self.memory = max(self.memory, peak(process.pid))
        except (OSError, StopIteration):
            pass


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


def read_all(container):
    """So that all of it is in the page cache."""
    found = subprocess.Popen(["find", container, "-name", ".valise", "-prune", "-o", "-type", "f", "-print0"], stdout=subprocess.PIPE)
    subprocess.run(["xargs", "-0", "-n", "2000", "-P", "8", "cat"], stdin=found.stdout, stdout=subprocess.DEVNULL, check=True)
    assert found.wait() == 0
    found.stdout.close()


def forget_all():
    """So that nothing is in the page cache; False where this may not do that."""
    os.sync()
    try:
        containers.write("/proc/sys/vm/drop_caches", b"3")
    except OSError:
        return False
    return True


# Searching without a drive


def first_reading(container, cache):
    clear(cache)
    return Answer([measuring.VALISE, "find", "FALSEPREDICATE", container], cache)


def index(table, container, cache):
    if forget_all():
        answer = first_reading(container, cache)
        table.add("reading it the first time, with nothing in the page cache", ms(answer.end), f"{COUNT / answer.end:,.0f} documents a second", "")
    read_all(container)
    answer = first_reading(container, cache)
    table.add("reading it the first time", ms(answer.end), f"{COUNT / answer.end:,.0f} documents a second; {COUNT / answer.processor:,.0f} for a second of a processor", "≥ 20,000 a second")
    settle()
    Answer([measuring.VALISE, "find", "FALSEPREDICATE", container], cache)
    table.add("the catalog on disk, a document", f"{size(cache) / COUNT:.0f} bytes", f"{mib(size(cache))}, with the texts themselves", "")
    # Hard links, because a folder is looked for in its whole container.
    subprocess.run(["cp", "-al", os.path.join(container, "Documents", largest(container)), cache + "-bookmarks"], check=True)
    Answer([measuring.VALISE, "find", "FALSEPREDICATE", cache + "-bookmarks"], cache + "-of-bookmarks")
    bookmarks = size(cache + "-of-bookmarks") / len(os.listdir(cache + "-bookmarks"))
    table.add("a catalog of bookmarks alone, each", f"{bookmarks:.0f} bytes", "", "≤ 600 bytes")
    clear(cache + "-bookmarks")
    clear(cache + "-of-bookmarks")
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
    read_all(plain)
    commands = peers(work, table, plain)
    hits = COUNT // 100
    asked = [
        ("name LIKE 'Swift*'", [("find -name", ["find", plain, "-name", "Swift *"])] + [(name, commands[name]) for name in ("plocate",) if name in commands]),
        ("text CONTAINS 'cinnamon'", [(name, commands[name]) for name in ("ripgrep", "recoll") if name in commands]),
        ("url CONTAINS 'www.walnut1'", [("grep -r", ["grep", "-rlF", "www.walnut1", plain, "--include=*.url"])]),
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


# On a drive


def largest(container):
    """The folder with the most bookmarks."""
    top = os.path.join(container, "Documents")
    return next(name for name in ("Bookmarks 1", "Bookmarks") if os.path.exists(os.path.join(top, name)))


def stage(drive):
    return drive.status().get("catalog", {}).get("stage")


def wait_until_whole(drive, cache):
    """The catalog reads when the drive is idle, or at once where somebody searches."""
    Answer([measuring.VALISE, "find", "FALSEPREDICATE", drive.mountpoint], cache)
    end = time.perf_counter() + 280
    while stage(drive) not in ("whole", None):
        assert time.perf_counter() < end, "the catalog is not whole"
        # Whoever asks keeps it waiting.
        time.sleep(0.5 if stage(drive) == "reading" else 11)


def peak(process):
    with open(f"/proc/{process}/status") as file:
        return next(int(line.split()[1]) << 10 for line in file if line.startswith("VmHWM"))


def shown(plain, folder, seed, count):
    """Some documents' names on the drive: those of the plain files."""
    names = sorted(os.listdir(os.path.join(plain, folder)))
    return [names[(seed * 7919 + number * 104_729) % len(names)] for number in range(count)]


def opened(path):
    begin = time.perf_counter()
    with open(path, "rb", buffering=0) as file:
        file.read(1000)
    return time.perf_counter() - begin


def calls(process, body):
    """System calls of a process until it was done. What a thread asks once in its life (its number) is not the body's."""
    with tempfile.NamedTemporaryFile() as trace:
        tracer = subprocess.Popen(["strace", "-f", "-ttt", "-o", trace.name, "-p", str(process)], stderr=subprocess.PIPE, text=True)
        tracer.stderr.readline()
        time.sleep(0.3)
        begin = time.time()
        body()
        end = time.time()
        time.sleep(0.2)
        tracer.terminate()
        tracer.communicate()
        # What waits for requests, and what the tracing itself interrupted, is not the opening's.
        others = ("futex", "poll", "ppoll", "epoll", "restart_syscall", "resumed", "--- ", "+++ ", "nanosleep", "gettid")
        return sum(begin <= float(line.split()[1]) <= end and not any(word in line for word in others) for line in open(trace.name))


def drive(work, table):
    container, plain = made(work, COUNT)
    folder, mountpoint = largest(container), f"{work}/m"
    clear(os.path.join(container, ".valise"))
    read_all(container)
    with valise(container, mountpoint) as mount:
        process = mount.status()["process"]
        first = opened(os.path.join(mountpoint, folder, shown(plain, folder, 1, 1)[0]))
        table.add("mounting it the first time: the drive answers after", ms(mount.seconds), f"a document in a folder of {len(os.listdir(os.path.join(plain, folder))):,} opens in {ms(first)} before its catalog is made", "at once")
        begin = time.perf_counter()
        wait_until_whole(mount, f"{work}/cache")
        spent = time.perf_counter() - begin
        table.add("the drive's catalog, when somebody searches", ms(spent), f"{COUNT / spent:,.0f} documents a second; {mib(peak(process))} at most", "≥ 20,000 a second")
    settle(3)
    mounts, opening, cold = [], [], []
    with valise(container, mountpoint) as mount:
        pass
    for number in range(ROUNDS):
        with valise(container, mountpoint) as mount:
            os.stat(mountpoint)
            mounts.append(mount.seconds)
            opening += [opened(os.path.join(mountpoint, folder, shown(plain, folder, number, 1)[0]))]
    table.add("mounting it again: the drive answers after", ms(median(mounts)), "", "≤ 100 ms")
    with valise(container, mountpoint) as mount:
        os.stat(mountpoint)
        name = shown(plain, folder, 99, 1)[0]
        count = calls(mount.status()["process"], lambda: opened(os.path.join(mountpoint, folder, name)))
    table.add(f"opening one in {folder}, which was never listed", ms(median(opening)), f"{count} system calls of the drive", "≤ 5 ms")
    for what, within, listed in (("bookmarks", folder, folder), ("photos", "Photos", "Photos")):
        native, ours, again, grown, most = [], [], [], [], []
        for _ in range(min(ROUNDS, 3)):
            native.append(seconds(["ls", "-l", "--color=never", os.path.join(plain, listed)]))
            with valise(container, mountpoint) as mount:
                process = mount.status()["process"]
                before = resident(process)
                ours.append(seconds(["ls", "-l", "--color=never", os.path.join(mountpoint, listed)]))
                grown.append(resident(process) - before)
                most.append(peak(process))
                again.append(seconds(["ls", "-l", "--color=never", os.path.join(mountpoint, listed)]))
        entries = len(os.listdir(os.path.join(plain, listed)))
        table.add(f"`ls -l` of {entries:,} {what}, first", f"{ms(median(ours))}, again {ms(median(again))}", f"{ratio(ours, native):.2f} × native ({ms(median(native))}); {median(grown) / entries:.0f} bytes more for each entry, the drive {mib(max(most))} at most", f"≤ 2.5 × native; ≤ {mib(60_000_000 + 300 * entries)}")
    with valise(container, mountpoint) as mount:
        process = mount.status()["process"]
        wait_until_whole(mount, f"{work}/cache")
        for query in ("name LIKE 'Swift*'", "text CONTAINS 'cinnamon'"):
            ours = [Answer([measuring.VALISE, "find", query, mountpoint], f"{work}/cache") for _ in range(ROUNDS)]
            table.add(f"`{query}` on the drive: {ours[0].lines:,} results", f"first {ms(middle(ours, 'first'))}, 10,000 {ms(middle(ours, 'many')) or 'never'}, ends {ms(middle(ours, 'end'))}", mib(max(answer.memory for answer in ours)), "first ≤ 20 ms, 10,000 ≤ 300 ms")
        everything = Answer([measuring.VALISE, "find", "TRUEPREDICATE", mountpoint], f"{work}/cache")
        table.add("`TRUEPREDICATE` on the drive: everything", f"first {ms(everything.first)}, ends {ms(everything.end)}", f"{mib(everything.memory)}; the drive {mib(resident(process))}, at most {mib(peak(process))}", "< 100 MB")


# Live queries


class Live:
    """A query in a process of its own, that tells when."""

    def __init__(self, query, where, cache):
        self.process = subprocess.Popen([measuring.VALISE, "find", "--live", query, where], stdout=subprocess.PIPE, env={**os.environ, "XDG_CACHE_HOME": cache})
        self.buffer = b""

    def until(self, words, seconds=120):
        """When a line with these came."""
        while True:
            *lines, self.buffer = self.buffer.split(b"\n")
            if any(words in line for line in lines):
                return time.perf_counter()
            ready, _, _ = select.select([self.process.stdout], [], [], seconds)
            assert ready, f"no word of {words}"
            self.buffer += os.read(self.process.stdout.fileno(), 1 << 16)

    def end(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


def delays(live, folder, suffix, tag):
    """How long after a document was there the query told of it. The first one has the drive look into the folder, which is another row's."""
    found = []
    for number in range(21):
        name = f"Lively {tag} {number}{suffix}"
        begin = time.perf_counter()
        containers.write(os.path.join(folder, name), b"words\n")
        found.append(live.until(name.rsplit(".", 1)[0].encode()) - begin)
        time.sleep(0.05)
    return found[1:]


def live(work, table):
    # Its own, because it changes; and each query has a catalog of it in memory.
    container, cache = f"{work}/lively", f"{work}/cache"
    documents.make_all(min(COUNT, 20_000), container)
    folder = largest(container)
    settle()
    one = Live("name BEGINSWITH 'Lively'", container, cache)
    one.until(b"= ")
    outside = delays(one, os.path.join(container, "Documents", folder), ".stedoc", "outside")
    one.end()
    table.add("a change in the container reaches a live query without a drive", f"{ms(median(outside))}, at most {ms(max(outside))}", f"in a folder of {len(os.listdir(os.path.join(container, 'Documents', folder))):,}", "≤ 200 ms")
    with valise(container, f"{work}/m") as mount:
        lives = [Live("name BEGINSWITH 'Lively'", mount.mountpoint, cache)]
        lives[0].until(b"= ")
        for count in (1, LIVE):
            lives += [Live(f"name BEGINSWITH 'None {number}'", mount.mountpoint, cache) for number in range(count - len(lives))]
            for each in lives[1:]:
                each.until(b"= ")
            for what, place, suffix, wanted in (("in the container", os.path.join(container, "Documents", folder), ".stedoc", "≤ 200 ms"), ("on the drive", os.path.join(mount.mountpoint, folder), ".txt", "≤ 50 ms")):
                found = delays(lives[0], place, suffix, f"{what} {count}")
                table.add(f"a change {what} reaches one of {count:,} live queries on the drive", f"{ms(median(found))}, at most {ms(max(found))}", f"the drive: {mib(resident(mount.status()['process']))}", wanted)
        for each in lives:
            each.end()


# What it costs those who write


def writing(work, table):
    source = containers.plain(f"{work}/source", [3000] * 10_000)
    # Its catalog is begun when somebody searches, and follows from then on.
    ways = {"with": (measuring.VALISE, True), "without": (measuring.VALISE, False)} | ({"before": (BEFORE, False)} if BEFORE else {})
    found = {way: [] for way in ways}
    for number in range(SAVES + 1):
        for way in list(ways) if number % 2 else reversed(ways):
            program, follows = ways[way]
            clear(f"{work}/written")
            subprocess.run([program, "init", f"{work}/written"], check=True, stdout=subprocess.DEVNULL)
            os.sync()
            with Mount([program, "mount", f"{work}/written"], f"{work}/m") as mount:
                if follows:
                    Answer([program, "find", "TRUEPREDICATE", mount.mountpoint], f"{work}/cache")
                begin = time.perf_counter()
                for bookmark in range(2000):
                    containers.write(f"{mount.mountpoint}/Bookmark {bookmark}.url", f"[InternetShortcut]\nURL=https://example.com/{bookmark}\n".encode())
                saved = time.perf_counter() - begin
                # Saving is short, and one time tells little of it.
                copied = seconds(["cp", "-r", source, f"{mount.mountpoint}/copied"]) if number <= ROUNDS else None
            if number:
                found[way].append((saved, copied))
    for place, what in enumerate((f"saving 2,000 bookmarks, {SAVES} rounds by turns", "copying 10,000 files in")):
        times = {way: [row[place] for row in rows if row[place] is not None] for way, rows in found.items()}
        others = {"without": "the same drive whose catalog is not begun", "before": "the build before"}
        beside = ", ".join(f"{ratio(times['with'], times[way]):.3f} × {others[way]} ({ms(median(times[way]))})" for way in others if way in times)
        table.add(what, ms(median(times["with"])), beside, "≤ 1.1 ×")


# From few to many


def scaling(work):
    """What is flat and what grows, from 1,000 to COUNT, as curves."""
    flat, growing = {}, {}

    def note(curves, name, count, value):
        curves.setdefault(name, []).append((count, value * 1000))

    count = 1000
    while count <= COUNT:
        container, plain = made(work, count)
        cache, mountpoint = f"{work}/cache-{count}", f"{work}/m"
        note(growing, "valise find: the first time", count, Answer([measuring.VALISE, "find", "FALSEPREDICATE", container], cache).end)
        settle()
        rounds = [Answer([measuring.VALISE, "find", "name LIKE 'Swift*'", container], cache) for _ in range(ROUNDS)]
        note(flat, "find: the first result", count, middle(rounds, "first"))
        note(growing, "valise find: to the end", count, middle(rounds, "end"))
        note(growing, "find -name", count, median(Answer(["find", plain, "-name", "Swift *"], cache).end for _ in range(ROUNDS)))
        with valise(container, mountpoint) as mount:
            wait_until_whole(mount, cache)
        settle(3)
        folder, mounts, opens = largest(container), [], []
        for number in range(ROUNDS):
            with valise(container, mountpoint) as mount:
                mounts.append(mount.seconds)
                opens.append(opened(os.path.join(mountpoint, folder, shown(plain, folder, number, 1)[0])))
        note(flat, "mount again", count, median(mounts))
        note(flat, "open one, never listed", count, median(opens))
        with valise(container, mountpoint) as mount:
            note(growing, "ls -lR of the drive, first", count, seconds(["ls", "-lR", "--color=never", mountpoint]))
        note(growing, "ls -lR of plain files", count, seconds(["ls", "-lR", "--color=never", plain]))
        print(f"  {count:,} documents: " + ", ".join(f"{name} {curve[-1][1]:.1f} ms" for curves in (flat, growing) for name, curve in curves.items()), flush=True)
        count *= 10
    for name, curves in (("flat", flat), ("growing", growing)):
        title = "What does not grow with the container" if name == "flat" else "What grows with it"
        containers.write(os.path.join(measuring.HERE, "results", f"find-{name}.svg"), plot.chart(title, curves).encode())


def main(work):
    table = Table("what", "measured", "besides", "wanted")
    print(f"{COUNT:,} documents", flush=True)
    for part in PARTS:
        begin = time.perf_counter()
        if part == "scaling":
            scaling(work)
        else:
            {"searching": searching, "drive": drive, "live": live, "writing": writing}[part](work, table)
        print(f"{part}: {time.perf_counter() - begin:.0f} s", flush=True)
    return table
