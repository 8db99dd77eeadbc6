"""What a drive with documents is to be after each call: docs/SEMANTICS.md once more, as a program of its own.

Everything is done as root and with no mask. A call that is refused throws Refused with its errno.
"""
import errno, os, time

from link_files import LINK_FORMS, canonical, extension, link_of, stem

IMAGES = ("jpg", "jpeg", "png")
REMEMBERED = 15
# Of what was deleted of one name, a new document is compared with the last so many.
COMPARED = 8
PACKAGES = (".mellel", ".ulysses")
NO_REPLACE, EXCHANGE = 1, 2
# What a document that came back has, or has not: nobody can say when it was about to be forgotten.
AFTER_NOW = object()


class Refused(Exception):
    def __init__(self, number): self.errno = number


def kind_of(name):
    """The kind that a file of this name becomes."""
    if name.startswith("."): return None
    if extension(name) in LINK_FORMS: return "bookmark"
    if extension(name) in IMAGES: return "photo"
    return "text" if name.endswith(".txt") else None


def is_package(folder):
    """In it nothing is a document."""
    while folder is not None:
        if folder.name.endswith(PACKAGES): return True
        folder = folder.parent
    return False


class Stored:
    """A document in the container."""

    def __init__(self, kind, content, tag=None, name=None):
        self.kind, self.content, self.tag, self.name = kind, content, tag, name
        self.url = self.exact = None
        # Whether it may have earlier versions, and whether it is new, and may be one that was deleted.
        self.has_versions = self.is_fresh = False
        # Whether it is among the deleted for sure, when its name does not come back.
        self.is_deleted = False
        # What it is without the draft that it may have.
        self.mode = None
        # Its deletion, by which a plain file knows it; whether it is to come back with a new file, so that no other one gets it; and whether that came so
        # late that it was perhaps deleted before.
        self.deletion, self.is_taken, self.is_unsure = None, False, False


class Folder:
    def __init__(self):
        self.entries, self.parent, self.name = {}, None, ""

    def paths(self):
        if self.parent is None: return [self.name] if self.is_root else []
        return [os.path.join(path, self.name) if path else self.name for path in self.parent.paths()]

    is_root = False


class File:
    def __init__(self, mode):
        self.mode, self.content, self.kind, self.stored, self.base = mode, b"", None, None, None
        # Of its draft, where it has one.
        self.draft = self.unborn = self.changed = self.fault = False
        # Its extended attribute, and one that its draft has.
        self.places, self.tag, self.own, self.time = [], None, None, ("any", 0)
        self.is_linkable = False
        # Whether what is written into a plain file may make it a document: it got its name here, and no file that was found had it.
        self.is_new = False
        # The document that a plain file was, and the deletion of that.
        self.former = None, None

    name = property(lambda self: self.places[0][1] if self.places else None)
    links = property(lambda self: len(self.places))
    is_flagged = property(lambda self: bool(self.kind and self.draft and self.fault and not self.unborn))

    def paths(self): return [os.path.join(path, name) if path else name for folder, name in self.places for path in folder.paths()]


class Open:
    def __init__(self, node, flags, makes=False):
        self.node, self.reads, self.writes = node, flags & os.O_ACCMODE != os.O_WRONLY, flags & os.O_ACCMODE != os.O_RDONLY
        # Who makes a document is waited for, even if he cannot write to it.
        self.counts = self.writes or makes


