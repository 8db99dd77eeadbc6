import Documents
import LinuxFiles

/// What somebody decides about a document's conflicts.
public enum ConflictDecision: Sendable, Hashable {
    /// This one is what the document is to be.
    case version(VersionID)
    /// The document stays as it is, and the conflict ends.
    case current
    /// The others become documents of their own.
    case both
}

/// What somebody decides about what a document is and was.
public enum VersionDecision: Hashable, Sendable {
    /// The document gets this version's content.
    case restore(VersionID)
    /// The document's conflicts end in this way.
    case resolve(ConflictDecision)
    /// This one is no conflict any more, and the document stays what it is.
    case settle(VersionID)
    /// This version is removed for good.
    case remove(VersionID)
    /// All versions of the document that may be removed are removed.
    case removeOthers
    /// What is being written to it is given up: it is what was saved last.
    case dropDraft
    /// All versions of a document, or of all in a folder, that were written before a moment (in seconds since 1970) go for good.
    case purgeVersions(before: Int64?)
    // About no document, but about what was deleted, by number.
    /// These deleted items come back.
    case undelete([UInt64])
    /// These deleted items are removed for good.
    case purge([UInt64])
    // About many items at once, by what was handed over.
    /// What is in this folder comes to the same places.
    case place(Name)
    /// What is in this list and is what it was goes among the deleted.
    case takeBack(Name)
}

// As it is sent to whoever writes in the container: "restore 2026-11-21T23-27-33.123456Z".
extension VersionDecision {
    public var text: String {
        switch self {
        case .restore(let id): "restore \(id)"
        case .resolve(.version(let id)): "resolve \(id)"
        case .resolve(.current): "resolve current"
        case .resolve(.both): "resolve both"
        case .settle(let id): "settle \(id)"
        case .remove(let id): "remove \(id)"
        case .removeOthers: "remove others"
        case .dropDraft: "drop draft"
        case .purgeVersions(let moment): "purge-versions \(moment.map { "\($0)" } ?? "all")"
        case .undelete(let numbers): "undelete \(Self.text(numbers))"
        case .purge(let numbers): "purge \(Self.text(numbers))"
        case .place(let name): "place \(name)"
        case .takeBack(let name): "take-back \(name)"
        }
    }

    public init?(text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2 else { return nil }
        let id = VersionID(words[1])
        switch (words[0], words[1], id) {
        case ("restore", _, let id?): self = .restore(id)
        case ("resolve", "current", _): self = .resolve(.current)
        case ("resolve", "both", _): self = .resolve(.both)
        case ("resolve", _, let id?): self = .resolve(.version(id))
        case ("settle", _, let id?): self = .settle(id)
        case ("remove", "others", _): self = .removeOthers
        case ("remove", _, let id?): self = .remove(id)
        case ("drop", "draft", _): self = .dropDraft
        case ("purge-versions", "all", _): self = .purgeVersions(before: nil)
        case ("purge-versions", let text, _):
            guard let moment = Int64(text) else { return nil }
            self = .purgeVersions(before: moment)
        case ("undelete", let text, _):
            guard let numbers = Self.numbers(text) else { return nil }
            self = .undelete(numbers)
        case ("purge", let text, _):
            guard let numbers = Self.numbers(text) else { return nil }
            self = .purge(numbers)
        case ("place", let text, _):
            guard let name = Name(String(text)) else { return nil }
            self = .place(name)
        case ("take-back", let text, _):
            guard let name = Name(String(text)) else { return nil }
            self = .takeBack(name)
        default: return nil
        }
    }

    /// So many items fit into one message.
    public static let mostNumbers = 400

    private static func text(_ numbers: [UInt64]) -> String { numbers.map { "\($0)" }.joined(separator: ",") }

    private static func numbers(_ text: Substring) -> [UInt64]? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { UInt64($0) }
        guard numbers.count <= mostNumbers, !numbers.contains(nil) else { return nil }
        return numbers.compactMap(\.self)
    }
}
