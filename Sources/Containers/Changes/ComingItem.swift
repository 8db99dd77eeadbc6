import Documents
import Glibc
import LinuxFiles
import Transactions
import ZipFiles

/// An item that an import brings into a container as it is: a document or a package as its app keeps it, or a ZIP that holds a package.
///
/// A package comes with all that is in it. Permissions, times and attributes come along, as with `cp -a`; the owner does
/// not.
public enum ComingItem {
    /// What has this name in a folder outside of the container.
    case copy(Name, of: OpenFile)
    /// A ZIP from any program, and what a package of its kind has to be.
    case zip(FileSource, FlatForm)

    /// Why it cannot be brought; nil where it can. A package with a link that leads out of it is not the whole document,
    /// and a pipe or a device in one is no content.
    public func fault() -> String? {
        do throws(DocumentFault) {
            switch self {
            case .zip(let source, let form): _ = try form.package(in: source)
            case .copy(let name, let folder):
                guard let package = try Self.package(name, in: folder), let all = DocumentKinds.folderItem.flat
                else { return nil }
                _ = try FlatPackage(package, all)
            }
            return nil
        } catch { return ItemReader.sentence(of: error) }
    }

    private static func package(_ name: Name, in folder: OpenFile) throws(DocumentFault) -> OpenFile? {
        do throws(Errno) {
            guard try folder.descriptor.status(of: name).type == .folder else { return nil }
            return OpenFile(try folder.descriptor.open(name, [.path, .folder]))
        } catch { throw .unreadable(error.rawValue) }
    }

    /// Whether it is a folder in the container.
    public var isFolder: Bool {
        switch self {
        case .copy(let name, let folder): (try? folder.descriptor.status(of: name).type) == .folder
        case .zip: true
        }
    }

    /// Whether an item has the same content: of a package, the same files, links and folders, whatever their permissions
    /// and times are.
    public func isSame(as name: Name, in home: OpenFile) -> Bool {
        switch self {
        case .copy(let own, let folder):
            return (try? ItemTree.isSame(own, in: folder.descriptor, as: name, in: home.descriptor)) == true
        case .zip(let source, let form):
            guard let reader = try? form.package(in: source), let all = DocumentKinds.folderItem.flat,
                let package = try? OpenFile(home.descriptor.open(name, [.path, .folder])),
                let there = try? FlatPackage(package, all)
            else { return false }
            let own = reader.tree.entries, other = there.tree.entries
            guard own.map(\.path) == other.map(\.path), own.map(\.kind) == other.map(\.kind) else { return false }
            return own.indices.allSatisfy { index in
                (try? Self.isSame(reader.content(of: index), own[index], in: package)) == true
            }
        }
    }

    private static func isSame(_ content: ZipContent, _ entry: PackageEntry, in package: OpenFile) throws -> Bool {
        guard case .file(let length) = entry.kind else { return true }
        let path = entry.path.split(separator: UInt8(ascii: "/")).compactMap { Name($0) }
        guard let name = path.last else { return false }
        let file = try package.folder(at: path.dropLast()).descriptor.open(name, [.read, .nonBlocking])
        var content = content, offset: Int64 = 0
        while let chunk = try content.next() {
            guard try file.read(at: offset, count: chunk.count) == chunk else { return false }
            offset += Int64(chunk.count)
        }
        return offset == length
    }

    /// Makes it in a folder from which it is handed over.
    public func make(_ name: Name, in folder: OpenFile) throws(DocumentFault) {
        let owner = (user: geteuid(), group: getegid())
        switch self {
        case .zip(let source, let form):
            try PackageUnpacking(folder: folder, store: Store()).unpack(source, form, as: name, owner: owner)
            // A ZIP says nothing of the package's own folder: it is as one that a program makes.
            do throws(Errno) { try folder.descriptor.open(name, .path).setPlacePermissions(0o755) } catch {
                try? folder.descriptor.removeTree(name)
                throw .unreadable(error.rawValue)
            }
        case .copy(let own, let source):
            do throws(Errno) {
                let attributes = FileAttributes(store: Store())
                try ItemTree.copy(own, in: source, as: name, in: folder, attributes, owner: owner)
            } catch {
                try? folder.descriptor.removeTree(name)
                throw .unreadable(error.rawValue)
            }
        }
    }
}

extension Container {
    /// What an item that was imported is now, to be known again when the import is taken back; nil of a folder.
    public func stampOfMade(_ name: Name, in folder: OpenFile) throws(Errno) -> BaseStamp? {
        if isFolderItem(name, in: folder.descriptor) { return try contentStamp(ofOwnPackage: name, in: folder) }
        return try contentStamp(of: name, in: folder)
    }

    /// The same of an item at a path.
    public func stampOfMade(at path: [Name]) throws(Errno) -> BaseStamp? {
        guard let name = path.last else { return nil }
        do throws(Errno) { return try stampOfMade(name, in: documents.folder(at: path.dropLast())) } catch {
            guard error == .noSuchEntry || error == .notDirectory else { throw error }
            return nil
        }
    }

    /// Whether a name in a folder is that of a folder in which programs work, and which is one item.
    public func isFolderItem(_ name: Name, in folder: borrowing Descriptor) -> Bool {
        guard kinds.isOwnPackage(name), let package = try? folder.open(name, [.path, .folder]) else { return false }
        return kinds.isOwnPackage(name, package)
    }
}

extension KindRegistry {
    /// The form of a package that a ZIP of this name holds: “Trip.rtfd.zip”, as a Mac makes one. nil of any other ZIP.
    public func packageInZip(called name: Name) -> (name: Name, form: FlatForm)? {
        guard let inner = Self.withoutZip(name) else { return nil }
        let form = showing(.file).candidate(for: inner, isFolder: true)?.kind.flat
        return form.map { (inner, $0) }
    }

    private static func withoutZip(_ name: Name) -> Name? {
        let end = Array(".zip".utf8)
        guard String(decoding: name.bytes.suffix(end.count), as: UTF8.self).lowercased() == ".zip" else { return nil }
        return Name(Array(name.bytes.dropLast(end.count)))
    }
}
