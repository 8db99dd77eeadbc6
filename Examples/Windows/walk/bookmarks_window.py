"""The windows of Cloudy, on documents and on the key-value store."""

import json
import os

from desk import Window
from places import bookmark_in_conflict, eventually, full_disk, link


def names(place): return sorted(row["name"] for row in place.rows("cloudy", "list"))


def browser(place):
    """A program for addresses, which writes down what it is given."""
    folder = f"{place.folder}/home/.local/share/applications"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/browser.desktop", "w") as entry:
        entry.write(f"[Desktop Entry]\nType=Application\nName=Browser\nExec=sh -c 'echo \"$1\" >{place.folder}/opened' sh %u\nMimeType=x-scheme-handler/http;x-scheme-handler/https;\n")
    with open(f"{folder}/mimeapps.list", "w") as table: table.write("[Default Applications]\nx-scheme-handler/http=browser.desktop\nx-scheme-handler/https=browser.desktop\n")
    place.environment["XDG_DATA_HOME"] = f"{place.folder}/home/.local/share"


def opened(place):
    try:
        with open(f"{place.folder}/opened") as file: return file.read().strip()
    except OSError: return ""


def add(window, name, url):
    window.press("ctrl+n")
    window.seen(name="Add Bookmark")
    eventually(lambda: window.all("entry", "Address") or window.all("text", "Address"), "there is a line for the address")
    window.type(name)
    window.press("Tab")
    window.type(url)
    window.press("Return")