class Model:
    def __init__(self):
        self.root = Folder()
        self.root.is_root = True
        self.files, self.touched, self.weblocs = {}, [], set()
        # Documents whose name went away: what they were, and when.
        self.away = {}
        # Texts that were deleted, by where they lay in the container. A link's item is never called as another one was, and a photo is no single file.
        self.deleted = {}
        # Names that plain files had which were found, and when they lost them.
        self.plain_names = {}

    def begin(self):
        self.now, self.touched = time.time_ns(), []

    # The tree.
    def walk(self, folder=None, path=""):
        for name, node in sorted((folder or self.root).entries.items()):
            yield path + name, node
            if isinstance(node, Folder): yield from self.walk(node, path + name + "/")

    def find(self, path):
        folder, (*above, name) = self.root, path.split("/") if path else [""]
        for step in above:
            if step not in folder.entries: raise Refused(errno.ENOENT)
            folder = folder.entries[step]
            if not isinstance(folder, Folder): raise Refused(errno.ENOTDIR)
        return folder, name

    def told(self, path):
        """What there is, for the reader of a failure."""
        node = self.lookup(path)
        if not isinstance(node, File): return "nothing" if node is None else "folder"
        return " ".join([node.kind or "plain", f"of {node.links} names", f"with {self.writers(node)} writers", *(what for what in ("draft", "unborn", "fault") if getattr(node, what))])

    def lookup(self, path):
        try: folder, name = self.find(path)
        except Refused: return None
        return folder.entries.get(name)

    def existing(self, path):
        folder, name = self.find(path.rstrip("/"))
        node = folder.entries.get(name) if name else folder
        if node is None: raise Refused(errno.ENOENT)
        self.touch(node)
        return node

    def touch(self, node):
        if node not in self.touched: self.touched.append(node)

    def modify(self, node):
        node.time = ("since", self.now)
        self.touch(node)

    def put(self, node, folder, name):
        folder.entries[name] = node
        if isinstance(node, Folder): node.parent, node.name = folder, name
        else: node.places.append((folder, name))
        self.touch(node)
        self.touch(folder)

    def take(self, folder, name):
        """A name goes. What had it."""
        node = folder.entries.pop(name)
        if isinstance(node, Folder): node.parent = None
        else: node.places.remove((folder, name))
        self.touch(node)
        self.touch(folder)
        return node

    def opened(self, slot):
        node = self.files[slot].node
        self.touch(node)
        return node

    def decides(self, name, *arguments):
        """Whether the model knows what comes of it: what XML is one says another parser, and folders are read elsewhere."""
        paths = [argument for argument in arguments[:2] if isinstance(argument, str)]
        # Nobody can say when a name is about to be forgotten.
        if name in ("open", "rename", "flink", "link") and any(REMEMBERED - 1 < self.age(path, of) < REMEMBERED + 30 for path in paths for of in (self.plain_names, self.away)): return False
        if name == "open": return bool(arguments[2] & (os.O_CREAT | os.O_ACCMODE)) or not isinstance(self.lookup(arguments[1]), Folder)
        if name in ("pwrite", "ftruncate", "fallocate", "copy", "truncate"):
            node = self.lookup(arguments[0]) if name == "truncate" else self.files[arguments[2 if name == "copy" else 0]].node
            if not isinstance(node, File) or extension(node.name or "") != "webloc": return True
            if name == "pwrite" and arguments[2] == 0 and len(arguments[1]) >= len(node.content): content = arguments[1]
            elif name in ("ftruncate", "truncate") and arguments[1] <= len(node.content): content = node.content[:arguments[1]]
            else: return False
            return self.is_decided(node.name, content)
        # What becomes a package, or ceases to be one, is read anew.
        if name == "rename":
            for path, other in (paths, paths[::-1]):
                try: changes = isinstance(self.lookup(path), Folder) and is_package(self.lookup(path)) != (other.endswith(PACKAGES) or is_package(self.find(other)[0]))
                except Refused: changes = False
                if changes: return False
        if name in ("rename", "flink", "link"):
            # Under the other's name it may be looked at.
            nodes = [(self.files[arguments[0]].node if name == "flink" else self.lookup(arguments[0])), self.lookup(arguments[1])]
            return all(self.is_decided(path, node.content) for node in nodes if isinstance(node, File) for path in arguments[:2] if isinstance(path, str))
        return True

    def is_decided(self, path, content):
        try: link_of(path, content, self.weblocs)
        except KeyError: return False
        return True

    # Documents.
    def fits(self, kind, name, content):
        if kind == "bookmark": return link_of(name, content, self.weblocs) is not None
        if kind == "photo": return content.startswith((b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"))
        try: content.decode("utf-8")
        except UnicodeDecodeError: return False
        return True

    def remember(self, stored, folder, name, is_deleted=False):
        if not stored.is_taken: stored.deletion = object()
        stored.is_taken = False
        self.away[id(folder), name] = (stored, time.monotonic(), folder)
        if stored.kind != "text" or any(stored in those for those in self.deleted.values()): return
        stored.is_deleted = is_deleted
        self.deleted.setdefault((folder.paths()[0], stored.name), []).append(stored)

    def forget(self, folder, name): self.away.pop((id(folder), name), None)

    def age(self, path, of):
        try: folder, name = self.find(path)
        except Refused: return 1000
        *_, moment, _ = of.get((id(folder), name), (-1000, None))
        return time.monotonic() - moment

    def was_plain(self, folder, name):
        moment, _ = self.plain_names.get((id(folder), name), (-1000, None))
        return time.monotonic() - moment < REMEMBERED

    def kind_in(self, folder, name):
        """The kind that a new file of this name becomes there."""
        return None if is_package(folder) or self.was_plain(folder, name) else kind_of(name)

    def loses_name(self, node, folder, name):
        if isinstance(node, File) and not node.kind and not node.is_new and kind_of(name): self.plain_names[id(folder), name] = (time.monotonic(), folder)

    def take_away(self, folder, name, kind):
        """The document that had this name a moment ago."""
        stored, moment, _ = self.away.get((id(folder), name), (None, 0, None))
        if stored is None or stored.kind != kind: return None
        del self.away[id(folder), name]
        age = time.monotonic() - moment
        if age > REMEMBERED + 30: return None
        stored.is_unsure = age > REMEMBERED - 1
        if stored.is_unsure: stored.tag = stored.name = AFTER_NOW
        stored.is_taken = True
        return stored

    def awaits_name(self, stored):
        """Whether its name may come back still; None where nobody can say."""
        if any(isinstance(node, File) and node.base is stored for node in [*(node for _, node in self.walk()), *(file.node for file in self.files.values())]): return True
        for other, moment, folder in self.away.values():
            # Those of a folder that is gone wait no more.
            if other is not stored or folder is not self.root and folder.parent is None: continue
            age = time.monotonic() - moment
            return age < REMEMBERED - 1 or (None if age < REMEMBERED + 30 else False)
        return False

    def returned(self, node, folder, name, tag):
        """A new document lies under this name in the container and has this tag: which others are right, because it is one that was deleted with this content."""
        there = self.deleted.get((folder, name), [])
        equal = [stored for stored in reversed(there[-COMPARED:]) if stored.content == node.stored.content and self.awaits_name(stored) is not True]
        right, is_sure, met = [], False, []
        for stored in equal:
            met.append(stored)
            right.append(node.tag or stored.tag)
            # Two histories are not one, and what was replaced may have become a version.
            is_sure = stored.is_deleted and not stored.has_versions and self.awaits_name(stored) is False
            if is_sure: break
        if not is_sure: right.append(node.tag)
        if AFTER_NOW in right: right.append(tag)
        if tag not in right: return right
        if is_sure and len(met) == 1:
            there.remove(met[0])
            met[0].is_taken = True
        else: self.lose_sight(equal)
        node.stored.has_versions = any(stored.has_versions for stored in met)
        node.tag = node.stored.tag = tag
        return right

    def store(self, node, kind, base, is_new=True):
        """Its content is the document's: of the one that it comes into, or of a new one."""
        # What was given to the file stays, beside what the document had.
        own = node.tag if not node.kind or node.unborn else node.own
        stored = Stored(kind, node.content, own or (base and base.tag), base and base.name)
        stored.has_versions, stored.is_fresh = bool(base), kind == "text" and not base and is_new
        for those in self.deleted.values():
            if base in those: those.remove(base)
        if kind == "bookmark":
            name, form = stem(node.name), extension(node.name)
            stored.url = link_of(node.name, node.content, self.weblocs)
            if node.content != canonical(form, name, stored.url): stored.exact = (form, node.content, stored.url, name)
        node.kind, node.stored, node.base, node.mode = kind, stored, None, node.mode & ~0o7111
        stored.mode = node.mode
        node.tag, node.own, node.former = stored.tag, None, (None, None)
        node.draft = node.unborn = node.changed = node.fault = False

    def save(self, node):
        if not node.kind or not node.draft or not node.changed or not node.places: return
        if self.fits(node.kind, node.name, node.content): return self.store(node, node.kind, node.base if node.unborn else node.stored)
        node.changed, node.fault = False, True
        if not node.unborn: raise Refused(errno.EINVAL)

    def try_to_save(self, node):
        try: self.save(node)
        except Refused: pass

    def save_on_the_way(self, node):
        """Another name comes next: nobody sees whether what is saved is a document that was deleted."""
        was = node.stored
        self.try_to_save(node)
        if node.stored is was or not node.stored or not node.stored.is_fresh: return
        node.stored.is_fresh = False
        equal = [stored for those in self.deleted.values() for stored in those if stored.content == node.stored.content]
        if equal and node.tag is None: node.tag = node.stored.tag = AFTER_NOW
        self.lose_sight(equal)

    def lose_sight(self, deleted):
        """One of these has come back, or none."""
        for stored in deleted: stored.is_deleted, stored.is_taken, stored.is_unsure = False, True, True

    def save_if_it_fits_now(self, node):
        """It has another name, which what was refused may fit."""
        if not node.draft or not node.fault or node.changed or not self.fits(node.kind, node.name, node.content): return
        node.changed = True
        if not self.writers(node): self.try_to_save(node)

    def put_back(self, node, stored):
        """The document is back under its name, and what is in the file is its draft."""
        for those in self.deleted.values():
            if stored in those: those.remove(stored)
        stored.deletion, stored.is_taken = None, False
        node.kind, node.stored, node.base, node.mode = stored.kind, stored, None, node.mode & ~0o7111
        node.own, node.tag, node.former = node.tag, stored.tag, (None, None)
        node.draft = node.fault = True
        node.unborn = False

    def become_plain(self, node):
        """What does not fit is a plain file, but never in the place of a document."""
        if node.base and kind_of(node.name) == node.kind: return self.put_back(node, node.base)
        if node.base: self.remember(node.base, *node.places[0])
        node.kind = node.stored = node.base = None
        node.draft = node.unborn = node.changed = node.fault = False

    def adopt(self, node, kind, base, is_there=False):
        """`is_there`: the base is a document that has the name now, and stays the one that it is."""
        former, deletion = node.former
        if former and not is_there and former.kind == kind and former.deletion is deletion:
            if not former.is_taken:
                if base: base.is_taken = False
                former.is_taken, base = True, former
                # Its name does not come back any more.
                for key in [key for key, (stored, *_) in self.away.items() if stored is former]: del self.away[key]
            elif former.is_unsure:
                if base: base.is_unsure = True
                base = Stored(kind, b"", AFTER_NOW, AFTER_NOW)
        self.store(node, kind, base)

    def begin_draft(self, node):
        """Somebody writes to it."""
        if node.kind:
            node.draft = node.changed = True
            if node.places: self.touch(node)

    def rename_stored(self, node, name):
        """A document under another name of its kind: a link may be shown in another form."""
        stored = node.stored
        if node.kind != "bookmark": return
        form = extension(name)
        if stored.exact: stored.exact = (*stored.exact[:3], stem(name))
        if node.draft: return
        node.content = stored.exact[1] if stored.exact and stored.exact[0] == form else canonical(form, stem(name), stored.url)
        if form == "webloc": self.weblocs.add(node.content)

    def reopen(self):
        """Mounted anew: nothing is remembered, and what was emptied to be written anew, and never was, is as it was."""
        self.away.clear()
        self.plain_names.clear()
        for _, node in self.walk():
            if isinstance(node, File): node.is_new = False
            if isinstance(node, File) and node.is_flagged and not node.content:
                node.draft = node.fault = False
                node.content, node.tag, node.time = node.stored.content, node.stored.tag, ("any", 0)
                if node.stored.mode is not None: node.mode = node.stored.mode
                self.rename_stored(node, node.name)
            # Whoever mounts looks at each once more.
            elif isinstance(node, File) and node.is_flagged and self.fits(node.kind, node.name, node.content): self.store(node, node.kind, node.stored)

    def writers(self, node): return sum(1 for file in self.files.values() if file.node is node and file.counts)

    # Calls on what is open.
    def open(self, slot, path, flags, mode):
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            node = File(mode)
            node.is_linkable = node.is_new = True
            node.time = ("since", self.now)
            self.files[slot] = Open(node, flags)
            return
        folder, name = self.find(path)
        node = folder.entries.get(name)
        if node:
            self.touch(node)
            if flags & os.O_CREAT and flags & os.O_EXCL: raise Refused(errno.EEXIST)
            if isinstance(node, Folder):
                raise Refused(errno.EISDIR)
            if flags & os.O_TRUNC:
                self.begin_draft(node)
                node.content = b""
                self.modify(node)
        else:
            if not flags & os.O_CREAT: raise Refused(errno.ENOENT)
            node = File(mode)
            kind = self.kind_in(folder, name)
            if kind:
                node.is_new = True
                node.kind, node.mode, node.draft, node.unborn, node.changed = kind, mode & 0o666, True, True, True
                node.base = self.take_away(folder, name, kind)
            else: self.forget(folder, name)
            self.put(node, folder, name)
            self.modify(node)
            self.files[slot] = Open(node, flags, node.unborn)
            return
        self.files[slot] = Open(node, flags)

    def close(self, slot):
        file = self.files.pop(slot)
        node = file.node
        self.touch(node)
        if not file.counts: return
        refusal = None
        # What is empty, and may be, is saved by the last who has it for writing: somebody may be about to write.
        awaits = node.places and node.kind and node.draft and node.changed and node.content == b"" and self.writers(node) > 0 and self.fits(node.kind, node.name, b"")
        if node.kind and not awaits:
            try:
                self.save(node)
                if node.draft and node.fault and not node.unborn and node.places: raise Refused(errno.EINVAL)
            except Refused as error: refusal = error
        if self.writers(node) == 0 and node.places:
            if node.kind and node.unborn:
                self.become_plain(node)
                if node.is_flagged and node.content: refusal = Refused(errno.EINVAL)
            elif not node.kind and node.is_new and self.kind_in(*node.places[0]):
                away = self.take_away(*node.places[0], kind_of(node.name))
                self.adopt_if_it_fits(node, away)
                if away and not node.kind: self.remember(away, *node.places[0])
        if refusal: raise refusal

    def adopt_if_it_fits(self, node, base=None):
        kind = kind_of(node.name)
        if kind and node.links == 1 and self.fits(kind, node.name, node.content): self.adopt(node, kind, base)

    def change(self, node, content):
        self.begin_draft(node)
        node.content = content
        self.modify(node)

    def pwrite(self, slot, data, offset):
        node = self.opened(slot)
        if not self.files[slot].writes: raise Refused(errno.EBADF)
        if data: self.change(node, node.content[:offset].ljust(offset, b"\0") + data + node.content[offset + len(data):])
        return len(data)

    def ftruncate(self, slot, size):
        node = self.opened(slot)
        if not self.files[slot].writes: raise Refused(errno.EINVAL)
        self.change(node, node.content[:size].ljust(size, b"\0"))

    def truncate(self, path, size):
        node = self.existing(path)
        if isinstance(node, Folder): raise Refused(errno.EISDIR)
        same = size == len(node.content)
        self.change(node, node.content[:size].ljust(size, b"\0"))
        # Cutting to the same length may be a change, or none.
        if same: node.time = ("any", 0)
        # Who has it open for writing saves it when he closes it.
        if node.kind and self.writers(node) == 0: self.try_to_save(node)

    def fallocate(self, slot, offset, size):
        node = self.opened(slot)
        if not self.files[slot].writes: raise Refused(errno.EBADF)
        self.change(node, node.content.ljust(offset + size, b"\0"))
        node.time = ("any", 0)

    def copy(self, slot, offset, other, place, size):
        source, target = self.opened(slot), self.opened(other)
        if not self.files[slot].reads or not self.files[other].writes: raise Refused(errno.EBADF)
        size = max(0, min(size, len(source.content) - offset))
        if source is target and offset + size > place and place + size > offset: raise Refused(errno.EINVAL)
        if size: self.pwrite(other, source.content[offset:offset + size], place)
        return size

    def fsync(self, slot):
        node = self.opened(slot)
        # What is parsed is saved at once, where there is a document already.
        if node.kind in ("bookmark",) and node.places and (node.base or not node.unborn): self.try_to_save(node)

    def futime(self, slot, moment): self.opened(slot).time = ("at", moment)

    # Names.
    def mkdir(self, path):
        folder, name = self.free(path)
        self.forget(folder, name)
        self.put(Folder(), folder, name)

    def free(self, path):
        folder, name = self.find(path)
        if name in folder.entries: raise Refused(errno.EEXIST)
        return folder, name

    def rmdir(self, path):
        folder, name = self.find(path)
        node = folder.entries.get(name)
        if node is None: raise Refused(errno.ENOENT)
        if not isinstance(node, Folder): raise Refused(errno.ENOTDIR)
        if node.entries: raise Refused(errno.ENOTEMPTY)
        self.take(folder, name)

    def unlink(self, path):
        folder, name = self.find(path)
        node = folder.entries.get(name)
        if node is None: raise Refused(errno.ENOENT)
        if isinstance(node, Folder): raise Refused(errno.EISDIR)
        self.leave(node, folder, name, is_deleted=True)
        self.loses_name(node, folder, name)
        self.take(folder, name)

    def leave(self, node, folder, name, is_deleted=False):
        """A document's name is about to go: it is remembered."""
        if not node.kind: return
        self.save_before_it_goes(node)
        stored = node.base if node.unborn else node.stored
        if stored: self.remember(stored, folder, name, is_deleted)

    def save_before_it_goes(self, node):
        """What was only emptied is about to be written, and so is the rest of an image that somebody writes."""
        is_half = node.kind == "photo" and self.writers(node) > 0 and self.fits(node.kind, node.name, node.content)
        if node.draft and not node.unborn and node.content and not is_half: self.try_to_save(node)

    def link(self, old, new):
        node = self.existing(old)
        folder, name = self.free(new)
        if isinstance(node, Folder) or node.kind: raise Refused(errno.EPERM)
        node.is_new = bool(self.kind_in(folder, name))
        self.forget(folder, name)
        self.put(node, folder, name)

    def flink(self, slot, path):
        node = self.opened(slot)
        folder, name = self.free(path)
        if not node.places and not node.is_linkable: raise Refused(errno.ENOENT)
        if node.kind: raise Refused(errno.EPERM)
        node.is_linkable = False
        node.is_new = bool(self.kind_in(folder, name))
        self.forget(folder, name)
        self.put(node, folder, name)

    def rename(self, old, new, flags):
        (source, name), (target, new_name) = self.find(old), self.find(new)
        node, other = source.entries.get(name), target.entries.get(new_name)
        if node is None: raise Refused(errno.ENOENT)
        if flags & NO_REPLACE and other is not None: raise Refused(errno.EEXIST)
        if flags & EXCHANGE and other is None: raise Refused(errno.ENOENT)
        if isinstance(node, Folder) and self.is_below(target, node): raise Refused(errno.EINVAL)
        if isinstance(other, Folder) and self.is_below(source, other): raise Refused(errno.EINVAL if flags & EXCHANGE else errno.ENOTEMPTY)
        if node is other: return
        for one in (node, other, source, target):
            if one is not None: self.touch(one)
        if flags & EXCHANGE: return self.exchange((node, source, name), (other, target, new_name))
        if other is not None:
            if isinstance(node, Folder) and not isinstance(other, Folder): raise Refused(errno.ENOTDIR)
            if isinstance(other, Folder) and not isinstance(node, Folder): raise Refused(errno.EISDIR)
            if isinstance(other, Folder) and other.entries: raise Refused(errno.ENOTEMPTY)
        if isinstance(node, Folder): self.forget(target, new_name)
        else:
            is_plain_name = isinstance(other, File) and not other.kind and not other.is_new if other is not None else self.was_plain(target, new_name)
            kind = None if is_plain_name else self.kind_in(target, new_name)
            was_kind, was_found, is_free = node.kind, not node.kind and not node.is_new, other is None or other.is_new
            self.rename_file(node, (source, name), (target, new_name), other, kind, is_plain_name)
            if was_found and kind_of(name): self.plain_names[id(source), name] = (time.monotonic(), source)
            if not was_kind or not node.kind: node.is_new = bool(kind) and is_free and not (node.kind and was_found)
            return
        self.move(node, (source, name), (target, new_name))

    def rename_file(self, node, old, new, other, kind, is_plain_name):
        if node.kind: self.rename_document(node, old, new, other, kind, is_plain_name and node.is_new or is_package(new[0]))
        else: self.rename_plain(node, old, new, other, kind)

    def is_below(self, folder, above):
        while folder is not None:
            if folder is above: return True
            folder = folder.parent
        return False

    def move(self, node, old, new):
        if new[1] in new[0].entries: self.take(*new)
        self.take(*old)
        self.put(node, *new)
        if not isinstance(node, Folder): node.places.insert(0, node.places.pop())

    def rename_plain(self, node, old, new, other, kind):
        is_document = isinstance(other, File) and other.kind
        if is_document and not other.unborn: kind = kind or other.kind
        adopted = kind and node.links == 1 and self.fits(kind, new[1], node.content)
        if is_document and kind and not adopted: raise Refused(errno.EMEDIUMTYPE)
        # What is refused leaves all as it was.
        if is_document: self.save_before_it_goes(other)
        if not adopted:
            base = self.take_away(*new, kind) if kind and other is None and node.links == 1 else None
            if base:
                self.move(node, old, new)
                return self.put_back(node, base)
            if is_document and other.base: self.leave(other, *new)
            else: self.forget(*new)
            return self.move(node, old, new)
        base = (other.base if other.unborn else other.stored) if is_document else self.take_away(*new, kind)
        self.move(node, old, new)
        self.adopt(node, kind, base, is_document and not other.unborn)

    def rename_document(self, node, old, new, other, kind, is_for_plain):
        self.save_on_the_way(node)
        is_document = isinstance(other, File) and other.kind
        keeps = kind_of(new[1]) == node.kind and not is_for_plain
        if not keeps and is_document and not other.unborn and not self.fits(other.kind, new[1], node.content): raise Refused(errno.EMEDIUMTYPE)
        if is_document: self.save_before_it_goes(other)
        if node.unborn:
            if node.base: self.remember(node.base, *old)
            node.base = None
            takes_place = keeps and is_document and other.kind == node.kind and not other.unborn
            if is_document and not takes_place: self.leave(other, *new)
            if other is None and keeps: node.base = self.take_away(*new, node.kind)
            self.move(node, old, new)
            if takes_place: node.stored, node.unborn, node.own, node.tag = other.stored, False, node.tag, other.stored.tag
            if not keeps: self.become_plain(node)
            else: self.save_if_it_fits_now(node)
            return
        if is_document and (other.base or other.stored): self.leave(other, *new)
        else: self.forget(*new)
        if keeps:
            # What becomes a version of it was not deleted.
            if is_document: node.stored.has_versions = True
            self.rename_stored(node, new[1])
            self.move(node, old, new)
            return self.save_if_it_fits_now(node)
        self.remember(node.stored, *old)
        if node.own: node.tag, node.own = node.own, None
        node.former = node.stored, node.stored.deletion
        node.kind = node.stored = None
        node.draft = node.changed = node.fault = False
        self.move(node, old, new)
        if kind and self.writers(node) == 0: self.adopt_if_it_fits(node)

    def exchange(self, one, two):
        for node, _, _ in (one, two):
            if isinstance(node, File) and node.kind:
                self.save_on_the_way(node)
                if node.unborn: self.become_plain(node)
        were_new = [isinstance(node, File) and node.is_new for node, _, _ in (one, two)]
        if not (self.stays(one[0], two) and self.stays(two[0], one)):
            arrivals = self.arrival(one, two), self.arrival(two, one)
            for _, folder, name in (one, two): self.forget(folder, name)
        else: arrivals = None, None
        stored = [getattr(node, "stored", None) for node, _, _ in (one, two)]
        for node, folder, name in (one, two): self.take(folder, name)
        for (node, _, _), (_, folder, name), arrival, base in ((one, two, arrivals[0], stored[1]), (two, one, arrivals[1], stored[0])):
            self.put(node, folder, name)
            if not isinstance(node, Folder): node.places.insert(0, node.places.pop())
            if arrival == "itself" and getattr(node, "kind", None): self.rename_stored(node, name)
            elif arrival in ("into", "new"):
                if node.kind: node.own = None if arrival == "into" else node.own or node.tag
                self.store(node, kind_of(name), base if arrival == "into" else None, is_new=False)
            elif arrival == "plain" and node.kind:
                if node.own: node.tag, node.own = node.own, None
                node.kind = node.stored = None
                node.draft = node.changed = node.fault = False
        for (node, _, _), was_new in ((one, were_new[1]), (two, were_new[0])):
            if isinstance(node, File) and not node.kind: node.is_new = was_new

    def new_kind(self, party):
        """What a file becomes that takes the name of this one."""
        node, folder, name = party
        return None if isinstance(node, File) and not node.kind and not node.is_new else self.kind_in(folder, name)

    def stays(self, node, other):
        """It is what it was under the other's name, whatever is in it."""
        if isinstance(other[0], File) and other[0].kind: return False
        if isinstance(node, Folder) or node.links > 1 and not node.kind: return True
        return not node.kind and not self.new_kind(other)

    def arrival(self, party, other):
        node, there = party[0], other[0]
        if isinstance(node, Folder) or node.links > 1 or node.kind and node.kind == kind_of(other[2]) and not is_package(other[1]): return "itself"
        is_document = isinstance(there, File) and there.kind
        kind = is_document or self.new_kind(other)
        # One that goes along under the other name is not there to be written to.
        if kind and self.fits(kind, other[2], node.content): return "into" if is_document and kind_of(party[2]) != there.kind else "new"
        if is_document: raise Refused(errno.EMEDIUMTYPE)
        return "plain"

    # Attributes.
    def chmod(self, path, mode):
        node = self.existing(path)
        if isinstance(node, Folder): return
        node.mode = mode & 0o666 if node.kind else mode
        if node.kind and node.stored: node.stored.mode = node.mode

    def utime(self, path, moment):
        node = self.existing(path)
        if not isinstance(node, Folder): node.time = ("at", moment)

    def setxattr(self, path, value):
        node = self.existing(path)
        if isinstance(node, Folder): return
        node.tag = value
        if node.stored: node.stored.tag = value
