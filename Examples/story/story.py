#!/usr/bin/env python3
"""What a person does with each app, beside a drive and without one, with kills in between. Each step is looked at on the other side before
the next one. The last line says how many steps held."""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from places import VALISE, Failed, Place, bookmark_in_conflict, eventually, full_disk, link
from notes import notes, text
from photos import BLUE, other_order, photos

held = 0


def step(condition, what):
    global held
    if not condition: raise Failed(what)
    held += 1


def names(place): return sorted(row["name"] for row in place.rows("cloudy", "list"))


APPS = ["cloudy", "cloudy-keyvalue", "texteditor", "photokeeper"]


def without_a_container(place):
    """Whoever asks what an app does is told, and whoever names a container that is none."""
    for app in APPS:
        for word in ("--help", "-h", "help"): step(place.call(app, word).startswith(f"usage: {app} "), f"{app} {word} needs no container")
        step(place.call(app, code=2).startswith(f"usage: {app} "), f"{app} alone says how it is called")
    file = f"{place.folder}/file"
    with open(file, "w"): pass
    for named, why in ((f"{place.folder}/none", "is not there"), (file, "is no folder"), ("none", "is no path from")):
        place.environment["VALISE_CONTAINER"] = named
        for app in APPS:
            said = place.call(app, "list", code=1)
            step("VALISE_CONTAINER" in said and f"“{named}” {why}" in said, f"{app} says that {named} is no container: {said}")
    place.environment.pop("VALISE_CONTAINER")
    os.remove(file)


def given_a_drive(place):
    """Whoever gives an app the drive means the container that it shows: the app reads and writes there, in its own form."""
    place.call("cloudy", "add", "Mine", "https://mine.example")
    place.call("cloudy-keyvalue", "add", "Key", "https://key.example")
    place.call("texteditor", "new", "mine")
    with open(f"{place.folder}/mine.png", "wb") as picture: picture.write(BLUE)
    place.call("photokeeper", "add", f"{place.folder}/mine.png")
    seen = {app: place.call(app, "list", "--json") for app in APPS}
    place.environment["VALISE_CONTAINER"] = place.mountpoint
    for app in APPS: step(place.call(app, "list", "--json") == seen[app], f"{app} lists by way of the drive what is in the container: {place.call(app, 'list', '--json')}")
    place.call("cloudy", "add", "Other", "https://other.example")
    place.call("cloudy-keyvalue", "add", "Other", "https://other.example")
    step(place.call("texteditor", "new", "other") == "Note 2.stedoc\n", "a note has the next name")
    place.call("photokeeper", "add", f"{place.folder}/mine.png")
    os.mkdir(f"{place.mountpoint}/folder")
    place.environment["VALISE_CONTAINER"] = f"{place.mountpoint}/folder"
    for app in APPS:
        said = place.call(app, "list", code=1)
        step("a folder on a drive" in said and place.container in said, f"{app} says which folder is the container: {said}")
    step(os.listdir(f"{place.mountpoint}/folder") == [], "and does nothing there")
    os.rmdir(f"{place.mountpoint}/folder")
    place.environment["VALISE_CONTAINER"] = place.container
    step(names(place) == ["Mine", "Other"] and "other.example" in place.shown("Other.url"), "what an app made is in the container, and on the drive")
    step([entry["name"] for entry in place.rows("cloudy-keyvalue", "list")[0]["bookmarks"]][-2:] == ["Key", "Other"], "so are the settings")
    keys = subprocess.run([VALISE, "kvs", "list", place.container], check=True, capture_output=True, text=True, env=place.environment).stdout
    step([line.split()[0] for line in keys.splitlines()[1:]] == ["bookmarks"], f"in which there is nothing else: {keys}")
    step(sorted(os.listdir(place.mountpoint)) == ["Mine.url", "Note 1.txt", "Note 2.txt", "Other.url", "Photo 1.png", "Photo.png"], "and on the drive is nothing else")
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    for note in ("Note 1", "Note 2"): place.call("texteditor", "delete", note)
    for photo in ("Photo", "Photo 1"): place.call("photokeeper", "delete", photo)
    for _ in range(2): place.call("cloudy-keyvalue", "delete", str(len(place.rows("cloudy-keyvalue", "list")[0]["bookmarks"])))


