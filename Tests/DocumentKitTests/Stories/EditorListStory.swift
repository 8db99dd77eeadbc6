import DocumentKit
import Foundation
import Testing

// Simple Text Editor: the list of its documents, as the app has it.

/// Keeps its query for the life of the app, and takes all results after each notification.
final class DocumentsViewController: @unchecked Sendable {
    private(set) var documents: [URL] = []
    private var _query: NSMetadataQuery?
    private var observers: [any NSObjectProtocol] = []

    deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

    func textDocumentQuery() -> NSMetadataQuery {
        let query = NSMetadataQuery()
        query.searchScopes = [NSMetadataQueryUbiquitousDocumentsScope]
        query.predicate = NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*.stedoc")
        return query
    }

    func setupAndStartQuery() {
        if _query == nil { _query = textDocumentQuery() }
        for name in [Notification.Name.NSMetadataQueryDidFinishGathering, .NSMetadataQueryDidUpdate] {
            observers.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] in self?.processFiles($0) })
        }
        _query?.start()
    }

    func processFiles(_ notification: Notification) {
        guard let query = _query else { return }
        query.disableUpdates()
        var discovered: [URL] = []
        for case let result as NSMetadataItem in query.results {
            guard let url = result.value(forAttribute: NSMetadataItemURLKey) as? URL else { continue }
            // What nobody knows of counts as hidden.
            if let isHidden = try? url.ubiquitousResourceValues().isHidden, !isHidden { discovered.append(url) }
        }
        documents = discovered
        query.enableUpdates()
    }

    /// `Note 1.stedoc`, and so on: the lowest number that is free.
    func newUntitledDocumentName() -> String {
        let taken = Set(documents.map(\.lastPathComponent))
        var number = 1
        while taken.contains("Note \(number).stedoc") { number += 1 }
        return "Note \(number).stedoc"
    }
}

@Suite struct EditorListStoryTests {
    @Test func theListFollowsTheContainer() async throws {
        let folder = try OwnContainer.folder()
        func write(_ name: String) throws { try "text".write(to: folder.appendingPathComponent(name), atomically: false, encoding: .utf8) }
        try write("Note 1.stedoc")
        try write(".Note 9.stedoc")
        try write("other.txt")
        let list = DocumentsViewController()
        await MainActor.run { list.setupAndStartQuery() }
        func shown() async -> [String] {
            await MainActor.run { list.documents.filter { $0.path.hasPrefix(folder.path) }.map(\.lastPathComponent).sorted() }
        }
        func comes(_ names: [String]) async throws {
            for _ in 0..<3_000 where await shown() != names { try await Task.sleep(for: .milliseconds(10)) }
            #expect(await shown() == names)
        }
        try await comes(["Note 1.stedoc"])
        #expect(await MainActor.run { list.newUntitledDocumentName() } == "Note 2.stedoc")
        try write("Note 2.stedoc")
        try await comes(["Note 1.stedoc", "Note 2.stedoc"])
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Note 1.stedoc"))
        try await comes(["Note 2.stedoc"])
        #expect(await MainActor.run { list.newUntitledDocumentName() } == "Note 1.stedoc")
    }
}
