import BookmarkFiles
import Containers
import Documents
import LinuxFiles

/// The documents and plain files of a container as a drive shows them, a folder after another, each in the order of the shown names.
public struct ContainerWalk {
    public struct Found {
        /// The folder's names.
        public let folders: [String]
        /// What it is shown as, without the number that it has beside another one of that name; and with it, as a drive that is mounted now gives it.
        public let name: Name, shown: Name
        public let opened: ItemReader.Opened?
        /// Of a plain file.
        public let file: OpenFile?
        public let status: FileStatus

        /// The bookmark that it is, with all that its link file says.
        public var link: ListedLink? {
            guard let opened, let url = opened.reading.fact("URL") else { return nil }
            var link = ListedLink(folders: folders, name: String(decoding: opened.reading.name, as: UTF8.self), url: url, changed: status.modified.seconds)
            if case .bytes(let bytes) = opened.reading.content { LinkNotes.add(bytes, to: &link) }
            return link
        }
    }

    private static let deepest = 256
    private let container: Container

    public init(_ container: Container) { self.container = container }

    /// `fault` hears of what cannot be read.
    public func walk(from top: [Name], _ take: (Found) throws(Failure) -> Void, fault: (String, String) -> Void) throws(Failure) {
        let folder: OpenFile
        do throws(Errno) { folder = try container.documents.folder(at: top) } catch { throw Failure(error, "the folder cannot be read: \(error)", cause: error) }
        try walk(folder, top, [], take, fault)
    }

    private func walk(
        _ folder: OpenFile, _ path: [Name], _ folders: [String], _ take: (Found) throws(Failure) -> Void, _ fault: (String, String) -> Void
    ) throws(Failure) {
        var inner: [(name: Name, shown: Name)] = [], items: [(name: Name, stored: Name, kind: KindID?, shown: Name)] = []
        do throws(Errno) {
            var entries = try FolderReader(folder.descriptor)
            while let entry = try entries.next() {
                let isPlaceholder = Hidden.isPlaceholder(entry.name)
                if Hidden.hides(entry.name) && !isPlaceholder || folders.isEmpty && Hidden.isState(entry.name) { continue }
                let item = try container.reader.read(entry.name, in: folder.descriptor, at: path)
                if let document = item.document {
                    if case .elsewhere = document.reading.content {
                        fault((folders + ["\(document.naturalName)"]).joined(separator: "/"), "its content is not here: it is in iCloud, and was not downloaded")
                        continue
                    }
                    // The name that was made on a drive may be longer than what the item can be called.
                    let name = try container.name(of: document, stored: entry.name, in: path)
                    items.append((name, entry.name, document.kind, name))
                } else if isPlaceholder {
                    // It is only called so.
                    continue
                } else if item.status.type == .folder {
                    inner.append((entry.name, entry.name))
                } else if item.status.type == .regular { items.append((entry.name, entry.name, nil, entry.name)) } else {
                    fault((folders + ["\(entry.name)"]).joined(separator: "/"), "it is no file and no folder")
                }
            }
        } catch { fault(folders.joined(separator: "/"), "\(error)") }
        let names = ListedNames.given(to: items.map { ListedNames.Entry(stored: $0.stored, natural: $0.kind == nil ? nil : $0.name) } + inner.map { ListedNames.Entry(stored: $0.name, natural: nil) })
        for index in items.indices { items[index].shown = names[index] }
        for index in inner.indices { inner[index].shown = names[items.count + index] }
        items.sort { ($0.name, $0.stored) < ($1.name, $1.stored) }
        for item in items {
            do {
                if let kind = item.kind {
                    let opened = try container.reader.open(item.stored, as: kind, in: folder.descriptor)
                    try take(Found(folders: folders, name: item.name, shown: item.shown, opened: opened, file: nil, status: opened.item.status))
                } else {
                    let file = OpenFile(try folder.descriptor.open(item.stored, [.read, .nonBlocking]))
                    try take(Found(folders: folders, name: item.name, shown: item.shown, opened: nil, file: file, status: try file.descriptor.status()))
                }
            } catch let failure as Failure { throw failure } catch { fault((folders + ["\(item.shown)"]).joined(separator: "/"), "\(error)") }
        }
        guard folders.count < Self.deepest else { return }
        for (name, shown) in inner.sorted(by: { $0.name < $1.name }) {
            do throws(Errno) {
                let below = OpenFile(try folder.descriptor.open(name, [.path, .folder]))
                do throws(Failure) { try walk(below, path + [name], folders + [String(decoding: shown.bytes, as: UTF8.self)], take, fault) } catch { throw error.errno }
            } catch { throw Failure(error, "“\(name)” cannot be exported: \(error)", cause: error) }
        }
    }
}