def drive_is_gone(place):
    """What was the drive is an empty folder, and no container is made of it: the drive would hide that."""
    place.environment["VALISE_CONTAINER"] = place.mountpoint
    for app, action in (("cloudy", ("add", "Lost", "https://lost.example")), ("cloudy-keyvalue", ("add", "Lost", "https://lost.example")), ("texteditor", ("new", "lost")), ("photokeeper", ("list",))):
        said = place.call(app, *action, code=1)
        step(f"“{place.mountpoint}” is empty" in said and "valise init" in said, f"{app} says that the folder is empty: {said}")
    step(os.listdir(place.mountpoint) == [], "and leaves it so")
    place.environment["VALISE_CONTAINER"] = place.container


def odd_names(place, has_drive):
    """Every document is named by what its list shows, a line each."""
    def listed(app): return [line.split("  ")[0] for line in place.call(app, "list").splitlines()]
    given = ["two\nlines", "two\\nlines", "a/b", "tab\tand \x1b[31mred", "back\\slash", "caf\u00e9", "cafe\u0301", "\u202edesrever"]
    for number, name in enumerate(given): place.call("cloudy", "add", name, f"https://odd.example/{number}")
    step(sorted(names(place)) == sorted(given), f"all names are in Cloudy's list: {names(place)}")
    step(len(listed("cloudy")) == len(given) and "two\\nlines" in listed("cloudy"), f"a line each: {listed('cloudy')}")
    for number, name in enumerate(given):
        place.call("cloudy", "edit", [row["file"] for row in place.rows("cloudy", "list") if row["name"] == name][0], "-", f"https://odd.example/{number}/file")
    for line in place.call("cloudy", "list").splitlines():
        name, url = line.split("  ")
        place.call("cloudy", "edit", name, "-", url + "/line")
    urls = {row["name"]: row["url"] for row in place.rows("cloudy", "list")}
    step(urls == {name: f"https://odd.example/{number}/file/line" for number, name in enumerate(given)}, f"each is named by its line and by its file: {urls}")
    for name in listed("cloudy"): place.call("cloudy", "delete", name)
    step(names(place) == [], "and all are deleted by what was listed")
    if has_drive:
        place.write("two\nlines.txt", "drive\n")
        step(listed("texteditor") == ["two\\nlines"] and place.call("texteditor", "show", "two\\nlines") == "drive\n", "so is a text with a line end in its name")
        step(text(place, "two\nlines") == "drive\n", "and by the name itself")
        place.call("texteditor", "delete", "two\\nlines")
    place.call("texteditor", "new", "slash")
    step(place.call("texteditor", "rename", "Note 1", " My/Note") == "My\u2215Note.stedoc\n", "a title with a slash has another sign in its file")
    for word in ("My/Note", "My\u2215Note", "./My\u2215Note.stedoc"): step(text(place, word) == "slash\n", f"the note is “{word}”")
    place.call("texteditor", "delete", "My/Note")
    os.mkdir(f"{place.container}/Documents/folder")
    for path in ("Twin", "folder/Twin", "Twin.stedoc"):
        with open(f"{place.container}/Documents/{path}.stedoc", "w") as file: file.write(path)
    said = place.call("texteditor", "show", "Twin", code=1)
    step("./Twin.stedoc or ./folder/Twin.stedoc" in said, f"two of one name have their paths: {said}")
    step([text(place, word) for word in ("./Twin.stedoc", "folder/Twin.stedoc", "./Twin.stedoc.stedoc")] == ["Twin", "folder/Twin", "Twin.stedoc"], "which name them")
    for word in ("./Twin.stedoc", "folder/Twin.stedoc", "./Twin.stedoc.stedoc"): place.call("texteditor", "delete", word)
    os.rmdir(f"{place.container}/Documents/folder")
    step(place.rows("texteditor", "list") == [], "and all are deleted")


def empty_files(place):
    """What is no bookmark on the drive is none in the app: an empty file is one where the app itself calls its files so, and another one where something is in it."""
    place.write("new.url", "")
    place.write("letter.url", "Dear Ann\n")
    with open(f"{place.container}/Documents/Bookmark_New-1.000000", "w"): pass
    told = subprocess.run([VALISE, "info", f"{place.mountpoint}/new.url"], check=True, capture_output=True, text=True, env=place.environment).stdout
    step("plain" in told, f"an empty file is no bookmark on the drive: {told}")
    shown = [(row["file"], row["name"]) for row in place.rows("cloudy", "list")]
    step(shown == [("Bookmark_New-1.000000", "Bookmark Name")], f"nor in Cloudy, but for the one that is called as the app does it: {shown}")
    place.write("new.url", link("https://new.example"))
    step(sorted(row["url"] for row in place.rows("cloudy", "list")) == ["https://new.example", "www.example.com"], "with a link in it, it is one for both")
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    os.remove(f"{place.mountpoint}/letter.url")
    step(os.listdir(place.mountpoint) == [], "and nothing is left")


