"""The windows: how soon there is something to be seen, how even scrolling is, what it takes of memory, and how soon a change is in them.

Release builds of the windows (swift build -c release --package-path Examples/Windows, and --package-path Window), on a screen of Xvfb, drawn by the
processor, as on a machine without a graphics card; without a screen reader. It needs xvfb, openbox and xdotool. Frames are those of GTK's own
clock, which a window writes down where VALISE_WINDOW_LOG is set: the first picture is the end of the first frame that has rows in it, counted from the start of
the program; a frame is late by what lies between the ends of two while a wheel or a key scrolls. Memory is what is resident, with all libraries.

Each photo is a folder that is watched: where fs.inotify.max_user_watches is less than there are photos, all are looked at each second, and a change takes as long as
that (`sysctl fs.inotify.max_user_watches=300000` before).

PHOTOS photos (100,000 without it), ROWS bookmarks, notes and texts (10,000). KEPT names a folder in which the containers are made once."""

import os
import subprocess
import time

from containers import archive, write
from measuring import *
import photos

PHOTOS, ROWS = int(os.environ.get("PHOTOS", 100_000)), int(os.environ.get("ROWS", 10_000))
EXAMPLES = os.environ.get("BUILT_EXAMPLES", os.path.join(HERE, "..", "Examples", "Windows", ".build", "release"))
WINDOW = os.environ.get("BUILT_WINDOW", os.path.join(HERE, "..", "Window", ".build", "release"))
SHOWN = 60


