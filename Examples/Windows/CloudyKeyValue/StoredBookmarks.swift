import AppSupport
import BookmarkScreen
import CloudyKeyValueModel
import CloudyModel
import Foundation

/// Bookmarks of the key-value store, or of the local copy where there is none, for the screen. A bookmark cannot be edited there.
@MainActor
final class StoredBookmarks: BookmarkStore {
    var changed: ((String?) -> Void)?
    private let list: Bookmarks

    init() throws {
        // What is named and is not there has another list, perhaps: the copy is for who has named none.
        if let fault = AppContainer.fault { throw AppFault(fault) }
        list = Bookmarks()
    }

    var notice: String? {
        list.hasStore ? list.warning : "There is no container: this is the copy on this computer, and nobody else sees it."
    }

    /// Two that are alike are told apart by their order.
    var rows: [BookmarkRow] {
        var counts: [[String: String]: Int] = [:]
        return list.bookmarks.map { bookmark in
            let name = bookmark["name"] ?? "", url = bookmark["url"] ?? "", number = counts[bookmark, default: 0]
            counts[bookmark] = number + 1
            return BookmarkRow(id: "\(number)\0\(name)\0\(url)", name: name, url: url)
        }
    }

    func start() throws {
        list.changed = { [weak self] reason in
            self?.changed?(reason == .quota ? "There is no room in the store: delete some bookmarks." : reason == .own ? nil : "The bookmarks were changed elsewhere")
        }
    }

    func stop() { list.changed = nil }

    func add(name: String, url: String) async throws { try said { try list.saveBookmark(withName: name, andURL: url) } }

    func delete(_ id: String) async throws -> @MainActor () async throws -> Void {
        guard let row = rows.firstIndex(where: { $0.id == id }) else { throw AppFault("This bookmark is not there any more.") }
        let bookmark = list.bookmarks[row]
        try said { try list.deleteBookmark(at: row) }
        return { [self] in try said { try list.insertBookmark(bookmark, at: row) } }
    }

    /// The model's faults are sentences already.
    private func said(_ body: () throws -> Void) throws { do { try body() } catch let error as AppError { throw AppFault(error.description) } }

    func webAddress(of row: BookmarkRow) throws -> URL { try BookmarkList.webAddress(row.url) }
}
