import Hashes
import LinuxFiles

/// The contents that a device gives, this one most often: `c` in its folder.
struct ContentFolder {
    private let share: ShareFolder
    private let own: OpenFile

    init(_ share: ShareFolder, in own: OpenFile) { (self.share, self.own) = (share, own) }

    /// All that is there. Of ours, what a process left that ended while it wrote is removed.
    func contents(areOurs: Bool = true) throws(Errno) -> Set<Digest> {
        guard let folder = try there(own, ShareFolder.contents) else { return [] }
        var contents: Set<Digest> = []
        for half in try ShareFolder.names(in: folder) where half.type == .folder && half.name.bytes.count == 2 {
            guard let inner = try there(folder, half.name) else { continue }
            for entry in try ShareFolder.names(in: inner) where entry.type == .regular {
                if let content = ContentPlace.content(entry.name) { contents.insert(content) }
                if areOurs, ShareFolder.isUnfinished(entry.name) { try ShareFolder.remove(entry.name, in: inner) }
            }
        }
        return contents
    }

    private func there(_ folder: OpenFile, _ name: Name) throws(Errno) -> OpenFile? {
        do throws(Errno) { return OpenFile(try folder.descriptor.open(name, [.path, .folder])) } catch {
            guard error == .noSuchEntry else { throw error }
            return nil
        }
    }

    /// False where what is to be given is another content by now: then nothing is there.
    func put(_ content: Digest, from source: ContentRange) throws(Errno) -> Bool {
        guard source.count <= ContentPlace.largest, let place = ContentPlace(content) else { return false }
        let half = try share.made(place.half, in: try share.made(ShareFolder.contents, in: own))
        return try share.write(as: place.name, in: half) { (file) throws(Errno) in
            if source.offset == 0, source.isWhole {
                // Its blocks are shared where the store can, so it costs no room.
                do throws(Errno) { try file.shareContent(of: source.file.descriptor) } catch {
                    try source.file.descriptor.copyAll(from: 0, count: source.count, to: file, at: 0)
                }
            } else {
                try source.file.descriptor.copyAll(from: source.offset, count: source.count, to: file, at: 0)
            }
            return try Self.isContent(content, file)
        }
    }

    func isWhole(_ content: Digest) throws(Errno) -> Bool {
        guard let place = ContentPlace(content), let folder = try there(own, ShareFolder.contents), let half = try there(folder, place.half) else { return false }
        return try ShareFolder.present { () throws(Errno) in try Self.isContent(content, try half.descriptor.open(place.name, [.read, .nonBlocking])) } ?? false
    }

    func remove(_ content: Digest) throws(Errno) {
        guard let place = ContentPlace(content), let folder = try there(own, ShareFolder.contents), let half = try there(folder, place.half) else { return }
        try ShareFolder.remove(place.name, in: half)
    }

    /// The folders are gone where nothing is in them.
    func removeIfEmpty() throws(Errno) {
        guard let folder = try there(own, ShareFolder.contents) else { return }
        for half in try ShareFolder.names(in: folder) where half.type == .folder { try? folder.descriptor.removeFolder(half.name) }
        try? own.descriptor.removeFolder(ShareFolder.contents)
    }

    /// Whether a file is what its name says, read in pieces.
    static func isContent(_ content: Digest, _ file: borrowing Descriptor) throws(Errno) -> Bool {
        var hash = SHA256(), offset: Int64 = 0
        while true {
            let bytes = try file.read(at: offset, count: 1 << 20)
            if bytes.isEmpty { return hash.finish() == content }
            hash.add(bytes)
            offset += Int64(bytes.count)
            guard offset <= ContentPlace.largest else { return false }
        }
    }
}

/// Where a content lies on this computer: a file of the container's, or a part of one.
public struct ContentRange: Sendable {
    public let file: OpenFile
    public let offset: Int64
    public let count: Int64
    /// Whether it is all of the file.
    public let isWhole: Bool

    public init(_ file: OpenFile, offset: Int64 = 0, count: Int64, isWhole: Bool) { (self.file, self.offset, self.count, self.isWhole) = (file, offset, count, isWhole) }
}

/// Who finds contents on this computer.
public protocol ContentSource {
    /// Nil where it is not here any more.
    func find(_ content: Digest) throws(Errno) -> ContentRange?
}
