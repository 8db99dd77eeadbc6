"""Plays the owner of a container who exchanges names below the drive, to get at what is another user's.

usage: [VALISE=PROGRAM] exchange_attack.py DRIVE DOCUMENTS TRIES [ATTACK...]

DOCUMENTS is the folder that DRIVE shows, served by root for everybody. Ann owns it; Bob keeps private things in it. In each
try Ann makes the kernel remember something of hers, exchanges it with Bob's, and calls at once: half of the tries one by one,
the other half while a second process of hers exchanges the two all the time. Bob's things are looked at by root. With PROGRAM
root also gives Bob's document back what it was, at a tenth of the tries, for each is a process.
Prints a line for each attack and exits with the number of those that got through.
"""
import ctypes, hashlib, os, plistlib, random, shutil, signal, stat, subprocess, sys, time

ANN, BOB = 5001, 5002
SECRET, MINE = b"SECRET of Bob's", b"Ann's own words"
PHOTO = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d4944415478da63f8ffff3f0005fe02fea7569c160000000049454e44ae426082")
libc = ctypes.CDLL(None, use_errno=True)
drive, documents, tries = sys.argv[1], sys.argv[2], int(sys.argv[3])


def exchange(one, other):
    libc.renameat2(-100, os.fsencode(f"{documents}/{one}"), -100, os.fsencode(f"{documents}/{other}"), 2)


def become(user):
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.umask(0o022)


def as_user(user, body):
    """What body returns, as an exit code."""
    child = os.fork()
    if child == 0:
        try:
            become(user)
            code = body() or 0
        except BaseException as problem:
            print(f"{problem!r}", file=sys.stderr)
            code = 99
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def put(path, content, owner, mode):
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, mode)
    os.chown(path, owner, owner)


def quietly(call, *arguments):
    try:
        return call(*arguments)
    except OSError:
        return None


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, flags=os.O_WRONLY):
    file = os.open(path, flags)
    try:
        os.write(file, b"EVIL")
    finally:
        os.close(file)


# Each takes the path on the drive of what is exchanged, and a number; and answers whether it got at something.
FILES = {
    "read": lambda path, n: SECRET in (quietly(read, path) or b""),
    "write": lambda path, n: quietly(write, path),
    "cut": lambda path, n: quietly(write, path, os.O_WRONLY | os.O_TRUNC),
    "truncate": lambda path, n: quietly(os.truncate, path, 0),
    "chmod": lambda path, n: quietly(os.chmod, path, 0o4777),
    "chown": lambda path, n: quietly(os.chown, path, -1, ANN),
    "utime": lambda path, n: quietly(os.utime, path, (1, 1)),
    "set attribute": lambda path, n: quietly(os.setxattr, path, "user.evil", b"x"),
    "get attribute": lambda path, n: quietly(os.getxattr, path, "user.secret") == SECRET,
    "link": lambda path, n: quietly(os.link, path, f"{drive}/got-{n}"),
}
FOLDERS = {
    "list": lambda path, n: "secret" in (quietly(os.listdir, path) or []),
    "read inside": lambda path, n: SECRET in (quietly(read, path + "/inside") or b""),
    "unlink": lambda path, n: quietly(os.unlink, path + "/inside"),
    "rename": lambda path, n: quietly(os.rename, path + "/inside", path + f"/moved-{n}"),
    "rename out": lambda path, n: quietly(os.rename, path + "/inside", f"{drive}/out-{n}"),
    "create": lambda path, n: quietly(write, path + "/new", os.O_WRONLY | os.O_CREAT),
    "make folder": lambda path, n: quietly(os.mkdir, path + "/folder"),
    "remove folder": lambda path, n: quietly(os.rmdir, path + "/below"),
}
DOCUMENTS = {
    "read a document": lambda path, n: SECRET in (quietly(read, path) or b""),
    "write a document": lambda path, n: quietly(write, path),
    "rewrite a document": lambda path, n: quietly(write, path, os.O_WRONLY | os.O_TRUNC),
    "chmod a document": lambda path, n: quietly(os.chmod, path, 0o777),
    "chown a document": lambda path, n: quietly(os.chown, path, -1, ANN),
}