class Screen:
    def __enter__(self):
        reading, writing = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x900x24", "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number: self.display = ":" + number.readline().strip()
        self.environment = {**os.environ, "DISPLAY": self.display, "GDK_BACKEND": "x11", "GTK_A11Y": "none", "LC_ALL": "C.UTF-8"}
        self.manager = subprocess.Popen(["openbox"], env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(1)
        return self

    def __exit__(self, *_):
        for process in (self.manager, self.server):
            process.terminate()
            process.wait()

    def do(self, *words): return subprocess.run(["xdotool", *words], env=self.environment, check=True, capture_output=True, text=True).stdout


class Window:
    """A window from its start to its end, and what it wrote down."""

    def __init__(self, screen, work, *words, **environment):
        self.screen, self.log = screen, f"{work}/window.log"
        if os.path.exists(self.log): os.remove(self.log)
        self.begin = time.monotonic()
        self.process = subprocess.Popen(words, env={**screen.environment, "VALISE_WINDOW_LOG": self.log, **environment}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def __enter__(self): return self

    def __exit__(self, *_):
        if self.process.poll() is None: self.process.terminate()
        self.process.wait()

    def lines(self, word=None):
        """When, which word, and what besides."""
        if not os.path.exists(self.log): return []
        with open(self.log) as log: whole = log.read()
        found = (line.split(" ", 2) + [""] for line in whole[:whole.rfind("\n") + 1].splitlines())
        return [(int(line[0]) / 1e6, line[1], line[2]) for line in found if word is None or line[1] == word]

    def until(self, question, what):
        deadline = time.monotonic() + SHOWN
        while time.monotonic() < deadline:
            answer = question()
            if answer: return answer
            assert self.process.poll() is None, f"the window has ended before {what}"
            time.sleep(0.01)
        raise AssertionError(f"{what} is not there after {SHOWN} seconds")

    def frame_after(self, moment): return next((when for when, _, _ in self.lines("frame") if when > moment), None)

    def rows(self, least, since=0): return next((when for when, _, count in self.lines("rows") if when >= since and int(count) >= least), None)

    def first_picture(self): return self.until(lambda: (when := self.rows(1)) and self.frame_after(when), "a first picture") - self.begin
    def whole(self, count): return self.until(lambda: (when := self.rows(count)) and self.frame_after(when), f"a list of {count}") - self.begin

    def focus(self):
        number = self.until(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)], env=self.screen.environment, capture_output=True, text=True).stdout.split(), "the window")[-1]
        self.screen.do("windowfocus", "--sync", number)
        facts = dict(line.split("=") for line in self.screen.do("getwindowgeometry", "--shell", number).split())
        return [int(facts[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def scrolled(self, *words):
        """How long the frames were apart while it was scrolled, and what they took."""
        start = time.monotonic()
        self.screen.do(*words)
        time.sleep(0.3)
        ends = [(when, int(took) / 1e6) for when, _, took in self.lines("frame") if when >= start]
        return [b[0] - a[0] for a, b in zip(ends, ends[1:])], [took for _, took in ends]

    def memory(self):
        """What is resident when it rests, and what was at most."""
        with open(f"/proc/{self.process.pid}/status") as status: sizes = {line.split(":")[0]: int(line.split()[1]) << 10 for line in status if line.startswith(("VmRSS", "VmHWM"))}
        return f"{mb(sizes['VmRSS'])}, at most {mb(sizes['VmHWM'])}"


def ms(seconds): return f"{seconds * 1000:,.0f} ms"
def mb(size): return f"{size / 1e6:,.0f} MB"


def scrolling(table, what, window, place, *keyboard):
    """`keyboard`: how the list comes to the keyboard."""
    x, y, width, height = window.focus()
    window.screen.do("mousemove", str(x + place(width)), str(y + height // 2))
    window.screen.do(*keyboard)
    time.sleep(0.5)
    wheel = window.scrolled("click", "--repeat", "300", "--delay", "10", "5")
    back = window.scrolled("click", "--repeat", "100", "--delay", "10", "4")
    keys = window.scrolled("key", "--repeat", "60", "--delay", "40", "Next")
    ends = window.scrolled("key", "--delay", "400", "End", "Home", "End", "Home")
    for how, (gaps, took) in (("a wheel", (wheel[0] + back[0], wheel[1] + back[1])), ("Page Down", keys), ("End and Home", ends)):
        late = sum(gap > 0.05 for gap in gaps)
        table.add(f"{what}: scrolled by {how}, {len(gaps)} frames", f"{late} over 50 ms, the longest {ms(max(gaps, default=0))}; drawing took {ms(median(took or [0]))}, at most {ms(max(took, default=0))}", "none over 50 ms")


def starts(table, what, screen, work, count, wanted, words, environment, forget):
    """Twice after each other; the first time with nothing of it in the page cache."""
    seen = []
    for number in ("first", "second", "third"):
        if number == "first": forget()
        with Window(screen, work, *words, **environment) as window:
            first, whole = window.first_picture(), window.whole(count)
            seen.append(first)
            table.add(f"{what}: {number} start", f"first picture {ms(first)}, the whole list {ms(whole)}", wanted if number == "first" else f"{wanted}, not slower")
    return seen


def forget_all():
    os.sync()
    try: write("/proc/sys/vm/drop_caches", b"3")
    except OSError: pass


def changes(table, what, window, container, mountpoint, names, count, wanted="≤ 500 ms"):
    """A file that is written on the drive: from then on, until a frame has it. The first has the drive read its folder, which may take longer."""
    spent, writing = [], []
    for number, (name, content) in enumerate(names):
        begin = time.monotonic()
        with open(f"{mountpoint}/{name}", "wb") as file: file.write(content)
        written = time.monotonic()
        writing.append(written - begin)
        spent.append(max(0, window.until(lambda: (when := window.rows(count + number + 1, begin)) and window.frame_after(when), "a change") - written))
    table.add(f"{what}: a change on the drive is in the window after", f"{ms(median(spent))}, at most {ms(max(spent))}; writing it took {ms(median(writing))}, at most {ms(max(writing))}", wanted)


def kept(work, name, make):
    """A container, made once."""
    folder = os.path.join(os.environ.get("KEPT", work), name)
    if not os.path.exists(folder): make(folder)
    return folder


def container(folder):
    os.makedirs(f"{folder}/Documents")
    os.mkdir(f"{folder}/.valise", 0o700)
    return f"{folder}/Documents"


def make_bookmarks(folder):
    documents = container(folder)
    for number in range(ROWS):
        name = f"Site {number:05}"
        write(f"{documents}/Bookmark_{name}-{1772355900 + number}.000000", archive("Bookmark", "Bookmark", {"Bookmark Name": name, "Bookmark URL": f"https://www.example.org/{number}.html"}))


def make_notes(folder):
    documents = container(folder)
    for number in range(ROWS): write(f"{documents}/Note {number}.stedoc", f"Note {number}\n".encode() * 20)


def link(number): return f"[InternetShortcut]\nURL=https://www.example.org/new/{number}\n".encode()


def photo_window(table, screen, work, environment):
    folder = kept(work, f"photos-{PHOTOS}", lambda folder: photos.make(PHOTOS, folder))
    words, own, what = [f"{EXAMPLES}/photokeeper-window"], {**environment, "VALISE_CONTAINER": folder}, f"PhotoKeeper, {PHOTOS:,} photos"
    starts(table, what, screen, work, PHOTOS, "≤ 1 s", words, own, forget_all)
    with Window(screen, work, *words, **own) as window:
        window.whole(PHOTOS)
        time.sleep(3)
        read = [name for _, _, name in window.lines("read")]
        table.add(f"{what}: thumbnails read when it rests", f"{len(read)}, {len(read) - len(set(read))} of them twice; the first {ms(window.lines('read')[0][0] - window.begin)} after the start", "none twice")
        table.add(f"{what}: memory", window.memory(), "< 300 MB")
        scrolling(table, what, window, lambda width: width // 2, "key", "alt+Left")
        time.sleep(2)
        read = [name for _, _, name in window.lines("read")]
        table.add(f"{what}: memory when it was scrolled", f"{window.memory()}; {len(read)} thumbnails read", "< 300 MB")
        with valise(folder, f"{work}/drive") as drive:
            pictures = [(f"New {number}.png", photos.png(150, 1000 + number)) for number in range(5)]
            changes(table, what, window, folder, drive.mountpoint, pictures, PHOTOS)
            for name, _ in pictures: os.remove(f"{drive.mountpoint}/{name}")


def list_window(table, screen, work, environment, app, what, make, names):
    folder = kept(work, f"{app}-{ROWS}", make)
    words, own, what = [f"{EXAMPLES}/{app}-window"], {**environment, "VALISE_CONTAINER": folder}, f"{what}"
    starts(table, what, screen, work, ROWS, "≤ 500 ms", words, own, forget_all)
    with Window(screen, work, *words, **own) as window:
        window.whole(ROWS)
        time.sleep(1)
        scrolling(table, what, window, lambda width: width // 8 if app == "texteditor" else width // 2, *(("key", "alt+Left") if app == "texteditor" else ("key", "ctrl+f", "Escape")))
        with valise(folder, f"{work}/drive") as drive:
            changes(table, what, window, folder, drive.mountpoint, names, ROWS)
            for name, _ in names: os.remove(f"{drive.mountpoint}/{name}")
        table.add(f"{what}: memory", window.memory(), "< 200 MB")


def drive_window(table, screen, work, environment):
    folder = kept(work, f"drives-{ROWS}", make_notes)
    own = {**environment, "PATH": f"{os.path.dirname(VALISE)}:{os.environ['PATH']}"}
    with valise(folder, f"{work}/drive") as drive:
        what = f"valise-window, {ROWS:,} items"
        words = [f"{WINDOW}/valise-window", drive.mountpoint]
        # Its first list is that of the drives.
        for number in ("first", "second"):
            if number == "first": forget_all()
            with Window(screen, work, *words, **own) as window:
                table.add(f"{what}: {number} start", f"first picture {ms(window.first_picture())}", "≤ 500 ms")
        with Window(screen, work, *words, **own) as window:
            window.first_picture()
            window.focus()
            time.sleep(1)
            begin = time.monotonic()
            screen.do("key", "ctrl+f")
            screen.do("type", "--delay", "1", "kind == 'text'")
            whole = window.until(lambda: (when := window.rows(ROWS, begin)) and window.frame_after(when), "all that is found")
            table.add(f"{what}: all found, from the first key on", ms(whole - begin), "")
            scrolling(table, f"{what} found", window, lambda width: width * 2 // 3, "key", "Return")
            changes(table, what, window, folder, drive.mountpoint, [(f"New {number}.txt", b"new\n") for number in range(5)], ROWS)
            for number in range(5): os.remove(f"{drive.mountpoint}/New {number}.txt")
            table.add(f"{what}: memory", window.memory(), "< 200 MB")


def main(work):
    table = Table("what", "measured", "wanted")
    environment = {"HOME": work, "XDG_CONFIG_HOME": f"{work}/config", "XDG_CACHE_HOME": f"{work}/cache", "XDG_STATE_HOME": f"{work}/state"}
    parts = os.environ.get("PARTS", "notes bookmarks drives photos").split()
    with Screen() as screen:
        if "notes" in parts: list_window(table, screen, work, environment, "texteditor", f"Simple Text Editor, {ROWS:,} notes", make_notes, [(f"New {number}.txt", b"new\n") for number in range(5)])
        if "bookmarks" in parts: list_window(table, screen, work, environment, "cloudy", f"Cloudy, {ROWS:,} bookmarks", make_bookmarks, [(f"New {number}.url", link(number)) for number in range(5)])
        if "drives" in parts: drive_window(table, screen, work, environment)
        if "photos" in parts: photo_window(table, screen, work, environment)
    return table
