"""Many threads do all that programs do to the same three documents at once.

usage: hammer.py DRIVE SEED STEPS

Prints what was answered that no program would expect, a line each. What is there at the end is whole: each document is
written once more."""

import ctypes, errno, os, random, subprocess, sys, threading

top, seed, steps = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
THREADS = 8
DOCUMENTS = {
    "Sunset.jpg": lambda generator: b"\xff\xd8\xff\xe0" + generator.randbytes(generator.randrange(1000, 50_000)),
    "Page.url": lambda generator: b"[InternetShortcut]\nURL=https://example.org/%d\n" % generator.randrange(10**6),
    "Notes.txt": lambda generator: b"line %d\n" % generator.randrange(10**6) * generator.randrange(1, 100),
}
# The name may be gone, or back, by the time of the call; what was cut is no document any more and says so when it is closed;
# what was set may be another file's. A name that leads elsewhere twice while it is opened is stale: see docs/SEMANTICS.md.
EXPECTED = {errno.ENOENT, errno.EEXIST, errno.EINVAL, errno.ENODATA, errno.ESTALE}
EXCHANGE = 2
libc = ctypes.CDLL(None, use_errno=True)


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
        except OSError as error:
            if error.errno not in EXPECTED: print(f"{way.__name__}: {error}")

    def put(self, path, content, flags):
        file = os.open(path, os.O_WRONLY | os.O_CREAT | flags, 0o644)
        try:
            os.write(file, content)
            if self.generator.random() < 0.3: os.close(os.dup(file))
            if self.generator.random() < 0.5: os.fsync(file)
        finally:
            os.close(file)

    def write(self, path, content): self.put(path, content, os.O_TRUNC)

    def read(self, path, content):
        with open(path, "rb") as file: file.read()
        os.listdir(top)

    def change(self, path, content):
        file = os.open(path, os.O_RDWR)
        try:
            os.pwrite(file, b"x", 10)
            os.fsync(file)
        finally:
            os.close(file)

    def attributes(self, path, content):
        os.chmod(path, self.generator.choice([0o644, 0o600]))
        os.utime(path)
        os.setxattr(path, "user.a", b"1")
        os.getxattr(path, "user.a")

    def cut(self, path, content): os.truncate(path, self.generator.choice([len(content), 20, 0]))

    def replace(self, path, content):
        self.put(self.own, content, os.O_TRUNC)
        os.rename(self.own, path)

    def away(self, path, content):
        os.rename(path, path + "~")
        self.put(path, content, os.O_EXCL)
        os.unlink(path + "~")

    def remove(self, path, content): os.unlink(path)

    def exchange(self, path, content):
        self.put(self.own, content, os.O_TRUNC)
        if libc.renameat2(-100, self.own.encode(), -100, path.encode(), EXCHANGE) != 0: raise OSError(ctypes.get_errno(), "renameat2")
        os.unlink(self.own)

    def move(self, path, content):
        os.makedirs(f"{top}/Album", exist_ok=True)
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
