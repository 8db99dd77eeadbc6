"""Writes ZIPs that must be refused, one for each reason, and some good ones into FOLDER. Prints their list.

usage: hostile.py FOLDER
"""
import json, os, struct, sys, zlib

FILE, FOLDER, LINK = 0o100644, 0o040755, 0o120777


def own_extra(attributes=b"", magic=b"VLSE", nanoseconds=0):
    data = magic + struct.pack("<BqI", 1, 1_700_000_000, nanoseconds) + attributes
    return struct.pack("<HH", 0x6C76, len(data)) + data


class Entry:
    def __init__(self, name, data=b"", method=0, flags=0, mode=None, host=3, extra=b"", local=None, central=None, before=b"", after=b"", offset=None):
        self.name = name.encode() if isinstance(name, str) else name
        self.data, self.method, self.flags, self.host, self.extra = data, method, flags, host, extra
        self.mode = (FOLDER if self.name.endswith(b"/") else FILE) if mode is None else mode
        self.local, self.central, self.before, self.after, self.offset = local or {}, central or {}, before, after, offset

    def fields(self, packed, over):
        said = dict(flags=self.flags, method=self.method, crc=zlib.crc32(self.data), packed=len(packed), length=len(self.data), name=self.name, extra=self.extra, disk=0)
        said.update(over)
        return said


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zipped(*entries, count=None, comment=b"", after=b"", before_directory=b"", behind_directory=b"", start=None, locator=None, first=b"", short={}):
    out, directory = first, b""
    for entry in entries:
        out += entry.before
        offset = len(out) if entry.offset is None else entry.offset
        packed = deflated(entry.data) if entry.method == 8 else entry.data
        said = entry.fields(packed, entry.local)
        out += struct.pack("<IHHHIIIIHH", 0x04034B50, 20, said["flags"], said["method"], 0x5A21_0000, said["crc"], said["packed"], said["length"], len(said["name"]), len(said["extra"]))
        out += said["name"] + said["extra"] + packed + entry.after
        said = entry.fields(packed, entry.central)
        directory += struct.pack("<IHHHHIIIIHHHHHII", 0x02014B50, entry.host << 8 | 45, 20, said["flags"], said["method"], 0x5A21_0000, said["crc"], said["packed"], said["length"],
                                 len(said["name"]), len(said["extra"]), 0, said["disk"], 0, entry.mode << 16, offset)
        directory += said["name"] + said["extra"]
    out += before_directory
    begin = len(out) if start is None else start
    directory += behind_directory
    number = len(entries) if count is None else count
    out += directory + (locator(begin, len(out) + len(directory), len(directory), number) if locator else b"")
    end = dict(disk=0, directory_disk=0, here=number, count=number, length=len(directory), start=begin)
    end.update(short)
    return out + struct.pack("<IHHHHIIH", 0x06054B50, *end.values(), len(comment)) + comment + after


def end64(place=0, size=44, disks=1, count=None, disk=0, directory_disk=0, locator_disk=0, here=None):
    def written(begin, at, length, number):
        number = number if count is None else count
        return struct.pack("<IQHHIIQQQQ", 0x06064B50, size, 0x32D, 45, disk, directory_disk, number if here is None else here, number, length, begin) + struct.pack("<IIQI", 0x07064B50, locator_disk, at + place, disks)
    return written


def descriptor(data, packed=None, mark=True, wide=False, more=(0, 0, 0)):
    numbers = [number + other for number, other in zip((zlib.crc32(data), len(data if packed is None else packed), len(data)), more)]
    return (struct.pack("<I", 0x08074B50) if mark else b"") + struct.pack("<IQQ" if wide else "<III", *numbers)


UNKNOWN = dict(crc=0, packed=0, length=0)
zeros, text = bytes(1 << 21), b"something that is packed, something that is packed"
zip64 = lambda *numbers: struct.pack("<HH%dQ" % len(numbers), 1, 8 * len(numbers), *numbers)
name_again = lambda name: struct.pack("<HHBI", 0x7075, 5 + len(name), 1, 0) + name
deep = "/".join("d" * 64)
a, link = Entry("a", b"1"), lambda target, name="l", **more: Entry(name, target.encode() if isinstance(target, str) else target, mode=LINK, **more)

