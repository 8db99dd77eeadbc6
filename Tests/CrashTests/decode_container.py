"""Reads every archive of a container with Python's plistlib, and prints what it holds.

One line an archive: its path, and each string and piece of data in it, in hexadecimal.
"""
import os
import plistlib
import sys

for folder, folders, files in os.walk(sys.argv[1]):
    for name in sorted(files):
        path = os.path.join(folder, name)
        if not (name.startswith("Bookmark_") or name in ("photo.data", "photo.metadata")):
            continue
        with open(path, "rb") as file:
            archive = plistlib.load(file)
        assert archive["$archiver"] == "NSKeyedArchiver" and len(archive["$top"]) == 1, path
        words = []
        for item in archive["$objects"]:
            for value in [item, *item.values()] if isinstance(item, dict) else [item]:
                if isinstance(value, bytes):
                    words.append(value.hex())
                elif isinstance(value, str):
                    words.append(value.encode().hex())
        print(os.path.relpath(path, sys.argv[1]).replace(" ", "_"), *words)
