import BookmarkFiles
import Containers
import Documents
import Imports
import KeyValueStore
import LinuxFiles
import PropertyLists
import Shell

/// Where an import comes from: a file of a browser's, a folder with photos, texts and link files, or the settings of an app's container.
enum ImportSource {
    case file(String, FileSource, BookmarkFile.Form)
    case folder(String)
    case settings(KeyValueFile)

    init(_ named: String) throws(Stop) {
        try checkThere(named)
        if Self.isPackage(named) {
            throw Stop(1, "\(quoted(named)) is a package of an app and stays whole: copy it onto a drive or into a container (cp -r), where it is what it is here")
        }
        guard let status = try? status(of: named), status.type != .folder else {
            switch try NamedPlace(named) {
            case .drive, .container: self = .settings(try KeyValuePlace.store(named))
            case .onDrive, .apps, .inContainer, .other: self = .folder(named)
            }
            return
        }
        guard status.type == .regular else { throw Stop(1, "\(quoted(named)) is no file and no folder") }
        let file: OpenFile
        do throws(Errno) { file = OpenFile(try Descriptor.atPath(named, [.read, .nonBlocking])) } catch { throw Stop(1, "cannot read \(quoted(named)): \(error)") }
        let source = FileSource(file, byteCount: status.size)
        guard status.size > 0 else { throw Stop(1, "\(quoted(named)) is empty") }
        guard let form = Self.isKept(named) ? nil : BookmarkFile.form(source) else {
            if Self.isKept(named) { throw Stop(1, "\(quoted(named)) is a document as its app keeps it: it is copied onto a drive or into a container, and not imported") }
            throw Stop(1, "\(quoted(named)) is none of the files that are imported: bookmarks as HTML, JSON, CSV or a property list, Firefox's places.sqlite or .jsonlz4; a photo or a text is copied onto a drive")
        }
        self = .file(named, source, form)
    }

    /// Whether a file is a document as its app keeps it.
    private static func isKept(_ path: String) -> Bool { (try? ContainerItem.describe(path))?.isDocument == true }

    /// A folder in a package may be named: that is what is meant then.
    private static func isPackage(_ named: String) -> Bool {
        guard (try? status(of: named))?.type == .folder, let name = (try? foundPath(named))?.split(separator: "/").last.flatMap({ Name($0.utf8) }) else { return false }
        return PersonsKinds.own.registry.isPackage(name)
    }

    /// Whether it has nothing but links.
    var isList: Bool { if case .folder = self { false } else { true } }

    /// What to do where it is a container and its settings have no bookmarks, of which it was named so; nil of anything else.
    func advice(named: String, into place: ImportPlace) -> String? {
        guard case .settings = self, let source = try? ImportPlace(named) else { return nil }
        return "\(quoted(named)) is a container, and its settings have no list of bookmarks. Its documents are copied and not imported: "
            + "cp -rn \(shellWord(source.folder))/* \(shellWord(place.folder)); to have it as a drive of its own: valise mount \(shellWord(source.container.path)) MOUNTPOINT"
    }

    /// Has all of it taken. What it is read from is only read.
    func read(into importing: Importing, at place: ImportPlace) throws(Stop) {
        switch self {
        case .folder(let path): readFolder(path, importing, place)
        default: try readLinks { importing.take($0) }
        }
    }

    private func readLinks(_ take: @escaping ListedItemTaker) throws(Stop) {
        do throws(Failure) {
            switch self {
            case .file(let path, _, .database): try FirefoxPlaces.read(path, goesOn: { !StopWish.isThere }, take)
            case .file(_, let source, let form): BookmarkFile.read(source, as: form, take)
            case .settings(let store): LinkListReading.settings(try settingsList(store.read().contents), take)
            case .folder: break
            }
        } catch { throw Stop(1, error.sentence) }
    }

    private func settingsList(_ contents: KeyValueContents) -> PropertyList {
        .dictionary(contents.keys.compactMap { key in contents[key].map { PropertyList.Member(key, $0) } })
    }

    /// An app's documents are no photos and texts that become some, but are some already.
    private static func refused(_ kept: [Name], all: Bool, of path: String, _ folders: [String], _ place: ImportPlace) -> String {
        let whereTo = shellWord(([place.folder] + folders).joined(separator: "/")), few = kept.count <= 3
        let items = kept.count <= 20 ? kept.map { shellWord("\(path)/\(String(decoding: $0.bytes, as: UTF8.self))") }.joined(separator: " ") : all ? shellWord(path) + "/*" : "…"
        let named = kept.prefix(3).map { "“\($0)”" }.joined(separator: ", ") + (few ? "" : " and \(count(kept.count - 3)) more")
        return "\(named) \(kept.count == 1 ? "is a document as its app keeps it" : "are documents as their app keeps them"), copied into the container and not imported: "
            + (folders.isEmpty ? "" : "mkdir -p \(whereTo) && ") + "cp -rn \(items) \(whereTo)"
    }

    private static func isArchive(_ name: Name) -> Bool {
        String(decoding: name.bytes.suffix(4), as: UTF8.self).lowercased() == ".zip"
    }

    private static func isFolderItem(_ name: Name, in folder: borrowing Descriptor, _ reader: ItemReader) -> Bool {
        guard reader.kinds.isOwnPackage(name), let package = try? folder.open(name, [.path, .folder]) else { return false }
        return reader.kinds.isOwnPackage(name, package)
    }

    private func readFolder(_ top: String, _ importing: Importing, _ place: ImportPlace) {
        let reader = ItemReader(options: ShowingOptions(), kinds: PersonsKinds.own.registry)
        var waiting: [(path: String, folders: [String])] = [(top, [])]
        while let (path, folders) = waiting.popLast() {
            guard let folder = try? Descriptor.atPath(path, [.path, .folder]), var entries = try? FolderReader(folder) else {
                if !importing.take(.fault(place: path, reason: "it cannot be read")) { return }
                continue
            }
            var names: [Name] = []
            while let entry = try? entries.next() { if entry.name.bytes.first != UInt8(ascii: ".") { names.append(entry.name) } }
            let kept = names.filter { name in
                (try? reader.read(name, in: folder))?.document != nil || Self.isFolderItem(name, in: folder, reader)
            }.sorted()
            if !kept.isEmpty, !importing.refuse(kept, in: folders, path, Self.refused(kept, all: kept.count == names.count, of: path, folders, place)) { return }
            for name in Set(names).subtracting(kept).sorted() {
                let place = "\(path)/\(name)"
                guard let found = try? folder.status(of: name) else { continue }
                var goesOn = true
                switch found.type {
                case .folder where reader.kinds.isPackage(name):
                    goesOn = importing.leaveOut(place, "a package of an app stays whole: cp -r copies it onto a drive or into a container")
                case .regular where Self.isArchive(name):
                    let advice = "a ZIP stays the file that it is: to have what is in it, unzip it and import that, or copy its packages"
                    goesOn = importing.leaveOut(place, advice)
                case .folder: waiting.append((place, folders + [String(decoding: name.bytes, as: UTF8.self)]))
                case .regular:
                    if let file = try? OpenFile(folder.open(name, [.read, .nonBlocking])) {
                        goesOn = importing.take(file, found, called: name, in: folders, place: place)
                    } else { goesOn = importing.take(.fault(place: place, reason: "it cannot be read")) }
                default: goesOn = importing.leaveOut(place, "it is no file and no folder")
                }
                if !goesOn { return }
            }
        }
    }
}
