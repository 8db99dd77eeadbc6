#!/usr/bin/env python3
"""What a person does with each window, by the keyboard alone and beside a drive; each step is looked at on the drive, or in the window as a
screen reader has it. The last line says how many steps held."""

import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from bookmarks_window import documents_window, settings_window
from drives_window import drives_window
from desk import EXAMPLES, FAILED, Desk, Failed
from places import Place
from notes_window import notes_window
from photos_window import photos_window

WALKS = {"valise-window": drives_window, "texteditor": notes_window, "photokeeper": photos_window, "cloudy": documents_window, "cloudy-keyvalue": settings_window}
held = 0


def step(condition, what):
    global held
    if not condition: raise Failed(what)
    held += 1


def without_a_display(place, app):
    """The commands go on, and the window says why it does not."""
    environment = {name: value for name, value in place.environment.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    ended = subprocess.run([f"{EXAMPLES}/{app}", "window"], env=environment, capture_output=True, text=True, timeout=60)
    step(ended.returncode == 1 and f"{app}: There is no display" in ended.stderr, f"{app} says that there is no display: {ended.returncode} {ended.stderr}")
    place.call(app, "list")


def main():
    apps = sys.argv[1:] or list(WALKS)
    for app in apps:
        if app not in WALKS: raise SystemExit(f"“{app}” is none of {', '.join(WALKS)}")
    folder = tempfile.mkdtemp(prefix="valise-windows.")
    desk = Desk()
    try:
        for app in apps:
            place = Place(f"{folder}/{app}")
            place.make_container()
            place.mount()
            try:
                if app != "valise-window": without_a_display(place, app)
                WALKS[app](desk, place, step)
                place.unmount()
            finally: place.clear()
    except Failed as failure: raise SystemExit(f"After {held} steps: {failure}\n{FAILED} shows the screen.")
    finally:
        desk.clear()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{held} steps held.")


main()
