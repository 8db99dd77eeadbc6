import Containers
import Documents
import Glibc
import LinuxFiles
import Thumbnails

// `.sh_thumbnails`: the thumbnails that photos have, where file managers look for them before they read a photo.
// Found by name and not listed, read-only, and made of a photo's metadata alone. A folder of that name in the container goes before.
extension Drive {
    /// Photos come with small ones.
    private static let longestThumbnail: Int64 = 1 << 20

    /// What a name in `.sh_thumbnails` is, or in a folder with photos.
    func lookUpThumbnail(_ name: Name, in parent: ThumbnailNode) throws(Errno) -> Entry {
        switch parent {
        case .top(let folder):
            guard let size = SharedThumbnail.sizes.firstIndex(of: name) else { throw .noSuchEntry }
            return try entry(of: .size(size, folder: folder))
        case .size(let size, let folder):
            guard let digest = SharedThumbnail.digest(inNameOf: name), let photo = try photos(in: folder)[digest] else { throw .noSuchEntry }
            return try entry(of: .picture(size, photo: photo))
        case .picture: throw .notDirectory
        }
    }

    func lookUpThumbnails(of folder: UInt32) throws(Errno) -> Entry {
        guard tree.withLock({ $0[folder].role == .folder }), try !photos(in: folder).isEmpty else { throw .noSuchEntry }
        return try entry(of: .top(folder: folder))
    }

    func forget(_ node: ThumbnailNode, count: UInt64) {
        thumbnailStamps.withLock { $0[node.id] = nil }
        thumbnailPlaces.withLock { $0[node.base] = nil }
        tree.withLock { tree in
            if tree.contains(node.base) { tree.forget(node.base, count: count) }
        }
    }

    /// Why a name that the kernel found, and that is in no folder of the container, cannot be taken away.
    func absence(of name: Name) -> Errno { name == SharedThumbnail.folder ? .readOnly : .noSuchEntry }

    func lookUpParent(of node: ThumbnailNode) throws(Errno) -> Entry {
        switch node {
        case .size(_, let folder): return try entry(of: .top(folder: folder))
        case .top(let folder):
            guard let entry = try entry(of: folder) else { throw .stale }
            return entry
        case .picture: throw .notDirectory
        }
    }

    /// A folder's photos, by what their thumbnails are called.
    private func photos(in folder: UInt32) throws(Errno) -> [MD5: UInt32] {
        guard tree.withLock({ $0.contains(folder) }) else { throw .stale }
        try readNames(of: folder)
        let (edition, before, photos): (UInt64, ThumbnailNames?, [(id: UInt32, shown: Name)]) = tree.withLock { tree in
            guard let entries = tree.folders[folder] else { return (0, nil, []) }
            if let names = entries.thumbnailNames, names.edition == entries.edition { return (entries.edition, names, []) }
            var photos: [(id: UInt32, shown: Name)] = []
            entries.byShown.forEach { id in
                if tree[id].role == .document, tree[id].kindID.kind is PhotoKind { photos.append((id, tree[id].shown)) }
            }
            return (entries.edition, entries.thumbnailNames, photos)
        }
        if let before, before.edition == edition { return before.photos }
        let names = ThumbnailNames(of: photos, edition: edition, before: before)
        tree.withLock { $0.folders[folder]?.thumbnailNames = names }
        return names.photos
    }

    func entry(of node: ThumbnailNode) throws(Errno) -> Entry {
        let attributes = try attributes(of: node)
        let generation = tree.withLock { tree -> UInt64? in
            guard tree.contains(node.base) else { return nil }
            tree.remember(node.base)
            return UInt64(tree[node.base].generation)
        }
        guard let generation else { throw .stale }
        return Entry(node: node.id, generation: generation, attributes: attributes)
    }

    func attributes(of node: ThumbnailNode) throws(Errno) -> Attributes {
        if case .picture(_, let photo) = node { return attributes(of: try thumbnail(of: photo), as: node) }
        let folder = try self.attributes(of: NodeID(rawValue: UInt64(node.base)), handle: nil)
        var attributes = readableFolder(node.base, like: folder, mode: folder.mode & 0o555)
        attributes.node = node.id
        return attributes
    }

    /// Those may see it who may see the photo, and read where it is kept.
    private func attributes(of thumbnail: StoredThumbnail, as node: ThumbnailNode) -> Attributes {
        var attributes = present(thumbnail.status, as: node.base).narrowed(by: present(thumbnail.metadata, as: node.base))
        attributes.node = node.id
        attributes.keeps = .not
        return attributes
    }

