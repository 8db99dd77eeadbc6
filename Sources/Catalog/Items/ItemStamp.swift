import Containers
import Documents
import LinuxFiles

/// What a file, a package with its parts, or a folder was like when it was looked at: one number that is another one as soon as a
/// number, a size or a time is. 0 for one that changed so shortly ago that it may change again without a sign.
struct ItemStamp {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325
    private var isUnsettled = false

    mutating func add(_ status: FileStatus) {
        for number in [
            status.identity.device, status.identity.number, UInt64(bitPattern: status.size), UInt64(status.mode), UInt64(bitPattern: status.modified.seconds),
            UInt64(bitPattern: Int64(status.modified.nanoseconds)), UInt64(bitPattern: status.changed.seconds), UInt64(bitPattern: Int64(status.changed.nanoseconds)),
        ] {
            add(number)
        }
        if status.isUnsettled { isUnsettled = true }
    }

    mutating func addMissing() { add(0x5A5A) }

    private mutating func add(_ number: UInt64) {
        value = (value ^ number) &* 0x9E37_79B9_7F4A_7C15
        value ^= value >> 29
    }

    var settled: Int64 { isUnsettled ? 0 : Int64(bitPattern: value | 1) }
    /// The same of what is compared: it need not be settled.
    var compared: Int64 { Int64(bitPattern: value | 1) }

    /// Of a folder, whose names are the same as long as it is.
    static func of(folder status: FileStatus) -> ItemStamp {
        var stamp = ItemStamp()
        stamp.add(status)
        return stamp
    }

    /// Of an item in a folder: with one call, and of a package with one for each part besides. nil for what is not there. `parts` are
    /// a package's, as far as they are there, or the file itself.
    static func of(_ name: Name, in folder: borrowing Descriptor, _ reader: ItemReader) throws(Errno) -> (stamp: ItemStamp, status: FileStatus, made: Timestamp?, parts: [FileStatus])? {
        let status: FileStatus, made: Timestamp?
        do throws(Errno) { (status, made) = try folder.statusAndBirth(of: name) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
        var stamp = ItemStamp()
        // A package's folder has another time when a part was replaced, and a part when it was written to.
        stamp.add(status)
        var found: [FileStatus] = []
        if status.type == .folder, reader.kinds.isOwnPackage(name), let package = try? folder.open(name, [.path, .folder]) {
            found = PackageParts(in: OpenFile(package)).statuses
            for part in found { stamp.add(part) }
        } else if status.type == .folder, let kind = reader.candidate(for: name, isFolder: true), let flat = kind.kind.flat {
            if let package = try? folder.open(name, [.path, .folder]), let looked = try? FlatPackage(OpenFile(package), flat) {
                stamp.add(looked.status)
                found = [looked.status]
            } else {
                stamp.addMissing()
            }
        } else if status.type == .folder, let kind = reader.candidate(for: name, isFolder: true), kind.isPackage,
            let package = try? OpenFile(folder.open(name, [.path, .folder])), let home = try? kind.home(in: package),
            let parts = try? kind.partNames(in: home.descriptor)
        {
            for part in parts {
                guard let facts = try? home.descriptor.status(of: part) else {
                    stamp.addMissing()
                    continue
                }
                stamp.add(facts)
                found.append(facts)
            }
        }
        return (stamp, status, made, status.type == .folder ? found : [status])
    }
}
