/// A kind of documents that a person or a container added: whoever has such a document knows by this that it is one, and
/// no folder of files, whatever version of Valise he has, and whatever is written down on his computer.
public struct AddedKind: Hashable, Sendable {
    /// What names of its documents end with, after the last dot, in small letters.
    public let ending: [UInt8]
    /// What was written down of it, word for word.
    public let words: [UInt8]

    public init(ending: [UInt8], words: [UInt8]) { (self.ending, self.words) = (ending, words) }

    public static let longestWords = 1 << 16

    /// Nil where a name has none.
    public static func ending(of name: [UInt8]) -> [UInt8]? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot < name.count - 1 else { return nil }
        return name[(dot + 1)...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension FollowedView {
    /// Whether a folder on a disk is one item, a document, and not a folder with files in it. What it was brought together
    /// as it stays, whatever is known of its name by now; where the facts say that a document is it is that; and else it is
    /// what is known of its name, here or by facts. `folder` is nil where it lies in one that is no item yet.
    public func isOneItem(
        _ name: [UInt8], in folder: ItemID??, writtenDownAs kind: Location.Kind?, isKindHere: ([UInt8]) -> Bool
    ) -> Bool {
        if let kind { return kind != .folder }
        if let folder, let item = item(called: name, in: folder), let place = view.items[item]?.place?.place {
            if place.kind != .folder { return true }
        }
        guard let ending = AddedKind.ending(of: name) else { return false }
        return isKindHere(ending) || facts.kinds[ending] != nil
    }
}
