#!/usr/bin/env python3
"""Makes a backup of an iPhone that never was, after FORMATS 11, and a plain folder of what a drive shows of it.

usage: make_backup.py BACKUP [--expected FOLDER] [--password PASSWORD] [--form db|mbdb] [--rounds FIRST,SECOND]
                             [--rows COUNT] [--large BYTES] [--hostile] [--denied]

--form mbdb is as up to iOS 9: Manifest.mbdb, all contents in one folder, and a password without the first derivation.
AES is that of the system's libcrypto.
"""

import argparse, ctypes, datetime, hashlib, os, plistlib, sqlite3, struct, sys, unicodedata

PASSWORD_WRAP, CLASSES = 2, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
MARCH, MAY = 1772355900, 1778000000


class AES:
    library = None

    def __init__(self, key):
        if not AES.library:
            AES.library = next(
                (l for l in map(AES.load, ("libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so")) if l), None
            )
            for name in ("EVP_CIPHER_CTX_new", "EVP_aes_256_cbc", "EVP_aes_256_ecb"):
                getattr(AES.library, name).restype = ctypes.c_void_p
        self.key = key

    @staticmethod
    def load(name):
        try:
            return ctypes.CDLL(name)
        except OSError:
            return None

    def run(self, cipher, data):
        context, out, count = (
            ctypes.c_void_p(AES.library.EVP_CIPHER_CTX_new()),
            ctypes.create_string_buffer(len(data) + 16),
            ctypes.c_int(),
        )
        AES.library.EVP_EncryptInit_ex(context, ctypes.c_void_p(cipher), None, self.key, bytes(16))
        AES.library.EVP_CIPHER_CTX_set_padding(context, 0)
        AES.library.EVP_EncryptUpdate(context, out, ctypes.byref(count), data, len(data))
        AES.library.EVP_CIPHER_CTX_free(context)
        return out.raw[: count.value]

    def cbc(self, data):
        padding = 16 - len(data) % 16
        return self.run(AES.library.EVP_aes_256_cbc(), data + bytes([padding]) * padding)

    def wrap(self, key):
        a, r = b"\xa6" * 8, [key[i : i + 8] for i in range(0, len(key), 8)]
        for j in range(6):
            for i in range(len(r)):
                block = self.run(AES.library.EVP_aes_256_ecb(), a + r[i])
                a = struct.pack(">Q", struct.unpack(">Q", block[:8])[0] ^ (len(r) * j + i + 1))
                r[i] = block[8:]
        return a + b"".join(r)


def key_of(name):
    """The same on each run."""
    return hashlib.sha256(b"a key for " + name.encode()).digest()


class Keys:
    def __init__(self, password, rounds, is_old):
        header = {
            b"VERS": struct.pack(">I", 4),
            b"TYPE": struct.pack(">I", 1),
            b"UUID": key_of("bag")[:16],
            b"HMCK": key_of("check") + bytes(8),
        }
        header[b"WRAP"] = struct.pack(">I", PASSWORD_WRAP)
        salt, first_salt, secret = key_of("salt")[:20], key_of("first salt")[:20], password.encode()
        header[b"SALT"], header[b"ITER"] = salt, struct.pack(">I", rounds[1])
        if not is_old:
            header[b"DPWT"], header[b"DPIC"], header[b"DPSL"] = (
                struct.pack(">I", 1),
                struct.pack(">I", rounds[0]),
                first_salt,
            )
            secret = hashlib.pbkdf2_hmac("sha256", secret, first_salt, rounds[0], 32)
        lock = AES(hashlib.pbkdf2_hmac("sha1", secret, salt, rounds[1], 32))
        self.classes = {number: key_of(f"class {number}") for number in CLASSES}
        parts = list(header.items())
        for number, key in self.classes.items():
            parts += [
                (b"UUID", key_of(f"uuid {number}")[:16]),
                (b"CLAS", struct.pack(">I", number)),
                (b"WRAP", struct.pack(">I", PASSWORD_WRAP)),
            ]
            parts += [(b"KTYP", struct.pack(">I", 0)), (b"WPKY", lock.wrap(key))]
        self.bag = b"".join(tag + struct.pack(">I", len(value)) + value for tag, value in parts)

    def locked(self, key, number=3):
        return struct.pack("<I", number) + AES(self.classes[number]).wrap(key)


