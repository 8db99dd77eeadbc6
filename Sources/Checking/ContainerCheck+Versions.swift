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
                lookAtShelf(OpenFile(shelf), versions, place, isOrphaned: (try? documents?.descriptor.exists(name)) != true)
            } else {
                let folder = try? documents.flatMap { (folder) throws(Errno) in OpenFile(try folder.descriptor.open(name, [.path, .folder])) }
                lookAtVersions(in: OpenFile(shelf), place, of: folder)
            }
        }
    }

    /// What a document's folder has in it; nil where it is a folder of such folders.
    private static func versions(in shelf: borrowing Descriptor) -> [(name: Name, type: FileType)]? {
        var names: [(name: Name, type: FileType)] = []
        guard var entries = try? FolderReader(untraced: shelf) else { return nil }
        while let entry = try? entries.next() { names.append((entry.name, entry.type)) }
        return names.contains { DocumentVersion(entry: $0.name) != nil } ? names : nil
    }

    private mutating func lookAtShelf(_ shelf: OpenFile, _ versions: [(name: Name, type: FileType)], _ path: [Name], isOrphaned: Bool) {
        let place = versionsPath + path
        guard !isOrphaned, let stored = path.last else { return add(.orphanedVersions, place, "its document is gone; its versions stay for a month, in case that comes back") }
        // What is called as a document is, and is none, has versions as a plain file.
        let isPlain = (try? container.versioned(at: path).place.kind) == .plain
        for (name, type) in versions {
            // What was in a folder before that was one item.
            if type == .folder, DocumentVersion(entry: name) == nil, reader.kinds.isOwnPackage(stored) { continue }
            let other: KindID? = type != .folder ? .plain : reader.kinds.isOwnPackage(stored) ? .folder : nil
            guard DocumentVersion(entry: name) != nil, let kind = reader.candidate(for: stored, isFolder: type == .folder) ?? other else {
                add(.oddVersion, place + [name], "it is no version")
                continue
            }
            do throws(DocumentFault) { _ = try reader.open(name, as: kind, in: shelf.descriptor, called: stored) } catch {
                if error.errno == .noSuchEntry || type == .regular && isPlain { continue }
                // It was a plain file then, or a package of another kind, or one that no flat file can hold.
                if case .foreign = error { continue }
                if kind == .folder { continue }
                add(.oddVersion, place + [name], "it cannot be read as a version: \(ItemReader.sentence(of: error))")
            }
        }
    }
}
