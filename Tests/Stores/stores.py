"""Stores to try a drive on: each is a folder of a file system of its own, made here and gone afterwards."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Support"))

from waiting import eventually


class Missing(Exception):
    """This machine cannot make that store."""


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise Missing(said[0] if said else f"{words[0]}: {done.returncode}")
    return done.stdout.strip()


def needs(program):
    path = shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not path:
        raise Missing(f"there is no {program}")
    return path


class Store:
    """`make` mounts it on `place`; what has to go afterwards is on the stack."""

    size = "300M"

    def __init__(self):
        self.stack = contextlib.ExitStack()
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f"valise-store-{self.name}."))
        self.home.chmod(0o755)
        self.stack.callback(shutil.rmtree, self.home, ignore_errors=True)
        self.place = self.home / "mounted"
        self.place.mkdir()

    def __enter__(self):
        try:
            self.make()
        except BaseException:
            self.stack.close()
            raise
        return self

    def __exit__(self, *_):
        self.stack.close()

    def make(self):
        """A plain folder."""

    def mounted(self):
        self.stack.callback(subprocess.run, ["umount", "--lazy", self.place], stderr=subprocess.DEVNULL)

    def image(self):
        path = self.home / "image"
        run("truncate", "-s", self.size, path)
        return path

    def loop(self, image):
        device = run("losetup", "--find", "--show", image)
        self.stack.callback(subprocess.run, ["losetup", "--detach", device], stderr=subprocess.DEVNULL)
        return device


class Plain(Store):
    name = "plain"


class Tmpfs(Store):
    name = "tmpfs"

    def make(self):
        run("mount", "-t", "tmpfs", "none", self.place)
        self.mounted()


class OnLoop(Store):
    """A file system of the kernel on a file."""

    def make(self):
        run(needs(self.maker[0]), *self.maker[1:], image := self.image())
        run("mount", "-t", self.name, "-o", "loop", image, self.place)
        self.mounted()


class Ext4(OnLoop):
    name, maker = "ext4", ["mkfs.ext4", "-q"]


class Btrfs(OnLoop):
    name, maker = "btrfs", ["mkfs.btrfs", "-q"]


class XFS(OnLoop):
    name, maker = "xfs", ["mkfs.xfs", "-q"]


class ExFAT(OnLoop):
    name, maker = "exfat", ["mkfs.exfat"]


class FAT(OnLoop):
    name, maker = "vfat", ["mkfs.vfat", "-F", "32"]


class NTFS3(OnLoop):
    name, maker = "ntfs3", ["mkfs.ntfs", "-F", "-Q", "-q"]


class Overlay(Store):
    name = "overlay"

    def make(self):
        for folder in ("lower", "upper", "work"):
            (self.home / folder).mkdir()
        options = ",".join(f"{option}={self.home}/{folder}" for option, folder in
            (("lowerdir", "lower"), ("upperdir", "upper"), ("workdir", "work")))
        try:
            run("mount", "-t", "overlay", "none", "-o", options, self.place)
        except Missing:
            # The system itself lies on one, on which no other may lie.
            (below := self.home / "below").mkdir()
            run("mount", "-t", "tmpfs", "none", below)
            self.stack.callback(subprocess.run, ["umount", "--lazy", below], stderr=subprocess.DEVNULL)
            for folder in ("lower", "upper", "work"):
                (below / folder).mkdir()
            run("mount", "-t", "overlay", "none", "-o", options.replace(str(self.home), str(below)), self.place)
        self.mounted()


class OverlayOfTwo(Store):
    """The layers are on two file systems: a folder's number in a listing is another one than stat's."""
    name = "overlay-of-two"

    def make(self):
        for folder in ("lower", "upper"):
            (self.home / folder).mkdir()
            run("mount", "-t", "tmpfs", "none", self.home / folder)
            self.stack.callback(subprocess.run, ["umount", "--lazy", self.home / folder], stderr=subprocess.DEVNULL)
        for folder in ("layer", "work"):
            (self.home / "upper" / folder).mkdir()
        layers = f"lowerdir={self.home}/lower,upperdir={self.home}/upper/layer,workdir={self.home}/upper/work"
        run("mount", "-t", "overlay", "none", "-o", f"{layers},xino=off", self.place)
        self.mounted()


class Bindfs(Store):
    name = "bindfs"

    def make(self):
        needs("bindfs")
        (self.home / "below").mkdir()
        run("bindfs", self.home / "below", self.place)
        self.mounted()


class OnFuse(Store):
    def make(self):
        run(needs(self.maker[0]), *self.maker[1:], image := self.image())
        run(needs(self.server[0]), self.loop(image), self.place, *self.server[1:])
        self.mounted()


class ExFATByFuse(OnFuse):
    name, maker, server = "exfat-fuse", ["mkfs.exfat"], ["mount.exfat-fuse"]


class NTFS3G(OnFuse):
    name, maker, server = "ntfs-3g", ["mkfs.ntfs", "-F", "-Q", "-q"], ["ntfs-3g"]


class NTFS3GPermissions(OnFuse):
    name, maker, server = "ntfs-3g+modes", ["mkfs.ntfs", "-F", "-Q", "-q"], ["ntfs-3g", "-o", "permissions"]


class FuseOverlay(Store):
    name = "fuse-overlayfs"

    def make(self):
        needs("fuse-overlayfs")
        for folder in ("lower", "upper", "work"):
            (self.home / folder).mkdir()
        run("fuse-overlayfs", "-o", f"lowerdir={self.home}/lower,upperdir={self.home}/upper,workdir={self.home}/work", self.place)
        self.mounted()


class SSHFS(Store):
    """From a server of this script's own, with keys of its own, that only this machine can reach."""
    name = "sshfs"

    def make(self):
        sshd, port = needs("sshd"), self.port()
        needs("sshfs")
        for key in ("host", "user"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.home / key)
        (self.home / "below").mkdir()
        settings = self.home / "settings"
        settings.write_text(
            f"Port {port}\nListenAddress 127.0.0.1\nHostKey {self.home}/host\nAuthorizedKeysFile {self.home}/user.pub\n"
            f"PidFile none\nUsePAM no\nStrictModes no\nPermitRootLogin yes\nSubsystem sftp internal-sftp\n")
        pathlib.Path("/run/sshd").mkdir(exist_ok=True)
        server = subprocess.Popen([sshd, "-D", "-f", settings], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.stack.callback(server.wait)
        self.stack.callback(server.terminate)
        options = ["-o", f"IdentityFile={self.home}/user", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
        command = ["sshfs", "-p", str(port), *options, f"{os.environ.get('USER', 'root')}@127.0.0.1:{self.home}/below", self.place]
        eventually(lambda: subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True).returncode == 0, "the server", 20)
        self.mounted()

    @staticmethod
    def port():
        import socket
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]


