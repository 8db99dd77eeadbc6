import Documents
import Testing

/// A kind of document in one way in which an app writes it, with content to try.
struct CrashKind: CustomTestStringConvertible, Sendable {
    let name: String
    let spelling: String?
    var testDescription: String { name + (spelling.map { " " + $0 } ?? "") }

    static let all = [
        CrashKind(name: "bookmark", spelling: nil), CrashKind(name: "photo", spelling: "PhotoKeeper"),
        CrashKind(name: "photo", spelling: "PTK"), CrashKind(name: "text", spelling: nil),
    ]

    var kind: any DocumentKind { DocumentKinds.all.first { $0.name == name }! }
    var suffix: String { ["bookmark": ".url", "photo": ".png", "text": ".txt"][name]! }

    func content(_ words: String) -> [UInt8] {
        switch name {
        case "bookmark": Array("[InternetShortcut]\nURL=https://example.org/\(words)\n".utf8)
        case "photo": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(String(repeating: words, count: 300).utf8)
        default: Array(String(repeating: words + " ", count: 30).utf8)
        }
    }
}

enum Operation: String, CaseIterable, Sendable {
    case create, save, edit, replace, adopt, rename, move, renameOver = "rename-over", delete, plain, restore, release
}

struct CrashCase: CustomTestStringConvertible, Sendable {
    let operation: Operation
    let kind: CrashKind
    var testDescription: String { "\(operation.rawValue) \(kind.testDescription)" }
    /// Where each point is tried several times: without the photos of the Swift app, whose plans are the shorter ones.
    static let most = all.filter { $0.kind.spelling != "PhotoKeeper" }
    static let all = Operation.allCases.flatMap { operation in CrashKind.all.map { CrashCase(operation: operation, kind: $0) } }
}
