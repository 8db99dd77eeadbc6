import Glibc

/// An open file, owned: it is closed exactly once, when its owner lets go of it.
///
/// The calls on it are in the other `Descriptor+` files. Those that take a name look in this
/// folder only and never follow a symbolic link.
public struct Descriptor: ~Copyable, Sendable {
    public let rawValue: Int32

    /// Takes over a descriptor that nobody else will close.
    public init(adopting rawValue: Int32) { self.rawValue = rawValue }

    deinit { _ = Glibc.close(rawValue) }

    /// Gives the descriptor away without closing it.
    public consuming func release() -> Int32 {
        let value = rawValue
        discard self
        return value
    }

    /// Closes now, and tells what `deinit` could not: a store that reports its errors late (NFS, quotas).
    public consuming func close() throws(Errno) {
        let value = rawValue
        discard self
        // Linux frees the number even when it is interrupted, so this is not tried again.
        guard Glibc.close(value) == 0 || Errno.current == .interrupted else { throw .current }
    }

    public borrowing func duplicate() throws(Errno) -> Descriptor {
        let raw = rawValue
        return Descriptor(adopting: try retrying { fcntlSet(raw, F_DUPFD_CLOEXEC, 0) })
    }
}

/// An open file that several hold: closed when the last of them lets go.
public final class OpenFile: Sendable {
    public let descriptor: Descriptor

    public init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// A folder by its names from this one on, through no symbolic link. Without names it is this one.
    public func folder(at path: some Sequence<Name>) throws(Errno) -> OpenFile {
        var folder = self
        for name in path { folder = OpenFile(try folder.descriptor.open(name, [.path, .folder])) }
        return folder
    }

    /// The same, and on no other mount than this folder.
    public func folderWithinMount(at path: some Sequence<Name>) throws(Errno) -> OpenFile {
        var folder = self
        for name in path { folder = OpenFile(try folder.descriptor.openWithinMount(name, [.path, .folder])) }
        return folder
    }
}

/// The folders on the way to the one that was opened last. For a walk through a tree of folders: each is opened from its parent, so that a deep one
/// takes no more calls than any other. One thread has it.
public final class FolderChain {
    private let top: OpenFile
    private var open: [(name: Name, place: OpenFile)] = []
    /// How many folders were opened.
    public private(set) var opens = 0

    public init(from top: OpenFile) { self.top = top }

    /// The same as `OpenFile.folder(at:)`. What is on the way there and was opened before is taken as it was then. `passing` is asked of each folder that
    /// is opened.
    public func folder(at path: some Collection<Name>, passing check: (OpenFile) throws(Errno) -> Void = { _ in }) throws(Errno) -> OpenFile {
        var shared = 0
        for (name, known) in zip(path, open) {
            guard name == known.name else { break }
            shared += 1
        }
        open.removeLast(open.count - shared)
        for name in path.dropFirst(shared) {
            let inner = OpenFile(try (open.last?.place ?? top).descriptor.open(name, [.path, .folder]))
            opens += 1
            try check(inner)
            open.append((name, inner))
        }
        return open.last?.place ?? top
    }
}
