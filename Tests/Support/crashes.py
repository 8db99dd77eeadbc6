"""Kills a drive at random moments while several programs write to it, and sees what the next mount shows.

usage: crashes.py VALISE FOLDER SEED ROUNDS

Each writer knows for each of its names what the last finished call left there, and what the one under way would leave.
After the kill each name must show the one or the other, and nothing else may be there.
"""
import ctypes, errno, json, os, plistlib, random, signal, subprocess, sys, threading, time

GONE = None
WRITERS = 8
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")


C = ctypes.CDLL(None, use_errno=True)
HERE, EXCHANGE = -100, 2


def exchange(one, other):
    if C.renameat2(HERE, one.encode(), HERE, other.encode(), EXCHANGE):
        raise OSError(ctypes.get_errno(), "renameat2")


def link(address):
    return f"[InternetShortcut]\nURL=https://{address}.example/\n".encode()


class Writer(threading.Thread):
    """Writes to names of its own, until the drive dies under it."""

    def __init__(self, root, number, seed, finished, ever):
        super().__init__(daemon=True)
        self.root, self.random = root, random.Random(seed)
        self.names = [f"w{number}{name}" for name in ("one.url", "two.url", "cat.jpg", "dog.png", "note.txt", "plain.dat", "page.webloc")]
        self.scratch = [f"w{number}{name}" for name in (".tmp", "~", "tmp.url", "tmp.jpg")]
        self.finished = dict(finished)
        self.under_way = None
        # A write that is under way may have come through in part: its name, its place and its bytes.
        self.writing = None
        self.history = []
        self.ever = ever | set(finished.values())
        self.problem = None

    def path(self, name):
        return os.path.join(self.root, name)

    def step(self, call, *values, **changes):
        """One call, and what each name would be after it."""
        self.under_way = changes.get("after", {})
        self.history.append(f"{call.__name__} {', '.join(brief(v) if isinstance(v, bytes) else str(v) for v in values)}")
        result = call(*values)
        self.finished.update(self.under_way)
        self.ever.update(self.under_way.values())
        self.under_way = None
        return result

    def close(self, descriptor):
        # The content is not what the name says, which it need not be.
        self.unless_invalid(os.close, descriptor)

    def unless_invalid(self, call, *values, **changes):
        try:
            self.step(call, *values, **changes)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.EMEDIUMTYPE): raise
            self.history.append("refused")
            self.under_way = None

    def content(self, name):
        r = self.random
        if r.random() < 0.15: return r.randbytes(r.choice([0, 10, 5000]))
        if name.endswith(".url"):
            return link(r.randrange(10**9)) + (b"; a comment\n" * r.randrange(3))
        if name.endswith(".webloc"):
            return plistlib.dumps({"URL": f"https://{r.randrange(10**9)}.example/"})
        if name.endswith(".jpg"): return JPEG + r.randbytes(r.choice([100, 5000, 300_000])) + b"\xff\xd9"
        if name.endswith(".png"): return b"\x89PNG\r\n\x1a\n" + r.randbytes(r.choice([100, 5000, 300_000])) + b"\0\0\0\0IEND\xaeB`\x82"
        if name.endswith(".txt"): return b"line\n" * r.randrange(3000)
        return r.randbytes(r.choice([0, 100, 70_000]))

    def write(self, name, content, flags, start=b""):
        descriptor = self.step(os.open, self.path(name), flags | os.O_WRONLY | os.O_CREAT, 0o644, after={name: start})
        done = 0
        pieces = self.random.choice([1, 1, 2, 4])
        size = len(content) // pieces + 1
        while done < len(content):
            piece = content[done:done + size]
            now = self.finished[name]
            position = len(start) + done
            self.writing = (name, position, piece)
            count = self.step(os.pwrite, descriptor, piece, position)
            # A drive that dies in the middle of it makes it a short one, of whose rest some may have come through.
            self.writing = (name, position + count, piece[count:]) if count < len(piece) else None
            self.finished[name] = now[:position] + piece[:count] + now[position + count:]
            self.ever.add(self.finished[name])
            done += count
            if self.random.random() < 0.1: self.step(os.fsync, descriptor)
        self.close(descriptor)

    def exists(self, name):
        return self.finished.get(name) is not GONE

    def rename(self, old, new):
        # What is not what a document's name says does not take the document's place.
        self.unless_invalid(os.rename, self.path(old), self.path(new), after={new: self.finished[old], old: GONE})

    def exchange(self, one, other):
        self.unless_invalid(
            exchange, self.path(one), self.path(other), after={one: self.finished[other], other: self.finished[one]})

    def unlink(self, name):
        self.step(os.unlink, self.path(name), after={name: GONE})

    def deed(self):
        r = self.random
        name = r.choice(self.names)
        content = self.content(name)
        temporary = r.choice([t for t in self.scratch if t.endswith(name[-4:]) or not t[-4:] in (".url", ".jpg")])
        way = r.randrange(9)
        if way == 0: self.write(name, content, os.O_TRUNC)
        elif way == 1:
            self.write(temporary, content, os.O_TRUNC)
            self.rename(temporary, name)
        elif way == 2 and self.exists(name):
            self.rename(name, self.scratch[1])
            self.write(name, content, os.O_TRUNC)
            self.unlink(self.scratch[1])
        elif way == 3 and self.exists(name): self.write(name, content[:50], 0, self.finished[name])
        elif way == 4 and self.exists(name): self.unlink(name)
        elif way == 5 and self.exists(name):
            size = r.randrange(len(self.finished[name]) + 1)
            self.step(os.truncate, self.path(name), size, after={name: self.finished[name][:size]})
        elif way == 6 and self.exists(name):
            other = r.choice([n for n in self.names if n[-4:] == name[-4:]])
            if other != name: self.rename(name, other)
        elif way == 7 and self.exists(name):
            # A link that gets another form shows other bytes.
            others = [n for n in self.names + self.scratch if n != name and self.exists(n) and {n[-4:], name[-4:]} != {".url", "bloc"}]
            if others: self.exchange(name, r.choice(others))
        elif not self.exists(name): self.write(name, content, os.O_EXCL)

    def run(self):
        try:
            while True: self.deed()
        except OSError as error:
            if error.errno not in (errno.ENOTCONN, errno.ECONNABORTED, errno.EIO): self.problem = error
        except Exception as error:
            self.problem = error


