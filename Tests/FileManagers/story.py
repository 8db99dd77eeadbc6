"""What a person does with a drive in a file manager. Each step is looked at in the container before the next one.

A step acts on the only file of a folder: select all, and then the key. So nothing depends on where things are on the screen.
"""

import contextlib
import hashlib
import json
import os
import plistlib
import subprocess
import sys
import time

from desktop import Desktop, Failed, eventually, keys, type_text


class FileManager:
    """One that is called as this one is. What others do in another way, they say in a file of their own."""

    name = "?"
    #: Opens one more window.
    command = ["?"]
    #: Whether what is deleted stays on the drive, and what is restored is moved and not copied.
    trash_is_on_drive = True
    restores_by_moving = True
    #: The key for a document's menu, and those from there to its earlier versions.
    menu = "Menu"
    versions = ()
    #: So long it takes from a window to what is in it.
    pause = 3

    def prepare(self, desktop):
        """Settings, before it is started."""

    def title(self, folder):
        return f"^{folder.name}"

    def window(self, desktop, folder):
        desktop.launch(*self.command, str(folder))
        window = desktop.window(self.title(folder))
        time.sleep(self.pause)
        return window

    def close(self, window):
        keys("ctrl+w")
        time.sleep(0.5)

    def select(self):
        keys("ctrl+a")
        time.sleep(0.5)

    def open(self):
        keys("Return")

    def rename(self, stem):
        keys("F2")
        time.sleep(1)
        # The stem is selected, the extension is not.
        type_text(stem)
        keys("Return")

    def delete(self):
        keys("Delete")

    def restore(self, pause):
        """In the trash's window, by the file's menu: goes to the entry, which may share its letter with another one."""
        keys("Menu")
        time.sleep(pause)
        keys("r", "Return")

    def trash(self, desktop):
        desktop.launch(*self.command, "trash:///")
        window = desktop.window("Trash")
        time.sleep(self.pause)
        return window


