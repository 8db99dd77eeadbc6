"""What each kind of work asks of a drive, beside passthrough_ll and bindfs on plain files: the kernel's requests by kind, the daemon's system
calls by kind, how often its threads waited, and what its processor time went to. For one small document, each system call is named, with why it is made.

passthrough_ll is libfuse's own example, built here from the source that libfuse3-dev brings, with write-back caching and everything kept for an
hour. Counts are of one round under strace, in which nothing is timed; switches to another thread and the shares of processor time (perf, by the clock)
are of another round without it. Under strace more threads begin and end than otherwise: a request takes longer, and the next one comes meanwhile; calls
like clone3, mmap and gettid are theirs. All is cold unless it says otherwise: a drive just mounted, and the store's pages in memory.

It needs strace, a C compiler, libfuse3-dev and bindfs; perf for switches and shares, which are left out without it."""

import collections
import glob
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import time

import containers
from guard import all_traced
from measuring import *

PHOTOS = int(os.environ.get("PHOTOS", 50))
DOCUMENTS = int(os.environ.get("DOCUMENTS", 500))
LISTED = int(os.environ.get("LISTED", 10_000))
EXAMPLE = "/usr/share/doc/libfuse3-dev/examples/passthrough_ll.c"

# The numbers of requests, as linux/fuse.h has them.
REQUESTS = dict(enumerate(
    "- LOOKUP FORGET GETATTR SETATTR READLINK SYMLINK - MKNOD MKDIR UNLINK RMDIR RENAME LINK OPEN READ WRITE STATFS RELEASE - FSYNC SETXATTR "
    "GETXATTR LISTXATTR REMOVEXATTR FLUSH INIT OPENDIR READDIR RELEASEDIR FSYNCDIR GETLK SETLK SETLKW ACCESS CREATE INTERRUPT BMAP DESTROY IOCTL "
    "POLL NOTIFY_REPLY BATCH_FORGET FALLOCATE READDIRPLUS RENAME2 LSEEK COPY_FILE_RANGE SETUPMAPPING REMOVEMAPPING SYNCFS TMPFILE STATX".split()))


# MARK: Drives


class Valise:
    name = "Valise"

    def __init__(self, work):
        self.folder, self.mountpoint = f"{work}/container", f"{work}/v"

    def fill(self, make):
        make.as_documents(self.folder)

    def mount(self):
        drive = valise(self.folder, self.mountpoint, "rw")
        drive.process = drive.status()["process"]
        return drive


class Peer:
    def __init__(self, work, name, command):
        self.name, self.command = name, command
        self.folder, self.mountpoint = f"{work}/{name}.files", f"{work}/{name}.mounted"

    def fill(self, make):
        make.as_files(self.folder)

    def mount(self):
        drive = Mount([word.replace("FOLDER", self.folder) for word in self.command], self.mountpoint)
        drive.process = next(number for number in os.listdir("/proc") if number.isdigit() and self.mountpoint in command_of(number))
        return drive


def command_of(process):
    try:
        with open(f"/proc/{process}/cmdline") as file:
            return file.read().split("\0")
    except OSError:
        return []


def build(work):
    """passthrough_ll, and with which options, or nothing where it cannot be built."""
    program = f"{work}/passthrough_ll"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], capture_output=True, text=True)
    if flags.returncode or not os.path.exists(EXAMPLE) or not shutil.which("cc"):
        return None
    subprocess.run(["cc", "-O2", "-w", "-o", program, EXAMPLE, *flags.stdout.split()], check=True)
    return [program, "-o", "source=FOLDER,writeback,cache=always,timeout=3600"]


# MARK: What is in them


class Nothing:
    def as_documents(self, folder):
        subprocess.run([VALISE, "init", folder], check=True, stdout=subprocess.DEVNULL)

    def as_files(self, folder):
        os.makedirs(folder)


class Photos(Nothing):
    def __init__(self, count, size):
        self.sizes = [size] * count

    def as_documents(self, folder):
        containers.photos(folder, self.sizes)

    def as_files(self, folder):
        containers.plain(folder, self.sizes)


