#!/usr/bin/env python3
"""Two containers that Syncthing keeps alike, each with its drive, edited on both sides while they are disconnected.
Tests/Shares/syncthing.py [VALISE]"""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from pair import Pair, Side
from share import PROJECT
from waiting import Failed, eventually


class DriveSide(Side):
    """A container with its drive."""

    def __init__(self, name, folder, valise):
        self.valise, self.container, self.drive = valise, folder / name, folder / f"{name}.drive"
        super().__init__(name, self.container, folder / f"{name}.syncthing")
        self.container.mkdir()
        # What Valise keeps for itself is of one computer.
        (self.container / ".stignore").write_text("/.valise\n")
        self.drive.mkdir()

    def mount(self):
        subprocess.run([self.valise, "mount", self.container, self.drive], check=True)

    def run(self, *words):
        return subprocess.run([self.valise, *words], capture_output=True, text=True)

    def conflicts(self):
        return json.loads(self.run("conflicts", "--json", str(self.drive)).stdout)["documents"]

    def versions(self, name):
        folder = self.drive / ".valise/versions" / name
        return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}

    def end(self):
        if os.path.ismount(self.drive):
            subprocess.run([self.valise, "unmount", "--lazy", self.drive], check=False)
        super().end()


def expect(what, is_so):
    if not is_so:
        raise Failed(what)
    print(f"  {what}", flush=True)


def image(word):
    """A PNG of nothing, told apart by what stands behind its end."""
    return b"\x89PNG\r\n\x1a\n" + word.encode() * 5000


def main():
    valise = sys.argv[1] if len(sys.argv) > 1 else str(PROJECT / ".build/debug/valise")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="valise-syncthing."))
    pair = Pair([DriveSide(name, folder, valise) for name in ("Here", "There")])
    here, there = pair.sides
    try:
        for side in pair.sides:
            side.mount()
            side.start()
        pair.connect()
        (here.drive / "Notes.txt").write_text("first\n")
        (here.drive / "Cat.png").write_bytes(image("first"))
        (here.drive / "Swift.url").write_text("[InternetShortcut]\nURL=https://first.example/\n")
        (here.drive / "Only.txt").write_text("first\n")
        pair.settle()
        eventually(lambda: (there.drive / "Cat.png").exists(), "the photo on the other drive")
        expect("what is made on one drive is on the other", (there.drive / "Cat.png").read_bytes() == image("first") and (there.drive / "Notes.txt").read_text() == "first\n")

        pair.disconnect()
        for side in pair.sides:
            (side.drive / "Notes.txt").write_text(f"{side.name}\n")
            (side.drive / "Cat.png").write_bytes(image(side.name))
            (side.drive / "Swift.url").write_text(f"[InternetShortcut]\nURL=https://{side.name.lower()}.example/\n")
            (side.drive / f"{side.name}.txt").write_text(f"{side.name}\n")
        (there.drive / "Only.txt").write_text("There\n")
        # What it has not seen changed it does not replace.
        pair.scan()
        pair.connect()
        pair.settle()

        def both(side, name):
            found = [(side.drive / name).read_bytes(), *side.versions(name).values()]
            return [any(word.encode() in content for content in found) for word in ("Here", "There")] if name != "Swift.url" else [
                any(word in content for content in found) for word in (b"here.example", b"there.example")]

        eventually(lambda: all((side.drive / "Here.txt").exists() and (side.drive / "There.txt").exists() for side in pair.sides), "new documents on both drives")
        for side in pair.sides:
            name = side.name
            eventually(lambda: (side.drive / "Only.txt").read_text() == "There\n", "what one side changed", 150)
            expect(f"{name}: what one side changed is no conflict", not any("Only" in found["path"] for found in side.conflicts()))
            for document in ("Notes.txt", "Cat.png", "Swift.url"):
                eventually(lambda: all(both(side, document)), f"{name}: both sides of {document}", 150)
                expect(f"{name}: both sides of {document} are there", all(both(side, document)))
            contents = [(side.drive / "Cat.png").read_bytes(), *side.versions("Cat.png").values()]
            expect(f"{name}: no photo is a mix of two", all(content in [image(word) for word in ("first", "Here", "There")] for content in contents))
            listed = sorted(os.listdir(side.drive))
            expect(f"{name}: nothing else is listed", listed == ["Cat.png", "Here.txt", "Notes.txt", "Only.txt", "Swift.url", "There.txt"])
            found = {pathlib.Path(conflict["path"]).name for conflict in side.conflicts()}
            expect(f"{name}: conflicts are shown as such", found == {"Notes.txt", "Cat.png", "Swift.url"})
        expect("both sides have one winner", all((here.drive / name).read_bytes() == (there.drive / name).read_bytes() for name in ("Notes.txt", "Cat.png", "Swift.url")))

        for document in ("Notes.txt", "Cat.png", "Swift.url"):
            done = here.run("resolve", "--current", str(here.drive / document))
            if done.returncode:
                raise Failed(done.stderr)
        pair.settle()
        eventually(lambda: not here.conflicts() and not there.conflicts(), "no conflict on either side")
        expect("what one side resolves is resolved on both", True)
        check = here.run("check", str(here.container))
        expect("the containers are whole", all(side.run("check", str(side.container)).returncode == 0 for side in pair.sides) or print(check.stdout))
        print("all is well")
    except BaseException:
        for side in pair.sides:
            with contextlib.suppress(OSError):
                print(side.name, sorted(str(path.relative_to(side.container)) for path in side.container.rglob("*")), file=sys.stderr)
                print((side.home / "log").read_text(errors="replace")[-1500:], file=sys.stderr)
        raise
    finally:
        for side in pair.sides:
            side.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
