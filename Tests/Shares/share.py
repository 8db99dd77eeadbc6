"""A drive that is offered to a network, which here is this machine alone: a container, its drive, and a server in the foreground."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(PROJECT / "Tests/Support"))

from waiting import Failed, eventually


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def end(server):
    if server:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


class Share:
    """Subclasses start a server: `configure` writes its settings and answers the command."""

    def __init__(self):
        self.valise = sys.argv[1] if len(sys.argv) > 1 else str(PROJECT / ".build/debug/valise")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="valise-share."))
        self.container, self.drive = self.folder / "Container", self.folder / "Drive"
        self.documents = self.container / "Documents"
        self.port = free_port()
        self.server = None

    def __enter__(self):
        self.folder.chmod(0o755)
        self.drive.mkdir()
        subprocess.run([self.valise, "init", "--samples", self.container], check=True, stdout=subprocess.DEVNULL)
        self.mount()
        self.serve()
        return self

    def mount(self):
        # Servers do not end: a package that they fill is whole when nothing in it was changed for so long.
        environment = os.environ | {"VALISE_GROWING_SECONDS": "4"}
        subprocess.run([self.valise, "mount", "-o", "allow_other", self.container, self.drive], check=True, env=environment)

    def unmount(self):
        subprocess.run([self.valise, "unmount", self.drive], check=True)

    def serve(self):
        log = open(self.folder / "log", "ab")
        self.server = subprocess.Popen(self.configure(), stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        eventually(lambda: answers(self.port), "the server")

    def stop(self):
        end(self.server)
        self.server = None

    def __exit__(self, kind, fault, _):
        if fault:
            print((self.folder / "log").read_text(errors="replace")[-3000:], file=sys.stderr)
        self.leave()
        self.stop()
        if os.path.ismount(self.drive):
            with contextlib.suppress(subprocess.CalledProcessError):
                subprocess.run([self.valise, "unmount", "--lazy", self.drive], check=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave(self):
        """What a client has mounted."""

    def expect(self, what, is_so):
        if not is_so:
            raise Failed(what)
        print(f"  {what}")

    def stored(self):
        return {str(path.relative_to(self.documents)) for path in self.documents.rglob("*") if ".ptk" not in str(path.parent)}

    def beside(self):
        """What a Mac keeps beside documents."""
        return sorted(name for name in self.stored() if name.startswith("._"))

    def parts(self):
        """Those of a photo, as a Mac has them."""
        return {name: (self.documents / "Sunset.ptk" / name).read_bytes() for name in ("photo.data", "photo.metadata")}

    def expect_carried(self, photo, rename, remove):
        """As the Finder does it: a folder and `._` beside it, the parts, `._` beside those, and then its name. `rename` and `remove` are the client's."""
        eventually(lambda: self.kind("Card.png") == "photo", "the package")
        self.expect("a package that is carried is a document", (self.drive / "Card.png").read_bytes() == photo and (self.documents / "Card.ptk/._photo.data").read_bytes() == b"part")
        self.expect("what lies beside it came along", self.beside() == ["._Card.ptk"] and "._Card.ptk" not in os.listdir(self.drive))
        rename("Card.png", "Tom.png")
        self.expect("and gets its new name", self.beside() == ["._Tom.ptk"])
        remove("Tom.png")
        eventually(lambda: self.beside() == [], "it to go with the document")
        self.expect("and goes with it", not (self.drive / "._Tom.ptk").exists())

    def end(self):
        """All that was made is taken away again: nothing is left but the samples."""
        self.expect("nothing is littered", {name for name in self.stored() if not name.startswith("Bookmark_")} == {
            "Welcome.stedoc", "Shopping list.stedoc", "Sunset.ptk", "Meadow.ptk"})
        self.stop()
        self.unmount()
        print("all is well")

    def kind(self, name):
        said = subprocess.run([self.valise, "info", self.drive / name], capture_output=True, text=True).stdout
        return next((line.split()[1] for line in said.splitlines() if line.split()[:1] == ["kind"]), None)