class Small(Nothing):
    """Bookmarks, texts or plain files, and the same as files."""

    def __init__(self, kind):
        self.kind = kind

    def as_documents(self, folder):
        os.makedirs(f"{folder}/Documents")
        for number in range(DOCUMENTS):
            if self.kind == "bookmark":
                fields = {"Bookmark Name": f"Site {number}", "Bookmark URL": f"https://example.com/{number}"}
                containers.write(f"{folder}/Documents/Bookmark_Site {number}-{1772355900 + number}.000000", containers.archive("Bookmark", "Bookmark", fields))
            else:
                containers.write(f"{folder}/Documents/Site {number}.{'stedoc' if self.kind == 'text' else 'c'}", self.content(number))

    def as_files(self, folder):
        os.makedirs(folder)
        for number in range(DOCUMENTS):
            content = bookmark(number) if self.kind == "bookmark" else self.content(number)
            containers.write(f"{folder}/Site {number}.{ {'bookmark': 'url', 'text': 'txt', 'plain': 'c'}[self.kind]}", content)

    @staticmethod
    def content(number):
        return f"What is to be said of number {number}.\n".encode() * 20


def bookmark(number):
    return f"[InternetShortcut]\nURL=https://example.com/{number}\n".encode()


# MARK: What is done


def run(command):
    return lambda top: subprocess.run(["sh", "-c", command], cwd=top, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write_large(top):
    block = os.urandom(1 << 20)
    with open(f"{top}/large", "wb", buffering=0) as file:
        for _ in range(512):
            file.write(block)
        os.fsync(file.fileno())


def write_bookmarks(top):
    for number in range(DOCUMENTS):
        with open(f"{top}/Bookmark {number}.url", "wb") as file:
            file.write(bookmark(number))


def commit(top):
    with sqlite3.connect(f"{top}/data.db", isolation_level=None) as database:
        database.execute("CREATE TABLE entries (number INTEGER PRIMARY KEY, text TEXT)")
        for number in range(100):
            database.execute("INSERT INTO entries (text) VALUES (?)", (f"entry {number}",))
    database.close()


def works(work):
    """What is done, how many times that is one thing, what is there before, and what is done before without being counted."""
    source, files = containers.plain(f"{work}/photos", [2 << 20] * PHOTOS), f"{work}/files"
    Small("plain").as_files(files)
    subprocess.run(["tar", "-cf", f"{work}/files.tar", "-C", work, "files"], check=True)
    git = "git init -q . && git add . && git -c user.name=A -c user.email=a@example.com commit -q -m All && git status"
    return [
        (f"`cp` of {PHOTOS} photos of 2 MB in", PHOTOS, Nothing(), None, run(f"cp '{source}'/* .")),
        ("Writing 512 MiB and fsync", 512, Nothing(), None, write_large),
        (f"Writing {DOCUMENTS:,} bookmarks", DOCUMENTS, Nothing(), None, write_bookmarks),
        (f"`cat` of {DOCUMENTS:,} bookmarks", DOCUMENTS, Small("bookmark"), None, run("cat ./*")),
        (f"`cat` of {DOCUMENTS:,} texts", DOCUMENTS, Small("text"), None, run("cat ./*")),
        (f"`grep -r` over {DOCUMENTS:,} plain files", DOCUMENTS, Small("plain"), None, run("grep -r nothing_like_it . || true")),
        (f"`grep -r` over {DOCUMENTS:,} plain files, again", DOCUMENTS, Small("plain"), run("grep -r nothing_like_it . || true"), run("grep -r nothing_like_it . || true")),
        (f"Walking and stat of {DOCUMENTS:,} plain files", DOCUMENTS, Small("plain"), None, run("find . -printf '%s %p\\n'")),
        (f"git add, commit and status of {DOCUMENTS:,} plain files", DOCUMENTS, Small("plain"), None, run(git)),
        ("SQLite, 100 commits", 100, Nothing(), None, commit),
        (f"Untarring {DOCUMENTS:,} files", DOCUMENTS, Nothing(), None, run(f"tar -xf '{work}/files.tar'")),
        (f"Reading {PHOTOS} photos of 2 MB", PHOTOS, Photos(PHOTOS, 2 << 20), None, run("cat ./*")),
        (f"`ls -l` of {LISTED:,} photos", LISTED, Photos(LISTED, 3000), None, run("ls -l --color=never")),
    ]


# MARK: Counting


def plain(text):
    return bytes.fromhex(text.replace("\\x", ""))


class Trace:
    """The daemon's system calls, while a body runs: a line each, numbered by thread."""

    LINE = re.compile(r"^\d+ +(?:<\.\.\. )?(\w+)")
    # What was read, with the first bytes of it: a request begins with its length and its kind.
    READ = re.compile(r' read(?:\(\d+<[^>]*>, | resumed>)"((?:\\x..){8,})"\.*, \d+\) = (\d+)')

    def __init__(self, process, page):
        self.process, self.page = process, page

    def __enter__(self):
        self.requests, self.calls = collections.Counter(), collections.Counter()
        self.tracer = subprocess.Popen(["strace", "-q", "-f", "-y", "-xx", "-s", "160", "-o", self.page, "-p", str(self.process)], stderr=subprocess.DEVNULL)
        while self.tracer.poll() is None and not all_traced(self.process):
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        # What is done when the last request has been answered belongs to it.
        time.sleep(0.7)
        self.tracer.send_signal(signal.SIGINT)
        self.tracer.wait()
        with open(self.page, errors="replace") as file:
            for line in file:
                begun = self.LINE.match(line)
                # A call that was interrupted by another thread's has two lines: it is counted where it ends.
                if not begun or "<unfinished" in line or "+++" in line or "---" in line:
                    continue
                self.calls[begun.group(1)] += 1
                read = self.READ.search(line)
                if read:
                    head = plain(read.group(1))
                    length, kind = (int.from_bytes(head[place:place + 4], "little") for place in (0, 4))
                    # A pipe gives a write's beginning only.
                    if length == int(read.group(2)) or kind == 16 and length > int(read.group(2)) == 80:
                        self.requests[REQUESTS.get(kind, str(kind))] += 1


class Perf:
    """Shares of processor time by function, while a body runs, and how often a thread gave way to another."""

    def __init__(self, process, page):
        self.process, self.page, self.lines, self.switches = process, page, [], None

    def __enter__(self):
        self.recorder = None
        if shutil.which("perf"):
            self.recorder = subprocess.Popen(["perf", "record", "-q", "-e", "cpu-clock", "-F", "5000", "-o", self.page, "-p", str(self.process)],
                                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.counter = subprocess.Popen(["perf", "stat", "-x", ";", "-e", "context-switches", "-p", str(self.process)], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE, text=True)
            time.sleep(0.5)
        return self

    def __exit__(self, *_):
        if not self.recorder:
            return
        self.recorder.send_signal(signal.SIGINT)
        self.counter.send_signal(signal.SIGINT)
        self.recorder.wait()
        counted = re.search(r"^(\d+);", self.counter.communicate()[1], re.M)
        self.switches = int(counted.group(1)) if counted else None
        told = subprocess.run(["perf", "report", "-i", self.page, "--stdio", "--sort", "dso,symbol", "-w", "24,200"], capture_output=True, text=True).stdout
        for line in told.splitlines():
            found = re.match(r"\s+([\d.]+)%\s+(\S+)\s+\[(.)\]\s+(.*?)(\s+-\s+-\s*)?$", line)
            if found:
                self.lines.append((float(found.group(1)), found.group(2), found.group(3) == "k", found.group(4).strip()))


def demangled(names):
    if not shutil.which("swift") or not names:
        return {}
    told = subprocess.run(["swift", "demangle", "--simplified", "--compact", *names], capture_output=True, text=True).stdout.splitlines()
    return dict(zip(names, told))


def shares(perf):
    """Kernel and own parts together, and the largest functions."""
    if not perf.lines:
        return "not measured: no perf"
    kernel = sum(share for share, _, is_kernel, _ in perf.lines if is_kernel)
    own = sum(share for share, place, _, _ in perf.lines if place == "valise")
    largest = [line for line in perf.lines if line[0] >= 1][:8]
    names = demangled([name for _, _, _, name in largest if name.startswith("$s")])
    told = ", ".join(f"{short(names.get(name, name))} {share:.0f} %" for share, _, _, name in largest)
    return f"kernel {kernel:.0f} %" + (f", valise's own code {own:.0f} %" if own else "") + (f"; {told}" if told else "")


def short(name):
    name = re.sub(r"^(generic|merged|closure #\d+ .*? in|specialized|partial apply for|function signature specialization <.*?> of)\s+", "", name)
    return f"`{name[:60]}`"


def each(counts, many, least=0.005):
    """Counts for each of many, the frequent ones first. What comes a few times in all is told at the end, together."""
    told = [f"{kind} {number(count / many)}" for kind, count in counts.most_common() if count / many >= least]
    rest = sum(count for count in counts.values() if count / many < least)
    return ", ".join(told) + (f"; {rest} more in all" if rest else "")


def number(value):
    return f"{value:.0f}" if value >= 9.5 and abs(value - round(value)) < 0.05 else f"{value:.2f}".rstrip("0").rstrip(".")


def profile(drive, make, before, body, work):
    clear(drive.folder)
    drive.fill(make)
    with drive.mount() as mounted:
        if before:
            before(drive.mountpoint)
        with Trace(mounted.process, f"{work}/calls") as trace:
            body(drive.mountpoint)
    clear(drive.folder)
    drive.fill(make)
    with drive.mount() as mounted:
        if before:
            before(drive.mountpoint)
        with Perf(mounted.process, f"{work}/perf") as perf:
            body(drive.mountpoint)
    clear(drive.folder)
    return trace, perf


# MARK: One document, call by call


def told_call(line):
    """A line of strace's with text instead of numbers for bytes, without its thread."""
    text = re.sub(r"^\d+ +", "", line.rstrip())
    return re.sub(r"(?:\\x..)+", lambda found: plain(found.group(0)).decode("utf-8", "replace"), text)


class Step:
    """One system call: for which request it is made, and on what."""

    def __init__(self, request, line, folder):
        text = told_call(line).replace(folder, "")
        self.request, self.call = request, re.match(r"(?:<\.\.\. )?(\w+)", text).group(1)
        place = re.search(r"\d+<([^>]*)>", text)
        name = re.search(r'[,(] ?"([^"]*)"', text)
        self.on = self.named(place.group(1) if place else "")
        inside = self.named(name.group(1)) if name and self.call not in ("writev", "read", "pread64") else ""
        if self.on == "journal":
            inside = inside.split(" ")[0]
        elif self.call in ("pwrite64", "setxattr"):
            inside = ""
        elif self.call == "writev" and "iov_len=24}], 2" in text:
            # Two pieces of which the second is a node's number and a range.
            inside = "notice"
        if inside:
            self.on = f"{self.on}: {inside}" if self.on else inside

    @staticmethod
    def named(path):
        path = path.replace("/dev/fuse", "device").replace("/.valise/staging", "staging").replace("/.valise/journal/records", "journal")
        path = path.replace("/.valise/versions", "versions").replace("/proc/self/fd/", "descriptor ").replace("/Documents", "documents")
        path = re.sub(r"\b\d+\.part\d+", "PART", path)
        path = re.sub(r"\b\d+\.version", "VERSION", path)
        path = re.sub(r"(staging/|^)\d+$", r"\1DRAFT", path)
        path = re.sub(r"\d{4}-\d\d-\d\dT[^/]*", "MOMENT", path)
        path = re.sub(r"descriptor \d+", "descriptor", path)
        return re.sub(r"(Bookmark_)?One(\.stedoc|\.c|\.url|\.txt|-[\d.]+)?(\(deleted\))?", "DOCUMENT", path).strip("/")

    @property
    def key(self):
        return f"{self.call} {self.on}".strip()


def steps(trace, folder):
    """What the threads that answered requests did, in order."""
    request, found, begun = {}, [], {}
    with open(trace.page, errors="replace") as file:
        for line in file:
            thread = line.split()[0]
            if "+++" in line or "---" in line or not Trace.LINE.match(line):
                continue
            if "<unfinished" in line:
                begun[thread] = line
                continue
            if "resumed>" in line and thread in begun:
                head, rest = begun.pop(thread).split("<unfinished")[0].rstrip(), line.split("resumed>", 1)[1]
                line = head + (" " if head.endswith(",") else "") + rest.lstrip()
            read = Trace.READ.search(line)
            if read:
                isRequest = "/dev/fuse" in told_call(line)
                request[thread] = REQUESTS.get(int.from_bytes(plain(read.group(1))[4:8], "little"), "-") if isRequest else "(notices)"
            if thread in request and "detached" not in line and not (line.split()[1].startswith("read(") and not read and "/dev/fuse" in told_call(line)):
                found.append(Step(request[thread], line, folder))
    return found


# Why each call is needed, by the request for which it is made and what is called: the first that fits is taken.
REASONS = [
    (".*", "read device", "the request comes"),
    (".*", "writev device: notice", "the kernel forgets the attributes that it had"),
    (".*", "writev device", "it is answered"),
    (".*", "gettid", "a thread's first lock in a module: Swift's locks know a thread by its number"),
    (".*", "(futex|mmap|munmap|mprotect|madvise|clone3?|rt_sigprocmask|exit|rseq|set_robust_list|brk).*", "threads wait, begin and end, and need memory"),
    ("GETATTR", "newfstatat documents", "the top's times, which each new name changes"),
    ("GETATTR", ".*", "what the document is now: others may have changed it"),
    ("LOOKUP", "newfstatat documents", "are the folder's names those that are known; and, before one is said not to be there, is the container"),
    ("LOOKUP", "ioctl .*", "is something noticed of the folder that changed"),
    ("CREATE", "newfstatat documents", "are its names those that are known, what group has a new file, and its times afterwards"),
    ("CREATE", "openat staging: DRAFT", "the draft is made"),
    ("CREATE|OPEN", "(newfstatat|statx) staging/DRAFT", "whose it is, and what is shown of it"),
    ("CREATE|OPEN", "pwrite64 journal: draft", "what it is a draft of, for who finds it after a crash"),
    ("OPEN", "openat staging: DRAFT", "what is written anew begins as a draft"),
    ("OPEN", "statx documents/DOCUMENT", "may it be replaced, or is it immutable"),
    ("OPEN", "(newfstatat|openat|close|pread64) documents.*", "the document as it is now, by a look at its name before it is opened and one after; for who writes, once as what is open and once as what the draft begins from"),
    ("READ", "pread64 .*", "what is read; so little is not spliced"),
    ("READ", "(splice|pipe2|fcntl) .*", "what is read goes from page to page"),
    ("WRITE", "pwrite64 .*", "what was written goes into the draft"),
    ("FLUSH", "newfstatat staging/DRAFT", "how long it is, for what is empty is no document yet; its times and permissions, which the document gets"),
    ("FLUSH", "newfstatat documents", "are the folder's names those that are known; its times afterwards, which are of the drive's own making"),
    ("FLUSH", "pread64 staging/DRAFT", "what was written is parsed, or seen to be text"),
    ("FLUSH", "(openat|pwrite64) staging.*PART", "the archive is written"),
    ("FLUSH", "listxattr .*", "which attributes go on with the document"),
    ("FLUSH", "(newfstatat|utimensat|fchmod|close) staging/PART", "the archive gets the draft's times"),
    ("FLUSH", "getxattr .*", "when what was there was saved, if somebody set another time"),
    ("FLUSH", "fsync .*", "it is on the store before it replaces something"),
    ("FLUSH", "linkat .*", "what was there gets a second name: the version"),
    ("FLUSH", "(mkdirat|openat|getdents64|close|statx) (versions|proc).*", "the version's place, and which are there"),
    ("FLUSH", "statx .*", "which nodes the plan is about, for who finishes it after a crash"),
    ("FLUSH", "pwrite64 journal: intent", "the plan, before its first step"),
    ("FLUSH", "renameat2? .*", "it is in its place"),
    ("FLUSH", "unlinkat staging: DRAFT", "the draft goes, of which the archive was made"),
    ("FLUSH", "pwrite64 journal: ended", "the draft has ended, and the plan"),
    ("FLUSH", "newfstatat documents: DOCUMENT", "is the name free; afterwards, what has it"),
    ("FLUSH", "openat documents: DOCUMENT", "what is there, for the version; afterwards the document, with which its handles go on"),
    ("FLUSH", "(newfstatat|pread64) documents/DOCUMENT", "what it is, and what it shows"),
    ("FLUSH|RELEASE", "close .*", "what nobody reads any more is let go"),
    (r"\(notices\)", ".*", "the kernel's notice of it: it is looked at, and was the drive's own doing"),
]


def reason(step):
    return next((why for request, key, why in REASONS if re.fullmatch(request, step.request) and re.fullmatch(key, step.key)), "?")


def told_steps(found):
    """A row for each call; those that follow one another and are alike are one."""
    table, row, count = Table("for", "call", "why"), None, 0
    for step in found + [None]:
        now = (step.request, step.key, reason(step)) if step else None
        if now == row:
            count += 1
            continue
        if row:
            table.rows.append((row[0], f"`{row[1]}`" + (f" ({count} ×)" if count > 1 else ""), row[2]))
        row, count = now, 1
    return table


def single(drive, work, page):
    """A document written, written anew, and read for the first time, each by itself: the calls of the threads that answer requests, and of the one that
    hears from the store."""

    def write(name, data):
        # Not with open(), which would ask whether it is a terminal.
        file = os.open(f"{drive.mountpoint}/{name}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.write(file, data)
        os.close(file)

    def read(name):
        subprocess.run(["cat", f"{drive.mountpoint}/{name}"], check=True, stdout=subprocess.DEVNULL)

    def told(title, mounted, body):
        with Trace(mounted.process, f"{work}/calls") as trace:
            body()
        found = steps(trace, drive.folder)
        counts = collections.Counter(step.request for step in found)
        page.section(f"{title}: {len(found)} calls ({told_counts(counts)})", told_steps(found))
        time.sleep(0.5)

    clear(drive.folder)
    drive.fill(Nothing())
    with drive.mount() as mounted:
        # Threads have begun, and the folder is known.
        for number in range(30):
            write(f"bookmark {number}.url", bookmark(number))
            write(f"text {number}.txt", Small.content(number))
        time.sleep(2)
        told("A new bookmark", mounted, lambda: write("One.url", bookmark(1)))
        told("A new text", mounted, lambda: write("One.txt", b"some words\n"))
        told("A text written anew, with a version", mounted, lambda: write("One.txt", b"other words\n"))
    with drive.mount() as mounted:
        run("ls -l")(drive.mountpoint)
        time.sleep(0.5)
        told("`cat` of a bookmark after a listing", mounted, lambda: read("One.url"))
        told("`cat` of a text after a listing", mounted, lambda: read("One.txt"))
    clear(drive.folder)


def told_counts(counts):
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


class Page:
    """A table for each kind of work, and one for each single document."""

    def __init__(self):
        self.text = []

    def section(self, title, table):
        self.text.append(f"## {title}\n\n{table.markdown()}")

    def markdown(self):
        return "\n".join(self.text)


def main(work):
    example = build(work)
    drives = [Valise(work)] + ([Peer(work, "passthrough_ll", example)] if example else []) + [Peer(work, "bindfs", ["bindfs", "FOLDER"])]
    wanted, page = os.environ.get("WORKS", ""), Page()
    for title, many, make, before, body in works(work):
        if not re.search(wanted, title):
            continue
        print(title, flush=True)
        table = Table("each", *(drive.name for drive in drives))
        found = [profile(drive, make, before, body, work) for drive in drives]
        table.add("requests", *(each(trace.requests, many) for trace, _ in found))
        table.add("system calls in all", *(number(sum(trace.calls.values()) / many) for trace, _ in found))
        table.add("by kind", *(each(trace.calls, many) for trace, _ in found))
        table.add("lock waits and wake-ups (futex)", *(number(trace.calls["futex"] / many) for trace, _ in found))
        table.add("switches to another thread", *(number(perf.switches / many) if perf.switches is not None else "not measured" for _, perf in found))
        table.add("processor time", *(shares(perf) for _, perf in found))
        page.section(title, table)
    if re.search(wanted, "single"):
        single(drives[0], work, page)
    return page
