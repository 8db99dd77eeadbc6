"""The window of PhotoKeeper."""

import os
import subprocess
import time

from desk import Window
from photos import BLUE, GREEN, RED, file, in_conflict, kept, png, read, titles
from places import eventually, full_disk


def photos_window(desk, place, step):
    window = Window(desk, place, "photokeeper")
    try:
        window.seen("label", "No Photos")
        eventually(lambda: window.is_idle() <= 4, "a window that nobody touches sleeps")
        adding(window, place, step)
        dropping(window, place, step)
        names(window, place, step)
        one(window, place, step)
        code, complaints = window.close()
        step(code == 0 and complaints == [], f"it ends, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    bad_input(desk, place, step)
    looks(desk, place, step)


def adding(window, place, step):
    red, none = file(place, "red.png", RED), file(place, "none.png", b"none")
    window.press("ctrl+o")
    window.choose_file(red)
    eventually(lambda: window.rows("Photos") == ["Photo"], "a photo that is added is in the grid")
    step(read(f"{place.mountpoint}/Photo.png") == RED, "and on the drive, to the byte")
    window.press("ctrl+o")
    window.choose_file(none)
    window.seen("label", "“none.png” is no picture.")
    step(titles(place) == ["Photo"], "what is no picture is said, and becomes none")
    with open(f"{place.mountpoint}/Cat.png", "wb") as picture: picture.write(GREEN)
    eventually(lambda: window.rows("Photos") == ["Cat", "Photo"], "what is written on the drive is in the grid, the newest first")
    step(True, "the grid follows the drive")


def dropping(window, place, step):
    """The one thing that the mouse does: a file from another window."""
    window.drag(file(place, "dropped.png", BLUE))
    eventually(lambda: len(window.rows("Photos")) == 3, "a file that is dropped is a photo")
    step(read(f"{place.mountpoint}/Photo 1.png") == BLUE, "and on the drive")
    os.remove(f"{place.mountpoint}/Photo 1.png")
    eventually(lambda: window.rows("Photos") == ["Cat", "Photo"], "and gone again")


def names(window, place, step):
    window.press("Alt_L+Left", "Home")
    window.press("F2")
    window.seen(name="Rename Photo")
    for name, reason in (("Photo", "Name already taken."), ("", "A photo has a name.")):
        window.press("ctrl+a", "BackSpace")
        window.type(name)
        window.press("Return")
        window.seen("label", reason)
    step(titles(place) == ["Cat", "Photo"] and kept(place, "picture", "Cat") == GREEN, "a name that cannot be is explained, and the picture stays")
    window.enter("Dog")
    eventually(lambda: window.rows("Photos") == ["Dog", "Photo"], "another name is in the grid")
    step(read(f"{place.mountpoint}/Dog.png") == GREEN, "and on the drive")
    window.press("Delete")
    eventually(lambda: window.rows("Photos") == ["Photo"], "a photo that is deleted is gone")
    window.seen("label", "“Dog” is deleted")
    step(os.listdir(place.mountpoint) == ["Photo.png"], "from the drive too")
    window.press("ctrl+shift+u")
    eventually(lambda: window.rows("Photos") == ["Dog", "Photo"], "undoing brings it back")
    step(read(f"{place.mountpoint}/Dog.png") == GREEN, "with its picture")
    window.press("ctrl+f")
    window.type("pho")
    eventually(lambda: window.rows("Photos") == ["Photo"], "photos are found by their names")
    window.press("Escape")
    eventually(lambda: window.rows("Photos") == ["Dog", "Photo"], "and then all are there again")


def one(window, place, step):
    """The page of a photo."""
    window.press("Alt_L+Left", "Home", "Return")
    eventually(lambda: not window.has_keyboard_in("Photos"), "Return opens the photo that is chosen")
    blue = file(place, "blue.png", BLUE)
    window.press("ctrl+r")
    window.choose_file(blue)
    eventually(lambda: read(f"{place.mountpoint}/Dog.png") == BLUE, "another picture takes its place")
    step(True, "a picture is replaced")
    window.press("ctrl+h")
    eventually(lambda: len(window.rows("Versions")) == 2 and window.rows("Versions")[0] == "Now", "what it was is a version")
    window.press("Right")
    eventually(lambda: window.all("push button", "Restore This Version"), "which can be restored")
    window.press("Return")
    eventually(lambda: read(f"{place.mountpoint}/Dog.png") == GREEN, "and is what the photo is then")
    step(True, "a version is looked at and restored")
    window.press("Alt_L+Left")
    eventually(lambda: window.has_keyboard_in("Photos"), "the grid has the keyboard again")
    os.rename(f"{place.mountpoint}/Dog.png", f"{place.mountpoint}/Cat.png")
    eventually(lambda: "Cat" in window.rows("Photos"), "a name from the drive is in the grid")
    sides = in_conflict(place, "Photo")
    window.press("Home" if window.rows("Photos")[0] == "Cat" else "End", "Return")
    window.seen("label", "Two sides changed this photo at once.")
    eventually(lambda: len(window.rows("Versions")) == len(sides), "both sides are beside each other")
    eventually(lambda: window.has_keyboard_in("Versions"), "and have the keyboard")
    window.picture("photokeeper-conflict")
    if [side["number"] for side in sides if side["bytes"] == len(RED)] == [1]: window.press("Right")
    window.press("alt+k")
    eventually(lambda: not place.rows("photokeeper", "conflicts"), "the conflict is decided")
    step(kept(place, "picture", "Cat") == RED and read(f"{place.mountpoint}/Cat.png") == RED, "for the side that was looked at")
    os.remove(f"{place.mountpoint}/Cat.png")
    window.seen("label", "This photo is not there any more.")
    step(True, "a photo that is gone is said to be")
    window.press("Alt_L+Left")


def bad_input(desk, place, step):
    """A thumbnail that is none, a name that is too long, a container that is taken away, and a full disk."""
    with open(f"{place.mountpoint}/Odd.png", "wb") as picture: picture.write(BLUE)
    documents = f"{place.container}/Documents" if os.path.isdir(f"{place.container}/Documents") else place.container
    eventually(lambda: os.path.exists(f"{documents}/Odd.ptk/photo.metadata"), "it has a thumbnail")
    with open(f"{documents}/Odd.ptk/photo.metadata", "wb") as metadata: metadata.write(b"no archive")
    window = Window(desk, place, "photokeeper")
    try:
        eventually(lambda: set(window.rows("Photos")) == {"Odd", "Photo"}, "both are in the grid")
        window.seen("label", "⚠ ")
        step(True, "a thumbnail that cannot be read is said in its row")
        window.press("Alt_L+Left", "Home", "F2")
        window.seen(name="Rename Photo")
        window.enter("m" * 2_000)
        window.seen("label", "The name is too long")
        window.press("Escape")
        window.unseen(name="Rename Photo")
        os.rename(place.container, place.container + ".away")
        window.press("ctrl+o")
        window.choose_file(file(place, "red.png", RED))
        time.sleep(1)
        step(window.process.poll() is None and not os.path.exists(place.container), "a container that is taken away ends nothing, and no folder is made in its place")
        os.rename(place.container + ".away", place.container)
        eventually(lambda: "Photo" in window.rows("Photos"), "the photos are there when it is back")
        step(window.close()[0] == 0, "it ends")
    finally: window.kill()
    os.remove(f"{place.mountpoint}/Odd.png")
    if os.geteuid() != 0: return
    with full_disk(place, lambda inside: inside.call("photokeeper", "add", file(place, "red.png", RED))) as (inside, filler):
        window = Window(desk, inside, "photokeeper")
        try:
            eventually(lambda: window.rows("Photos") == ["Photo"], "the grid is there")
            large = file(place, "large.png", png(300, 300))
            window.press("ctrl+o")
            window.choose_file(large)
            window.seen("label", "No space left")
            step(window.rows("Photos") == ["Photo"] and kept(inside, "picture", "Photo") == RED, "a photo for which there is no room is said to be none, and the others stay")
            os.remove(filler)
            window.press("ctrl+o")
            window.choose_file(large)
            eventually(lambda: len(window.rows("Photos")) == 2, "and it is added when there is room")
            step(window.close()[0] == 0, "it ends")
        finally: window.kill()


def drawn(place, name, *how):
    path = f"{place.folder}/{name}.png"
    subprocess.run(["convert", "-size", "640x480", *how, path], check=True)
    with open(path, "rb") as picture: data = picture.read()
    with open(f"{place.mountpoint}/{name}.png", "wb") as picture: picture.write(data)


def looks(desk, place, step):
    """Pictures: light and dark, wide and narrow; names of every kind; and pictures that cannot be drawn."""
    for name, how in (
        ("Sunset", ["gradient:#f6d365-#b5386b"]), ("Sea", ["gradient:#89f7fe-#1a4fa3"]), ("Meadow", ["gradient:#cdeb8b-#2f7d32"]), ("Night", ["radial-gradient:#5b6ee1-#0b1030"]),
        ("<b>Snow & ice", ["radial-gradient:#ffffff-#9fb8d0"]), ("שקיעה", ["gradient:#ffd1ff-#fa709a"]),
    ): drawn(place, name, *how)
    with open(f"{place.mountpoint}/Huge.png", "wb") as picture: picture.write(png(20_000, 20_000))
    wanted = {"Sunset", "Sea", "Meadow", "Night", "<b>Snow & ice", "שקיעה", "Huge", "Photo"}
    for style in ("light", "dark"):
        window = Window(desk, place, "photokeeper", ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}")
        try:
            eventually(lambda: set(window.rows("Photos")) == wanted, f"all photos are in the grid: {set(window.rows('Photos')) ^ wanted}")
            window.press("Alt_L+Left", "Home")
            window.picture(f"photokeeper-{style}")
            window.press("Return")
            window.seen("label", "is too large to be drawn here: it has 20,000 × 20,000 pixels")
            step(window.process.poll() is None, "a picture of 20,000 × 20,000 points is said to be too large")
            window.press("Alt_L+Left")
            eventually(lambda: window.has_keyboard_in("Photos"), "the grid has the keyboard again")
            window.press("Right", "Right", "Return")
            eventually(lambda: not window.has_keyboard_in("Photos"), "a photo is open")
            window.press("ctrl+h")
            eventually(lambda: window.rows("Versions"), "its versions are there")
            window.picture(f"photokeeper-photo-{style}")
            window.press("Alt_L+Left")
            window.resize(400, 600)
            window.picture(f"photokeeper-narrow-{style}")
            eventually(lambda: window.is_idle(1) <= 4, "a narrow window comes to rest")
            step(window.close() == (0, []), "it ends")
        finally: window.kill()
