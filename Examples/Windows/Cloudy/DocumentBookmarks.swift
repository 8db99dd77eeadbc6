import AppSupport
import BookmarkScreen
import CloudyModel
import Foundation

/// Bookmarks that are documents, for the screen.
@MainActor
final class DocumentBookmarks: EditableBookmarkStore, MigratingBookmarkStore {
    var changed: ((String?) -> Void)?
    let notice: String? = nil
    var otherPlan: (() -> Void)?
    private let list: BookmarkList
    private var observer: (any NSObjectProtocol)?

    init() throws { list = try BookmarkList() }

    var rows: [BookmarkRow] {
        list.live.rows.map { BookmarkRow(id: $0.path, name: $0.name, url: $0.url, isInConflict: $0.isInConflict, fault: $0.fault) }
    }

    func start() throws {
        list.live.changed = { [weak self] _ in self?.changed?(nil) }
        try list.live.start()
        observer = BookmarkMigration(list).follow { [weak self] in self?.otherPlan?() }
    }

    func stop() {
        list.live.stop()
        if let observer { NotificationCenter.default.removeObserver(observer) }
    }

    func plan() -> (names: [String], there: Int) {
        let plan = BookmarkMigration(list).plan()
        return (plan.names, plan.there)
    }

    func migrate(progress: @escaping @MainActor (Int) -> Void) async throws -> Int { try await BookmarkMigration(list).run(progress: progress).made }

    private func file(_ id: String) -> URL { URL(fileURLWithPath: id, isDirectory: false) }

    func add(name: String, url: String) async throws { try await list.add(name: name, url: url) }
    func edit(_ id: String, name: String, url: String) async throws { try await list.edit(file(id), name: name, url: url) }

    func delete(_ id: String) async throws -> @MainActor () async throws -> Void {
        let item = try await list.delete(file(id)), list = list
        return { _ = try await list.undoDeleting(item) }
    }

    func sides(of id: String) async throws -> [BookmarkSide] {
        try await list.conflict(of: file(id)).map { BookmarkSide(name: $0.name, url: $0.url, date: $0.date, computer: $0.computer) }
    }

    func resolve(_ id: String, with number: Int) async throws { try await list.resolve(file(id), with: number) }

    func webAddress(of row: BookmarkRow) throws -> URL { try BookmarkList.webAddress(row.url) }
}
