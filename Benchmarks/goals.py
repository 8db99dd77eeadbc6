"""How fast the drive is beside native files, bindfs, libfuse's passthrough_ll with write-back, and a file system that does nothing, in one run.

Each round does the same work on each of them by turns; ratios are medians of ratios within a round, with the quartiles. All is cold unless it says
otherwise: a drive just mounted, and the store's pages in memory. `answers` (answers.c, built here) answers everything from memory, reads zeros and forgets what
is written, without write-back: it is what FUSE itself takes. It stands where it can do the same work. ROUNDS rounds (10 without it); bindfs, which takes
long to write, has fewer of those.

It needs a C compiler, libfuse3-dev and bindfs, and about 4 GB in the temporary folder."""

import os
import subprocess
import time

import containers
import profiles
from measuring import *
from profiles import Nothing, Peer, Photos, Small, Valise, run

ROUNDS = int(os.environ.get("ROUNDS", 10))
COPIED = int(os.environ.get("COPIED", 300))
WRITTEN = int(os.environ.get("WRITTEN", 3000))
FILES = int(os.environ.get("FILES", 5000))
READ = int(os.environ.get("READ", 512))
LISTED = int(os.environ.get("LISTED", 10_000))
# Names of rows that are measured; all without it.
ROWS = os.environ.get("ROWS")
SLOW_TO_WRITE = 3


class Native:
    name = "native"

    def __init__(self, work):
        self.folder = self.mountpoint = f"{work}/native"

    def fill(self, make):
        make.as_files(self.folder)

    def mount(self):
        return Unmounted()


class Store(Native):
    """What the drive itself has to look at: the container, as it lies on the store."""
    name = "store"

    def fill(self, make):
        make.as_documents(self.folder)


class Unmounted:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Answers:
    name = "answers"

    def __init__(self, work):
        self.program, self.folder, self.mountpoint = f"{work}/answers", f"{work}/answers.files", f"{work}/answers.mounted"
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], capture_output=True, text=True, check=True)
        subprocess.run(["cc", "-O2", "-o", self.program, os.path.join(HERE, "answers.c"), *flags.stdout.split()], check=True)

    def fill(self, make):
        """Documents have the size that most of them have as files."""
        self.count, self.size = (len(make.sizes), make.sizes[0]) if isinstance(make, Photos) else (profiles.DOCUMENTS, 800) if isinstance(make, Small) else (0, 0)

    def mount(self):
        return Mount([self.program, str(self.count), str(self.size)], self.mountpoint)


class Row:
    """What is done, on what, and which file systems it is done on. `before` is not measured; what writes begins with an empty drive each time."""

    def __init__(self, name, make, body, goal, before=None, writes=False, does_nothing=True, slow=False, store=False):
        self.name, self.make, self.body, self.goal, self.before = name, make, body, goal, before
        self.writes, self.does_nothing, self.slow, self.store = writes, does_nothing, slow, store

    def once(self, drive):
        if self.writes:
            clear(drive.folder)
            drive.fill(self.make)
        os.sync()
        with drive.mount():
            if self.before:
                self.before(drive.mountpoint)
            begin = time.perf_counter()
            self.body(drive.mountpoint)
            taken = time.perf_counter() - begin
        if self.writes:
            clear(drive.folder)
        return taken

    def measure(self, drives):
        drives = [drive for drive in drives if self.does_nothing or drive.name != "answers"]
        if not self.writes:
            for drive in drives:
                clear(drive.folder)
                drive.fill(self.make)
                # Into memory, and what the first of all mounts pays.
                self.once(drive)
        taken = {drive.name: [] for drive in drives}
        for turn in range(ROUNDS):
            for drive in drives:
                if not (self.slow and drive.name == "bindfs" and turn >= SLOW_TO_WRITE):
                    taken[drive.name].append(self.once(drive))
        for drive in drives:
            clear(drive.folder)
        return taken


