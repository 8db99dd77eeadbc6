import BookmarkFiles
import Containers
import Coordination
import Documents
import LinuxFiles
import PropertyLists

/// An import into a container: takes what is listed, one after another, and puts it in its place, many at a time. What is there already by its address or
/// content, in that folder, stays as it is; nothing is changed or removed.
///
/// The process that writes in the container does it, whichever that is: a drive, or this one.
public final class Importing {
    private let container: Container
    private let isTrial: Bool
    private let isStopped: () -> Bool
    private let progress: (Int) -> Void
    private var folders: ImportFolders
    private var list: ImportList?
    private var coordinator: FileCoordinator?
    public private(set) var summary = ImportSummary()
    private var failure: Failure?
    private var waiting: [Waiting] = [], waitingBytes = 0
    private var number: Int64 = 0
    /// What documents are called that come as their app keeps them: names that nothing else gets here.
    private var keptFree: [[Name]: Set<Name>] = [:]
    /// The container's folder that the last one goes into, if it is there by now.
    private var target: (path: [Name], folder: OpenFile?)?

    private struct Waiting {
        enum Content {
            case link([UInt8])
            case file(OpenFile, FileStatus)
            /// A document as its app keeps it, under the name that it gets.
            case whole(ComingItem, stored: Name)
        }

        let path: [Name]
        let shown: Name
        let kind: KindID
        let content: Content
        let added: Int64?
        let changed: Timestamp?
        let place: String
    }

    /// So many come to their places at a time, and no more bytes of links than these.
    private static let most = 4000, mostBytes = 1 << 23, mostFolders = 100
    /// Whoever has something claimed is waited for, so many seconds.
    private static let patience = 60

    /// `top` is the folder that all of it goes into. A trial changes nothing.
    public init(into container: Container, at top: [Name], isTrial: Bool, isStopped: @escaping () -> Bool = { false }, progress: @escaping (Int) -> Void = { _ in }) {
        (self.container, self.isTrial, self.isStopped, self.progress) = (container, isTrial, isStopped, progress)
        folders = ImportFolders(container, top: top)
    }

    /// False where nobody is to go on.
    public func take(_ item: ListedItem) -> Bool {
        switch item {
        case .other: summary.other += 1
        case .search:
            summary.other += 1
            summary.searches += 1
        case .fault(let place, let reason): summary.faults.add(place, reason)
        case .link(let link): take(link)
        }
        progress(summary.added + summary.known + summary.doubled)
        return goesOn
    }

    private var goesOn: Bool {
        if failure == nil, waiting.count >= Self.most || waitingBytes >= Self.mostBytes { passOn() }
        if isStopped() { summary.isStopped = true }
        return failure == nil && !summary.isStopped
    }

    private func take(_ link: ListedLink) {
        summary.links += 1
        let (path, isWhole) = folders.place(link.folders)
        if !isWhole { summary.furtherUp.add("“\(link.name.prefix(80))”", "its folder lies too deep; it goes into “\(path.last.map { "\($0)" } ?? "the top")”") }
        switch folders.add(link.url, to: path) {
        case .new: break
        case .known: return summary.known += 1
        case .doubled: return summary.doubled += 1
        }
        let stem = Array(ImportFolders.visible(link.name).utf8), name = ShownName.make(stem: stem, fileExtension: "url")
        guard let kind = container.kinds.made(from: name) else {
            return summary.faults.add("“\(link.name.prefix(80))”", "no document can be called so")
        }
        if name.bytes.count < stem.count + ".url".utf8.count { summary.shortened += 1 }
        if link.isCut { summary.cut += 1 }
        let content = LinkFile.canonical(form: .url, name: link.name, url: link.url) + LinkNotes.section(of: link)
        waitingBytes += content.count
        let moment = (link.changed ?? link.added).map { Timestamp(seconds: $0, nanoseconds: 0) }
        add(Waiting(path: path, shown: name, kind: kind, content: .link(content), added: link.added, changed: moment, place: "“\(link.name.prefix(80))”"))
    }

    /// Something that an import does not bring.
    public func leaveOut(_ place: String, _ reason: String) -> Bool {
        summary.leftOut.add(place, reason)
        return goesOn
    }

    /// A document or a package as its app keeps it. It gets its own name, or that with a number where another one has
    /// it. `url`: of a bookmark, its address.
    public func take(
        whole item: ComingItem, called stored: Name, url: String?, in folder: [String], place: String
    ) -> Bool {
        if let reason = item.fault() {
            summary.faults.add(place, reason)
            return goesOn
        }
        let path = folders.place(folder).path
        if let url, folders.add(url, to: path) != .new {
            summary.known += 1
            return goesOn
        }
        let taken = keptFree[path] ?? []
        switch folders.freeStoredName(for: item, called: stored, in: path, isTaken: taken.contains) {
        case .known: summary.known += 1
        case .taken: summary.faults.add(place, "something else has its name in the container: give it another one")
        case .free(let free, let kind):
            keptFree[path, default: []].insert(free)
            let content = Waiting.Content.whole(item, stored: free)
            add(Waiting(path: path, shown: free, kind: kind, content: content, added: nil, changed: nil, place: place))
            // Each may have open files.
            if waiting.count >= 200 { passOn() }
        }
        progress(summary.added + summary.known + summary.doubled)
        return goesOn
    }

