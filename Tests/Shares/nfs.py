#!/usr/bin/env python3
"""A drive exported over NFS 4 by nfs-ganesha, and used through libnfs. As root: Tests/Shares/nfs.py [VALISE]

Needs Debian's nfs-ganesha, nfs-ganesha-vfs and libnfs13, and is no part of the tests that always run. Neither the
kernel's server nor its client is used, for many a machine that tests has neither; the server is this script's own."""

import ctypes
import os

from share import Failed, Share, eventually


class Client:
    """libnfs, as far as it is needed here."""

    def __init__(self, port):
        self.library = ctypes.CDLL("libnfs.so.13")
        for name in ("nfs_init_context", "nfs_parse_url_dir", "nfs_get_error"):
            getattr(self.library, name).restype = ctypes.c_char_p if name == "nfs_get_error" else ctypes.c_void_p
        self.context = ctypes.c_void_p(self.library.nfs_init_context())
        url = f"nfs://127.0.0.1/drive?version=4&nfsport={port}".encode()
        if not self.library.nfs_parse_url_dir(self.context, url):
            raise Failed(self.error())
        self.call("mount", b"127.0.0.1", b"/drive")

    def error(self):
        return (self.library.nfs_get_error(self.context) or b"?").decode()

    def call(self, name, *words):
        done = getattr(self.library, "nfs_" + name)(self.context, *words)
        if done < 0:
            raise Failed(f"{name}: {self.error()}")
        return done

    def using(self, path, flags, body):
        file = ctypes.c_void_p()
        self.call("open", path.encode(), flags, ctypes.byref(file))
        try:
            return body(file)
        finally:
            self.call("close", file)

    def read(self, path):
        def body(file):
            content, piece = b"", ctypes.create_string_buffer(65536)
            while count := self.call("pread", file, ctypes.c_uint64(len(content)), ctypes.c_uint64(len(piece)), piece):
                content += piece.raw[:count]
            return content
        return self.using(path, os.O_RDONLY, body)

    def write(self, path, content):
        def body(file):
            done = 0
            while done < len(content):
                # More than this is beyond it in NFS 4.
                piece = content[done:done + 2048]
                done += self.call("pwrite", file, ctypes.c_uint64(done), ctypes.c_uint64(len(piece)), piece)
        self.using(path, os.O_CREAT | os.O_RDWR, body)

    def change(self, name, *paths):
        self.call(name, *(path.encode() for path in paths))


class NFS(Share):
    def configure(self):
        (self.folder / "recovery").mkdir(exist_ok=True)
        settings = self.folder / "ganesha.conf"
        settings.write_text(f"""
NFS_CORE_PARAM {{ NFS_Port = {self.port}; Protocols = 4; Bind_addr = 127.0.0.1; Enable_NLM = false; Enable_RQUOTA = false; }}
NFSV4 {{ Graceless = true; RecoveryBackend = fs; RecoveryRoot = "{self.folder}/recovery"; Only_Numeric_Owners = true; }}
MDCACHE {{ Cache_FDs = false; LRU_Run_Interval = 2; FD_LWMark_Percent = 0; FD_HWMark_Percent = 1; }}
EXPORT {{ Export_Id = 7; Path = {self.drive}; Pseudo = /drive; Access_Type = RW; Squash = None; SecType = sys; Filesystem_Id = 7.7; FSAL {{ Name = VFS; }} }}
""")
        return ["ganesha.nfsd", "-F", "-f", str(settings), "-L", str(self.folder / "log"), "-p", str(self.folder / "pid")]


with NFS() as share:
    client = Client(share.port)
    photo = (share.drive / "Sunset.png").read_bytes()
    share.expect("a photo is read", client.read("/Sunset.png") == photo)
    share.expect("a link file is read", client.read("/Swift.url").startswith(b"[InternetShortcut]\n"))
    client.write("/Boat.png", photo)
    client.write("/Debian.url", b"[InternetShortcut]\nURL=https://www.debian.org/\n")
    # The server keeps a file open for a while.
    eventually(lambda: share.kind("Boat.png") == "photo" and (share.documents / "Boat.ptk").is_dir(), "the photo in the container")
    share.expect("a photo that is written becomes one", client.read("/Boat.png") == photo)
    eventually(lambda: share.kind("Debian.url") == "bookmark" and len([name for name in share.stored() if name.startswith("Bookmark_Debian-")]) == 1, "the bookmark in the container")
    share.expect("a link that is written becomes a bookmark", True)
    client.change("mkdir", "/Trip")
    client.change("rename", "/Boat.png", "/Trip/Ship.png")
    share.expect("it is renamed into a folder", (share.documents / "Trip/Ship.ptk").is_dir() and client.read("/Trip/Ship.png") == photo)
    client.change("unlink", "/Debian.url")
    share.expect("it is deleted", not (share.drive / "Debian.url").exists())
    client.change("unlink", "/Trip/Ship.png")
    client.change("rmdir", "/Trip")
    client.change("mkdir", "/Mac.ptk")
    client.write("/._Mac.ptk", b"item")
    for name, content in share.parts().items():
        client.write(f"/Mac.ptk/{name}", content)
    client.write("/Mac.ptk/._photo.data", b"part")
    client.change("rename", "/Mac.ptk", "/Card.ptk")
    share.expect("what lies beside is read by its name", client.read("/._Card.ptk") == b"item")
    share.expect_carried(photo, lambda old, new: client.change("rename", f"/{old}", f"/{new}"), lambda name: client.change("unlink", f"/{name}"))
    share.end()
