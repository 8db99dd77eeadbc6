"""What Thunar and tumbler read to show a folder of photos with their thumbnails: bytes that the drive takes out of the container."""

import os
import re
import signal
import subprocess
import tempfile
import time
import zlib

import containers
from measuring import *

COUNT, SIZE = int(os.environ.get("SHOWN", 1000)), 5_000_000


def png(number):
    """A thumbnail as large as they get: 150 × 150 pixels that have nothing in common."""
    def chunk(kind, body):
        return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")
    rows = b"".join(b"\0" + os.urandom(300) + bytes(150) for _ in range(150))
    head = (150).to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def photos(folder):
    """Photos of noise behind a small JPEG: decoders take them, and they are as long as real ones."""
    documents = os.path.join(folder, "Documents")
    os.makedirs(documents)
    picture = subprocess.run(["convert", "-size", "640x480", "plasma:", "jpeg:-"], check=True, stdout=subprocess.PIPE).stdout
    for number in range(COUNT):
        package = os.path.join(documents, f"IMG_{number:05}.ptk")
        os.mkdir(package)
        image = picture + number.to_bytes(8, "big") + os.urandom(1000) * ((SIZE - len(picture)) // 1000)
        containers.write(os.path.join(package, "photo.data"), containers.archive("Data", "PhotoKeeper.PhotoData", {"Version": 1, "Photo": image}))
        metadata = containers.archive("Data", "PhotoKeeper.PhotoMetadata", {"Version": 1, "Thumbnail": png(number)})
        containers.write(os.path.join(package, "photo.metadata"), metadata)
    return folder


class Counted:
    """Counts the bytes that a process gets out of the container's files, spliced ones too."""

    def __init__(self, process, container):
        self.container = container
        self.file = tempfile.NamedTemporaryFile("r", errors="replace")
        calls = "read,pread64,readv,preadv,preadv2,splice,sendfile,copy_file_range,mmap"
        self.tracer = subprocess.Popen(["strace", "-f", "-yy", "-qq", "-s", "0", "-e", f"trace={calls}", "-p", str(process), "-o", self.file.name])
        time.sleep(2)

    def end(self):
        self.tracer.send_signal(signal.SIGINT)
        self.tracer.wait()
        total, waiting = 0, {}
        for line in self.file:
            thread, _, call = line.partition(" ")
            if "<unfinished ...>" in call:
                waiting[thread] = call
                continue
            if "resumed>" in call:
                call = waiting.pop(thread, "") + call
            # What is read from is the first file that is named.
            source = re.match(r"\s*(?:\w+\((\d+)<|mmap\([^<]*<)([^>]*)>", call)
            count = re.search(r"= (\d+)$", call.strip())
            if source and count and source.group(2).startswith(self.container):
                total += int(count.group(1))
        return total


class Screen:
    """A screen and a session of its own, with a file manager on it."""

    def __init__(self, work):
        self.folder = tempfile.mkdtemp(dir=work)
        self.environment = {**os.environ, "HOME": self.folder, "XDG_RUNTIME_DIR": self.folder, "XDG_CACHE_HOME": f"{self.folder}/cache", "XDG_CONFIG_HOME": f"{self.folder}/config"}

    def show(self, folder, seconds):
        """Thunar with the folder, and with all of it in sight: a high screen, and small rows."""
        command = ["xvfb-run", "-a", "-s", "-screen 0 1600x20000x24", "dbus-run-session", "--", "timeout", str(seconds), "thunar", folder]
        settings = os.path.join(self.folder, "config/xfce4/xfconf/xfce-perchannel-xml")
        os.makedirs(settings)
        with open(os.path.join(settings, "thunar.xml"), "w") as file:
            file.write('<?xml version="1.0"?><channel name="thunar" version="1.0"><property name="last-window-height" type="int" value="19000"/>'
                       '<property name="last-window-width" type="int" value="1500"/></channel>')
        subprocess.run(command, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def made(self):
        """How many thumbnails tumbler had to make."""
        return sum(len(files) for _, _, files in os.walk(f"{self.folder}/cache/thumbnails"))


def main(work):
    table = Table("what", "measured", "of their size", "wanted")
    container = photos(f"{work}/container")
    with valise(container, f"{work}/v") as mount:
        counted = Counted(mount.status()["process"], container)
        screen = Screen(work)
        screen.show(mount.mountpoint, int(os.environ.get("SECONDS_SHOWN", 200)))
        total = counted.end()
    name = f"Thunar shows {COUNT:,} photos of {SIZE // 1_000_000} MB with their thumbnails"
    table.add(name, f"{total / 1e6:.1f} MB read", f"{total / COUNT / SIZE * 100:.2f} %", "≤ 2 %")
    table.add("Thumbnails that tumbler had to make", str(screen.made()), "", "0")
    return table
