import LinuxFiles
import Transactions

/// An item with all that is in it, whatever that is: a file, or a folder with its files, links and folders.
enum ItemTree {
    static let deepest = 256

    /// Whether two folders or files are the same with all that is in them, whatever their permissions, times and attributes are.
    static func isSame(_ one: Name, in folder: borrowing Descriptor, as other: Name, in home: borrowing Descriptor, depth: Int = 0) throws(Errno) -> Bool {
        guard depth < deepest else { throw .nameTooLong }
        let first = try folder.status(of: one), second = try home.status(of: other)
        guard first.type == second.type else { return false }
        switch first.type {
        case .regular:
            guard first.size == second.size else { return false }
            let there = try home.openUntraced(other, [.read, .nonBlocking])
            return try folder.open(one, [.read, .nonBlocking]).hasSameContent(as: there)
        case .symbolicLink: return try folder.readSymbolicLink(one) == home.readSymbolicLink(other)
        case .folder:
            let inner = try folder.open(one, [.path, .folder]), there = try home.open(other, [.path, .folder])
            let names = try Container.names(in: inner)
            guard try Set(names) == Set(Container.names(in: there)) else { return false }
            for name in names where try !isSame(name, in: inner, as: name, in: there, depth: depth + 1) { return false }
            return true
        default: return false
        }
    }

    /// Whether a folder has the same files as another one, with second names, and the same links and folders.
    static func isUntouched(
        _ one: Name, in folder: borrowing Descriptor, of other: Name, in home: borrowing Descriptor, depth: Int = 0
    ) throws(Errno) -> Bool {
        guard depth < deepest else { throw .nameTooLong }
        let first = try folder.status(of: one), second = try home.status(of: other)
        guard first.type == second.type else { return false }
        switch first.type {
        case .regular: return first.identity == second.identity
        case .symbolicLink: return try folder.readSymbolicLink(one) == home.readSymbolicLink(other)
        case .folder:
            guard first.permissions == second.permissions else { return false }
            let inner = try folder.open(one, [.path, .folder]), there = try home.open(other, [.path, .folder])
            let names = try Container.names(in: inner)
            guard try Set(names) == Set(Container.names(in: there)) else { return false }
            for name in names {
                guard try isUntouched(name, in: inner, of: name, in: there, depth: depth + 1) else { return false }
            }
            return true
        default: return false
        }
    }

    /// Another one like it. Never a second name: what is written into the one would be in the other. `owner`: whose the
    /// copy is, if it is another user's than what is copied.
    static func copy(
        _ name: Name, in folder: OpenFile, as copy: Name, in target: OpenFile, _ attributes: FileAttributes,
        owner: (user: UInt32, group: UInt32)? = nil, depth: Int = 0
    ) throws(Errno) {
        guard depth < deepest else { throw .nameTooLong }
        var status = try folder.descriptor.status(of: name)
        if let owner { (status.owner, status.group) = (owner.user, owner.group) }
        switch status.type {
        case .regular:
            let source = OpenFile(try folder.descriptor.openUntraced(name, [.read, .nonBlocking]))
            let file = try target.descriptor.open(copy, [.readWrite, .create, .exclusive], mode: 0o600)
            do throws(Errno) { try file.shareContent(of: source.descriptor) } catch {
                try source.descriptor.copyAll(from: 0, count: status.size, to: file, at: 0)
            }
            try attributes.dress(file, like: status, [source])
        case .folder:
            try target.descriptor.makeFolder(copy, mode: 0o700)
            let inner = OpenFile(try folder.descriptor.open(name, [.read, .folder])), place = OpenFile(try target.descriptor.open(copy, [.read, .folder]))
            for entry in try Container.names(in: inner.descriptor) {
                try self.copy(entry, in: inner, as: entry, in: place, attributes, owner: owner, depth: depth + 1)
            }
            try attributes.dress(place.descriptor, like: status, [inner])
        case .symbolicLink:
            try target.descriptor.makeSymbolicLink(copy, to: folder.descriptor.readSymbolicLink(name))
            try? target.descriptor.open(copy, .path).setTimes(accessed: nil, modified: .at(status.modified))
        default: break
        }
    }

    /// On the store before it replaces anything.
    static func synchronize(_ name: Name, in folder: OpenFile, depth: Int = 0) throws(Errno) {
        guard depth < deepest else { throw .nameTooLong }
        switch try folder.descriptor.status(of: name).type {
        case .regular: try folder.descriptor.open(name, [.read, .nonBlocking]).synchronize()
        case .folder:
            let inner = OpenFile(try folder.descriptor.open(name, [.read, .folder]))
            var entries = try FolderReader(inner.descriptor)
            while let entry = try entries.next() { try synchronize(entry.name, in: inner, depth: depth + 1) }
            try inner.descriptor.synchronize()
        default: break
        }
    }
}
