import LinuxFiles

/// What a package of an app's own is now, to be known again when the app saves it: another program may have changed any of
/// its parts.
struct PackageStamp {
    private(set) var stamp: BaseStamp
    /// A hash of all names, sizes and times (FNV-1a).
    private var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    private var newest = Timestamp(seconds: 0)

    init(_ package: OpenFile) throws(Errno) {
        stamp = BaseStamp(size: 0, modified: newest)
        try add(package, depth: 0)
        stamp = BaseStamp(size: Int64(hash >> 2), modified: newest)
    }

    /// Hidden files are others', and no part of it.
    private mutating func add(_ folder: OpenFile, depth: Int) throws(Errno) {
        guard depth < ItemTree.deepest else { throw .nameTooLong }
        for name in try Container.names(in: folder.descriptor).sorted() where name.bytes[0] != UInt8(ascii: ".") {
            guard let status = try folder.descriptor.statusIfThere(name) else { continue }
            add(name.bytes)
            switch status.type {
            case .folder:
                add([UInt8(ascii: "/")])
                try add(OpenFile(folder.descriptor.open(name, [.path, .folder])), depth: depth + 1)
                add([0])
            case .symbolicLink: add(try folder.descriptor.readSymbolicLink(name))
            default:
                add(status.size)
                add(status.modified.seconds)
                add(Int64(status.modified.nanoseconds))
                newest = max(newest, status.modified)
            }
        }
    }

    private mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }

    private mutating func add(_ number: Int64) {
        var rest = UInt64(bitPattern: number)
        for _ in 0..<8 {
            hash = (hash ^ (rest & 0xff)) &* 0x100_0000_01b3
            rest >>= 8
        }
    }
}
