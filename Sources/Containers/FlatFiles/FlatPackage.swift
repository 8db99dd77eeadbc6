import Documents
import LinuxFiles
import PropertyLists
import ZipFiles

/// A package as one flat file: a ZIP that is never built (docs/FORMATS.md). What is in the package, and so the ZIP's length, is fixed when the
/// package is looked at. Its bytes are read where they lie.
///
/// A part that is another one by now, or was written to, cannot be read any more (ESTALE): nobody gets some of the old ZIP and some of a new one.
public final class FlatPackage: ByteSource {
    /// The package's folder, wherever it is by now.
    public let folder: OpenFile
    /// What a drive shows: a regular file with the folder's number, the ZIP's length and the newest times of all in the package.
    public let status: FileStatus
    private let layout: ZipLayout
    /// What each entry of the tree was, and its path.
    private let parts: [(stamp: ReadingMemory.Part, path: [Name])]
    private let sums: PartSums
    /// Those of parts that changed too shortly ago to be remembered by all, by the entries' places. One that is forgotten is found again.
    private let found = Latest<[Int: UInt32]>([:])

    public var byteCount: Int64 { layout.byteCount }
    var tree: PackageTree { layout.tree }

    /// Looks at names, lengths, times and attributes; no file is opened.
    public init(_ folder: OpenFile, _ form: FlatForm, _ sums: PartSums = .known) throws(DocumentFault) {
        var walk: PackageWalk?
        // Who changes it meanwhile may take away what was just listed.
        for _ in 0..<Self.mostTries where walk == nil { walk = try PackageWalk.through(folder, form) }
        guard let walk else { throw .unreadable(Errno.noSuchEntry.rawValue) }
        do throws(ZipFault) { layout = try ZipLayout(PackageTree(walk.found.map(\.entry))) } catch { throw .damaged(error.sentence) }
        var places: [[UInt8]: Int] = [:]
        for (index, item) in walk.found.enumerated() { places[item.entry.path] = index }
        parts = layout.tree.entries.map { entry in
            let item = walk.found[places[entry.path] ?? 0]
            return (ReadingMemory.Part(item.status), item.path)
        }
        status = Self.shown(walk, length: layout.byteCount)
        (self.folder, self.sums) = (folder, sums)
    }

    private static let mostTries = 4

    private static func shown(_ walk: PackageWalk, length: Int64) -> FileStatus {
        var shown = walk.top
        shown.size = length
        shown.blocks = FileStatus.blocks(of: length)
        shown.links = 1
        // Who may read the file may read all that is in it.
        var readable = readableBy(walk.top)
        for item in walk.found {
            shown.modified = max(shown.modified, item.status.modified)
            shown.changed = max(shown.changed, item.status.changed)
            guard item.status.type != .symbolicLink else { continue }
            var own = readableBy(item.status)
            // Of what belongs to somebody else, only what everybody may do counts.
            if item.status.owner != walk.top.owner || item.status.group != walk.top.group { own = (own & 0o004) * 0o111 }
            readable &= own
        }
        shown.mode = regularFile | readable | walk.top.permissions & 0o222
        return shown
    }

    private static func readableBy(_ status: FileStatus) -> UInt32 {
        let readable = status.permissions & 0o444
        return status.type == .folder ? readable & (status.permissions & 0o111) << 2 : readable
    }

    private static let regularFile: UInt32 = 0o100000

    /// Whether the ZIP says the same of all that is in it.
    public func isSame(as other: FlatPackage) -> Bool { tree == other.tree }

    // MARK: Its bytes

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SourceFailure) {
        guard offset >= 0, offset <= byteCount, Int64(buffer.count) <= byteCount - offset else { throw .ended }
        let pieces = try layout.pieces(of: offset..<(offset + Int64(buffer.count))) { (index) throws(SourceFailure) in try sum(of: index) }
        var filled = 0
        for piece in pieces {
            switch piece {
            case .bytes(let bytes):
                // SAFETY: the pieces together are as long as the buffer, and the slice is checked.
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<(filled + bytes.count)]).copyBytes(from: bytes)
                filled += bytes.count
            case .content(let entry, let start, let length):
                let end = filled + Int(length)
                try reading(entry) { (file) throws(Errno) in
                    // SAFETY: as above; what is not filled is told by the count.
                    let count = try unsafe file.descriptor.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<end]), at: start)
                    guard count == end - filled else { throw .stale }
                }
                filled = end
            }
        }
    }

    /// Runs `body` with a part's file, which is what it was when the package was looked at, before and afterwards.
    private func reading(_ index: Int, _ body: (OpenFile) throws(Errno) -> Void) throws(SourceFailure) {
        let (stamp, path) = parts[index]
        guard let name = path.last else { throw SourceFailure(errno: Errno.stale.rawValue) }
        do throws(Errno) {
            let file = OpenFile(try folder.folder(at: path.dropLast()).descriptor.openUntraced(name, [.read, .nonBlocking]))
            guard try ReadingMemory.Part(file.descriptor.status()) == stamp else { throw .stale }
            try body(file)
            guard try ReadingMemory.Part(file.descriptor.status()) == stamp else { throw .stale }
        } catch {
            let isGone = [.noSuchEntry, .notDirectory, .tooManySymbolicLinks].contains(error)
            throw SourceFailure(errno: isGone ? Errno.stale.rawValue : error.rawValue)
        }
    }

    private func sum(of index: Int) throws(SourceFailure) -> UInt32 {
        let (stamp, _) = parts[index]
        if let sum = found.value[index] ?? sums.sum(of: stamp) { return sum }
        var sum = CRC32(), isSettled = true
        try reading(index) { (file) throws(Errno) in
            var offset: Int64 = 0
            while offset < stamp.size {
                let bytes = try file.descriptor.read(at: offset, count: Int(min(Self.chunk, stamp.size - offset)))
                if bytes.isEmpty { throw .stale }
                sum.add(bytes)
                offset += Int64(bytes.count)
            }
            isSettled = try !file.descriptor.status().isUnsettled
        }
        let value = sum.value
        if !isSettled { found.set(found.value.merging([index: value]) { $1 }) }
        if isSettled { sums.remember(value, of: stamp) }
        return value
    }

    private static let chunk: Int64 = 1 << 20
}

extension ByteSource {
    /// Writes all of it into a file.
    public func copyAll(to file: borrowing Descriptor, at start: Int64) throws(Errno) {
        var offset: Int64 = 0
        while offset < byteCount {
            let bytes: [UInt8]
            do throws(SourceFailure) { bytes = try self.bytes(at: offset, count: Int(min(1 << 20, byteCount - offset))) } catch {
                throw error.errno.map(Errno.init) ?? .stale
            }
            try file.write(bytes, at: start + offset)
            offset += Int64(bytes.count)
        }
    }

    public func hasSameBytes(as other: any ByteSource) throws(Errno) -> Bool {
        guard byteCount == other.byteCount else { return false }
        var offset: Int64 = 0
        while offset < byteCount {
            let count = Int(min(1 << 20, byteCount - offset))
            do throws(SourceFailure) { guard try bytes(at: offset, count: count) == other.bytes(at: offset, count: count) else { return false } } catch {
                throw error.errno.map(Errno.init) ?? .stale
            }
            offset += Int64(count)
        }
        return true
    }
}
