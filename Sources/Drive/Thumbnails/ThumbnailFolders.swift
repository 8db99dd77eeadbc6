import Containers
import Coordination
import Documents
import LinuxFiles
import Thumbnails

/// `.sh_thumbnails`: the thumbnails that photos have, where file managers look for them before they read a photo.
/// Found by name and not listed, read-only, and made of a photo's metadata alone. A folder of that name in the container goes before.
final class ThumbnailFolders: Sendable {
    private let tree: Tree
    private let handles: OpenHandles
    private let coordinator: DocumentCoordinator
    private let rights: CallerRights
    private let places: Places
    private let shown: ShownAttributes
    private let folders: FolderContents
    private let nodes: NodeAttributes
    private let mirror: MirroredRights
    private let known = Locked(Known())

    private struct Known {
        /// The states of thumbnails that the kernel has cached.
        var stamps: [NodeID: ContentStamp] = [:]
        /// Where those lie that it asked for, by photo.
        var places: [NodeNumber: ThumbnailPlace] = [:]
    }

    init(
        tree: Tree, handles: OpenHandles, coordinator: DocumentCoordinator, rights: CallerRights, places: Places,
        shown: ShownAttributes, folders: FolderContents, nodes: NodeAttributes, mirror: MirroredRights
    ) {
        (self.tree, self.handles, self.coordinator, self.rights, self.places) = (tree, handles, coordinator, rights, places)
        (self.shown, self.folders, self.nodes, self.mirror) = (shown, folders, nodes, mirror)
    }

    private struct StoredThumbnail {
        let package: OpenFile
        /// The file in it that has the thumbnail.
        let part: Name
        let place: ThumbnailPlace
        let chunks: [UInt8]
        /// What the drive shows of it.
        let status: FileStatus
        let metadata: FileStatus
    }

    /// A longer thumbnail is not served: those of photos are small.
    private static let longestThumbnail: Int64 = 1 << 20

