"""A desktop of its own for one file manager: a screen that nobody sees, a session bus, a home, and a drive.

What a person does is done with mouse and keys (xdotool), and what came of it is looked at in the container: of what a
window shows, the file managers tell programs in four different ways, or not at all.
"""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "Tests/Support"))

from waiting import Failed, eventually


class Desktop:
    def __init__(self, valise):
        self.valise = valise
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="valise-desktop."))
        self.container, self.drive, self.home = self.folder / "Container", self.folder / "Drive", self.folder / "home"
        self.documents = self.container / "Documents"
        self.programs = []

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *_):
        self.end()

    def start(self):
        # Whoever stops the script is to find nothing mounted and nothing running.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
        for folder in (self.drive, self.home, self.folder / "run", self.folder / "bin"):
            folder.mkdir(mode=0o700)
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        environment = {
            **kept, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.folder / "run"), "LC_ALL": "C.UTF-8", "TZ": "UTC0", "NO_AT_BRIDGE": "1",
            "GTK_A11Y": "none", "GSETTINGS_BACKEND": "memory", "GDK_BACKEND": "x11", "QT_QPA_PLATFORM": "xcb", "GTK_THEME": "Adwaita",
            "LIBGL_ALWAYS_SOFTWARE": "1", "GSK_RENDERER": "cairo",
            "XDG_DATA_DIRS": f"{self.folder}/share:/usr/local/share:/usr/share", "XDG_CURRENT_DESKTOP": "X-Valise",
            "PATH": f"{self.folder}/bin:{kept.get('PATH', '/usr/bin:/bin')}", "BROWSER": "",
        }
        os.environ.clear()
        os.environ.update(environment)
        self.install_handlers()
        reader, writer = os.pipe()
        self.launch("Xvfb", "-displayfd", str(writer), "-screen", "0", "1024x640x24", "-nolisten", "tcp", pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as numbers:
            os.environ["DISPLAY"] = ":" + numbers.readline().strip()
        address = f"unix:path={self.folder}/run/bus"
        self.launch("dbus-daemon", "--session", "--nofork", "--nopidfile", f"--address={address}")
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = address
        eventually(lambda: os.path.exists(self.folder / "run/bus"), "the session bus")
        self.launch("openbox")
        subprocess.run([self.valise, "init", self.container], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([self.valise, "mount", self.container, self.drive], check=True)

    def install_handlers(self):
        """What the package installs: the handler for link files, and a browser that only says what it was asked for."""
        share, scripts = self.folder / "share", self.folder / "bin"
        for folder in ("applications", "mime/packages"):
            (share / folder).mkdir(parents=True)
        shutil.copy(PROJECT / "Packaging/desktop/valise-link.desktop", share / "applications")
        shutil.copy(PROJECT / "Packaging/desktop/valise.xml", share / "mime/packages")
        subprocess.run(["update-mime-database", share / "mime"], check=True)
        subprocess.run(["update-desktop-database", share / "applications"], check=True)
        # And the window's entries in menus, with a window that only says what it was opened at.
        menus = PROJECT / "Packaging/desktop/window"
        for entry, place in (("pcmanfm-action.desktop", "file-manager/actions/valise-versions.desktop"), ("nemo-action.nemo_action", "nemo/actions/valise-versions.nemo_action"),
            ("dolphin-menu.desktop", "kio/servicemenus/valise-versions.desktop")):
            (share / place).parent.mkdir(parents=True)
            shutil.copy(menus / entry, share / place)
        # KDE has a user's own entry only where it may be run.
        (share / "kio/servicemenus/valise-versions.desktop").chmod(0o755)
        (self.home / ".config/Thunar").mkdir(parents=True)
        shutil.copy(menus / "thunar-uca.xml", self.home / ".config/Thunar/uca.xml")
        script = self.home / ".local/share/nautilus/scripts/Earlier Versions"
        script.parent.mkdir(parents=True)
        shutil.copy(menus / "nautilus-script", script)
        script.chmod(0o755)
        (scripts / "valise-window").write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{self.folder}/shown'\n")
        (scripts / "valise-window").chmod(0o755)
        (scripts / "valise").symlink_to(self.valise)
        (scripts / "xdg-open").write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" >>'{self.folder}/opened'\n")
        (scripts / "xdg-open").chmod(0o755)

    def opened(self):
        """The addresses that the browser was asked for."""
        return self.said("opened")

    def shown(self):
        """The documents that the window was opened at."""
        return self.said("shown")

    def said(self, name):
        file = self.folder / name
        return file.read_text().split("\n")[:-1] if file.exists() else []

    def launch(self, *words, **options):
        log = open(self.folder / "log", "ab")
        program = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **options)
        self.programs.append(program)
        return program

    def quit_programs(self):
        """All that was started here, by us and by what we started: the session bus and file managers start many."""
        for program in reversed(self.programs):
            program.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(3)
        for process in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.programs = []

    def processes(self):
        """Those whose session is this one, the drive's own processes excepted."""
        mark = f"XDG_RUNTIME_DIR={self.folder}/run".encode()
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                is_ours = mark in (entry / "environ").read_bytes().split(b"\0") and int(entry.name) != os.getpid()
                if is_ours and not (entry / "comm").read_text().startswith("valise"):
                    yield int(entry.name)

    def end(self):
        self.quit_programs()
        if os.path.ismount(self.drive):
            subprocess.run([self.valise, "unmount", "--lazy", self.drive], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def unmount(self):
        """As at the end of a day. The sandboxes in which thumbnails are made may hold the drive for a moment longer."""
        subprocess.run([self.valise, "unmount", self.drive], check=False)
        eventually(lambda: not os.path.ismount(self.drive), "the drive to go")

    def picture(self, path):
        active = subprocess.run(["xdotool", "getactivewindow"], capture_output=True, text=True).stdout.strip()
        subprocess.run(["import", "-frame", "-window", active or "root", "-colors", "128", f"PNG8:{path}"], check=False)


    def window(self, title):
        """The window of this title, with the keyboard's attention."""
        def find():
            found = subprocess.run(["xdotool", "search", "--onlyvisible", "--name", title], capture_output=True, text=True).stdout.split()
            return found[-1] if found else None
        window = eventually(find, f"a window {title}")
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=False, timeout=30)
        return window


def keys(*names):
    subprocess.run(["xdotool", "key", "--clearmodifiers", "--delay", "60", *names], check=True)


def click(x, y):
    """In the window that has the keyboard's attention."""
    window = subprocess.run(["xdotool", "getactivewindow"], check=True, capture_output=True, text=True).stdout.strip()
    subprocess.run(["xdotool", "mousemove", "--window", window, str(x), str(y), "click", "1"], check=True)


def type_text(text):
    subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "40", text], check=True)