class Item:
    """What the device had. `shown`: where a drive has it; None: nowhere."""

    def __init__(
        self,
        domain,
        path,
        shown,
        content=b"",
        kind="file",
        size=None,
        born=MARCH,
        target=None,
        file_id=None,
        locked=None,
        blob=None,
    ):
        self.domain, self.path, self.shown, self.content, self.kind, self.born, self.target = (
            domain,
            path,
            shown,
            content,
            kind,
            born,
            target,
        )
        self.size = len(content) if size is None else size
        self.id = (
            hashlib.sha1(f"{domain}-{path}".encode("utf-8", "surrogateescape")).hexdigest()
            if file_id is None
            else file_id
        )
        self.locked, self.blob = locked, blob

    @property
    def mode(self):
        return {"file": 0o100644, "folder": 0o040755, "link": 0o120755}[self.kind]

    def archive(self, locked_key):
        """As NSKeyedArchiver has it, of an object of the class MBFile."""
        objects = ["$null", None, self.path, {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]}]
        fields = {
            "LastModified": self.born + 60,
            "Flags": 0,
            "GroupID": 501,
            "LastStatusChange": self.born + 60,
            "Birth": self.born,
            "Size": self.size,
            "Mode": self.mode,
            "UserID": 501,
            "InodeNumber": 4711,
            "ProtectionClass": 3,
            "RelativePath": plistlib.UID(2),
            "$class": plistlib.UID(3),
        }
        if self.target is not None:
            objects.append(self.target)
            fields["Target"] = plistlib.UID(len(objects) - 1)
        if locked_key is not None:
            objects.append({"NS.data": locked_key, "$class": plistlib.UID(len(objects) + 1)})
            objects.append({"$classname": "NSMutableData", "$classes": ["NSMutableData", "NSData", "NSObject"]})
            fields["EncryptionKey"] = plistlib.UID(len(objects) - 2)
        objects[1] = fields
        archive = {
            "$version": 100000,
            "$archiver": "NSKeyedArchiver",
            "$top": {"root": plistlib.UID(1)},
            "$objects": objects,
        }
        return plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False)

    def record(self, locked_key):
        def text(value):
            value = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
            return b"\xff\xff" if not value else struct.pack(">H", len(value)) + value

        texts = text(self.domain) + text(self.path) + text(self.target) + text(b"") + text(locked_key or b"")
        numbers = struct.pack(
            ">HQIIIIIQBB",
            self.mode,
            4711,
            501,
            501,
            self.born + 60,
            self.born,
            self.born,
            self.size & (1 << 64) - 1,
            3,
            1,
        )
        return texts + numbers + text("com.example.note") + text(b"value")


