#!/usr/bin/env python3
"""Two containers that Syncthing keeps alike, each with its drive, edited on both sides while they are disconnected.
Tests/Shares/syncthing.py [VALISE]

Both of Syncthing's processes are this script's own, talk to each other over the loopback interface alone, and look for
nobody else."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request
import xml.etree.ElementTree as xml

from share import PROJECT, answers, end, free_port
from waiting import Failed, eventually

KEY = "of-this-script-alone"


class Side:
    """A container, its drive, and the Syncthing that keeps it like the other one."""

    def __init__(self, name, folder, valise):
        self.name, self.valise, self.home = name, valise, folder / f"{name}.syncthing"
        self.container, self.drive = folder / name, folder / f"{name}.drive"
        self.port, self.gui = free_port(), free_port()
        self.server = None
        subprocess.run(["syncthing", "generate", f"--home={self.home}", "--no-default-folder"], check=True, stdout=subprocess.DEVNULL)
        said = subprocess.run(["syncthing", f"--home={self.home}", "--device-id"], check=True, capture_output=True, text=True).stdout
        self.device = said.strip()
        self.container.mkdir()
        # What Valise keeps for itself is of one computer.
        (self.container / ".stignore").write_text("/.valise\n")
        self.drive.mkdir()

    def configure(self, other):
        path = self.home / "config.xml"
        tree = xml.parse(path)
        root = tree.getroot()
        for old in root.findall("folder") + root.findall("device"):
            root.remove(old)
        folder = xml.SubElement(root, "folder", id="container", label="", path=str(self.container), type="sendreceive",
                                rescanIntervalS="3600", fsWatcherEnabled="false", ignorePerms="true")
        xml.SubElement(folder, "maxConflicts").text = "-1"
        for side in (self, other):
            xml.SubElement(folder, "device", id=side.device)
            device = xml.SubElement(root, "device", id=side.device, name=side.name, compression="never")
            xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{side.port}"
        gui = root.find("gui")
        gui.find("address").text = f"127.0.0.1:{self.gui}"
        gui.find("apikey").text = KEY
        options = root.find("options")
        for name, text in {
            "listenAddress": f"tcp://127.0.0.1:{self.port}", "globalAnnounceEnabled": "false", "localAnnounceEnabled": "false",
            "relaysEnabled": "false", "natEnabled": "false", "urAccepted": "-1", "crashReportingEnabled": "false",
            "autoUpgradeIntervalH": "0", "startBrowser": "false", "reconnectionIntervalS": "1",
        }.items():
            for old in options.findall(name):
                options.remove(old)
            xml.SubElement(options, name).text = text
        tree.write(path)

    def start(self):
        log = open(self.home / "log", "ab")
        self.server = subprocess.Popen(
            ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "HOME": str(self.home)}, start_new_session=True)
        eventually(lambda: answers(self.gui), "Syncthing")
        eventually(lambda: self.ask("GET", "system/ping"), "its answer")

    def mount(self):
        subprocess.run([self.valise, "mount", self.container, self.drive], check=True)

    def ask(self, method, words):
        request = urllib.request.Request(f"http://127.0.0.1:{self.gui}/rest/{words}", method=method, headers={"X-API-Key": KEY})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
                return json.loads(text) if text else True
        except OSError:
            return None

    def isLike(self, other):
        status = self.ask("GET", "db/status?folder=container")
        theirs = self.ask("GET", f"db/completion?folder=container&device={other.device}")
        return status and status["state"] == "idle" and status["needTotalItems"] == 0 and theirs and theirs["completion"] == 100

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
        end(self.server)


class Pair:
    def __init__(self, folder, valise):
        self.sides = [Side(name, folder, valise) for name in ("Here", "There")]
        for side, other in zip(self.sides, reversed(self.sides)):
            side.configure(other)

    def each(self):
        return zip(self.sides, reversed(self.sides))

    def connect(self):
        for side, other in self.each():
            side.ask("POST", f"system/resume?device={other.device}")

    def disconnect(self):
        for side, other in self.each():
            side.ask("POST", f"system/pause?device={other.device}")

    def scan(self):
        for side in self.sides:
            side.ask("POST", "db/scan?folder=container")

    def settle(self):
        """Both have looked at all that is there, and have it. Conflicts are sent back to who lost, so it is asked twice."""
        for _ in range(2):
            self.scan()
            eventually(lambda: all(side.isLike(other) for side, other in self.each()), "both alike", 150)


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
    pair = Pair(folder, valise)
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
