"""Simple Text Editor: its notes, and on the drive, which is there all the time."""

import os

from places import eventually


def titles(place): return [row["name"] for row in place.rows("texteditor", "list")]


def text(place, note): return place.rows("texteditor", "show", note)[0]["text"]


def write_outside(place, name, words):
    """As a sync tool does it: it asks nobody."""
    with open(f"{place.container}/.incoming", "w") as incoming: incoming.write(words)
    os.rename(f"{place.container}/.incoming", f"{place.container}/Documents/{name}")


def stored(place, name):
    with open(f"{place.container}/Documents/{name}") as file: return file.read()


def the_list(place, step):
    for number in (1, 2, 3): step(place.call("texteditor", "new", f"text {number}") == f"Note {number}.stedoc\n", f"Note {number} is the next new one")
    place.call("texteditor", "delete", "Note 2")
    step(titles(place) == ["Note 1", "Note 3"] and place.shown("Note 2.txt") == "", "a deleted one is gone, on the drive too")
    step(place.call("texteditor", "new") == "Note 2.stedoc\n", "the lowest free number is the next name")
    step(place.call("texteditor", "undo") == "Note 2 1.stedoc is back.\n", "what was deleted comes back beside who has its name now")
    step(place.shown("Note 2 1.txt") == "text 2\n" and place.shown("Note 2.txt") == "", "with its text, on the drive too")
    for note in ("Note 2", "Note 2 1"): place.call("texteditor", "delete", note)
    with open(f"{place.container}/Documents/.Note 4.stedoc", "w") as hidden: hidden.write("hidden")
    watch = place.start("texteditor", "watch")
    try:
        watch.shows("+ Note 3")
        place.write("Shopping.txt", "milk\n")
        watch.shows("+ Shopping  5 bytes")
        step(text(place, "Shopping") == "milk\n", "a text that is written on the drive is in the open list")
        place.call("texteditor", "append", "Shopping", "bread")
        watch.shows("* Shopping  11 bytes")
        step(place.shown("Shopping.txt") == "milk\nbread\n", "a line more is on the drive")
        place.call("texteditor", "rename", "Shopping", "To buy")
        watch.shows("+ To buy")
        watch.shows("- Shopping")
        step(place.shown("To buy.txt") == "milk\nbread\n", "so is another name")
        step("already taken" in place.call("texteditor", "rename", "To buy", "Note 1", code=1), "a name that is taken is not taken away")
        os.remove(f"{place.mountpoint}/To buy.txt")
        watch.shows("- To buy")
        step(not any("Note 4" in line for line in watch.lines), "and what is hidden is in no list")
    finally: watch.kill()
    os.remove(f"{place.container}/Documents/.Note 4.stedoc")


def typing(place, step):
    editor = place.start("texteditor", "type", "Note 1")
    try:
        editor.shows("— open")
        editor.type("typed")
        eventually(lambda: place.shown("Note 1.txt") == "text 1\ntyped\n", "what is typed is on the drive at once")
        step(True, "what is typed and nobody saved is read on the drive")
        editor.type("/undo")
        eventually(lambda: place.shown("Note 1.txt") == "text 1\n", "undone")
        editor.type("/redo")
        eventually(lambda: stored(place, "Note 1.stedoc") == "text 1\ntyped\n", "redone, and saved by itself")
        step(True, "typing is undone and redone, and saved by itself")
        place.write("Note 1.txt", "drive\n")
        editor.shows("— changed by somebody else")
        editor.shows("drive")
        editor.type("/back")
        eventually(lambda: stored(place, "Note 1.stedoc") == "text 1\ntyped\n", "what was there before is back")
        step(True, "the editor follows the drive, and goes back when it is told to")
        os.rename(f"{place.mountpoint}/Note 1.txt", f"{place.mountpoint}/Diary.txt")
        editor.shows("— renamed: Diary.stedoc")
        editor.type("after")
        eventually(lambda: stored(place, "Diary.stedoc") == "text 1\ntyped\nafter\n", "it follows its name")
        step(not os.path.exists(f"{place.container}/Documents/Note 1.stedoc"), "an open note goes on under its new name")
        # Not saved yet, and somebody replaces the file.
        editor.type("mine")
        editor.type("/show")
        editor.shows("mine")
        write_outside(place, "Diary.stedoc", "text 1\nothers\n")
        editor.shows("— in conflict")
        step(editor.end() == 0, "the editor ends")
    finally: editor.kill()
    sides = eventually(lambda: place.rows("texteditor", "conflicts"), "both sides are there")
    step({side["text"] for side in sides} == {"text 1\ntyped\nafter\nmine\n", "text 1\nothers\n"}, f"no letter is taken away: {sides}")
    read = place.call("texteditor", "conflicts")
    ours = [side["number"] for side in sides if "mine" in side["text"]][0]
    signs = ("-", "+") if ours == 0 else ("+", "-")
    step(f"{signs[0]} mine" in read and f"{signs[1]} others" in read and "  text 1" in read, f"what differs is marked: {read}")
    place.call("texteditor", "resolve", "Diary", str(ours))
    step(text(place, "Diary") == "text 1\ntyped\nafter\nmine\n" and not place.rows("texteditor", "conflicts"), "the side that was chosen is the note")
    step(place.shown("Diary.txt") == "text 1\ntyped\nafter\nmine\n", "on the drive too")


def notes(place, step):
    the_list(place, step)
    typing(place, step)
    for number in range(8):
        place.kill_soon(0.004 * number, "texteditor", "new", f"killed {number}")
        place.kill_soon(0.004 * number, "texteditor", "append", "Diary", "more")
    step(text(place, "Diary").startswith("text 1\ntyped\nafter\nmine\n"), "apps that are killed leave whole notes")
    for row in place.rows("texteditor", "list"): place.call("texteditor", "delete", row["file"])
    step(titles(place) == [], "all can be deleted")