def two_ways_back(place):
    """What an app deleted, the app brings back, and what was deleted on the drive, the drive; each says so."""
    def run(*words): return subprocess.run([VALISE, *words], check=True, capture_output=True, text=True, env=place.environment).stdout
    for app in ("Cloudy", "Simple Text Editor", "PhotoKeeper"): shutil.rmtree(f"{place.container}/.Recently Deleted/{app}", ignore_errors=True)
    run("deleted", "--purge", "--yes", "-q", place.mountpoint)
    with open(f"{place.folder}/mine.png", "wb") as picture: picture.write(BLUE)
    for app, noun, made, shown in (
        ("cloudy", "Mine", ("add", "Mine", "https://mine.example"), "Mine.url"), ("texteditor", "Note 1", ("new", "mine"), "Note 1.txt"),
        ("photokeeper", "Photo", ("add", f"{place.folder}/mine.png"), "Photo.png")):
        place.call(app, *made)
        said = place.call(app, "delete", noun)
        step(f"“{app} undo” brings it back" in said and "“valise deleted” has only what was deleted on a drive" in said, f"{app} says who brings it back: {said}")
        step(run("deleted", place.mountpoint) == "", "which is not the drive")
        place.call(app, "undo")
        os.remove(f"{place.mountpoint}/{shown}")
        said = place.call(app, "undo", code=1)
        step("valise undelete" in said and f"“{app}”" in said, f"and that it knows nothing of what was deleted on the drive: {said}")
        run("undelete", "-q", f"{place.mountpoint}/{shown}")
        step(os.listdir(place.mountpoint) == [shown], "which has it")
        place.call(app, "delete", noun)
    step(os.listdir(place.mountpoint) == [], "all are deleted")


def settings(place):
    """Cloudy on the key-value store: a local copy, then a container, and changes of others with their reason."""
    said = place.call("cloudy-keyvalue", "add", "Local", "https://local.example")
    step("no container" in said, "where there is no container, that is said")
    step("Local" in place.call("cloudy-keyvalue", "list"), "the local copy has it")
    place.make_container()
    place.call("cloudy-keyvalue", "add", "Swift", "https://www.swift.org")
    step([entry["name"] for entry in place.rows("cloudy-keyvalue", "list")[0]["bookmarks"]] == ["Local", "Swift"], "a container takes over what was there before it")
    watch = place.start("cloudy-keyvalue", "watch")
    try:
        watch.shows("Swift")
        place.call("cloudy-keyvalue", "add", "Far", "https://far.example")
        watch.shows("— server")
        watch.shows("Far")
        step(True, "a change of another process arrives with its reason")
        place.call("cloudy-keyvalue", "delete", "3")
        eventually(lambda: "Far" not in watch.lines[-1], "the deletion arrives")
        step(True, "so does a deletion")
    finally: watch.kill()
    step("no bookmark 9" in place.call("cloudy-keyvalue", "delete", "9", code=1), "a number that is not there is explained")
    # A bookmark of an argument's greatest length at a time: the warning comes before the refusal.
    said = [place.call("cloudy-keyvalue", "add", f"Long {number}", "https://e.example/" + "x" * 119_000) for number in range(8)]
    step("soon no more will fit" in said[-1] and "soon" not in said[0], f"1 MB is said before it is reached: {said}")
    refused = place.call("cloudy-keyvalue", "add", "More", "https://e.example/" + "x" * 119_000, code=1)
    step("no room" in refused and "migrate" in refused, f"what does not fit is refused with what to do: {refused}")
    for number in range(8): place.call("cloudy-keyvalue", "delete", "3")
    step([entry["name"] for entry in place.rows("cloudy-keyvalue", "list")[0]["bookmarks"]] == ["Local", "Swift"], "nothing else was lost")


