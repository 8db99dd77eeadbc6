"""Makes random calls on a drive with documents, and says the first thing that is not as a model says.

usage: random_documents.py VALISE FOLDER SEED STEPS

The model (documents_model.py) says what each call is to answer and what is to be there after it. After every step each
node that it touched is compared: type, mode, size, time of content, bytes, kind, and the extended attributes that tell
which document it is; by its name, and in every file that is open on it. Now and then the whole tree is compared; and the
drive is unmounted, the container read by Python's plistlib and by nothing of ours, mounted again, and compared again.
"""
import ctypes, errno, json, os, plistlib, random, stat, subprocess, sys, time

sys.dont_write_bytecode = True
from documents_model import AFTER_NOW, Folder, Model, Refused
from link_files import stem

C = ctypes.CDLL(None, use_errno=True)
HERE, EMPTY_PATH, FOLLOW = -100, 0x1000, 0x400
O_TMPFILE = 0o20200000
TICK = 20_000_000

LINKS = ["one.url", "two.url", "Three.desktop", "page.webloc"]
PHOTOS = ["cat.jpg", "cat.png", "Dog.JPG"]
TEXTS = ["note.txt", "more.txt"]
OTHERS = ["plain.dat", "q", ".hidden.url", "one.url~"]
FOLDERS = ["A", "B", "C.url", "P.mellel"]
# Calls that change nothing but content, mode and times.
CONTENT = {"pwrite", "fsync", "ftruncate", "truncate", "fallocate", "copy", "chmod", "utime", "futime"}
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000")
PNG = b"\x89PNG\r\n\x1a\n"


def called(function, *arguments):
    """A call of the C library, with its error thrown."""
    result = function(*arguments)
    if result < 0: raise OSError(ctypes.get_errno(), "")
    return result


class Drive:
    """What is mounted, and the files that are open there."""

    def __init__(self, valise, folder):
        self.valise, self.container, self.root = valise, os.path.join(folder, "c"), os.path.join(folder, "m")
        self.files = {}

    def mount(self):
        subprocess.run([self.valise, "mount", "-o", "rw,create=bookmark+photo+text", self.container, self.root], check=True, stdout=subprocess.DEVNULL)

    def unmount(self):
        subprocess.run([self.valise, "unmount", self.root], check=True, stdout=subprocess.DEVNULL)

    def path(self, path): return os.path.join(self.root, path)

    def status(self):
        with open(self.path(".valise/status")) as file: return json.load(file)

    def settle(self):
        """Waits until the drive knows what the kernel has let go of, which it hears a moment after the program."""
        deadline = time.monotonic() + 60
        while self.status()["open"] != len(self.files):
            if time.monotonic() > deadline: raise AssertionError(f"the drive has {self.status()['open']} files open, and not {len(self.files)}")
            time.sleep(0.001)

    # The calls.
    def open(self, slot, path, flags, mode):
        self.files[slot] = os.open(self.path(path), flags, mode)

    def close(self, slot): os.close(self.files.pop(slot))
    def pwrite(self, slot, bytes, offset): return os.pwrite(self.files[slot], bytes, offset)
    def fsync(self, slot): os.fsync(self.files[slot])
    def ftruncate(self, slot, size): os.ftruncate(self.files[slot], size)
    def truncate(self, path, size): os.truncate(self.path(path), size)
    def fallocate(self, slot, offset, size): os.posix_fallocate(self.files[slot], offset, size)
    def copy(self, slot, offset, other, place, size): return os.copy_file_range(self.files[slot], self.files[other], size, offset, place)
    def mkdir(self, path): os.mkdir(self.path(path))
    def rmdir(self, path): os.rmdir(self.path(path))
    def unlink(self, path): os.unlink(self.path(path))
    def link(self, old, new): os.link(self.path(old), self.path(new), follow_symlinks=False)
    def rename(self, old, new, flags): called(C.renameat2, HERE, os.fsencode(self.path(old)), HERE, os.fsencode(self.path(new)), flags)
    def chmod(self, path, mode): os.chmod(self.path(path), mode)
    def utime(self, path, moment): os.utime(self.path(path), ns=(moment, moment))
    def futime(self, slot, moment): os.utime(self.files[slot], ns=(moment, moment))
    def setxattr(self, path, value): os.setxattr(self.path(path), "user.tag", value)
    def flink(self, slot, path): called(C.linkat, HERE, f"/proc/self/fd/{self.files[slot]}".encode(), HERE, os.fsencode(self.path(path)), FOLLOW)


