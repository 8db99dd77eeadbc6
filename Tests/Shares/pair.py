"""Two of Syncthing's processes that keep two folders alike. They talk to each other over the loopback interface alone, and look
for nobody else."""

import json
import os
import subprocess
import urllib.request
import xml.etree.ElementTree as xml

from share import answers, end, free_port
from waiting import eventually

KEY = "of-this-script-alone"


class Side:
    """A folder, and the Syncthing that keeps it like the other one. `watches`: it looks by itself whenever something changes there, and when it is told to otherwise."""

    def __init__(self, name, path, home, watches=False):
        self.name, self.path, self.home, self.watches = name, path, home, watches
        self.port, self.gui = free_port(), free_port()
        self.server = None
        subprocess.run(["syncthing", "generate", f"--home={self.home}", "--no-default-folder"], check=True, stdout=subprocess.DEVNULL)
        said = subprocess.run(["syncthing", f"--home={self.home}", "--device-id"], check=True, capture_output=True, text=True).stdout
        self.device = said.strip()

    def configure(self, other):
        path = self.home / "config.xml"
        tree = xml.parse(path)
        root = tree.getroot()
        for old in root.findall("folder") + root.findall("device"):
            root.remove(old)
        folder = xml.SubElement(root, "folder", id="folder", label="", path=str(self.path), type="sendreceive",
                                rescanIntervalS="3600", fsWatcherEnabled="true" if self.watches else "false", fsWatcherDelayS="1", ignorePerms="true")
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
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "HOME": str(self.home)})
        eventually(lambda: answers(self.gui), "Syncthing")
        eventually(lambda: self.ask("GET", "system/ping"), "its answer")

    def ask(self, method, words):
        request = urllib.request.Request(f"http://127.0.0.1:{self.gui}/rest/{words}", method=method, headers={"X-API-Key": KEY})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                text = answer.read()
                return json.loads(text) if text else True
        except OSError:
            return None

    def isLike(self, other):
        status = self.ask("GET", "db/status?folder=folder")
        theirs = self.ask("GET", f"db/completion?folder=folder&device={other.device}")
        return status and status["state"] == "idle" and status["needTotalItems"] == 0 and theirs and theirs["completion"] == 100

    def end(self):
        end(self.server)


class Pair:
    def __init__(self, sides):
        self.sides = sides
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
            side.ask("POST", "db/scan?folder=folder")

    def settle(self):
        """Both have looked at all that is there, and have it. Conflicts are sent back to who lost, so it is asked twice."""
        for _ in range(2):
            self.scan()
            eventually(lambda: all(side.isLike(other) for side, other in self.each()), "both alike", 150)
