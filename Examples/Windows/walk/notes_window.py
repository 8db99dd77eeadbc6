"""The window of Simple Text Editor."""

import os

from desk import Window
from notes import stored, titles, write_outside
from places import eventually, full_disk

TEXT = "Text of the note"


def notes_window(desk, place, step):
    place.write("Groceries.txt", "milk\n")
    window = Window(desk, place, "texteditor")
    try:
        eventually(lambda: window.rows("Notes") == ["Groceries"], "the list has what is on the drive")
        eventually(lambda: window.is_idle() <= 4, "a window that nobody touches sleeps")
        typing(window, place, step)
        outside(window, place, step)
        the_list(window, place, step)
        gone(window, place, step)
        odd_names(window, place, step)
        code, complaints = window.close()
        step(code == 0 and complaints == [], f"it ends, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    last_words(desk, place, step)
    bad_input(desk, place, step)
    looks(desk, place, step)


def typing(window, place, step):
    window.press("ctrl+n")
    eventually(lambda: "Note 1" in window.rows("Notes"), "a new note is in the list")
    step(os.path.exists(f"{place.container}/Documents/Note 1.stedoc"), "and a file")
    eventually(lambda: window.has_keyboard("text", TEXT), "its text has the keyboard")
    window.type("Dear Ann")
    eventually(lambda: place.shown("Note 1.txt") == "Dear Ann", "what is typed is on the drive at once")
    step(True, "typed")
    window.press("ctrl+z")
    eventually(lambda: len(place.shown("Note 1.txt")) < 8, "undone")
    window.press("ctrl+shift+z")
    eventually(lambda: stored(place, "Note 1.stedoc") == "Dear Ann", "redone, and saved by itself")
    step(True, "typing is undone and redone, and saved by itself")


def outside(window, place, step):
    """What others do to the note that is open."""
    window.press("Home")
    place.write("Note 1.txt", "Dear Ann and Bob")
    eventually(lambda: window.text(TEXT) == "Dear Ann and Bob", "the window follows the drive")
    eventually(lambda: window.all("label", "Somebody else changed this note"), "and says so")
    window.type("o")
    eventually(lambda: stored(place, "Note 1.stedoc") == "oDear Ann and Bob", "the place where somebody types stays")
    step(True, "it follows the drive, and what is typed stays where it is typed")
    window.press("ctrl+z")
    window.press("ctrl+z")
    eventually(lambda: stored(place, "Note 1.stedoc") == "Dear Ann", "what others did is undone as what was typed is")
    os.rename(f"{place.mountpoint}/Note 1.txt", f"{place.mountpoint}/Letter.txt")
    eventually(lambda: "Letter" in window.rows("Notes") and window.all("label", "Letter"), "a note that is open follows its name")
    window.press("ctrl+End")
    # Somebody replaces the file again and again while somebody types: every letter is in one of the sides.
    window.type(" mine")
    write_outside(place, "Letter.stedoc", "Dear Ann theirs")
    window.type("!")
    sides = eventually(lambda: place.rows("texteditor", "conflicts"), "both sides are there")
    step({side["text"] for side in sides} == {"Dear Ann mine!", "Dear Ann theirs"}, f"no letter is taken away: {sides}")
    window.seen("label", "Two sides changed this note at once.")
    window.picture("texteditor-notice")
    window.press("alt+c")
    window.seen("text", "The other side")
    shown = (window.text("What the note is now"), window.text("The other side"))
    step({text.strip() for text in shown} == {"− Dear Ann mine!", "+ Dear Ann theirs"} or {text.strip() for text in shown} == {"− Dear Ann theirs", "+ Dear Ann mine!"}, f"both are read side by side: {shown}")
    window.picture("texteditor-conflict")
    window.press("alt+t" if "mine" in shown[0] else "alt+i")
    eventually(lambda: not place.rows("texteditor", "conflicts"), "the conflict is decided")
    step(stored(place, "Letter.stedoc") == "Dear Ann mine!" and place.shown("Letter.txt") == "Dear Ann mine!", "for the side that was chosen")
    eventually(lambda: window.has_keyboard("text", TEXT) and window.text(TEXT) == "Dear Ann mine!", "which is open again")


def the_list(window, place, step):
    window.press("F2")
    window.seen(name="Rename Note")
    window.enter("Groceries")
    window.seen("label", "Name already taken.")
    step(titles(place) == ["Groceries", "Letter"], "a name that is taken is explained, and nothing is lost")
    window.press("ctrl+a")
    window.press("BackSpace")
    window.press("Return")
    window.seen("label", "A note has a name.")
    window.enter("To Ann")
    eventually(lambda: window.rows("Notes") == ["Groceries", "To Ann"], "the list has the new name")
    step(place.shown("To Ann.txt") == "Dear Ann mine!", "and so has the drive")
    window.press("ctrl+shift+Delete")
    eventually(lambda: window.rows("Notes") == ["Groceries"], "a note that is deleted is gone from the list")
    step(place.shown("To Ann.txt") == "", "and from the drive")
    window.seen("label", "“To Ann” is deleted")
    window.picture("texteditor-deleted")
    window.press("ctrl+shift+u")
    window.unseen("label", "is deleted")
    eventually(lambda: place.shown("To Ann.txt") == "Dear Ann mine!" and window.rows("Notes") == ["Groceries", "To Ann"], "undoing brings it back")
    step(True, "deleting is undone")
    window.press("ctrl+f")
    eventually(lambda: window.has_keyboard("entry") or window.has_keyboard("text", "Search"), "the search has the keyboard")
    window.type("groc")
    eventually(lambda: window.rows("Notes") == ["Groceries"], "what is searched for is found")
    window.type("x")
    window.seen("label", "No Results Found")
    window.press("Escape")
    eventually(lambda: window.rows("Notes") == ["Groceries", "To Ann"], "and then all are there again")
    step(True, "notes are found by their names")
    window.press("Alt_L+Left")
    window.press("Home")
    window.press("Return")
    eventually(lambda: window.has_keyboard("text", TEXT) and window.text(TEXT) == "milk\n", "Return opens the note that is chosen")
    step(True, "a note is opened by the keyboard")


def gone(window, place, step):
    """Somebody deletes the note that is open: what was typed last is in no file."""
    window.press("ctrl+Home")
    window.type("x")
    eventually(lambda: window.text(TEXT) == "xmilk\n", "typed")
    os.remove(f"{place.mountpoint}/Groceries.txt")
    window.seen("label", "Its text is here still.")
    window.press("alt+k")
    eventually(lambda: window.has_keyboard("text", TEXT) and stored(place, "Note 1.stedoc") == "xmilk\n", "its text is a new note")
    step(True, "a text whose note was deleted by others is kept")
    window.press("ctrl+a")
    window.type("milk")
    eventually(lambda: stored(place, "Note 1.stedoc") == "milk", "which is edited as any other")
    os.rename(f"{place.mountpoint}/Note 1.txt", f"{place.mountpoint}/Groceries.txt")
    eventually(lambda: window.rows("Notes") == ["Groceries", "To Ann"], "and has another name")


def odd_names(window, place, step):
    """Whatever a name has in it, its row is a line, and no markup."""
    given = ["<b>bold & <i>", "two\nlines", "\u202edesrever", "שלום עולם", "m" * 240, "caf\u00e9", "100%s %n"]
    for name in given: place.write(f"{name}.txt", "odd\n")
    place.write("NUL.txt", "a\0b")
    wanted = {name.replace("\n", "\u240a").replace("\u202e", "\ufffd") for name in given}
    eventually(lambda: wanted <= set(window.rows("Notes")), f"all are in the list: {wanted - set(window.rows('Notes'))}")
    step(True, "names of every kind are in the list")
    window.picture("texteditor-names")
    for name in given + ["NUL"]: os.remove(f"{place.mountpoint}/{name}.txt")
    eventually(lambda: window.rows("Notes") == ["Groceries", "To Ann"], "and gone again")


def last_words(desk, place, step):
    """What was typed last is saved when the window is closed, and also when its program is told to end."""
    for ending in ("close", "terminate"):
        window = Window(desk, place, "texteditor")
        try:
            eventually(lambda: window.rows("Notes"), "the list is there")
            window.press("ctrl+n")
            eventually(lambda: window.has_keyboard("text", TEXT), "the new note has the keyboard")
            window.type("last words")
            eventually(lambda: window.text(TEXT) == "last words", "typed")
            if ending == "close": code = window.close()[0]
            else:
                window.process.terminate()
                code = window.process.wait(60)
            step("last words" == stored(place, "Note 1.stedoc"), f"what was typed is saved: {ending} {code}")
            os.remove(f"{place.mountpoint}/Note 1.txt")
        finally: window.kill()


def bad_input(desk, place, step):
    """A line of 10,000 characters and a name that is too long; a container that is taken away while somebody types, and a full disk."""
    place.write("Long.txt", "m" * 10_000 + "\n")
    window = Window(desk, place, "texteditor")
    try:
        eventually(lambda: "Long" in window.rows("Notes"), "the list is there")
        window.press("ctrl+n")
        eventually(lambda: window.has_keyboard("text", TEXT), "a new note has the keyboard")
        window.press("F2")
        window.seen(name="Rename Note")
        window.enter("m" * 2_000)
        window.seen("label", "The name is too long")
        window.enter("Away")
        eventually(lambda: "Away" in window.rows("Notes"), "a name that is too long is explained, and another one is taken")
        step(True, "a name that is too long is explained")
        eventually(lambda: window.has_keyboard("text", TEXT), "the text has the keyboard")
        os.rename(place.container, place.container + ".away")
        window.type("kept")
        window.seen("label", "It is not saved yet")
        step(window.text(TEXT) == "kept" and not os.path.exists(place.container), "a container that is taken away is said, and what is typed stays")
        window.picture("texteditor-away")
        os.rename(place.container + ".away", place.container)
        eventually(lambda: stored(place, "Away.stedoc") == "kept", "it is saved when the container is back")
        step(window.close()[0] == 0, "it ends")
    finally: window.kill()
    for name in ("Away", "Long"): os.remove(f"{place.mountpoint}/{name}.txt")
    if os.geteuid() != 0: return
    with full_disk(place, lambda inside: inside.call("texteditor", "new", "first")) as (inside, filler):
        window = Window(desk, inside, "texteditor")
        try:
            eventually(lambda: window.rows("Notes") == ["Note 1"], "the list is there")
            window.press("Alt_L+Left", "Home", "Return")
            eventually(lambda: window.has_keyboard("text", TEXT), "the note is open")
            window.press("ctrl+End")
            window.type("more")
            window.seen("label", "It is not saved yet")
            step(inside.rows("texteditor", "list") != [], "a full disk is said, and the note is what it was")
            os.remove(filler)
            eventually(lambda: "more" in stored(inside, "Note 1.stedoc"), "what was typed is saved when there is room")
            step(window.close()[0] == 0, "it ends")
        finally: window.kill()


def looks(desk, place, step):
    """Pictures: light and dark, wide and narrow."""
    place.write("Groceries.txt", "milk\nbread\napples, two\n")
    for style in ("light", "dark"):
        window = Window(desk, place, "texteditor", ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}")
        try:
            eventually(lambda: window.rows("Notes"), "the list is there")
            window.press("Alt_L+Left")
            window.press("Home")
            window.press("Return")
            eventually(lambda: window.has_keyboard("text", TEXT), "a note is open")
            window.picture(f"texteditor-{style}")
            window.resize(400, 600)
            eventually(lambda: window.all("push button", "Back"), "in a narrow window there is a way back")
            window.press("Alt_L+Left")
            eventually(lambda: window.all("list", "Notes"), "to the list")
            eventually(lambda: window.is_idle(1) <= 4, "a narrow window comes to rest")
            window.picture(f"texteditor-narrow-{style}")
            # One page or two is a question of a few pixels: at none of them it goes to and fro.
            for width in range(660, 760, 6): window.resize(width, 600)
            for width in range(754, 660, -6): window.resize(width, 600)
            for width in (694, 702, 710):
                window.resize(width, 600)
                eventually(lambda: window.is_idle(1) <= 4, f"a window of {width} pixels comes to rest")
            step(True, "it is drawn when something is new, and not otherwise")
            step(window.close()[0] == 0, "it ends")
        finally: window.kill()
