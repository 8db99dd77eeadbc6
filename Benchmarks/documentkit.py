"""DocumentKit: documents that are opened and closed, an app's settings, archives, and what those who have a document open cost others who
read it. One process of an app, and no drive; "at a time" says how many documents it has under way.

It needs the program beside the release build (swift build -c release --product DocumentSpeed) and strace."""

import os
import re
import subprocess

from containers import archive, write
from measuring import *

ROUNDS = int(os.environ.get("ROUNDS", 5))
COUNT = int(os.environ.get("COUNT", 10_000))
SPEED = os.path.join(os.path.dirname(VALISE), "DocumentSpeed")


def container(work, name):
    """A folder that Valise has used, and so is a container."""
    folder = os.path.join(work, name)
    os.makedirs(os.path.join(folder, "Documents"))
    os.mkdir(os.path.join(folder, ".valise"), 0o700)
    return folder


def bookmarks(work):
    folder = container(work, "bookmarks")
    for number in range(COUNT):
        name = f"Site {number:05}"
        content = archive("Bookmark", "Bookmark", {"Bookmark Name": name, "Bookmark URL": f"https://www.example.org/{number}.html"})
        write(f"{folder}/Documents/Bookmark_{name}-{1772355900 + number}.000000", content)
    return folder


def photos(work):
    folder = container(work, "photos")
    for number in range(COUNT):
        package = f"{folder}/Documents/Photo {number:05}.ptk"
        os.mkdir(package)
        write(package + "/photo.metadata", archive("Data", "PhotoKeeper.PhotoMetadata", {"Version": 1, "Thumbnail": os.urandom(2_000)}))
        write(package + "/photo.data", archive("Data", "PhotoKeeper.PhotoData", {"Version": 1, "Photo": os.urandom(20_000)}))
    return folder


def run(*words, speed=SPEED, **more):
    return subprocess.run([speed, *words], check=True, capture_output=True, text=True, **more).stdout.split()


def calls(log, pattern):
    with open(log) as file:
        return sum(bool(re.search(pattern, line)) for line in file)


def traced(log, which, *words, **more):
    subprocess.run(["strace", "-f", "-o", log, "-e", "trace=" + which, SPEED, *words], check=True, stdout=subprocess.DEVNULL, **more)


def opening(table, work, environment):
    for kind, make in (("bookmarks", bookmarks), ("photos", photos)):
        folder = make(work) + "/Documents"
        # A folder that changed a moment ago is looked at again each time.
        time.sleep(0.1)
        for at_a_time in (1, 16):
            rates = []
            for _ in range(ROUNDS):
                spent, seen = run(kind, folder, str(at_a_time), env=environment)
                assert int(seen) == COUNT, seen
                rates.append(COUNT / float(spent))
            what = "opened and closed" if kind == "bookmarks" else "opened, thumbnail read, closed"
            table.add(f"{COUNT:,} {kind} {what}, {at_a_time} at a time", f"{median(rates):,.0f} a second ({min(rates):,.0f} to {max(rates):,.0f})", "≥ 5,000")
        log = f"{work}/{kind}.calls"
        traced(log, "openat,openat2,open", kind, folder, "16", env=environment)
        if kind == "photos":
            table.add("openings of photo.metadata and of photo.data", f"{calls(log, 'photo[.]metadata')} and {calls(log, 'photo[.]data')}", f"{COUNT} and 0")


def fill(work):
    """A container with settings of an app."""
    folder = container(work, "settings")
    run("fill", env={**os.environ, "VALISE_CONTAINER": folder})
    return folder


def settings(table, work, environment):
    own = {**environment, "VALISE_CONTAINER": fill(work)}
    spent = []
    for _ in range(ROUNDS * 3):
        seconds, keys = run("settings", env=own)
        assert int(keys) == 1024, keys
        spent.append(float(seconds) * 1000)
    table.add("1,024 settings loaded", f"{median(spent):.2f} ms ({min(spent):.2f} to {max(spent):.2f})", "≤ 5 ms")
    log = f"{work}/set.calls"
    traced(log, "rename,renameat,renameat2,fsync,fdatasync,link,linkat", "set", "key 7", "another", env=own)
    table.add("one of them set: renames, links, synchronized", ", ".join(str(calls(log, name)) for name in (r"\brename", r"\blink", r"\bf(data)?sync")), "1 rename")


def archives(table):
    for what, words in (("a photo of 5 MB", "archived-photo"), ("10,000 bookmarks", "archived-bookmarks")):
        words = run(words, str(ROUNDS))
        rows = [[float(word) for word in words[start:start + 4]] for start in range(0, len(words), 4)]
        wanted = "≥ 20 ×" if "photo" in what else "≥ 1 ×"
        for name, ours, theirs in (("archived", 0, 1), ("unarchived", 2, 3)):
            mine, other = median([row[ours] for row in rows]), median([row[theirs] for row in rows])
            table.add(f"{what} {name}, Foundation beside it", f"{mine * 1000:,.1f} ms, {other * 1000:,.1f} ms: {ratio([row[theirs] for row in rows], [row[ours] for row in rows]):,.1f} ×", wanted)


def asking(table, work, environment):
    """A reader of one process, and whoever has the document open in another."""
    folder = container(work, "asked")
    note = folder + "/Documents/Note.stedoc"
    write(note, b"a note")
    # Whoever came first serves the others, in all three cases a third one.
    served = folder + "/Documents/Other.stedoc"
    write(served, b"another")
    rows = {"nobody": [], "somebody": [], "edited": []}
    with subprocess.Popen([SPEED, "present", served, "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as server:
        server.stdout.readline()
        for _ in range(ROUNDS):
            for who, row in rows.items():
                if who == "nobody":
                    row.append(float(run("read", note, "201", env=environment)[0]) * 1000)
                    continue
                with subprocess.Popen([SPEED, "present", note, "edited" if who == "edited" else "read"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as app:
                    app.stdout.readline()
                    row.append(float(run("read", note, "201", env=environment)[0]) * 1000)
                    app.stdin.close()
        server.stdin.close()
    alone = median(rows["nobody"])
    table.add("a coordinated read of a text, which nobody has open", f"{alone:.2f} ms", "")
    for who, what in (("somebody", "which somebody has open, and is asked"), ("edited", "which somebody has open and edited: saved before")):
        table.add(f"the same, {what}", f"{median(rows[who]):.2f} ms: {median(rows[who]) - alone:.2f} ms more", "≤ 2 ms more" if who == "somebody" else "")


def main(work):
    table = Table("what", "measured", "wanted")
    environment = {**os.environ, "XDG_CONFIG_HOME": f"{work}/config", "XDG_CACHE_HOME": f"{work}/cache"}
    opening(table, work, environment)
    settings(table, work, environment)
    archives(table)
    asking(table, work, environment)
    return table
