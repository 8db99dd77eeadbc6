"""The same work on a drive, wherever its container lies: what was done is there, on the drive and in the container, also after
the drive was killed."""

import ctypes
import errno
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

from waiting import Failed, eventually

LINK = "[InternetShortcut]\nURL=https://example.org/{}\n"
PNG = b"\x89PNG\r\n\x1a\n"
CALLS = ctypes.CDLL(None, use_errno=True)
EXCHANGE, NOREPLACE = 2, 1


def rename_with(flags, one, other):
    if CALLS.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), flags):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(one))


def photo(seed, size):
    return PNG + random.Random(seed).randbytes(size)


def expect(what, is_so):
    if not is_so:
        raise Failed(what)


class Trial:
    def __init__(self, valise, store, home):
        self.valise, self.container, self.drive = valise, store / "Container", home / "Drive"
        self.log = home / "log"
        self.drive.mkdir()
        self.process = None
        self.said = ""
        self.seen_after = None

    # The drive

    def tell(self, *words, codes=(0,)):
        done = subprocess.run([self.valise, *map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode not in codes:
            raise Failed(f"valise {words[0]}: {done.returncode}: {(done.stdout + done.stderr).strip()}")
        return done.stdout

    def mount(self):
        log = open(self.log, "ab")
        self.process = subprocess.Popen([self.valise, "mount", "-f", self.container, self.drive], stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        def answers():
            if self.process.poll() is not None:
                raise Failed(f"the drive ended: {self.log.read_text()}")
            # The one before, which was killed, lies there until the new one takes it away.
            try:
                return os.path.ismount(self.drive) and (self.drive / ".valise/status").exists()
            except OSError:
                return False
        eventually(answers, "the drive")

    def unmount(self):
        self.tell("unmount", self.drive)
        expect("the drive's process ends well", self.process.wait(60) == 0)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        subprocess.run(["umount", "--lazy", self.drive], stderr=subprocess.DEVNULL)

    def write(self, name, content):
        with open(self.drive / name, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    def reads(self, name, content):
        content = content if isinstance(content, bytes) else content.encode()
        try:
            found = (self.drive / name).read_bytes()
        except OSError as error:
            raise Failed(f"{name}: {error.strerror}")
        expect(f"{name} has {len(found)} bytes: {found[:60]}, and not {len(content)}: {content[:60]}", found == content)

    def stored(self, folder=""):
        return sorted(name for name in os.listdir(self.container / "Documents" / folder) if not name.startswith("."))

    def has(self, start, folder=""):
        return any(name.startswith(start) for name in self.stored(folder))

    def facts(self, name):
        lines = (line.split(None, 1) for line in self.tell("info", self.drive / name).splitlines()[1:])
        return {line[0]: line[1] for line in lines if len(line) == 2}

    # What is done

    def init(self):
        self.tell("init", self.container)
        self.mount()
        self.said = "; ".join(line.split("” ", 1)[-1] for line in self.log.read_text().splitlines() if line)

    def make(self):
        self.write("Site.url", LINK.format("one"))
        self.write("Words.txt", "one\n")
        self.write("Cat.png", photo(1, 3000))
        self.write("Large.png", photo(2, 3_000_000))
        self.write("plain.dat", "plain\n")
        (self.drive / "Folder").mkdir()
        for stored in ("Bookmark_Site-", "Words.stedoc", "Cat.ptk", "Large.ptk", "plain.dat", "Folder"):
            expect(f"{stored} is in the container: {self.stored()}", self.has(stored))
        self.reads("Site.url", LINK.format("one"))
        self.reads("Large.png", photo(2, 3_000_000))

    def save(self):
        name = self.facts("Site.url").get("stored")
        for round in ("two", "three"):
            self.write("Site.url", LINK.format(round))
            self.write("Words.txt", f"{round}\n")
        with open(self.drive / "Cat.png", "r+b") as file:
            file.seek(100)
            file.write(b"changed")
        changed = bytearray(photo(1, 3000))
        changed[100:107] = b"changed"
        self.reads("Cat.png", bytes(changed))
        self.reads("Words.txt", "three\n")
        self.write("Words.txt", "four\n")
        expect("the bookmark is the same document", self.facts("Site.url").get("stored") == name)
        expect("nothing is doubled", len([n for n in self.stored() if n.startswith(("Bookmark_", "Words", "Cat"))]) == 3)

    def rename_over(self):
        for name, content in (("Site.url", LINK.format("over")), ("Words.txt", "over\n"), ("Cat.png", photo(3, 4000)), ("Large.png", photo(4, 2_500_000))):
            self.write("new.tmp", content)
            os.rename(self.drive / "new.tmp", self.drive / name)
            self.reads(name, content)
        expect(f"nothing is left over: {self.stored()}", not self.has("new"))
        subprocess.run(["sed", "-i", "s/over/sed/", self.drive / "Words.txt"], check=True)
        self.reads("Words.txt", "sed\n")

    def rename(self):
        for old, new in (("Site.url", "Home.url"), ("Words.txt", "Text.txt"), ("Cat.png", "Dog.png"), ("plain.dat", "simple.dat")):
            os.rename(self.drive / old, self.drive / new)
        expect(f"names follow: {self.stored()}", self.has("Text.stedoc") and self.has("Dog.ptk") and not self.has("Words") and not self.has("Cat"))
        for name in ("Home.url", "Text.txt", "Dog.png"):
            os.rename(self.drive / name, self.drive / "Folder" / name)
        os.rename(self.drive / "Folder", self.drive / "Album")
        self.reads("Album/Home.url", LINK.format("over"))
        self.reads("Album/Dog.png", photo(3, 4000))
        for name in ("Home.url", "Text.txt", "Dog.png"):
            os.rename(self.drive / "Album" / name, self.drive / name)
        self.write("Second.txt", "second\n")
        os.rename(self.drive / "Second.txt", self.drive / "Text.txt")
        self.reads("Text.txt", "second\n")
        os.rename(self.drive / "Text.txt", self.drive / "Text.dat")
        expect("a document becomes a plain file", self.has("Text.dat") and not self.has("Text.stedoc"))
        os.rename(self.drive / "Text.dat", self.drive / "Text.txt")
        expect("and a document again", self.has("Text.stedoc") and not self.has("Text.dat"))

    def without_replacing(self):
        self.write("free.txt", "free\n")
        rename_with(NOREPLACE, self.drive / "free.txt", self.drive / "taken.txt")
        self.write("free.txt", "free\n")
        try:
            rename_with(NOREPLACE, self.drive / "free.txt", self.drive / "taken.txt")
            raise Failed("a rename that must not replace has replaced")
        except OSError as error:
            expect(f"it says that the name is taken: {error}", error.errno == errno.EEXIST)
        for name in ("free.txt", "taken.txt"):
            os.unlink(self.drive / name)

    def known_folders(self):
        """A folder that somebody has open stays that folder, however often the one above is read."""
        (self.drive / "Made").mkdir()
        folder = os.open(self.drive / "Made", os.O_RDONLY | os.O_DIRECTORY)
        try:
            for round in range(3):
                os.listdir(self.drive)
                os.close(os.open(f"file{round}", os.O_WRONLY | os.O_CREAT, dir_fd=folder))
                (self.container / f"Documents/beside{round}").write_text("from outside")
                eventually(lambda: f"beside{round}" in os.listdir(self.drive), "what was made beside it", 40)
                expect("it is the same folder", os.fstat(folder).st_ino == os.stat(self.drive / "Made").st_ino)
                (self.container / f"Documents/beside{round}").unlink()
            os.rename("file0", self.drive / "moved", src_dir_fd=folder)
            expect(f"it has its files: {self.stored('Made')}", self.stored("Made") == ["file1", "file2"])
        finally:
            os.close(folder)
        os.unlink(self.drive / "moved")
        shutil.rmtree(self.drive / "Made")

    def exchange(self):
        self.write("Other.txt", "other\n")
        self.write("other.dat", "other plain\n")
        (self.drive / "Empty").mkdir()
        rename_with(EXCHANGE, self.drive / "Other.txt", self.drive / "Text.txt")
        self.reads("Text.txt", "other\n")
        self.reads("Other.txt", "second\n")
        rename_with(EXCHANGE, self.drive / "other.dat", self.drive / "simple.dat")
        self.reads("other.dat", "plain\n")
        rename_with(EXCHANGE, self.drive / "simple.dat", self.drive / "Empty")
        self.reads("Empty", "other plain\n")
        expect("a folder changes places", (self.drive / "simple.dat").is_dir())
        rename_with(EXCHANGE, self.drive / "Dog.png", self.drive / "Large.png")
        self.reads("Large.png", photo(3, 4000))
        self.reads("Dog.png", photo(4, 2_500_000))

    def delete(self):
        name = self.facts("Home.url").get("stored")
        os.unlink(self.drive / "Home.url")
        expect("a deleted document is gone", not self.has("Bookmark_"))
        self.write("Home.url", LINK.format("again"))
        expect("a name that comes back is the same document", self.facts("Home.url").get("stored") == name)
        os.unlink(self.drive / "Dog.png")
        os.unlink(self.drive / "other.dat")
        (self.drive / "Album").rmdir()
        expect(f"what is deleted is gone: {self.stored()}", not self.has("Dog") and not self.has("other") and not self.has("Album"))

    def versions(self):
        self.write("Kept.txt", "one\n")
        self.write("Kept.txt", "two\n")
        self.write("Kept.txt", "three\n")
        folder = self.drive / ".valise/versions/Kept.txt"
        kept = sorted((folder / name).read_text() for name in os.listdir(folder))
        expect(f"versions are kept: {kept}", kept == ["one\n", "two\n"])
        first = next(name for name in os.listdir(folder) if (folder / name).read_text() == "one\n")
        if (self.container / ".valise/coordination").exists():
            self.tell("restore", self.drive / "Kept.txt", first.removesuffix(".txt"))
        else:
            # Without sockets nobody can ask the drive for it, and copying does the same.
            begin = time.monotonic()
            said = subprocess.run([self.valise, "restore", self.drive / "Kept.txt", first.removesuffix(".txt")], capture_output=True, text=True, timeout=60)
            expect(f"that is said at once: {said.stderr}", said.returncode == 1 and "without sockets" in said.stderr and ".valise/deleted" in said.stderr and time.monotonic() - begin < 20)
            shutil.copyfile(folder / first, self.drive / "Kept.txt")
        self.reads("Kept.txt", "one\n")
        expect(f"nobody sees a conflict: {self.tell('conflicts', self.drive)}", not self.tell("conflicts", self.drive).strip())

    def drafts(self):
        try:
            self.write("Home.url", "no link\n")
            raise Failed("bad content was taken")
        except OSError as error:
            expect(f"bad content is invalid: {error}", error.errno == errno.EINVAL)
        self.open = open(self.drive / "Text.txt", "w")
        self.open.write("written, and not closed\n")
        self.open.flush()
        self.new = open(self.drive / "New.txt", "w")
        self.new.write("new, and not closed\n")
        self.new.flush()
        self.kill()
        for file in (self.open, self.new):
            try:
                file.close()
            except OSError:
                pass
        self.mount()
        self.reads("Home.url", "no link\n")
        self.reads("Text.txt", "written, and not closed\n")
        self.reads("New.txt", "new, and not closed\n")
        self.write("Home.url", LINK.format("mended"))
        expect("mended, it is no draft", '"drafts":[]' in (self.drive / ".valise/status").read_text())
        expect("what was not closed is saved", self.has("New.stedoc"))

    def outside(self):
        """What another program makes in the container is seen."""
        os.listdir(self.drive)
        time.sleep(2.5)
        os.listdir(self.drive)
        self.seen_after = 0
        # The second one bears the same time as the first on stores whose clocks tick slowly.
        for name in ("Outside", "Outside too", "Outside again"):
            begin = time.monotonic()
            (self.container / f"Documents/{name}.stedoc").write_text("outside\n")
            eventually(lambda: f"{name}.txt" in os.listdir(self.drive), "what was made outside", 40)
            self.seen_after = max(self.seen_after, time.monotonic() - begin)
        (self.container / "Documents/Outside.stedoc").write_text("outside, and longer\n")
        eventually(lambda: (self.drive / "Outside.txt").read_bytes() == b"outside, and longer\n", "what was written outside", 40)
        (self.container / "Documents/Outside.stedoc").unlink()
        eventually(lambda: "Outside.txt" not in os.listdir(self.drive), "that it was deleted", 40)

    def killed(self):
        """Killed in the middle of writing, several times; whatever is there is whole."""
        script = pathlib.Path(__file__).resolve().parent / "write.py"
        for round in range(4):
            writer = subprocess.Popen([sys.executable, "-B", script, self.drive], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.4 + 0.3 * round)
            self.kill()
            writer.wait()
            self.mount()
            for name in os.listdir(self.drive):
                if name.startswith("hammered"):
                    content = (self.drive / name).read_bytes()
                    whole = [head + body * 200 for head in (b"", PNG) for body in (b"one", b"two", b"new")]
                    expect(f"{name} has what was written: {len(content)} bytes", any(one.startswith(content) for one in whole))
            self.close_unfinished()

    def unfinished(self):
        """An image that had no end and was not closed when the drive was killed stays unsaved until somebody closes it."""
        before, half = (self.drive / "Large.png").read_bytes(), photo(5, 2000)
        with open(self.drive / "Large.png", "wb", buffering=0) as file:
            file.write(half)
            self.kill()
            try:
                file.close()
            except OSError:
                pass
        self.mount()
        self.reads("Large.png", half)
        expect(f"it is the one draft: {self.drafts_now()}", self.drafts_now() == ["Large.png"])
        stored = self.drive / ".valise/originals/Documents/Large.ptk/photo.data"
        expect("the container has the whole one", before in stored.read_bytes())
        self.close_unfinished()
        self.reads("Large.png", half)

    def drafts_now(self):
        return [draft["file"].lstrip("/") for draft in json.loads((self.drive / ".valise/status").read_text())["drafts"]]

    def close_unfinished(self):
        """Nothing else waits than images that the one who wrote them had not closed; closed now, they are saved as they are."""
        for name in self.drafts_now():
            expect(f"what waits is an image: {name}", name.endswith(".png"))
            open(self.drive / name, "r+b").close()
        expect(f"nothing waits: {self.drafts_now()}", not self.drafts_now())

    def check(self):
        self.unmount()
        stored = next(name for name in self.stored() if name.startswith("Kept"))
        # Nobody has to be asked, with sockets or without.
        self.tell("restore", self.container / f"Documents/{stored}", "1")
        self.tell("coordinate", self.container / f"Documents/{stored}", "--", "true")
        said = self.tell("check", self.container, codes=(0, 4))
        expect(f"valise check finds nothing: {said}", "problem" not in said)
        left = os.listdir(self.container / ".valise/staging")
        expect(f"nothing is left in staging: {left}", not left)

    STEPS = [init, make, save, rename_over, rename, without_replacing, known_folders, exchange, delete, versions, drafts, outside, killed, unfinished, check]

    def all(self, report):
        """Every step; what failed is told and the next one tried, as far as that makes sense."""
        failed = []
        for step in self.STEPS:
            try:
                step(self)
            except (Failed, OSError, subprocess.SubprocessError) as error:
                failed.append(step.__name__)
                report(f"    {step.__name__}: {error}")
                if step.__name__ == "init":
                    break
        return failed
