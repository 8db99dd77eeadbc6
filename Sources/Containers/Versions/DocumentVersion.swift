import Documents
import LinuxFiles

/// A document on disk: its folder, open and by its names from the documents on, and its item in there.
public struct DocumentPlace: Sendable {
    public let folder: OpenFile
    public let path: [Name]
    public let stored: Name
    public let kind: KindID

    public init(folder: OpenFile, path: [Name], stored: Name, kind: KindID) {
        self.folder = folder
        self.path = path
        self.stored = stored
        self.kind = kind
    }
}

/// What a document was at a time, or is on another computer: the facts that NSFileVersion has of one.
public struct DocumentVersion: Hashable, Sendable {
    public internal(set) var id: VersionID
    /// The computer that it was saved on, or the one that a sync tool names.
    public let computer: String
    /// Somebody else's work, that no save has seen: one of several that were current at once.
    public let isConflict: Bool
    /// Somebody has decided about the conflict. Once and for all.
    public internal(set) var isResolved: Bool
    let location: Location

    init(id: VersionID, computer: String, isConflict: Bool, isResolved: Bool, location: Location) {
        (self.id, self.computer, self.isConflict, self.isResolved, self.location) = (id, computer, isConflict, isResolved, location)
    }

    init(_ provenance: Provenance, isConflict: Bool, location: Location) {
        self.init(id: provenance.id, computer: provenance.computer, isConflict: isConflict, isResolved: false, location: location)
    }

    public var modified: Timestamp { id.time }
    /// Whether it goes when room is needed. What nobody has decided about stays.
    public var isDiscardable: Bool { !isUnresolved && !isCurrent }
    public var isUnresolved: Bool { isConflict && !isResolved }

    /// What the document is now.
    public var isCurrent: Bool { location == .current }

    enum Location: Hashable, Sendable {
        case current
        /// Under this name in the document's folder of versions.
        case kept(Name)
        /// An item beside the document, as sync tools leave them.
        case beside(Name)
        /// Files inside the package, one a part; nil where the document's own is meant.
        case inside([Name?])
    }
}

// A kept version is called after its facts, so that a listing reads nothing but names:
// "2026-11-21T23-27-33.123456Z conflict@laptop".
extension DocumentVersion {
    private static let longestComputer = 64

    public init?(entry: Name) {
        let text = String(decoding: entry.bytes, as: UTF8.self)
        let halves = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        let words = halves[0].split(separator: " ", omittingEmptySubsequences: false)
        guard halves.count == 2, words.count <= 2, let id = VersionID(words[0]) else { return nil }
        let state = words.count == 2 ? words[1] : ""
        guard ["", "conflict", "resolved"].contains(state) else { return nil }
        self.init(
            id: id, computer: String(halves[1]), isConflict: !state.isEmpty, isResolved: state == "resolved", location: .kept(entry))
    }

    /// What it is called when it is kept.
    var entry: Name? {
        let state = isConflict ? (isResolved ? " resolved" : " conflict") : ""
        return Name("\(id)\(state)@\(Self.computerName(computer))")
    }

    /// A computer's name as it can be a part of a file's name. All that is said of computers goes by this, so that two
    /// of them are compared as they are written down.
    static func computerName(_ name: String) -> String {
        var name = String(name.unicodeScalars.map { $0 == "/" || $0.value == 0 ? "-" : Character($0) })
        while name.utf8.count > longestComputer { name.removeLast() }
        return Name(name) == nil ? "-" : name
    }

    var isKept: Bool { if case .kept = location { true } else { false } }

    /// The same as a conflict that waits for somebody to decide.
    var unresolved: DocumentVersion {
        DocumentVersion(id: id, computer: computer, isConflict: true, isResolved: false, location: location)
    }

    var resolved: DocumentVersion {
        var version = self
        version.isResolved = true
        return version
    }
}
