#!/usr/bin/env python3
"""Lists the source files that one warm request enters, LinuxFiles left out.

usage: entered_files.py [--build FOLDER] [--list]

Builds `valise` with coverage into FOLDER (.build/coverage; a quarter of an hour for the first time), mounts a container of its own with it, and does
each of these until nothing new comes of it, before it is counted:

    reading     a photo is opened, read and closed; the kernel has nothing of it in memory
    saving      a bookmark that was opened, cut and written is closed
    renaming    a document is renamed over another one

The counters are read in the drive's own memory before and after the request, so that nothing else is counted, neither the mount nor its end. What only
some of several requests enter is work of other threads, and is left out. One number a request, and with --list the files.
"""
import argparse
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))
package = os.path.dirname(os.path.dirname(here))
times = 5


def build(folder):
    subprocess.run(
        ["swift", "build", "--product", "valise", "--scratch-path", folder, "-Xswiftc", "-profile-generate", "-Xswiftc", "-profile-coverage-mapping"],
        cwd=package, check=True, stdout=sys.stderr)
    return os.path.join(folder, "debug", "valise")


class Counters:
    """The counters of a running program: where they are in its memory, and a file of LLVM's around them."""

    def __init__(self, program, process, folder):
        self.program, self.process, self.folder = program, process, folder
        sections = {}
        listed = subprocess.run(["readelf", "-SW", program], check=True, capture_output=True, text=True).stdout
        for line in listed.splitlines():
            words = line.replace("[ ", "[").split()
            if len(words) > 5 and words[1].startswith("__llvm_prf_"):
                sections[words[1]] = (int(words[3], 16), int(words[5], 16))
        self.address, self.size = sections["__llvm_prf_cnts"]
        with open(f"/proc/{process}/maps") as maps:
            self.address += min(int(line.split("-")[0], 16) for line in maps if line.rstrip().endswith(os.path.realpath(program)))
        # A program that does nothing leaves a file with the same counters in the same order.
        template = os.path.join(folder, "template.profraw")
        subprocess.run([program, "--version"], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, LLVM_PROFILE_FILE=template))
        with open(template, "rb") as file:
            self.template = file.read()
        words = struct.unpack("<16Q", self.template[:128])
        version, identities, functions, before, count = words[1] & 0xFFFFFF, words[2], words[3], words[4], words[5]
        header = 8 * {8: 11, 9: 14, 10: 16}[version]
        self.place = header + identities + sections["__llvm_prf_data"][1] + before
        assert count * 8 == self.size and sections["__llvm_prf_data"][1] % functions == 0, "counters of another layout"

    def now(self):
        with open(f"/proc/{self.process}/mem", "rb") as memory:
            memory.seek(self.address)
            return struct.unpack(f"<{self.size // 8}Q", memory.read(self.size))

    def entered(self, before, after):
        """The files with a function that was called between the two."""
        raw, merged = os.path.join(self.folder, "counted.profraw"), os.path.join(self.folder, "counted.profdata")
        difference = struct.pack(f"<{len(before)}Q", *(max(0, new - old) for old, new in zip(before, after)))
        with open(raw, "wb") as file:
            file.write(self.template[:self.place] + difference + self.template[self.place + len(difference):])
        subprocess.run(["llvm-profdata", "merge", "-o", merged, raw], check=True)
        told = subprocess.run(
            ["llvm-cov", "export", "-format=text", "-summary-only", "-instr-profile", merged, self.program], check=True, capture_output=True)
        files = set()
        for file in json.loads(told.stdout)["data"][0]["files"]:
            path = file["filename"].partition("/Sources/")[2]
            if path and not path.startswith("LinuxFiles/") and file["summary"]["functions"]["covered"]:
                files.add(path)
        return files


def wait(condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            sys.exit("it took too long")
        time.sleep(0.05)


class Requests:
    def __init__(self, mountpoint):
        self.mountpoint = mountpoint

    def path(self, name):
        return os.path.join(self.mountpoint, name)

    def reading(self, number, counted):
        path = self.path("Cat.png")
        file = os.open(path, os.O_RDONLY)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)
        time.sleep(0.5)
        with counted():
            file = os.open(path, os.O_RDONLY)
            assert os.read(file, 65536)
            os.close(file)
            # The kernel lets go of it a little later.
            time.sleep(0.1)

    def saving(self, number, counted):
        file = os.open(self.path("Swift.url"), os.O_WRONLY | os.O_TRUNC)
        os.write(file, b"[InternetShortcut]\nURL=https://www.swift.org/%d\n" % number)
        last = os.dup(file)
        time.sleep(0.5)
        # What the last one that is closed does is no save any more.
        with counted():
            os.close(file)
        os.close(last)

    def renaming(self, number, counted):
        with open(self.path("Other.txt"), "w") as file:
            file.write(f"number {number}")
        os.stat(self.path("Notes.txt"))
        time.sleep(0.5)
        with counted():
            os.rename(self.path("Other.txt"), self.path("Notes.txt"))


def measure(program, folder):
    container, mountpoint = os.path.join(folder, "container"), os.path.join(folder, "drive")
    os.mkdir(mountpoint)
    items = "photo Cat png size=20000\nbookmark Swift https://www.swift.org/\ntext Notes one\n"
    subprocess.run([sys.executable, os.path.join(here, "make_container.py"), container], input=items.encode(), check=True, stdout=subprocess.DEVNULL)
    drive = subprocess.Popen(
        [program, "mount", "-f", container, mountpoint], env=dict(os.environ, LLVM_PROFILE_FILE=os.path.join(folder, "drive-%p.profraw")))
    try:
        wait(lambda: os.path.ismount(mountpoint))
        # What a drive does when it is new is done then.
        os.listdir(mountpoint)
        time.sleep(8)
        counters, requests, found = Counters(program, drive.pid, folder), Requests(mountpoint), {}
        for what in ["reading", "saving", "renaming"]:
            snapshots = []

            class Counted:
                def __enter__(self):
                    self.before = counters.now()

                def __exit__(self, *_):
                    snapshots.append((self.before, counters.now()))

            for number in range(3 + times):
                getattr(requests, what)(number, Counted)
            found[what] = set.intersection(*(counters.entered(*pair) for pair in snapshots[3:]))
        return found
    finally:
        subprocess.run([program, "unmount", mountpoint], env=dict(os.environ, LLVM_PROFILE_FILE=os.devnull))
        drive.wait()


def main():
    parser = argparse.ArgumentParser(description="Lists the source files that one warm request enters.")
    parser.add_argument("--build", default=os.path.join(package, ".build", "coverage"))
    parser.add_argument("--list", action="store_true")
    words = parser.parse_args()
    program = build(os.path.abspath(words.build))
    folder = tempfile.mkdtemp()
    try:
        for what, files in measure(program, folder).items():
            print(f"{what}: {len(files)} files")
            if words.list:
                for file in sorted(files):
                    print("   ", file)
    finally:
        shutil.rmtree(folder)


main()
