import AppSupport
import DocumentKit
import Foundation

/// Simple Text Editor: the list of its notes, found by a query that goes on, and what a person does with it.
@MainActor
public final class NoteList {
    public struct Row: Equatable, Sendable, Identifiable {
        public let path: String
        public let title: String
        public let changed: Date?
        public let size: Int64
        public let isInConflict: Bool
        public var file: URL { URL(fileURLWithPath: path, isDirectory: false) }
        public var id: String { path }

        init(_ found: LiveQuery.Found) {
            (path, changed, size, isInConflict) = (found.path, found.changed, found.size, found.isInConflict)
            title = FileTitle.of(found.path)
        }

        static func precedes(_ one: Row, _ other: Row) -> Bool {
            let order = one.title.compare(other.title, options: [.numeric, .caseInsensitive])
            return order == .orderedSame ? one.path < other.path : order == .orderedAscending
        }
    }

    public static let fileExtension = "stedoc"

    public let container: AppContainer
    /// The rows, and who hears of their changes: nothing is read for them.
    public let live: LiveRows<Row>
    private let deleted: RecentlyDeleted

    public init() throws {
        container = try AppContainer()
        deleted = RecentlyDeleted(container, app: "Simple Text Editor")
        live = LiveRows(NSPredicate(format: "%K LIKE %@", NSMetadataItemFSNameKey, "*." + Self.fileExtension), in: Row.precedes, quick: Row.init) { Row($0) }
    }

    // MARK: Names

    /// `Note 1.stedoc`, and so on: the lowest number that is free.
    public static func untitledName(besides taken: Set<String>) -> String {
        var number = 1
        while taken.contains("Note \(number).\(fileExtension)") { number += 1 }
        return "Note \(number).\(fileExtension)"
    }

    /// Free in the list, and in the folder, which may be ahead of it.
    public func newUntitledDocumentName(besides refused: Set<String> = []) -> String {
        let there = (try? FileManager.default.contentsOfDirectory(atPath: container.documents.path)) ?? []
        return Self.untitledName(besides: refused.union(live.rows.map(\.file.lastPathComponent) + there))
    }

    // MARK: What a person does

    /// Its name is taken before anything is written, so that two who do that at once have two notes.
    public func create(_ text: String = "") async throws -> URL {
        try container.requireThere()
        var refused: Set<String> = []
        while true {
            let name = newUntitledDocumentName(besides: refused), file = container.documents.appendingPathComponent(name, isDirectory: false)
            let number = Glibc.open(file.path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o666)
            if number < 0, errno == EEXIST {
                // Perhaps listed under another name: on a drive a note is a text.
                refused.insert(name)
                continue
            }
            guard number >= 0 else { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
            Glibc.close(number)
            do { try await edit(file) { _ in text } } catch {
                // An empty note that nobody has written to is none.
                if (try? Data(contentsOf: file))?.isEmpty == true { try? await Coordinated.removing(file) }
                throw error
            }
            return file
        }
    }

    public func text(of file: URL) async throws -> String { try await STESimpleTextDocument(fileURL: file).whileOpen { $0.documentText } }

    public func edit(_ file: URL, _ change: (String) -> String) async throws {
        try await STESimpleTextDocument(fileURL: file).whileOpen { document in
            let text = change(document.documentText)
            guard text != document.documentText else { return }
            document.setDocumentText(text)
            try await document.saveOrThrow()
        }
    }

    /// Whoever has it open goes on with it under its new name.
    @discardableResult
    public func rename(_ file: URL, to title: String) async throws -> URL { try await FileTitle.rename(file, to: title, of: "a note") }

    @discardableResult
    public func delete(_ file: URL) async throws -> RecentlyDeleted.Item { try await deleted.put(file) }

    public func undoDeleting(_ item: RecentlyDeleted.Item) async throws -> URL { try await deleted.bringBack(item) }

    /// Brings back what was deleted last.
    public func undoDeleting() async throws -> URL { try await deleted.bringBackLast("texteditor") }

    // MARK: Conflicts

    public struct Side: Sendable {
        /// 0 is what the note is.
        public let number: Int
        public let text: String
        /// Against what the note is.
        public let difference: TextDifference
        public let date: Date?, computer: String?
    }

    public func conflict(of file: URL) throws -> [Side] {
        var sides: [Side] = []
        for (number, version) in Conflict.versions(of: file).enumerated() {
            let text = try STESimpleTextDocument.text(of: Data(contentsOf: version.url))
            sides.append(Side(
                number: number, text: text, difference: TextDifference(from: sides.first?.text ?? text, to: text), date: version.modificationDate,
                computer: version.localizedNameOfSavingComputer))
        }
        return sides
    }

    public func resolve(_ file: URL, with number: Int) async throws { try await Conflict.resolve(file, with: number) }
}
