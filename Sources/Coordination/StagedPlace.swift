import Containers
import LinuxFiles

/// Where an app writes an item before it is saved: a name that is free, on the container's file system. What is there when this object
/// goes is removed.
public final class StagedPlace: Sendable {
    /// What it is called in `.valise/handed`.
    public let name: Name
    private let folder: OpenFile
    /// Its absolute path.
    public let path: String

    init(in container: Container, like item: ItemPath) throws(Failure) {
        let folder = try container.handedFolder()
        // An app may look at how a file is called.
        let text = item.names.last.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "", dot = text.lastIndex(of: ".")
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        guard let name = Name(number + (dot.map { String(text[$0...].prefix(32)) } ?? "")) ?? Name(number) else { throw Failure(.invalid, "“\(item)” has no name") }
        do throws(Errno) { path = try AbsolutePath.of(folder.descriptor) + "/\(name)" } catch {
            throw Failure(error, "nothing can be written in “\(container.state.fullPath)”: \(error)", cause: error)
        }
        (self.name, self.folder) = (name, folder)
    }

    deinit { Self.remove(name, in: folder, depth: 0) }

    /// Makes a folder of it.
    public func madeFolder() throws(Errno) -> OpenFile {
        try folder.descriptor.makeFolder(name)
        return try openFolder()
    }

    public func openFolder() throws(Errno) -> OpenFile { OpenFile(try folder.descriptor.open(name, [.path, .folder])) }

    /// Makes a file of it.
    public func write(_ bytes: [UInt8]) throws(Errno) { try folder.descriptor.open(name, [.write, .create, .exclusive], mode: 0o600).write(bytes, at: 0) }

    private static func remove(_ name: Name, in folder: OpenFile, depth: Int) {
        if (try? folder.descriptor.unlink(name)) != nil || depth > ItemPath.deepest { return }
        guard let inner = try? folder.descriptor.open(name, [.path, .folder]) else { return }
        let place = OpenFile(inner)
        if var entries = try? FolderReader(place.descriptor) { while let entry = try? entries.next() { remove(entry.name, in: place, depth: depth + 1) } }
        try? folder.descriptor.removeFolder(name)
    }
}

// Many new items at once: for who has claimed the whole container.
extension CoordinatedItem {
    /// What was written into the folder comes to the same places in the container, each item wholly or not at all. Where something is already, the new
    /// one stays in the folder.
    public func placeAll(in folder: StagedPlace) throws(Failure) { try tell(.place(folder.name)) }

    /// The items of a list, a `MadeItem` a line, go among the deleted, as far as they are what they were.
    public func takeBack(_ list: StagedPlace) throws(Failure) { try tell(.takeBack(list.name)) }

    private func tell(_ decision: ContainerDecision) throws(Failure) {
        guard let held, held.items[index].purpose.isWriting, path.names.isEmpty else { throw Failure(.badDescriptor, "the container is not claimed for writing") }
        do throws(Failure) { try held.decide(item: index, .container(decision)) } catch {
            guard error.errno == Errno(rawValue: 104) else { throw error }
            throw Failure(error.errno, "\(error.sentence); if its drive is of an older Valise, mount it anew: valise unmount, valise mount", cause: error)
        }
    }
}

// Saves of apps: what is written is put in the item's place by the one process that writes in the container.
extension CoordinatedItem {
    /// A place to write the item to.
    public func staged() throws(Failure) -> StagedPlace { try StagedPlace(in: container, like: path) }

    /// What the item's content is now; nil where there is none. For `save(_:over:)`, by who reads it now and saves it later.
    public func contentStamp() throws(Failure) -> BaseStamp? {
        do throws(Errno) {
            if let stamp = try container.contentStamp(at: path.names) { return stamp }
            return try container.contentStamp(ofOwnPackage: path.names)
        } catch { throw Failure(error, "“\(path)” cannot be read: \(error)", cause: error) }
    }

    /// Puts what was written into the item's place, wholly or not at all. What was there becomes a version; where it was not `base` any
    /// more, one that somebody has to decide about. For blocks that write. A file takes the place of a file, a package that of a package.
    @discardableResult
    public func save(_ staged: StagedPlace, over base: BaseStamp? = nil) throws(Failure) -> StagedOutcome {
        guard let held, held.items[index].purpose.isWriting else { throw Failure(.badDescriptor, "“\(path)” is not claimed for writing") }
        do throws(Failure) { return try held.save(item: index, StagedItem(name: staged.name, base: base)) } catch {
            throw Failure(error.errno, "“\(path)” is not saved: \(error.sentence)", cause: error.cause)
        }
    }
}
