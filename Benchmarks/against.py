"""Two builds of Valise in turn in one run: what the one of now costs against the one at BEFORE, the path of another `valise`.
Nothing may be slower by more than a twentieth.

Both programs are to lie where no thumbnail worker is beside them, or both where one is: thumbnails are made meanwhile. Where `DocumentSpeed` lies beside
both (swift build -c release --product DocumentSpeed), what apps do is compared as well, each with its own. PARTS chooses some of reading, writing, finding
and apps. System calls and requests do not wobble, and are counted once, with strace. With PROCESSOR set, finding and apps tell a processor's time, that of
the drive included, and not the clock's: for a machine that others use at the same time."""

import glob
import os
import random
import re
import resource
import subprocess
import sys
import tarfile
import tempfile
import io
import time

import containers
import documentkit
import documents
import find
import measuring
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 7))
LISTED = int(os.environ.get("LISTED", 10_000))
READ_BYTES = int(os.environ.get("READ_MIB", 1024)) << 20
PHOTOS, BOOKMARKS, FILES, MOUNTS = 200, 1000, 3000, 10
FOUND = int(os.environ.get("COUNT", 20_000))
PROCESSOR = "PROCESSOR" in os.environ
PARTS = os.environ.get("PARTS", "reading writing finding apps").split()
BEFORE = os.environ.get("BEFORE")
LIMIT = 1.05


