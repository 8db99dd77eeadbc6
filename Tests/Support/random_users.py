"""Random calls by root, an owner, a member of a group and another user, on a drive that all may use and in a plain folder: each answers the same.

    random_users.py DRIVE FOLDER SEED COUNT

As root. DRIVE is a drive with allow_other and acl, FOLDER an empty folder on the same file system as its container. With access control lists,
set-id bits, sticky folders and open files. After each call what it was about is compared, too: owner, group, permissions, size and lists."""

import errno, os, random, stat, struct, sys

drive, plain, seed, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
r = random.Random(seed)
# Number, group, further groups.
USERS = [(0, 0, []), (2001, 2001, [2010]), (2002, 2002, [2010]), (2003, 2003, [])]
GROUPS = [0, 2001, 2002, 2003, 2010]
FILES, FOLDERS = ["f0", "f1", "f2"], ["d0", "d1"]
PATHS = FILES + FOLDERS + [f"{folder}/{name}" for folder in FOLDERS for name in FILES[:2] + ["e"]]
held = {}


def seek(file, offset, whence):
    facts = os.fstat(file)
    if not stat.S_ISREG(facts.st_mode):
        return None
    if whence in (os.SEEK_DATA, os.SEEK_HOLE) and 0 <= offset < facts.st_size:
        # Of what is allocated and was never written, ext4 takes for data what somebody has read a moment ago, a drive for example.
        return None
    return os.lseek(file, offset, whence)


def become(user):
    os.seteuid(0)
    os.setegid(0)
    os.setgroups(user[2])
    os.setegid(user[1])
    os.seteuid(user[0])


def access_list():
    """user::, user:N:, group::, group:N:, mask::, other:: as the kernel takes it."""
    entries = [(1, r.randrange(8), 0xFFFFFFFF)]
    if r.random() < 0.7: entries.append((2, r.randrange(8), r.choice([2001, 2002, 2003])))
    entries.append((4, r.randrange(8), 0xFFFFFFFF))
    if r.random() < 0.4: entries.append((8, r.randrange(8), 2010))
    if len(entries) > 2: entries.append((16, r.randrange(8), 0xFFFFFFFF))
    entries.append((32, r.randrange(8), 0xFFFFFFFF))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def call():
    """A call as a function of a top folder and of the files that are open there."""
    path, other = r.choice(PATHS), r.choice(PATHS)
    mode = r.choice([0o600, 0o644, 0o640, 0o755, 0o777, 0o000, 0o4755, 0o2755, 0o6777, 0o1777, 0o2775, 0o711, 0o666])
    owner, group = r.choice([-1, -1, 0, 2001, 2002, 2003]), r.choice([-1, -1] + GROUPS)
    # Who changes neither cannot be told from who writes, of which the kernel has set-id bits taken away (docs/SEMANTICS.md): that is tried alone.
    if owner == group == -1: group = 2003
    slot, size = r.choice("xyz"), r.randrange(100)
    list_, name = access_list(), r.choice(["system.posix_acl_access", "system.posix_acl_access", "system.posix_acl_default"])
    flags = r.choice([os.O_RDONLY, os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC, os.O_RDWR | os.O_CREAT, os.O_WRONLY | os.O_CREAT | os.O_EXCL, os.O_RDONLY | os.O_TRUNC])
    what = r.choice(["access", "stat", "nothing"])
    times = r.choice([None, (1000, 2000)])

    def open_(top, files):
        file = os.open(f"{top}/{path}", flags | os.O_NONBLOCK, mode & 0o777)
        if slot in files: os.close(files.pop(slot))
        files[slot] = file

    def on(files):
        if slot not in files: raise OSError(errno.EBADF, "not open")
        return files[slot]

    calls = {
        "open": open_,
        "mkdir": lambda top, files: os.mkdir(f"{top}/{path}", mode & 0o1777),
        "rmdir": lambda top, files: os.rmdir(f"{top}/{path}"),
        "unlink": lambda top, files: os.unlink(f"{top}/{path}"),
        "rename": lambda top, files: os.rename(f"{top}/{path}", f"{top}/{other}"),
        "link": lambda top, files: os.link(f"{top}/{path}", f"{top}/{other}", follow_symlinks=False),
        "symlink": lambda top, files: os.symlink("nowhere", f"{top}/{path}"),
        "mkfifo": lambda top, files: os.mkfifo(f"{top}/{path}", mode & 0o777),
        "chmod": lambda top, files: os.chmod(f"{top}/{path}", mode),
        "chown": lambda top, files: os.chown(f"{top}/{path}", owner, group),
        "lchown": lambda top, files: os.lchown(f"{top}/{path}", owner, group),
        "utime": lambda top, files: os.utime(f"{top}/{path}", times),
        "truncate": lambda top, files: os.truncate(f"{top}/{path}", size),
        "access": lambda top, files: os.access(f"{top}/{path}", r_access, effective_ids=True),
        "listdir": lambda top, files: sorted(os.listdir(f"{top}/{path}")),
        "setxattr": lambda top, files: os.setxattr(f"{top}/{path}", name, list_),
        "removexattr": lambda top, files: os.removexattr(f"{top}/{path}", name),
        "getxattr": lambda top, files: os.getxattr(f"{top}/{path}", name),
        "set user.x": lambda top, files: os.setxattr(f"{top}/{path}", "user.x", b"1"),
        "get user.x": lambda top, files: os.getxattr(f"{top}/{path}", "user.x"),
        "write": lambda top, files: os.write(on(files), b"x" * size),
        "read": lambda top, files: len(os.pread(on(files), 100, 0)),
        "ftruncate": lambda top, files: os.ftruncate(on(files), size),
        "fchmod": lambda top, files: os.fchmod(on(files), mode),
        "fchown": lambda top, files: os.fchown(on(files), owner, group),
        "futimens": lambda top, files: os.utime(on(files), times),
        "fsetxattr": lambda top, files: os.setxattr(on(files), "system.posix_acl_access", list_),
        "fremovexattr": lambda top, files: os.removexattr(on(files), name),
        "fgetxattr": lambda top, files: os.getxattr(on(files), name),
        "fset user.x": lambda top, files: os.setxattr(on(files), "user.x", b"2"),
        "fallocate": lambda top, files: os.posix_fallocate(on(files), 0, size + 1),
        "fsync": lambda top, files: os.fsync(on(files)),
        "flist": lambda top, files: sorted(os.listdir(on(files))),
        # Names in a folder that is open: whoever has it open does not look at it again.
        "openat": lambda top, files: os.close(os.open(name_in, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, mode & 0o777, dir_fd=on(files))),
        "statat": lambda top, files: os.stat(name_in, dir_fd=on(files), follow_symlinks=False).st_uid,
        "unlinkat": lambda top, files: os.unlink(name_in, dir_fd=on(files)),
        "flistxattr": lambda top, files: sorted(n for n in os.listxattr(on(files)) if n.startswith(("user.", "system."))),
        # Where in a folder one is, is another number on each file system.
        "lseek": lambda top, files: seek(on(files), r_offset, r_whence),
        "close": lambda top, files: os.close(files.pop(slot)) if slot in files else None,
    }
    name_in = r.choice(FILES[:2] + ["e"])
    r_access, r_offset, r_whence = r.choice([os.R_OK, os.W_OK, os.X_OK, 7]), r.choice([-1, 0, 5, 1000]), r.choice([os.SEEK_SET, os.SEEK_END, os.SEEK_DATA, os.SEEK_HOLE])
    word = r.choice(list(calls))
    told = f"{word} {path} {other if word in ('rename', 'link') else ''} mode={mode:o} {owner}:{group} flags={flags:o} slot={slot} size={size} {name} {list_.hex()}"
    return told, word, calls[word], path, other


