import LinuxFiles

/// What a package of an app's own is now, to be known again when the app saves it: another program may have changed any of
/// its parts.
struct PackageStamp {
    private(set) var stamp: BaseStamp
    /// Of all names, sizes and times.
    private var hash = LastingHash()
    private var newest = Timestamp(seconds: 0)

    init(_ package: OpenFile) throws(Errno) {
        stamp = BaseStamp(size: 0, modified: newest)
        try add(package, depth: 0)
        stamp = BaseStamp(size: Int64(hash.value >> 2), modified: newest)
    }

    /// Hidden files are others', and no part of it.
    private mutating func add(_ folder: OpenFile, depth: Int) throws(Errno) {
        guard depth < ItemTree.deepest else { throw .nameTooLong }
        for name in try Container.names(in: folder.descriptor).sorted() where name.bytes[0] != UInt8(ascii: ".") {
            guard let status = try folder.descriptor.statusIfThere(name) else { continue }
            hash.add(name.bytes)
            switch status.type {
            case .folder:
                hash.add([UInt8(ascii: "/")])
                try add(OpenFile(folder.descriptor.open(name, [.path, .folder])), depth: depth + 1)
                hash.add([0])
            case .symbolicLink: hash.add(try folder.descriptor.readSymbolicLink(name))
            default:
                hash.add(status.size)
                hash.add(status.modified.seconds)
                hash.add(Int64(status.modified.nanoseconds))
                newest = max(newest, status.modified)
            }
        }
    }
}
