"""PhotoKeeper: its photos, beside a drive and without one."""

import os
import struct
import time
import zlib

from places import eventually


def png(width, height, colour=None):
    """A picture of one colour; without one it is white, of a bit a point, which may be very many."""
    def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + (bytes(colour) * width if colour else b"\xff" * ((width + 7) // 8))) * height
    header = struct.pack(">IIBBBBB", width, height, 8 if colour else 1, 2 if colour else 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def file(place, name, data):
    with open(f"{place.folder}/{name}", "wb") as picture: picture.write(data)
    return f"{place.folder}/{name}"


def read(path):
    try:
        with open(path, "rb") as picture: return picture.read()
    except OSError: return b""


def kept(place, command, photo):
    """What the app gives out, in a new file."""
    path = f"{place.folder}/given"
    if os.path.exists(path): os.remove(path)
    place.call("photokeeper", command, photo, path)
    return read(path)


def titles(place, *words): return [row["name"] for row in place.rows("photokeeper", "list", *words)]


RED, GREEN, BLUE = png(400, 200, (255, 0, 0)), png(160, 300, (0, 255, 0)), png(20, 20, (0, 0, 255))


def the_list(place, step, has_drive):
    red, green, blue, none = file(place, "red.png", RED), file(place, "green.png", GREEN), file(place, "blue.png", BLUE), file(place, "none.png", b"none")
    step(place.call("photokeeper", "add", red, green) == "Photo.ptk\nPhoto 1.ptk\n", "photos get the first names that are free")
    step(titles(place) == ["Photo 1", "Photo"], "the newest comes first")
    step(kept(place, "picture", "Photo") == RED, "the picture is kept to the byte")
    if place.rows("photokeeper", "list")[0]["thumbnail"]:
        small = kept(place, "thumbnail", "Photo")
        step(small.startswith(b"\x89PNG") and struct.unpack(">II", small[16:24]) == (150, 150), "its thumbnail is a small square")
    else: print("without thumbnails: gdk-pixbuf is not installed with its headers")
    if has_drive: step(read(f"{place.mountpoint}/Photo.png") == RED and read(f"{place.mountpoint}/Photo 1.png") == GREEN, "both are on the drive")
    step("is no picture" in place.call("photokeeper", "add", none, code=1) and "is no picture" in place.call("photokeeper", "replace", "Photo", none, code=1), "what is no picture is none")
    # What was changed last is shown first, whatever the clock's second.
    time.sleep(0.02)
    place.call("photokeeper", "replace", "Photo", blue)
    step(titles(place) == ["Photo", "Photo 1"] and kept(place, "picture", "Photo") == BLUE, "another picture takes its place")
    if has_drive: step(read(f"{place.mountpoint}/Photo.png") == BLUE, "on the drive too")
    versions = place.rows("photokeeper", "versions", "Photo")
    step([version["bytes"] for version in versions] == [len(BLUE), len(RED)], f"what it was is a version: {versions}")
    step("no version 2" in place.call("photokeeper", "restore", "Photo", "2", code=1), "a version that is not there is explained")
    place.call("photokeeper", "restore", "Photo", "1")
    step(kept(place, "picture", "Photo") == RED, "and comes back")
    if has_drive: step(read(f"{place.mountpoint}/Photo.png") == RED, "on the drive too")
    for name in ("Photo 1", "", ".hidden"):
        said = place.call("photokeeper", "rename", "Photo", name, code=1)
        step(("already taken" in said or "has a name" in said or "hidden" in said) and kept(place, "picture", "Photo") == RED, f"“{name}” is explained and keeps the picture: {said}")
    step(place.call("photokeeper", "rename", "Photo", "Photo") == "Photo.ptk\n", "the name that it has is its own")
    step(place.call("photokeeper", "rename", "Photo", "Cat") == "Cat.ptk\n" and titles(place) == ["Cat", "Photo 1"], "another name is free again")
    if has_drive: step(read(f"{place.mountpoint}/Cat.png") == RED and not os.path.exists(f"{place.mountpoint}/Photo.png"), "on the drive too")
    place.call("photokeeper", "delete", "Cat")
    step(titles(place) == ["Photo 1"], "a deleted one is gone")
    if has_drive: step(os.listdir(place.mountpoint) == ["Photo 1.png"], "on the drive too")
    step(place.call("photokeeper", "undo") == "Cat.ptk is back.\n" and kept(place, "picture", "Cat") == RED, "and comes back")
    step("no photo" in place.call("photokeeper", "delete", "None", code=1), "a name that is not there is explained")


def on_the_drive(place, step):
    watch = place.start("photokeeper", "watch")
    try:
        watch.shows("+ Cat")
        with open(f"{place.mountpoint}/Dog.png", "wb") as picture: picture.write(GREEN)
        watch.shows("+ Dog")
        step(kept(place, "picture", "Dog") == GREEN, "a picture that is written on the drive is in the open list")
        os.rename(f"{place.mountpoint}/Dog.png", f"{place.mountpoint}/Wolf.png")
        watch.shows("+ Wolf")
        watch.shows("- Dog")
        step(True, "and its name")
        os.mkdir(f"{place.mountpoint}/folder")
        os.rename(f"{place.mountpoint}/Wolf.png", f"{place.mountpoint}/folder/Wolf.png")
        watch.shows("- Wolf")
        step("Wolf" not in titles(place) and "Wolf" in titles(place, "--folders"), "what lies in a folder is not in the list, and with --folders it is")
        os.remove(f"{place.mountpoint}/folder/Wolf.png")
        os.rmdir(f"{place.mountpoint}/folder")
    finally: watch.kill()
    # What the drive remembers of a photo survives the app's change.
    with open(f"{place.mountpoint}/Sky.PNG", "wb") as picture: picture.write(BLUE)
    step("Sky" in titles(place), "a photo with another extension is one")
    place.call("photokeeper", "rename", "Sky", "Sea")
    step(read(f"{place.mountpoint}/Sea.PNG") == BLUE, "and keeps that when the app renames it")
    place.call("photokeeper", "delete", "Sea")


def in_conflict(place, other):
    """Somebody on the drive has the photo “Cat” open, and a sync tool, which asks nobody, puts another one in its place. Answers the sides."""
    stored = f"{place.container}/Documents/Cat.ptk"
    others = {name: read(f"{place.container}/Documents/{other}.ptk/{name}") for name in ("photo.data", "photo.metadata")}
    opened = os.open(f"{place.mountpoint}/Cat.png", os.O_RDWR)
    os.pwrite(opened, BLUE, 0)
    os.ftruncate(opened, len(BLUE))
    for name, data in others.items():
        with open(f"{place.container}/.incoming", "wb") as incoming: incoming.write(data)
        os.rename(f"{place.container}/.incoming", f"{stored}/{name}")
    os.close(opened)
    return eventually(lambda: place.rows("photokeeper", "conflicts"), "both sides are there")


def conflicts(place, step):
    sides = in_conflict(place, "Photo 1")
    step({side["bytes"] for side in sides} == {len(BLUE), len(GREEN)}, f"side by side: {sides}")
    place.call("photokeeper", "resolve", "Cat", str([side["number"] for side in sides if side["bytes"] == len(GREEN)][0]))
    step(kept(place, "picture", "Cat") == GREEN and not place.rows("photokeeper", "conflicts"), "the one that was chosen is the photo, and nobody is asked again")
    step(read(f"{place.mountpoint}/Cat.png") == GREEN, "on the drive too")


def kills(place, step, has_drive):
    red, green = f"{place.folder}/red.png", f"{place.folder}/green.png"
    for number in range(10):
        place.kill_soon(0.005 * number, "photokeeper", "add", red)
        place.kill_soon(0.005 * number, "photokeeper", "replace", "Cat", red if number % 2 else green)
    rows = place.rows("photokeeper", "list")
    step(not [row for row in rows if row.get("fault")] and "Cat" in [row["name"] for row in rows], f"apps that are killed leave whole photos: {rows}")
    step(kept(place, "picture", "Cat") in (RED, GREEN), "with a whole picture")
    if has_drive:
        place.kill_drive()
        place.call("photokeeper", "rename", "Cat", "Without")
        step("Without" in titles(place), "an app goes on without the drive that was killed")
        place.mount()
        step(read(f"{place.mountpoint}/Without.png") in (RED, GREEN), "and the next drive shows it")
    for row in place.rows("photokeeper", "list"): place.call("photokeeper", "delete", row["file"])
    step(titles(place) == [], "all can be deleted")


def photos(place, step, has_drive):
    the_list(place, step, has_drive)
    if has_drive:
        on_the_drive(place, step)
        conflicts(place, step)
    kills(place, step, has_drive)


def other_order(place, step):
    """The app has its list open already when the drive comes."""
    watch = place.start("photokeeper", "watch")
    try:
        place.call("photokeeper", "add", f"{place.folder}/red.png")
        watch.shows("+ Photo")
        place.mount()
        step(read(f"{place.mountpoint}/Photo.png") == RED, "a drive that comes later shows the photo")
        os.rename(f"{place.mountpoint}/Photo.png", f"{place.mountpoint}/Late.png")
        watch.shows("+ Late")
        step(True, "and the app what is done on it")
        place.unmount()
        place.call("photokeeper", "delete", "Late")
        watch.shows("- Late")
        step(True, "and goes on when it is gone")
    finally: watch.kill()
