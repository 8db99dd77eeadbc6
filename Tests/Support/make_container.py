#!/usr/bin/env python3
"""Makes a container for tests, with Python's plistlib and nothing of ours.

usage: make_container.py FOLDER < DESCRIPTION

DESCRIPTION has an item a line, in shell words, in which \\n, \\xHH and \\uHHHH stand for bytes:

    bookmark NAME URL [stored=ITEM] [mutable] [xml]
    photo TITLE [png|jpeg|gif|webp|avif|bytes|none] [size=N] [objc] [mutable] [xml] [metadata=no] [thumbnail=jpeg] [stored=ITEM]
    photos COUNT PREFIX                 many small ones: PREFIX00000, PREFIX00001, ...
    text TITLE CONTENT
    texts COUNT PREFIX
    file PATH CONTENT
    folder PATH
    link PATH TARGET
    fifo PATH
    part PATH CONTENT|link:TARGET|fifo|folder|archive    a file in a package, made with the package

Items can lie in subfolders: "photo Rome/Forum png". Prints a JSON object: of each document
and plain file "shown" (what the drive is to call it, if nothing else is called so),
"size", "sha256" and "stored".
"""

import hashlib
import json
import os
import plistlib
import re
import shlex
import struct
import sys
import zlib


def decoded(word):
    """A word's bytes, with its escapes resolved."""
    def resolve(match):
        escape = match.group(0)
        if escape == b"\\n":
            return b"\n"
        if escape == b"\\\\":
            return b"\\"
        number = int(escape[2:], 16)
        return bytes([number]) if escape[1:2] == b"x" else chr(number).encode()
    return re.sub(rb"\\n|\\\\|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}", resolve, os.fsencode(word))


# Archives


def archive(top, class_name, fields, fmt=plistlib.FMT_BINARY):
    """A keyed archive with one object. A value is an integer, None, or (value, mutable)."""
    objects = ["$null", {}]
    root = objects[1]

    # In an XML list a reference is a dictionary, which plistlib leaves to its caller.
    uid = plistlib.UID if fmt == plistlib.FMT_BINARY else lambda number: {"CF$UID": number}

    def add(value):
        objects.append(value)
        return uid(len(objects) - 1)

    for key, value in fields.items():
        if value is None:
            root[key] = uid(0)
        elif isinstance(value, int):
            root[key] = value
        elif not value[1]:
            root[key] = add(value[0])
        else:
            text = isinstance(value[0], str)
            names = ["NSMutableString", "NSString"] if text else ["NSMutableData", "NSData"]
            box = {"NS.string" if text else "NS.data": value[0]}
            root[key] = add(box)
            box["$class"] = add({"$classname": names[0], "$classes": names + ["NSObject"]})
    root["$class"] = add({"$classname": class_name, "$classes": [class_name, "NSObject"]})
    plist = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {top: uid(1)}, "$objects": objects}
    return plistlib.dumps(plist, fmt=fmt)


def form(options):
    return plistlib.FMT_XML if "xml" in options else plistlib.FMT_BINARY


def photo_archive(part, field, data, objc, mutable, fmt=plistlib.FMT_BINARY):
    fields = {"Version": 1}
    if data is not None:
        fields[field] = (data, mutable)
    elif objc:
        fields[field] = None
    if objc:
        return archive("data", "PTK" + part, fields, fmt)
    return archive("Data", "PhotoKeeper.Photo" + part, fields, fmt)


# Images