def documents_window(desk, place, step):
    browser(place)
    window = Window(desk, place, "cloudy")
    try:
        window.seen("label", "No Bookmarks")
        eventually(lambda: window.is_idle() <= 4, "a window that nobody touches sleeps")
        add(window, "Swift", "https://www.swift.org")
        eventually(lambda: window.rows("Bookmarks") == ["Swift"], "a bookmark that is added is in the list")
        step("URL=https://www.swift.org" in place.shown("Swift.url"), "and on the drive")
        place.write("Debian.url", link("https://www.debian.org"))
        eventually(lambda: window.rows("Bookmarks") == ["Debian", "Swift"], "a link that is written on the drive is in the list")
        place.write("Script.url", link("javascript:alert(1)"))
        eventually(lambda: window.rows("Bookmarks") == ["Debian", "Script", "Swift"], "so is one that no browser is to open")
        window.tab_to_list("Bookmarks")
        window.press("Home", "Return")
        eventually(lambda: opened(place) == "https://www.debian.org", "Return opens the address in the browser")
        window.press("Down", "Return")
        window.seen("label", "is no address of the web.")
        step(opened(place) == "https://www.debian.org", "and no program that an address may name")
        window.press("Home", "F2")
        window.seen(name="Edit Bookmark")
        window.enter("Linux")
        eventually(lambda: window.rows("Bookmarks") == ["Linux", "Script", "Swift"], "a bookmark is edited")
        step("URL=https://www.debian.org" in place.shown("Linux.url"), "on the drive too")
        window.press("Delete")
        eventually(lambda: window.rows("Bookmarks") == ["Script", "Swift"] and place.shown("Linux.url") == "", "one that is deleted is gone")
        window.seen("label", "“Linux” is deleted")
        window.press("ctrl+shift+u")
        eventually(lambda: window.rows("Bookmarks") == ["Linux", "Script", "Swift"] and place.shown("Linux.url"), "and comes back")
        step(True, "deleting is undone")
        window.press("ctrl+f")
        window.type("swift.o")
        eventually(lambda: window.rows("Bookmarks") == ["Swift"], "bookmarks are found by their addresses, too")
        window.press("Escape")
        eventually(lambda: len(window.rows("Bookmarks")) == 3, "and then all are there again")
        conflict(window, place, step)
        code, complaints = window.close()
        step(code == 0 and complaints == [], f"it ends, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    migration(desk, place, step)
    taken_away(desk, place, step)
    if os.geteuid() == 0: no_room(desk, place, step)
    else: print("without a full disk: only root can mount a small one")
    looks(desk, place, step)


def migration(desk, place, step):
    """From the key-value store: offered, shown, stopped, killed, and done once."""
    def kept(): return json.loads(place.call("cloudy-keyvalue", "list", "--json").splitlines()[0])["bookmarks"]
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    # Two that are alike, names of every kind, and enough of them to be stopped in the middle.
    given = [("Twin", "https://twin.example")] * 2 + [("<b>Bold & more", "https://bold.example"), ("\u202edesrever", "https://reverse.example"), ("m" * 10_000, "https://long.example")]
    for name, url in given: place.call("cloudy-keyvalue", "add", name, url)
    stored = kept()
    window = Window(desk, place, "cloudy")
    try:
        window.seen("label", "5 bookmarks are in the key-value store still.")
        step(window.all("label", "No Bookmarks") != [], "what could be migrated is offered, and nothing is done yet")
        window.press("alt+m")
        window.seen(name="Make Documents of These Bookmarks?")
        said = window.seen("label", "5 become documents").get_name()
        step("“Twin”, “Twin”, “<b>Bold & more” and 2 more" in said, f"what will be done is said: {said}")
        window.picture("cloudy-migration")
        window.press("Escape")
        window.unseen(name="Make Documents of These Bookmarks?")
        step(names(place) == [], "who cancels has nothing changed")
        window.press("alt+m")
        window.seen(name="Make Documents of These Bookmarks?")
        window.press("Return")
        eventually(lambda: len(window.rows("Bookmarks")) == 5, "all are in the list")
        window.seen("label", "5 bookmarks are documents now")
        window.unseen("label", "in the key-value store still")
        step(names(place) == sorted(name for name, _ in given) and kept() == stored, "each is a document once, and the store is as it was")
        window.tab_to_list("Bookmarks")
        window.press("End", "Delete")
        eventually(lambda: len(window.rows("Bookmarks")) == 4, "one is deleted")
        # Another Cloudy adds to the store.
        place.call("cloudy-keyvalue", "add", "Later", "https://later.example")
        window.seen("label", "A bookmark is in the key-value store still.")
        step(len(names(place)) == 4, "what comes to the store later is offered, too, and what was deleted since is not")
        for number in range(60): place.call("cloudy-keyvalue", "add", f"Number {number}", f"https://number.example/{number}")
        window.seen("label", "61 bookmarks are in the key-value store still.")
        window.press("alt+m")
        window.seen(name="Make Documents of These Bookmarks?")
        window.press("Return")
        eventually(lambda: len(os.listdir(f"{place.container}/Documents")) > 6, "some are made")
        window.process.kill()
        window.process.wait()
    finally: window.kill()
    for _ in range(2):
        window = Window(desk, place, "cloudy")
        try:
            eventually(lambda: window.rows("Bookmarks"), "the list is there")
            if window.all("label", "in the key-value store still"):
                window.press("alt+m")
                window.seen(name="Make Documents of These Bookmarks?")
                window.press("Return")
                window.unseen("label", "in the key-value store still")
            eventually(lambda: len(names(place)) == 65, f"all are documents: {len(names(place))}")
            step(window.close()[0] == 0, "it ends")
        finally: window.kill()
    found = names(place)
    step({f"Number {number}" for number in range(60)} | {"Later"} <= set(found) and len(found) - len(set(found)) <= 1, "after a kill nothing is lost, and none is doubled")


def taken_away(desk, place, step):
    """The container is moved while the window shows it, and the drive that an app was given is unmounted."""
    window = Window(desk, place, "cloudy")
    try:
        eventually(lambda: window.rows("Bookmarks"), "the list is there")
        os.rename(place.container, place.container + ".away")
        add(window, "Nowhere", "https://nowhere.example")
        window.seen("label", "It is not saved yet.")
        step(not os.path.exists(place.container), "what cannot be saved is said, and no folder is made in its place")
        os.rename(place.container + ".away", place.container)
        window.press("Return")
        eventually(lambda: "Nowhere" in names(place), "it is saved when the container is back")
        step(window.close()[0] == 0, "it ends")
    finally: window.kill()
    window = Window(desk, place, "cloudy", VALISE_CONTAINER=place.mountpoint)
    try:
        eventually(lambda: window.rows("Bookmarks"), "an app that is given the drive has its list")
        place.unmount()
        add(window, "Unmounted", "https://unmounted.example")
        # The drive named the container, where the documents are.
        eventually(lambda: "Unmounted" in names(place), "it is saved in the container when the drive is unmounted")
        step(os.listdir(place.mountpoint) == [], "and nothing is written where the drive was")
        place.mount()
        step("unmounted.example" in place.shown("Unmounted.url"), "the drive shows it when it is back")
        step(window.close()[0] == 0, "it ends")
    finally: window.kill()


def conflict(window, place, step):
    sides = bookmark_in_conflict(place)
    eventually(lambda: window.rows("Bookmarks")[:1] == ["Both"], "it is in the list")
    window.tab_to_list("Bookmarks")
    window.press("Home", "Return")
    window.seen("label", "Two Sides Changed This Bookmark")
    said = window.seen("label", "Side 1, now").get_name()
    step(all(side["url"] in said for side in sides), f"both sides are read: {said}")
    window.picture("cloudy-conflict")
    number = [side["number"] for side in sides if side["url"] == "https://app.example"][0]
    window.press(f"alt+{number + 1}")
    eventually(lambda: not place.rows("cloudy", "conflicts"), "the conflict is decided")
    step("app.example" in place.shown("Both.url"), "for the side that was chosen")


def no_room(desk, place, step):
    """A save that fails is seen, and repeated with what was written."""
    with full_disk(place, lambda inside: inside.call("cloudy", "add", "First", "https://first.example")) as (inside, filler):
        window = Window(desk, inside, "cloudy")
        try:
            eventually(lambda: window.rows("Bookmarks") == ["First"], "the list is there")
            add(window, "Second", "https://second.example")
            window.seen("label", "It is not saved yet.")
            step(window.rows("Bookmarks") == ["First"], "what could not be saved is not in the list, and the window says why")
            os.remove(filler)
            window.press("Return")
            eventually(lambda: window.rows("Bookmarks") == ["First", "Second"], "what was written is there still, and is saved when there is room")
            step([row["url"] for row in inside.rows("cloudy", "list")] == ["https://first.example", "https://second.example"], "whole")
            step(window.close()[0] == 0, "it ends")
        finally: window.kill()


def looks(desk, place, step):
    """Pictures: light and dark, wide and narrow; and names of every kind."""
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    given = [("Debian", "https://www.debian.org"), ("Swift", "https://www.swift.org"), ("<i>Markup</i> & more", "https://markup.example/?a=1&b=<2>"), ("two\nlines", "https://lines.example"),
        ("ויקיפדיה", "https://he.wikipedia.org"), ("m" * 10_000, "https://long.example/" + "x" * 10_000), ("\u202edesrever", "https://reverse.example")]
    for name, url in given: place.call("cloudy", "add", name, url)
    for style in ("light", "dark"):
        window = Window(desk, place, "cloudy", ADW_DEBUG_COLOR_SCHEME=f"prefer-{style}")
        try:
            eventually(lambda: len(window.rows("Bookmarks")) == len(given), f"all are in the list: {window.rows('Bookmarks')}")
            step({"<i>Markup</i> & more", "two\u240alines", "\ufffddesrever", "m" * 300 + "…"} <= set(window.rows("Bookmarks")), f"each is a line, and none is markup: {window.rows('Bookmarks')}")
            window.tab_to_list("Bookmarks")
            window.picture(f"cloudy-{style}")
            window.resize(400, 600)
            window.picture(f"cloudy-narrow-{style}")
            eventually(lambda: window.is_idle(1) <= 4, "a narrow window comes to rest")
            step(window.close() == (0, []), "it ends")
        finally: window.kill()


def settings_window(desk, place, step):
    """On the key-value store, where others change the list as a whole."""
    browser(place)
    # Behind the answer may be what else it has to say.
    def stored(): return [entry["name"] for entry in json.loads(place.call("cloudy-keyvalue", "list", "--json").splitlines()[0])["bookmarks"]]
    window = Window(desk, place, "cloudy-keyvalue")
    try:
        window.seen("label", "No Bookmarks")
        add(window, "Swift", "https://www.swift.org")
        eventually(lambda: window.rows("Bookmarks") == ["Swift"], "a bookmark that is added is in the list")
        step(stored() == ["Swift"], "and in the store")
        place.call("cloudy-keyvalue", "add", "Far", "https://far.example")
        eventually(lambda: window.rows("Bookmarks") == ["Swift", "Far"], "a change of others is in the list")
        window.seen("label", "The bookmarks were changed elsewhere")
        step(True, "and that it was theirs is said")
        window.tab_to_list("Bookmarks")
        window.press("Home", "Return")
        eventually(lambda: opened(place) == "https://www.swift.org", "Return opens the address in the browser")
        window.press("Delete")
        eventually(lambda: window.rows("Bookmarks") == ["Far"] and stored() == ["Far"], "one that is deleted is gone")
        window.press("ctrl+shift+u")
        eventually(lambda: window.rows("Bookmarks") == ["Swift", "Far"] and stored() == ["Swift", "Far"], "and comes back to its place")
        step(True, "deleting is undone")
        # A bookmark of an argument's greatest length at a time.
        for number in range(8): place.call("cloudy-keyvalue", "add", f"Long {number}", "https://e.example/" + "x" * 119_000)
        window.seen("label", "soon no more will fit")
        step(len(window.rows("Bookmarks")) == 10, "what is nearly full is said before it is")
        place.call("cloudy-keyvalue", "add", "Rest", "https://e.example/" + "x" * 95_900)
        add(window, "More", "https://e.example/" + "x" * 900)
        window.seen("label", "It is not saved yet.")
        window.press("Escape")
        step(len(stored()) == 11, "what does not fit is not saved, and is said")
        window.picture("cloudy-keyvalue-full")
        code, complaints = window.close()
        step(code == 0 and complaints == [], f"it ends, and nothing was complained of: {code} {complaints}")
    finally: window.kill()
    place.environment.pop("VALISE_CONTAINER")
    window = Window(desk, place, "cloudy-keyvalue")
    try:
        window.seen("label", "this is the copy on this computer")
        step(window.close()[0] == 0, "without a container there is the copy on this computer, and that is said")
    finally: window.kill()
    place.environment["VALISE_CONTAINER"] = place.container
