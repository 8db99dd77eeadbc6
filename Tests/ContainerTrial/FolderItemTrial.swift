import Containers
import LinuxFiles
import TextBundles

/// One operation on a folder that is one item: as the drive asks for it while programs remove and make folders, and as an app and `valise` do.
final class FolderItemTrial: TrialOperation {
    private let path: String, operation: String
    private var container: Container?, workshop: Workshop?
    private var isHandedOver = false
    private let cat = Name(constant: "Cat.novel"), dog = Name(constant: "Dog.novel"), fresh = Name(constant: "fresh.dir"), handed = Name(constant: "handed")

    /// What a drive knows of a removal that goes on.
    private var parts: [UInt64] = [], folders: [[Name]: FileStatus] = [:], removed: DeletedItem?

    let heldDescriptors = 0
    let written = 0

    init(container: String, operation: String) { (path, self.operation) = (container, operation) }

    func prepare() -> Int32 {
        guarded {
            let container = try Container.open(path, access: .readWrite, kinds: TextBundles.kinds)
            let workshop = try Workshop.open(in: container, purpose: "on trial", versions: .standard, deleted: .standard)
            _ = try workshop.recover()
            (self.container, self.workshop) = (container, workshop)
            switch operation {
            case "undelete-folder", "purge-folder": try remove(cat, at: top(container), workshop)
            case "renew-folder": try FolderCopy.make(dog, in: container.documents, as: fresh, in: container.documents)
            case "put-folder", "put-folder-clash": try handOver(container)
            default: break
            }
        }
    }

    func run() -> Int32 {
        guarded {
            guard let container, let workshop else { throw Errno.invalid }
            switch operation {
            case "keep-folder": try remove(cat, at: top(container), workshop)
            case "undelete-folder": try undelete(container, workshop)
            case "purge-folder": if let item = workshop.deletedItems.first { try workshop.commit(.purge(item)) }
            case "renew-folder":
                if removed == nil { try remove(cat, at: top(container), workshop) }
                if try container.documents.descriptor.exists(fresh) {
                    try container.documents.descriptor.rename(fresh, to: container.documents.descriptor, as: cat)
                }
                // It stays among the deleted where that cannot be.
                if let removed { _ = try? workshop.commit(.keepRemoved(removed, asVersion: true)) }
            case "restore-folder":
                guard let once = VersionID("2020-01-01T00-00-00.000000Z") else { throw Errno.invalid }
                let place = DocumentPlace(folder: container.documents, path: [], stored: cat, kind: .folder)
                try workshop.commit(.decide(.restore(once), on: place, shown: cat))
            case "put-folder", "put-folder-clash":
                try handOver(container)
                isHandedOver = false
                let base = operation == "put-folder" ? try container.contentStamp(ofOwnPackage: [cat]) : BaseStamp(text: "1.2.3")
                try workshop.commit(.put(StagedItem(name: handed, base: base), at: [cat]))
            default: throw Errno.invalid
            }
        }
    }

    private func guarded(_ body: () throws -> Void) -> Int32 {
        do { try body() } catch let error as Errno { return error.rawValue } catch let error as Failure { return error.errno.rawValue } catch {
            if case SaveFault.failed(let errno) = error { return errno.rawValue }
            return 9999
        }
        return 0
    }

    private func top(_ container: Container) -> Address { Address(folder: container.documents, path: [], shown: cat) }

    // MARK: As `rm -r` on a drive

    /// The item, or a folder in it, with all that is in it.
    private func remove(_ name: Name, at place: Address, _ workshop: Workshop) throws {
        let folder = OpenFile(try place.folder.descriptor.open(name, [.path, .folder])), path = place.path + [name]
        let inner = OpenFile(try folder.descriptor.reopened([.read, .folder]))
        for entry in try names(in: inner) {
            let part = Address(folder: folder, path: path, shown: entry), status = try folder.descriptor.status(of: entry)
            if status.type == .folder { try remove(entry, at: part, workshop) } else { try unlink(status, at: part, workshop) }
        }
        if !place.path.isEmpty { begin(in: place) }
        let then = folders[path]
        let held = try place.path.isEmpty
            ? workshop.commit(.holdFolder(name, in: place, like: then)).deleted : workshop.commit(.holdPart(name, in: place, like: then)).deleted
        try keeping(held, workshop) { try place.folder.descriptor.removeFolder(name) }
        guard let held else { return }
        guard place.path.isEmpty else { return parts.append(held.number) }
        _ = try? workshop.commit(.gather(parts, into: held))
        removed = held
    }