def migration(place):
    """From settings to documents, killed at many moments."""
    for number in range(12): place.call("cloudy-keyvalue", "add", "Twin" if number < 2 else f"Number {number}", "https://n.example" if number < 2 else f"https://n.example/{number}")
    wanted = sorted(["Local", "Swift", "Twin", "Twin"] + [f"Number {number}" for number in range(2, 12)])
    kills = sum(place.kill_soon(0.004 * number, "cloudy", "migrate") < 0 for number in range(1, 16))
    place.call("cloudy", "migrate")
    step(names(place) == wanted, f"after {kills} kills nothing is lost or doubled: {names(place)}")
    place.call("cloudy", "delete", "Number 5")
    step(place.rows("cloudy", "migrate")[0]["made"] == 0 and "Number 5" not in names(place), "what was deleted since does not come back")
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    step(names(place) == [], "all can be deleted")


def documents(place, has_drive):
    """Cloudy on documents. The drive is there already, or not at all."""
    place.call("cloudy", "add", "Swift", "https://www.swift.org")
    step(names(place) == ["Swift"], "a new bookmark is in the list")
    if has_drive: step("www.swift.org" in place.shown("Swift.url"), "and on the drive")
    place.call("cloudy", "edit", "Swift", "-", "https://swift.org")
    step(place.rows("cloudy", "list")[0]["url"] == "https://swift.org", "an edit is in the list")
    if has_drive: step("URL=https://swift.org" in place.shown("Swift.url"), "and on the drive")
    place.call("cloudy", "add", "a/b", "https://slash.example")
    step("a/b" in names(place), "a name with a slash is kept")
    if has_drive: step("slash.example" in place.shown("a∕b.url"), "and shown")
    place.call("cloudy", "delete", "a/b")
    step(names(place) == ["Swift"], "a deleted one is gone")
    if has_drive: step(sorted(os.listdir(place.mountpoint)) == ["Swift.url"], "on the drive too")
    place.call("cloudy", "undo")
    step(names(place) == ["Swift", "a/b"], "and undo brings it back")
    if has_drive: step("slash.example" in place.shown("a∕b.url"), "on the drive too")
    step("no bookmark" in place.call("cloudy", "delete", "None", code=1), "a name that is not there is explained")
    watch = place.start("cloudy", "watch")
    try:
        watch.shows("+ Swift")
        if has_drive:
            place.write("Debian.url", link("https://www.debian.org"))
            watch.shows("+ Debian  https://www.debian.org")
            step(True, "a link that is written on the drive is in the open list")
            place.write("Debian.url", link("https://debian.org"))
            watch.shows("+ Debian  https://debian.org")
            step(True, "and its change")
            os.rename(f"{place.mountpoint}/Debian.url", f"{place.mountpoint}/Linux.url")
            watch.shows("+ Linux")
            step(True, "and its name")
            os.remove(f"{place.mountpoint}/Linux.url")
            watch.shows("- Linux")
            step(True, "and that it is gone")
            os.mkdir(f"{place.mountpoint}/folder")
            os.rename(f"{place.mountpoint}/Swift.url", f"{place.mountpoint}/folder/Swift.url")
            eventually(lambda: [row["file"] for row in place.rows("cloudy", "list") if row["name"] == "Swift"][0].startswith("folder/"), "it follows into a folder")
            step(True, "what is moved into a folder is found there")
            os.rename(f"{place.mountpoint}/folder/Swift.url", f"{place.mountpoint}/Swift.url")
            os.rmdir(f"{place.mountpoint}/folder")
        else:
            place.call("cloudy", "add", "Debian", "https://www.debian.org")
            watch.shows("+ Debian")
            step(True, "what another process adds is in the open list")
            place.call("cloudy", "delete", "Debian")
            watch.shows("- Debian")
            step(True, "and that it is gone")
    finally: watch.kill()
    # Rubbish is no bookmark, and is seen where its name says that it is one.
    with open(f"{place.container}/Documents/Bookmark_rubbish-1.000000", "wb") as file: file.write(os.urandom(5_000))
    with open(f"{place.container}/Documents/other", "wb") as file: file.write(os.urandom(5_000))
    faults = [row for row in place.rows("cloudy", "list") if row.get("fault")]
    step(len(faults) == 1 and faults[0]["file"] == "Bookmark_rubbish-1.000000", f"what cannot be read is named with the reason: {faults}")
    for name in ("Bookmark_rubbish-1.000000", "other"): os.remove(f"{place.container}/Documents/{name}")


