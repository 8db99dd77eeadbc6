#!/usr/bin/env python3
"""PCManFM (Debian: pcmanfm gvfs gvfs-daemons)."""

from desktop import keys
from story import FileManager, main


class PCManFM(FileManager):
    name = "pcmanfm"
    command = ["pcmanfm", "--new-win"]

    def prepare(self, desktop):
        settings = desktop.home / ".config/libfm"
        settings.mkdir(parents=True)
        (settings / "libfm.conf").write_text("[config]\nconfirm_trash=0\n")

    def open(self):
        # What is selected is not yet what the key opens.
        keys("Home", "Return")


main(PCManFM())
