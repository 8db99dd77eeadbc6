"""How fast a container is read into a catalog, and how fast something is found in it, beside `find -name` and `grep -rl` over the
same texts as plain files. 90 % bookmarks, 10 % texts, in folders of up to 100,000. The catalog's size is that of its file."""

import os

import subprocess
import time

from containers import archive, write
from measuring import *

COUNT = int(os.environ.get("COUNT", 100_000))
ROUNDS = int(os.environ.get("ROUNDS", 5))

def make(work):
    """The container, and the same as plain files: what the app shows of each document."""
    container, plain = os.path.join(work, "container"), os.path.join(work, "plain")
    for number in range(COUNT):
        folder = f"Folder {number // 100_000}"
        if number % 100_000 == 0:
            os.makedirs(os.path.join(container, folder))
            os.makedirs(os.path.join(plain, folder))
        if number % 10:
            name, url = f"Site {number:07}", f"https://www.example{number % 977}.org/articles/{number}.html"
            content = archive("Bookmark", "Bookmark", {"Bookmark Name": name, "Bookmark URL": url})
            write(os.path.join(container, folder, f"Bookmark_{name}-{1772355900 + number}.000000"), content)
            write(os.path.join(plain, folder, name + ".url"), f"[InternetShortcut]\nURL={url}\n".encode())
        else:
            text = f"Note {number}: bread, apples and {'cinnamon' if number % 1000 == 0 else 'sugar'}\n".encode()
            write(os.path.join(container, folder, f"Note {number:07}.stedoc"), text)
            write(os.path.join(plain, folder, f"Note {number:07}.txt"), text)
    return container, plain

def timed(command, cache):
    """Seconds to the first line and to the end, and how many lines."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "XDG_CACHE_HOME": cache})
    first = process.stdout.readline()
    at_first = time.perf_counter() - begin
    lines = process.stdout.read().count(b"\n") + (1 if first else 0)
    process.wait()
    return at_first, time.perf_counter() - begin, lines

def main(work):
    table = Table("what", "first result", "all", "results", "beside", "all", "ratio")
    container, plain = make(work)
    cache = os.path.join(work, "cache")
    begin = time.perf_counter()
    subprocess.run([VALISE, "find", "FALSEPREDICATE", container], env={**os.environ, "XDG_CACHE_HOME": cache}, check=True)
    spent = time.perf_counter() - begin
    size = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(cache) for name in names)
    table.add("reading it the first time", "", f"{spent:.2f} s", f"{COUNT / spent:,.0f} a second", "catalog", f"{size / COUNT:.0f} bytes each", "")
    time.sleep(0.1)
    subprocess.run([VALISE, "find", "FALSEPREDICATE", container], env={**os.environ, "XDG_CACHE_HOME": cache}, check=True)
    for what, query, other in [
        ("by name", "name LIKE 'Site 00012*'", ["find", plain, "-name", "Site 00012*"]),
        ("one name", "name == 'Note 0005000.txt'", ["find", plain, "-name", "Note 0005000.txt"]),
        ("10,000 results", "kind == 'text'", ["find", plain, "-name", "*.txt"]),
        ("in texts", "text CONTAINS 'cinnamon'", ["grep", "-rl", "cinnamon", plain]),
        ("in URLs", "url CONTAINS 'example976'", ["grep", "-rl", "example976", plain]),
    ]:
        mine, theirs = [], []
        for _ in range(ROUNDS):
            mine.append(timed([VALISE, "find", query, container], cache))
            theirs.append(timed(other, cache))
        assert mine[0][2] == theirs[0][2], (query, mine[0][2], theirs[0][2])
        ratio = statistics.median(a[1] / b[1] for a, b in zip(mine, theirs))
        first, whole, peer = (statistics.median(row[place] for row in rows) for rows, place in ((mine, 0), (mine, 1), (theirs, 1)))
        table.add(what, f"{first * 1000:.0f} ms", f"{whole * 1000:.0f} ms", f"{mine[0][2]:,}", " ".join(other[:1]), f"{peer * 1000:.0f} ms", f"{ratio:.2f}")
    return table