def kills(place, has_drive):
    """Whoever is killed leaves a list of whole bookmarks, and no lock."""
    for number in range(12):
        place.kill_soon(0.003 * number, "cloudy", "add", f"Killed {number}", f"https://k.example/{number}")
        place.kill_soon(0.003 * number, "cloudy", "edit", "Swift", "-", f"https://swift.example/{number}")
    rows = place.rows("cloudy", "list")
    step(not [row for row in rows if row.get("fault")] and "Swift" in [row["name"] for row in rows], f"apps that are killed leave whole bookmarks: {rows}")
    if has_drive:
        place.kill_drive()
        place.call("cloudy", "add", "Without", "https://without.example")
        step("Without" in names(place), "an app goes on without the drive that was killed")
        place.mount()
        step("without.example" in place.shown("Without.url"), "and the next drive shows it")
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])


def full(place):
    """A save that fails is seen and repeated."""
    if os.geteuid() != 0: return print("without a full disk: only root can mount a small one")
    with full_disk(place, lambda inside: inside.call("cloudy", "add", "First", "https://first.example")) as (inside, filler):
        said = inside.call("cloudy", "add", "Second", "https://second.example", code=1)
        step("No space left" in said, f"a full disk is named: {said}")
        step(names(inside) == ["First"], "and what could not be saved is not in the list")
        said = inside.call("cloudy", "edit", "First", "-", "https://other.example", code=1)
        step(inside.rows("cloudy", "list")[0]["url"] == "https://first.example", "an edit that could not be saved leaves what was there")
        waiting = subprocess.Popen([os.path.join(os.environ.get("BUILT_EXAMPLES", os.path.dirname(os.path.abspath(__file__)) + "/../.build/debug"), "cloudy"),
            "add", "Second", "https://second.example", "--wait", "60"], env=inside.environment, stderr=subprocess.PIPE, text=True)
        line = waiting.stderr.readline()
        os.remove(filler)
        step("Trying again" in line and waiting.wait(70) == 0 and names(inside) == ["First", "Second"], f"and is saved as soon as there is room: {line}")
        waiting.stderr.close()


def conflicts(place):
    sides = bookmark_in_conflict(place)
    step({side["url"] for side in sides} == {"https://drive.example", "https://app.example"}, f"side by side: {sides}")
    number = [side["number"] for side in sides if side["url"] == "https://app.example"][0]
    place.call("cloudy", "resolve", "Both", str(number))
    step(place.rows("cloudy", "list")[0]["url"] == "https://app.example" and not place.rows("cloudy", "conflicts"), "the one that was chosen is the bookmark, and nobody is asked again")
    step("app.example" in place.shown("Both.url"), "on the drive too")
    place.call("cloudy", "delete", "Both")


def walk(place):
    without_a_container(place)
    settings(place)
    migration(place)
    odd_names(place, has_drive=False)
    documents(place, has_drive=False)
    kills(place, has_drive=False)
    photos(place, step, has_drive=False)
    place.mount()
    given_a_drive(place)
    odd_names(place, has_drive=True)
    empty_files(place)
    two_ways_back(place)
    documents(place, has_drive=True)
    kills(place, has_drive=True)
    conflicts(place)
    notes(place, step)
    photos(place, step, has_drive=True)
    # The other order: an app has its list open already when the drive comes.
    place.unmount()
    drive_is_gone(place)
    watch = place.start("cloudy", "watch")
    try:
        place.call("cloudy", "add", "Early", "https://early.example")
        watch.shows("+ Early")
        place.mount()
        step("early.example" in place.shown("Early.url"), "a drive that comes later shows what the app has")
        place.write("Late.url", link("https://late.example"))
        watch.shows("+ Late")
        step(True, "and the app what is written on it")
        place.unmount()
        place.call("cloudy", "delete", "Late")
        watch.shows("- Late")
        step(True, "and goes on when it is gone")
    finally: watch.kill()
    for row in place.rows("cloudy", "list"): place.call("cloudy", "delete", row["file"])
    other_order(place, step)
    full(place)
    eventually(lambda: not place.is_locked(), "nothing is left locked")
    step(not place.is_mounted(), "nothing is left mounted or locked")


def main():
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="valise-examples-") as folder:
        place = Place(os.path.realpath(folder))
        try: walk(place)
        except Failed as failure:
            print(f"{held} steps held, and then: {failure}")
            raise SystemExit(1)
        finally: place.clear()
    print(f"{held} steps held, in {time.monotonic() - begin:.0f} s.")


main()