def answered(function, top, files):
    try: answer = function(top, files)
    except OSError as error: return errno.errorcode.get(error.errno, error.errno)
    return None if isinstance(answer, int) and function.__name__ == "open_" else answer


def told_of(top, path):
    """What root sees."""
    try: status = os.lstat(f"{top}/{path}")
    except OSError as error: return error.errno
    lists = []
    for name in ("system.posix_acl_access", "system.posix_acl_default"):
        try: lists.append(os.getxattr(f"{top}/{path}", name, follow_symlinks=False))
        except OSError: lists.append(None)
    size = status.st_size if stat.S_ISREG(status.st_mode) else 0
    return stat.filemode(status.st_mode), oct(status.st_mode), status.st_uid, status.st_gid, size, status.st_nlink if stat.S_ISREG(status.st_mode) else 1, lists


os.umask(0o022)
tops = [drive, plain]
for top in tops: os.chmod(top, 0o1777)
files, history, calls = [{}, {}], [], 0
while calls < count:
    user = r.choice(USERS)
    told, word, function, path, other = call()
    calls += 1
    become(user)
    answers = [answered(function, tops[side], files[side]) for side in (0, 1)]
    become(USERS[0])
    history = (history + [f"{user[0]}: {told} → {answers[1]}"])[-25:]
    states = [[told_of(top, p) for p in (path, other, path.split("/")[0], "nowhere", path.split("/")[0] + "/nowhere")] for top in tops]
    if answers[0] != answers[1] or states[0] != states[1]:
        print("\n".join(history))
        sys.exit(f"call {calls} of seed {seed}: the drive answered {answers[0]}, the folder {answers[1]}\n{states[0]}\n{states[1]}")
print(f"{calls} calls: all alike")
