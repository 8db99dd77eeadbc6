import KeyedArchives
import PropertyLists

/// What the device said of a file when it was backed up: in Manifest.db a keyed archive of an object of the class
/// MBFile.
package struct MBFile: Hashable, Sendable {
    /// Of databases it is often another one than that of the content.
    package var size: Int64 = 0
    package var mode: UInt32 = 0
    /// Seconds since 1970.
    package var modified: Int64 = 0
    package var born: Int64 = 0
    /// Where a link leads to.
    package var target: [UInt8]?
    /// In an encrypted backup, of each file that has content.
    package var key: WrappedKey?

    package init() {}

    /// Longer ones are in no honest manifest: most have less than two thousand bytes.
    package static let longest = 100 << 10
    static let longestTarget: Int64 = 4096

    private static let names = ["Size", "Mode", "LastModified", "Birth", "Target", "EncryptionKey"]
    private static let limits: PropertyListLimits = {
        var limits = PropertyListLimits()
        limits.objectCount = 1024
        limits.memberCount = 64
        limits.memory = 1 << 20
        return limits
    }()

    package init(_ bytes: [UInt8]) throws(PropertyListFault) {
        guard bytes.count <= Self.longest else {
            throw .excessive("It has \(bytes.count) bytes, more than \(Self.longest).")
        }
        let archive = try KeyedArchive(Bytes(bytes), limits: Self.limits)
        guard let object = try archive.root("root") else { throw .damaged("It has no object.") }
        let fields = try archive.fields(Self.names, of: object)
        size = max(0, Self.integer(fields[0]))
        mode = UInt32(truncatingIfNeeded: Self.integer(fields[1]) & 0xFFFF)
        modified = Self.moment(fields[2])
        born = Self.moment(fields[3])
        target = try archive.text(in: fields[4], "Target", longest: Self.longestTarget).map { Array($0.utf8) }
        if let range = try archive.data(in: fields[5], "EncryptionKey"), range.length <= 1024 {
            key = WrappedKey(try archive.bytes(range)[...])
        }
    }

    /// In the years that a calendar has.
    private static func moment(_ field: KeyedArchive.Field) -> Int64 {
        min(max(integer(field), -62_135_596_800), 253_402_300_799)
    }

    /// What is no number is 0; what is too large is the largest that fits.
    private static func integer(_ field: KeyedArchive.Field) -> Int64 {
        switch field {
        case .value(.integer(let value)): Int64(clamping: value)
        case .value(.real(let value)): Int64(exactly: value.rounded(.down)) ?? 0
        default: 0
        }
    }
}
