#!/usr/bin/env python3
"""Thunar (Debian: thunar tumbler gvfs gvfs-daemons). Shows the drive's own thumbnails."""

from desktop import keys
from story import FileManager, main


class Thunar(FileManager):
    name = "thunar"
    command = ["thunar"]
    versions = ("Up", "Up", "Return")

    def open(self):
        keys("ctrl+o")


main(Thunar())
