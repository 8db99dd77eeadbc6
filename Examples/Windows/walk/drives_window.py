"""valise-window: the drives, and what is on them."""

import json
import os
import shutil
import signal
import subprocess
import time

from desk import Window
from photos import BLUE, GREEN, RED, read
from places import TOP, VALISE, eventually, full_disk, link

BUILT_WINDOW = os.environ.get("BUILT_WINDOW", os.path.realpath(f"{TOP}/Window/.build/debug"))


def prepare(place):
    """What the window is found by, and where it remembers drives."""
    place.environment["PATH"] = f"{os.path.dirname(VALISE)}:{BUILT_WINDOW}:{place.environment['PATH']}"
    place.environment["XDG_STATE_HOME"] = f"{place.folder}/home/.local/state"


def show(desk, place, *path, **environment): return Window(desk, place, "valise-window", [VALISE, "show", *path], **environment)


def valise(place, *words, code=0):
    ended = subprocess.run([VALISE, *words], env=place.environment, capture_output=True, text=True, timeout=120)
    if ended.returncode != code: raise AssertionError(f"{words}: {ended.returncode} {ended.stdout}{ended.stderr}")
    return ended.stdout


def answer(place, *words): return json.loads(valise(place, *words, "--json"))


def drives_window(desk, place, step):
    prepare(place)
    without_the_window(place, step)
    mounting(desk, place, step)
    window = show(desk, place, place.mountpoint)
    try:
        window.seen("label", "Shown In")
        eventually(lambda: window.is_idle() <= 4, "a window that nobody touches sleeps")
        problems(window, place, step)
        deleted(window, place, step)
        search(window, place, step)
        room(window, place, step)
        importing(window, place, step)
        code, complaints = window.close()
        step(code == 0 and complaints == [], f"it ends, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    closing_while_importing(desk, place, step)
    versions(desk, place, step)
    conflicts(desk, place, step)
    opened_at(desk, place, step)
    dying(desk, place, step)
    taken_away(desk, place, step)
    if os.geteuid() == 0: no_room(desk, place, step)
    else: print("without a full disk: only root can mount a small one")
    looks(desk, place, step)


def without_the_window(place, step):
    """`valise show` says what is missing, and does nothing."""
    place.write("Notes.txt", "milk\n")
    notes = f"{place.mountpoint}/Notes.txt"
    for what, environment, sentence in (
        ("no display", {name: value for name, value in place.environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}, "valise: there is no display for a window"),
        ("no window", {**place.environment, "PATH": "/usr/bin:/bin"}, "the window is not installed (valise-window); to list its versions without it: valise versions"),
    ):
        ended = subprocess.run([VALISE, "show", notes], env=environment, capture_output=True, text=True, timeout=60)
        step(ended.returncode == 1 and sentence in ended.stderr, f"{what} is said: {ended.returncode} {ended.stderr}")
    ended = subprocess.run([VALISE, "show", notes + "x"], env=place.environment, capture_output=True, text=True, timeout=60)
    step(ended.returncode == 1 and "there is no" in ended.stderr, f"a file that is not there is said not to be: {ended.stderr}")
    environment = {name: value for name, value in place.environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    ended = subprocess.run([f"{BUILT_WINDOW}/valise-window"], env=environment, capture_output=True, text=True, timeout=60)
    step(ended.returncode == 1 and "valise-window: There is no display" in ended.stderr, f"the window itself says so, too: {ended.stderr}")
    os.remove(notes)
    valise(place, "deleted", "--purge", "--yes", place.mountpoint)


def mounting(desk, place, step):
    """A folder becomes a drive, is taken away, and comes back."""
    place.unmount()
    os.rmdir(place.mountpoint)
    window = show(desk, place)
    try:
        # Whoever runs this may have a drive.
        if not answer(place, "list")["drives"]: window.seen("label", "No Drives")
        window.press("ctrl+o")
        window.seen("push button", "Choose")
        window.type(place.container)
        window.press("Return")
        window.seen(name="Mount “container”")
        window.enter("nowhere")
        window.seen("label", "A folder's path begins with")
        window.enter(place.mountpoint)
        eventually(place.is_mounted, "the folder is a drive")
        eventually(lambda: "drive" in window.titles("Drives"), "which is in the list")
        window.seen("label", "Shown In")
        step(True, "a folder that is chosen is mounted")
        file = open(f"{place.mountpoint}/open.dat", "w")
        window.press("ctrl+e")
        window.seen(name="Is Not Unmounted")
        window.press("Escape")
        window.unseen(name="Is Not Unmounted")
        step(place.is_mounted(), "a drive that somebody uses stays, and it is said who that is")
        file.close()
        os.remove(file.name)
        window.press("ctrl+e")
        window.seen("label", "Not Mounted")
        step(not place.is_mounted(), "it is unmounted")
        eventually(lambda: window.all("push button", "Mount"), "and can be mounted again")
        window.press("alt+m")
        eventually(lambda: place.is_mounted() and window.all("label", "Shown In"), "by one key, where it was")
        # Somebody else takes it away.
        place.unmount()
        window.seen("label", "Not Mounted")
        step(True, "what others do with drives is seen")
        place.mount()
        window.seen("label", "Shown In")
        step(window.close() == (0, []), "it ends")
    finally: window.kill()


def problems(window, place, step):
    with open(f"{place.mountpoint}/Cat.png", "wb") as picture: picture.write(RED)
    place.write_draft("Cat.png", "no picture")
    eventually(lambda: window.titles("To look at") == ["Cat.png"], "what is not saved is there to be looked at")
    window.seen("label", "1 unsaved change")
    window.picture("drive-problems")
    window.press("alt+1")
    eventually(lambda: window.has_keyboard_in("To look at"), "and has the keyboard")
    window.press("Return")
    window.seen("push button", "Give Up What Is Not Saved")
    window.press("alt+g")
    window.seen(name="Give Up What Is Not Saved?")
    window.press("Tab")
    window.press("alt+g")
    eventually(lambda: read(f"{place.mountpoint}/Cat.png") == RED, "the picture is what was saved last")
    step(True, "an unsaved change is given up")
    window.press("alt+Left")
    eventually(lambda: not window.titles("To look at"), "and nothing is to be looked at any more")


def deleted(window, place, step):
    # What was given up is kept, too.
    step([entry["path"] for entry in answer(place, "deleted", place.mountpoint)["deleted"]] == [f"{place.mountpoint}/Cat.png"], "what was given up is among the deleted")
    valise(place, "deleted", "--purge", "--yes", place.mountpoint)
    for name in ("One", "Two", "Three", "Four"): place.write(f"{name}.txt", f"{name}\n")
    os.mkdir(f"{place.mountpoint}/Trip")
    place.write("Trip/List.txt", "towel\n")
    for name in ("One.txt", "Two.txt", "Trip/List.txt"): os.remove(f"{place.mountpoint}/{name}")
    os.rmdir(f"{place.mountpoint}/Trip")
    window.press("alt+3")
    eventually(lambda: window.titles("Deleted") == ["List.txt", "Two.txt", "One.txt"], "what was deleted is listed, the last one first")
    step("Today" in [label.get_name() for label in window.all("label")], "by the day")
    os.remove(f"{place.mountpoint}/Four.txt")
    eventually(lambda: window.titles("Deleted") == ["Four.txt", "List.txt", "Two.txt", "One.txt"], "and what is deleted while one looks")
    step(True, "the list follows the drive")
    window.picture("drive-deleted")
    eventually(lambda: window.has_keyboard_in("Deleted"), "the list has the keyboard")
    window.press("Home", "Down", "Down", "Return")
    eventually(lambda: place.shown("Two.txt") == "Two\n", "one is brought back")
    eventually(lambda: window.titles("Deleted") == ["Four.txt", "List.txt", "One.txt"], "and is not among the deleted")
    window.seen("label", "“Two.txt” is back")
    window.press("alt+d")
    window.seen(name="Bring Them Back?")
    window.press("Return")
    eventually(lambda: place.shown("One.txt") == "One\n" and place.shown("Trip/List.txt") == "towel\n" and place.shown("Four.txt") == "Four\n", "all of a day come back, with their folders")
    window.seen("label", "Nothing Is Deleted")
    step(True, "what was deleted is brought back")
    # As a file manager deletes, which keeps it on the drive.
    trash = f"{place.mountpoint}/.Trash-{os.getuid()}"
    for folder in ("files", "info"): os.makedirs(f"{trash}/{folder}")
    with open(f"{trash}/info/Two.txt.trashinfo", "w") as note: note.write("[Trash Info]\nPath=Two.txt\nDeletionDate=2026-03-01T10:20:30\n")
    os.rename(f"{place.mountpoint}/Two.txt", f"{trash}/files/Two.txt")
    window.press("F5")
    eventually(lambda: window.titles("Deleted") == ["Two.txt"], "what is in the drive's trash is listed as well")
    window.seen("label", "in the trash")
    eventually(lambda: window.has_keyboard_in("Deleted") or window.press("alt+3"), "the list has the keyboard")
    window.press("Home", "Return")
    eventually(lambda: place.shown("Two.txt") == "Two\n" and os.listdir(f"{trash}/info") == [], "and comes back")
    window.seen("label", "Nothing Is Deleted")
    step(True, "from a file manager's trash, too")
    for folder in (f"{trash}/files", f"{trash}/info", trash): os.rmdir(folder)


def search(window, place, step):
    place.write("Swift.url", link("https://www.swift.org"))
    window.press("ctrl+f")
    window.type("towel")
    eventually(lambda: window.titles("Found") == ["List.txt"], "a word in a text is found")
    place.write("Hotel.txt", "towel, too\n")
    eventually(lambda: sorted(window.titles("Found")) == ["Hotel.txt", "List.txt"], "and what comes later")
    step(True, "words are looked for, and the list follows")
    window.press("ctrl+a")
    window.type("kind == 'bookmark'")
    eventually(lambda: window.titles("Found") == ["Swift.url"], "a condition is understood")
    window.picture("drive-search")
    window.press("ctrl+s")
    window.seen(name="Save This Search")
    window.enter("Links")
    eventually(lambda: os.listdir(f"{place.mountpoint}/.valise/searches") == ["Links"], "the search is kept on the drive")
    eventually(lambda: os.listdir(f"{place.mountpoint}/.valise/search/Links") == ["Swift.url"], "where it is a folder")
    step(True, "a search is kept")
    window.press("ctrl+f", "ctrl+a")
    window.type("kind LIEK 'x'")
    window.seen("label", "This Condition Is Not Understood")
    window.seen("label", "LIEK")
    step(True, "a mistake in a condition is explained")
    window.press("Escape")
    eventually(lambda: window.titles("Saved searches") == ["Links"], "searches that were kept are there when nothing is looked for")
    window.press("Return")
    eventually(lambda: window.has_keyboard_in("Saved searches"), "Return goes to the list")
    window.press("Return")
    eventually(lambda: window.titles("Found") == ["Swift.url"], "and one is used")
    window.press("Return")
    eventually(lambda: window.has_keyboard_in("Found"), "Return goes to what is found")
    window.press("Return")
    window.seen("list", "Versions")
    eventually(lambda: "https://www.swift.org" in window.text("Text of this version"), "and opens one")
    step(True, "a document is opened from what is found")
    window.press("ctrl+l")
    window.seen(name="Change the Address")
    window.enter("no address")
    window.seen("label", "That is no address.")
    window.enter("swift.org/blog")
    eventually(lambda: place.shown("Swift.url") == link("https://swift.org/blog"), "the link leads elsewhere")
    eventually(lambda: "https://swift.org/blog" in window.text("Text of this version"), "which is seen")
    window.press("ctrl+z")
    eventually(lambda: place.shown("Swift.url") == link("https://www.swift.org"), "and back again")
    step(True, "a link's address is changed, and that is undone")
    window.press("F2")
    window.seen(name="Rename")
    window.enter("a/b")
    window.seen("label", "That is no name")
    window.press("ctrl+a")
    window.type("Room")
    place.write("Room.url", link("https://room.example"))
    window.press("Return")
    window.seen("label", "“Room.url” is there already")
    window.enter("Swift <b>")
    eventually(lambda: place.shown("Swift <b>.url") == link("https://www.swift.org"), "the bookmark has another name")
    window.seen("label", "Swift <b>.url")
    eventually(lambda: window.titles("Versions") and window.titles("Versions")[0] == "Now", "and is shown still")
    step(not os.path.exists(f"{place.mountpoint}/Swift.url") and place.shown("Room.url") == link("https://room.example"), "a document is renamed, and replaces none")
    window.press("ctrl+z")
    eventually(lambda: place.shown("Swift.url") == link("https://www.swift.org"), "and is called as it was")
    eventually(lambda: window.titles("Versions"), "which is seen")
    os.remove(f"{place.mountpoint}/Room.url")
    step(True, "renaming is undone")
    window.press("alt+Left")
    window.press("ctrl+f", "Escape")
    eventually(lambda: window.titles("Saved searches") == ["Links"], "back to the searches")
    window.press("Return")
    eventually(lambda: window.has_keyboard_in("Saved searches"), "with the keyboard")
    window.press("Delete")
    eventually(lambda: os.listdir(f"{place.mountpoint}/.valise/searches") == [], "a search is removed")
    window.seen("label", "“Links” is removed")
    step(True, "with a key")


def room(window, place, step):
    for number in range(3): place.write("Room.txt", f"{number}\n" * 2_000)
    os.remove(f"{place.mountpoint}/Hotel.txt")
    window.press("alt+1")
    gone = len(answer(place, "deleted", place.mountpoint)["deleted"])
    window.seen("label", "1 item, " if gone == 1 else f"{gone} items, ")
    taken = answer(place, "status", place.mountpoint)["drives"][0]["versions"]["items"]
    window.seen("label", f"{taken} items, ")
    window.press("alt+f")
    window.seen(name="Free the Room of Earlier Versions?")
    window.picture("drive-free")
    window.press("alt+a")
    eventually(lambda: answer(place, "status", place.mountpoint)["drives"][0]["versions"]["items"] == 0, "the versions are gone")
    window.seen("label", "are gone")
    step(place.shown("Room.txt") == "2\n" * 2_000, "and the documents are not")
    window.press("alt+r")
    window.seen(name="Free the Room of Deleted Items?")
    window.press("alt+r")
    eventually(lambda: answer(place, "deleted", place.mountpoint)["deleted"] == [], "what was deleted is gone")
    step(True, "room is freed")


def importing(window, place, step):
    file = f"{place.folder}/bookmarks.html"
    with open(file, "w") as page: page.write('<DL><DT><A HREF="https://one.example/">First of them</A><DT><A HREF="https://two.example/">Second of them</A></DL>')
    before = sorted(os.listdir(place.mountpoint))
    window.press("ctrl+i")
    window.choose_file(file)
    window.seen("label", "2 items are new")
    step("https://one.example/" in place.shown("First of them.url"), "a browser's bookmarks are imported")
    window.press("alt+u")
    eventually(lambda: sorted(os.listdir(place.mountpoint)) == before, "and taken back")
    window.seen("label", "The import is taken back: 2 documents are among the deleted.")
    step(True, "importing is undone")
    window.press("ctrl+i")
    window.choose_file(file)
    window.seen("label", "2 items are new")
    window.press("F10", "t")
    window.seen(name="Take Back the Last Import?")
    window.press("Return")
    eventually(lambda: sorted(os.listdir(place.mountpoint)) == before, "and later, from the menu")
    step(True, "importing is taken back when nothing offers it any more")
    # A long one, which somebody ends.
    many = 30_000
    with open(file, "w") as page:
        page.write("<DL>")
        for number in range(many): page.write(f'<DT><A HREF="https://many.example/{number}">Many {number}</A>\n')
        page.write("</DL>")
    window.press("ctrl+i")
    window.choose_file(file)
    window.seen("label", "Importing “bookmarks.html”: ")
    window.seen("push button", "Stop")
    window.picture("drive-importing")
    window.press("ctrl+period")
    window.seen("label", "and the rest was left out")
    window.unseen("push button", "Stop")
    count = len(os.listdir(place.mountpoint)) - len(before)
    step(0 < count < many, f"an import that is ended says so, and what came is there: {count}")
    window.press("ctrl+f", "ctrl+a")
    window.type("url BEGINSWITH 'https://many.example/'")
    window.seen("label", f"{count:,} items")
    step(len(window.titles("Found")) > 0, "a search finds all of it, and says how many they are")
    window.press("Escape")
    valise(place, "import", "--undo", place.mountpoint)
    eventually(lambda: sorted(os.listdir(place.mountpoint)) == before, "all of it is taken back")
    valise(place, "deleted", "--purge", "--yes", place.mountpoint)
    # A browser's own file, which nobody has to look for.
    profile = f"{place.environment['HOME']}/.mozilla/firefox/own.default"
    os.makedirs(profile)
    subprocess.run(["/usr/bin/python3", f"{TOP}/Tests/Support/make_places.py", f"{profile}/places.sqlite", "closed"], check=True, capture_output=True)
    window.press("ctrl+i")
    window.seen(name="Import Bookmarks")
    window.seen("push button", "Firefox")
    window.picture("drive-import")
    window.press("Return")
    eventually(lambda: "Bookmarks Toolbar" in os.listdir(place.mountpoint), "Firefox's bookmarks are imported")
    window.seen("label", "4 items are new")
    window.press("alt+u")
    eventually(lambda: sorted(os.listdir(place.mountpoint)) == before, "and taken back")
    step(True, "a browser is found by itself")
    # Where there is none, the file is asked for at once.
    shutil.rmtree(f"{place.environment['HOME']}/.mozilla")


def closing_while_importing(desk, place, step):
    """Who closes the window is asked first; the import ends then, and nothing of it is half there."""
    many, file, before = 30_000, f"{place.folder}/bookmarks.html", sorted(os.listdir(place.mountpoint))
    window = show(desk, place, place.mountpoint)
    try:
        window.seen("label", "All is saved")
        window.press("ctrl+i")
        window.choose_file(file)
        window.seen("label", "Importing “bookmarks.html”: ")
        window.press("ctrl+q")
        window.seen(name="End the Import?")
        window.picture("drive-import-closing")
        window.press("Escape")
        window.unseen(name="End the Import?")
        window.seen("push button", "Stop")
        step(window.process.poll() is None, "who goes on with it keeps the window")

        def end():
            window.seen(name="End the Import?")
            window.press("alt+e")
        code, complaints = window.close(end)
        step(code == 0 and complaints == [], f"it ends with the import, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    count = len(os.listdir(place.mountpoint)) - len(before)
    step(0 < count < many, f"what came is there, and nothing goes on without a window: {count}")
    valise(place, "import", "--undo", place.mountpoint)
    eventually(lambda: sorted(os.listdir(place.mountpoint)) == before, "what came can be taken back")
    valise(place, "deleted", "--purge", "--yes", place.mountpoint)


def dying(desk, place, step):
    """A drive whose process has ended is said to be dead, and is taken away by the same key."""
    window = show(desk, place, place.mountpoint)
    try:
        window.seen("label", "All is saved")
        process = answer(place, "status", place.mountpoint)["drives"][0]["process"]
        os.kill(process, signal.SIGSTOP)
        try:
            window.press("F5")
            window.seen("label", "It does not answer")
            window.press("alt+2")
            eventually(lambda: window.has_keyboard("entry", "Search the drive") or window.has_keyboard("text", "Search the drive"), "and the window goes on")
        finally: os.kill(process, signal.SIGCONT)
        step(True, "a drive that does not answer keeps nobody waiting")
        window.press("F5")
        window.seen("label", "All is saved")
        os.kill(answer(place, "status", place.mountpoint)["drives"][0]["process"], signal.SIGKILL)
        window.seen("label", "This drive does not answer")
        step(True, "a drive that has died is said to be dead")
        window.picture("drive-dead")
        window.press("ctrl+e")
        eventually(lambda: not place.is_mounted(), "it is taken away")
        window.seen("label", "Not Mounted")
        step(True, "and its container is known still")
        place.mount()
        eventually(lambda: "Mounted" in [label.get_name() for label in window.all("label")], "and mounted again")
        step(window.close() == (0, []), "it ends")
    finally: window.kill()


def taken_away(desk, place, step):
    """The container is moved while the window shows its drive, and comes back."""
    window = show(desk, place, place.mountpoint)
    try:
        window.seen("label", "All is saved")
        os.rename(place.container, place.container + ".away")
        window.press("F5")
        window.seen("label", "Its container is not where it was")
        for page in ("2", "3", "4"): window.press(f"alt+{page}")
        step(window.process.poll() is None, "a container that is taken away is said to be, and the window goes on")
        window.picture("drive-container-away")
        os.rename(place.container + ".away", place.container)
        window.press("alt+1", "F5")
        window.seen("label", "All is saved")
        step(window.close() == (0, []), "and so is one that is back")
    finally: window.kill()


def no_room(desk, place, step):
    """What a full disk refuses is said, and done when there is room."""
    def before(inside):
        inside.mountpoint = f"{place.folder}/small-drive"
        os.makedirs(inside.mountpoint, exist_ok=True)
        inside.mount()
        for text in ("milk\n" * 4_000, "bread\n"): inside.write("List.txt", text)
        os.sync()

    with full_disk(place, before) as (inside, filler):
        file = f"{place.folder}/bookmarks.html"
        with open(file, "w") as page:
            for number in range(50): page.write(f'<DT><A HREF="https://full.example/{number}">Full {number}{"x" * 200}</A>')
        window = show(desk, place, inside.mountpoint)
        try:
            window.seen("label", "Shown In")
            window.press("ctrl+i")
            window.choose_file(file)
            window.seen("label", "No space left on device")
            step(inside.shown("List.txt") == "bread\n", "an import that finds no room says that, and touches nothing")
            os.remove(filler)
            window.press("ctrl+i")
            window.choose_file(file)
            eventually(lambda: len(os.listdir(inside.mountpoint)) == 51, "and is done when there is room")
            step(window.close() == (0, []), "it ends")
        finally:
            window.kill()
            inside.clear()


def versions(desk, place, step):
    for text in ("milk\n", "milk\nbread\n", "milk\nrolls\n"): place.write("Shopping.txt", text)
    window = show(desk, place, f"{place.mountpoint}/Shopping.txt")
    try:
        text = "Text of this version"
        eventually(lambda: len(window.titles("Versions")) == 3 and window.titles("Versions")[0] == "Now", "the document's versions are there")
        eventually(lambda: window.text(text) == "milk\nrolls\n", "and what it is now")
        step(True, "the window opens at a document")
        eventually(lambda: window.has_keyboard_in("Versions"), "the time line has the keyboard")
        window.press("Down")
        eventually(lambda: window.text(text) == "milk\nbread\n", "an earlier version is looked at")
        window.press("ctrl+d")
        eventually(lambda: window.text(text) == "  milk\n− bread\n+ rolls\n", "and compared with now")
        step(True, "versions are looked at and compared")
        window.picture("drive-versions")
        window.press("ctrl+d", "Down")
        eventually(lambda: window.text(text) == "milk\n", "the first one")
        window.press("Return")
        eventually(lambda: place.shown("Shopping.txt") == "milk\n", "is restored")
        window.seen("label", "The version is restored")
        eventually(lambda: len(window.titles("Versions")) == 4, "what it was is a version")
        window.press("ctrl+z")
        eventually(lambda: place.shown("Shopping.txt") == "milk\nrolls\n", "restoring is undone")
        step(True, "a version is restored, and that is undone")
        place.write("Shopping.txt", "soap\n")
        eventually(lambda: "soap\n" in window.text(text) or len(window.titles("Versions")) >= 5, "what others save is there")
        step(True, "the time line follows the document")
        os.remove(f"{place.mountpoint}/Shopping.txt")
        eventually(lambda: window.titles("Versions") == [], "a document that is gone has none")
        step(window.close() == (0, []), "it ends")
    finally: window.kill()
    for picture in (RED, GREEN):
        with open(f"{place.mountpoint}/Cat.png", "wb") as file: file.write(picture)
    window = show(desk, place, f"{place.mountpoint}/Cat.png")
    try:
        eventually(lambda: window.all(name="Cat.png", role="image") or window.all(role="image"), "a photo is looked at")
        eventually(lambda: window.has_keyboard_in("Versions"), "the time line has the keyboard")
        window.press("Down", "ctrl+d")
        eventually(lambda: "Cat.png" in window.text("Text of this version"), "how it differs is said in words")
        step(True, "pictures are compared")
        window.press("ctrl+d", "ctrl+shift+r")
        eventually(lambda: read(f"{place.mountpoint}/Cat.png") == RED, "an earlier picture is restored")
        step(window.close() == (0, []), "a photo's versions are pictures")
    finally: window.kill()


def in_conflict(place, name, mine, theirs):
    """Somebody has it open on the drive while somebody else puts another text into its place."""
    place.write(f"{name}.txt", "old\n")
    stored = f"{place.container}/Documents/{name}.stedoc"
    if not os.path.exists(stored): stored = f"{place.container}/{name}.stedoc"
    with open(f"{place.mountpoint}/{name}.txt", "r+") as file:
        file.read()
        file.seek(0)
        file.write(mine)
        file.flush()
        with open(f"{place.container}/.incoming", "w") as incoming: incoming.write(theirs)
        os.rename(f"{place.container}/.incoming", stored)
        file.truncate()
    eventually(lambda: [row["path"] for row in answer(place, "conflicts", place.mountpoint)["documents"]] == [f"{place.mountpoint}/{name}.txt"], "both sides are there")


def photo_in_conflict(place):
    """A sync tool has left another computer's picture beside it."""
    documents = f"{place.container}/Documents"
    for name, picture in (("Dog", RED), ("Other", GREEN)):
        with open(f"{place.mountpoint}/{name}.png", "wb") as file: file.write(picture)
    eventually(lambda: os.path.exists(f"{documents}/Other.ptk/photo.data"), "the photos are in the container")
    time.sleep(1)
    os.rename(f"{documents}/Other.ptk", f"{documents}/Dog.sync-conflict-20261121-232733-ABCDEFG.ptk")
    eventually(lambda: [row["path"] for row in answer(place, "conflicts", place.mountpoint)["documents"]] == [f"{place.mountpoint}/Dog.png"], "it is a side of the photo")


def conflicts(desk, place, step):
    in_conflict(place, "Both", "milk\nrolls\nsoap\n", "milk\nbread\nsoap\n")
    window = show(desk, place, place.mountpoint)
    try:
        window.seen("label", "⚠ 1 conflict")
        window.seen("label", "Shown In")
        window.press("alt+4")
        eventually(lambda: window.titles("Conflicts") == ["Both.txt"], "the document is in the list")
        eventually(lambda: window.has_keyboard_in("Conflicts"), "which has the keyboard")
        window.press("Home", "Return")
        eventually(lambda: {window.text("What it is now"), window.text("The other side")} == {"  milk\n− rolls\n  \n  soap\n", "  milk\n  \n+ bread\n  soap\n"}, "both sides are beside each other")
        step(True, "what differs is marked")
        window.picture("drive-conflict")
        window.press("alt+i")
        eventually(lambda: answer(place, "conflicts", place.mountpoint)["documents"] == [], "the conflict is decided")
        step(place.shown("Both.txt") == "milk\nbread\nsoap\n", "for the side that was chosen")
        window.seen("label", "The other side is kept as a version")
        eventually(lambda: len(window.titles("Versions")) == 3, "among its versions")
        in_conflict(place, "Notes", "mine\n", "theirs\n")
        window.press("alt+4")
        eventually(lambda: window.titles("Conflicts") == ["Notes.txt"], "another one")
        window.press("Home", "Return")
        window.seen("push button", "Keep Both")
        eventually(lambda: window.text("What it is now"), "both sides are there")
        window.press("alt+b")
        eventually(lambda: place.shown("Notes 1.txt"), "both are kept")
        step({place.shown("Notes.txt"), place.shown("Notes 1.txt")} == {"mine\n", "theirs\n"}, "as two documents")
        photo_in_conflict(place)
        window.press("alt+4")
        eventually(lambda: window.titles("Conflicts") == ["Dog.png"], "a photo that two changed")
        window.press("Home", "Return")
        eventually(lambda: len([image for image in window.all(role="image") if "Dog.png" in (image.get_name(), image.get_description())]) == 2, "both pictures are beside each other")
        window.picture("drive-photo-conflict")
        window.press("alt+i")
        eventually(lambda: read(f"{place.mountpoint}/Dog.png") == GREEN, "one is chosen")
        step(True, "a photo's conflict is decided by looking at both")
        step(window.close() == (0, []), "it ends")
    finally: window.kill()
    in_conflict(place, "Both", "mine\n", "theirs\n")
    window = show(desk, place, f"{place.mountpoint}/Both.txt")
    try:
        window.seen("label", "Two sides changed this document at once.")
        window.press("alt+c")
        window.seen("push button", "Keep Both")
        eventually(lambda: window.has_keyboard("push button", "Keep what it is now"), "both sides are opened from the document, with the keyboard")
        # Somebody else decides, which changes no file.
        valise(place, "resolve", "--current", f"{place.mountpoint}/Both.txt")
        eventually(lambda: window.has_keyboard_in("Versions"), "what others decide is seen, and the document is there again")
        step(window.close() == (0, []), "a conflict is opened from its document")
    finally: window.kill()


def opened_at(desk, place, step):
    """Whatever the window is opened at, it says what that is."""
    place.write("plain.dat", "x\n")
    stored = [name for name in os.listdir(f"{place.mountpoint}/.valise/originals/Documents") if name == "Both.stedoc"] if os.path.isdir(f"{place.mountpoint}/.valise/originals/Documents") else []
    for path, seen in (
        (f"{place.mountpoint}/plain.dat", "plain.dat"), (place.mountpoint, "Shown In"), (place.container, "Shown In"),
        ("/etc/hostname", "is on no drive, and in no container"), (f"{place.folder}/home", "can be shown in"),
        *((f"{place.container}/Documents/{name}", "Both.txt") for name in stored),
    ):
        window = show(desk, place, path)
        try:
            window.seen("label", seen)
            step(window.close() == (0, []), f"the window opens at {path}")
        finally: window.kill()
    os.remove(f"{place.mountpoint}/plain.dat")
    if len(answer(place, "list")["drives"]) == 1:
        window = show(desk, place)
        try:
            window.seen("label", "Shown In")
            step(window.close() == (0, []), "where there is one drive, nobody has to choose it")
        finally: window.kill()


def looks(desk, place, step):
    """Pictures: light and dark, wide and narrow; names of every kind."""
    for entry in os.listdir(place.mountpoint):
        if not os.path.isdir(f"{place.mountpoint}/{entry}"): os.remove(f"{place.mountpoint}/{entry}")
    given = ["<b>bold & <i>", "two\nlines", "\u202edesrever", "שלום עולם", "m" * 240]
    for name in given: place.write(f"{name}.txt", "odd\n")
    for name in given: os.remove(f"{place.mountpoint}/{name}.txt")
    for text in ("milk\nbread\n", "milk\nbread\napples\nsoap\n", "milk\nrolls\napples\n"): place.write("Shopping list.txt", text)
    for style in ("light", "dark"):
        window = show(desk, place, f"{place.mountpoint}/Shopping list.txt", ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}")
        try:
            eventually(lambda: len(window.titles("Versions")) == 3 and window.has_keyboard_in("Versions"), "the document is open")
            window.press("Down", "ctrl+d")
            eventually(lambda: "− bread" in window.text("Text of this version"), "compared")
            window.picture(f"valise-window-{style}")
            # One page or two is a question of a few pixels: at none of them it goes to and fro.
            for width in (900, 860, 700, 640, 620, 610, 600):
                window.resize(width, 640)
                eventually(lambda: window.is_idle(1) <= 4, f"a window of {width} pixels comes to rest")
            window.resize(400, 640)
            eventually(lambda: window.is_idle(1) <= 4, "a narrow window comes to rest")
            step(window.place_of(window.number)[2] == 400, f"at the width of a telephone: {window.place_of(window.number)}")
            window.picture(f"valise-window-narrow-{style}")
            window.press("alt+3")
            eventually(lambda: {"<b>bold & <i>.txt", "two\u240alines.txt", "\ufffddesrever.txt"} <= set(window.titles("Deleted")), f"each is a line, and none is markup: {window.titles('Deleted')}")
            window.picture(f"valise-window-deleted-narrow-{style}")
            window.press("alt+Left")
            eventually(lambda: window.has_keyboard_in("Drives"), "in a narrow window there is a way back to the drives")
            window.picture(f"valise-window-drives-narrow-{style}")
            window.press("Return")
            window.seen("label", "Shown In")
            window.resize(1040, 640)
            window.picture(f"valise-window-drive-{style}")
            step(window.close() == (0, []), "it ends")
        finally: window.kill()
