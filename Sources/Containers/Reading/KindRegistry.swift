import Documents
import LinuxFiles

/// One of the kinds of documents that a container has. It is known by its name, and that is what is written down of it.
public struct KindID: Hashable, Sendable {
    private final class Entry: Sendable {
        let kind: any DocumentKind, name: String, form: PackageForm?, place: UInt8, section: String?

        init(_ kind: any DocumentKind, at place: UInt8, _ section: String?) {
            (self.kind, name, form, self.place, self.section) = (kind, kind.name, PackageForm(kind), place, section)
        }
    }

    private let entry: Entry

    fileprivate init(_ kind: any DocumentKind, at place: UInt8, _ section: String?) {
        entry = Entry(kind, at: place, section)
    }

    /// What plain files have versions as. It has no place in any registry, and nothing that is written down names it.
    public static let plain = KindID(DocumentKinds.plainFile, at: .max, nil)

    /// What folders that are one item have versions as, packages of an app's own among them, and are among the deleted. It has no place in any registry
    /// either.
    public static let folder = KindID(DocumentKinds.folderItem, at: .max, nil)

    public var kind: any DocumentKind { entry.kind }
    public var name: String { entry.name }
    /// What its packages are made of; nil for one whose documents are files.
    package var form: PackageForm? { entry.form }
    /// What is written down of it where a container names its kinds: as its person wrote it, however it is shown here.
    package var section: String? { entry.section }
    /// Where it stands in its registry: for as long as that is there, and for nobody who writes something down.
    public var place: UInt8 { entry.place }

    public static func == (left: KindID, right: KindID) -> Bool { left.entry === right.entry || left.name == right.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(entry.name) }
}

/// The kinds of documents that a container has: those that are shipped, then those that a person wrote down for all containers
/// (`PersonsKinds.swift`), then those that the container names itself (`Settings.swift`). None is what an earlier one is.
public struct KindRegistry: Sendable {
    /// In the order in which an item is asked whether it is of one of them.
    public private(set) var all: [KindID] = []
    /// Kinds of packages that are shown as folders.
    public private(set) var folders: [FolderKind] = []

    /// Those of which new files become documents.
    public static let basic = KindRegistry(DocumentKinds.shipped)
    /// And the packages of other apps that everybody has.
    public static let shipped = basic.with(ShippedPackages.all).with(DocumentKinds.notDownloaded)

    /// Extensions, in small letters, of packages that an app has declared: such a folder is one item, although no kind knows its parts.
    private var ownPackages: Set<String> = []

    // An item is looked for by its extension where that says enough: there are many kinds, and very many items.
    private var byMoreThanExtension: [KindID] = []
    private var byExtension: [String: KindID] = [:]
    private var foldersByExtension: [String: FolderKind] = [:]
    /// Names that somebody gave to kinds that are shipped by now. They stand in what was written down then.
    private var formerNames: [String: String] = [:]

    /// Of two with one name, the first counts.
    public init(_ kinds: [any DocumentKind]) {
        for kind in kinds where named(kind.name) == nil { _ = add(kind) }
    }

    private mutating func add(_ kind: any DocumentKind) -> Bool { add(kind, writtenAs: kind.section) }

    private mutating func add(_ kind: any DocumentKind, writtenAs section: String?) -> Bool {
        // A node has one byte for it, and a catalog counts from 1.
        guard let place = UInt8(exactly: all.count), place < .max else { return false }
        let id = KindID(kind, at: place, section)
        all.append(id)
        if let word = kind.folderExtension { byExtension[word] = byExtension[word] ?? id } else { byMoreThanExtension.append(id) }
        return true
    }

    private mutating func add(_ folder: FolderKind) {
        folders.append(folder)
        foldersByExtension[folder.itemExtension] = folder
    }

    private func with(_ kind: any DocumentKind) -> KindRegistry {
        var registry = self
        _ = registry.add(kind)
        return registry
    }

    private func with(_ kinds: [KindsFile.Kind]) -> KindRegistry {
        var registry = self
        for kind in kinds { _ = registry.add(kind) }
        return registry
    }

    /// With what is written down in a file, and what is wrong there. `isContainers`: in the settings of a container,
    /// where Valise itself has written down what was a person's kind, and may be a shipped one by now.
    public func with(
        _ file: KindsFile, isContainers: Bool = false
    ) -> (registry: KindRegistry, mistakes: [KindsFile.Mistake]) {
        var registry = self, mistakes = file.mistakes
        for written in file.kinds {
            let isKnown = isContainers && Self.isShipped(written.kind)
            guard let sentence = registry.add(written.kind), !isKnown else { continue }
            mistakes.append(KindsFile.Mistake(line: written.line, sentence: sentence))
        }
        return (registry, mistakes.sorted { $0.line < $1.line })
    }

