import Documents
import LinuxFiles

/// One of the kinds of documents that a container has. It is known by its name, and that is what is written down of it.
public struct KindID: Hashable, Sendable {
    private final class Entry: Sendable {
        let kind: any DocumentKind, name: String, form: PackageForm?, place: UInt8, sums = PartSums()

        init(_ kind: any DocumentKind, at place: UInt8) { (self.kind, name, form, self.place) = (kind, kind.name, PackageForm(kind), place) }
    }

    private let entry: Entry

    fileprivate init(_ kind: any DocumentKind, at place: UInt8) { entry = Entry(kind, at: place) }

    /// What plain files have versions as. It has no place in any registry, and nothing that is written down names it.
    public static let plain = KindID(DocumentKinds.plainFile, at: .max)

    /// What folders that are one item have versions as, and are among the deleted. It has no place in any registry either.
    public static let folder = KindID(DocumentKinds.folderItem, at: .max)

    public var kind: any DocumentKind { entry.kind }
    public var name: String { entry.name }
    /// What its packages are made of; nil for one whose documents are files.
    package var form: PackageForm? { entry.form }
    /// Checksums of its packages' parts, where they are shown as flat files.
    public var sums: PartSums { entry.sums }
    /// Where it stands in its registry: for as long as that is there, and for nobody who writes something down.
    public var place: UInt8 { entry.place }

    public static func == (left: KindID, right: KindID) -> Bool { left.entry === right.entry || left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(entry.name) }
}

/// The kinds of documents that a container has: those that are shipped, then those that a person wrote down for all containers
/// (`PersonsKinds.swift`), then those that the container names itself (`Settings.swift`). None is what an earlier one is.
public struct KindRegistry: Sendable {
    /// In the order in which an item is asked whether it is of one of them.
    public private(set) var all: [KindID]
    /// Kinds of packages that are shown as folders.
    public private(set) var folders: [FolderKind] = []

    public static let shipped = KindRegistry(DocumentKinds.shipped)

    /// Extensions, in small letters, of packages that an app has declared: such a folder is one item, although no kind knows its parts.
    private var ownPackages: Set<String> = []

    /// Of two with one name, the first counts.
    public init(_ kinds: [any DocumentKind]) {
        all = []
        for kind in kinds where !all.contains(where: { $0.name == kind.name }) { _ = add(kind) }
    }

    private mutating func add(_ kind: any DocumentKind) -> Bool {
        // A node has one byte for it, and a catalog counts from 1.
        guard let place = UInt8(exactly: all.count), place < .max else { return false }
        all.append(KindID(kind, at: place))
        return true
    }

    /// With what is written down in a file, and what is wrong there.
    public func with(_ file: KindsFile) -> (registry: KindRegistry, mistakes: [KindsFile.Mistake]) {
        var registry = self, mistakes = file.mistakes
        for written in file.kinds {
            if let sentence = registry.add(written.kind) { mistakes.append(KindsFile.Mistake(line: written.line, sentence: sentence)) }
        }
        return (registry, mistakes.sorted { $0.line < $1.line })
    }

    /// Why it is not added; nil where it is, or is there already as it is.
    private mutating func add(_ kind: KindsFile.Kind) -> String? {
        if let section = kind.document?.section, all.contains(where: { $0.kind.section == section }) { return nil }
        if let folder = kind.folder, folders.contains(folder) { return nil }
        if all.contains(where: { $0.name == kind.name }) || folders.contains(where: { $0.name == kind.name }) { return "there is a kind “\(kind.name)” already" }
        let word = kind.itemExtension
        if let other = all.first(where: { $0.kind.contentType.itemExtension == word })?.name ?? folders.first(where: { $0.itemExtension == word })?.name {
            return "“.\(word)” is the extension of the kind “\(other)” already"
        }
        switch kind {
        case .document(let package): return add(package) ? nil : "there are too many kinds"
        case .folder(let folder): folders.append(folder)
        }
        return nil
    }

    /// What the kinds are, one after another: two registries that say the same here take each item for the same.
    package var descriptions: [String] {
        all.map { $0.kind.section ?? $0.name } + folders.map { "[\($0.name)] \($0.itemExtension) \($0.required)" }
    }

    /// The same, with packages of an app's own.
    public func with(packages extensions: Set<String>) -> KindRegistry {
        var registry = self
        registry.ownPackages = extensions
        return registry
    }