def pattern(count, seed=1):
    return (hashlib.sha256(bytes([seed])).digest() * (count // 32 + 1))[:count]


def items(large):
    app, group = "AppDomain-com.example.notes", "AppDomainGroup-group.com.example.notes"
    local, roll = "AppDomainGroup-group.com.apple.FileProvider.LocalStorage", "CameraRollDomain"
    decomposed, long = "Cafe\u0301.txt", "n" * 251 + ".txt"
    yield Item(app, "", "Apps/Notes", kind="folder")
    yield Item(app, "Documents", "Apps/Notes/Documents", kind="folder", born=MAY)
    yield Item(app, "Documents/Letter.txt", "Apps/Notes/Documents/Letter.txt", b"Dear Anna,\n")
    yield Item(
        app, "Documents/" + decomposed, "Apps/Notes/Documents/" + unicodedata.normalize("NFC", decomposed), b"coffee"
    )
    yield Item(app, "Documents/" + long, "Apps/Notes/Documents/" + long, b"long")
    yield Item(app, "Documents/two\nlines \U0001f600\\.txt", "Apps/Notes/Documents/two\nlines \U0001f600\\.txt", b"odd")
    for count in (0, 1, 15, 16, 17, 31, 32, 4096, 100_003):
        yield Item(app, f"Documents/Sizes/{count}", f"Apps/Notes/Documents/Sizes/{count}", pattern(count))
    if large:
        yield Item(app, "Documents/large", "Apps/Notes/Documents/large", pattern(1 << 20) * (large >> 20))
    yield Item(app, "Library/Empty", "Apps/Notes/Library/Empty", kind="folder")
    yield Item(app, "Library/Link", "Apps/Notes/Library/Link", kind="link", target="../Documents/Letter.txt")
    # Databases are often not as long as they are said to be.
    yield Item(app, "Library/longer.db", "Apps/Notes/Library/longer.db", pattern(8192, 2), size=4096)
    yield Item(app, "Library/shorter.db", "Apps/Notes/Library/shorter.db", pattern(4096, 3), size=12288)
    yield Item(app, "Library/within.log", "Apps/Notes/Library/within.log", pattern(100, 4), size=97)
    yield Item(
        "AppDomain-com.example.other",
        "Documents/a.txt",
        "Apps/Notes 1/Documents/a.txt",
        b"of the other app of that name",
    )
    yield Item(
        "AppDomain-com.example.unnamed", "Documents/a.txt", "Apps/com.example.unnamed/Documents/a.txt", b"no name"
    )
    yield Item(group, "Shared.txt", "App Groups/group.com.example.notes/Shared.txt", b"shared")
    yield Item(
        "AppDomainPlugin-com.example.notes.widget",
        "Library/w",
        "App Plug-ins/com.example.notes.widget/Library/w",
        b"widget",
    )
    yield Item(local, "File Provider Storage", "On My iPhone", kind="folder")
    yield Item(local, "File Provider Storage/Recipe.txt", "On My iPhone/Recipe.txt", b"flour, water")
    yield Item(local, "File Provider Storage/Note.rtfd/TXT.rtf", "On My iPhone/Note.rtfd/TXT.rtf", b"{\\rtf1 }")
    yield Item(local, "Library/state", "App Groups/group.com.apple.FileProvider.LocalStorage/Library/state", b"state")
    yield Item(roll, "Media/DCIM", None, kind="folder")
    yield Item(roll, "Media/DCIM/100APPLE", None, kind="folder")
    yield Item(roll, "Media/DCIM/100APPLE/IMG_0001.JPG", "Photos/2026-03/IMG_0001.JPG", b"\xff\xd8 first")
    yield Item(roll, "Media/DCIM/101APPLE/IMG_0001.JPG", "Photos/2026-03/IMG_0001 1.JPG", b"\xff\xd8 second")
    yield Item(roll, "Media/DCIM/101APPLE/IMG_0002.MOV", "Photos/2026-05/IMG_0002.MOV", b"moving", born=MAY)
    yield Item(
        roll, "Media/PhotoData/Photos.sqlite", "Domains/CameraRollDomain/Media/PhotoData/Photos.sqlite", b"photos"
    )
    yield Item(
        "HomeDomain",
        "Library/Preferences/com.example.plist",
        "Domains/HomeDomain/Library/Preferences/com.example.plist",
        b"<plist/>",
    )
    yield Item("HomeDomain", "Library/SMS/sms.db", "Domains/HomeDomain/Library/SMS/sms.db", pattern(4096, 5), size=8192)


def hostile_items():
    """What no device writes. What is shown of it is shown all the same."""
    home = "HomeDomain"
    for number, path in enumerate(
        (
            "../escape",
            "a/../../escape",
            "/etc/passwd",
            "a//b",
            "a/./b",
            "a/",
            ".",
            "..",
            "nul\0name",
            "x" * 256,
            "d/" * 300 + "deep",
        )
    ):
        yield Item(home, path, None, b"nothing", file_id=hashlib.sha1(b"hostile %d" % number).hexdigest())
    yield Item("../Domain", "a", None, b"nothing")
    yield Item("AppDomain-../../x", "a", None, b"nothing")
    yield Item("AppDomain-", "a", "Domains/AppDomain-/a", b"an app without an identifier")
    yield Item(home, "twice", "Domains/HomeDomain/twice", b"one")
    yield Item(home, "twice", "Domains/HomeDomain/twice 1", b"two", file_id=hashlib.sha1(b"again").hexdigest())
    yield Item(home, "twice/inside", None, b"in what is no folder")
    # A name that leads elsewhere, in each way that comes to mind: they are shown, and have no content.
    for number, name in enumerate(("../../etc/passwd", "ab/" + "a" * 37, "A" * 40, "a" * 39, "a" * 41, "", "g" * 40)):
        yield Item(home, f"names/{number}", "missing", b"nothing", file_id=name)
    yield Item(home, "missing", "missing", b"not there", blob=False)
    yield Item(home, "huge", "Domains/HomeDomain/huge", b"small", size=(1 << 63) - 1)
    yield Item(home, "negative", "Domains/HomeDomain/negative", b"small", size=-1)
    yield Item(home, "circle", "Domains/HomeDomain/circle", kind="link", target="circle")
    yield Item(home, "out", "Domains/HomeDomain/out", kind="link", target="/etc/passwd")


def many(count):
    for number in range(count):
        folder = f"Documents/{number // 10000}"
        yield Item(
            "AppDomain-com.example.many",
            f"{folder}/File {number}.txt",
            f"Apps/com.example.many/{folder}/File {number}.txt",
            b"%d" % number,
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("backup")
    parser.add_argument("--expected")
    parser.add_argument("--password")
    parser.add_argument("--form", choices=("db", "mbdb"), default="db")
    parser.add_argument("--rounds", default="2000,100")
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--denied", action="store_true", help="Manifest.plist says that it is not encrypted")
    arguments = parser.parse_args()
    is_old = arguments.form == "mbdb"
    keys = (
        Keys(arguments.password, [int(n) for n in arguments.rounds.split(",")], is_old) if arguments.password else None
    )
    all_items = (
        list(items(arguments.large)) + (list(hostile_items()) if arguments.hostile else []) + list(many(arguments.rows))
    )
    os.makedirs(arguments.backup, exist_ok=True)

    def path(*names):
        return os.path.join(arguments.backup, *names)

    def write(name, content):
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(content)

    lists = {
        "IsEncrypted": bool(keys) and not arguments.denied,
        "Version": "10.0",
        "Lockdown": {"ProductVersion": "9.3" if is_old else "17.4", "ProductType": "iPhone14,5"},
    }
    if keys:
        lists["BackupKeyBag"] = keys.bag
    names = {"com.example.notes": "Notes", "com.example.other": "Notes", "com.example.away": "Away"}
    applications = {
        k: {"iTunesMetadata": plistlib.dumps({"itemName": n}), "PlaceholderIcon": bytes(100)} for k, n in names.items()
    }
    write(
        path("Info.plist"),
        plistlib.dumps(
            {
                "Device Name": "Anna\u2019s iPhone",
                "Product Type": "iPhone14,5",
                "Product Version": lists["Lockdown"]["ProductVersion"],
                "Target Identifier": "f" * 40,
                "Unique Identifier": "F" * 40,
                "Last Backup Date": datetime.datetime(2026, 6, 1, 12),
                "Applications": applications,
                "Installed Applications": list(names),
                "iTunes Version": "12.13",
            }
        ),
    )
    write(
        path("Status.plist"),
        plistlib.dumps({"IsFullBackup": True, "SnapshotState": "finished", "Version": "3.3", "UUID": "0"}),
    )

    rows, records = [], []
    for item in all_items:
        key = key_of(item.id) if keys and item.kind == "file" else None
        locked = item.locked or (keys.locked(key) if key else None)
        is_name = len(item.id) == 40 and not set(item.id) - set("0123456789abcdef")
        if item.kind == "file" and item.blob is not False and is_name:
            content = AES(key).cbc(item.content) if key else item.content
            write(path(item.id) if is_old else path(item.id[:2], item.id), content)
        flags = {"file": 1, "folder": 2, "link": 4}[item.kind]
        if is_old:
            records.append(item.record(locked))
        else:
            rows.append((item.id, item.domain, item.path, flags, item.archive(locked)))
        if not arguments.expected or item.shown in (None, "missing"):
            continue
        shown = os.path.join(arguments.expected, item.shown)
        if item.kind == "folder":
            os.makedirs(shown, exist_ok=True)
        elif item.kind == "link":
            os.makedirs(os.path.dirname(shown), exist_ok=True)
            os.symlink(item.target, shown)
        else:
            write(shown, item.content)
            os.utime(shown, (item.born + 60, item.born + 60))
    if is_old:
        write(path("Manifest.mbdb"), b"mbdb\x05\x00" + b"".join(records))
    else:
        if arguments.hostile:
            rows.append(("b" * 40, "HomeDomain", "large blob", 1, bytes(200 << 10)))
            rows.append(("c" * 40, "HomeDomain", "no archive", 1, b"bplist00 and then nothing"))
            rows.append(("d" * 40, "HomeDomain", "no kind", 77, b""))
            rows.append(("e" * 40, None, None, None, None))
        database = sqlite3.connect(path("Manifest.db"))
        key = "" if arguments.hostile else " PRIMARY KEY"
        database.execute(
            f"CREATE TABLE Files (fileID TEXT{key}, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)"
        )
        for column in ("domain", "relativePath", "flags"):
            database.execute(f"CREATE INDEX Files{column.title()}Idx ON Files({column})")
        database.execute("CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)")
        database.executemany("INSERT INTO Files VALUES (?, ?, ?, ?, ?)", rows)
        database.commit()
        database.close()
        if keys:
            lists["ManifestKey"] = keys.locked(key_of("manifest"), 4)
            with open(path("Manifest.db"), "rb") as file:
                plain = file.read()
            write(path("Manifest.db"), AES(key_of("manifest")).cbc(plain))
    write(path("Manifest.plist"), plistlib.dumps(lists, fmt=plistlib.FMT_BINARY))


if __name__ == "__main__":
    sys.exit(main())
