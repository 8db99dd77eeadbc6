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
    /// What lies among the deleted of folders that are one item, by where it was: parts that went by themselves, and those of whole folders.
    private(set) var deletedParts: [String: [Entry]] = [:]
    /// The same of those of its versions, by what `versions` says of each.
    private var versionParts: [String: [String: [Entry]]] = [:]
    private let keepsVersions: Bool

    static func == (left: Snapshot, right: Snapshot) -> Bool { left.entries == right.entries && left.versions == right.versions }

    init(of container: URL, at kind: CrashKind? = nil) throws {
        try self.init(try Container.open(container.path, access: .read, kinds: TextBundles.kinds))
    }

    init(_ container: Container) throws {
        keepsVersions = FileManager.default.fileExists(atPath: container.path + "/.valise/versions")
        try read(container.documents, [], container)
        try readDeleted(container)
        versions.sort()
    }

    private mutating func readDeleted(_ container: Container) throws {
        let list = try container.deletedItems()
        for item in list.all where item.kind == nil || item.isFolder {
            guard let place = try container.deletedPlace(of: item) else { continue }
            let path = (item.path + [item.stored]).map(\.description).joined(separator: "/")
            try Self.readParts(place.name, in: place.folder.descriptor, as: path, into: &deletedParts)
        }
        for item in list.sorted {
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

    private static func readParts(of folder: borrowing Descriptor, as path: String, into parts: inout [String: [Entry]]) throws {
        parts[path + "/", default: []].append(Entry(kind: "folder", content: [], permissions: try folder.status().permissions, identity: "", tag: ""))
        var entries = try FolderReader(folder)
        while let entry = try entries.next() { try readParts(entry.name, in: folder, as: path + "/\(entry.name)", into: &parts) }
    }

    private static func readParts(
        _ name: Name, in folder: borrowing Descriptor, as path: String, into parts: inout [String: [Entry]]
    ) throws {
        let status = try folder.status(of: name)
        switch status.type {
        case .folder:
            try readParts(of: folder.open(name, [.path, .folder]), as: path, into: &parts)
        case .symbolicLink:
            parts[path, default: []].append(
                Entry(kind: "link", content: try folder.readSymbolicLink(name), permissions: 0, identity: "", tag: ""))
        default:
            let content = try folder.open(name, .read).readAll(limit: 1 << 24)
            parts[path, default: []].append(Entry(kind: "plain", content: content, permissions: status.permissions, identity: "", tag: ""))
        }
    }

    /// What was below a folder and is not, neither there nor among the deleted nor in a version that was made since. Permissions of folders do not count.
    func missing(of old: Snapshot, below folder: String) -> [String] {
        let made = versions.filter { !old.versions.contains($0) }.compactMap { versionParts[$0] }
        func isThere(_ path: String, _ entry: Entry) -> Bool {
            let found = (deletedParts[path] ?? []) + made.flatMap { $0[path] ?? [] } + [entries[path]].compactMap(\.self)
            return found.contains { found in
                found.kind == entry.kind && found.content == entry.content && (entry.kind == "folder" || found.permissions == entry.permissions)
            }
        }
        return old.entries.filter { $0.key.hasPrefix(folder) && !isThere($0.key, $0.value) }.map(\.key).sorted()
    }

    /// Whatever it says of a document or file, wherever that is now and under which name.
    var allContents: Set<[UInt8]> {
        let parts = [deletedParts] + versionParts.values
        return Set(entries.values.map(\.content) + versionContents + parts.flatMap(\.values).joined().map(\.content))
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

    /// What an item was, if anything is kept at all: sync tools' copies lie only in containers that have versions, too.
    private mutating func readVersions(
        of kind: KindID, _ stored: Name, called name: Name, in folder: OpenFile, at path: [Name], _ container: Container
    ) throws {
        let place = DocumentPlace(folder: folder, path: path, stored: stored, kind: kind), shown = (path + [name]).map(\.description).joined(separator: "/")
        for version in try container.versions(of: place) {
            let opened = try container.open(version, of: place), content = try Self.content(of: opened)
            versionContents.append(content)
            let state = kind == .plain ? "plain" : version.isConflict ? version.isResolved ? "resolved" : "conflict" : ""
            let words = "\(shown): \(content.hashValue) \(state)"
            versions.append(words)
            guard kind == .folder, let flat = opened.flat else { continue }
            try Self.readParts(of: flat.folder.descriptor, as: shown, into: &versionParts[words, default: [:]])
        }
    }

    private mutating func read(_ place: OpenFile, _ names: [Name], _ container: Container) throws {
        let reader = container.reader, path = names.map { "\($0)/" }.joined(), isInPackage = container.kinds.ownPackage(at: names) != nil
        var found = try FolderReader(place.descriptor), all: [FolderReader.Entry] = []
        while let entry = try found.next() { if entry.name != Hidden.state { all.append(entry) } }
        // Of two that are called alike, the same one comes first each time.
        for entry in all.sorted(by: { $0.name < $1.name }) {
            let item = try reader.read(entry.name, type: entry.type, in: place.descriptor)
            func history(_ kind: KindID, _ name: Name) throws {
                guard keepsVersions, !isInPackage else { return }
                try readVersions(of: kind, entry.name, called: name, in: place, at: names, container)
            }
            if let document = item.document {
                let opened = try reader.open(entry.name, as: document.kind, in: place.descriptor)
                let name = try container.name(of: document, stored: entry.name, in: names)
                try history(document.kind, name)
                add(path + "\(name)", Entry(
                    kind: document.kind.name, content: try Self.content(of: opened), permissions: item.status.permissions,
                    identity: try Self.identity(of: entry.name, document, place.descriptor),
                    tag: opened.parts.first.flatMap { $0 }.flatMap { try? $0.descriptor.extendedAttribute(Array("user.tag".utf8)) }.map { String(decoding: $0, as: UTF8.self) } ?? ""))
            } else if item.status.type == .folder {
                add(path + "\(entry.name)/", Entry(kind: "folder", content: [], permissions: item.status.permissions, identity: item.fault ?? "", tag: ""))
                if container.kinds.isOwnPackage(entry.name) { try history(.folder, entry.name) }
                try read(OpenFile(place.descriptor.open(entry.name, [.path, .folder])), names + [entry.name], container)
            } else if item.status.type == .symbolicLink {
                add(path + "\(entry.name)", Entry(kind: "link", content: try place.descriptor.readSymbolicLink(entry.name), permissions: 0, identity: "", tag: ""))
            } else {
                try history(.plain, entry.name)
                add(path + "\(entry.name)", Entry(
                    kind: "plain", content: try place.descriptor.open(entry.name, .read).readAll(limit: 1 << 24), permissions: item.status.permissions,
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
        if opened.item.document?.kind ?? .folder == .folder, let flat = opened.flat { return Array(try lines(of: flat.folder.descriptor, "").joined().utf8) }
        switch opened.reading.content {
        case .bytes(let bytes): return bytes
        case .elsewhere: throw Errno.unreachable
        case .range(let part, let offset, let length):
            guard let file = opened.parts[part] else { throw Errno.noSuchEntry }
            return try file.descriptor.read(at: offset, count: Int(length))
        case .flat(let length): return try opened.shownContent.bytes(at: 0, count: Int(length))
        }
    }

    /// All that is in a folder, but for times: those of links are others in each copy.
    private static func lines(of folder: borrowing Descriptor, _ path: String) throws -> [String] {
        var entries = try FolderReader(folder), lines: [String] = []
        while let entry = try entries.next() {
            let status = try folder.status(of: entry.name), place = path + "\(entry.name)"
            switch status.type {
            case .folder:
                lines.append("\(place)/ \(String(status.permissions, radix: 8))\n")
                lines += try Self.lines(of: folder.open(entry.name, [.path, .folder]), place + "/")
            case .symbolicLink: lines.append("\(place) to \(String(decoding: try folder.readSymbolicLink(entry.name), as: UTF8.self))\n")
            default:
                let content = try folder.open(entry.name, .read).readAll(limit: 1 << 24)
                lines.append("\(place) \(String(status.permissions, radix: 8)): \(String(decoding: content, as: UTF8.self))\n")
            }
        }
        return lines.sorted()
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