    func openThumbnail(_ node: ThumbnailNode, writes: Bool, _ caller: Caller) throws(Errno) -> Opened {
        guard case .picture(_, let photo) = node else { throw .isDirectory }
        guard !writes else { throw .readOnly }
        let thumbnail = try thumbnail(of: photo)
        guard rights.mayRead(attributes(of: thumbnail, as: node), caller) else { throw .accessDenied }
        let place = thumbnail.place
        let file = OpenFile(try thumbnail.package.descriptor.open(Self.metadataName, [.read, .nonBlocking]))
        guard ContentStamp(try file.descriptor.status()) == place.stamp else { throw .stale }
        let head = try file.descriptor.read(at: place.offset, count: SharedThumbnail.headLength)
        let content = OpenContent.headed(
            head + thumbnail.chunks, file, offset: place.offset + Int64(head.count), length: place.length - Int64(head.count), thumbnail.status)
        let stamp = ContentStamp(thumbnail.status)
        let before = thumbnailStamps.withLock { $0.updateValue(stamp, forKey: node.id) }
        // Of no node: what becomes of the photo's handles is nothing to this one.
        var opened = Opened(handle: handles.withLock { $0.add(OpenHandle(node: 0, target: .content(content), writes: false)) })
        opened.keepsCache = before == stamp
        opened.closesSilently = true
        return opened
    }

    func openThumbnails(_ node: ThumbnailNode) throws(Errno) -> OpenedFolder {
        if case .picture = node { throw .notDirectory }
        guard tree.withLock({ $0.contains(node.base) }) else { throw .stale }
        tree.withLock { $0.addHandle(node.base) }
        let handle = handles.withLock { $0.add(FolderListing(folder: node.base, listsNothing: true)) }
        return OpenedFolder(handle: handle, caches: false, keepsCache: false)
    }

    // MARK: Where it lies

    private static let dataName = Name(constant: "photo.data"), metadataName = Name(constant: "photo.metadata")

    private struct StoredThumbnail {
        let package: OpenFile
        let place: ThumbnailPlace
        let chunks: [UInt8]
        /// What the drive shows of it.
        let status: FileStatus
        let metadata: FileStatus
    }

    /// In the photo's metadata. A photo that is being changed has none until it is saved.
    private func thumbnail(of photo: UInt32) throws(Errno) -> StoredThumbnail {
        try coordinator.read(lane(photo)) { () throws(Errno) in
            let (node, document) = tree.withLock { ($0.contains(photo) ? $0[photo] : nil, $0.documents[photo]) }
            guard let node, node.role == .document, node.flags.isDisjoint(with: [.orphan, .unborn]), document?.draft == nil else { throw .noSuchEntry }
            let package = OpenFile(try place(of: node.parent).descriptor.open(node.stored, [.path, .folder]))
            var status = try package.descriptor.status(of: Self.dataName)
            let metadata = try package.descriptor.status(of: Self.metadataName)
            guard let place = try place(of: photo, in: package, metadata) else { throw .noSuchEntry }
            status.modified = max(status.modified, metadata.modified)
            status.changed = max(status.changed, metadata.changed)
            let chunks = SharedThumbnail(of: node.shown, modified: status.modified).chunks
            status.mode = FileType.regular.mode | status.mode & 0o444
            status.links = 1
            status.size = place.length + Int64(chunks.count)
            status.blocks = FileStatus.blocks(of: status.size)
            return StoredThumbnail(package: package, place: place, chunks: chunks, status: status, metadata: metadata)
        }
    }

    /// Asked of one photo a dozen times in a row, so it is remembered while the metadata is the same.
    private func place(of photo: UInt32, in package: OpenFile, _ metadata: FileStatus) throws(Errno) -> ThumbnailPlace? {
        let stamp = ContentStamp(metadata)
        if let known = thumbnailPlaces.withLock({ $0[photo] }), known.stamp == stamp { return known }
        guard metadata.type == .regular else { return nil }
        let file = OpenFile(try package.descriptor.open(Self.metadataName, [.read, .nonBlocking]))
        guard let range = (try? PhotoKind.thumbnail(in: FileSource(file, byteCount: metadata.size))) ?? nil,
            (Int64(SharedThumbnail.headLength)...Self.longestThumbnail).contains(range.length),
            SharedThumbnail.isPNG(try file.descriptor.read(at: range.offset, count: SharedThumbnail.headLength))
        else { return nil }
        let place = ThumbnailPlace(stamp: stamp, offset: range.offset, length: range.length)
        thumbnailPlaces.withLock { $0[photo] = place }
        return place
    }
}