    /// A photo, a text or a link file. `place` is what it is called where it is reported.
    public func take(_ file: OpenFile, _ status: FileStatus, called name: Name, in folder: [String], place: String) -> Bool {
        guard let kind = container.kinds.made(from: name) else {
            summary.leftOut.add(place, "no document is called so: copy it onto a drive to have it as it is")
            return goesOn
        }
        do throws(DocumentFault) {
            _ = try kind.kind.write(content: FileSource(file, byteCount: status.size), shownName: name.bytes, over: nil, spelling: nil)
        } catch {
            summary.faults.add(place, ItemReader.sentence(of: error))
            return goesOn
        }
        if let form = kind.kind.flat {
            let zip = ComingItem.zip(FileSource(file, byteCount: status.size), form)
            return take(whole: zip, called: name, url: nil, in: folder, place: place)
        }
        let path = folders.place(folder).path
        guard let shown = folders.freeName(for: file, status, called: name, kind, in: path) else {
            summary.known += 1
            return goesOn
        }
        add(Waiting(path: path, shown: shown, kind: kind, content: .file(file, status), added: nil, changed: status.modified, place: place))
        // Each is an open file.
        if waiting.count >= 200 { passOn() }
        progress(summary.added + summary.known + summary.doubled)
        return goesOn
    }

    private func add(_ item: Waiting) {
        waiting.append(item)
        summary.shortened += folders.shortenedFolders(to: item.path)
        if isTrial {
            summary.added += 1
            summary.newFolders += folders.newFolders(to: item.path).count
            (waiting, waitingBytes) = ([], 0)
        }
    }

    /// What waits still comes to its place.
    public func end() throws(Failure) {
        if failure == nil, !waiting.isEmpty { passOn() }
        list?.end()
        coordinator?.close()
        if let failure { throw failure }
    }

    // MARK: Many at a time

    private func passOn() {
        do throws(Failure) { try placeAll() } catch { failure = error }
        (waiting, waitingBytes) = ([], 0)
    }

    private func placeAll() throws(Failure) {
        let coordinator: FileCoordinator
        if let known = self.coordinator { coordinator = known } else {
            coordinator = try FileCoordinator(container.path)
            self.coordinator = coordinator
        }
        do {
            try coordinator.coordinate(writing: "", timeout: .seconds(Self.patience)) { item in
                let staged = try item.staged()
                var made: [MadeItem] = [], written = 0
                do throws(Errno) { written = try write(to: staged.madeFolder(), &made) } catch { throw Failure(error, "nothing more can be written in “\(container.path)”: \(error)", cause: error) }
                if list == nil { list = try ImportList(in: container) }
                do throws(Errno) { try list?.add(made) } catch { throw Failure(error, "the list of what is imported cannot be written: \(error)", cause: error) }
                try item.placeAll(in: staged)
                let left = (try? staged.openFolder()).map(count) ?? 0
                summary.added += written - left
                if left > 0 { summary.faults.add("\(left) of \(written)", "something else has their names in the container since; import again", count: left) }
            }
        } catch let failure as Failure { throw failure } catch { throw Failure(.inputOutput, "\(error)") }
    }

    /// What is still in there, of documents.
    private func count(in folder: OpenFile) -> Int {
        guard var entries = try? FolderReader(folder.descriptor) else { return 0 }
        var count = 0
        while let entry = try? entries.next() {
            let isFolder = (try? folder.descriptor.status(of: entry.name).type) == .folder
            let isInner = isFolder && container.reader.candidate(for: entry.name, isFolder: true) == nil
                && !container.isFolderItem(entry.name, in: folder.descriptor)
            count += isInner ? (try? OpenFile(folder.descriptor.open(entry.name, [.path, .folder]))).map(self.count) ?? 0 : 1
        }
        return count
    }

