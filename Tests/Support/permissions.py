"""Lets several users do the same on a drive and in a plain folder, and compares what came of it.

usage: permissions.py DRIVE FOLDER [acl]

Each row of the table is done in a fresh folder on both sides, by one user after another. The errors must be the same, and
so must what is in the folder then: names, types, modes, owners, groups, sizes, link counts and access control lists.
"""
import ctypes, errno, os, shutil, stat, subprocess, sys

libc = ctypes.CDLL(None, use_errno=True)

ROOT, ANN, BEN, CAT, FAR = range(5)
# user, group, other groups: Ann and Ben share group 5003 among their other ones, Cat has it as her own.
PEOPLE = {
    ROOT: (0, 0, []), ANN: (5001, 5001, [5001, 5003]), BEN: (5002, 5002, [5003]), CAT: (5004, 5003, []), FAR: (5005, 5005, []),
}
TEAM = 5003


def write(path, data=b"x", flags=os.O_WRONLY, mode=0o666):
    file = os.open(path, flags, mode)
    try:
        os.write(file, data)
    finally:
        os.close(file)


def create(path, mode=0o666):
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def nameless(folder, path):
    file = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
    os.link(f"/proc/self/fd/{file}", path, src_dir_fd=file, follow_symlinks=True)
    os.close(file)


def program(path):
    """Something that can be run."""
    shutil.copyfile("/bin/true", path)


def execute(path):
    return subprocess.run([path]).returncode


def allocate(path, mode):
    file = os.open(path, os.O_WRONLY)
    try:
        if libc.fallocate(file, mode, ctypes.c_long(0), ctypes.c_long(10)) != 0:
            raise OSError(ctypes.get_errno(), "fallocate")
    finally:
        os.close(file)


