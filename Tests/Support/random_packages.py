#!/usr/bin/env python3
"""Random edits of packages on a drive that is killed again and again: Tests/Support/random_packages.py VALISE FOLDER [SEED] [EDITS]

Packages of two kinds: flat files, and folders that are one item. Each has a part that no edit touches. After each kill the container is looked at, as it lies there
and once the next drive has opened it: no part is torn, and no untouched part is another one or lost."""

import hashlib
import io
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile

KINDS = """create = text
[scrap]
extension = scrap
required = main.txt
shown = file
[zine]
extension = zine
required = main.txt
shown = file
[novel]
extension = novel
required = main.txt
shown = folder
"""


def sealed(words):
    """Bytes that say themselves whether they are whole."""
    return f"{hashlib.sha256(words).hexdigest()}\n".encode() + words


def is_whole(content):
    head, _, words = content.partition(b"\n")
    return head == hashlib.sha256(words).hexdigest().encode()


class Trial:
    def __init__(self, valise, folder, seed):
        self.valise, self.random = valise, random.Random(seed)
        self.container, self.drive = folder / "container", folder / "drive"
        self.beside = folder / "beside"
        for place in (self.drive, self.beside):
            place.mkdir(parents=True, exist_ok=True)
        subprocess.run([valise, "init", "-q", self.container], check=True)
        self.documents = self.container / "Documents" if (self.container / "Documents").is_dir() else self.container
        (self.container / ".valise").mkdir(exist_ok=True)
        (self.container / ".valise/settings").write_text(KINDS)
        self.anchors, self.count, self.edits, self.kills, self.refused = {}, 0, 0, 0, 0
        for kind in ("scrap", "novel", "scrap", "novel"):
            self.fill(self.documents / f"{self.next()}.{kind}")

    def next(self):
        self.count += 1
        return f"p{self.count}"

    def words(self):
        return sealed(self.random.randbytes(self.random.choice((10, 3000, 70000))))

    def fill(self, package):
        """A new package, with its part that stays."""
        anchor = f"anchor{len(self.anchors)}"
        content = self.words()
        (package / "in/deep").mkdir(parents=True)
        (package / "in" / anchor).write_bytes(content)
        (package / "main.txt").write_bytes(self.words())
        (package / "link").symlink_to("main.txt")
        self.anchors[anchor] = content
        return anchor

    # The drive

    def mount(self):
        subprocess.run([self.valise, "mount", self.container, self.drive], check=True)
        status = subprocess.run([self.valise, "status", "--details", self.drive], capture_output=True, text=True).stdout
        self.process = int(next(line.split()[1] for line in status.splitlines() if line.split()[:1] == ["process"]))

    def kill(self, worker):
        os.kill(self.process, signal.SIGKILL)
        # Before there is a plain folder in the drive's place.
        os.kill(worker, signal.SIGKILL)
        os.waitpid(worker, 0)
        self.kills += 1
        subprocess.run(["umount", "-l", self.drive], check=False, stderr=subprocess.DEVNULL)

    # Edits

    def packages(self, *kinds):
        return [name for name in os.listdir(self.drive) if name.rsplit(".", 1)[-1] in kinds]

    def edit(self):
        edits = [self.save_part, self.save_part, self.add_part, self.remove_part, self.remove_item, self.undelete, self.rename, self.pack, self.pack, self.copy, self.restore, self.replace]
        try:
            self.random.choice(edits)()
        except (OSError, IndexError, shutil.Error, zipfile.BadZipFile, subprocess.CalledProcessError):
            self.refused += 1
        self.edits += 1

    def choose(self, *kinds):
        return self.drive / self.random.choice(self.packages(*kinds))

    def save(self, file):
        new = file.with_name(f".{file.name}.new")
        new.write_bytes(self.words())
        new.rename(file)

    def save_part(self):
        self.save(self.choose("novel") / "main.txt")

    def add_part(self):
        self.save(self.choose("novel") / f"in/deep/{self.random.randrange(9)}")

    def remove_part(self):
        (self.choose("novel") / f"in/deep/{self.random.randrange(9)}").unlink()

    def remove_item(self):
        item = self.choose("novel", "scrap", "zine")
        # What a program takes away that it has made itself a moment ago is not kept.
        subprocess.run(["rm", "-r", item], check=True, capture_output=True)

    def undelete(self):
        subprocess.run([self.valise, "undelete", "-q", "--since", "1 hour ago", self.drive], check=True, capture_output=True)

    def rename(self):
        item = self.choose("novel", "scrap", "zine")
        item.rename(item.with_suffix("." + self.random.choice(("novel", "scrap", "zine"))))

    def pack(self):
        """What is in a flat file, with another main part."""
        file = self.choose("scrap", "zine")
        new = io.BytesIO()
        with zipfile.ZipFile(file) as old, zipfile.ZipFile(new, "w") as packed:
            for entry in old.infolist():
                packed.writestr(entry, self.words() if entry.filename == "main.txt" else old.read(entry))
        if self.random.random() < 0.5:
            file.write_bytes(new.getvalue())
        else:
            beside = self.drive / f"{self.next()}.tmp"
            beside.write_bytes(new.getvalue())
            beside.rename(file)

    def copy(self):
        name = self.next()
        self.fill(self.beside / name)
        # Half a copy would be no fault of the drive's.
        new = self.drive / f"{name}.dir"
        shutil.copytree(self.beside / name, new, symlinks=True)
        new.rename(self.drive / f"{name}.{self.random.choice(('novel', 'scrap'))}")

    def restore(self):
        subprocess.run([self.valise, "restore", self.choose("novel", "scrap", "zine"), "1"], check=True, capture_output=True)

    def replace(self):
        """As programs save that write the whole folder anew."""
        item = self.choose("novel")
        new, main = self.drive / f"{self.next()}.dir", self.beside / "main"
        main.write_bytes(self.words())
        program = "import os, shutil, sys; item, new, main = sys.argv[1:]; shutil.copytree(item, new, symlinks=True); shutil.copy(main, new + '/main.txt'); shutil.rmtree(item); os.rename(new, item)"
        subprocess.run([sys.executable, "-c", program, item, new, main], check=True, capture_output=True)

    # What has to be so

    def look(self, when):
        """Single parts that were deleted lie under numbers, so that all files are looked at. What is being copied or saved is no part yet."""
        known = {content: name for name, content in self.anchors.items()}
        found, torn = set(), []
        for folder, _, files in os.walk(self.container):
            for name in files:
                file = pathlib.Path(folder) / name
                if file.is_symlink() or not file.is_file():
                    continue
                content = file.read_bytes()
                if content in known:
                    found.add(known[content])
                if self.is_part(folder, name) and (not is_whole(content) or self.anchors.get(name, content) != content):
                    torn.append(f"{folder}/{name}")
        if torn:
            raise SystemExit(f"{when}: torn: {torn[:5]}")
        if lost := set(self.anchors) - found:
            raise SystemExit(f"{when}: lost: {sorted(lost)[:5]}")

    @staticmethod
    def is_part(folder, name):
        if ".dir/" in folder + "/" or "/staging" in folder or name.startswith("."):
            return False
        return name.startswith("anchor") or name == "main.txt" or folder.endswith("/deep")

    def run(self, edits):
        while self.edits < edits:
            self.mount()
            worker = os.fork()
            if worker == 0:
                while True:
                    try:
                        self.edit()
                    except BaseException:
                        os._exit(1)
                    os.write(self.pipe[1], b"r" if self.refused else b".")
                    self.refused = 0
            time.sleep(self.random.uniform(0.05, 2.5))
            self.kill(worker)
            done = os.read(self.pipe[0], 1 << 16)
            self.edits += len(done)
            self.failed += done.count(b"r")
            # What the worker has made besides is not known here; those of before are.
            self.count += len(done) + 1
            self.random.seed(self.random.random())
            self.look(f"after kill {self.kills}")
            self.mount()
            subprocess.run([self.valise, "unmount", self.drive], check=True)
            self.look(f"after recovery {self.kills}")
            left = [name for name in os.listdir(self.container / ".valise/staging") if not name.endswith(".away")]
            if left:
                raise SystemExit(f"after recovery {self.kills}: in staging: {left[:5]}")
            checked = subprocess.run([self.valise, "check", self.container], capture_output=True, text=True)
            if checked.returncode:
                raise SystemExit(f"after recovery {self.kills}: {checked.stdout}{checked.stderr}")
        print(f"{self.edits} edits ({self.failed} refused), {self.kills} kills: nothing is torn or lost")


def main():
    valise, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    seed, edits = (int(word) for word in (sys.argv[3:] + ["1", "1000"][len(sys.argv) - 3:])[:2])
    trial = Trial(str(pathlib.Path(valise).resolve()), folder, seed)
    trial.pipe, trial.failed = os.pipe(), 0
    trial.run(edits)


main()
