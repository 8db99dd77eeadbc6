#!/usr/bin/env python3
"""Dolphin (Debian: dolphin kio breeze-icon-theme)."""

import time

from desktop import keys
from story import FileManager, main


class Dolphin(FileManager):
    name = "dolphin"
    command = ["dolphin", "--new-window"]
    versions = ("Up", "Up", "Return")
    # KIO takes only what Solid calls a device for a place with a trash of its own, and copies from others to the trash at home.
    trash_is_on_drive = False
    restores_by_moving = False

    def close(self, window):
        """A process that is about to end takes the question for the next window, and does not answer it."""
        keys("ctrl+w")
        time.sleep(5)

    def trash(self, desktop):
        desktop.launch(*self.command, "trash:/")
        window = desktop.window("^Trash")
        time.sleep(self.pause)
        return window

    def restore(self, pause):
        keys("Menu")
        time.sleep(pause)
        # The first entry.
        keys("Down", "Return")


main(Dolphin())
