#!/usr/bin/env python3
"""A drive shared by Samba, and used with smbclient. As root: Tests/Shares/samba.py [VALISE]

Needs Debian's samba and smbclient, about 100 MB, and is no part of the tests that always run. The server is this
script's own: nothing of the system's configuration is read or written."""

import subprocess

from share import Share


class Samba(Share):
    def configure(self):
        places = {name: self.folder / name for name in ("private", "lock", "state", "cache", "pid", "ncalrpc")}
        for place in places.values():
            place.mkdir(exist_ok=True)
        settings = self.folder / "smb.conf"
        settings.write_text(f"""
[global]
  server role = standalone server
  map to guest = Bad User
  guest account = root
  interfaces = 127.0.0.1/8
  bind interfaces only = yes
  smb ports = {self.port}
  private dir = {places["private"]}
  lock directory = {places["lock"]}
  state directory = {places["state"]}
  cache directory = {places["cache"]}
  pid directory = {places["pid"]}
  ncalrpc dir = {places["ncalrpc"]}
  disable netbios = yes
  disable spoolss = yes
  load printers = no
  printcap name = /dev/null
[drive]
  path = {self.drive}
  read only = no
  guest ok = yes
""")
        return ["smbd", "--foreground", "--no-process-group", "--debug-stdout", f"--configfile={settings}"]

    def client(self, *commands):
        words = ["smbclient", "-N", "-p", str(self.port), "//127.0.0.1/drive", "-c", "; ".join(commands)]
        return subprocess.run(words, capture_output=True, text=True, cwd=self.folder)


with Samba() as share:
    photo = (share.drive / "Sunset.png").read_bytes()
    (share.folder / "Boat.png").write_bytes(photo)
    (share.folder / "Debian.url").write_text("[InternetShortcut]\nURL=https://www.debian.org/\n")
    listed = share.client("ls").stdout
    share.expect("documents are listed", all(name in listed for name in ("Swift.url", "Sunset.png", "Shopping list.txt")))
    share.expect("nothing hidden is", ".valise" not in listed and ".sh_thumbnails" not in listed)
    share.client("get Sunset.png back.png")
    share.expect("a photo is read", (share.folder / "back.png").read_bytes() == photo)
    share.client("put Boat.png", "put Debian.url", "mkdir Trip")
    share.expect("a photo that is written becomes one", share.kind("Boat.png") == "photo" and (share.documents / "Boat.ptk").is_dir())
    share.expect("a link that is written becomes a bookmark", share.kind("Debian.url") == "bookmark")
    share.client("rename Boat.png Trip/Ship.png")
    share.expect("it is renamed into a folder", (share.documents / "Trip/Ship.ptk").is_dir() and (share.drive / "Trip/Ship.png").read_bytes() == photo)
    share.client("put Boat.png Trip/Ship.png", "del Debian.url", "rename Swift.url Swift.org.url")
    share.expect("it is deleted", not (share.drive / "Debian.url").exists())
    share.expect("a bookmark keeps its item under a new name", len([name for name in share.stored() if name.startswith("Bookmark_Swift-")]) == 1 and share.kind("Swift.org.url") == "bookmark")
    share.client("del Trip/Ship.png", "rmdir Trip")
    for name, content in share.parts().items():
        (share.folder / name).write_bytes(content)
    (share.folder / "part").write_bytes(b"part")
    (share.folder / "item").write_bytes(b"item")
    share.client("mkdir Mac.ptk", "put item ._Mac.ptk", "cd Mac.ptk", "put photo.data", "put part ._photo.data", "put photo.metadata", "cd ..", "rename Mac.ptk Card.ptk")
    share.expect("what lies beside is not listed", "._Card.ptk" not in share.client("ls").stdout)
    share.client("get ._Card.ptk back")
    share.expect("and is read by its name", (share.folder / "back").read_bytes() == b"item")
    share.expect_carried(photo, lambda old, new: share.client(f"rename {old} {new}"), lambda name: share.client(f"del {name}"))
    share.end()