    /// The same, with all packages of other apps shown so.
    public func showing(_ packages: ShownPackages) -> KindRegistry {
        guard packages != .kind else { return self }
        var registry = KindRegistry([])
        (registry.ownPackages, registry.formerNames) = (ownPackages, formerNames)
        func put(_ kind: KindsFile.Kind) {
            switch kind.shown(as: packages) {
            case .document(let document): _ = registry.add(document, writtenAs: kind.section)
            case .folder(let folder): registry.add(folder)
            }
        }
        for id in all { if let kind = KindsFile.Kind(id.kind) { put(kind) } else { _ = registry.add(id.kind) } }
        for folder in folders { put(.folder(folder)) }
        return registry
    }

    private static func isShipped(_ kind: KindsFile.Kind) -> Bool {
        ShippedPackages.all.contains { $0.itemExtension == kind.itemExtension }
    }

    /// Why it is not added; nil where it is, or is there already as it is.
    private mutating func add(_ kind: KindsFile.Kind) -> String? {
        if let section = kind.document?.section, all.contains(where: { $0.kind.section == section }) { return nil }
        if let folder = kind.folder, folders.contains(folder) { return nil }
        let word = kind.itemExtension
        if let shipped = ShippedPackages.all.first(where: { $0.itemExtension == word }), names.contains(shipped.name) {
            if kind.name != shipped.name { formerNames[kind.name] = shipped.name }
            return "Valise itself knows the packages “.\(word)” now and shows them as \(Self.words(for: shipped)); "
                + "this section counts no more, and can be taken out"
        }
        if names.contains(kind.name) { return "there is a kind “\(kind.name)” already" }
        let document = all.first { $0.kind.contentType.itemExtension == word }
        if let other = document?.name ?? foldersByExtension[word]?.name {
            return "“.\(word)” is the extension of the kind “\(other)” already"
        }
        switch kind {
        case .document(let package): return add(package) ? nil : "there are too many kinds"
        case .folder(let folder): add(folder)
        }
        return nil
    }

    /// Whether there is a kind of documents, or of folders, that is called so.
    func has(_ name: String) -> Bool { names.contains(name) }

    private var names: [String] { all.map(\.name) + folders.map(\.name) }