class Trial:
    def __init__(self, drive, seed):
        self.drive, self.seed, self.random = drive, seed, random.Random(seed)
        self.model = Model()
        self.history = []
        self.archives = {}

    # What is drawn.
    def folder(self):
        path, folder = "", self.model.root
        while self.random.random() < 0.35 and path.count("/") < 2:
            inner = sorted(name for name, node in folder.entries.items() if isinstance(node, Folder))
            if not inner: break
            name = self.random.choice(inner)
            path, folder = path + name + "/", folder.entries[name]
        return path

    def name(self, *of):
        r = self.random
        names = r.choice(of or (LINKS, PHOTOS, TEXTS, LINKS, PHOTOS, TEXTS, OTHERS, FOLDERS))
        return self.folder() + r.choice(names)

    def existing(self):
        """The path of something that is there, if there is anything."""
        paths = sorted(path for path, node in self.model.walk() if not isinstance(node, Folder))
        return self.random.choice(paths) if paths and self.random.random() < 0.9 else self.name()

    def url(self): return f"https://{self.random.randrange(10**6)}.example/{'x' * self.random.choice([0, 0, 5, 200])}"

    def content(self, name):
        r = self.random
        if r.random() < 0.15: return r.choice([b"", b"garbage", b"[InternetShortcut]\n", b"\xff\xd8", b"\x00" * 50, b"caf\xe9"])
        if r.random() < 0.06: name = r.choice(LINKS + PHOTOS + TEXTS)
        name = name.lower()
        if name.endswith(".url"):
            odd = r.choice([b"", b"", b"; mine\n", b"IconIndex=0\r\n"])
            return r.choice([b"[InternetShortcut]\nURL=%s\n" % self.url().encode(), b"[InternetShortcut]\r\nURL = %s\r\n" % self.url().encode() + odd])
        if name.endswith(".desktop"):
            return b"[Desktop Entry]\nType=Link\nName=%s\nURL=%s\n" % (r.choice([b"Three", b"Other"]), self.url().encode())
        if name.endswith(".webloc"):
            content = plistlib.dumps({"URL": self.url()}, fmt=r.choice([plistlib.FMT_XML, plistlib.FMT_BINARY]))
            self.model.weblocs.add(content)
            return content
        if name.endswith("jpg"): return JPEG + r.randbytes(r.choice([0, 100, 5000, 60_000]))
        if name.endswith("png"): return PNG + r.randbytes(r.choice([0, 100, 5000, 60_000]))
        return r.choice([b"", b"words\n" * r.randrange(2000), "Brötchen\n".encode() * r.randrange(300)])

    def slot(self): return self.random.choice(sorted(self.model.files)) if self.model.files else None

    def step(self):
        """The name of a call and its arguments."""
        r = self.random
        way, slot = r.randrange(100), self.slot()
        if way < 14:
            path = r.choice([self.name(), self.existing()])
            flags = r.choice([os.O_RDWR, os.O_WRONLY, os.O_RDONLY])
            flags |= r.choice([0, os.O_CREAT, os.O_CREAT, os.O_CREAT | os.O_EXCL])
            if flags & os.O_ACCMODE: flags |= r.choice([0, 0, os.O_TRUNC])
            return "open", r.randrange(5), path, flags, r.choice([0o644, 0o600, 0o755, 0o666])
        if way < 17: return "open", r.randrange(5), self.folder(), O_TMPFILE | os.O_RDWR, 0o644
        if way < 40 and slot is not None:
            node = self.model.files[slot].node
            name = node.name or ""
            what = r.randrange(12)
            if what < 3: return "pwrite", slot, self.content(name), 0
            if what < 5: return "pwrite", slot, self.content(name)[:r.choice([1, 30, 3000])], r.choice([0, 3, 20, len(node.content), 5000])
            if what == 5: return "ftruncate", slot, r.choice([0, 1, 30, len(node.content), 6000])
            if what == 6: return "fallocate", slot, r.choice([0, 100]), r.choice([1, 5000])
            if what == 7: return "copy", slot, r.choice([0, 10]), self.slot(), r.choice([0, 30]), r.choice([5, 70_000])
            if what == 8: return "fsync", slot
            if what == 9: return "futime", slot, r.randrange(10**18, 1_700_000_000 * 10**9)
            if what == 10: return "flink", slot, self.name()
            return "close", slot
        if way < 50 and slot is not None: return "close", slot
        if way < 64: return "save", *self.saving()
        if way < 78: return "rename", r.choice([self.existing(), self.name()]), r.choice([self.name(), self.existing()]), r.choice([0, 0, 0, 0, 1, 2, 2])
        if way < 84: return "unlink", self.existing()
        if way < 86: return "truncate", self.existing(), r.choice([0, 5, 40, 4000])
        if way < 88: return "link", self.existing(), self.name()
        if way < 92: return r.choice(["mkdir", "rmdir"]), self.name(FOLDERS)
        if way < 94: return "rename", self.name(FOLDERS), self.name(FOLDERS, FOLDERS, LINKS), r.choice([0, 0, 2])
        if way < 96: return "chmod", self.existing(), r.choice([0o644, 0o600, 0o777, 0o4640])
        if way < 98: return "utime", self.existing(), r.randrange(10**18, 1_700_000_000 * 10**9)
        return "setxattr", self.existing(), r.randbytes(4)

    def saving(self):
        """A document that is written as programs do it."""
        path = r = None
        path = self.name(LINKS, PHOTOS, TEXTS)
        return path, self.random.choice(["write", "rename", "away", "exchange", "copy"]), self.content(path)

    # One step.
    def take(self, step):
        name, *arguments = step
        self.history.append(f"{name} {', '.join(brief(value) for value in arguments)}")
        del self.history[:-40]
        if name == "save":
            return next((wrong for wrong in map(self.take, self.calls(*arguments)) if wrong), [])
        if name == "open" and arguments[0] in self.model.files:
            wrong = self.take(("close", arguments[0]))
            if wrong: return wrong
        if not self.model.decides(name, *arguments): return []
        if name == "rename": self.history[-1] += f" ({', '.join(self.model.told(path) for path in arguments[:2])})"
        self.model.begin()
        closed = self.model.files[arguments[0]] if name == "close" else None
        right, answer = answered(getattr(self.model, name), arguments), answered(getattr(self.drive, name), arguments)
        self.history[-1] += f" → {right}"
        # What the last writer leaves becomes what it is a moment after.
        if name == "close" and closed.counts: self.drive.settle()
        if right != answer: return [f"it answered {answer}, and not {right}"]
        deadline = time.monotonic() + (10 if name == "close" else 0)
        while True:
            wrong = [wrong for node in self.model.touched for wrong in self.compare(node, name not in CONTENT)]
            if not wrong or time.monotonic() > deadline: return wrong

    def calls(self, path, way, content):
        """The calls of one save; each is a step of its own."""
        temporary, flags = path.rpartition("/")[0] + "/.tmp" if "/" in path else ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        def writing(path):
            yield "open", 9, path, flags, 0o644
            if 9 in self.model.files:
                if content: yield "pwrite", 9, content, 0
                yield "close", 9
        if way == "write": yield from writing(path)
        elif way == "rename":
            yield from writing(temporary)
            yield "rename", temporary, path, 0
            if self.model.lookup(temporary): yield "unlink", temporary
        elif way == "away":
            yield "rename", path, path + "~", 0
            yield from writing(path)
            yield "unlink", path + "~"
        elif way == "exchange":
            yield from writing(temporary)
            yield "rename", temporary, path, 2
            yield "unlink", temporary
        else:
            source = self.existing()
            yield "open", 8, source, os.O_RDONLY, 0
            if 8 in self.model.files:
                yield "open", 9, path, flags, 0o644
                if 9 in self.model.files:
                    yield "copy", 8, 0, 9, 0, 1 << 20
                    yield "close", 9
                yield "close", 8

    # What there is.
    def compare(self, node, wholly=True):
        wrong = []
        for path in node.paths():
            try: wrong += self.compare_path(node, path, wholly)
            except OSError as error: wrong.append(f"“{path}”: {error.strerror}")
        for slot, file in self.model.files.items():
            if file.node is node: wrong += [f"open file {slot}: {what}" for what in self.compare_facts(node, os.fstat(self.drive.files[slot]), file.reads and self.drive.files[slot])]
        return wrong

    def compare_path(self, node, path, wholly):
        place = self.drive.path(path)
        facts = os.lstat(place)
        if isinstance(node, Folder):
            if not stat.S_ISDIR(facts.st_mode): return [f"“{path}” is no folder"]
            names = sorted(os.listdir(place))
            return [] if names == sorted(node.entries) else [f"“{path}” has {names}, and not {sorted(node.entries)}"]
        wrong = self.compare_attributes(node, place) if wholly else []
        with open(place, "rb") as file: wrong += self.compare_facts(node, facts, file.fileno())
        return [f"“{path}” {what}" for what in wrong]

    def compare_attributes(self, node, place):
        # A document that came back late may have been forgotten already: which, is seen.
        tag = os.getxattr(place, "user.tag") if "user.tag" in os.listxattr(place) else None
        if node.tag is AFTER_NOW:
            node.tag = tag
            if node.stored: node.stored.tag = tag
        right = [node.tag]
        if node.stored and node.stored.is_fresh:
            node.stored.is_fresh = False
            right = self.model.returned(node, os.path.dirname(os.path.relpath(place, self.drive.root)), os.getxattr(place, "user.valise.stored-name"), tag)
        wrong = [] if tag in right else [f"its tag is {tag}, and not {' or '.join(map(str, right))}"]
        kind = os.getxattr(place, "user.valise.kind").decode()
        if kind != (node.kind or "plain"): wrong.append(f"is {kind}, and not {node.kind}")
        # A plain file that begins as an archive, and is found so, may be a damaged one: that is told of it, and for a moment of what it is then.
        if node.is_flagged != ("user.valise.error" in told(place)) and (node.kind or id(node) not in self.archives):
            why = f", but {os.getxattr(place, 'user.valise.state').decode()}" if node.is_flagged else f": {os.getxattr(place, 'user.valise.error').decode()}"
            wrong.append(f"is {'not ' if node.is_flagged else ''}flagged{why}")
        if node.kind and not node.unborn and not wrong:
            stored = os.getxattr(place, "user.valise.stored-name")
            # A photo and a text are called as they are shown, or nearly so.
            if node.kind != "bookmark" or node.stored.name in (None, AFTER_NOW): node.stored.name = stored
            if node.stored.name != stored: wrong.append(f"lies in {stored}, and not in {node.stored.name}")
        return wrong

    def compare_facts(self, node, facts, file):
        wrong = []
        content = os.pread(file, len(node.content) + 1, 0) if file else node.content
        if content.startswith((b"bplist0", b"<?x")): self.archives[id(node)] = node
        if content != node.content: wrong.append(f"holds {brief(content)}, and not {brief(node.content)}")
        if facts.st_size != len(node.content): wrong.append(f"has {facts.st_size} bytes, and not {len(node.content)}")
        if facts.st_mode != stat.S_IFREG | node.mode: wrong.append(f"has mode {facts.st_mode:o}, and not {node.mode:o}")
        if facts.st_nlink != node.links:
            wrong.append(f"has {facts.st_nlink} links, and not {node.links}")
        kind, moment = node.time
        if kind == "at" and facts.st_mtime_ns != moment: wrong.append(f"was changed at {facts.st_mtime_ns}, and not {moment}")
        if kind == "since" and not moment - TICK <= facts.st_mtime_ns <= time.time_ns() + TICK: wrong.append(f"was changed {(facts.st_mtime_ns - moment) / 1e9} s after the call")
        return wrong

    def compare_all(self):
        return [wrong for node in {id(node): node for _, node in self.model.walk()}.values() for wrong in self.compare(node)] + self.compare(self.model.root)

    def reopen(self):
        """Unmounts, reads what the container holds, mounts, and compares."""
        wrong = []
        for slot in sorted(self.model.files): wrong += self.take(("close", slot))
        wrong += self.compare_all()
        if wrong: return wrong
        self.drive.unmount()
        wrong = self.decode()
        self.drive.mount()
        self.model.reopen()
        self.history = ["mounted again"]
        return wrong + self.compare_all()

    def decode(self):
        wrong, container = [], self.drive.container
        expected = set()
        for path, node in self.model.walk():
            folder, _, shown = path.rpartition("/")
            item = os.path.join(folder, os.fsdecode(node.stored.name)) if getattr(node, "kind", None) else path
            expected.add(item)
            if isinstance(node, Folder): continue
            try: wrong += [f"“{path}” in the container: {what}" for what in decoded(node, shown, os.path.join(container, item))]
            except Exception as error: wrong.append(f"“{path}” in the container: {error!r}")
        found = set()
        for folder, folders, files in os.walk(container):
            if ".valise" in folders: folders.remove(".valise")
            packages = [name for name in folders if name.endswith(".ptk")]
            for name in packages: folders.remove(name)
            found.update(os.path.relpath(os.path.join(folder, name), container) for name in folders + files + packages)
        if found != expected: wrong.append(f"the container has {sorted(found - expected)} too many, and {sorted(expected - found)} not")
        drafts = sum(1 for _, node in self.model.walk() if getattr(node, "is_flagged", False))
        staged = os.listdir(os.path.join(container, ".valise/staging"))
        if len(staged) != drafts: wrong.append(f"{sorted(staged)} are staged, and there are {drafts} drafts")
        return wrong


