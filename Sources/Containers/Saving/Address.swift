import Documents
import LinuxFiles

/// Where a document belongs: its folder, open and by its names, and the name it is shown under there.
public struct Address: Sendable {
    public let folder: OpenFile
    /// The folder's names, from the documents on: for the journal.
    public let path: [Name]
    public let shown: Name

    public init(folder: OpenFile, path: [Name], shown: Name) {
        self.folder = folder
        self.path = path
        self.shown = shown
    }
}

/// The document that a save replaces: in its place, or put away a moment ago.
public enum Base: Sendable {
    case stored(Name)
    case away(AwayItem)
}

extension Base {
    /// The stored name that it has, or had.
    public var stored: Name {
        switch self {
        case .stored(let name): name
        case .away(let item): item.stored
        }
    }
}

/// A document whose name is gone and which is remembered for a while, in case the name comes back.
public struct AwayItem: Sendable {
    public let number: UInt64
    public let kind: KindID
    /// Its stored name, which it gets back, and the folder's names that it was in.
    public let stored: Name
    let path: [Name]

    var former: Place { .item(stored, in: path) }
    var staged: Name { Self.staged(number) }
    static func staged(_ number: UInt64) -> Name { Name.staged(number, ".away") }
}

/// Why something was not saved.
public enum SaveFault: Error, Sendable {
    /// The content is not what the name says.
    case unfit(String)
    case failed(Errno)

    /// Whether there was no room.
    public var isFull: Bool { if case .failed(let errno) = self { errno.isFull } else { false } }
}

extension Base: Equatable {
    public static func == (left: Base, right: Base) -> Bool {
        switch (left, right) {
        case (.stored(let left), .stored(let right)): left == right
        case (.away(let left), .away(let right)): left.number == right.number
        default: false
        }
    }
}
