"""Reads files and lists folders in ways that programs do, and prints each time whether that was noted as an access.

usage: accesses.py FOLDER

The folder has one.url, one.png, one.txt and one.bin. What this prints is to be the same on a drive as on the file system below.
"""
import mmap, os, subprocess, sys, time

os.chdir(sys.argv[1])


def at(path):
    return os.stat(path).st_atime_ns


def tell(what, path, call):
    before = at(path)
    # File systems keep time by a clock that moves a few hundred times a second.
    time.sleep(0.02)
    call()
    after, status = at(path), os.stat(path)
    print(what, path, "noted" if after != before else "left", "read" if after > status.st_mtime_ns else "unread")


def read(path, flags=0):
    file = os.open(path, os.O_RDONLY | flags)
    try:
        while os.read(file, 65536):
            pass
    finally:
        os.close(file)


def mapped(path):
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as bytes:
        bytes[0]


def copied(path, call):
    """By the kernel alone, to the end: `call` copies one piece, and answers how long it was."""
    with open(path, "rb") as file, open("copy.bin", "wb") as copy:
        while call(file.fileno(), copy.fileno()) > 0:
            pass
    os.remove("copy.bin")


def twice(path):
    """By two who have it open at the same time."""
    with open(path, "rb") as one, open(path, "rb") as other:
        one.read()
        other.read()


def beside_writer(path):
    with open(path, "ab"):
        read(path)


def append(path):
    with open(path, "ab") as file:
        file.write(b"more\n")


def changed(path):
    """As if somebody had written to it: nobody has read it since."""
    now = time.time_ns()
    os.utime(path, ns=(now - 10**9, now))


for path in "one.url", "one.png", "one.txt", "one.bin":
    changed(path)
    tell("first", path, lambda: read(path))
    tell("again", path, lambda: read(path))
    changed(path)
    tell("from memory", path, lambda: read(path))
    tell("from memory again", path, lambda: read(path))
    changed(path)
    tell("by cat", path, lambda: subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True))
    changed(path)
    tell("mapped", path, lambda: mapped(path))
    changed(path)
    tell("copied within the drive", path, lambda: copied(path, lambda file, copy: os.copy_file_range(file, copy, 1 << 20)))
    changed(path)
    tell("sent", path, lambda: copied(path, lambda file, copy: os.sendfile(copy, file, None, 1 << 20)))
    changed(path)
    tell("by two at once", path, lambda: twice(path))
    changed(path)
    tell("beside a writer", path, lambda: beside_writer(path))
    changed(path)
    tell("untraced", path, lambda: read(path, os.O_NOATIME))
    tell("traced", path, lambda: read(path))
    changed(path)
    tell("looked at", path, lambda: os.stat(path))
    tell("opened as a place", path, lambda: os.close(os.open(path, os.O_PATH)))
    tell("opened for writing", path, lambda: os.close(os.open(path, os.O_WRONLY)))

for path in "one.txt", "one.bin":
    read(path)
    for times in range(3):
        tell("written to", path, lambda: append(path))
        tell("read after writing", path, lambda: read(path))
        tell("read once more", path, lambda: read(path))

os.link("one.bin", "link.bin")
changed("one.bin")
tell("by another name", "one.bin", lambda: read("link.bin"))
os.remove("link.bin")

changed("one.png")
tell("renamed", "one.png", lambda: (os.rename("one.png", "two.png"), os.rename("two.png", "one.png")))

for path in "new.txt", "new.bin":
    with open(path, "wb") as file:
        file.write(b"one\n")
    time.sleep(0.02)
    tell("made and looked at", path, lambda: os.stat(path))
    tell("made and read", path, lambda: read(path))
    changed(path)
    tell("renamed", path, lambda: (os.rename(path, "other.txt"), os.rename("other.txt", path)))
    os.remove(path)

with open("empty.bin", "wb"):
    pass
changed("empty.bin")
tell("with nothing in it", "empty.bin", lambda: read("empty.bin"))

os.mkdir("folder")
os.mkdir("folder/sub")
for times in range(3):
    open(f"folder/{times}.bin", "wb").close()
    time.sleep(0.02)
    tell("listed", "folder", lambda: os.listdir("folder"))
    tell("listed again", "folder", lambda: os.listdir("folder"))
now = time.time_ns()
os.utime("folder", ns=(now - 10**9, now))
tell("listed from memory", "folder", lambda: os.listdir("folder"))
tell("by ls", "folder", lambda: subprocess.run(["ls", "-l", "folder"], stdout=subprocess.DEVNULL, check=True))