    private func names(in folder: OpenFile) throws -> [Name] {
        var entries = try FolderReader(folder.descriptor), names: [Name] = []
        while let entry = try entries.next() { names.append(entry.name) }
        return names.sorted()
    }

    /// What the folder is before something in it goes.
    private func begin(in place: Address) {
        if folders[place.path] == nil { folders[place.path] = try? place.folder.descriptor.status() }
    }

    private func unlink(_ status: FileStatus, at place: Address, _ workshop: Workshop) throws {
        begin(in: place)
        let isWhole = status.type == .regular && status.links == 1, name = place.shown
        if isWhole, let item = try workshop.commit(.takeAway(plain: name, from: place)).deleted { return parts.append(item.number) }
        let held = try isWhole ? workshop.commit(.hold(plain: name, in: place)).deleted : nil
        var holding = held
        if held == nil { holding = try workshop.commit(.holdPart(name, in: place, like: nil)).deleted }
        try keeping(holding, workshop) { try place.folder.descriptor.unlink(name) }
        if let held { _ = try? workshop.commit(.letGo(held: held)) }
        if let holding { parts.append(holding.number) }
    }

    private func keeping(_ held: DeletedItem?, _ workshop: Workshop, _ body: () throws -> Void) throws {
        do { try body() } catch {
            if let held { _ = try? workshop.commit(.purge(held)) }
            throw error
        }
    }

    // MARK: As `valise undelete`, and as an app

    private func undelete(_ container: Container, _ workshop: Workshop) throws {
        guard let item = workshop.deletedItems.first(where: \.isFolder) else { throw Errno.noSuchEntry }
        let parts = workshop.deletedParts(of: [item])
        try workshop.commit(.bringBack(item, to: container.documents, at: item.path, as: item.stored, shown: item.shown))
        for part in parts {
            let folder = try container.documents.folder(at: part.path)
            _ = try? workshop.commit(.bringBack(part, to: folder, at: part.path, as: part.stored, shown: part.shown))
        }
    }

    /// What an app has written: the same as Dog, with another part and without one.
    private func handOver(_ container: Container) throws {
        guard !isHandedOver else { return }
        let home = try container.handedFolder()
        try? home.descriptor.removeTree(handed)
        try FolderCopy.make(dog, in: container.documents, as: handed, in: home)
        let folder = try home.descriptor.open(handed, [.path, .folder])
        try folder.unlink(Name(constant: "link"))
        try folder.open(Name(constant: "two"), [.write, .create, .truncate], mode: 0o600).write(Array("two".utf8), at: 0)
        isHandedOver = true
    }
}

/// A copy of a folder, as a program makes it.
enum FolderCopy {
    static func make(_ name: Name, in folder: OpenFile, as new: Name, in target: OpenFile) throws {
        let status = try folder.descriptor.status(of: name)
        switch status.type {
        case .folder:
            if try !target.descriptor.exists(new) { try target.descriptor.makeFolder(new, mode: status.permissions) }
            let inner = OpenFile(try folder.descriptor.open(name, [.path, .folder])), place = OpenFile(try target.descriptor.open(new, [.path, .folder]))
            var entries = try FolderReader(inner.descriptor)
            while let entry = try entries.next() { try make(entry.name, in: inner, as: entry.name, in: place) }
        case .symbolicLink: try target.descriptor.makeSymbolicLink(new, to: folder.descriptor.readSymbolicLink(name))
        default:
            let bytes = try folder.descriptor.open(name, .read).readAll(limit: 1 << 24)
            try target.descriptor.open(new, [.write, .create, .truncate], mode: status.permissions).write(bytes, at: 0)
        }
    }
}