def exchange(old, new):
    if libc.renameat2(-100, os.fsencode(old), -100, os.fsencode(new), 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


def entry(tag, permissions, who=0xFFFFFFFF):
    return tag.to_bytes(2, "little") + permissions.to_bytes(2, "little") + who.to_bytes(4, "little")


def access_list(owner, group, other, users={}, groups={}, mask=None):
    """An access control list as the kernel takes it."""
    parts = [entry(1, owner)] + [entry(2, p, u) for u, p in sorted(users.items())] + [entry(4, group)]
    parts += [entry(8, p, g) for g, p in sorted(groups.items())]
    if mask is not None:
        parts.append(entry(16, mask))
    return (2).to_bytes(4, "little") + b"".join(parts) + entry(32, other)


ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"

# Name: steps, each (who, what to do). "." stands for the row's folder, which is root's with mode 0755.
ROWS = {
    "what a user makes is theirs": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./file"), (ANN, os.mkdir, "./folder"), (ANN, os.symlink, "to", "./link"),
        (ANN, os.mkfifo, "./pipe"), (ANN, os.mknod, "./node", 0o640 | stat.S_IFREG), (ANN, nameless, ".", "./named")],
    "no right to write": [
        (ANN, create, "./file"), (ANN, os.mkdir, "./folder"), (ANN, nameless, ".", "./named"), (ROOT, create, "./roots"),
        (ANN, os.unlink, "./roots"), (ANN, os.rename, "./roots", "./new"), (ANN, write, "./roots"), (ANN, os.link, "./roots", "./again")],
    "only another group has the right": [
        (ROOT, os.chown, ".", 0, TEAM), (ROOT, os.chmod, ".", 0o770), (ANN, create, "./ann"), (BEN, os.mkdir, "./ben"), (CAT, create, "./cat"),
        (FAR, create, "./far"), (FAR, os.listdir, "."), (ANN, os.mknod, "./pipe", 0o600 | stat.S_IFIFO), (BEN, nameless, ".", "./named"),
        (BEN, os.unlink, "./ann"), (CAT, os.rename, "./cat", "./moved"), (ANN, os.rmdir, "./ben")],
    "the folder gives the group": [
        (ROOT, os.chown, ".", 0, TEAM), (ROOT, os.chmod, ".", 0o2777), (ANN, create, "./ann"), (ANN, os.mkdir, "./folder"),
        (FAR, os.mkdir, "./far"), (FAR, create, "./far/file"), (ANN, os.symlink, "to", "./link"), (ANN, nameless, ".", "./named"),
        (ANN, create, "./member", 0o2775), (FAR, create, "./stranger", 0o2775), (ROOT, create, "./root", 0o2775), (ANN, os.mkdir, "./given", 0o700)],
    "sticky": [
        (ROOT, os.chmod, ".", 0o1777), (ANN, create, "./ann"), (ANN, os.mkdir, "./folder"), (BEN, os.unlink, "./ann"), (BEN, os.rmdir, "./folder"),
        (BEN, os.rename, "./ann", "./ben"), (BEN, create, "./ben"), (BEN, os.rename, "./ben", "./ann"), (BEN, exchange, "./ben", "./ann"),
        (ANN, os.rename, "./ann", "./new"), (ANN, os.unlink, "./new"), (ROOT, os.unlink, "./ben"), (ROOT, os.rmdir, "./folder")],
    "a mask": [
        (ROOT, os.chmod, ".", 0o777), (ANN, os.umask, 0o077), (ANN, create, "./a"), (ANN, os.mkdir, "./b"), (ANN, os.mkfifo, "./c"),
        (ANN, nameless, ".", "./d"), (ANN, os.umask, 0), (ANN, create, "./e", 0o7777), (ANN, os.mkdir, "./f", 0o7777)],
    "chmod": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann"), (BEN, os.chmod, "./ann", 0o777), (ANN, os.chmod, "./ann", 0o6755), (ROOT, os.chown, "./ann", -1, TEAM),
        (ANN, os.chmod, "./ann", 0o2755), (ROOT, os.chown, "./ann", -1, 5005), (ANN, os.chmod, "./ann", 0o2755), (ANN, os.chmod, "./ann", 0o4755),
        (ROOT, os.chmod, "./ann", 0o2711), (ANN, os.mkdir, "./folder"), (ANN, os.chmod, "./folder", 0o3777)],
    "chown": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann"), (ANN, os.chmod, "./ann", 0o4755), (ANN, os.chown, "./ann", 5002, -1), (ANN, os.chown, "./ann", -1, TEAM),
        (ANN, os.chown, "./ann", -1, 5005), (BEN, os.chown, "./ann", -1, TEAM), (ANN, os.chown, "./ann", 5001, -1), (ROOT, os.chmod, "./ann", 0o6775),
        (ROOT, os.chown, "./ann", 5002, TEAM), (ROOT, os.chmod, "./ann", 0o6644), (BEN, os.chown, "./ann", -1, -1), (BEN, os.chown, "./ann", -1, 5002)],
    "set-id bits go when somebody writes": [
        *[step for name, change in {
            "a": (write, "./a"), "b": (os.truncate, "./b", 1), "c": (write, "./c", b"x", os.O_WRONLY | os.O_TRUNC), "d": (allocate, "./d", 0),
            "e": (write, "./e", b"", os.O_WRONLY | os.O_TRUNC), "f": (write, "./f", b"x", os.O_WRONLY | os.O_APPEND)}.items()
          for step in [(ROOT, write, f"./{name}", b"long", os.O_CREAT | os.O_WRONLY), (ROOT, os.chown, f"./{name}", 5002, TEAM),
                       (ROOT, os.chmod, f"./{name}", 0o6777), (ANN, *change), (ROOT, os.stat, f"./{name}")]]],
    "set-id bits stay when root writes": [
        (ROOT, write, "./a", b"long", os.O_CREAT | os.O_WRONLY), (ROOT, os.chown, "./a", 5002, TEAM), (ROOT, os.chmod, "./a", 0o6777), (ROOT, write, "./a"),
        (ROOT, os.truncate, "./a", 2), (ROOT, write, "./a", b"x", os.O_WRONLY | os.O_TRUNC)],
    "times": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann", 0o666), (ANN, os.chmod, "./ann", 0o666), (BEN, os.utime, "./ann"), (BEN, os.utime, "./ann", (1, 1)),
        (ANN, os.utime, "./ann", (1, 1)), (ANN, os.chmod, "./ann", 0o600), (BEN, os.utime, "./ann"), (ROOT, os.utime, "./ann", (5, 5))],
    "links": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann", 0o600), (ANN, os.link, "./ann", "./more"), (BEN, os.link, "./ann", "./bens"),
        (ROOT, os.link, "./ann", "./roots"), (BEN, os.unlink, "./roots"), (ANN, os.symlink, "ann", "./link"), (BEN, read, "./link"), (ANN, read, "./link")],
    "renames": [
        (ROOT, os.chmod, ".", 0o777), (ANN, os.mkdir, "./ann", 0o755), (BEN, os.mkdir, "./ben", 0o755), (ANN, create, "./ann/file"), (BEN, os.rename, "./ann/file", "./ben/file"),
        (ANN, os.rename, "./ann/file", "./ben/file"), (BEN, os.rename, "./ann", "./ben/ann"), (ANN, os.rename, "./ann", "./new"), (ROOT, os.chown, "./ben", 5001, -1),
        (ROOT, os.rename, "./ben", "./new/ben"), (ROOT, os.chmod, "./new", 0o777), (BEN, os.rename, "./new/ben", "./out"), (ANN, os.rename, "./new/ben", "./out")],
    "a folder that may not be entered or read": [
        (ROOT, os.mkdir, "./a"), (ROOT, create, "./a/file"), (ROOT, os.chmod, "./a", 0o711), (ANN, os.listdir, "./a"), (ANN, os.lstat, "./a/file"),
        (ROOT, os.chmod, "./a", 0o744), (ANN, os.lstat, "./a/file"), (ROOT, os.chmod, "./a", 0o700), (ANN, os.listdir, "./a"), (ROOT, os.listdir, "./a")],
    "reading and running": [
        (ROOT, create, "./file"), (ROOT, os.chmod, "./file", 0o640), (ROOT, os.chown, "./file", 0, TEAM), (ANN, read, "./file"), (FAR, read, "./file"),
        (ANN, os.access, "./file", os.W_OK), (ANN, os.access, "./file", os.R_OK), (ROOT, os.access, "./file", os.X_OK)],
    "running without reading": [
        (ROOT, program, "./program"), (ROOT, os.chmod, "./program", 0o711), (ANN, execute, "./program"), (ANN, read, "./program"),
        (ROOT, os.chmod, "./program", 0o744), (ANN, read, "./program"), (ANN, execute, "./program")],
    "writing without reading": [
        (ROOT, write, "./file", b"long", os.O_CREAT | os.O_WRONLY), (ROOT, os.chmod, "./file", 0o622), (ANN, read, "./file"), (ANN, write, "./file"),
        (ANN, write, "./file", b"more", os.O_WRONLY | os.O_APPEND), (ANN, write, "./file", b"y", os.O_WRONLY | os.O_TRUNC), (ANN, write, "./file", b"z", os.O_RDWR),
        (ANN, os.truncate, "./file", 3), (ROOT, read, "./file")],
    "in two other groups": [
        (ROOT, os.mkdir, "./team"), (ROOT, os.chown, "./team", 0, TEAM), (ROOT, os.chmod, "./team", 0o2770), (BEN, create, "./team/ben", 0o660), (ANN, write, "./team/ben"),
        (ANN, read, "./team/ben"), (FAR, read, "./team/ben"), (ANN, os.setxattr, "./team/ben", "user.x", b"1"), (BEN, os.getxattr, "./team/ben", "user.x"),
        (ANN, os.rename, "./team/ben", "./team/ann"), (CAT, os.unlink, "./team/ann"), (ANN, os.link, "./team/ann", "./team/more")],
    "devices": [(ROOT, os.chmod, ".", 0o777), (ANN, os.mknod, "./null", 0o666 | stat.S_IFCHR, os.makedev(1, 3)), (ANN, os.mknod, "./nothing", 0o666 | stat.S_IFCHR, 0)],
    "extended attributes": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann"), (BEN, os.setxattr, "./ann", "user.x", b"1"), (ANN, os.setxattr, "./ann", "user.x", b"1"), (BEN, os.getxattr, "./ann", "user.x"),
        (ANN, os.chmod, "./ann", 0o600), (BEN, os.getxattr, "./ann", "user.x"), (BEN, os.removexattr, "./ann", "user.x"), (ANN, os.mkfifo, "./pipe"), (ANN, os.setxattr, "./pipe", "user.x", b"1"),
        (ROOT, os.mkdir, "./sticky"), (ROOT, os.chmod, "./sticky", 0o1777), (ANN, os.setxattr, "./sticky", "user.x", b"1")],
}