def spread(ours, theirs):
    """The median of the ratios within a round, and between what the half of them lies."""
    ratios = sorted(a / b for a, b in zip(ours, theirs))
    if len(ratios) < 4:
        return f"{median(ratios):.2f}"
    low, high = ratios[len(ratios) // 4], ratios[-1 - len(ratios) // 4]
    return f"{median(ratios):.2f} ({low:.2f} to {high:.2f})"


def rows(work):
    photos = containers.plain(f"{work}/photos", [2 << 20] * COPIED)
    files = f"{work}/files"
    profiles.DOCUMENTS = FILES
    Small("plain").as_files(files)
    subprocess.run(["tar", "-cf", f"{work}/files.tar", "-C", work, "files"], check=True)
    grep = run("grep -r nothing_like_it . || true")
    git = run("git init -q . && git add . && git -c user.name=A -c user.email=a@example.com commit -q -m All && git status")

    def bookmarks(top):
        profiles.DOCUMENTS = WRITTEN
        profiles.write_bookmarks(top)
        profiles.DOCUMENTS = FILES

    return [
        Row(f"`cp` of {COPIED} photos of 2 MB in", Nothing(), run(f"cp '{photos}'/* ."), "≤ 1.1 × passthrough_ll", writes=True, slow=True),
        Row("512 MiB written, and fsync", Nothing(), profiles.write_large, "≤ 1.05 × passthrough_ll", writes=True, slow=True),
        Row(f"{WRITTEN:,} bookmarks written", Nothing(), bookmarks, "≤ 1.2 × passthrough_ll", writes=True),
        Row(f"`cat` of {FILES:,} bookmarks", Small("bookmark"), run("cat ./*"), "≤ 0.6 × passthrough_ll, ≤ 1 × bindfs"),
        Row(f"`cat` of {FILES:,} texts", Small("text"), run("cat ./*"), "≤ 0.6 × passthrough_ll, ≤ 1 × bindfs"),
        Row(f"`grep -r` over {FILES:,} plain files", Small("plain"), grep, "≤ 1 × bindfs"),
        Row("the same again", Small("plain"), grep, "≤ 1.2 × native", before=grep),
        Row(f"git add, commit and status, {FILES:,} files", Small("plain"), git, "≤ 1 × bindfs", writes=True, does_nothing=False),
        Row("SQLite, 100 commits", Nothing(), profiles.commit, "≤ 1 × bindfs", writes=True, does_nothing=False),
        Row(f"untar {FILES:,} files", Nothing(), run(f"tar -xf '{work}/files.tar'"), "≤ 1 × bindfs", writes=True, does_nothing=False),
        Row(f"walk and stat {FILES:,} plain files", Small("plain"), run("find . -printf '%s %p\\n'"), "≤ 2.5 × native, or ≤ 1.3 × answers"),
        Row(f"`ls -l` of {LISTED:,} photos", Photos(LISTED, 3000), run("ls -l --color=never"), "≤ 2.5 × native, or ≤ 1.3 × answers"),
        Row(f"`find` over the container of {LISTED:,} photos itself", Photos(LISTED, 3000), run("find . -printf '%s %p\\n'"), "what of that is the store's", store=True),
        Row(f"{READ} photos of 2 MB read", Photos(READ, 2 << 20), run("cat ./*"), "≤ 0.5 × bindfs"),
        Row("the same again", Photos(READ, 2 << 20), run("cat ./*"), "≤ 1.25 × native", before=run("cat ./*")),
    ]


def main(work):
    program = profiles.build(work)
    drives = [Native(work), Peer(work, "bindfs", ["bindfs", "FOLDER"]), Peer(work, "passthrough_ll", program), Answers(work), Valise(work)]
    table = Table("work", "native", "bindfs ÷ native", "passthrough_ll ÷ native", "answers ÷ native", "Valise ÷ native", "Valise ÷ answers", "Valise ÷ bindfs", "Valise ÷ passthrough_ll", "goal")
    for row in rows(work):
        if ROWS and not any(name in row.name for name in ROWS.split(",")):
            continue
        if row.store:
            store = row.measure([Store(work)])["store"]
            table.add(row.name, f"{median(store):.3f} s", *["–"] * 7, row.goal)
            continue
        stolen = Stolen()
        taken = row.measure(drives)
        ours = taken["Valise"]

        def beside(theirs, mine=None):
            return spread(mine or ours, taken[theirs]) if theirs in taken else "–"

        table.add(row.name, f"{median(taken['native']):.3f} s", *(spread(taken[name], taken["native"]) if name in taken else "–" for name in ("bindfs", "passthrough_ll", "answers")),
                  beside("native"), beside("answers"), beside("bindfs"), beside("passthrough_ll"), row.goal)
        print(f"    {100 * stolen.share():.1f} % of the processors taken by other machines", flush=True)
    return table