def decoded(node, shown, item):
    """What is wrong with what the container has of a document or a plain file."""
    def read(path):
        with open(path, "rb") as file: return file.read()
    def fields(path, key):
        archive = plistlib.loads(read(path))
        objects = archive["$objects"]
        def value(of):
            if isinstance(of, plistlib.UID): of = objects[of.data]
            return of.get("NS.string", of.get("NS.data", of.get("$classname"))) if isinstance(of, dict) else of
        assert archive["$archiver"] == "NSKeyedArchiver" and [name.lower() for name in archive["$top"]] == [key]
        return {name: value(of) for name, of in objects[next(iter(archive["$top"].values())).data].items()}
    if node.kind is None: return [] if read(item) == node.content else [f"holds {brief(read(item))}"]
    stored, wrong = node.stored, []
    if node.kind == "text":
        if read(item) != stored.content: wrong.append(f"holds {brief(read(item))}, and not {brief(stored.content)}")
    elif node.kind == "photo":
        found = fields(os.path.join(item, "photo.data"), "data")
        if found["Photo"] != stored.content: wrong.append(f"holds {brief(found['Photo'])}, and not {brief(stored.content)}")
        notes = fields(os.path.join(item, "photo.metadata"), "data")
        if notes["Valise Extension"] != shown.rpartition(".")[2]: wrong.append(f"is a {notes['Valise Extension']}")
    else:
        found = fields(item, "bookmark")
        if found["Bookmark URL"] != stored.url or found["Bookmark Name"] != stem(shown): wrong.append(f"is {found}, and not {stored.url}")
        if found.get("Valise Content") != (stored.exact and stored.exact[1]): wrong.append(f"keeps {found.get('Valise Content')}, and not {stored.exact}")
    return wrong


