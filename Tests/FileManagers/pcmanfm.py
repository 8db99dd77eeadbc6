#!/usr/bin/env python3
"""PCManFM (Debian: pcmanfm gvfs gvfs-daemons)."""

import time

from desktop import keys
from story import FileManager, main


class PCManFM(FileManager):
    name = "pcmanfm"
    command = ["pcmanfm", "--new-win"]
    versions = ("Up", "Up", "Return")
    restores_by_moving = False

    def prepare(self, desktop):
        self.desktop = desktop
        settings = desktop.home / ".config/libfm"
        settings.mkdir(parents=True)
        (settings / "libfm.conf").write_text("[config]\nconfirm_trash=0\n")

    def open(self):
        # What is selected is not yet what the key opens.
        keys("Home", "Return")

    def restore(self, pause):
        # Its menu offers “Restore” now and then only; cut out of the trash and pasted, a file is copied.
        keys("ctrl+x")
        time.sleep(pause)
        self.window(self.desktop, self.desktop.drive / "Old")
        keys("ctrl+v")


main(PCManFM())