ACCESS_LIST_ROWS = {
    "a list lets somebody in": [
        (ROOT, write, "./file", b"secret", os.O_CREAT | os.O_WRONLY, 0o600), (ANN, read, "./file"),
        (ROOT, os.setxattr, "./file", ACCESS, access_list(6, 0, 0, {5001: 4}, {TEAM: 6}, 6)), (ANN, read, "./file"), (ANN, write, "./file"), (BEN, write, "./file"), (FAR, read, "./file"),
        (ROOT, os.chmod, "./file", 0o640), (BEN, write, "./file"), (BEN, read, "./file"), (BEN, os.setxattr, "./file", ACCESS, access_list(7, 7, 7)),
        (ROOT, os.removexattr, "./file", ACCESS), (ANN, read, "./file")],
    "a default list is inherited": [
        (ROOT, os.setxattr, ".", DEFAULT, access_list(7, 5, 0, {5001: 7}, {}, 7)), (ROOT, os.umask, 0o077), (ROOT, create, "./file"), (ROOT, os.mkdir, "./folder"), (ROOT, create, "./folder/file", 0o640),
        (ROOT, nameless, ".", "./named"), (ROOT, os.mkfifo, "./pipe"), (ANN, write, "./file"), (ANN, create, "./folder/ann"), (BEN, create, "./folder/ben"), (ROOT, os.removexattr, ".", DEFAULT),
        (ROOT, create, "./without"), (ROOT, os.mkdir, "./bare")],
    "set-group-id goes with a stranger's list": [
        (ROOT, os.chmod, ".", 0o777), (ANN, create, "./ann"), (ROOT, os.chown, "./ann", -1, 5005), (ROOT, os.chmod, "./ann", 0o2770), (ANN, os.setxattr, "./ann", ACCESS, access_list(7, 7, 0, {5002: 4}, {}, 7)),
        (ROOT, os.chown, "./ann", -1, 5001), (ROOT, os.chmod, "./ann", 0o2770), (ANN, os.setxattr, "./ann", ACCESS, access_list(7, 7, 0, {5002: 4}, {}, 7))],
    "lists that are none": [(ROOT, create, "./file"), (ROOT, os.setxattr, "./file", ACCESS, b"rubbish"), (ROOT, os.setxattr, "./file", DEFAULT, access_list(7, 5, 0)), (ROOT, os.getxattr, "./file", ACCESS)],
    "a list that is the mode": [(ROOT, create, "./file"), (ROOT, os.setxattr, "./file", ACCESS, access_list(7, 5, 1)), (ROOT, os.listxattr, "./file")],
}

