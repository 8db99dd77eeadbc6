import PropertyLists

/// The package in a ZIP from any program. Making this checks everything but the contents. Reading a content checks it.
public struct ZipReader: Sendable {
    public let shape: PackageShape
    /// The entries without the package's own name, and folders that are not listed with the others.
    public let tree: PackageTree
    /// The extended attributes of the package's folder, as a Mac writes them into a file beside it.
    public let appleDouble: Content?
    private let source: any ByteSource
    private let contents: [Content]

    /// Where an entry's bytes are.
    public struct Content: Sendable {
        let name: [UInt8]
        let start: Int64
        let packed: Int64
        public let length: Int64
        let isDeflated: Bool
        let sum: UInt32
    }

    /// The extensions are those of the document's kind: a folder at the top that has one is the package itself.
    public init(_ source: any ByteSource, extensions: [String], limits: ZipLimits = .standard) throws(ZipFault) {
        let rows = try ZipDirectory(source, limits).rows
        let areOurs = rows.allSatisfy(\.isOurs), here = Array("./".utf8)
        // Some programs begin each path where they are.
        let skipped = rows.allSatisfy { $0.name.starts(with: here) } ? here.count : 0
        // Valise's own are bare, whatever lies at their top.
        let shape = areOurs ? .bare : PackageShape(of: rows.map { Array($0.name.dropFirst(skipped)) }, extensions: extensions)
        var found: [(entry: PackageEntry, content: Content)] = [], beside: Content?, hasFolder = false
        found.reserveCapacity(rows.count)
        for row in rows {
            let content = Content(row)
            switch try Self.place(of: row, Array(row.name.dropFirst(skipped)), shape, areOurs) {
            case .nowhere: continue
            case .folder:
                if hasFolder { throw .refused("\(row.shown) is there twice.") }
                hasFolder = true
            case .beside:
                if beside != nil { throw .refused("\(row.shown) is there twice.") }
                beside = content
            case .inside(let path): found.append((try Self.entry(row, path, ZipContent(source, content)), content))
            }
        }
        try Self.addFolders(to: &found, limits)
        found.sort { $0.entry.path.lexicographicallyPrecedes($1.entry.path) }
        tree = try PackageTree(found.map(\.entry))
        contents = found.map(\.content)
        (self.shape, self.source, appleDouble) = (shape, source, beside)
    }

    private enum Place {
        case inside([UInt8])
        /// The package itself.
        case folder
        /// The extended attributes of the package itself.
        case beside
        /// A folder in which a Mac keeps extended attributes.
        case nowhere
    }

    private static func place(of row: ZipDirectory.Row, _ name: [UInt8], _ shape: PackageShape, _ areOurs: Bool) throws(ZipFault) -> Place {
        var name = name, prefix = shape.prefix
        if name.isEmpty, row.isFolder { return .folder }
        if !areOurs, let moved = AppleDouble.moved(name) {
            if row.isFolder { return .nowhere }
            guard AppleDouble.isOne(moved) else { throw .refused("\(row.shown) lies in “__MACOSX”, which may only hold files that begin with “._”.") }
            name = moved
        }
        // No other “..” is left.
        if case .besideFolder = shape {
            if name.starts(with: prefix) { name = Array(name.dropFirst(3)) }
            prefix = Array(prefix.dropFirst(3))
        }
        if row.isFolder { name = Array(name.dropLast()) }
        try PackageTree.checkNames(of: name, as: row.name)
        if prefix.isEmpty { return .inside(name) }
        if row.isFolder, name == prefix.dropLast() { return .folder }
        if name.starts(with: prefix) { return .inside(Array(name.dropFirst(prefix.count))) }
        guard name == AppleDouble.name(of: prefix.dropLast()) else { throw .refused("\(row.shown) lies beside the package.") }
        return .beside
    }

