import Documents
import LinuxFiles
import ZipFiles

/// All that is in a package, as a ZIP has it: a look at each name, and no bytes of files.
struct PackageWalk {
    /// The package's own folder.
    let top: FileStatus
    private(set) var found: [Item] = []

    struct Item {
        let entry: PackageEntry
        let path: [Name]
        let status: FileStatus
    }

    /// nil where something went while it was looked at.
    static func through(_ folder: OpenFile, _ form: FlatForm) throws(DocumentFault) -> PackageWalk? {
        do throws(DocumentFault) {
            var walk = PackageWalk(top: try looking { () throws(Errno) in try folder.descriptor.status() })
            // A folder of a person's own that is only called so is not walked through.
            let isPackage = try looking { () throws(Errno) in
                if form.required.isEmpty { return true }
                for part in form.required { if try part.isThere(in: folder.descriptor) { return true } }
                return false
            }
            guard isPackage else { throw .foreign("None of the files is in it that each \(form.kind) has.") }
            try walk.add(names(in: folder), of: folder, at: [], [])
            return walk
        } catch {
            guard error.errno == .noSuchEntry else { throw error }
            return nil
        }
    }

    private init(top: FileStatus) { self.top = top }

    private mutating func add(_ names: [Name], of folder: OpenFile, at path: [Name], _ above: [UInt8]) throws(DocumentFault) {
        for name in names {
            let status = try Self.looking { () throws(Errno) in try folder.descriptor.status(of: name) }
            let own = above.isEmpty ? name.bytes : above + "/".utf8 + name.bytes, kind: PackageEntry.Kind
            switch status.type {
            case .regular: kind = .file(length: status.size)
            case .folder: kind = .folder
            case .symbolicLink: kind = .link(target: try Self.looking { () throws(Errno) in try folder.descriptor.readSymbolicLink(name) })
            default: throw .damaged("“\(String(decoding: own, as: UTF8.self))” is a special file, which a flat file cannot hold.")
            }
            guard found.count < Self.mostEntries else { throw .damaged("More than \(Self.mostEntries) files are in it.") }
            let modified = PackageEntry.Moment(seconds: status.modified.seconds, nanoseconds: status.modified.nanoseconds)
            let attributes = status.type == .symbolicLink ? [] : try Self.attributes(of: name, in: folder)
            let entry = PackageEntry(path: own, kind: kind, mode: UInt16(truncatingIfNeeded: status.permissions), modified: modified, attributes: attributes)
            found.append(Item(entry: entry, path: path + [name], status: status))
            guard status.type == .folder else { continue }
            guard path.count < PackageTree.mostFolders else { throw .damaged("Folders lie in each other in it, more than \(PackageTree.mostFolders).") }
            let inner = try Self.looking { () throws(Errno) in OpenFile(try folder.descriptor.open(name, [.path, .folder])) }
            try add(Self.names(in: inner), of: inner, at: path + [name], own)
        }
    }

    /// As many as a ZIP may have that comes back in.
    private static let mostEntries = ZipLimits.standard.entries

    /// Those that go along. What Valise notes of a file itself is about that file.
    private static func attributes(of name: Name, in folder: OpenFile) throws(DocumentFault) -> [PackageEntry.Attribute] {
        try looking { () throws(Errno) in
            let names: [[UInt8]]
            do throws(Errno) { names = try folder.descriptor.extendedAttributeNames(of: name) } catch {
                guard error == .notSupported else { throw error }
                return []
            }
            let wanted = names.filter { $0.starts(with: "user.".utf8) && !$0.starts(with: "user.valise.".utf8) }
            guard !wanted.isEmpty else { return [] }
            let place = try folder.descriptor.open(name, .path)
            return try wanted.map { (attribute) throws(Errno) in PackageEntry.Attribute(name: attribute, value: try place.extendedAttribute(attribute)) }
        }
    }

    private static func names(in folder: OpenFile) throws(DocumentFault) -> [Name] {
        try looking { () throws(Errno) in
            var entries = try FolderReader(untraced: folder.descriptor), names: [Name] = []
            while let entry = try entries.next() { names.append(entry.name) }
            return names
        }
    }

    private static func looking<Value>(_ body: () throws(Errno) -> Value) throws(DocumentFault) -> Value {
        do throws(Errno) { return try body() } catch { throw .unreadable(error.rawValue) }
    }
}
