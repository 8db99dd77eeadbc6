#!/usr/bin/env python3
"""Gives a bookmark another address, as its app would: into a new file, which then takes the place of the old one.

usage: change_bookmark.py ITEM URL
"""
import os
import plistlib
import sys

item, url = sys.argv[1:]
with open(item, "rb") as file:
    archive = plistlib.load(file)
for index, value in enumerate(archive["$objects"]):
    if isinstance(value, str) and "://" in value:
        archive["$objects"][index] = url
with open(item + "~new", "wb") as file:
    plistlib.dump(archive, file, fmt=plistlib.FMT_BINARY)
os.rename(item + "~new", item)
