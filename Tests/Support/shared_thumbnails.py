#!/usr/bin/env python3
"""Looks for the shared thumbnails of the files named on the command line, all of one folder, as a file manager does.

Prints one line a file: its name, and "none" or what is in each of the four: width × height. Exits with a sentence if
one of them is not what the thumbnail standard says, or names are encoded in another way than GLib's.
"""

import hashlib
import itertools
import os
import re
import struct
import subprocess
import sys
import urllib.parse
import zlib

SIZES = ("normal", "large", "x-large", "xx-large")


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        assert len(body) == length, "a chunk is cut"
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length:at + 12 + length])[0], f"the sum of {kind} is wrong"
        yield kind, body
        at += 12 + length
    assert at == len(data)


def encoded(path):
    name = urllib.parse.quote(os.fsencode(os.path.basename(path)), safe="!$&'()*+,:=@~-._")
    if not re.fullmatch(r"[\w.-]*", name):
        said = subprocess.run(["gio", "info", "-a", "standard::name", path], capture_output=True, text=True, check=True).stdout
        uri = next(line[5:] for line in said.splitlines() if line.startswith("uri: "))
        assert uri.rsplit("/", 1)[1] == name, f"GLib says {uri}, and not {name}"
    return name


def looked_at(path):
    uri = "./" + encoded(path)
    found = []
    # The second is what libxfce4util makes of it before 4.20.
    for size, named in itertools.product(SIZES, (uri, uri[2:])):
        digest = hashlib.md5(named.encode()).hexdigest()
        thumbnail = os.path.join(os.path.dirname(path), ".sh_thumbnails", size, digest + ".png")
        try:
            with open(thumbnail, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            continue
        assert os.stat(thumbnail).st_size == len(data), "stat tells another size"
        parts = list(chunks(data))
        kinds = [kind for kind, _ in parts]
        assert kinds[0] == b"IHDR" and kinds[-1] == b"IEND" and kinds.index(b"tEXt") < kinds.index(b"IDAT")
        # The first of a keyword is what programs take.
        texts = dict(reversed([body.split(b"\0", 1) for kind, body in parts if kind == b"tEXt"]))
        assert texts[b"Thumb::URI"] == uri.encode(), f"it is of {texts[b'Thumb::URI']}"
        second, micro = divmod(os.stat(path).st_mtime_ns // 1000, 1_000_000)
        assert texts[b"Thumb::MTime"] == b"%d.%06d" % (second, micro), f"it is of {texts[b'Thumb::MTime']}"
        zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
        found.append("%d × %d" % struct.unpack(">II", parts[0][1][:8]))
    assert len(found) in (0, 2 * len(SIZES)), f"{path} has {len(found)} of its thumbnails"
    return f"{os.path.basename(path)}: {', '.join(sorted(set(found))) or 'none'}"


for path in sys.argv[1:]:
    try:
        print(looked_at(path))
    except AssertionError as fault:
        sys.exit(f"{path}: {fault}")
