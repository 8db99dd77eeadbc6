"""Many threads do all that programs do to the same three documents at once.

usage: hammer.py DRIVE SEED STEPS

Prints what was answered that no program would expect, a line each. What is there at the end is whole: each document is
written once more."""

import contextlib, ctypes, errno, os, random, subprocess, sys, threading

top, seed, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
THREADS = 8
DOCUMENTS = {
    "Sunset.jpg": lambda generator: b"\xff\xd8\xff\xe0" + generator.randbytes(generator.randrange(1000, 50_000)),
    "Page.url": lambda generator: b"[InternetShortcut]\nURL=https://example.org/%d\n" % generator.randrange(10**6),
    "Notes.txt": lambda generator: b"line %d\n" % generator.randrange(10**6) * generator.randrange(1, 100),
}
# Another thread may have taken the name away. That it leads elsewhere by now (ESTALE) is said to nobody.
ABSENT = {errno.ENOENT}
# What was cut is no link or photo any more, says so to who closes it, and does not take a document's place.
UNFIT = {errno.EINVAL, errno.EMEDIUMTYPE}
EXCHANGE = 2
libc = ctypes.CDLL(None, use_errno=True)


class Expected(Exception):
    """Another thread was quicker."""


@contextlib.contextmanager
def expecting(errors):
    try:
        yield
    except OSError as error:
        if error.errno not in errors: raise
        raise Expected


class Program:
    def __init__(self, number):
        self.generator = random.Random(f"{seed} {number}")
        self.own = f"{top}/.own{number}"

    def step(self):
        name = self.generator.choice(list(DOCUMENTS))
        ways = [self.write, self.read, self.change, self.attributes, self.cut, self.replace, self.away, self.remove, self.exchange, self.move]
        way = self.generator.choice(ways)
        try:
            way(f"{top}/{name}", DOCUMENTS[name](self.generator))
        except Expected:
            pass
        except OSError as error:
            print(f"{way.__name__} of {name}, line {error.__traceback__.tb_next.tb_lineno}: {error}")

    def put(self, path, content, flags):
        with expecting({errno.EEXIST} if flags & os.O_EXCL else set()):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o644)
        with self.closing(file):
            os.write(file, content)
            with expecting(UNFIT):
                if self.generator.random() < 0.3: os.close(os.dup(file))
            if self.generator.random() < 0.5: os.fsync(file)

    @contextlib.contextmanager
    def closing(self, file):
        try:
            yield
        finally:
            with expecting(UNFIT): os.close(file)

    def write(self, path, content): self.put(path, content, os.O_TRUNC)

    def read(self, path, content):
        with expecting(ABSENT): file = open(path, "rb")
        with file: file.read()
        os.listdir(top)

    def change(self, path, content):
        with expecting(ABSENT): file = os.open(path, os.O_RDWR)
        with self.closing(file):
            os.pwrite(file, b"x", 10)
            os.fsync(file)

    def attributes(self, path, content):
        with expecting(ABSENT | {errno.ENODATA}):
            os.chmod(path, self.generator.choice([0o644, 0o600]))
            os.utime(path)
            os.setxattr(path, "user.a", b"1")
            os.getxattr(path, "user.a")

    def cut(self, path, content):
        with expecting(ABSENT): os.truncate(path, self.generator.choice([len(content), 20, 0]))

    def replace(self, path, content):
        self.put(self.own, content, os.O_TRUNC)
        os.rename(self.own, path)

    def away(self, path, content):
        with expecting(ABSENT): os.rename(path, path + "~")
        self.put(path, content, os.O_EXCL)
        with expecting(ABSENT): os.unlink(path + "~")

    def remove(self, path, content):
        with expecting(ABSENT): os.unlink(path)

    def exchange(self, path, content):
        self.put(self.own, content, os.O_TRUNC)
        with expecting(ABSENT):
            if libc.renameat2(-100, self.own.encode(), -100, path.encode(), EXCHANGE) != 0: raise OSError(ctypes.get_errno(), "renameat2")
        os.unlink(self.own)

    def move(self, path, content):
        os.makedirs(f"{top}/Album", exist_ok=True)
        with expecting(ABSENT | UNFIT):
            os.rename(path, f"{top}/Album/{os.path.basename(path)}")
            os.rename(f"{top}/Album/{os.path.basename(path)}", path)


def run(number):
    program = Program(number)
    for _ in range(steps): program.step()


threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
for thread in threads: thread.start()
# Each child has copies of what is open, and closes them.
while any(thread.is_alive() for thread in threads): subprocess.run(["true"], close_fds=True)
for name, content in DOCUMENTS.items():
    with open(f"{top}/{name}", "wb") as file: file.write(content(random.Random(seed)))