    private static func entry(_ row: ZipDirectory.Row, _ path: [UInt8], _ content: ZipContent) throws(ZipFault) -> PackageEntry {
        let kind: PackageEntry.Kind
        switch row.mode & UnixType.mask {
        case _ where row.isFolder && [UnixType.folder, 0].contains(row.mode & UnixType.mask):
            if row.length > 0 { throw .damaged("\(row.shown) is a folder with a content.") }
            kind = .folder
        case UnixType.file where !row.isFolder, 0: kind = .file(length: row.length)
        case UnixType.link where !row.isFolder:
            guard row.length <= Int64(PackageTree.longestTarget) else {
                throw .refused("\(row.shown) is a link to more than \(PackageTree.longestTarget) bytes.")
            }
            var target: [UInt8] = [], reading = content
            while let more = try reading.next() { target += more }
            kind = .link(target: target)
        case UnixType.file, UnixType.link, UnixType.folder: throw .damaged("\(row.shown) is marked as a folder in one place and as something else in another.")
        default: throw .refused("\(row.shown) is a special file, which a package cannot hold.")
        }
        let mode = UInt16(truncatingIfNeeded: row.mode == 0 ? row.isFolder ? 0o755 : 0o644 : row.mode)
        return PackageEntry(path: path, kind: kind, mode: mode, modified: row.modified, attributes: row.attributes)
    }

    /// Many programs list no folders, or not all. They are as old as the first that lies in them.
    private static func addFolders(to found: inout [(entry: PackageEntry, content: Content)], _ limits: ZipLimits) throws(ZipFault) {
        var listed = Set(found.lazy.map(\.entry.path)), last: ArraySlice<UInt8> = [], room = limits.directory
        for index in found.indices {
            var folder = PackageTree.folder(of: found[index].entry.path)
            if folder == last { continue }
            last = folder
            while !folder.isEmpty, listed.insert(Array(folder)).inserted {
                let entry = PackageEntry(path: Array(folder), kind: .folder, mode: 0o755, modified: found[index].entry.modified)
                found.append((entry, Content(unlisted: entry.path)))
                room -= Int64(folder.count)
                if room < 0 || found.count > limits.entries {
                    throw .excessive("The ZIP has more than \(limits.entries) entries and folders for them.")
                }
                folder = PackageTree.folder(of: entry.path)
            }
        }
    }

    /// The bytes of an entry of the tree, from its beginning; of a folder none.
    public func content(of index: Int) -> ZipContent { ZipContent(source, contents[index]) }

    /// Those of the file beside the package.
    public func content(_ content: Content) -> ZipContent { ZipContent(source, content) }

    /// Whether the ZIP is byte for byte what Valise makes of these entries. This reads no content: reading one checks its checksum.
    public func isOwn() throws(ZipFault) -> Bool {
        guard shape == .bare, appleDouble == nil, !contents.contains(where: \.isDeflated) else { return false }
        let layout = try ZipLayout(tree)
        guard layout.byteCount == source.byteCount else { return false }
        var offset: Int64 = 0
        while offset < layout.byteCount {
            let pieces = layout.pieces(of: offset..<(offset + 1 << 16)) { contents[$0].sum }
            for piece in pieces {
                switch piece {
                case .content(_, _, let length): offset += length
                case .bytes(let bytes):
                    var reader = SourceReader(source, from: offset, to: layout.byteCount, window: 1)
                    guard try reader.bytes(bytes.count) == bytes else { return false }
                    offset += Int64(bytes.count)
                }
            }
        }
        return true
    }
}

extension ZipReader.Content {
    init(_ row: ZipDirectory.Row) {
        (name, start, packed, length, sum) = (row.name, row.start, row.packed, row.length, row.sum)
        isDeflated = row.method == ZipDirectory.Row.Method.deflated
    }

    /// Of a folder that is not listed.
    init(unlisted path: [UInt8]) { (name, start, packed, length, isDeflated, sum) = (path, 0, 0, 0, false, 0) }
}
