import LinuxFiles

/// Manifest.mbdb, up to iOS 9: records of numbers and texts one after another, the highest byte first.
enum ManifestRecords {
    static let longest = 512 << 20
    private static let beginning = Array("mbdb".utf8), none = 0xFFFF

    /// Gives each record to `take`. What follows one that is broken is not read, and counts as one of the `faults`.
    static func read(_ bytes: [UInt8], faults: inout Int, _ take: (ManifestEntry) throws(Failure) -> Void)
        throws(Failure)
    {
        guard bytes.count >= 6, bytes.starts(with: beginning) else {
            throw Failure(
                .inputOutput, "the backup's list of files (Manifest.mbdb) cannot be read: it begins like something else"
            )
        }
        var reader = Reader(bytes: bytes, offset: 6)
        while reader.offset < bytes.count {
            guard let entry = reader.record() else {
                faults += 1
                guard reader.isWhole else { return }
                continue
            }
            try take(entry)
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset: Int
        /// Nothing reached past the end.
        var isWhole = true

        /// nil for one that says nothing, or where the end comes too early.
        mutating func record() -> ManifestEntry? {
            let domain = text(), path = text(), target = text()
            _ = text()
            let key = text()
            let mode = UInt32(truncatingIfNeeded: number(2))
            // The inode, the user and the group.
            _ = (number(8), number(4), number(4))
            let modified = Int64(number(4)), _ = number(4), born = Int64(number(4))
            let size = Int64(clamping: number(8))
            _ = number(1)
            for _ in 0..<number(1) where isWhole { _ = (text(), text()) }
            guard isWhole, let kind = ManifestEntry.Kind(mode: mode), domain.count <= ManifestEntry.longestDomain,
                path.count <= ManifestEntry.longestPath
            else { return nil }
            var entry = ManifestEntry(
                kind, id: FileID(domain: Array(domain), path: Array(path)), domain: Array(domain), path: Array(path))
            (entry.facts.size, entry.facts.mode, entry.facts.modified, entry.facts.born) = (size, mode, modified, born)
            if kind == .link, target.count <= MBFile.longestTarget { entry.facts.target = Array(target) }
            entry.facts.key = WrappedKey(key)
            return entry
        }

        private mutating func number(_ width: Int) -> UInt64 {
            guard isWhole, width <= bytes.count - offset else {
                isWhole = false
                return 0
            }
            defer { offset += width }
            return bytes[offset..<offset + width].reduce(0) { $0 << 8 | UInt64($1) }
        }

        private mutating func text() -> ArraySlice<UInt8> {
            let length = Int(number(2))
            guard isWhole, length != none else { return [] }
            guard length <= bytes.count - offset else {
                isWhole = false
                return []
            }
            defer { offset += length }
            return bytes[offset..<offset + length]
        }
    }
}
