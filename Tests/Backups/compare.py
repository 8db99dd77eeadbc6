#!/usr/bin/env python3
"""Reads each file of a backup with two other programs, and looks for the same contents among the files that
Valise wrote of it.

usage: compare.py BACKUP FOLDER [PASSWORD]
"""

import collections, contextlib, hashlib, io, os, sys

from iphone_backup_decrypt import EncryptedBackup
from pyiosbackup import Backup


def digest(content):
    return hashlib.sha256(content).hexdigest()


def main():
    backup, folder, password = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else ""
    ours = collections.Counter()
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    ours[(os.path.splitext(name)[1], digest(file.read()))] += 1
    theirs = collections.Counter()
    for entry in Backup.from_path(backup, password).iter_files():
        theirs[(os.path.splitext(entry.relative_path)[1], digest(entry.read_bytes()))] += 1
    assert ours == theirs, (ours - theirs, theirs - ours)
    count = sum(ours.values())
    print(f"{os.path.basename(backup)}: {count} files are the same for pyiosbackup")
    # It reads encrypted backups with a Manifest.db alone.
    if not password or not os.path.exists(os.path.join(backup, "Manifest.db")):
        return
    others = collections.Counter()
    with contextlib.redirect_stdout(io.StringIO()):
        reader = EncryptedBackup(backup_directory=backup, passphrase=password)
        for _, domain, path, _ in reader._get_manifest_rows_generator(flags=1):
            others[(os.path.splitext(path)[1], digest(reader.extract_file_as_bytes(path, domain_like=domain)))] += 1
    assert ours == others, (ours - others, others - ours)
    print(f"{os.path.basename(backup)}: {count} files are the same for iphone_backup_decrypt")


if __name__ == "__main__":
    sys.exit(main())
