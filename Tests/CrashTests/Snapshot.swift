import Containers
import Documents
import Foundation
import LinuxFiles
import TextBundles

/// All that a container says, without `.valise`: each entry under the path and the name that it shows itself by.
struct Snapshot: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var kind: String
        var content: [UInt8]
        var permissions: UInt32
        /// The stored name where an app would notice another one, and what else is in a package.
        var identity: String
        var tag: String
    }

    var entries: [String: Entry] = [:]
    /// What documents were: the path and name of each that has been something else, and the content with what is said of it.
    var versions: [String] = []
    private(set) var versionContents: [[UInt8]] = []

    static func == (left: Snapshot, right: Snapshot) -> Bool { left.entries == right.entries && left.versions == right.versions }

    init(of container: URL, at kind: CrashKind? = nil) throws {
        try self.init(try Container.open(container.path, access: .read, kinds: TextBundles.kinds))
    }

    init(_ container: Container) throws {
        try read(container.documents.descriptor, [], container)
        try readVersions(container, container.documents, [])
        try readDeleted(container)
        versions.sort()
    }

    private mutating func readDeleted(_ container: Container) throws {
        for item in try container.deletedItems().sorted {
            let content: [UInt8], permissions: UInt32
            switch try container.open(item) {
            case .document(let opened): (content, permissions) = (try Self.content(of: opened), opened.item.status.permissions)
            case .file(let file, let status): (content, permissions) = (try file.descriptor.read(at: 0, count: Int(status.size)), status.permissions)
            }
            let entry = Entry(
                kind: "deleted", content: content, permissions: permissions, identity: "\(item.stored), \(try container.versionCount(of: item)) versions", tag: "")
            add("deleted " + (item.path + [item.shown]).map(\.description).joined(separator: "/"), entry)
        }
    }

    /// The documents and versions with this content, in words.
    func facts(of content: [UInt8]) -> [String] {
        (entries.values.filter { $0.content == content }.map { "\($0)" } + versions.filter { $0.contains(": \(content.hashValue) ") }).sorted()
    }

    /// The same of all that has another one.
    func rest(without contents: [[UInt8]]) -> [String] {
        (entries.values.filter { !contents.contains($0.content) }.map { "\($0)" }
            + versions.filter { version in !contents.contains { version.contains(": \($0.hashValue) ") } }).sorted()
    }

    private mutating func readVersions(_ container: Container, _ folder: OpenFile, _ path: [Name]) throws {
        var found = try FolderReader(folder.descriptor)
        while let entry = try found.next() {
            if entry.name == Hidden.state { continue }
            let item = try container.reader.read(entry.name, type: entry.type, in: folder.descriptor)
            if let document = item.document {
                let place = DocumentPlace(folder: folder, path: path, stored: entry.name, kind: document.kind)
                for version in try container.versions(of: place) {
                    let content = try Self.content(of: container.open(version, of: place))
                    let state = version.isConflict ? version.isResolved ? "resolved" : "conflict" : ""
                    versionContents.append(content)
                    let name = try container.name(of: document, stored: entry.name, in: path)
                    versions.append("\((path + [name]).map { "\($0)" }.joined(separator: "/")): \(content.hashValue) \(state)")
                }
            } else if item.status.type == .regular {
                let place = DocumentPlace(folder: folder, path: path, stored: entry.name, kind: .plain)
                for version in try container.versions(of: place) {
                    let content = try Self.content(of: container.open(version, of: place))
                    versionContents.append(content)
                    versions.append("\((path + [entry.name]).map { "\($0)" }.joined(separator: "/")): \(content.hashValue) plain")
                }
            } else if item.status.type == .folder {
                try readVersions(container, OpenFile(try folder.descriptor.open(entry.name, [.path, .folder])), path + [entry.name])
            }
        }
    }

    private mutating func read(_ folder: borrowing Descriptor, _ names: [Name], _ container: Container) throws {
        let reader = container.reader, path = names.map { "\($0)/" }.joined()
        var found = try FolderReader(folder), all: [FolderReader.Entry] = []
        while let entry = try found.next() { if entry.name != Hidden.state { all.append(entry) } }
        // Of two that are called alike, the same one comes first each time.
        for entry in all.sorted(by: { $0.name < $1.name }) {
            let item = try reader.read(entry.name, type: entry.type, in: folder)
            if let document = item.document {
                let opened = try reader.open(entry.name, as: document.kind, in: folder)
                add(path + "\(try container.name(of: document, stored: entry.name, in: names))", Entry(
                    kind: document.kind.name, content: try Self.content(of: opened), permissions: item.status.permissions,
                    identity: try Self.identity(of: entry.name, document, folder),
                    tag: opened.parts.first.flatMap { $0 }.flatMap { try? $0.descriptor.extendedAttribute(Array("user.tag".utf8)) }.map { String(decoding: $0, as: UTF8.self) } ?? ""))
            } else if item.status.type == .folder {
                add(path + "\(entry.name)/", Entry(kind: "folder", content: [], permissions: item.status.permissions, identity: item.fault ?? "", tag: ""))
                try read(folder.open(entry.name, [.path, .folder]), names + [entry.name], container)
            } else if item.status.type == .symbolicLink {
                add(path + "\(entry.name)", Entry(kind: "link", content: try folder.readSymbolicLink(entry.name), permissions: 0, identity: "", tag: ""))
            } else {
                add(path + "\(entry.name)", Entry(
                    kind: "plain", content: try folder.open(entry.name, .read).readAll(limit: 1 << 24), permissions: item.status.permissions,
                    identity: item.fault ?? "", tag: ""))
            }
        }
    }

    /// A draft that is shown instead of its document.
    mutating func add(_ recovered: RecoveredDraft) throws {
        let draft = recovered.draft
        let path = (recovered.path + [recovered.shown]).map(\.description).joined(separator: "/")
        entries[path + " (draft)"] = Entry(
            kind: "draft", content: try draft.file.descriptor.read(at: draft.contentStart, count: Int(try draft.length())),
            permissions: try draft.status().permissions, identity: recovered.base.map { "\($0)" } ?? "new", tag: "")
    }

    private mutating func add(_ name: String, _ entry: Entry) {
        var unique = name
        while entries[unique] != nil { unique += "'" }
        entries[unique] = entry
    }

    private static func content(of opened: ItemReader.Opened) throws -> [UInt8] {
        switch opened.reading.content {
        case .bytes(let bytes): return bytes
        case .elsewhere: throw Errno.unreachable
        case .range(let part, let offset, let length):
            guard let file = opened.parts[part] else { throw Errno.noSuchEntry }
            return try file.descriptor.read(at: offset, count: Int(length))
        case .flat(let length): return try opened.shownContent.bytes(at: 0, count: Int(length))
        }
    }

    private static func identity(of name: Name, _ document: DocumentItem, _ folder: borrowing Descriptor) throws -> String {
        var facts = document.reading.spelling?.rawValue ?? ""
        // A new bookmark's name has the time in it; an old one's is that of the fixture.
        let text = "\(name)"
        facts += document.kind.name != "bookmark" || text.contains("-1700000000.000000") ? " " + text : " of now"
        guard document.kind.isPackage else { return facts }
        var names: [String] = []
        var parts = try FolderReader(try folder.open(name, [.path, .folder]))
        let package = try folder.open(name, [.path, .folder])
        while let part = try parts.next() {
            names.append("\(part.name)")
            guard part.type == .folder else { continue }
            var inner = try FolderReader(try package.open(part.name, [.path, .folder]))
            while let entry = try inner.next() { names.append("\(part.name)/\(entry.name)") }
        }
        return facts + " " + names.sorted().joined(separator: " ")
    }

    /// What differs, for a person.
    func difference(from other: Snapshot) -> String {
        var differences = Set(entries.keys).union(other.entries.keys).sorted().compactMap { key in
            let (mine, theirs) = (entries[key], other.entries[key])
            return mine == theirs ? nil : "\(key): \(Self.words(mine)) instead of \(Self.words(theirs))"
        }
        if versions != other.versions { differences.append("versions \(versions) instead of \(other.versions)") }
        return differences.joined(separator: "; ")
    }

    private static func words(_ entry: Entry?) -> String {
        entry.map { "\($0.kind) of \($0.content.count) bytes, \(String($0.permissions, radix: 8)), [\($0.identity)] \($0.tag)" } ?? "nothing"
    }
}
