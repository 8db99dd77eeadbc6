#!/usr/bin/env python3
"""Very large packages as flat files: Tests/Support/large_flat_files.py VALISE FOLDER [many|one|sum]

many: 70,000 parts. one: a part of 5 GiB, most of it a hole. sum: 90 parts that are 4.4 GiB together, which takes 9 GB on the disk. Other programs have to
accept each flat file, ranges have to be those of the whole, and a copy on the drive has to be the same package. What the drive read, and what
processor and memory it took, is printed."""

import os
import pathlib
import random
import subprocess
import sys
import time
import zipfile

KIND = "create = text\n[scrap]\nextension = scrap\nrequired = main.txt\nshown = file\n"
RANGE = 65536


def fill(package, case, numbers):
    package.mkdir()
    (package / "main.txt").write_text("main\n")
    if case == "many":
        for number in range(70_000):
            folder = package / f"d{number // 1000}"
            folder.mkdir(exist_ok=True)
            (folder / f"part{number}").write_bytes(numbers.randbytes(numbers.randrange(100)))
    elif case == "one":
        with open(package / "big", "wb") as file:
            file.truncate(5 << 30)
            for place in (0, 1 << 30, (4 << 30) - 5, (5 << 30) - 100):
                file.seek(place)
                file.write(b"x" * 100)
    else:
        content = numbers.randbytes(1 << 20)
        for number in range(90):
            with open(package / f"part{number}", "wb") as file:
                for _ in range(50):
                    file.write(content)
                file.write(str(number).encode())


class Drive:
    def __init__(self, valise, container, place):
        self.valise, self.place = valise, place
        subprocess.run([valise, "mount", container, place], check=True)
        status = subprocess.run([valise, "status", "--details", place], capture_output=True, text=True).stdout
        self.process = int(next(line.split()[1] for line in status.splitlines() if line.split()[:1] == ["process"]))
        self.last = self.account()

    def account(self):
        def lines(name):
            return dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{self.process}/{name}").read_text().splitlines())
        taken, status = lines("io"), lines("status")
        times = pathlib.Path(f"/proc/{self.process}/stat").read_text().rsplit(")", 1)[1].split()
        peak = int(status["VmHWM"].split()[0]) // 1024
        return int(taken["rchar"]), int(taken["syscr"]), (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"), peak

    def tell(self, what, began):
        now = self.account()
        read, calls, processor = (one - other for one, other in zip(now, self.last[:3]))
        print(f"{what}: {time.time() - began:.1f} s, {processor:.1f} s of processor, {read / 1e6:.1f} MB in {calls} calls, peak {now[3]} MB", flush=True)
        self.last = now

    def unmount(self):
        subprocess.run([self.valise, "unmount", self.place], check=True)


def read_all(file, ranges):
    """All of it once, and what is in these ranges."""
    found, place = {start: b"" for start in ranges}, 0
    with open(file, "rb", buffering=0) as source:
        while content := source.read(1 << 20):
            for start in ranges:
                first, end = max(start, place), min(start + RANGE, place + len(content))
                if first < end:
                    found[start] += content[first - place:end - place]
            place += len(content)
    return place, found


def facts(folder):
    """A folder's size says nothing of what is in it."""
    script = "cd \"$1\" && find . -mindepth 1 \\( -type d -printf '%p %m %T@\\n' -o -printf '%p %m %s %T@\\n' \\) | sort"
    return subprocess.run(["sh", "-c", script, "sh", folder], capture_output=True, check=True).stdout


def look(drive, file, documents, numbers):
    began, size = time.time(), file.stat().st_size
    drive.tell(f"ls -l: {size} bytes", began)
    began = time.time()
    subprocess.run(["zipinfo", "-t", file], check=True, stdout=subprocess.DEVNULL)
    drive.tell("the first look into the directory", began)
    began, starts = time.time(), [numbers.randrange(size - RANGE) for _ in range(60)]
    length, wanted = read_all(file, starts)
    assert length == size, f"{length} bytes instead of {size}"
    drive.tell("all of it", began)
    began, opened = time.time(), os.open(file, os.O_RDONLY)
    os.posix_fadvise(opened, 0, 0, os.POSIX_FADV_DONTNEED)
    assert all(os.pread(opened, RANGE, start) == wanted[start] for start in starts), "a range differs"
    os.close(opened)
    drive.tell("60 ranges", began)
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None, "zipfile finds a damaged part"
    for command in (["7z", "t", file], ["bsdtar", "-tf", file], ["unzip", "-tq", file]):
        assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0, f"{command[0]} does not take it"
    drive.last, began = drive.account(), time.time()
    subprocess.run(["cp", "--preserve=timestamps", file, file.with_name("Copy.scrap")], check=True)
    drive.tell("cp onto the drive", began)
    subprocess.run(["diff", "-r", documents / "Big.scrap", documents / "Copy.scrap"], check=True)
    assert facts(documents / "Big.scrap") == facts(documents / "Copy.scrap"), "permissions, lengths or times differ"
    # The catalog keeps checksums where there is one.
    subprocess.run([drive.valise, "find", 'kMDItemFSName == "Big.scrap"', drive.place], check=True, stdout=subprocess.DEVNULL)


def main():
    valise, base = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    container, place = base / "container", base / "drive"
    place.mkdir(parents=True)
    subprocess.run([valise, "init", "-q", container], check=True)
    (container / ".valise").mkdir(exist_ok=True)
    (container / ".valise/settings").write_text(KIND)
    documents = container / "Documents" if (container / "Documents").is_dir() else container
    numbers = random.Random(3)
    fill(documents / "Big.scrap", (sys.argv[3:] or ["many"])[0], numbers)
    drive = Drive(valise, container, place)
    look(drive, place / "Big.scrap", documents, numbers)
    drive.unmount()
    drive, began = Drive(valise, container, place), time.time()
    subprocess.run(["zipinfo", "-t", place / "Big.scrap"], check=True, stdout=subprocess.DEVNULL)
    drive.tell("the next drive's first look", began)
    drive.unmount()


main()
