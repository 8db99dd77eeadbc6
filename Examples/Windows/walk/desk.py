"""A screen of its own, with a keyboard, and the windows on it as a screen reader has them."""

import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "story"))
from places import EXAMPLES, Failed, eventually

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib


FAILED = f"{tempfile.gettempdir()}/valise-windows-failed.png"


class Desk:
    def __init__(self):
        reading, writing = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number: os.environ["DISPLAY"] = ":" + number.readline().strip()
        os.environ.update({"GDK_BACKEND": "x11", "LC_ALL": "C.UTF-8"})
        self.manager = subprocess.Popen(["openbox"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pictures = os.environ.get("PICTURES")
        if self.pictures: os.makedirs(self.pictures, exist_ok=True)

    def clear(self):
        for process in (self.manager, self.screen):
            process.terminate()
            process.wait()


def xdotool(*words): return subprocess.run(["xdotool", *words], check=True, capture_output=True, text=True).stdout


class Window:
    """A window of an app, from its start to its end."""

    def __init__(self, desk, place, app, words=None, **environment):
        """`words`: what starts it, where it is none of the examples' windows."""
        self.desk, self.app = desk, app
        self.log = open(f"{place.folder}/{app}.log", "w+")
        self.process = subprocess.Popen(words or [f"{EXAMPLES}/{app}", "window"], env={**os.environ, **place.environment, **environment}, stdout=self.log, stderr=self.log)
        self.number = eventually(lambda: self.shown_number(), f"the window of {app} is on the screen: {self.said()}")
        xdotool("windowfocus", "--sync", self.number)
        # The mouse points at nothing: all is done by the keyboard.
        xdotool("mousemove", "0", "0")
        self.seen(role="frame")

    def shown_number(self):
        if self.process.poll() is not None: raise Failed(f"{self.app} ended with {self.process.returncode}: {self.said()}")
        found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return found[-1] if found else None

    def said(self):
        self.log.flush()
        with open(self.log.name) as log: return log.read()

    # What a screen reader has

    @property
    def tree(self):
        if self.process.poll() is not None: raise Failed(f"{self.app} ended with {self.process.returncode}: {self.said()}")
        context = GLib.MainContext.default()
        while context.iteration(False): pass
        desktop = Atspi.get_desktop(0)
        for index in range(desktop.get_child_count()):
            try:
                app = desktop.get_child_at_index(index)
                if app and app.get_process_id() == self.process.pid:
                    app.clear_cache()
                    return app
            except GLib.Error: pass
        return None

    def all(self, role=None, name=None):
        """All that is on the screen and has that role and that name, from above."""
        found = []

        def walk(item):
            try:
                if item.get_role_name() in ("frame", "dialog", "window", "application") or self.is_drawn(item):
                    if (role is None or item.get_role_name() == role) and (name is None or name in item.get_name()): found.append(item)
                    for index in range(item.get_child_count()):
                        child = item.get_child_at_index(index)
                        if child: walk(child)
            except GLib.Error: pass

        tree = self.tree
        if tree: walk(tree)
        return found

    @staticmethod
    def is_drawn(item):
        if not item.get_state_set().contains(Atspi.StateType.VISIBLE): return False
        place = item.get_component_iface()
        if not place: return True
        size = place.get_extents(Atspi.CoordType.WINDOW)
        return size.width > 0 and size.height > 0

    def seen(self, role=None, name=None): return eventually(lambda: self.all(role, name), f"{role} “{name}” in {self.app}: {self.said()}")[0]
    def unseen(self, role=None, name=None): eventually(lambda: not self.all(role, name), f"no {role} “{name}” in {self.app}")

    def rows(self, name):
        """The first line of each row of a list."""
        try: return self.rows_now(name)
        # One of them went while it was looked at.
        except GLib.Error: return []

    def titles(self, name):
        """The same for lists whose rows may have a heading above them: the line before the last, or the only one."""
        try:
            lists = self.all(name=name, role="list")
            if not lists: return []
            rows = [lists[0].get_child_at_index(index) for index in range(lists[0].get_child_count())]
            return [self.labels(row)[-2:][0] for row in rows if row and row.get_role_name() == "list item" and self.labels(row)]
        except GLib.Error: return []

    def labels(self, item):
        """What is to be seen of a row, from above."""
        if not self.is_drawn(item): return []
        if item.get_role_name() == "label": return [item.get_name()] if item.get_name() else []
        return [name for index in range(item.get_child_count()) for name in self.labels(item.get_child_at_index(index))]

    def rows_now(self, name):
        lists = self.all(name=name, role="list") + self.all(name=name, role="table")
        if not lists: return []
        rows = []
        for index in range(lists[0].get_child_count()):
            row = lists[0].get_child_at_index(index)
            if not row or row.get_role_name() not in ("list item", "table cell"): continue
            rows.append(self.first_label(row))
        return rows

    def has_keyboard_in(self, name):
        """Whether a row of that list has the keyboard."""
        try:
            for view in self.all(name=name, role="list") + self.all(name=name, role="table"):
                if any(view.get_child_at_index(index).get_state_set().contains(Atspi.StateType.FOCUSED) for index in range(view.get_child_count())): return True
        except GLib.Error: pass
        return False

    def first_label(self, item):
        if item.get_role_name() == "label": return item.get_name()
        for index in range(item.get_child_count()):
            label = self.first_label(item.get_child_at_index(index))
            if label is not None: return label
        return None

    def text(self, name):
        item = self.seen("text", name)
        return Atspi.Text.get_text(item, 0, Atspi.Text.get_character_count(item))

    def has_keyboard(self, role, name=None):
        return any(item.get_state_set().contains(Atspi.StateType.FOCUSED) for item in self.all(role, name))

    # What a person does

    def press(self, *keys): xdotool("key", "--clearmodifiers", *keys)
    def type(self, words): xdotool("type", "--delay", "8", words)

    def enter(self, words):
        """In place of all that the entry has."""
        self.press("ctrl+a")
        self.type(words)
        self.press("Return")

    def tab_to_list(self, name):
        """With the key that goes from one thing to the next, until a row of the list has the keyboard."""
        for _ in range(12):
            if self.has_keyboard_in(name): return
            self.press("Tab")
            time.sleep(0.1)
        raise Failed(f"the keyboard does not come to the list “{name}”")

    def choose_file(self, path):
        """In GTK's own question for files, which has a line for a path as soon as somebody types one."""
        self.seen("push button", "Cancel")
        self.type(path)
        self.press("Return")
        self.unseen("push button", "Cancel")

    def drag(self, path):
        """A file from a window of another program into the middle of this one."""
        other = subprocess.Popen(["/usr/bin/python3", "-B", os.path.join(HERE, "drag.py"), path], stderr=subprocess.DEVNULL)
        try:
            source = eventually(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--name", "^Drag$"], capture_output=True, text=True).stdout.split(), "a window to drag from")[0]
            xdotool("windowmove", "--sync", source, "10", "40")
            xdotool("windowraise", source)
            time.sleep(0.5)
            facts = self.place_of(source)
            xdotool("mousemove", str(facts[0] + facts[2] // 2), str(facts[1] + facts[3] // 2), "mousedown", "1")
            x, y, width, height = self.place_of(self.number)
            for step in range(12):
                time.sleep(0.05)
                xdotool("mousemove_relative", "--", "6", "6")
            for step in range(4):
                time.sleep(0.1)
                xdotool("mousemove", str(x + width // 2 + step), str(y + height * 3 // 4 + step))
            time.sleep(0.2)
            xdotool("mouseup", "1")
            xdotool("mousemove", "0", "0")
            time.sleep(0.5)
        finally:
            other.terminate()
            other.wait()
        xdotool("windowfocus", "--sync", self.number)

    def place_of(self, number):
        facts = dict(line.split("=") for line in xdotool("getwindowgeometry", "--shell", number).split())
        return [int(facts[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def picture(self, name):
        if not self.desk.pictures: return
        time.sleep(0.6)
        subprocess.run(["import", "-window", "root", "-crop", self.geometry(), "+repage", "-strip", f"{self.desk.pictures}/{name}.png"], check=True)

    def geometry(self):
        x, y, width, height = self.place_of(self.number)
        return f"{width}x{height}+{x}+{y}"

    def resize(self, width, height): xdotool("windowsize", "--sync", self.number, str(width), str(height))

    def switches(self):
        """How often its threads have woken up."""
        count = 0
        for thread in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{thread}/status") as status:
                count += sum(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
        return count

    def is_idle(self, seconds=2):
        before = self.switches()
        time.sleep(seconds)
        return self.switches() - before

    # Its end

    def close(self, then=lambda: None):
        """As somebody does it by the keyboard. Answers its exit code, and what GTK complained of. `then`: what is done about a question that comes."""
        xdotool("windowfocus", "--sync", self.number)
        self.press("ctrl+q")
        then()
        code = self.process.wait(60)
        # Volumes of other desktops are none of ours.
        complaints = [line for line in self.said().splitlines() if ("CRITICAL" in line or "WARNING" in line or "rror" in line) and "GVFS" not in line]
        self.log.close()
        return code, complaints

    def kill(self):
        """Where a step did not hold it is there still, and a picture says what was to be seen."""
        if self.process.poll() is None:
            subprocess.run(["import", "-window", "root", FAILED])
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.log.close()
