#!/usr/bin/env python3
"""make_places.py FILE open|closed: bookmarks as Firefox keeps them in places.sqlite, by the parts of its schema that bookmarks are in.
With “open”, it goes on having the file for itself as a running browser does, with its last change beside the file, until it is ended."""

import sqlite3
import sys
import time

SCHEMA = """
CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, rev_host LONGVARCHAR, visit_count INTEGER DEFAULT 0,
    hidden INTEGER DEFAULT 0 NOT NULL, typed INTEGER DEFAULT 0 NOT NULL, frecency INTEGER DEFAULT -1 NOT NULL, last_visit_date INTEGER, guid TEXT,
    foreign_count INTEGER DEFAULT 0 NOT NULL, url_hash INTEGER DEFAULT 0 NOT NULL, description TEXT, preview_image_url TEXT, origin_id INTEGER);
CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER DEFAULT NULL, parent INTEGER, position INTEGER, title LONGVARCHAR,
    keyword_id INTEGER, folder_type TEXT, dateAdded INTEGER, lastModified INTEGER, guid TEXT, syncStatus INTEGER NOT NULL DEFAULT 0,
    syncChangeCounter INTEGER NOT NULL DEFAULT 1);
CREATE UNIQUE INDEX moz_bookmarks_guid_uniqueindex ON moz_bookmarks (guid);
"""
TIME = 1_700_000_000_000_000

file, state = sys.argv[1:]
places = sqlite3.connect(file, isolation_level=None)
places.execute("PRAGMA page_size=32768")
places.execute("PRAGMA journal_mode=WAL")
places.executescript(SCHEMA)
last = 0


def add(kind, parent, title, guid=None, fk=None):
    global last
    last += 1
    places.execute("INSERT INTO moz_bookmarks (id, type, fk, parent, position, title, dateAdded, lastModified, guid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (last, kind, fk, parent, last, title, TIME, TIME + 1_000_000, guid or f"guid{last:08}"))
    return last


def link(parent, title, url):
    known = places.execute("SELECT id FROM moz_places WHERE url = ?", (url,)).fetchone()
    fk = known[0] if known else places.execute("INSERT INTO moz_places (url, title, guid) VALUES (?, ?, hex(randomblob(6)))", (url, title)).lastrowid
    return add(1, parent, title, fk=fk)


root = add(2, 0, "", "root________")
menu, toolbar, tags, unfiled = (add(2, root, name, guid) for name, guid in (
    ("menu", "menu________"), ("toolbar", "toolbar_____"), ("tags", "tags________"), ("unfiled", "unfiled_____")))
link(toolbar, "Swift", "https://www.swift.org/")
for tag in ("language", "swift"): link(add(2, tags, tag), None, "https://www.swift.org/")
reading = add(2, menu, "Reading")
inner = add(2, reading, "Inner")
add(3, menu, "")
link(inner, "日本 😀", "https://example.org/%E6%97%A5")
link(unfiled, "", "https://untitled.example/")
link(menu, "Recent tags", "place:type=6&sort=14&maxResults=10")
places.execute("PRAGMA wal_checkpoint(TRUNCATE)")
if state == "open":
    places.execute("PRAGMA locking_mode=EXCLUSIVE")
    places.execute("PRAGMA wal_autocheckpoint=0")
link(menu, "Late", "https://late.example/")
if state == "closed": places.close()
print("made", flush=True)
while state == "open": time.sleep(1)
