import AppSupport
import DocumentKit
import Foundation

/// Cloudy on documents: its list, found by a query that goes on, and what a person does with it.
@MainActor
public final class BookmarkList {
    public struct Row: Equatable, Sendable {
        public let file: URL
        public let name: String, url: String
        public let isInConflict: Bool
        /// Why it cannot be read.
        public var fault: String?
    }

    public private(set) var rows: [Row] = []
    /// All that there was at the start is in the list.
    public private(set) var isGathered = false
    /// The list changed. On the main queue; what was there before comes along, for whoever shows what came and went.
    public var changed: (([Row]) -> Void)?
    public let container: AppContainer
    private let deleted: RecentlyDeleted
    private var query: LiveQuery?
    private var known: [LiveQuery.Found: Row] = [:]
    private var wanted: [LiveQuery.Found]?
    private var isReading = false

    public init() throws {
        Bookmark.prepare()
        container = try AppContainer()
        deleted = RecentlyDeleted(container, app: "Cloudy")
    }

    // MARK: The list

    public func start() throws {
        // What others put there is no bookmark of ours, however large it is: nothing else is opened.
        let predicate = NSPredicate(format: "%K BEGINSWITH 'Bookmark_' OR %K == 'public.url'", NSMetadataItemFSNameKey, NSMetadataItemContentTypeKey)
        let query = LiveQuery(predicate) { [weak self] in self?.take($0) }
        self.query = query
        try query.start()
    }

    public func stop() { query?.stop() }

    /// The list as it is now, once.
    public func gather() async throws -> [Row] {
        try start()
        while !isGathered { try await Task.sleep(for: .milliseconds(5)) }
        stop()
        return rows
    }

    /// Each is opened once as long as it stays as it is; the list is shown when all are read, in an order that does not depend on that.
    private func take(_ found: [LiveQuery.Found]) {
        wanted = found
        guard !isReading else { return }
        isReading = true
        Task {
            while let found = wanted {
                wanted = nil
                var now: [LiveQuery.Found: Row] = [:]
                for item in found {
                    if let row = known[item] { now[item] = row } else { now[item] = await read(item) }
                }
                known = now
                let old = rows
                rows = now.values.sorted { ($0.name.lowercased(), $0.file.path) < ($1.name.lowercased(), $1.file.path) }
                isGathered = true
                changed?(old)
            }
            isReading = false
        }
    }

    private func read(_ item: LiveQuery.Found) async -> Row {
        do {
            let bookmark = try await BookmarkDocument(fileURL: item.url).whileOpen { $0.bookmark }
            return Row(file: item.url, name: bookmark?.name ?? "", url: bookmark?.url ?? "", isInConflict: item.isInConflict)
        } catch { return Row(file: item.url, name: item.url.lastPathComponent, url: "", isInConflict: item.isInConflict, fault: AppFault.sentence(of: error)) }
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

    public func delete(_ file: URL) async throws { try await deleted.put(file) }

    /// Brings back what was deleted last.
    public func undoDeleting() async throws -> URL { try await deleted.bringBackLast() }

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