    private static func words(for kind: KindsFile.Kind) -> String {
        switch kind {
        case .folder: "folders"
        case .document(let document): document.flat == nil ? "what is in them, a text or an image" : "one file each"
        }
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

    /// The kind that an item of this name may be, from the name alone.
    package func candidate(for name: Name, isFolder: Bool) -> KindID? {
        for id in byMoreThanExtension where id.kind.mayBe(storedName: name.bytes, isFolder: isFolder) { return id }
        guard isFolder, !byExtension.isEmpty, let word = Self.fileExtension(of: name.bytes), let id = byExtension[word]
        else { return nil }
        return id.kind.mayBe(storedName: name.bytes, isFolder: true) ? id : nil
    }

    /// Whether a folder of this name is a package that is shown as the folder that it is: one of a kind of these, or of an app's own.
    public func isOwnPackage(_ name: Name) -> Bool {
        guard !ownPackages.isEmpty || !folders.isEmpty, let word = Self.fileExtension(of: name.bytes) else { return false }
        return isOwnPackage(extension: word)
    }

    private func isOwnPackage(extension word: String) -> Bool {
        ownPackages.contains(word) || foldersByExtension[word] != nil
    }

    /// What folders are called that are one item, each once: by their kinds, and those of an app's own by their
    /// extension.
    package var folderPackages: [FolderPackage] {
        let declared = ownPackages.subtracting(foldersByExtension.keys).sorted()
        let kinds = folders.map { ($0.name, $0.itemExtension, $0.typeIdentifier) } + declared.map { ($0, $0, nil) }
        return kinds.enumerated().map { FolderPackage(name: $1.0, itemExtension: $1.1, typeIdentifier: $1.2, place: Int64($0)) }
    }

    /// That of a folder with this name; nil where its extension is none of these.
    package func folderPackage(called name: Name) -> FolderPackage? {
        guard let word = Self.fileExtension(of: name.bytes), isOwnPackage(extension: word) else { return nil }
        return folderPackages.first { $0.itemExtension == word }
    }

    package func folderPackage(called name: Name, _ folder: borrowing Descriptor) -> FolderPackage? {
        isOwnPackage(name, folder) ? folderPackage(called: name) : nil
    }

    /// The same of one that can be looked into: a folder that is only called so is none.
    package func isOwnPackage(_ name: Name, _ folder: borrowing Descriptor) -> Bool {
        guard let word = Self.fileExtension(of: name.bytes) else { return false }
        if ownPackages.contains(word) { return true }
        guard let kind = foldersByExtension[word] else { return false }
        guard !kind.required.isEmpty else { return true }
        for part in kind.required { if (try? part.isThere(in: folder)) == true { return true } }
        return false
    }

    /// In small letters.
    package static func fileExtension(of name: [UInt8]) -> String? {
        guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > 0 else { return nil }
        return String(decoding: name[(point + 1)...], as: UTF8.self).lowercased()
    }

    /// Whether a folder of this name is one item to the app that it belongs to: a document of one of these kinds, a package that an app has
    /// declared, or one of another app's.
    public func isPackage(_ name: Name) -> Bool {
        for id in byMoreThanExtension where id.kind.mayBe(storedName: name.bytes, isFolder: true) { return true }
        // All others have an extension.
        guard let word = Self.fileExtension(of: name.bytes) else { return false }
        return byExtension[word] != nil || isOwnPackage(extension: word)
            || DocumentKinds.isForeignPackage(fileExtension: word) || GrowingName.package(in: name) != nil
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

    /// The kind that a new file of this name is, if its content fits.
    public func made(from name: Name) -> KindID? {
        all.first { $0.kind.isMadeFromFiles && $0.kind.takes(shownName: name.bytes) }
    }

    public func named(_ name: String) -> KindID? {
        all.first { $0.name == name } ?? formerNames[name].flatMap { now in all.first { $0.name == now } }
    }

    /// The kind that a record of a deleted item names.
    func recorded(_ name: String) -> KindID? { name == KindID.folder.name ? .folder : named(name) }

    /// The one that stands in a place where one of this registry does.
    public subscript(place: UInt8) -> KindID { all[Int(place)] }

    /// The kind that somebody has typed the name of.
    func wanted(_ name: String) throws(Failure) -> KindID {
        guard let kind = named(name) else {
            let names = all.filter { $0.kind.isMadeFromFiles }.map(\.name).joined(separator: ", ")
            throw Failure(.invalid, "there is no kind of document “\(name)”; there are: \(names)")
        }
        return kind
    }
}

/// Folders that are one item, as searches find them.
package struct FolderPackage: Hashable, Sendable {
    package let name: String
    package let itemExtension: String
    package let typeIdentifier: String?
    /// Where it stands among those of its registry.
    package let place: Int64
}

/// Which kinds of documents occur in a container that nobody said anything about, of those that new files become by
/// their names.
enum KindSurvey {
    /// How many entries are looked at before what was seen is taken for all there is.
    private static let limit = 20_000
    private static let depth = 8

    /// The kinds found; all of them where there is nothing at all, none where there are only other files.
    static func kinds(in documents: borrowing Descriptor, reader: ItemReader) -> [KindID] {
        var found: Set<KindID> = []
        var seen = 0
        walk(documents, depth: 0, reader: reader, found: &found, seen: &seen)
        let wanted = wanted(reader)
        return seen == 0 ? wanted : wanted.filter(found.contains)
    }

    private static func isWanted(_ id: KindID) -> Bool { id.kind.isMadeFromFiles && id.kind.flat == nil }
    private static func wanted(_ reader: ItemReader) -> [KindID] { reader.kinds.all.filter(isWanted) }

    private static func walk(_ folder: borrowing Descriptor, depth level: Int, reader: ItemReader, found: inout Set<KindID>, seen: inout Int) {
        guard level < depth, var entries = try? FolderReader(folder) else { return }
        let most = wanted(reader).count
        while seen < limit, found.count < most, let entry = (try? entries.next()) ?? nil {
            if Hidden.hides(entry.name) { continue }
            seen += 1
            let candidate = reader.candidate(for: entry.name, isFolder: entry.type == .folder)
            if let candidate {
                guard isWanted(candidate), !found.contains(candidate) else { continue }
                if (try? reader.open(entry.name, as: candidate, in: folder)) != nil { found.insert(candidate) }
            } else if entry.type == .folder, !reader.kinds.isPackage(entry.name), let inner = try? folder.open(entry.name, [.path, .folder]) {
                walk(inner, depth: level + 1, reader: reader, found: &found, seen: &seen)
            }
        }
    }
}