PHOTOS = {
    "read a photo": lambda path, n: SECRET in (quietly(read, path) or b""),
    "write a photo": lambda path, n: quietly(write, path),
    "read a thumbnail": lambda path, n: SECRET in (quietly(read, thumbnail(path)) or b""),
}
VERSIONS = {"read an earlier version": lambda path, n: holds_secret(path)}
COPIES = {"read a copy of a conflict": lambda path, n: holds_secret(path)}


def holds_secret(document):
    """Whether a version of it does, of those that may be read."""
    folder = f"{drive}/.valise/versions/{os.path.basename(document)}"
    return any(SECRET in (quietly(read, f"{folder}/{name}") or b"") for name in quietly(os.listdir, folder) or [])


def thumbnail(path):
    folder, name = os.path.split(path)
    return f"{folder}/.sh_thumbnails/normal/{hashlib.md5(b'./' + os.fsencode(name)).hexdigest()}.png"


def archive(part, **fields):
    """A keyed archive with one object, as the photo keeper writes it."""
    objects = ["$null", {"Version": 1}]
    for key, value in fields.items():
        objects[1][key] = plistlib.UID(len(objects))
        objects.append(value)
    objects[1]["$class"] = plistlib.UID(len(objects))
    objects.append({"$classname": part, "$classes": [part, "NSObject"]})
    top = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"Data": plistlib.UID(1)}, "$objects": objects}
    return plistlib.dumps(top, fmt=plistlib.FMT_BINARY)


def facts(file):
    status = os.fstat(file)
    return (
        stat.filemode(status.st_mode), status.st_uid, status.st_gid, status.st_nlink, status.st_size, status.st_mtime_ns,
        os.pread(file, 100, 0), sorted(os.listxattr(f"/proc/self/fd/{file}")))


def inside(folder):
    return sorted(os.listdir(folder))


class Files:
    """Two plain files, or two documents that lie in the container under other names."""
    pause = 0

    def __init__(self, suffix=""):
        self.mine, self.theirs, self.shown = "mine" + suffix, "theirs" + suffix, "mine.txt" if suffix else "mine"

    def make(self):
        put(f"{documents}/{self.mine}", MINE, ANN, 0o666)
        path = f"{documents}/{self.theirs}"
        put(path, SECRET, BOB, 0o600)
        os.setxattr(path, "user.secret", SECRET)
        self.file = os.open(path, os.O_RDONLY)
        self.before = facts(self.file)

    def harmed(self):
        now = facts(self.file)
        os.close(self.file)
        # Ann may take names out of her own folder, and what a save replaces there is kept as it was, as a version.
        if now[3] == 0 or self.shown != "mine":
            now = now[:3] + self.before[3:4] + now[4:]
        return None if now == self.before else f"{self.before} became {now}"

    def look(self, path):
        quietly(read, path)


class Folders:
    """Two folders with the same names in them."""
    mine, theirs, shown = "mine", "theirs", "mine"
    pause = 0

    def make(self):
        for folder, owner, mode, content in [("mine", ANN, 0o755, MINE), ("theirs", BOB, 0o700, SECRET)]:
            path = f"{documents}/{folder}"
            os.mkdir(path)
            os.mkdir(path + "/below")
            put(path + "/inside", content, owner, 0o644)
            for made in [path, path + "/below"]:
                os.chmod(made, mode)
                os.chown(made, owner, owner)
        put(f"{documents}/theirs/secret", SECRET, BOB, 0o600)
        self.folder = os.open(f"{documents}/theirs", os.O_RDONLY)
        self.before = inside(self.folder)

    def harmed(self):
        now = inside(self.folder)
        os.close(self.folder)
        return None if now == self.before else f"{self.before} became {now}"

    def look(self, path):
        quietly(os.listdir, path)


class Photos(Files):
    """Two photos: packages, with a thumbnail each."""
    mine, theirs, shown = "mine.ptk", "theirs.ptk", "mine.png"

    def __init__(self):
        pass

    def make(self):
        for folder, owner, mode, words in [(self.mine, ANN, 0o644, MINE), (self.theirs, BOB, 0o600, SECRET)]:
            path = f"{documents}/{folder}"
            os.mkdir(path)
            put(path + "/photo.data", archive("PhotoKeeper.PhotoData", Photo=PHOTO + words), owner, mode)
            put(path + "/photo.metadata", archive("PhotoKeeper.PhotoMetadata", Thumbnail=PHOTO + words), owner, mode)
            os.chown(path, owner, owner)
            os.chmod(path, mode | (mode & 0o444) >> 2)
        self.file = os.open(f"{documents}/{self.theirs}/photo.data", os.O_RDONLY)
        self.before = facts(self.file)


