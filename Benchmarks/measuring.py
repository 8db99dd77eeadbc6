"""Mounting, timing and telling: what every benchmark needs."""

import json
import mmap
import os
import shutil
import statistics
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
VALISE = os.environ.get("VALISE", os.path.join(HERE, "..", ".build", "release", "valise"))


class Mount:
    """A mounted file system, unmounted at the end."""

    def __init__(self, command, mountpoint):
        os.makedirs(mountpoint, exist_ok=True)
        self.mountpoint = mountpoint
        begin = time.perf_counter()
        subprocess.run([*command, mountpoint], check=True)
        self.seconds = time.perf_counter() - begin

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for _ in range(50):
            if subprocess.run(["fusermount3", "-u", self.mountpoint], stderr=subprocess.DEVNULL).returncode == 0:
                return
            time.sleep(0.1)
        subprocess.run(["umount", "-l", self.mountpoint])

    def status(self):
        with open(os.path.join(self.mountpoint, ".valise", "status")) as file:
            return json.load(file)

    def requests(self):
        return self.status()["requests"]


def valise(container, mountpoint, *options):
    return Mount([VALISE, "mount", *(("-o", ",".join(options)) if options else ()), container], mountpoint)


def bindfs(folder, mountpoint):
    return Mount(["bindfs", folder], mountpoint)


def touch_memory(most=7 << 30):
    """Takes most of the free memory for a moment. A virtual machine gives unused memory back to its host, and what is
    measured first would pay for getting it again."""
    with open("/proc/meminfo") as file:
        free = next(int(line.split()[1]) for line in file if line.startswith("MemAvailable")) << 10
    taken = mmap.mmap(-1, min(free * 2 // 3, most))
    for start in range(0, len(taken), mmap.PAGESIZE):
        taken[start] = 1
    taken.close()


class Stolen:
    """What share of the processors' time other virtual machines on the same host got while something here wanted to run,
    as the kernel counts it: what is measured meanwhile is as much theirs as ours."""

    def __init__(self):
        self.all, self.stolen = self.count()

    @staticmethod
    def count():
        with open("/proc/stat") as file:
            fields = [int(field) for field in file.readline().split()[1:9]]
        return sum(fields), fields[7]

    def share(self):
        now, stolen = self.count()
        return (stolen - self.stolen) / max(now - self.all, 1)


def seconds(command, cwd=None):
    """How long a command takes, its output thrown away."""
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=cwd)
    return time.perf_counter() - begin


def median(values):
    return statistics.median(values)


def ratio(ours, theirs):
    """The median of the ratios, pair by pair: both were measured in turn, so a drifting machine cancels out."""
    return statistics.median(a / b for a, b in zip(ours, theirs))


def resident(process):
    with open(f"/proc/{process}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def difference(after, before):
    return {kind: after[kind] - before.get(kind, 0) for kind in after if after[kind] != before.get(kind, 0)}


def told(counts):
    return ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items(), key=lambda item: -item[1]))


class Table:
    """Rows of text, printed as they come and kept as Markdown."""

    def __init__(self, *columns):
        self.rows = [columns]

    def add(self, *cells):
        self.rows.append(cells)
        print("  " + "  |  ".join(cells), flush=True)

    def markdown(self):
        lines = ["| " + " | ".join(row) + " |" for row in self.rows]
        lines.insert(1, "|" + " --- |" * len(self.rows[0]))
        return "\n".join(lines) + "\n"


def machine():
    """What the measuring ran on, without its name."""
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown processor")
    return f"{os.cpu_count()} × {model}, Linux {'.'.join(os.uname().release.split('.')[:2])}"


def clear(folder):
    shutil.rmtree(folder, ignore_errors=True)
