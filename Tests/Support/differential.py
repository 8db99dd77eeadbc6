"""Does the same random calls on a drive and in a plain folder, and compares what came of them.

usage: differential.py DRIVE FOLDER SEED STEPS

After each step the errors must be the same, and so must both trees: names, types, modes, owners, sizes, contents,
which names are links to one file, extended attributes, and times where a call has set them.
"""
import ctypes, errno, os, random, stat, sys

libc = ctypes.CDLL(None, use_errno=True)
NOREPLACE, EXCHANGE = 1, 2
KEEP_SIZE, PUNCH_HOLE, ZERO_RANGE = 1, 2, 16
AT_FDCWD = -100
LONG_AGO = 1_600_000_000


def renameat2(old, new, flags):
    if libc.renameat2(AT_FDCWD, os.fsencode(old), AT_FDCWD, os.fsencode(new), flags) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


def fallocate(descriptor, mode, offset, length):
    if libc.fallocate(descriptor, mode, ctypes.c_long(offset), ctypes.c_long(length)) != 0:
        raise OSError(ctypes.get_errno(), "fallocate")


class Side:
    """One of the two folders, with the files that are open in it."""

    def __init__(self, root):
        self.root = root
        self.files = {}

    def path(self, name):
        return os.path.join(self.root, name)


# What can be done: each takes a side and values that were drawn before, and returns what must be the same.

def make_file(side, name, flags, mode):
    os.close(os.open(side.path(name), os.O_CREAT | os.O_NONBLOCK | flags, mode))

def open_file(side, slot, name, flags, mode):
    descriptor = os.open(side.path(name), flags | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    if slot in side.files:
        os.close(side.files.pop(slot))
    side.files[slot] = descriptor

def close_file(side, slot):
    os.close(side.files.pop(slot))

def write_file(side, slot, offset, data):
    return os.pwrite(side.files[slot], data, offset)

def append_file(side, name, data):
    descriptor = os.open(side.path(name), os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK)
    try:
        return os.write(descriptor, data), os.lseek(descriptor, 0, os.SEEK_CUR)
    finally:
        os.close(descriptor)

def read_file(side, slot, offset, count):
    return os.pread(side.files[slot], count, offset)

def truncate_open(side, slot, size):
    os.ftruncate(side.files[slot], size)

def truncate_name(side, name, size):
    os.truncate(side.path(name), size)

def allocate(side, slot, mode, offset, length):
    fallocate(side.files[slot], mode, offset, length)

def seek(side, slot, offset, whence):
    # Where a folder's end is, is its file system's own affair.
    if not stat.S_ISREG(os.fstat(side.files[slot]).st_mode): return None
    return os.lseek(side.files[slot], offset, whence)

def status_open(side, slot):
    return facts(os.fstat(side.files[slot]))

def chmod_open(side, slot, mode):
    os.fchmod(side.files[slot], mode)

def touch_open(side, slot, seconds):
    os.utime(side.files[slot], (seconds, seconds))

def sync_open(side, slot):
    os.fsync(side.files[slot])

def copy_range(side, slot, other, offset, to, count):
    return os.copy_file_range(side.files[slot], side.files[other], count, offset, to)

def set_attribute_open(side, slot, key, value):
    os.setxattr(side.files[slot], key, value)

def get_attribute_open(side, slot, key):
    return os.getxattr(side.files[slot], key)

def link_open(side, slot, name):
    # Python follows the link in /proc only where a folder is given.
    os.link(f"/proc/self/fd/{side.files[slot]}", side.path(name), src_dir_fd=side.files[slot], follow_symlinks=True)

def make_folder(side, name, mode):
    os.mkdir(side.path(name), mode)

def remove_folder(side, name):
    os.rmdir(side.path(name))

def unlink(side, name):
    os.unlink(side.path(name))

def rename(side, old, new, flags):
    renameat2(side.path(old), side.path(new), flags)

def link(side, old, new):
    os.link(side.path(old), side.path(new), follow_symlinks=False)

def symbolic_link(side, target, name):
    os.symlink(target, side.path(name))

def make_node(side, name, mode, device):
    os.mknod(side.path(name), mode, device)

def chmod(side, name, mode):
    os.chmod(side.path(name), mode)

def chown(side, name, user, group):
    os.chown(side.path(name), user, group, follow_symlinks=False)

def touch(side, name, accessed, modified):
    os.utime(side.path(name), (accessed, modified), follow_symlinks=False)

def touch_now(side, name):
    os.utime(side.path(name), follow_symlinks=False)

def set_attribute(side, name, key, value, flags):
    os.setxattr(side.path(name), key, value, flags, follow_symlinks=False)

def remove_attribute(side, name, key):
    os.removexattr(side.path(name), key, follow_symlinks=False)

def list_folder(side, name):
    return sorted(os.listdir(side.path(name)))

def status(side, name):
    return facts(os.lstat(side.path(name)))


def facts(status):
    """What must be the same on both sides. A time counts where a call has set it."""
    kind = stat.S_IFMT(status.st_mode)
    modified = status.st_mtime_ns if status.st_mtime < LONG_AGO + 1_000_000 else "now"
    # What goes through a pipe or into a device never reaches a file system.
    if kind not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK): modified = None
    size = status.st_size if kind in (stat.S_IFREG, stat.S_IFLNK) else None
    return oct(status.st_mode), status.st_nlink, status.st_uid, status.st_gid, size, modified, status.st_rdev