    /// Writes what waits where it is handed over from; how many that are.
    private func write(to top: OpenFile, _ made: inout [MadeItem]) throws(Errno) -> Int {
        var open: [[Name]: OpenFile] = [[]: top], written = 0
        target = nil
        defer { target = nil }
        for item in waiting {
            let new = folders.newFolders(to: item.path)
            summary.newFolders += new.count
            made += new.map { MadeItem(path: $0, stamp: nil) }
            let folder = try Self.folder(item.path, &open)
            let source: any ByteSource
            switch item.content {
            case .link(let bytes): source = Bytes(bytes)
            case .file(let file, let status): source = FileSource(file, byteCount: status.size)
            case .whole(let whole, let stored):
                if let stamp = try make(whole, as: stored, item, in: folder) {
                    made.append(MadeItem(path: item.path + [stored], stamp: stamp))
                    written += 1
                }
                continue
            }
            let writings: [PartWriting]
            do throws(DocumentFault) {
                writings = try item.kind.kind.write(content: source, shownName: item.shown.bytes, over: nil, spelling: container.spelling(of: item.kind))
            } catch {
                summary.faults.add(item.place, ItemReader.sentence(of: error))
                continue
            }
            do throws(Errno) {
                let (stored, stamp) = try write(item, writings, in: folder)
                made.append(MadeItem(path: item.path + [stored], stamp: stamp))
                written += 1
            } catch {
                if error == .noSpace || error == .quota || error == .readOnly { throw error }
                summary.faults.add(item.place, "\(error)")
            }
        }
        return written
    }

    /// nil where it could not be made: that is told.
    private func make(
        _ whole: ComingItem, as stored: Name, _ item: Waiting, in folder: OpenFile
    ) throws(Errno) -> BaseStamp? {
        do throws(DocumentFault) { try whole.make(stored, in: folder) } catch {
            if let errno = error.errno, [.noSpace, .quota, .readOnly].contains(errno) { throw errno }
            summary.faults.add(item.place, ItemReader.sentence(of: error))
            return nil
        }
        return try container.stampOfMade(stored, in: folder)
    }

    private static func folder(_ path: [Name], _ open: inout [[Name]: OpenFile]) throws(Errno) -> OpenFile {
        if let known = open[path] { return known }
        guard let name = path.last else { throw .invalid }
        let above = try folder(Array(path.dropLast()), &open)
        do throws(Errno) { try above.descriptor.makeFolder(name) } catch { if error != .exists { throw error } }
        let made = OpenFile(try above.descriptor.open(name, [.path, .folder]))
        // Each is an open file, and a list may have a folder for every link.
        if open.count > mostFolders { open = open.filter { $0.key.isEmpty } }
        open[path] = made
        return made
    }

    /// A name of its own: the app's has a moment in it, of which there is one for each of this import. One that was imported before may have that
    /// moment too: with another address, under the same name, of the same second.
    private func write(_ item: Waiting, _ writings: [PartWriting], in folder: OpenFile) throws(Errno) -> (Name, BaseStamp) {
        number += 1
        let seconds = item.added ?? Timestamp.now.seconds
        let time = UnixMicroseconds(rawValue: seconds &* 1_000_000 &+ number % 1_000_000)
        return try NewItemName.trying(item.kind, for: item.shown, at: time) { (stored) throws(Errno) in
            if isTaken(stored, in: item.path) { throw .exists }
            return (stored, try make(item, writings, as: stored, in: folder))
        }
    }

    private func isTaken(_ stored: Name, in path: [Name]) -> Bool {
        if keptFree[path]?.contains(stored) == true { return true }
        if target?.path != path { target = (path, try? container.documents.folder(at: path)) }
        return (try? target?.folder?.descriptor.exists(stored)) == true
    }

    /// Fails with `exists` where something has the name.
    private func make(_ item: Waiting, _ writings: [PartWriting], as stored: Name, in folder: OpenFile) throws(Errno) -> BaseStamp {
        guard let parts = item.kind.newPartNames(shown: item.shown) else { return try write(writings.first ?? .keep, item, as: stored, in: folder) }
        try folder.descriptor.makeFolder(stored)
        let package = OpenFile(try folder.descriptor.open(stored, [.path, .folder]))
        var stamp: BaseStamp?
        for (part, writing) in zip(parts, writings) where writing != .keep {
            let written = try write(writing, item, as: part, in: package)
            stamp = stamp ?? written
        }
        guard let stamp else { throw .invalid }
        return stamp
    }

    private func write(_ writing: PartWriting, _ item: Waiting, as name: Name, in folder: OpenFile) throws(Errno) -> BaseStamp {
        let file = try folder.descriptor.open(name, [.readWrite, .create, .exclusive], mode: 0o666)
        switch writing {
        case .keep: break
        case .bytes(let bytes): try file.write(bytes, at: 0)
        case .around(let head, let tail):
            guard case .file(let source, let status) = item.content else { throw .invalid }
            try file.write(head, at: 0)
            try source.descriptor.copyAll(from: 0, count: status.size, to: file, at: Int64(head.count))
            try file.write(tail, at: Int64(head.count) + status.size)
        }
        guard let moment = item.changed else { return BaseStamp(try file.status()) }
        return BaseStamp(try Provenance.date(file, moment))
    }
}
