"""What becomes of a file's set-id bits and of its access time when its content changes: on a drive as in a plain folder.

usage: set_ids.py DRIVE FOLDER

Each way to change the content is tried by root, by a user who may write to the file and is not of its group, and by one whose further group that
is, on files whose bits differ in who may execute them.
"""
import ctypes, mmap, os, stat, sys

libc = ctypes.CDLL(None, use_errno=True)
KEEP_SIZE, PUNCH_HOLE, ZERO = 1, 2, 16
MODES = [0o6666, 0o6676, 0o6766, 0o6777, 0o2666, 0o4666]
# A user, and the further groups that they are in.
USERS = [(0, []), (65534, []), (65534, [0])]
SIZE, PIECE = 1 << 18, 1 << 16


def allocate(mode, offset):
    def act(path):
        file = os.open(path, os.O_WRONLY)
        try:
            if libc.fallocate(file, mode, ctypes.c_long(offset), ctypes.c_long(PIECE)) != 0:
                raise OSError(ctypes.get_errno(), "fallocate")
        finally:
            os.close(file)
    return act


def write(flags):
    def act(path):
        page = mmap.mmap(-1, 4096)
        file = os.open(path, os.O_WRONLY | flags)
        try:
            os.write(file, page)
        finally:
            os.close(file)
    return act


def copy(path):
    file = os.open(path, os.O_RDWR)
    try:
        os.copy_file_range(file, file, 4096, 0, PIECE)
    finally:
        os.close(file)


def cut(path):
    os.truncate(path, 100)


def cut_open(path):
    file = os.open(path, os.O_WRONLY)
    try:
        os.ftruncate(file, 100)
    finally:
        os.close(file)


WAYS = {
    "allocate": allocate(0, SIZE), "allocate behind": allocate(KEEP_SIZE, SIZE), "punch": allocate(KEEP_SIZE | PUNCH_HOLE, PIECE),
    "zero": allocate(ZERO, PIECE), "write": write(0),
    "write past the pages": write(os.O_DIRECT), "append": write(os.O_APPEND), "copy": copy, "truncate": cut, "ftruncate": cut_open,
    "truncate in opening": lambda path: os.close(os.open(path, os.O_WRONLY | os.O_TRUNC)),
    "give away": lambda path: os.chown(path, 65534, -1), "give its group": lambda path: os.chown(path, -1, 65534),
}


def outcome(folder, way, mode, user, groups):
    path = os.path.join(folder, "file")
    with open(path, "wb") as file:
        file.write(os.urandom(SIZE))
    os.chown(path, 0, 0)
    os.chmod(path, mode)
    child = os.fork()
    if child == 0:
        said = 0
        try:
            if user:
                os.setgroups(groups)
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            WAYS[way](path)
        except OSError as error:
            said = error.errno
        os._exit(said)
    error = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    mode = stat.S_IMODE(os.stat(path).st_mode)
    os.unlink(path)
    return error, oct(mode)


differences = 0
for way in WAYS:
    for mode in MODES:
        for user, groups in USERS:
            drive, folder = (outcome(where, way, mode, user, groups) for where in sys.argv[1:3])
            if drive != folder:
                print(f"{way} of {oct(mode)} by {user} {groups}: {drive} on the drive, {folder} in the folder")
                differences += 1
sys.exit(differences > 0)
