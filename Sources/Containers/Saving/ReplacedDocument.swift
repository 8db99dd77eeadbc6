import Documents
import LinuxFiles
import Transactions

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
    var staged: Name { .away(number) }
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