def shown(mountpoint):
    found = {}
    for name in os.listdir(mountpoint):
        with open(os.path.join(mountpoint, name), "rb") as file: found[name] = file.read()
    return found


def brief(content):
    return "nothing" if content is GONE else f"{len(content)} bytes {content[:40]!r}"


def judge(writers, found):
    """What is wrong, as sentences."""
    wrong, rest = [], dict(found)
    for writer in writers:
        if writer.problem: wrong.append(f"{writer.names[0]}: {writer.problem!r}")
        before = {name: writer.finished.get(name) for name in writer.names + writer.scratch}
        after = {**before, **(writer.under_way or {})}
        now = {name: rest.pop(name, GONE) for name in before}
        true = dict(now)
        if writer.writing:
            name, position, piece = writer.writing
            came = os.path.commonprefix([(now[name] or b"")[position:], piece])
            after[name] = before[name][:position] + came + before[name][position + len(came):]
        for name in now:
            # A document that was emptied to be written anew comes back as it was, where nothing came after that.
            if b"" in (before[name], after[name]) and now[name] in writer.ever: now[name] = before[name] = after[name] = b""
        if now != before and now != after:
            wrong += ["", *writer.history[-12:]]
            for name in now:
                if now[name] not in (before[name], after[name]):
                    wrong.append(f"{name} shows {brief(now[name])}, and not {brief(before[name])} or {brief(after[name])}")
            if all(now[name] in (before[name], after[name]) for name in now):
                wrong.append(f"half of a rename: {[(n, brief(now[n])) for n in after if before[n] != after[n]]}")
        writer.finished = true
    return wrong + [f"{name} was made by nobody" for name in rest]


def mount(valise, container, mountpoint):
    deadline = time.monotonic() + 60
    while True:
        done = subprocess.run([valise, "mount", "-o", "rw", container, mountpoint], capture_output=True, text=True)
        if done.returncode == 0: return
        # Who was killed goes on holding the container until the last of its threads is gone.
        if "is being written already" not in done.stderr or time.monotonic() > deadline: raise RuntimeError(done.stderr)
        time.sleep(0.02)


def main():
    valise, folder, seed, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    container, mountpoint = os.path.join(folder, "c"), os.path.join(folder, "m")
    os.mkdir(mountpoint)
    subprocess.run([valise, "init", container], check=True, stdout=subprocess.DEVNULL)
    chance = random.Random(seed)
    states = [({}, set()) for _ in range(WRITERS)]
    calls = 0
    for number in range(rounds + 1):
        mount(valise, container, mountpoint)
        try:
            if number > 0:
                wrong = judge(writers, shown(mountpoint))
                states = [(writer.finished, writer.ever) for writer in writers]
                calls += sum(len(writer.history) for writer in writers)
                if wrong:
                    print(f"round {number} of seed {seed}:", *wrong, sep="\n  ")
                    return 1
            if number == rounds: break
            with open(os.path.join(mountpoint, ".valise/status")) as file: daemon = json.load(file)["process"]
            writers = [Writer(mountpoint, index, chance.random(), *state) for index, state in enumerate(states)]
            for writer in writers: writer.start()
            time.sleep(chance.random() * 0.25)
            os.kill(daemon, signal.SIGKILL)
            # Whoever waits for the drive is told that it is gone, even if the kernel made it wait for one of them.
            for writer in writers: writer.join(60)
            if any(writer.is_alive() for writer in writers):
                print(f"round {number} of seed {seed}: a program still waits for a drive that was killed")
                return 1
        finally:
            if number < rounds: subprocess.run(["fusermount3", "-u", "-z", mountpoint], check=True)
            else:
                with open(os.path.join(mountpoint, ".valise/status")) as file: drafts = json.load(file)["drafts"]
                subprocess.run([valise, "unmount", mountpoint], check=True, stdout=subprocess.DEVNULL)
    litter = os.listdir(os.path.join(container, ".valise/staging"))
    if len(litter) > len(drafts):
        print(f"seed {seed}: staging has {litter}, and there are only {len(drafts)} drafts")
        return 1
    print(f"seed {seed}: {rounds} kills under {WRITERS} writers, {calls} calls")
    return 0


sys.exit(main())