def png(seed, size):
    """A real PNG of one colour, made longer by a text chunk."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    pixel = bytes(hashlib.sha256(seed).digest()[:3])
    body = chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0))
    body += chunk(b"IDAT", zlib.compress((b"\0" + pixel * 4) * 4))
    length = len(body) + 8 + 12
    filler = chunk(b"tEXt", b"Comment\0" + (seed or b" ") * max(1, (size - length) // max(1, len(seed)))) if size > length else b""
    return b"\x89PNG\r\n\x1a\n" + body[:25] + filler + body[25:] + chunk(b"IEND", b"")


# A JPEG of one grey pixel.
JPEG = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb004300" + "08" * 64
    + "ffc0000b080001000101011100ffc40014000100000000000000000000000000000009"
    + "ffc40014100100000000000000000000000000000000ffda0008010100003f0054dfffd9")


def image(kind, seed, size):
    if kind == "none":
        return None
    if kind == "png":
        return png(seed, size)
    head = {
        "jpeg": JPEG,
        "gif": b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
        "webp": b"RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0/\0\0\0\x10\x07\x10\x11\x11\x88\x88\xfe\x07\0",
        "avif": b"\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf",
        "bytes": b"none of the known kinds of images: ",
    }[kind]
    return head + (seed + b".") * ((size - len(head)) // (len(seed) + 1) + 1) if size > len(head) else head + (seed if kind == "bytes" else b"")


EXTENSIONS = {"png": "png", "jpeg": "jpg", "gif": "gif", "webp": "webp", "avif": "avif"}
THUMBNAIL = png(b"thumbnail", 0)


class Maker:
    def __init__(self, base):
        self.base = os.fsencode(base)
        self.items = []
        self.number = 0

    def path(self, stored):
        path = os.path.join(self.base, stored)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path

    def write(self, stored, data):
        with open(self.path(stored), "wb") as file:
            file.write(data)

    def tell(self, stored, shown, data):
        self.items.append({
            "stored": stored.decode(errors="replace"), "shown": shown.decode(errors="replace"),
            "size": len(data), "sha256": hashlib.sha256(data).hexdigest()})

    def bookmark(self, name, url, options):
        folder, name = os.path.split(name) if "inside" in options else (b"", name)
        self.number += 1
        stored = options.get("stored") or b"Bookmark_%s-%d.%06d" % (name.replace(b"/", b"_")[:200], 1772355900 + self.number, self.number)
        mutable = "mutable" in options
        fields = {"Bookmark Name": (name.decode(), mutable), "Bookmark URL": (url.decode(), mutable)}
        self.write(os.path.join(folder, stored), archive("Bookmark", "Bookmark", fields, form(options)))
        shown = name.replace(b"/", "∕".encode()).replace(b"\0", "␀".encode()) + b".url"
        self.tell(os.path.join(folder, stored), os.path.join(folder, shown), b"[InternetShortcut]\nURL=%s\n" % url)

    def photo(self, title, kind, options):
        stored = options.get("stored") or title + b".ptk"
        objc, mutable = "objc" in options, "mutable" in options
        data = image(kind, title, int(options.get("size", 0)))
        self.write(stored + b"/photo.data", photo_archive("Data", "Photo", data, objc, mutable, form(options)))
        thumbnail = JPEG if options.get("thumbnail") == b"jpeg" else THUMBNAIL
        if options.get("metadata") != b"no":
            self.write(stored + b"/photo.metadata", photo_archive("Metadata", "Thumbnail", thumbnail, objc, mutable, form(options)))
        shown = title + (b"." + EXTENSIONS[kind].encode() if kind in EXTENSIONS else b".image")
        self.tell(stored, shown, data or b"")

    def part(self, path, what):
        target = self.path(path)
        if what == b"fifo":
            os.mkfifo(target)
        elif what == b"folder":
            os.mkdir(target)
        elif what == b"archive":
            self.write(path, photo_archive("Data", "Photo", JPEG, False, False))
        elif what.startswith(b"link:"):
            os.symlink(what[5:], target)
        else:
            self.write(path, what)

    def line(self, text):
        words = [decoded(word) for word in shlex.split(text)]
        verb, operands = words[0].decode(), words[1:]
        flags, plain = {}, []
        for word in operands:
            key, equals, value = word.partition(b"=")
            if equals and key in (b"stored", b"size", b"metadata", b"thumbnail"):
                flags[key.decode()] = value
            elif word in (b"mutable", b"objc", b"xml", b"inside"):
                flags[word.decode()] = True
            else:
                plain.append(word)
        if verb == "bookmark":
            self.bookmark(plain[0], plain[1], flags)
        elif verb == "photo":
            self.photo(plain[0], plain[1].decode() if len(plain) > 1 else "png", flags)
        elif verb == "photos":
            for number in range(int(plain[0])):
                self.photo(plain[1] + b"%05d" % number, "jpeg", {"size": 200, "metadata": b"no"})
        elif verb == "texts":
            for number in range(int(plain[0])):
                self.line(f"text {plain[1].decode()}{number:05} {number}")
        elif verb == "text":
            self.write(plain[0] + b".stedoc", plain[1])
            self.tell(plain[0] + b".stedoc", plain[0] + b".txt", plain[1])
        elif verb == "file":
            self.write(plain[0], plain[1])
            self.tell(plain[0], plain[0], plain[1])
        elif verb == "folder":
            os.makedirs(self.path(plain[0]), exist_ok=True)
        elif verb == "link":
            os.symlink(plain[1], self.path(plain[0]))
        elif verb == "fifo":
            os.mkfifo(self.path(plain[0]))
        elif verb == "part":
            self.part(plain[0], plain[1])
        else:
            raise ValueError(f"make_container.py: there is no item “{verb}”")


def make(folder, description):
    maker = Maker(folder)
    os.makedirs(maker.base, exist_ok=True)
    for text in description.splitlines():
        if text.strip():
            maker.line(text)
    return maker.items


if __name__ == "__main__":
    json.dump(make(sys.argv[1], sys.stdin.buffer.read().decode("utf-8", "surrogateescape")), sys.stdout)
