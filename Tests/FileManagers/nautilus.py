#!/usr/bin/env python3
"""Files, which is Nautilus (Debian: nautilus gvfs gvfs-daemons)."""

import time

from desktop import click, keys
from story import FileManager, main


class Nautilus(FileManager):
    name = "nautilus"
    command = ["nautilus", "--new-window"]
    menu = "shift+F10"
    # Into the menu of scripts, and there behind its title.
    versions = ("Down", "Down", "Return", "Down", "Return")
    pause = 5

    def select(self):
        # The first file, with the mouse: its keys work from the first click on.
        click(405, 150)
        time.sleep(0.5)

    def restore(self, pause):
        keys(self.menu)
        time.sleep(pause)
        keys("r", "Return")


main(Nautilus())
