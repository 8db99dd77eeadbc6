import Documents
import Glibc
import LinuxFiles
import PropertyLists
import Transactions
import ZipFiles

/// A flat file, from whatever program, becomes the package that is in it: in a folder beside the documents, whole, with
/// permissions, times, links and attributes.
struct PackageUnpacking {
    /// Where it is made.
    let folder: OpenFile
    let store: Store

    /// Throws `.unfit` where the file is no ZIP of a package of this kind; nothing is left then. `owner`: whose it is to be, where this process may
    /// give files away (root).
    func unpack(_ content: any ByteSource, _ form: FlatForm, as name: Name, owner: (user: UInt32, group: UInt32)) throws(DocumentFault) {
        let reader = try form.package(in: content)
        do throws(DocumentFault) {
            try making { () throws(Errno) in try folder.descriptor.makeFolder(name, mode: 0o700) }
            let top = OpenFile(try making { () throws(Errno) in try folder.descriptor.open(name, [.path, .folder]) })
            let chain = FolderChain(from: top)
            for (index, entry) in reader.tree.entries.enumerated() {
                let path = try Self.names(of: entry)
                let folder = try making { () throws(Errno) in try chain.folder(at: path.dropLast()) }
                switch entry.kind {
                case .folder: try making { () throws(Errno) in try folder.descriptor.makeFolder(path[path.count - 1], mode: 0o700) }
                case .file: try write(reader.content(of: index), as: path[path.count - 1], in: folder)
                case .link(let target): try making { () throws(Errno) in try folder.descriptor.makeSymbolicLink(path[path.count - 1], to: target) }
                }
                if !entry.isFolder { try making { () throws(Errno) in try dress(path[path.count - 1], in: folder, as: entry, owner) } }
            }
            // What came into a folder has changed its time, and some may not be written into.
            for entry in reader.tree.entries.reversed() where entry.isFolder {
                let path = try Self.names(of: entry)
                try making { () throws(Errno) in try dress(path[path.count - 1], in: chain.folder(at: path.dropLast()), as: entry, owner) }
            }
        } catch {
            try? folder.descriptor.removeTree(name)
            throw error
        }
    }

    private func write(_ content: ZipContent, as name: Name, in folder: OpenFile) throws(DocumentFault) {
        var content = content, offset: Int64 = 0
        let file = OpenFile(try making { () throws(Errno) in try folder.descriptor.open(name, [.write, .create, .exclusive], mode: 0o600) })
        while true {
            let chunk: [UInt8]?
            do throws(ZipFault) { chunk = try content.next() } catch { throw FlatForm.fault(error) }
            guard let chunk else { return }
            try making { () throws(Errno) in try file.descriptor.write(chunk, at: offset) }
            offset += Int64(chunk.count)
        }
    }

    private func dress(_ name: Name, in folder: OpenFile, as entry: PackageEntry, _ owner: (user: UInt32, group: UInt32)) throws(Errno) {
        let place = try folder.descriptor.open(name, .path), isLink = if case .link = entry.kind { true } else { false }
        for attribute in entry.attributes where !isLink {
            do throws(Errno) { try place.setExtendedAttribute(attribute.name, to: attribute.value) } catch {
                // The store has no attributes.
                if error != .notSupported { throw error }
            }
        }
        let status = try place.status()
        if geteuid() == 0, status.owner != owner.user || status.group != owner.group { try store.setOwner(owner.user, group: owner.group, of: place) }
        if !isLink { try store.setPlacePermissions(UInt32(entry.mode), of: place) }
        let modified = Timestamp(seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds)
        try place.setTimes(accessed: nil, modified: .at(modified))
    }

    private static func names(of entry: PackageEntry) throws(DocumentFault) -> [Name] {
        let names = entry.path.split(separator: UInt8(ascii: "/")).compactMap { Name($0) }
        guard !names.isEmpty, names.reduce(names.count - 1, { $0 + $1.bytes.count }) == entry.path.count else { throw .unfit("A name in the ZIP is none that a file can have.") }
        return names
    }

    private func making<Value: ~Copyable>(_ body: () throws(Errno) -> Value) throws(DocumentFault) -> Value {
        do throws(Errno) { return try body() } catch { throw .unreadable(error.rawValue) }
    }
}
