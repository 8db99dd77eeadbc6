import Glibc
import LinuxFiles

/// What belongs to a document and not to its bytes, and goes on with a new file.
package final class FileAttributes: Sendable {
    private let store: Store
    /// Which document a plain file was: no other file goes on with it (`FormerDocument.swift`).
    package static let former = Array("user.valise.former".utf8)

    package init(store: Store) { self.store = store }

    /// Gives a new file what belongs to the document and not to its bytes: permissions, owner, times, and the
    /// extended attributes of the files that it takes the place of, the last one's first.
    package func dress(_ file: borrowing Descriptor, like status: FileStatus, _ holders: [OpenFile?], now: FileStatus? = nil) throws(Errno) {
        var attributes: [[UInt8]: [UInt8]] = [:]
        for holder in holders { if let holder { attributes.merge(try Self.userAttributes(of: holder.descriptor)) { $1 } } }
        try dress(file, like: status, attributes, now: now)
    }

    /// The same of a draft's file that becomes the document's own: what attributes it has stay. `now`: what it is, where that is known.
    package func dress(draft file: borrowing Descriptor, like status: FileStatus, over old: OpenFile?, now: FileStatus?) throws(Errno) {
        var attributes: [[UInt8]: [UInt8]] = [:]
        if let old { attributes = try Self.userAttributes(of: old.descriptor) }
        if !attributes.isEmpty {
            let own = try Self.userAttributes(of: file)
            attributes = attributes.filter { own[$0.key] == nil }
        }
        try dress(file, like: status, attributes, now: now)
    }

    private func dress(_ file: borrowing Descriptor, like status: FileStatus, _ attributes: [[UInt8]: [UInt8]], now: FileStatus?) throws(Errno) {
        var now = if let now { now } else { try file.status() }
        if now.owner != status.owner || now.group != status.group, geteuid() == 0 {
            try store.setOwner(status.owner, group: status.group, of: file)
            now = try file.status()
        }
        try file.setExtendedAttributes(attributes)
        if now.permissions != status.permissions { try store.setPermissions(status.permissions, of: file) }
        guard now.accessed != status.accessed || now.modified != status.modified else { return }
        try file.setTimes(accessed: .at(status.accessed), modified: .at(status.modified))
    }

    package static func userAttributes(of file: borrowing Descriptor) throws(Errno) -> [[UInt8]: [UInt8]] {
        do throws(Errno) {
            var found: [[UInt8]: [UInt8]] = [:]
            for name in try file.extendedAttributeNames() where name.starts(with: Array("user.".utf8)) && name != former {
                found[name] = try file.extendedAttribute(name)
            }
            return found
        } catch {
            guard error == .notSupported else { throw error }
            return [:]
        }
    }
}
