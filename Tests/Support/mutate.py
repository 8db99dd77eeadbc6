#!/usr/bin/env python3
"""Fills a container with broken archives, the same ones every time.

usage: mutate.py FOLDER COUNT

They begin as bookmarks and photos that plistlib wrote, in the binary and the XML form, in either spelling; then bits
are flipped, bytes cut and moved, lengths and offsets made huge, references led in circles and types changed. Some are
bombs: a few hundred bytes that unfold to gigabytes.
"""

import os
import plistlib
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from make_container import JPEG, archive, photo_archive


def seeds():
    for fmt in plistlib.FMT_BINARY, plistlib.FMT_XML:
        for mutable in False, True:
            fields = {"Bookmark Name": ("Näme", mutable), "Bookmark URL": ("https://example.com/", mutable)}
            yield "bookmark", archive("Bookmark", "Bookmark", fields, fmt)
            for objc in False, True:
                yield "photo", photo_archive("Data", "Photo", JPEG, objc, mutable, fmt)
                yield "metadata", photo_archive("Metadata", "Thumbnail", JPEG, objc, mutable, fmt)


def bombs():
    value = ["x" * 30]
    for _ in range(14):
        value = [value] * 14
    nested = {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"Bookmark": plistlib.UID(1)}, "$objects": ["$null", {"a": value}]}
    yield plistlib.dumps(nested, fmt=plistlib.FMT_BINARY)
    yield b"<plist>" + b"<array>" * 200_000
    yield b"<plist><dict><key>a</key>" + b"<array><true/></array>" * 70_000
    yield b"bplist00" + b"\xaf\x14" + b"\x00" * 7 + b"\xff" * 9 + b"\x00" * 40
    yield b'<!DOCTYPE plist [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><plist><string>&b;</string></plist>'


def mutated(data, chance):
    data = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        if len(data) < 60:
            break
        place = chance.randrange(len(data))
        kind = chance.randrange(8)
        if kind == 0:
            data[place] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[place] = chance.randrange(256)
        elif kind == 2:
            del data[place:]
        elif kind == 3:
            del data[place:place + chance.randint(1, 12)]
        elif kind == 4:
            data[-1 - chance.randrange(32)] = chance.choice([0, 1, 0x7F, 0x80, 0xFF])
        elif kind == 5:
            data[-33 - chance.randrange(20)] = chance.randrange(256)
        elif kind == 6:
            data[place:place + 10] = bytes([chance.choice([0x4F, 0x5F, 0x6F, 0xAF, 0xDF]), 0x13, chance.choice([0, 0x7F, 0xFF]), 0, 0, 1]) + b"\xff" * 4
        else:
            for index in range(8, len(data)):
                if data[index] < 20 and chance.randrange(8) == 0:
                    data[index] = chance.randrange(20)
    return bytes(data)


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def main(folder, count):
    chance = random.Random(20240601)
    pool = list(seeds())
    whole = photo_archive("Data", "Photo", JPEG, False, False)
    cases = [(kind, mutated(data, chance)) for kind, data in (pool[number % len(pool)] for number in range(count))]
    cases += [("bookmark", bomb) for bomb in bombs()] + [("photo", bomb) for bomb in bombs()] + [("metadata", bomb) for bomb in bombs()]
    for number, (kind, data) in enumerate(cases):
        if kind == "bookmark":
            write(f"{folder}/Bookmark_{number}-1.000000", data)
        else:
            write(f"{folder}/{number}.ptk/photo.data", data if kind == "photo" else whole)
            if kind == "metadata":
                write(f"{folder}/{number}.ptk/photo.metadata", data)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
