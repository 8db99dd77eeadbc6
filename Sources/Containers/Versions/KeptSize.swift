import LinuxFiles

/// How much room something takes that is kept, and of how much it is.
public struct KeptSize: Equatable, Sendable {
    public private(set) var items = 0
    /// Of earlier versions, of how many documents they are.
    public private(set) var documents = 0
    /// What is free when all of it is gone, in bytes.
    public private(set) var size: Int64 = 0

    public static func + (left: KeptSize, right: KeptSize) -> KeptSize {
        KeptSize(items: left.items + right.items, documents: left.documents + right.documents, size: left.size.saturatingAdd(right.size))
    }

    public init(items: Int = 0, documents: Int = 0, size: Int64 = 0) { (self.items, self.documents, self.size) = (items, documents, size) }
}

extension Container {
    /// Of the versions of all documents at and below a path that were written before a moment: those that may be removed.
    public func versionsRoom(at path: [Name] = [], before moment: Int64? = nil) throws(Errno) -> KeptSize {
        guard let folder = try versionFolder(path) else { return KeptSize() }
        var measure = RoomMeasure(), items = 0, documents = 0
        for shelf in try VersionShelf.all(in: folder, at: path) {
            let versions = shelf.purgeable(before: moment)
            for case .kept(let entry) in versions.map(\.location) { measure.add(entry, in: shelf.folder.descriptor) }
            (items, documents) = (items + versions.count, documents + (versions.isEmpty ? 0 : 1))
        }
        return KeptSize(items: items, documents: documents, size: measure.free)
    }

    /// Of all that was deleted, with the versions that went along.
    public func deletedRoom() throws(StateFault) -> KeptSize {
        let items = try deletedItems().all
        var measure = RoomMeasure()
        do throws(Errno) {
            for item in items {
                guard let (folder, name) = try deletedPlace(of: item) else { continue }
                measure.add(name, in: folder.descriptor)
                if item.away == 0 { measure.add(item.versionsEntry, in: folder.descriptor) }
            }
        } catch { throw .failed(error) }
        return KeptSize(items: items.count, size: measure.free)
    }
}

/// Adds up what would be free without some files. A version has a second name of what did not change: one that has more names than are
/// among them takes its room still.
private struct RoomMeasure {
    private struct File {
        /// As many as were found, and as many as it has.
        var found = 0
        let names: Int
        let size: Int64
    }

    private var files: [FileIdentity: File] = [:]

    /// A file, or a folder with all that is in it. What cannot be looked at, or is gone, adds nothing.
    mutating func add(_ name: Name, in folder: borrowing Descriptor) {
        guard let status = try? folder.status(of: name) else { return }
        if status.type == .folder {
            guard let inner = try? folder.open(name, [.path, .folder]), var entries = try? FolderReader(inner) else { return }
            while let entry = try? entries.next() { add(entry.name, in: inner) }
        } else {
            let room = files[status.identity]?.size ?? Self.room(of: status, in: folder)
            files[status.identity, default: File(names: Int(status.links), size: room)].found += 1
        }
    }

    /// Holes take none. A store that a program serves may not tell of blocks at all: then it is what it is long.
    private static func room(of status: FileStatus, in folder: borrowing Descriptor) -> Int64 {
        if status.blocks == 0 {
            let type = try? folder.fileSystemType()
            return type == .fuse ? status.size : 0
        }
        let (room, isMore) = status.blocks.multipliedReportingOverflow(by: 512)
        return isMore ? status.size : min(status.size, room)
    }

    var free: Int64 { files.values.reduce(0) { $1.found >= $1.names ? $0.saturatingAdd($1.size) : $0 } }
}