def tree(side):
    found, links = {}, {}

    def visit(path, shown):
        status = os.lstat(path)
        entry = [facts(status)]
        if stat.S_ISDIR(status.st_mode):
            names = sorted(os.listdir(path))
            entry.append(names)
        elif stat.S_ISLNK(status.st_mode):
            entry.append(os.readlink(path))
        elif stat.S_ISREG(status.st_mode):
            with open(path, "rb") as file:
                entry.append(file.read())
        if status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
            entry.append(("linked with", links.setdefault(status.st_ino, shown)))
        if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
            entry.append([(key, os.getxattr(path, key)) for key in sorted(os.listxattr(path))])
        found[shown] = entry
        if stat.S_ISDIR(status.st_mode):
            for name in names:
                visit(os.path.join(path, name), os.path.join(shown, name))

    visit(side.root, "")
    # The folders' own parents are others.
    return found


class Draw:
    """Random values, from one seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = ["a", "b", "c.dat", "d", "e.c", ".f"]
        self.open = set()
        self.known = [""]

    def name(self):
        if self.random.random() < 0.6 and len(self.known) > 1:
            return self.random.choice(self.known[1:])
        folders = [name for name in self.known if name.count("/") < 2] or [""]
        return os.path.join(self.random.choice(folders), self.random.choice(self.names))

    def mode(self):
        return self.random.choice([0o644, 0o600, 0o755, 0o777, 0o400, 0o4755, 0o2755, 0o1777, 0o000, 0o666])

    def data(self):
        return self.random.randbytes(self.random.choice([0, 1, 3, 100, 4096, 5000, 20000]))

    def offset(self):
        return self.random.choice([0, 0, 1, 10, 4095, 4096, 9000, 70000])

    def seconds(self):
        return LONG_AGO + self.random.randrange(1000)

    def slot(self):
        return self.random.choice(sorted(self.open)) if self.open else None

    def key(self):
        return self.random.choice(["user.one", "user.two", "user.x" * 3])

    def step(self):
        r = self.random
        flags = r.choice([os.O_RDWR, os.O_RDWR, os.O_WRONLY, os.O_RDONLY]) | r.choice([0, os.O_CREAT, os.O_CREAT]) | r.choice(
            [0, 0, 0, os.O_TRUNC, os.O_EXCL, os.O_APPEND, os.O_NOFOLLOW, os.O_DIRECTORY])
        # Exclusive without creating is not defined, and neither is creating a folder.
        if not flags & os.O_CREAT: flags &= ~os.O_EXCL
        if flags & os.O_DIRECTORY == os.O_DIRECTORY: flags &= ~os.O_CREAT
        target = r.choice(["a", "b", "../a", "nowhere", "c.dat", ".", "d/a"])
        choices = [
            (6, lambda: (make_file, self.name(), r.choice([os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_RDWR | os.O_EXCL]), self.mode())),
            (8, lambda: (open_file, r.randrange(5), self.name(), flags, self.mode())),
            (3, lambda: (append_file, self.name(), self.data())),
            (2, lambda: (truncate_name, self.name(), self.offset())),
            (6, lambda: (make_folder, self.name(), self.mode())),
            (4, lambda: (remove_folder, self.name())),
            (5, lambda: (unlink, self.name())),
            (10, lambda: (rename, self.name(), self.name(), r.choice([0, 0, 0, NOREPLACE, EXCHANGE, NOREPLACE | EXCHANGE]))),
            (6, lambda: (link, self.name(), self.name())),
            (3, lambda: (symbolic_link, target, self.name())),
            (2, lambda: (make_node, self.name(), r.choice([stat.S_IFIFO, stat.S_IFSOCK, stat.S_IFREG]) | self.mode() & 0o777, os.makedev(1, 3))),
            (4, lambda: (chmod, self.name(), self.mode())),
            (3, lambda: (chown, self.name(), r.choice([-1, 0, 1000, 33]), r.choice([-1, 0, 1000, 50]))),
            (4, lambda: (touch, self.name(), self.seconds(), self.seconds())),
            (1, lambda: (touch_now, self.name())),
            (3, lambda: (set_attribute, self.name(), self.key(), r.randbytes(r.choice([0, 5, 300])), r.choice([0, 0, 1, 2]))),
            (2, lambda: (remove_attribute, self.name(), self.key())),
            (2, lambda: (list_folder, self.name())),
            (2, lambda: (status, self.name())),
        ]
        if self.open:
            slot = self.slot()
            choices += [
                (10, lambda: (write_file, slot, self.offset(), self.data())),
                (4, lambda: (read_file, slot, self.offset(), r.choice([0, 1, 5000, 100000]))),
                (3, lambda: (truncate_open, slot, self.offset())),
                (3, lambda: (allocate, slot, r.choice([0, KEEP_SIZE, KEEP_SIZE | PUNCH_HOLE, ZERO_RANGE]), self.offset(), r.choice([1, 4096, 10000]))),
                (3, lambda: (seek, slot, self.offset(), os.SEEK_END)),
                (3, lambda: (status_open, slot)),
                (2, lambda: (chmod_open, slot, self.mode())),
                (2, lambda: (touch_open, slot, self.seconds())),
                (1, lambda: (sync_open, slot)),
                (2, lambda: (copy_range, slot, self.slot(), self.offset(), self.offset(), r.choice([10, 8192]))),
                (2, lambda: (set_attribute_open, slot, self.key(), b"open")),
                (2, lambda: (get_attribute_open, slot, self.key())),
                (2, lambda: (link_open, slot, self.name())),
                (3, lambda: (close_file, slot)),
            ]
        weights, makers = zip(*choices)
        return r.choices(makers, weights)[0]()


def outcome(side, deed, values):
    try:
        return "ok", deed(side, *values)
    except OSError as error:
        return errno.errorcode.get(error.errno, error.errno), None


def shortened(value):
    text = repr(value)
    return text if len(text) < 300 else text[:300] + "…"


def differences(ours, native):
    for name in sorted(set(ours) | set(native)):
        if ours.get(name) != native.get(name):
            yield f"  {name!r}:\n    drive:  {shortened(ours.get(name))}\n    folder: {shortened(native.get(name))}"


def main():
    drive, folder, seed, steps = Side(sys.argv[1]), Side(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    os.umask(0o022)
    draw = Draw(seed)
    history = []
    for number in range(steps):
        deed, *values = draw.step()
        history.append(f"{number}: {deed.__name__}{shortened(tuple(values))}")
        ours, native = outcome(drive, deed, values), outcome(folder, deed, values)
        draw.open = set(folder.files)
        history[-1] += f" -> {shortened(native)}"
        after, right = tree(drive), tree(folder)
        draw.known = list(right)
        wrong = list(differences(after, right))
        if ours != native: wrong.insert(0, f"  result: drive {shortened(ours)}, folder {shortened(native)}")
        if set(drive.files) != set(folder.files): wrong.append("  other files are open")
        if wrong:
            print(f"seed {seed}:", *history[-25:], "differ:", *wrong, sep="\n")
            return 1
    return 0


sys.exit(main())
