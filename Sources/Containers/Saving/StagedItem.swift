import Documents
import LinuxFiles
import Transactions

/// An item that somebody has written whole beside the container's documents, in `.valise/handed`, to be put in its place by
/// whoever writes in the container.
public struct StagedItem: Hashable, Sendable {
    /// What it is called there.
    public let name: Name
    /// What the item's content was when this one was begun; nil where that does not matter.
    public let base: BaseStamp?
    /// Another program has what is there open on a drive, and may write to it still.
    public var isOpen = false

    public init(name: Name, base: BaseStamp?) { (self.name, self.base) = (name, base) }
}

/// What came of saving a staged item.
public enum StagedOutcome: Hashable, Sendable {
    case saved
    /// Somebody else had changed the document meanwhile: what they wrote is a version that somebody has to decide about.
    case conflict
}

extension Container {
    package static let handedName = Name(constant: "handed")

    /// The folder in which apps write what they hand over, made where it is missing.
    public func handedFolder() throws(Failure) -> OpenFile {
        do throws(StateFault) { return try state.madeFolder(Self.handedName, in: state.made()) } catch { throw ContainerLock.failure(error, self) }
    }

    /// What somebody wrote there who has ended since, is nobody's.
    public func clearHanded() {
        guard let own = try? state.opened(), let folder = try? state.folder(Self.handedName, in: own), var entries = try? FolderReader(folder.descriptor) else { return }
        while let entry = try? entries.next() { try? folder.descriptor.removeTree(entry.name) }
    }

    /// What an item's content is now, to be known again when it is saved; nil where there is none, or where it is a folder of the user's.
    public func contentStamp(at path: [Name]) throws(Errno) -> BaseStamp? {
        guard let name = path.last else { return nil }
        do throws(Errno) {
            return try contentStamp(of: name, in: documents.folder(at: path.dropLast()))
        } catch {
            guard error == .noSuchEntry || error == .notDirectory else { throw error }
            return nil
        }
    }

    func contentStamp(of name: Name, in folder: OpenFile) throws(Errno) -> BaseStamp? {
        let status = try folder.descriptor.status(of: name)
        if status.type == .regular || status.type == .symbolicLink { return BaseStamp(status) }
        guard status.type == .folder, let kind = reader.candidate(for: name, isFolder: true), kind.isPackage
        else { return nil }
        return try contentStamp(of: name, kind, in: folder)
    }

    /// The same of a folder that is a package of an app's own; nil for what is no folder.
    public func contentStamp(ofOwnPackage path: [Name]) throws(Errno) -> BaseStamp? {
        guard let name = path.last else { return nil }
        do throws(Errno) {
            return try contentStamp(ofOwnPackage: name, in: documents.folder(at: path.dropLast()))
        } catch {
            guard error == .noSuchEntry || error == .notDirectory else { throw error }
            return nil
        }
    }

    private func contentStamp(of name: Name, _ kind: KindID, in folder: OpenFile) throws(Errno) -> BaseStamp {
        // All that is in the package of a flat file is the content.
        if kind.kind.flat != nil { return try contentStamp(ofOwnPackage: name, in: folder) }
        let home = try kind.home(in: OpenFile(folder.descriptor.open(name, [.path, .folder])))
        return BaseStamp(try home.descriptor.status(of: kind.contentName(in: home.descriptor) ?? name))
    }

    func contentStamp(ofOwnPackage name: Name, in folder: OpenFile) throws(Errno) -> BaseStamp {
        try PackageStamp(OpenFile(folder.descriptor.open(name, [.path, .folder]))).stamp
    }

    /// The same, of a package in a folder whose parts were looked at.
    public func contentStamp(
        ofPackage stored: Name, at name: Name, in folder: OpenFile, with parts: [(name: Name, status: FileStatus)]
    ) -> BaseStamp? {
        guard let kind = reader.candidate(for: stored, isFolder: true) else {
            return try? contentStamp(ofOwnPackage: name, in: folder)
        }
        if kind.hasDeepContent || kind.kind.flat != nil { return try? contentStamp(of: name, kind, in: folder) }
        guard let content = kind.form?.names(among: parts.map(\.name)).first else { return nil }
        return parts.first { $0.name == content }.map { BaseStamp($0.status) }
    }
}
