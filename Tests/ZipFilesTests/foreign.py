"""Writes ZIPs of one document, as various programs make them, into FOLDER.

usage: foreign.py FOLDER
"""
import os, struct, sys, zipfile, zlib
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from hostile import Entry, FILE, FOLDER, LINK, deflated, descriptor, own_extra, zipped

UNKNOWN = dict(crc=0, packed=0, length=0)
text = b"a song, and the same song again: a song, and the same song again" * 40
double = b"\0\5\x16\7\0\2\0\0Mac OS X        "


def python(name, prefix="", compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(os.path.join(sys.argv[1], name), "w", compression, compresslevel=9 if compression else None) as file:
        file.writestr(prefix + "Info.plist", "plist")
        file.writestr(zipfile.ZipInfo(prefix + "Media/", (2024, 2, 29, 12, 0, 0)), "")
        file.writestr(prefix + "Media/é.aif", text)


def written(name, content):
    with open(os.path.join(sys.argv[1], name), "wb") as file:
        file.write(content)


def ditto(prefix, *more, sequestered=True):
    """As ditto and Archive Utility do: descriptors, times in the old Unix extra, attributes apart or beside, names in UTF-8 without a flag."""
    def old_unix(owner):
        return struct.pack("<HHII", 0x5855, 12 if owner else 8, 1_600_000_000, 1_700_000_000) + (struct.pack("<HH", 501, 20) if owner else b"")

    def made(path, data=b"", mode=None):
        packed = deflated(data)
        if path.endswith("/"):
            return Entry(prefix + path, mode=mode or FOLDER, extra=old_unix(False), local=dict(extra=old_unix(True)))
        if mode == LINK:
            return Entry(prefix + path, data, mode=LINK, extra=old_unix(False), local=dict(extra=old_unix(True)))
        return Entry(prefix + path, data, method=8, flags=8, mode=mode or FILE, extra=old_unix(False), local=dict(UNKNOWN, extra=old_unix(True)), after=descriptor(data, packed))

    def attributes(path):
        entry = made("x", double)
        entry.name = path.encode()
        return entry

    beside = [attributes("__MACOSX/" + prefix + "._Info.plist"), attributes("__MACOSX/" + prefix + "Media/._é.aif")] if sequestered else [attributes(prefix + "._Info.plist")]
    own = [attributes(("__MACOSX/" if sequestered else "") + "._" + prefix[:-1])] if prefix else []
    aside = [Entry("__MACOSX/")] if sequestered else []
    return zipped(*([made("")] if prefix else []), made("Info.plist", b"plist", 0o100755), made("Media/"), made("Media/é.aif", text), made("l", b"Media", LINK), *aside, *beside, *own, *more)


if __name__ == "__main__":
    python("zipfile")
    python("zipfile stored", compression=zipfile.ZIP_STORED)
    python("zipfile in folder", "Song.BAND/")
    python("zipfile beside", "../My Song.band/")
    written("ditto", ditto("Song.band/"))
    written("ditto bare", ditto(""))
    written("ditto beside", ditto("Song.band/", sequestered=False))
    # A part that looks like the package itself.
    with zipfile.ZipFile(os.path.join(sys.argv[1], "part"), "w") as file:
        file.writestr("Song.band/x", "1")
        file.writestr("y", "2")
    with zipfile.ZipFile(os.path.join(sys.argv[1], "other extension"), "w") as file:
        file.writestr("Media.bundle/x", "1")
    # Nothing but files, as streams: zipfile writes what it cannot go back in with descriptors.
    read, write = os.pipe()
    with open(os.path.join(sys.argv[1], "stream"), "wb") as out:
        with os.fdopen(write, "wb") as pipe, zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as file:
            file.writestr("a/b/c", text[:300])
        out.write(os.read(read, 1 << 16))
    written("here", zipped(Entry("./"), Entry("./a", b"1"), Entry("./b/")))
    written("here in folder", zipped(Entry("./Song.band/"), Entry("./Song.band/a", b"1")))
    written("empty", zipped())
    written("empty package", zipped(Entry("Song.band/")))
    written("windows", zipped(Entry("a", b"1", mode=0, host=0), Entry("b/", mode=0, host=11)))
    written("no modes", zipped(Entry("a", b"1", mode=0), Entry("b/", mode=0)))
    written("setuid", zipped(Entry("a", b"1", mode=0o107755)))
    written("ntfs", zipped(Entry("a", b"1", extra=struct.pack("<HHIHHQQQ", 10, 32, 0, 1, 24, (11644473600 + 4_100_000_000) * 10_000_000 + 7, 1, 1))))
    written("timestamp", zipped(Entry("a", b"1", extra=struct.pack("<HHBi", 0x5455, 5, 1, -5)), Entry("b", b"", extra=struct.pack("<HHB", 0x5455, 1, 0))))
    written("other extra", zipped(Entry("a", b"1", extra=own_extra(b"\6\1\0user.x1", magic=b"else"))))
    # By programs that go on after 2038.
    late = Entry("a", b"1", extra=struct.pack("<HHBI", 0x5455, 5, 1, 4_090_000_000))
    written("late timestamp", zipped(late).replace(struct.pack("<I", 0x5A21_0000), struct.pack("<I", (2099 - 1980) << 25 | 0x109_0000)))