    /// What a name in `.sh_thumbnails` is, or in a folder with photos.
    func lookUp(_ name: Name, in parent: ThumbnailNode) throws(Errno) -> Entry {
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

    func lookUpTop(of folder: NodeNumber) throws(Errno) -> Entry {
        guard tree[folder].role == .folder, try !photos(in: folder).isEmpty else { throw .noSuchEntry }
        return try entry(of: .top(folder: folder))
    }

    func forget(_ node: ThumbnailNode, count: UInt64) {
        known.withLock { known in
            known.stamps[node.id] = nil
            known.places[node.base] = nil
        }
        tree.forget(NodeID(node.base), count: count)
    }

    func lookUpParent(of node: ThumbnailNode) throws(Errno) -> Entry {
        switch node {
        case .size(_, let folder): return try entry(of: .top(folder: folder))
        case .top(let folder):
            guard let entry = try nodes.entry(of: folder) else { throw .stale }
            return entry
        case .picture: throw .notDirectory
        }
    }

    /// A folder's photos, by what their thumbnails are called.
    private func photos(in folder: NodeNumber) throws(Errno) -> [MD5: NodeNumber] {
        guard tree.withLock({ $0.contains(folder) }) else { throw .stale }
        try folders.readNames(of: folder)
        // Where their names are not known in the folder's present edition.
        let (edition, before, photos) = tree.withLock { tree -> (UInt64, ThumbnailNames?, [(id: NodeNumber, shown: Name)]) in
            guard let entries = tree.folders[folder] else { return (0, nil, []) }
            if let names = entries.thumbnailNames, names.edition == entries.edition { return (entries.edition, names, []) }
            var photos: [(id: NodeNumber, shown: Name)] = []
            entries.byShown.forEach { id in
                if tree[id].role == .document, tree.kinds[tree[id].kind].kind.thumbnails != nil { photos.append((tree.node(of: id), tree[id].shown)) }
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
        let entry = tree.withLock { tree -> Entry? in
            guard tree.contains(node.base) else { return nil }
            tree.remember(node.base)
            return Entry(node: node.id, generation: UInt64(tree[node.base].generation), attributes: attributes)
        }
        guard let entry else { throw .stale }
        return entry
    }

    func attributes(of node: ThumbnailNode) throws(Errno) -> Attributes {
        if case .picture(_, let photo) = node { return attributes(of: try thumbnail(of: photo), as: node) }
        let folder = try nodes.attributes(of: node.base)
        var attributes = mirror.readableFolder(node.base, like: folder, mode: folder.mode & 0o555)
        attributes.node = node.id
        return attributes
    }

    /// Those may see it who may see the photo, and read where it is kept.
    private func attributes(of thumbnail: StoredThumbnail, as node: ThumbnailNode) -> Attributes {
        var attributes = shown.present(thumbnail.status, as: node.base).narrowed(by: shown.present(thumbnail.metadata, as: node.base))
        attributes.node = node.id
        attributes.keeps = .not
        return attributes
    }

    func open(_ node: ThumbnailNode, writes: Bool, _ caller: Caller) throws(Errno) -> Opened {
        guard case .picture(_, let photo) = node else { throw .isDirectory }
        guard !writes else { throw .readOnly }
        let thumbnail = try thumbnail(of: photo)
        guard rights.mayRead(attributes(of: thumbnail, as: node), caller) else { throw .accessDenied }
        let place = thumbnail.place
        let file = OpenFile(try thumbnail.package.descriptor.open(thumbnail.part, [.read, .nonBlocking]))
        guard ContentStamp(try file.descriptor.status()) == place.stamp else { throw .stale }
        let head = try file.descriptor.read(at: place.offset, count: SharedThumbnail.headLength)
        let content = OpenContent.headed(
            head + thumbnail.chunks, file, offset: place.offset + Int64(head.count), length: place.length - Int64(head.count), thumbnail.status)
        let stamp = ContentStamp(thumbnail.status)
        let before = known.withLock { $0.stamps.updateValue(stamp, forKey: node.id) }
        // Of no node: what becomes of the photo's handles is nothing to this one.
        var opened = Opened(handle: handles.add(OpenHandle(node: .none, target: .content(content), writes: false)))
        opened.keepsCache = before == stamp
        opened.closesSilently = true
        return opened
    }

    func openFolder(_ node: ThumbnailNode) throws(Errno) -> OpenedFolder {
        if case .picture = node { throw .notDirectory }
        guard tree.withLock({ $0.contains(node.base) }) else { throw .stale }
        tree.withLock { $0.addHandle(node.base) }
        let handle = handles.add(FolderListing(folder: node.base) { [] })
        return OpenedFolder(handle: handle, caches: false, keepsCache: false)
    }

    /// In the photo's metadata. A photo that is being changed has none until it is saved.
    private func thumbnail(of photo: NodeNumber) throws(Errno) -> StoredThumbnail {
        try coordinator.read(LaneID(photo)) { () throws(Errno) in
            guard let node = tree.namedNode(photo), node.role == .document, node.hasItem, tree.document(photo)?.draft == nil,
                let thumbnails = tree.kind(of: node).kind.thumbnails, let part = tree.kind(of: node).thumbnailPart
            else { throw .noSuchEntry }
            let package = OpenFile(try places.place(of: node.parent).descriptor.open(node.stored, [.path, .folder]))
            guard let image = try tree.kind(of: node).contentName(in: package.descriptor) else { throw .noSuchEntry }
            var status = try package.descriptor.status(of: image)
            let metadata = try package.descriptor.status(of: part)
            guard let place = try place(of: photo, thumbnails, part, in: package, metadata) else { throw .noSuchEntry }
            status.modified = max(status.modified, metadata.modified)
            status.changed = max(status.changed, metadata.changed)
            let chunks = SharedThumbnail(of: node.shown, modified: status.modified).chunks
            status.mode = FileType.regular.mode | status.mode & 0o444
            status.links = 1
            status.size = place.length + Int64(chunks.count)
            status.blocks = FileStatus.blocks(of: status.size)
            return StoredThumbnail(package: package, part: part, place: place, chunks: chunks, status: status, metadata: metadata)
        }
    }

    /// Asked of one photo a dozen times in a row, so it is remembered while the metadata is the same.
    private func place(
        of photo: NodeNumber, _ thumbnails: any ThumbnailKeeping, _ part: Name, in package: OpenFile, _ metadata: FileStatus
    ) throws(Errno) -> ThumbnailPlace? {
        let stamp = ContentStamp(metadata)
        if let known = known.withLock({ $0.places[photo] }), known.stamp == stamp { return known }
        guard metadata.type == .regular else { return nil }
        let file = OpenFile(try package.descriptor.open(part, [.read, .nonBlocking]))
        guard let range = (try? thumbnails.range(in: FileSource(file, byteCount: metadata.size))) ?? nil,
            (Int64(SharedThumbnail.headLength)...Self.longestThumbnail).contains(range.length),
            SharedThumbnail.isPNG(try file.descriptor.read(at: range.offset, count: SharedThumbnail.headLength))
        else { return nil }
        let place = ThumbnailPlace(stamp: stamp, offset: range.offset, length: range.length)
        known.withLock { $0.places[photo] = place }
        return place
    }
}
