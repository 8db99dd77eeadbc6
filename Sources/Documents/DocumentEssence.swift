import PropertyLists

// What of an item counts as its content where several devices have it, and what of it is given to others. Not all bytes
// are: a photo's thumbnail is made by each device for itself, so it is no edit, and it does not travel.

/// One of the things that an item is made of.
public struct ItemPart: Sendable {
    /// From the package's folder on, without a slash at either end; of a single file empty.
    public let path: [UInt8]
    public let content: Content

    public enum Content: Sendable {
        case file(any ByteSource, isExecutable: Bool)
        case folder
        /// A symbolic link to this.
        case link([UInt8])
    }

    public init(path: [UInt8], _ content: Content) { (self.path, self.content) = (path, content) }
}

/// A run of bytes of what counts.
public enum EssencePiece: Hashable, Sendable {
    case bytes([UInt8])
    /// Of the part with this number.
    case range(part: Int, ByteRange)

    var count: Int64 {
        switch self {
        case .bytes(let bytes): Int64(bytes.count)
        case .range(part: _, let range): range.length
        }
    }
}

/// How a part is given to others.
public enum PartTravelling: Hashable, Sendable {
    case asItIs
    case bytes([UInt8])
}

public enum DocumentEssence {
    /// What is to be hashed, one piece after the other: of each part by its path, what it is, how much of it counts,
    /// and that. Two items with equal pieces have the same content, and nothing else has. `kind` is nil for what is no
    /// document.
    public static func pieces(of parts: [ItemPart], as kind: (any DocumentKind)?) throws(DocumentFault) -> [EssencePiece] {
        var pieces: [EssencePiece] = []
        for (number, part) in parts.enumerated().sorted(by: { $0.element.path.lexicographicallyPrecedes($1.element.path) }) {
            var head = lengthAndBytes(part.path)
            switch part.content {
            case .folder:
                // What something lies in is a folder whether or not that is said.
                guard !parts.contains(where: { isInside($0.path, part.path) }) else { continue }
                pieces.append(.bytes(head + [UInt8(ascii: "d")]))
            case .link(let target): pieces.append(.bytes(head + [UInt8(ascii: "l")] + lengthAndBytes(target)))
            case .file(let source, let isExecutable):
                let own = try kind?.essence(ofPart: part.path, source)
                let content = own ?? [.whole(source.byteCount)]
                head.append(UInt8(ascii: isExecutable ? "x" : "f"))
                head += number64(Int64(content.count))
                pieces.append(.bytes(head))
                for one in content {
                    let piece = one.piece(ofPart: number)
                    pieces += [.bytes(number64(piece.count)), piece]
                }
            }
        }
        return pieces
    }

    /// What is given to others of each part, in their order.
    public static func travelling(_ parts: [ItemPart], as kind: (any DocumentKind)?) throws(DocumentFault) -> [PartTravelling] {
        var found: [PartTravelling] = []
        for part in parts {
            guard case .file(let source, isExecutable: _) = part.content, let bytes = try kind?.travelling(part: part.path, source) else {
                found.append(.asItIs)
                continue
            }
            found.append(.bytes(bytes))
        }
        return found
    }

    private static func isInside(_ path: [UInt8], _ folder: [UInt8]) -> Bool {
        path.count > folder.count && path.starts(with: folder) && path[folder.count] == UInt8(ascii: "/")
    }

    private static func lengthAndBytes(_ bytes: [UInt8]) -> [UInt8] { number64(Int64(bytes.count)) + bytes }

    private static func number64(_ number: Int64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
}

/// A run of bytes of one part.
public enum PartEssence: Hashable, Sendable {
    case bytes([UInt8])
    case range(ByteRange)

    static func whole(_ count: Int64) -> PartEssence { .range(ByteRange(offset: 0, length: count)) }

    func piece(ofPart number: Int) -> EssencePiece {
        switch self {
        case .bytes(let bytes): .bytes(bytes)
        case .range(let range): .range(part: number, range)
        }
    }
}
