"""A container, a drive on it, and the apps that are started beside it."""

import contextlib
import fcntl
import json
import os
import signal
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")
EXAMPLES = os.environ.get("BUILT_EXAMPLES", os.path.join(HERE, "..", ".build", "debug"))


class Failed(Exception):
    pass


def valise_folder():
    for folder in filter(None, [os.environ.get("BUILT"), f"{TOP}/.build/debug", f"{TOP}/.build/release"]):
        if os.path.exists(f"{folder}/valise"): return os.path.realpath(folder)
    raise SystemExit("valise is not built: ./mount-helper.sh build")


VALISE = valise_folder() + "/valise"


def eventually(question, what, patience=60):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        answer = question()
        if answer: return answer
        time.sleep(0.02)
    raise Failed(f"not seen in {patience} seconds: {what}")


class Watch:
    """A command that goes on, and what it printed."""

    def __init__(self, words, environment):
        self.process = subprocess.Popen(words, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = []
        self.listener = threading.Thread(target=lambda: self.lines.extend(self.read()))
        self.listener.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
        return []

    def shows(self, text): eventually(lambda: any(text in line for line in self.lines), f"“{text}” in {self.lines}")

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self):
        """Its input ends, and then it does."""
        self.process.stdin.close()
        return self.process.wait(60)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.listener.join()
        self.process.stdin.close()
        self.process.stdout.close()


class Place:
    def __init__(self, folder):
        self.folder, self.container, self.mountpoint = folder, f"{folder}/container", f"{folder}/drive"
        for name in (f"{folder}/home", self.mountpoint): os.makedirs(name, exist_ok=True)
        self.environment = {**os.environ, "HOME": f"{folder}/home", "XDG_CONFIG_HOME": f"{folder}/home/.config", "XDG_CACHE_HOME": f"{folder}/home/.cache"}
        self.environment.pop("VALISE_CONTAINER", None)

    def make_container(self):
        os.makedirs(self.folder, exist_ok=True)
        subprocess.run([VALISE, "init", "-q", self.container], check=True, env=self.environment)
        self.environment["VALISE_CONTAINER"] = self.container

    # Apps

    def call(self, *words, code=0):
        ended = subprocess.run([f"{EXAMPLES}/{words[0]}", *words[1:]], env=self.environment, capture_output=True, text=True, timeout=120)
        if ended.returncode != code: raise Failed(f"{' '.join(words)}: {ended.returncode} {ended.stdout}{ended.stderr}")
        return ended.stdout + ended.stderr

    def rows(self, *words): return [json.loads(line) for line in self.call(*words, "--json").splitlines()]

    def start(self, *words): return Watch([f"{EXAMPLES}/{words[0]}", *words[1:]], self.environment)

    def kill_soon(self, seconds, *words):
        """Started, and killed after a moment."""
        process = subprocess.Popen([f"{EXAMPLES}/{words[0]}", *words[1:]], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        return process.wait()

    # The drive

    def mount(self): subprocess.run([VALISE, "mount", self.container, self.mountpoint], check=True, env=self.environment)
    def unmount(self): subprocess.run([VALISE, "unmount", self.mountpoint], check=True, env=self.environment, stdout=subprocess.DEVNULL)

    def is_mounted(self):
        with open("/proc/self/mountinfo") as table: return any(line.split()[4] == self.mountpoint for line in table)

    def kill_drive(self):
        """As it dies of a kill: who serves it is asked for by its number."""
        shown = json.loads(subprocess.run([VALISE, "status", "--json", self.mountpoint], check=True, capture_output=True, text=True, env=self.environment).stdout)
        drive = shown[0] if isinstance(shown, list) else shown.get("drives", [shown])[0]
        os.kill(drive["process"], signal.SIGKILL)
        eventually(lambda: not self.is_locked(), "the drive is dead")
        if self.is_mounted(): subprocess.run(["umount", "-l", self.mountpoint], stderr=subprocess.DEVNULL)

    def shown(self, name):
        try:
            with open(f"{self.mountpoint}/{name}") as file: return file.read()
        except OSError: return ""

    def write(self, name, text):
        with open(f"{self.mountpoint}/{name}", "w") as file: file.write(text)

    def write_draft(self, name, text):
        """What is no document of its kind: it waits as a draft."""
        with contextlib.suppress(OSError): self.write(name, text)

    def is_locked(self):
        with open(f"{self.container}/.valise/lock") as file:
            try: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError: return True
        return False

    def clear(self):
        if self.is_mounted(): subprocess.run([VALISE, "unmount", "--lazy", self.mountpoint], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if self.is_mounted(): subprocess.run(["umount", "-l", self.mountpoint])


def link(url): return f"[InternetShortcut]\nURL={url}\n"


def bookmark_in_conflict(place):
    """The bookmark “Both” has two sides: somebody on the drive has it open, and a sync tool, which asks nobody, puts another one in its place."""
    place.call("cloudy", "add", "Both", "https://app.example")
    stored = f"{place.container}/Documents/" + [row["file"] for row in place.rows("cloudy", "list") if row["name"] == "Both"][0]
    with open(stored, "rb") as archive: others = archive.read()
    place.call("cloudy", "edit", "Both", "-", "https://old.example")
    file = os.open(f"{place.mountpoint}/Both.url", os.O_RDWR)
    os.pwrite(file, link("https://drive.example").encode(), 0)
    os.ftruncate(file, len(link("https://drive.example")))
    with open(f"{place.container}/.incoming", "wb") as incoming: incoming.write(others)
    os.rename(f"{place.container}/.incoming", stored)
    os.close(file)
    return eventually(lambda: place.rows("cloudy", "conflicts"), "both sides are there")


@contextlib.contextmanager
def full_disk(place, before):
    """A container on a disk that is full, after `before` was done there; and the file whose removal makes room."""
    small = f"{place.folder}/small"
    os.mkdir(small)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", small], check=True)
    try:
        inside = Place(place.folder)
        inside.container = f"{small}/container"
        inside.make_container()
        before(inside)
        with open(f"{small}/filler", "wb", buffering=0) as filler:
            try:
                while filler.write(bytes(4096)): pass
            except OSError: pass
        yield inside, f"{small}/filler"
    finally:
        subprocess.run(["umount", "-l", small], check=True)
        os.rmdir(small)
