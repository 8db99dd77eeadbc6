"""Does in a container, beside hammer.py on its drive, what apps and sync tools do to the same three documents.

usage: hammer_outside.py CONTAINER BESIDE SEED TEMPLATES ...

BESIDE is an empty folder on the same file system; when there is an “end” in it, this ends. Each of TEMPLATES is a container
with other documents of the same names."""

import ctypes, errno, glob, os, random, shutil, sys, time

container, beside, seed, templates = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
NAMES = ["Sunset*.ptk", "Bookmark_Page*", "Notes*.stedoc"]
# The drive was quicker.
EXPECTED = {errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST}
EXCHANGE = 2
libc = ctypes.CDLL(None, use_errno=True)
generator = random.Random(seed)
number = 0


def fresh():
    global number
    number += 1
    return f"{beside}/{number}"


def replace(place, source):
    made = fresh()
    if not os.path.isdir(source):
        shutil.copy(source, made)
        os.rename(made, place)
        return
    shutil.copytree(source, made)
    if libc.renameat2(-100, made.encode(), -100, place.encode(), EXCHANGE) == 0: shutil.rmtree(made)
    else: os.rename(made, place)


def delete(place, source): os.rename(place, fresh())


def away_and_back(place, source):
    away = fresh()
    os.rename(place, away)
    time.sleep(generator.random() * 0.01)
    os.rename(away, place)


while not os.path.exists(f"{beside}/end"):
    name = generator.choice(NAMES)
    source = glob.glob(f"{generator.choice(templates)}/{name}")[0]
    place = generator.choice(sorted(glob.glob(f"{container}/{name}")) or [f"{container}/{os.path.basename(source)}"])
    try:
        generator.choice([replace, replace, replace, delete, away_and_back])(place, source)
    except OSError as error:
        if error.errno not in EXPECTED: print(error)
    time.sleep(generator.random() * 0.02)