class Story:
    def __init__(self, desktop, manager, pictures=None):
        self.pictures = pictures
        self.desktop, self.manager = desktop, manager
        self.drive, self.documents = desktop.drive, desktop.documents

    def tell(self):
        for step in (self.browse, self.open, self.versions, self.arrive, self.paste, self.rename, self.delete, self.restore, self.leave):
            print(f"{self.manager.name}: {step.__name__}", flush=True)
            step()

    # What there is

    def bookmark(self, name, url, stored):
        """One that an app has made, with a key that nobody knows."""
        objects = ["$null", {"Bookmark Name": plistlib.UID(2), "Bookmark URL": plistlib.UID(3), "Colour": plistlib.UID(4), "$class": plistlib.UID(5)},
            name, url, "green", {"$classname": "Bookmark", "$classes": ["Bookmark", "NSObject"]}]
        archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"Bookmark": plistlib.UID(1)}, "$objects": objects}
        path = self.documents / stored
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY))
        return path

    def image(self, path, colours):
        subprocess.run(["convert", "-size", "1600x1200", f"plasma:{colours}", path], check=True)

    def stored(self):
        """Every file and folder of the container's documents; what is in a package is not listed."""
        found = set()
        for folder, folders, files in os.walk(self.documents):
            here = os.path.relpath(folder, self.documents)
            found |= {os.path.normpath(os.path.join(here, name)) for name in folders + files}
            folders[:] = [name for name in folders if not name.endswith(".ptk")]
        return found

    # Steps

    def browse(self):
        for name, colours in (("Sunset.jpg", "red-blue"), ("Meadow.png", "green-yellow"), ("Harbour.jpg", "navy-orange")):
            self.image(self.drive / name, colours)
        self.bookmark("Swift", "https://www.swift.org/", "Bookmark_Swift-1772355901.000001")
        (self.documents / "Shopping list.stedoc").write_text("Bread and apples\n")
        (self.documents / "Letters").mkdir()
        self.before = hashlib.sha256((self.drive / "Sunset.jpg").read_bytes()).hexdigest()
        metadata = self.documents / "Harbour.ptk/photo.metadata"
        eventually(lambda: metadata.exists() and b"\x89PNG" in metadata.read_bytes(), "thumbnails")
        window = self.manager.window(self.desktop, self.drive)
        time.sleep(5)
        if self.pictures:
            self.desktop.picture(f"{self.pictures}/{self.manager.name}.png")
        self.manager.close(window)
        self.expected = self.stored()
        if self.expected != {"Sunset.ptk", "Meadow.ptk", "Harbour.ptk", "Letters", "Shopping list.stedoc", "Bookmark_Swift-1772355901.000001"}:
            raise Failed(f"browsing left something: {sorted(self.expected)}")
        # What “Open with” goes by.
        for name, media in (("Sunset.jpg", "image/jpeg"), ("Swift.url", "application/x-mswinurl"), ("Shopping list.txt", "text/plain"), ("Letters", "inode/directory")):
            said = subprocess.run(["gio", "info", "-a", "standard::content-type", self.drive / name], capture_output=True, text=True, check=True).stdout
            if f"standard::content-type: {media}\n" not in said:
                raise Failed(f"{name} is taken for {said}")
        if os.statvfs(self.drive).f_blocks != os.statvfs(self.desktop.container).f_blocks:
            raise Failed("the drive has another size than the store of its container")

    def open(self):
        self.bookmark("Kernel", "https://www.kernel.org/", "Links/Bookmark_Kernel-1772355902.000002")
        self.expected |= {"Links", "Links/Bookmark_Kernel-1772355902.000002"}
        window = self.manager.window(self.desktop, self.drive / "Links")
        self.manager.select()
        self.manager.open()
        eventually(lambda: self.desktop.opened() == ["https://www.kernel.org/"], "the link in the browser")
        self.manager.close(window)

    def versions(self):
        """A document's menu leads to the window."""
        window = self.manager.window(self.desktop, self.drive / "Links")
        self.manager.select()
        for key in (self.manager.menu, *self.manager.versions):
            keys(key)
            time.sleep(1)
        eventually(lambda: self.desktop.shown() == [str(self.drive / "Links/Kernel.url")], "the document in the window")
        self.manager.close(window)

    def arrive(self):
        """What another program puts into the container is in a window that is open already."""
        (self.documents / "Arrivals").mkdir()
        window = self.manager.window(self.desktop, self.drive / "Arrivals")
        self.bookmark("GNU", "https://www.gnu.org/", "Arrivals/Bookmark_GNU-1772355904.000004")
        self.expected |= {"Arrivals", "Arrivals/Bookmark_GNU-1772355904.000004"}
        time.sleep(self.manager.pause)
        self.manager.select()
        self.manager.open()
        eventually(lambda: self.desktop.opened()[1:] == ["https://www.gnu.org/"], "the link that arrived, in the browser")
        self.manager.close(window)

    def paste(self):
        pictures, inbox = self.desktop.home / "Pictures", self.drive / "Inbox"
        pictures.mkdir()
        inbox.mkdir()
        self.image(pictures / "Boat.jpg", "white-teal")
        window = self.manager.window(self.desktop, pictures)
        self.manager.select()
        keys("ctrl+c")
        time.sleep(1)
        other = self.manager.window(self.desktop, inbox)
        keys("ctrl+v")
        eventually((self.documents / "Inbox/Boat.ptk/photo.data").exists, "the photo that was pasted")
        if (inbox / "Boat.jpg").read_bytes() != (pictures / "Boat.jpg").read_bytes():
            raise Failed("the pasted photo has other bytes")
        self.expected |= {"Inbox", "Inbox/Boat.ptk"}
        time.sleep(1)
        self.compare()
        self.manager.close(other)
        self.desktop.window(self.manager.title(pictures))
        self.manager.close(window)

    def rename(self):
        window = self.manager.window(self.desktop, self.drive / "Inbox")
        self.manager.select()
        self.manager.rename("Ship")
        eventually((self.documents / "Inbox/Ship.ptk/photo.data").exists, "the photo under its new name")
        self.expected = self.expected - {"Inbox/Boat.ptk"} | {"Inbox/Ship.ptk"}
        self.compare()
        self.manager.close(window)

    def delete(self):
        self.link = self.bookmark("Debian", "https://www.debian.org/", "Old/Bookmark_Debian-1772355903.000003")
        self.compare(added={"Old", "Old/Bookmark_Debian-1772355903.000003"})
        window = self.manager.window(self.desktop, self.drive / "Old")
        self.manager.select()
        self.manager.delete()
        eventually(lambda: not (self.drive / "Old/Debian.url").exists(), "the link to go")
        if not self.manager.trash_is_on_drive:
            eventually((self.desktop.home / ".local/share/Trash/files/Debian.url").exists, "the link in the trash at home")
            self.manager.close(window)
            return
        trash = f".Trash-{os.getuid()}"
        eventually(lambda: (self.drive / trash / "files/Debian.url").exists(), "the link in the drive's trash")
        if not (self.documents / trash / "files/Bookmark_Debian-1772355903.000003").exists():
            raise Failed("the document changed on its way into the trash")
        self.manager.close(window)

    def restore(self):
        window = self.manager.trash(self.desktop)
        link = self.drive / "Old/Debian.url"

        def restored():
            return link.exists() and link.read_text() == "[InternetShortcut]\nURL=https://www.debian.org/\n"

        # A menu may come later than the key that is meant for it.
        for pause in (1, 3, 10):
            self.manager.select()
            self.manager.restore(pause)
            with contextlib.suppress(Failed):
                eventually(restored, "the link again", patience=10 * pause)
                break
            keys("Escape", "Escape")
        if not restored():
            raise Failed("the link was not restored")
        if self.manager.restores_by_moving and "green" not in plistlib.loads(self.link.read_bytes())["$objects"]:
            raise Failed("the document lost in the trash what only its app knows")
        self.manager.close(window)
        self.expected |= {"Old"} | {str(path.relative_to(self.documents)) for path in (self.documents / "Old").glob("Bookmark_Debian-*")}
        # An empty trash stays, and some make one wherever they look for it.
        trash = f".Trash-{os.getuid()}"
        self.compare(added={trash, f"{trash}/files", f"{trash}/info", f"{trash}/directorysizes", f"{trash}/expunged"} & self.stored())

    def leave(self):
        if hashlib.sha256((self.drive / "Sunset.jpg").read_bytes()).hexdigest() != self.before:
            raise Failed("a photo that was only looked at changed")
        status = json.loads((self.drive / ".valise/status").read_text())
        if status["drafts"] or status["errors"]:
            raise Failed(f"the drive is not content: {status}")
        self.desktop.quit_programs()
        self.desktop.unmount()

    def compare(self, added=frozenset()):
        found, expected = self.stored(), self.expected | added
        if found != expected:
            raise Failed(f"in the container, too much: {sorted(found - expected)}, too little: {sorted(expected - found)}")


def main(manager):
    """VALISE and, where pictures are wanted, a folder for them."""
    with Desktop(os.path.realpath(sys.argv[1])) as desktop:
        manager.prepare(desktop)
        try:
            Story(desktop, manager, sys.argv[2] if len(sys.argv) > 2 else None).tell()
        except (Failed, OSError, subprocess.SubprocessError) as fault:
            desktop.picture(f"/tmp/{manager.name}-failed.png")
            log = (desktop.folder / "log").read_text(errors="replace")
            sys.exit(f"{log[-3000:]}\n{manager.name}: {fault}\nThe screen is in /tmp/{manager.name}-failed.png")
    print(f"{manager.name}: all is well")