class Versions(Files):
    """Two documents that were something else before, and Bob's was private then as now."""
    # For each look the drive goes through all that it was told of until then.
    pause = 0.002

    def __init__(self):
        super().__init__(".stedoc")

    def make(self):
        super().make()
        for user, name in [(ANN, "mine"), (BOB, "theirs")]:
            as_user(user, lambda: put_on_drive(f"{name}.txt", SECRET if user == BOB else MINE))
        os.close(self.file)
        self.file = os.open(f"{documents}/{self.theirs}", os.O_RDONLY)
        self.before = facts(self.file)

    def look(self, path):
        holds_secret(path)


class Copies(Versions):
    """A copy that a program made for a document of Ann's that two have changed, and a document of Bob's."""

    def __init__(self):
        super().__init__()
        self.mine, self.shown = "open.sync-conflict-20260101-120000-AAAAAAA.stedoc", "open.txt"

    def make(self):
        Files.make(self)
        put(f"{documents}/open.stedoc", MINE, ANN, 0o666)


def put_on_drive(name, content):
    with open(f"{drive}/{name}", "wb") as file:
        file.write(content + b" again")


def racing(things, pause):
    """A process of Ann's that exchanges them until it is ended, each time after a pause of so many seconds or a shorter one."""
    racer = os.fork()
    if racer == 0:
        if os.getuid() == 0:
            become(ANN)
        while True:
            exchange(things.mine, things.theirs)
            time.sleep(random.random() * pause)
    return racer


def end(process):
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def restore(program):
    """Root restores Bob's document, over and over. What is Bob's is never in something that Ann may read."""
    things = Versions()
    things.make()
    os.close(things.file)
    path = f"{documents}/{things.theirs}"
    first = subprocess.run([program, "versions", "-q", path], capture_output=True, text=True).stdout.split()[0]
    done = 0
    # Some of them are to succeed, and each takes as long as a program starts.
    racer = racing(things, 0.05)
    try:
        for number in range(max(2, tries // 10)):
            done += subprocess.run([program, "restore", path, first], capture_output=True).returncode == 0
            if as_user(ANN, lambda: any(SECRET in (quietly(read, f"{place}/{name}") or b"") for place, name in seen_by_ann(things))):
                return f"got through ({number})"
    finally:
        end(racer)
    return "held" if done else "was not done once"


def seen_by_ann(things):
    names = [(documents, name) for name in (things.mine, things.theirs)]
    return names + [(drive, "mine.txt"), (drive, "theirs.txt")]


def attack(things, call):
    path = f"{drive}/{things.shown}"
    got, taken = 0, 0
    for number in range(tries // 2):
        things.look(path)
        quietly(os.stat, path)
        exchange(things.mine, things.theirs)
        begin = time.perf_counter()
        got += bool(call(path, number))
        taken += time.perf_counter() - begin
        exchange(things.mine, things.theirs)
    # Each call meets an exchange or two. Where many more come than calls are made, as on a busy machine, the drive does nothing but follow them.
    racer = racing(things, max(taken / (tries // 2), things.pause))
    try:
        for number in range(tries // 2):
            got += bool(call(path, tries + number))
    finally:
        end(racer)
    return 1 if got else 0


def clear():
    for name in os.listdir(documents):
        if name.startswith(".valise"):
            continue
        path = f"{documents}/{name}"
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)


through = 0
KINDS = [(FILES, Files), (FOLDERS, Folders), (DOCUMENTS, lambda: Files(".stedoc")), (PHOTOS, Photos), (VERSIONS, Versions), (COPIES, Copies)]
for table, kind in KINDS:
    for name, call in table.items():
        if sys.argv[4:] and name not in sys.argv[4:]:
            continue
        clear()
        things = kind()
        things.make()
        got = as_user(ANN, lambda: attack(things, call))
        harm = things.harmed()
        if got or harm:
            through += 1
        print(f"{name}: " + (f"got through ({got}) {harm or ''}" if got or harm else "held"), flush=True)
if "VALISE" in os.environ and (not sys.argv[4:] or "restore" in sys.argv[4:]):
    clear()
    outcome = restore(os.environ["VALISE"])
    through += outcome != "held"
    print(f"restore: {outcome}", flush=True)
clear()
sys.exit(min(through, 90))