# Of the drive alone: the folder beside it has them.
NO_LISTS = [(os.setxattr, "./file", ACCESS, access_list(7, 5, 1)), (os.setxattr, ".", DEFAULT, access_list(7, 5, 1)), (os.getxattr, "./file", ACCESS)]


def act(who, masks, folder, deed, *values):
    """Does something as somebody, in a process of its own. What it answered, or the error."""
    values = [os.path.join(folder, value[2:]) if isinstance(value, str) and value.startswith("./") else folder if value == "." else value for value in values]
    if deed is os.umask:
        masks[who] = values[0]
        return "ok"
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        user, group, groups = PEOPLE[who]
        os.setgroups(groups)
        os.setresgid(group, group, group)
        os.setresuid(user, user, user)
        os.umask(masks.get(who, 0o022))
        try:
            answer = deed(*values)
            text = "ok" if isinstance(answer, (os.stat_result, type(None))) else f"ok {sorted(answer) if isinstance(answer, list) else answer}"
        except OSError as error:
            text = errno.errorcode.get(error.errno, str(error.errno))
        os.write(writing, text.encode())
        os._exit(0)
    os.close(writing)
    answer = os.read(reading, 65536).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return answer


def tree(folder, lists):
    found = {}
    for path, folders, files in os.walk(folder):
        for name in [path, *(os.path.join(path, name) for name in folders + files)]:
            facts = os.lstat(name)
            size = facts.st_size if not stat.S_ISDIR(facts.st_mode) else None
            entry = [oct(facts.st_mode), facts.st_uid, facts.st_gid, facts.st_nlink, size]
            if lists and not stat.S_ISLNK(facts.st_mode):
                entry += [(key, os.getxattr(name, key)) for key in sorted(os.listxattr(name)) if key in (ACCESS, DEFAULT)]
            found[os.path.relpath(name, folder)] = entry
    return found


def main():
    drive, folder, lists = sys.argv[1], sys.argv[2], "acl" in sys.argv[3:]
    wrong = steps = 0
    for name, row in {**ROWS, **(ACCESS_LIST_ROWS if lists else {})}.items():
        sides = [os.path.join(side, "row") for side in (drive, folder)]
        for side in sides:
            os.mkdir(side)
            os.chmod(side, 0o755)
        masks = [{}, {}]
        for who, *step in row:
            answers = [act(who, mask, side, *step) for side, mask in zip(sides, masks)]
            trees = [tree(side, lists) for side in sides]
            steps += 1
            if answers[0] != answers[1] or trees[0] != trees[1]:
                wrong += 1
                print(f"{name}: user {PEOPLE[who][0]}: {step[0].__name__}{tuple(step[1:])}: drive {answers[0]}, folder {answers[1]}")
                for path in sorted(set(trees[0]) | set(trees[1])):
                    if trees[0].get(path) != trees[1].get(path):
                        print(f"  {path}: drive {trees[0].get(path)}, folder {trees[1].get(path)}")
                break
        for side in sides:
            shutil.rmtree(side)
    if not lists:
        side = os.path.join(drive, "row")
        os.mkdir(side)
        create(side + "/file")
        for step in NO_LISTS:
            answer = act(ROOT, {}, side, *step)
            if answer not in ("EOPNOTSUPP", "ENOTSUP"):
                wrong += 1
                print(f"without -o acl, {step[0].__name__} of a list answers {answer}")
        shutil.rmtree(side)
    print(f"{steps} steps")
    return 1 if wrong else 0


sys.exit(main())
