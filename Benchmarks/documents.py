#!/usr/bin/env python3
"""Makes a container of many small documents, and the same as plain files: nine in ten are bookmarks, nine in a hundred texts, one in
a hundred is a photo, in folders of 1,000 to 100,000.

    Benchmarks/documents.py COUNT CONTAINER [PLAIN]

The same COUNT makes the same documents. One in a hundred is called “Swift …”, and one in a hundred is a text about cinnamon."""

import multiprocessing
import os
import random
import sys

from containers import THUMBNAIL, archive, image

WORDS = (
    "apples archive autumn bread bridge butter canal castle cellar cheese chess clouds coffee compiler concert copper cycling desk dinner "
    "electronics engine evening examples fern fields forest garden glass granite guide harbour history holiday honey index island jazz "
    "journal kernel kitchen lantern letters library lighthouse linen maps market meadow milk mirror morning mountain museum notes "
    "ocean olives orchard paper pears photographs piano plans poems pottery radio railway recipes river roses salt sewing shore sketches "
    "songs spring stones stories summer sundial tables tea theatre tickets timber travel valley village violin walnut weather willow "
    "windows winter wool writing zinc"
).split()
# Not every name is ASCII.
ACCENTED = ["Café", "Straße", "Übung", "日本語", "Crème brûlée", "Οδυσσεύς"]
LARGEST = 100_000
BEGIN = 1_500_000_000


def folders(name, count):
    """So many documents in folders: large ones, and about a tenth in small ones below another folder."""
    large, number = count - count // 10, 0
    while large > 0:
        yield (f"{name} {number + 1}" if count > LARGEST else name), min(large, LARGEST)
        large -= LARGEST
        number += 1
    small = count // 10
    for number in range(0, small, 1000):
        yield f"More {name}/{number // 1000:03}", min(1000, small - number)


def work(count):
    """Where which documents lie: (kind, folder, the first one's number, how many)."""
    first = 0
    for kind, name, share in (("bookmark", "Bookmarks", count * 9 // 10), ("text", "Notes", count * 9 // 100), ("photo", "Photos", count - count * 9 // 10 - count * 9 // 100)):
        for folder, size in folders(name, share):
            # Pieces for several processes.
            for start in range(0, size, 10_000):
                yield kind, folder, first + start, min(10_000, size - start)
            first += size


class Templates:
    """Archives of bookmarks: those of a length are alike but for the letters. `plistlib` made the first of each."""

    def __init__(self):
        self.known = {}

    def bookmark(self, name, url):
        if not name.isascii():
            return archive("Bookmark", "Bookmark", {"Bookmark Name": name, "Bookmark URL": url})
        lengths = len(name), len(url)
        if lengths not in self.known:
            self.known[lengths] = archive("Bookmark", "Bookmark", {"Bookmark Name": "\x01" * lengths[0], "Bookmark URL": "\x02" * lengths[1]})
        return self.known[lengths].replace(b"\x01" * lengths[0], name.encode(), 1).replace(b"\x02" * lengths[1], url.encode(), 1)


def name(number, chance):
    if number % 100 == 7:
        return f"Swift {chance.choice(WORDS)} {number}"
    if number % 50 == 3:
        return f"{chance.choice(ACCENTED)} {number}"
    return f"{' '.join(chance.choices(WORDS, k=chance.randint(1, 4))).capitalize()} {number}"


def note(number, chance):
    # Of 9 in 100 one in nine.
    words = chance.choices(WORDS, k=chance.randint(5, 120)) + (["cinnamon"] if number % 9 == 0 else [])
    chance.shuffle(words)
    return (" ".join(words) + "\n").encode()


def put(folder, name, data, moment):
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644, dir_fd=folder)
    os.write(file, data)
    os.utime(file, (moment, moment))
    os.close(file)


def opened(top, folder):
    if top is None:
        return None
    os.makedirs(os.path.join(top, folder), exist_ok=True)
    return os.open(os.path.join(top, folder), os.O_DIRECTORY)


def make(piece):
    container, plain, kind, folder, first, size = piece
    chance, templates = random.Random(f"{kind} {first}"), Templates()
    stored, other = opened(container and os.path.join(container, "Documents"), folder), opened(plain, folder)
    metadata = archive("Data", "PhotoKeeper.PhotoMetadata", {"Version": 1, "Thumbnail": THUMBNAIL})
    for number in range(first, first + size):
        title, moment = name(number, chance), BEGIN + chance.randrange(250_000_000)
        if kind == "bookmark":
            url = f"https://www.{chance.choice(WORDS)}{number % 977}.example/{chance.choice(WORDS)}/{chance.choice(WORDS)}-{number}.html"
            data = templates.bookmark(title, url)
            put(stored, f"Bookmark_{title}-{moment - 978_307_200}.{number % 1_000_000:06}", data, moment)
            if other is not None:
                put(other, f"{title}.url", f"[InternetShortcut]\nURL={url}\n".encode(), moment)
        elif kind == "text":
            data = note(number, chance)
            put(stored, f"{title}.stedoc", data, moment)
            if other is not None:
                put(other, f"{title}.txt", data, moment)
        else:
            photo = image(number, 8000 + chance.randrange(30_000))
            os.mkdir(f"{title}.ptk", dir_fd=stored)
            package = os.open(f"{title}.ptk", os.O_DIRECTORY, dir_fd=stored)
            put(package, "photo.data", archive("Data", "PhotoKeeper.PhotoData", {"Version": 1, "Photo": photo}), moment)
            put(package, "photo.metadata", metadata, moment)
            os.close(package)
            if other is not None:
                put(other, f"{title}.jpg", photo, moment)
    for descriptor in (stored, other):
        if descriptor is not None:
            os.close(descriptor)
    return size


def make_all(count, container, plain=None):
    pieces = [(container, plain, *piece) for piece in work(count)]
    with multiprocessing.Pool() as pool:
        made = sum(pool.imap_unordered(make, pieces))
    assert made == count, (made, count)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    make_all(int(sys.argv[1].replace("_", "").replace(",", "")), *sys.argv[2:])
