#!/usr/bin/env python3
"""Makes a container of many small photos, each with a thumbnail that can be drawn.

    Benchmarks/photos.py COUNT CONTAINER

The same COUNT makes the same photos: packages in the top folder, of which the later ones are newer. A few hundred pictures are drawn, and used in turn."""

import os
import sys
import zlib

from containers import archive, write

BEGIN = 1_500_000_000
PICTURES = 200


def png(size, number):
    """A square with a slope of two colours, another one for each number."""
    one, other = [(number * 37 % 200, number * 91 % 200, number * 53 % 200), (255 - number * 29 % 200, 255 - number * 67 % 200, 255 - number * 13 % 200)]
    rows = bytearray()
    for row in range(size):
        rows.append(0)
        for column in range(size):
            share = (row + column + (row * column * number) % 7) / (2 * size + 6)
            rows += bytes(int(a + (b - a) * share) for a, b in zip(one, other))

    def part(name, data): return len(data).to_bytes(4, "big") + name + data + zlib.crc32(name + data).to_bytes(4, "big")

    head = size.to_bytes(4, "big") * 2 + bytes((8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", head) + part(b"IDAT", zlib.compress(bytes(rows))) + part(b"IEND", b"")


def make(count, container):
    documents = os.path.join(container, "Documents")
    os.makedirs(documents)
    os.mkdir(os.path.join(container, ".valise"), 0o700)
    pictures = [png(150, number) for number in range(PICTURES)]
    data = [archive("Data", "PhotoKeeper.PhotoData", {"Version": 1, "Photo": picture}) for picture in pictures]
    metadata = [archive("Data", "PhotoKeeper.PhotoMetadata", {"Version": 1, "Thumbnail": picture}) for picture in pictures]
    for number in range(count):
        package, when = f"{documents}/IMG_{number:06}.ptk", BEGIN + number * 60
        os.mkdir(package)
        for name, contents in (("photo.data", data), ("photo.metadata", metadata)):
            write(f"{package}/{name}", contents[number % PICTURES])
            os.utime(f"{package}/{name}", (when, when))
        os.utime(package, (when, when))


if __name__ == "__main__":
    make(int(sys.argv[1]), sys.argv[2])
