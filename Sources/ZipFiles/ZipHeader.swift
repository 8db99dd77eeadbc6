/// The records of a ZIP as Valise writes them (docs/FORMATS.md).
enum ZipHeader {
    private static let unix: UInt64 = 3
    /// The version of the format that has all that is written.
    private static let version: UInt64 = 45
    private static let utf8Flag: UInt64 = 1 << 11

    static func localLength(of entry: PackageEntry) -> Int { 30 + nameLength(of: entry) + ZipExtras.localLength(of: entry) }

    static func centralLength(of entry: PackageEntry, at offset: Int64) -> Int {
        46 + nameLength(of: entry) + ZipExtras.centralLength(of: entry, at: offset)
    }

    /// What stands before an entry's content.
    static func local(of entry: PackageEntry, sum: UInt32) -> [UInt8] {
        let name = name(of: entry), extras = ZipExtras.local(of: entry)
        var writer = ZipWriter()
        writer.add(ZipMark.local, 4)
        addShared(of: entry, name, sum, isLong: entry.length >= ZipMark.elsewhere32, extras.count, to: &writer)
        writer.add(name)
        writer.add(extras)
        return writer.bytes
    }

    /// What stands in the directory.
    static func central(of entry: PackageEntry, at offset: Int64, sum: UInt32) -> [UInt8] {
        let name = name(of: entry), extras = ZipExtras.central(of: entry, at: offset)
        var writer = ZipWriter()
        writer.add(ZipMark.central, 4)
        writer.add(unix << 8 | version, 2)
        addShared(of: entry, name, sum, isLong: entry.length >= ZipMark.elsewhere32 || offset >= ZipMark.elsewhere32, extras.count, to: &writer)
        // No comment, on the first disk, nothing said of text.
        writer.add(0, 6)
        writer.add(attributes(of: entry), 4)
        writer.add(min(offset, ZipMark.elsewhere32), 4)
        writer.add(name)
        writer.add(extras)
        return writer.bytes
    }

    private static func addShared(of entry: PackageEntry, _ name: [UInt8], _ sum: UInt32, isLong: Bool, _ extras: Int, to writer: inout ZipWriter) {
        writer.add(isLong ? version : 20, 2)
        writer.add(hasUTF8Flag(entry.path) ? utf8Flag : 0, 2)
        writer.add(0, 2)
        writer.add(ZipExtras.dosTime(of: entry.modified), 4)
        writer.add(UInt64(sum), 4)
        writer.add(min(entry.length, ZipMark.elsewhere32), 4)
        writer.add(min(entry.length, ZipMark.elsewhere32), 4)
        writer.add(name.count, 2)
        writer.add(extras, 2)
    }

    /// What stands behind the directory.
    static func end(count: Int, from start: Int64, to end: Int64) -> [UInt8] {
        var writer = ZipWriter()
        if count >= ZipMark.elsewhere16 || start >= ZipMark.elsewhere32 || end - start >= ZipMark.elsewhere32 {
            writer.add(ZipMark.end64, 4)
            writer.add(44, 8)
            writer.add(unix << 8 | version, 2)
            writer.add(version, 2)
            writer.add(0, 8)
            writer.add(count, 8)
            writer.add(count, 8)
            writer.add(end - start, 8)
            writer.add(start, 8)
            writer.add(ZipMark.locator64, 4)
            writer.add(0, 4)
            writer.add(end, 8)
            writer.add(1, 4)
        }
        writer.add(ZipMark.end, 4)
        writer.add(0, 4)
        writer.add(min(count, ZipMark.elsewhere16), 2)
        writer.add(min(count, ZipMark.elsewhere16), 2)
        writer.add(min(end - start, ZipMark.elsewhere32), 4)
        writer.add(min(start, ZipMark.elsewhere32), 4)
        writer.add(0, 2)
        return writer.bytes
    }

    private static func nameLength(of entry: PackageEntry) -> Int { entry.path.count + (entry.isFolder ? 1 : 0) }

    private static func name(of entry: PackageEntry) -> [UInt8] { entry.isFolder ? entry.path + "/".utf8 : entry.path }

    private static func hasUTF8Flag(_ path: [UInt8]) -> Bool {
        path.contains { $0 >= 0x80 } && String(validating: path, as: UTF8.self) != nil
    }

    /// Unix' type and permissions, and DOS' word for a folder.
    private static func attributes(of entry: PackageEntry) -> UInt64 {
        let type: UInt64 =
            switch entry.kind {
            case .file: UnixType.file
            case .folder: UnixType.folder
            case .link: UnixType.link
            }
        return (type | UInt64(entry.mode)) << 16 | (entry.isFolder ? 0x10 : 0)
    }
}

/// What Unix has for the type of a file.
enum UnixType {
    static let mask: UInt64 = 0o170000, file: UInt64 = 0o100000, folder: UInt64 = 0o040000, link: UInt64 = 0o120000
}
