import AppSupport
import DocumentKit
import Foundation

/// Cloudy on documents: its list, found by a query that goes on, and what a person does with it.
@MainActor
public final class BookmarkList {
    public struct Row: Equatable, Sendable {
        public let path: String
        public let name: String, url: String
        public let isInConflict: Bool
        /// Why it cannot be read.
        public let fault: String?
        /// By which the list is in order.
        let key: String
        public var file: URL { URL(fileURLWithPath: path, isDirectory: false) }

        init(path: String, name: String, url: String, isInConflict: Bool, fault: String? = nil) {
            (self.path, self.name, self.url, self.isInConflict, self.fault, key) = (path, name, url, isInConflict, fault, name.lowercased())
        }
    }

    /// For a browser, and for no program that an address may name.
    public static func webAddress(_ url: String) throws -> URL {
        guard let address = URL(string: url), ["http", "https"].contains(address.scheme?.lowercased() ?? "") else { throw AppFault("“\(url)” is no address of the web.") }
        return address
    }

    public let container: AppContainer
    /// The rows, and who hears of their changes.
    public let live: LiveRows<Row>
    private let deleted: RecentlyDeleted

    public init() throws {
        Bookmark.prepare()
        container = try AppContainer()
        deleted = RecentlyDeleted(container, app: "Cloudy")
        // What others put there is no bookmark of ours, however large it is: nothing else is opened. What is one is so for a drive, too: an empty
        // “new.url” is a file, and an empty file that the app called “Bookmark_…” the bookmark that a new one begins as.
        let predicate = NSPredicate(format: "%K BEGINSWITH 'Bookmark_' OR %K == 'bookmark'", NSMetadataItemFSNameKey, NSMetadataItemKindKey)
        // What a drive and a query know of a bookmark is what its list shows: one is opened where that is not known.
        live = LiveRows(predicate, in: { ($0.key, $0.path) < ($1.key, $1.path) }, quick: { item in
            guard let name = item.title, let url = item.address else { return nil }
            return Row(path: item.path, name: name, url: url, isInConflict: item.isInConflict)
        }, read: Self.read)
    }

    private static func read(_ item: LiveQuery.Found) async -> Row? {
        do {
            let bookmark = try await BookmarkDocument(fileURL: item.url).whileOpen { $0.bookmark }
            return Row(path: item.path, name: bookmark?.name ?? "", url: bookmark?.url ?? "", isInConflict: item.isInConflict)
        } catch { return Row(path: item.path, name: item.url.lastPathComponent, url: "", isInConflict: item.isInConflict, fault: AppFault.sentence(of: error)) }
    }

    // MARK: What a person does

    /// It is in the list once it is saved, and not before.
    @discardableResult
    public func add(name: String, url: String) async throws -> URL {
        let file = container.documents.appendingPathComponent(BookmarkDocument.fileName(name, seconds: Date().timeIntervalSince1970), isDirectory: false)
        try await create(Bookmark(name: name, url: url), at: file)
        return file
    }

    func create(_ bookmark: Bookmark, at file: URL) async throws {
        try container.requireThere()
        let document = BookmarkDocument(fileURL: file)
        document.bookmark = bookmark
        try await document.createOrThrow()
        try await document.closeOrThrow()
    }

    public func edit(_ file: URL, name: String?, url: String?) async throws {
        try await BookmarkDocument(fileURL: file).whileOpen { document in
            document.bookmark = Bookmark(name: name ?? document.bookmark?.name ?? "", url: url ?? document.bookmark?.url ?? "", of: document.bookmark)
            document.updateChangeCount(.done)
            try await document.saveOrThrow()
        }
    }

    @discardableResult
    public func delete(_ file: URL) async throws -> RecentlyDeleted.Item { try await deleted.put(file) }

    public func undoDeleting(_ item: RecentlyDeleted.Item) async throws -> URL { try await deleted.bringBack(item) }

    /// Brings back what was deleted last.
    public func undoDeleting() async throws -> URL { try await deleted.bringBackLast("cloudy") }

    // MARK: Conflicts

    public struct Side: Sendable {
        /// 0 is what the document is.
        public let number: Int
        public let name: String, url: String
        public let date: Date?, computer: String?
    }

    public func conflict(of file: URL) async throws -> [Side] {
        var sides: [Side] = []
        for (number, version) in Conflict.versions(of: file).enumerated() {
            let document = BookmarkDocument(fileURL: version.url)
            try document.load(fromContents: try Data(contentsOf: version.url), ofType: nil)
            sides.append(Side(
                number: number, name: document.bookmark?.name ?? "", url: document.bookmark?.url ?? "", date: version.modificationDate,
                computer: version.localizedNameOfSavingComputer))
        }
        return sides
    }

    /// The bookmark becomes that side; what it was stays one of its versions.
    public func resolve(_ file: URL, with number: Int) async throws { try await Conflict.resolve(file, with: number) }
}