# What it is about, the ZIP, and what the sentence says. None: it is taken.
cases = [
    ("nothing", b"", "no end record"),
    ("text", b"PK\5\6 and so on", "no end record"),
    ("encrypted", zipped(Entry("a", b"1", flags=1)), "“a” is encrypted"),
    ("strongly encrypted", zipped(Entry("a", b"1", flags=1 << 6)), "“a” is encrypted"),
    ("masked headers", zipped(Entry("a", b"1", flags=1 << 13)), "“a” is encrypted"),
    ("patch", zipped(Entry("a", b"1", flags=1 << 5)), "“a” is a patch"),
    ("bzip2", zipped(Entry("a", b"1", method=12)), "“a” is packed by method 12"),
    ("second disk", zipped(Entry("a", b"1", central=dict(disk=1))), "“a” lies on another disk"),
    ("disks", zipped(a, short=dict(disk=1)), "several disks"),
    ("directory on another disk", zipped(a, short=dict(directory_disk=1)), "several disks"),
    ("fewer here", zipped(a, short=dict(here=0)), "several disks"),
    ("long end on another disk", zipped(a, locator=end64(locator_disk=1)), "several disks"),
    ("directory on another disk in the long end", zipped(a, locator=end64(directory_disk=1)), "several disks"),
    ("disks in the locator", zipped(a, locator=end64(disks=2)), "several disks"),
    ("disks in the long end", zipped(a, locator=end64(disk=1)), "several disks"),
    ("fewer here in the long end", zipped(a, locator=end64(here=0)), "several disks"),
    ("twice", zipped(a, a), "“a” is there twice"),
    ("folder twice", zipped(Entry("a/"), Entry("a/")), "“a” is there twice"),
    ("package twice", zipped(Entry("X.band/"), Entry("X.band/"), Entry("X.band/a")), "“X.band/” is there twice"),
    ("file and folder", zipped(a, Entry("a/b")), "“a/b” lies in “a”, which is no folder"),
    ("file and listed folder", zipped(a, Entry("a/"), Entry("a/b")), "“a” is there twice"),
    ("link and folder", zipped(link("x", "a"), Entry("a/b"), Entry("x/")), "“a/b” lies in “a”, which is no folder"),
    ("composed twice", zipped(Entry("é"), Entry("e\u0301")), "different code points"),
    ("climbing", zipped(Entry("../a")), "“../a” has “.” or “..”"),
    ("climbing in the middle", zipped(Entry("a/../../b")), "“a/../../b” has “.” or “..”"),
    ("climbing at the end", zipped(Entry("a/..")), "“a/..” has “.” or “..”"),
    ("climbing folder", zipped(Entry("a/../")), "“a/../” has “.” or “..”"),
    ("climbing out of the prefix", zipped(Entry("X.band/a"), Entry("X.band/../b")), "has “.” or “..”"),
    ("climbing behind the other prefix", zipped(Entry("../X.band/a"), Entry("../X.band/../b")), "has “.” or “..”"),
    ("climbing twice", zipped(Entry("../../X.band/a")), "has “.” or “..”"),
    ("climbing to a neighbour", zipped(Entry("../X.band/a"), Entry("../Y.band/a")), "has “.” or “..”"),
    ("climbing for a Mac", zipped(a, Entry("__MACOSX/../._a")), "has “.” or “..”"),
    ("beside the package", zipped(Entry("X.band/a"), Entry("._Y.band")), "“._Y.band” lies beside the package"),
    ("two beside", zipped(Entry("X.band/a"), Entry("._X.band"), Entry("__MACOSX/._X.band")), "is there twice"),
    ("nothing of a Mac's", zipped(a, Entry("__MACOSX/a")), "may only hold files that begin with “._”"),
    ("two of a Mac's", zipped(a, Entry("._a"), Entry("__MACOSX/._a")), "“._a” is there twice"),
    ("here", zipped(Entry("./a"), Entry("b")), "“./a” has “.” or “..”"),
    ("here, and here", zipped(Entry("././a")), "“././a” has “.” or “..”"),
    ("here twice", zipped(Entry("./"), Entry("./")), "“./” is there twice"),
    ("absolute", zipped(Entry("/etc/passwd")), "“/etc/passwd” is an absolute path"),
    ("backslash", zipped(Entry("a\\..\\b")), "backslash"),
    ("zero", zipped(Entry("a\0.txt")), "zero byte"),
    ("empty name", zipped(Entry("a//b")), "empty name"),
    ("two slashes at the end", zipped(Entry("a//")), "empty name"),
    ("slash", zipped(Entry("/")), "no name"),
    ("no name", zipped(Entry("")), "no name"),
    ("long name", zipped(Entry("n" * 256)), "more than 255 bytes"),
    ("longest name", zipped(Entry("n" * 255)), None),
    ("deep", zipped(Entry(deep + "/a")), "in 64 folders or more"),
    ("deepest", zipped(Entry(deep)), None),
    ("link out", zipped(link("../x")), "“l” is a link to “../x”, which leads out"),
    ("link out from below", zipped(Entry("a/"), link("../../x", "a/l")), "leads out"),
    ("link inside", zipped(Entry("a/"), link("../x", "a/l")), None),
    ("absolute link", zipped(link("/etc/passwd")), "leads out"),
    ("link out by a link", zipped(link("b/c"), Entry("b/"), link("../..", "b/c")), "leads out"),
    ("link over a link", zipped(Entry("d/"), Entry("d/e/"), link("d/e", "s"), link("s/../../x")), None),
    ("link over a link, out", zipped(Entry("d/"), link("d", "s"), link("s/../../x")), "leads out"),
    ("link by an absolute link", zipped(link("m/x"), link("/", "m")), "leads out"),
    ("links in a circle", zipped(link("m"), link("l", "m")), "in a circle"),
    ("link to nothing", zipped(link("")), "is no path"),
    ("link with a zero", zipped(link(b"a\0b")), "is no path"),
    ("long link", zipped(link("x" * 4096)), "more than 4095 bytes"),
    ("long way", zipped(link("/".join(["x" * 255] * 15) + "/m/" + "y" * 200), link("z" * 4000, "/".join(["x" * 255] * 15) + "/m")), "too long"),
    ("links without end", zipped(link("/".join("x" * 2000))), "“l” and the other links take too long"),
    ("special", zipped(Entry("a", mode=0o010644)), "“a” is a special file"),
    ("device folder", zipped(Entry("a/", mode=0o060644)), "“a/” is a special file"),
    ("folder without a slash", zipped(Entry("a", mode=FOLDER)), "“a” is marked as a folder in one place"),
    ("file with a slash", zipped(Entry("a/", mode=FILE)), "“a/” is marked as a folder in one place"),
    ("link with a slash", zipped(Entry("a/", mode=LINK)), "“a/” is marked as a folder in one place"),
    ("folder with a content", zipped(Entry("a/", b"1")), "“a/” is a folder with a content"),
    ("Latin 1", zipped(Entry(b"caf\xe9")), "another encoding than UTF-8"),
    ("Latin 1 that says that it is UTF-8", zipped(Entry(b"caf\xe9", flags=1 << 11, extra=own_extra())), "another encoding than UTF-8"),
    ("Latin 1 of ours", zipped(Entry(b"caf\xe9", extra=own_extra())), None),
    ("second name", zipped(Entry("a", extra=name_again(b"b"))), "“a” has a second name, “b”"),
    ("second name before the content", zipped(Entry("a", local=dict(extra=name_again(b"b")))), "“a” has a second name, “b”"),
    ("same name again", zipped(Entry("a", extra=name_again(b"a"))), None),
    ("too many", zipped(*[Entry(str(n)) for n in range(2000)]), "At most 1000 are allowed"),
    ("too many folders", zipped(*[Entry("%d/x" % n) for n in range(600)]), "more than 1000 entries and folders"),
    ("too long", zipped(*[Entry(str(n), zeros, method=8) for n in range(6)]), "more than 10000000 bytes"),
    ("too dense", zipped(Entry("a", zeros, method=8)), "200 times as long"),
    ("large directory", zipped(*[Entry(str(n), central=dict(extra=struct.pack("<HH", 0x9999, 60000) + bytes(60000))) for n in range(20)]), "At most 1000000 are allowed"),
    ("two lengths", zipped(Entry("a", b"1", central=dict(length=2), local=dict(length=2))), "has two different lengths"),
    ("longer than can be", zipped(Entry("a", b"1", method=8, central=dict(length=1 << 20), local=dict(length=1 << 20))), "claims a length that its packed bytes cannot have"),
    ("longer than it says", zipped(Entry("a", text, method=8, central=dict(length=40), local=dict(length=40))), "“a” cannot be unpacked: it is longer than it says"),
    ("shorter than it says", zipped(Entry("a", text, method=8, central=dict(length=60), local=dict(length=60))), "“a” has 50 bytes. The ZIP says 60"),
    ("other checksum", zipped(Entry("a", text, central=dict(crc=1), local=dict(crc=1))), "“a” does not have the checksum"),
    ("other packed checksum", zipped(Entry("a", text, method=8, central=dict(crc=1), local=dict(crc=1))), "“a” does not have the checksum"),
    ("more packed than there is", zipped(Entry("a", text, method=8, after=b"xy", central=dict(packed=len(deflated(text)) + 2), local=dict(packed=len(deflated(text)) + 2))), "something follows its end"),
    ("less packed than there is", zipped(Entry("a", text, method=8, central=dict(packed=len(deflated(text)) - 1), local=dict(packed=len(deflated(text)) - 1))), "bytes behind “a” that belong to no entry"),
    ("other name before the content", zipped(Entry("a", b"1", local=dict(name=b"b"))), "“a” has a different name in the directory"),
    ("other flags before the content", zipped(Entry("a", b"1", local=dict(flags=1 << 11))), "“a” has a different set of flags"),
    ("other method before the content", zipped(Entry("a", b"1", local=dict(method=8))), "“a” has a different method"),
    ("other length before the content", zipped(Entry("a", b"1", local=dict(length=2))), "“a” has a different length"),
    ("other packed length before the content", zipped(Entry("a", b"1", local=dict(packed=2))), "“a” has a different length"),
    ("other checksum before the content", zipped(Entry("a", b"1", local=dict(crc=2))), "“a” has a different checksum"),
    ("other length, and a descriptor", zipped(Entry("a", b"1", flags=8, local=dict(length=2), after=descriptor(b"1"))), "“a” has a different length"),
    ("broken extras", zipped(Entry("a", central=dict(extra=b"\1\0\x10\0"))), "“a” has broken extra fields"),
    ("broken extras before the content", zipped(Entry("a", local=dict(extra=b"\1\0\x10\0"))), "“a” has broken extra fields in its own header"),
    ("no header", zipped(a, Entry("b", b"2")).replace(b"PK\3\4", b"PK\3\5", 1), "“a” is not where the directory says"),
    ("no record", zipped(a).replace(b"PK\1\2", b"PK\1\3"), "something that is no entry"),
    ("over each other", zipped(Entry("a", b"12"), Entry("b", b"12", offset=0)), "“a” overlaps"),
    ("into the next", zipped(Entry("a", b"12", central=dict(packed=9, length=9), local=dict(packed=9, length=9)), Entry("b", b"12")), "“a” overlaps"),
    ("beyond the directory", zipped(a, Entry("b", b"2", offset=1 << 31)), "that belong to no entry"),
    ("beyond all, in 64 bits", zipped(a, Entry("b", b"2", offset=0xFFFFFFFF, central=dict(extra=zip64((1 << 63) - 1)))), "that belong to no entry"),
    ("more than 63 bits", zipped(Entry("a", b"2", central=dict(packed=0xFFFFFFFF, extra=zip64(1 << 63)))), "has no 64-bit length"),
    ("no 64 bits", zipped(Entry("a", b"2", central=dict(packed=0xFFFFFFFF))), "has no 64-bit length"),
    ("two extras with 64 bits", zipped(Entry("a", b"2", central=dict(extra=zip64(1) + zip64(2)))), "broken extra fields"),
    ("before the first", zipped(a, first=b"#!/bin/sh\n"), "bytes before “a” that belong to no entry"),
    ("between", zipped(a, Entry("b", b"2", before=b"x")), "that belong to no entry"),
    ("before the directory", zipped(a, before_directory=b"x"), "bytes behind “a” that belong to no entry"),
    ("before an empty directory", zipped(first=b"x"), "bytes before the directory"),
    ("unlisted entry", zipped(a, Entry("b", b"2", before=zipped(Entry("c"))[:31])), "that belong to no entry"),
    ("behind the directory", zipped(a, behind_directory=b"x" * 50), "goes on after its last entry"),
    ("behind the end", zipped(a, after=b"x"), "goes on after its end record"),
    ("end in the comment", zipped(a, comment=b"PK\5\6" + bytes(40)), "goes on after its end record"),
    ("comment", zipped(a, comment=b"made by me" * 1000), None),
    ("longest comment", zipped(a, comment=b"x" * 65535), None),
    ("directory elsewhere", zipped(a, start=3), "directory is not where the end record says"),
    ("directory behind", zipped(a, start=1 << 30), "directory is not where the end record says"),
    ("more than there are", zipped(a, count=900), "too short for 900 entries"),
    ("one more than there are", zipped(Entry("a" * 100, b"1"), count=2), "reaches past"),
    ("fewer than there are", zipped(a, Entry("b"), count=1), "goes on after its last entry"),
    ("long end", zipped(a, locator=end64()), None),
    ("long end elsewhere", zipped(a, locator=end64(place=1 << 62)), "64-bit end record is not where"),
    ("long end before", zipped(a, locator=end64(place=-4)), "broken"),
    ("long end of another size", zipped(a, locator=end64(size=45)), "broken"),
    ("long end without its mark", zipped(a, locator=end64()).replace(b"PK\6\6", b"PK\6\5"), "broken"),
    ("two ends", zipped(a, locator=end64(count=2)), "contradict each other"),
    *[("two ends, by %s" % field, zipped(a, locator=end64(), short={field: 7}), "contradict each other") for field in ["disk", "directory_disk", "here", "count", "length", "start"]],
    ("descriptor", zipped(Entry("a", text, method=8, flags=8, local=UNKNOWN, after=descriptor(text, deflated(text)))), None),
    ("descriptor without a mark", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text, mark=False))), None),
    ("long descriptor", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text, wide=True))), None),
    ("long descriptor without a mark", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text, mark=False, wide=True))), None),
    ("no descriptor", zipped(Entry("a", text, flags=8)), "bytes behind “a” that belong to no entry"),
    ("other descriptor", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text[1:]))), "“a” has a different length or checksum"),
    ("descriptor and a byte", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text, mark=False) + b"x")), "bytes behind “a” that belong to no entry"),
    *[("other descriptor, by %s" % (more,), zipped(Entry("a", text, flags=8, local=UNKNOWN, after=descriptor(text, more=more))), "“a” has a different length or checksum") for more in [(1, 0, 0), (0, 1, 0), (0, 0, 1)]],
    ("descriptor with another mark", zipped(Entry("a", text, flags=8, local=UNKNOWN, after=b"PK\7\7" + descriptor(text, mark=False))), "bytes behind “a” that belong to no entry"),
    ("attribute", zipped(Entry("a", extra=own_extra(b"\6\1\0user.x1"))), None),
    ("attribute of the system's", zipped(Entry("a", extra=own_extra(b"\x0a\1\0security.x1"))), "“a” has an extended attribute “security.x”"),
    ("attribute without a name", zipped(Entry("a", extra=own_extra(b"\5\1\0user.1"))), "“a” has an extended attribute “user.”"),
    ("attribute twice", zipped(Entry("a", extra=own_extra(b"\6\1\0user.x1" * 2))), "“a” has an extended attribute “user.x”"),
    ("attribute with a zero", zipped(Entry("a", extra=own_extra(b"\7\1\0user.x\0001"))), "extended attribute"),
    ("attribute that ends early", zipped(Entry("a", extra=own_extra(b"\6\2\0user.x1"))), "broken extra fields"),
    ("two of our extras", zipped(Entry("a", extra=own_extra() * 2)), "broken extra fields"),
    ("another program's extra of our number", zipped(Entry("a", extra=own_extra(magic=b"else"))), None),
    ("time that is none", zipped(Entry("a", extra=own_extra(nanoseconds=1_000_000_000))), "“a” has a time that does not exist"),
    ("control characters", zipped(Entry("\x1b[2Ja", flags=1)), "“\ufffd[2Ja” is encrypted"),
]

if __name__ == "__main__":
    listed = []
    for number, (about, content, said) in enumerate(cases):
        with open(os.path.join(sys.argv[1], str(number)), "wb") as file:
            file.write(content)
        listed.append(dict(about=about, file=str(number), said=said))
    print(json.dumps(listed))
