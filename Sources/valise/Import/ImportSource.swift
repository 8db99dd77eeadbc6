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
    /// A document or a package as its app keeps it, or a ZIP that holds a package.
    case item(String)
    case settings(KeyValueFile)

    init(_ named: String) throws(Stop) {
        try checkThere(named)
        if Self.isPackage(named) {
            self = .item(named)
            return
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
        if Self.isKept(named) || Self.isArchive(named) {
            self = .item(named)
            return
        }
        guard let form = BookmarkFile.form(source) else {
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

    /// Whether a file is a ZIP of a package, or a package as one file.
    private static func isArchive(_ path: String) -> Bool {
        guard let name = path.split(separator: "/").last.flatMap({ Name($0.utf8) }) else { return false }
        let kinds = PersonsKinds.own.registry
        return kinds.packageInZip(called: name) != nil || kinds.made(from: name)?.kind.flat != nil
    }

    /// Whether it has nothing but links.
    var isList: Bool {
        switch self {
        case .folder, .item: false
        case .file, .settings: true
        }
    }

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
        case .item(let path): try readItem(path, importing, place)
        default: try readLinks { importing.take($0) }
        }
    }

    private func readLinks(_ take: @escaping ListedItemTaker) throws(Stop) {
        do throws(Failure) {
            switch self {
            case .file(let path, _, .database): try FirefoxPlaces.read(path, goesOn: { !StopWish.isThere }, take)
            case .file(_, let source, let form): BookmarkFile.read(source, as: form, take)
            case .settings(let store): LinkListReading.settings(try settingsList(store.read().contents), take)
            case .folder, .item: break
            }
        } catch { throw Stop(1, error.sentence) }
    }

    private func settingsList(_ contents: KeyValueContents) -> PropertyList {
        .dictionary(contents.keys.compactMap { key in contents[key].map { PropertyList.Member(key, $0) } })
    }

    private func readFolder(_ top: String, _ importing: Importing, _ place: ImportPlace) {
        var waiting: [(path: String, folders: [String])] = [(top, [])]
        while let (path, folders) = waiting.popLast() {
            guard let folder = try? OpenFile(Descriptor.atPath(path, [.path, .folder])),
                var entries = try? FolderReader(folder.descriptor)
            else {
                if !importing.take(.fault(place: path, reason: "it cannot be read")) { return }
                continue
            }
            var names: [Name] = []
            while let entry = try? entries.next() {
                if entry.name.bytes.first != UInt8(ascii: ".") { names.append(entry.name) }
            }
            // What comes as it is has its own name before a photo or a text gets it.
            let items = names.sorted().map { Entry($0, in: folder, place.container) }
            for item in items.filter(\.isWhole) + items.filter({ !$0.isWhole }) {
                let named = "\(path)/\(item.name)"
                switch item.what {
                case .gone: continue
                case .folder: waiting.append((named, folders + [String(decoding: item.name.bytes, as: UTF8.self)]))
                default: if !take(item, folder, folders, named, importing) { return }
                }
            }
        }
    }

    private func readItem(_ path: String, _ importing: Importing, _ place: ImportPlace) throws(Stop) {
        let parts = writtenPath(path).split(separator: "/"), above = "/" + parts.dropLast().joined(separator: "/")
        guard let name = parts.last.flatMap({ Name($0.utf8) }),
            let folder = try? OpenFile(Descriptor.atPath(above, [.path, .folder]))
        else { throw Stop(1, "cannot read \(quoted(path))") }
        let item = Entry(name, in: folder, place.container)
        switch item.what {
        case .folder: readFolder(path, importing, place)
        case .package:
            let advice = "copy it onto a drive or into a container (cp -r), where it is what it is here"
            throw Stop(1, "\(quoted(path)) is a package of an app and stays whole: \(advice)")
        default: _ = take(item, folder, [], path, importing)
        }
    }

    /// What a name in a folder is to an import.
    private struct Entry {
        enum What {
            /// A document, or a folder that is one item, as its app keeps it. Of a bookmark, its address.
            case whole(url: String?)
            case package, archive(Name, FlatForm), otherArchive, folder, file(FileStatus), other, gone
            /// What has the name and the parts of a document, and cannot be read as one: why not.
            case damaged(String)
        }

        let name: Name
        let what: What

        init(_ name: Name, in folder: OpenFile, _ container: Container) {
            self.name = name
            what = Self.what(name, in: folder, container)
        }

        var isWhole: Bool {
            switch what {
            case .whole, .archive: true
            default: false
            }
        }

        private static func what(_ name: Name, in folder: OpenFile, _ container: Container) -> What {
            if let document = try? container.reader.read(name, in: folder.descriptor).document {
                return .whole(url: document.reading.fact("URL"))
            }
            if container.isFolderItem(name, in: folder.descriptor) { return .whole(url: nil) }
            guard let status = try? folder.descriptor.status(of: name) else { return .gone }
            switch status.type {
            case .folder:
                if let reason = fault(of: name, in: folder, container) { return .damaged(reason) }
                return container.kinds.isPackage(name) ? .package : .folder
            case .regular:
                if let (inner, form) = container.kinds.packageInZip(called: name) { return .archive(inner, form) }
                return isArchive(name) ? .otherArchive : .file(status)
            default: return .other
            }
        }

        /// nil of a folder that is only called as a document is.
        private static func fault(of name: Name, in folder: OpenFile, _ container: Container) -> String? {
            guard let kind = container.reader.candidate(for: name, isFolder: true) else { return nil }
            do throws(DocumentFault) { _ = try container.reader.open(name, as: kind, in: folder.descriptor) } catch {
                if case .foreign = error { return nil }
                return ItemReader.sentence(of: error)
            }
            return nil
        }

        private static func isArchive(_ name: Name) -> Bool {
            String(decoding: name.bytes.suffix(4), as: UTF8.self).lowercased() == ".zip"
        }
    }

    /// False where nobody is to go on.
    private func take(
        _ item: Entry, _ folder: OpenFile, _ folders: [String], _ place: String, _ importing: Importing
    ) -> Bool {
        func opened() -> OpenFile? { try? OpenFile(folder.descriptor.open(item.name, [.read, .nonBlocking])) }
        switch item.what {
        case .whole(let url):
            let whole = ComingItem.copy(item.name, of: folder)
            return importing.take(whole: whole, called: item.name, url: url, in: folders, place: place)
        case .package:
            let advice = "a package of an app stays whole: cp -r copies it onto a drive or into a container"
            return importing.leaveOut(place, advice)
        case .archive(let inner, let form):
            guard let file = opened(), let status = try? file.descriptor.status() else { break }
            let zip = ComingItem.zip(FileSource(file, byteCount: status.size), form)
            return importing.take(whole: zip, called: inner, url: nil, in: folders, place: place)
        case .otherArchive:
            let advice = "a ZIP stays the file that it is: to have what is in it, unzip it and import that"
            return importing.leaveOut(place, advice)
        case .file(let status):
            guard let file = opened() else { break }
            return importing.take(file, status, called: item.name, in: folders, place: place)
        case .other: return importing.leaveOut(place, "it is no file and no folder")
        case .damaged(let reason): return importing.take(.fault(place: place, reason: reason))
        case .folder, .gone: return true
        }
        return importing.take(.fault(place: place, reason: "it cannot be read"))
    }
}