class Build:
    """One of the two, and what it takes for each thing."""

    def __init__(self, program, work):
        self.program, self.work = program, work
        self.speed = os.path.join(os.path.dirname(program), "DocumentSpeed")
        # A catalog of another build is made anew.
        own = f"{work}/own-{id(self)}"
        self.cache, self.environment = f"{own}/cache", {**os.environ, "XDG_CONFIG_HOME": f"{own}/config", "XDG_CACHE_HOME": f"{own}/cache"}

    def mount(self, container):
        return Mount([self.program, "mount", container], f"{self.work}/m")

    def timed(self, body):
        begin = time.perf_counter()
        body()
        return time.perf_counter() - begin

    @staticmethod
    def spent(body, drive=None):
        """What `body` says that it took, in seconds; or what it took of a processor."""
        def processor():
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            # The clock of another process's time: clock_getcpuclockid(3).
            return children.ru_utime + children.ru_stime + (time.clock_gettime(~drive << 3 | 2) if drive else 0)

        if not PROCESSOR:
            return body()
        begin = processor()
        body()
        return processor() - begin

    def reading(self):
        found, work = {}, self.work
        mounting = []
        for _ in range(MOUNTS):
            with self.mount(f"{work}/few") as drive:
                mounting.append(drive.seconds)
        found[f"mounting {MOUNTS} times"] = sum(mounting)
        with self.mount(f"{work}/listed") as drive:
            listing = ["ls", "-l", "--color=never", drive.mountpoint]
            found[f"`ls -l` of {LISTED:,} photos, first"] = seconds(listing)
            found[f"`ls -l` of {LISTED:,} photos, again"] = min(seconds(listing) for _ in range(3))
        with self.mount(f"{work}/read") as drive:
            name = f"reading {READ_BYTES >> 20:,} MiB of photos"
            for which in ("first", "again"):
                found[f"{name}, {which}"] = seconds(["sh", "-c", "cat -- *.jpg"], cwd=drive.mountpoint)
        return found

    def writing(self):
        found, container = {}, f"{self.work}/container"
        clear(container)
        subprocess.run([self.program, "init", container], check=True, stdout=subprocess.DEVNULL)
        with self.mount(container) as drive:
            for name, body in self.bodies(drive.mountpoint).items():
                found[name] = self.timed(body)
        clear(container)
        return found

    def bodies(self, top):
        def bookmarks():
            for number in range(BOOKMARKS):
                with open(f"{top}/Bookmark {number}.url", "w") as file:
                    file.write(f"[InternetShortcut]\nURL=https://example.com/{number}\n")

        def sequential():
            block = bytes(1 << 20)
            with open(f"{top}/big", "wb", buffering=0) as file:
                for _ in range(512):
                    file.write(block)

        def scattered():
            generator, block = random.Random(7), bytes(4096)
            with open(f"{top}/scattered", "wb", buffering=0) as file:
                file.truncate(64 << 20)
                for _ in range(10_000):
                    file.seek(generator.randrange(16384) * 4096)
                    file.write(block)

        return {
            f"`cp` of {PHOTOS} photos of 2 MB": lambda: subprocess.run(["cp", "-r", f"{self.work}/photos", top], check=True),
            f"{BOOKMARKS:,} bookmarks by one process": bookmarks,
            f"untarring {FILES:,} files": lambda: subprocess.run(["tar", "-xf", f"{self.work}/source.tar", "-C", top], check=True),
            "writing 512 MiB one after another": sequential,
            "10,000 writes of 4 KiB at random places": scattered,
        }

    def finding(self):
        found, container, work = {}, f"{self.work}/found", self.work
        clear(self.cache)
        name = f"{FOUND:,} documents"

        def ask(place, query, drive=None):
            return self.spent(lambda: find.Answer([self.program, "find", query, place], self.cache).end, drive)

        found[f"reading {name} the first time"] = ask(container, "FALSEPREDICATE")
        for query in ("name LIKE 'Swift*'", "text CONTAINS 'cinnamon'", "TRUEPREDICATE"):
            found[f"`{query}` without a drive"] = ask(container, query)
        for left in glob.glob(f"{container}/.valise/catalog*"):
            os.remove(left)
        with self.mount(container) as drive:
            process = drive.status()["process"]
            found[f"a drive reads {name} for a search"] = ask(drive.mountpoint, "FALSEPREDICATE", process)
            for query in ("name LIKE 'Swift*'", "text CONTAINS 'cinnamon'", "TRUEPREDICATE"):
                found[f"`{query}` on the drive"] = ask(drive.mountpoint, query, process)
        return found

    def run(self, *words, **more):
        return documentkit.run(*words, speed=self.speed, env=self.environment, **more)

    def apps(self):
        found, work = {}, self.work
        for kind, what in (("bookmarks", "opened and closed"), ("photos", "opened, thumbnail read, closed")):
            for at_a_time in (1, 16):
                found[f"{documentkit.COUNT:,} {kind} {what}, {at_a_time} at a time"] = self.spent(lambda: float(self.run(kind, f"{work}/{kind}/Documents", str(at_a_time))[0]))
        own = {**self.environment, "VALISE_CONTAINER": f"{work}/settings"}
        found["1,024 settings loaded"] = self.spent(lambda: min(float(documentkit.run("settings", speed=self.speed, env=own)[0]) for _ in range(5)))
        for what, words in (("a photo of 5 MB", "archived-photo"), ("10,000 bookmarks", "archived-bookmarks")):
            # Beside Foundation's, of which a processor's time would tell.
            archived = [float(word) for word in self.run(words, "1")]
            found[f"{what} archived"], found[f"{what} unarchived"] = archived[0], archived[2]
        note = f"{work}/asked/Documents/Note.stedoc"
        found["a coordinated read, which nobody has open"] = self.spent(lambda: float(self.run("read", note, "2001")[0]))
        with subprocess.Popen([self.speed, "present", note, "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self.environment) as app:
            app.stdout.readline()
            found["the same, which somebody has open"] = self.spent(lambda: float(self.run("read", note, "2001")[0]))
            app.stdin.close()
        return found

    def measure(self):
        found = {}
        for part in PARTS:
            if part != "apps" or os.path.exists(self.speed):
                found |= getattr(self, part)()
        return found

    # What does not wobble

    def calls(self, command, **more):
        """The system calls of a command and of all that it starts, but for those by which threads wait for each other."""
        with tempfile.NamedTemporaryFile("r") as trace:
            subprocess.run(["strace", "-f", "-c", "-o", trace.name, *command], check=True, stdout=subprocess.DEVNULL, **more)
            rows = [line.split() for line in trace if re.match(r" *[\d.]+ +[\d.]+ ", line)]
        return sum(int(row[3]) for row in rows if row[-1] not in ("total", "futex", "sched_yield", "restart_syscall", "poll", "ppoll", "clock_nanosleep"))

    def fewest(self, command, **more):
        """Of one that is short: whether a thread has begun to wait before the end is chance."""
        return min(self.calls(command, **more) for _ in range(8))

    def counts(self):
        found, work = {}, self.work
        if "reading" in PARTS or "writing" in PARTS:
            with self.mount(f"{work}/listed") as drive:
                seconds(["ls", "-l", "--color=never", drive.mountpoint])
                seconds(["sh", "-c", f"cat -- {drive.mountpoint}/*.jpg >/dev/null"])
                found["requests: listing and reading photos"] = self.requests(drive)
            container = f"{work}/container"
            clear(container)
            subprocess.run([self.program, "init", container], check=True, stdout=subprocess.DEVNULL)
            with self.mount(container) as drive:
                bodies = list(self.bodies(drive.mountpoint).values())
                for body in bodies[:3]:
                    body()
                found["requests: copying, saving bookmarks, untarring"] = self.requests(drive)
            clear(container)
        if "finding" in PARTS:
            clear(self.cache)
            for what in ("the first time", "again"):
                found[f"system calls: searching without a drive, {what}"] = self.calls([self.program, "find", "name LIKE 'Swift*'", f"{work}/found"], env=self.environment)
                find.settle()
        if "apps" in PARTS and os.path.exists(self.speed):
            own = {**self.environment, "VALISE_CONTAINER": f"{work}/settings"}
            for kind in ("bookmarks", "photos"):
                found[f"system calls: {documentkit.COUNT:,} {kind} opened and closed"] = self.calls([self.speed, kind, f"{work}/{kind}/Documents", "1"], env=self.environment)
            found["system calls: 1,024 settings loaded"] = self.fewest([self.speed, "settings"], env=own)
            found["system calls: one of them set"] = self.fewest([self.speed, "set", "key 7", "another"], env=own)
            found["system calls: 201 coordinated reads"] = self.fewest([self.speed, "read", f"{work}/asked/Documents/Note.stedoc", "201"], env=self.environment)
        return found

    @staticmethod
    def requests(drive):
        return sum(drive.requests().values())


def archive(path):
    with tarfile.open(path, "w") as tar:
        for number in range(FILES):
            data = (f"int value_{number};\n" * (number % 200)).encode()
            entry = tarfile.TarInfo(f"source/{number // 100:03}/file_{number}.c")
            entry.size, entry.mtime, entry.mode = len(data), 1_700_000_000 + number, 0o644
            tar.addfile(entry, io.BytesIO(data))


def make(work):
    if "reading" in PARTS:
        containers.photos(f"{work}/few", [3000] * 10)
        containers.photos(f"{work}/read", [4 << 20] * (READ_BYTES >> 22))
    if "reading" in PARTS or "writing" in PARTS:
        containers.photos(f"{work}/listed", [3000] * LISTED)
        containers.plain(f"{work}/photos", [2 << 20] * PHOTOS)
        archive(f"{work}/source.tar")
    if "finding" in PARTS:
        documents.make_all(FOUND, f"{work}/found")
    if "apps" in PARTS:
        documentkit.bookmarks(work)
        documentkit.photos(work)
        documentkit.fill(work)
        containers.write(documentkit.container(work, "asked") + "/Documents/Note.stedoc", b"a note")
    find.settle(3)


def main(work):
    if not BEFORE:
        sys.exit("BEFORE is to be the path of another valise")
    make(work)
    now, before = Build(measuring.VALISE, work), Build(BEFORE, work)
    rounds = []
    for number in range(ROUNDS + 1):
        first, second = (now, before) if number % 2 else (before, now)
        found = {first: first.measure(), second: second.measure()}
        # The first round warms both up.
        if number:
            rounds.append((found[now], found[before]))
    table = Table("what", "now", "before", "ratio", "at most")
    for name in rounds[0][0]:
        ours, theirs = [round[0][name] for round in rounds], [round[1][name] for round in rounds]
        table.add(name, f"{median(ours) * 1000:.4g} ms", f"{median(theirs) * 1000:.4g} ms", f"{ratio(ours, theirs):.3f}", f"{LIMIT}")
    counted = now.counts(), before.counts()
    for name, ours in counted[0].items():
        table.add(name, f"{ours:,}", f"{counted[1][name]:,}", f"{ours / counted[1][name]:.3f}", "1")
    return table