    /// Whether a folder of this name is a package that is shown as the folder that it is: one of a kind of these, or of an app's own.
    public func isOwnPackage(_ name: Name) -> Bool {
        guard !ownPackages.isEmpty || !folders.isEmpty, let word = Self.fileExtension(of: name.bytes) else { return false }
        return ownPackages.contains(word) || folders.contains { $0.itemExtension == word }
    }

    /// The same of one that can be looked into: a folder that is only called so is none.
    package func isOwnPackage(_ name: Name, _ folder: borrowing Descriptor) -> Bool {
        guard let word = Self.fileExtension(of: name.bytes) else { return false }
        if ownPackages.contains(word) { return true }
        guard let kind = folders.first(where: { $0.itemExtension == word }) else { return false }
        guard !kind.required.isEmpty else { return true }
        guard let names = try? Container.names(in: folder) else { return false }
        return names.contains { name in kind.required.contains { $0.isCalled(name.bytes) } }
    }

    /// In small letters.
    package static func fileExtension(of name: [UInt8]) -> String? {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return nil }
        return String(decoding: name[(point + 1)...], as: UTF8.self).lowercased()
    }

    /// Whether a folder of this name is one item to the app that it belongs to: a document of one of these kinds, a package that an app has
    /// declared, or one of another app's.
    public func isPackage(_ name: Name) -> Bool {
        all.contains { $0.kind.mayBe(storedName: name.bytes, isFolder: true) } || isOwnPackage(name) || DocumentKinds.isForeignPackage(folderName: name.bytes)
            || GrowingName.package(in: name) != nil
    }

    /// The folder that is one item and in which a folder with these names lies, or which it is; nil where there is none. In a package of another app
    /// there is none.
    public func ownPackage(at path: [Name]) -> [Name]? {
        guard path.contains(where: isOwnPackage), let index = path.firstIndex(where: isPackage), isOwnPackage(path[index]) else { return nil }
        return Array(path[...index])
    }

    /// Whether a folder with these names, from the documents on, is a package or lies in one. There nothing is a document: it has no form, its
    /// name is what it is called, and what is written there stays the file that it is.
    public func isPackage(at path: some Sequence<Name>) -> Bool { path.contains(where: isPackage) }

    public func named(_ name: String) -> KindID? { all.first { $0.name == name } }

    /// The kind that a record of a deleted item names.
    func recorded(_ name: String) -> KindID? { name == KindID.folder.name ? .folder : named(name) }

    /// The one that stands in a place where one of this registry does.
    public subscript(place: UInt8) -> KindID { all[Int(place)] }

    /// The kind that somebody has typed the name of.
    func wanted(_ name: String) throws(Failure) -> KindID {
        guard let kind = named(name) else {
            throw Failure(.invalid, "there is no kind of document “\(name)”; there are: \(all.map(\.name).joined(separator: ", "))")
        }
        return kind
    }
}

/// Which kinds of documents occur in a container that nobody said anything about.
enum KindSurvey {
    /// How many entries are looked at before what was seen is taken for all there is.
    private static let limit = 20_000
    private static let depth = 8

    /// The kinds found; all of them where there is nothing at all, none where there are only other files.
    static func kinds(in documents: borrowing Descriptor, reader: ItemReader) -> [KindID] {
        var found: Set<KindID> = []
        var seen = 0
        walk(documents, depth: 0, reader: reader, found: &found, seen: &seen)
        return seen == 0 ? reader.kinds.all : reader.kinds.all.filter(found.contains)
    }

    private static func walk(_ folder: borrowing Descriptor, depth level: Int, reader: ItemReader, found: inout Set<KindID>, seen: inout Int) {
        guard level < depth, var entries = try? FolderReader(folder) else { return }
        while seen < limit, found.count < reader.kinds.all.count, let entry = (try? entries.next()) ?? nil {
            if Hidden.hides(entry.name) { continue }
            seen += 1
            let candidate = reader.candidate(for: entry.name, isFolder: entry.type == .folder)
            if let candidate {
                if !found.contains(candidate), (try? reader.open(entry.name, as: candidate, in: folder)) != nil { found.insert(candidate) }
            } else if entry.type == .folder, !reader.kinds.isPackage(entry.name), let inner = try? folder.open(entry.name, [.path, .folder]) {
                walk(inner, depth: level + 1, reader: reader, found: &found, seen: &seen)
            }
        }
    }
}