def told(path):
    try: return {"user.valise.error": os.getxattr(path, "user.valise.error")}
    except OSError as error:
        if error.errno != errno.ENODATA: raise
        return {}


def answered(call, arguments):
    try: return call(*arguments)
    except (OSError, Refused) as error: return errno.errorcode[error.errno]


def brief(value): return f"{len(value)} bytes {bytes(value[:60])!r}" if isinstance(value, (bytes, bytearray)) else repr(value)


def main():
    valise, folder, seed, steps = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    os.umask(0)
    drive = Drive(valise, folder)
    for path in (drive.container, drive.root): os.mkdir(path)
    drive.mount()
    trial = Trial(drive, seed)
    wrong = []
    try:
        for number in range(steps):
            wrong = trial.take(trial.step())
            if not wrong and number % 500 == 499: wrong = trial.compare_all()
            if not wrong and (number % 4000 == 3999 or number == steps - 1): wrong = trial.reopen()
            if wrong:
                print(f"step {number} of seed {seed}:", *trial.history, *wrong, sep="\n  ")
                return 1
    finally:
        for slot in list(drive.files): answered(drive.close, [slot])
        drive.unmount()
    print(f"seed {seed}: {steps} steps, as the model says")
    return 0


if __name__ == "__main__": sys.exit(main())
