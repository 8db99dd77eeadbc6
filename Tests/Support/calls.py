"""Does in a folder what plain files can do beyond what random calls try, and prints what came of it.

usage: calls.py FOLDER

What it prints is to be the same on a drive as on the file system below.
"""
import ctypes, errno, fcntl, mmap, os, subprocess, sys, time

libc = ctypes.CDLL(None, use_errno=True)
os.chdir(sys.argv[1])
os.umask(0o022)


def tell(what, call, *values):
    try:
        answer = call(*values)
        print(what, "ok" if answer is None else answer)
    except OSError as error:
        print(what, errno.errorcode[error.errno])


def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def write(path, data, flags=os.O_CREAT | os.O_WRONLY):
    file = os.open(path, flags, 0o644)
    try:
        return os.write(file, data)
    finally:
        os.close(file)


def other(code, *words):
    """Runs Python in another process."""
    return subprocess.run([sys.executable, "-c", "import fcntl, os, struct, sys\n" + code, *words], capture_output=True, text=True, close_fds=True).stdout.strip()


# Names and paths.
for length in (255, 256):
    for what, call in ("create", lambda name: write(name, b"x")), ("mkdir", lambda name: os.mkdir("d" + name[1:])), ("lstat", os.lstat), ("symlink", lambda name: os.symlink("to", "s" + name[1:])):
        tell(f"{what} a name of {length}", lambda: (call("n" * length), None)[1])
tell("bytes that are no text", lambda: (write(b"\xff\xfe\n", b"x"), sorted(os.listdir(b"."))[-1])[1])
for length in (4095, 4096):
    tell(f"a link of {length}", os.symlink, "x" * length, f"long{length}")
tell("read it", lambda: len(os.readlink("long4095")))
deep = os.getcwd()
for step in range(25):
    os.mkdir("p" * 200)
    os.chdir("p" * 200)
write("bottom", b"deep")
tell("the bottom of a long path", lambda: open("bottom").read())
tell("its whole path", os.lstat, deep + "/" + "/".join(["p" * 200] * 25) + "/bottom")
tell("removed from there", os.unlink, "bottom")
os.chdir(deep)
subprocess.run(["rm", "-r", "p" * 200], check=True)
tell("no name", os.mkdir, "")
tell("a file as a folder", os.lstat, "n" * 255 + "/x")


# Locks.
write("lock", b"0123456789")
file = os.open("lock", os.O_RDWR)
fcntl.flock(file, fcntl.LOCK_EX)
ask = "f = os.open('lock', os.O_RDWR)\ntry:\n fcntl.flock(f, int(sys.argv[1]) | fcntl.LOCK_NB); print('got')\nexcept OSError as e: print(e.errno)"
print("flock of another:", other(ask, str(fcntl.LOCK_EX)), other(ask, str(fcntl.LOCK_SH)))
fcntl.flock(file, fcntl.LOCK_SH)
print("shared:", other(ask, str(fcntl.LOCK_EX)), other(ask, str(fcntl.LOCK_SH)))
fcntl.flock(file, fcntl.LOCK_UN)
print("let go:", other(ask, str(fcntl.LOCK_EX)))
fcntl.lockf(file, fcntl.LOCK_EX, 5, 2)
ask = "f = os.open('lock', os.O_RDWR)\ntry:\n fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, int(sys.argv[2]), int(sys.argv[1])); print('got')\nexcept OSError as e: print(e.errno)"
print("ranges:", other(ask, "0", "2"), other(ask, "6", "1"), other(ask, "7", "3"), other(ask, "0", "0"))
fcntl.lockf(file, fcntl.LOCK_UN)
print("let go:", other(ask, "0", "0"))
os.close(file)

# Mapped memory.
write("map", b"a" * 10000)
file = os.open("map", os.O_RDWR)
with mmap.mmap(file, 10000) as mapped:
    mapped[5000:5003] = b"xyz"
    print("read while mapped:", os.pread(file, 5, 4999))
    os.pwrite(file, b"written", 100)
    print("mapped after a write:", mapped[99:108])
    mapped.flush()
    print("another process:", other("print(os.pread(os.open('map', os.O_RDONLY), 5, 4999))"))
os.close(file)
print("after:", open("map", "rb").read()[4999:5004])

# O_DIRECT.
block = mmap.mmap(-1, 8192)
block.write(b"d" * 8192)
file = os.open("direct", os.O_CREAT | os.O_RDWR | os.O_DIRECT, 0o644)
tell("write blocks", os.pwritev, file, [block], 0)
tell("read blocks", os.preadv, file, [block], 4096)
tell("their bytes", lambda: open("direct", "rb").read() == b"d" * 8192)
os.close(file)

# Two processes that append.
append = "f = os.open('both', os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o644)\nfor i in range(500): os.write(f, (sys.argv[1] * 99 + '\\n').encode())"
both = [subprocess.Popen([sys.executable, "-c", "import os, sys\n" + append, letter]) for letter in "ab"]
for one in both:
    one.wait()
lines = open("both").read().splitlines()
print("appended:", len(lines), all(line in ("a" * 99, "b" * 99) for line in lines))

# Without a name.
write("gone", b"still here")
file = os.open("gone", os.O_RDWR)
os.unlink("gone")
os.pwrite(file, b"S", 0)
os.fchmod(file, 0o600)
facts = os.fstat(file)
print("without a name:", os.pread(file, 20, 0), facts.st_nlink, oct(facts.st_mode), open(f"/proc/self/fd/{file}", "rb").read(5))
os.close(file)
os.mkdir("folder")
folder = os.open("folder", os.O_RDONLY)
os.rmdir("folder")
tell("in a folder that is gone", lambda: os.open("new", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
print("it has", os.fstat(folder).st_nlink, "links and", os.listdir(folder))

# Attributes.
write("x", b"")
for size in (0, 1, 2000):
    tell(f"a value of {size}", lambda: (os.setxattr("x", "user.v", b"v" * size), len(os.getxattr("x", "user.v")))[1])
tell("one too long", os.setxattr, "x", "user.v", b"v" * 70000)
tell("a name too long", os.setxattr, "x", "user." + "n" * 251, b"")
tell("the longest", os.setxattr, "x", "user." + "n" * 250, b"")
tell("none", os.setxattr, "x", "user.", b"")
room = ctypes.create_string_buffer(10)
tell("no room for the value", lambda: checked(libc.getxattr(b"x", b"user.v", room, 10)))
tell("no room for the names", lambda: checked(libc.listxattr(b"x", room, 3)))
tell("again", os.setxattr, "x", "user.v", b"", os.XATTR_CREATE)
tell("what is not there", os.setxattr, "x", "user.w", b"", os.XATTR_REPLACE)

# Times.
os.utime("x", ns=(1, 999999999))
facts = os.stat("x")
print("nanoseconds:", facts.st_atime_ns, facts.st_mtime_ns)
os.utime("x", ns=(-1_000_000_000, 4_000_000_000_123_456_789))
facts = os.stat("x")
print("long ago and far ahead:", facts.st_atime_ns, facts.st_mtime_ns)
before = time.time() - 1
os.utime("x")
print("now:", os.stat("x").st_mtime > before)

# The file system.
facts = os.statvfs(".")
print("file system:", facts.f_namemax, facts.f_bsize, facts.f_frsize, facts.f_blocks, facts.f_files)
os.sync()
