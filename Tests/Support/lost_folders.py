"""Folders are deleted, moved out, moved and made anew in a container while a document in them is written on a drive.

    lost_folders.py CONTAINER DRIVE OUTSIDE ROUNDS SEED

What was written begins before that and goes on behind it. Prints, for each round, what is to be found once afterwards.
"""

import os
import random
import shutil
import sys
import time

container, drive, outside = sys.argv[1:4]
rounds, seed = int(sys.argv[4]), int(sys.argv[5])
chance = random.Random(seed)


def make(folder, place, content):
    os.makedirs(f"{container}/{folder}/deep", exist_ok=True)
    with open(f"{container}/{place}.stedoc", "w") as file:
        file.write(content)


for number in range(rounds):
    folder = f"T{number % 4}"
    place = f"{folder}/{chance.choice(['', 'deep/'])}n{number}"
    make(folder, place, "old")
    while not os.path.exists(f"{drive}/{place}.txt"):
        time.sleep(0.02)
    file = open(f"{drive}/{place}.txt", "a")
    file.write(f"mine{number}")
    file.flush()
    what = chance.choice(["delete", "move out", "make anew", "move"])
    if what in ("delete", "make anew"):
        shutil.rmtree(f"{container}/{folder}")
    if what == "make anew":
        make(folder, place, "theirs")
    if what == "move out":
        os.rename(f"{container}/{folder}", f"{outside}/out{number}")
    if what == "move":
        os.rename(f"{container}/{folder}", f"{container}/{folder}-{number}")
    time.sleep(chance.choice([0, 0.05, 0.3]))
    file.write("+")
    try:
        file.close()
    except OSError:
        # It waits, or comes to the top.
        pass
    print(f"oldmine{number}+", what, flush=True)