class NFS(Store):
    """From nfs-ganesha, through the kernel's client."""
    name = "nfs"

    def make(self):
        if "nfs4" not in pathlib.Path("/proc/filesystems").read_text():
            raise Missing("the kernel has no NFS client")
        ganesha, port = needs("ganesha.nfsd"), SSHFS.port()
        (self.home / "below").mkdir()
        settings = self.home / "settings"
        settings.write_text(
            f"NFS_CORE_PARAM {{ NFS_Port = {port}; Protocols = 4; Enable_NLM = false; Enable_RQUOTA = false; }}\n"
            f"NFSv4 {{ Grace_Period = 1; RecoveryRoot = {self.home}/recovery; Graceless = true; }}\n"
            f"EXPORT {{ Export_Id = 1; Path = {self.home}/below; Pseudo = /store; Access_Type = RW; Squash = No_Root_Squash; "
            f"SecType = sys; FSAL {{ Name = VFS; }} }}\n")
        server = subprocess.Popen([ganesha, "-F", "-f", settings, "-L", self.home / "log", "-p", self.home / "pid"], stdin=subprocess.DEVNULL)
        self.stack.callback(server.wait)
        self.stack.callback(server.terminate)
        command = ["mount", "-t", "nfs4", "-o", f"port={port},vers=4.1,soft,timeo=50", "127.0.0.1:/store", self.place]
        eventually(lambda: subprocess.run(command, capture_output=True).returncode == 0, "the server", 30)
        self.mounted()


ALL = [Plain, Tmpfs, Ext4, Btrfs, XFS, Overlay, OverlayOfTwo, ExFAT, FAT, NTFS3, Bindfs, NTFS3G, NTFS3GPermissions, ExFATByFuse, FuseOverlay, SSHFS, NFS]
