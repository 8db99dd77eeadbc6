import Containers
import Documents
import LinuxFiles

// Whether what documents were lies where it belongs.
extension ContainerCheck {
    /// Every shelf of versions: of a document that is there, and with nothing but versions that can be read.
    mutating func lookAtVersions() {
        // While something is under way, versions may be on their way too.
        guard holder == nil, let state = try? container.state.opened(), JournalLook(in: state, of: container).unfinished.intents.isEmpty else { return }
        do throws(Errno) {
            let status = try state.descriptor.status(of: Container.versionsName)
            guard container.state.oddity(of: status, .folder) == nil else { return }
            lookAtVersions(in: OpenFile(try state.descriptor.open(Container.versionsName, [.path, .folder])), [], of: container.documents)
        } catch { if error != .noSuchEntry { add(.unreadable, versionsPath, "it cannot be entered: \(error)", cause: error) } }
    }

    private var versionsPath: [Name] { [container.state.name, Container.versionsName] }

    /// `documents` is the folder of the same path; nil where it is gone.
    private mutating func lookAtVersions(in folder: OpenFile, _ path: [Name], of documents: OpenFile?) {
        guard path.count < Self.deepest else { return add(.unreadable, versionsPath + path, "it lies too deep to be looked at") }
        var inner: [Name] = []
        do throws(Errno) {
            var entries = try FolderReader(untraced: folder.descriptor)
            while let entry = try entries.next() {
                if entry.type == .folder { inner.append(entry.name) } else { add(.oddVersion, versionsPath + path + [entry.name], "it is of no document") }
            }
        } catch { return add(.unreadable, versionsPath + path, "it cannot be read: \(error)", cause: error) }
        for name in inner.sorted() {
            guard let shelf = try? folder.descriptor.open(name, [.path, .folder]) else { continue }
            let place = path + [name]
            if let versions = Self.versions(in: shelf) {
                let isOrphaned = (try? documents?.descriptor.exists(name)) != true
                lookAtShelf(OpenFile(shelf), versions, place, isOrphaned: isOrphaned, of: documents)
            } else { lookAtVersions(in: OpenFile(shelf), place, of: Self.folder(name, in: documents)) }
        }
    }

    private static func folder(_ name: Name, in folder: OpenFile?) -> OpenFile? {
        guard let inner = try? folder?.descriptor.open(name, [.path, .folder]) else { return nil }
        return OpenFile(inner)
    }

    /// What a document's folder has in it; nil where it is a folder of such folders.
    private static func versions(in shelf: borrowing Descriptor) -> [(name: Name, type: FileType)]? {
        var names: [(name: Name, type: FileType)] = []
        guard var entries = try? FolderReader(untraced: shelf) else { return nil }
        while let entry = try? entries.next() { names.append((entry.name, entry.type)) }
        return names.contains { DocumentVersion(entry: $0.name) != nil } ? names : nil
    }

    private mutating func lookAtShelf(
        _ shelf: OpenFile, _ versions: [(name: Name, type: FileType)], _ path: [Name], isOrphaned: Bool, of documents: OpenFile?
    ) {
        let place = versionsPath + path
        guard !isOrphaned, let stored = path.last else { return add(.orphanedVersions, place, "its document is gone; its versions stay for a month, in case that comes back") }
        // What is called as a document is, and is none, has versions as a plain file.
        let isPlain = (try? container.versioned(at: path).place.kind) == .plain
        for (name, type) in versions {
            // What was in a folder that is a package by now.
            if type == .folder, DocumentVersion(entry: name) == nil, reader.mayBePackage(stored) { continue }
            guard DocumentVersion(entry: name) != nil else {
                // On a drive, a package of an app's own is a folder: the files in it have versions, too.
                if type != .folder || !lookAtParts(name, of: shelf, path, in: documents) {
                    add(.oddVersion, place + [name], "it is no version")
                }
                continue
            }
            let isFolder = type == .folder, candidate = reader.candidate(for: stored, isFolder: isFolder)
            let kind = candidate ?? (isFolder ? KindID.folder : .plain)
            do throws(DocumentFault) { _ = try reader.open(name, as: kind, in: shelf.descriptor, called: stored) } catch {
                if error.errno == .noSuchEntry || type == .regular && isPlain { continue }
                // It was a plain file then, or a package of another kind, or one that no flat file can hold.
                if case .foreign = error { continue }
                if kind == .folder { continue }
                add(.oddVersion, place + [name], "it cannot be read as a version: \(ItemReader.sentence(of: error))")
            }
        }
    }

    /// What was kept of a part of a package, or of what is in a part. False where the package is no folder of the user's.
    private mutating func lookAtParts(_ part: Name, of shelf: OpenFile, _ path: [Name], in documents: OpenFile?) -> Bool {
        guard let stored = path.last, reader.candidate(for: stored, isFolder: true) == nil, let package = Self.folder(stored, in: documents),
            let inner = Self.folder(part, in: shelf)
        else { return false }
        if let versions = Self.versions(in: inner.descriptor) {
            let isOrphaned = (try? package.descriptor.exists(part)) != true
            lookAtShelf(inner, versions, path + [part], isOrphaned: isOrphaned, of: package)
        } else { lookAtVersions(in: inner, path + [part], of: Self.folder(part, in: package)) }
        return true
    }
}
