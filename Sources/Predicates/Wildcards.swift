/// A pattern of LIKE: “*” is any characters, “?” one; a backslash takes their meaning from them.
struct Wildcards: Hashable, Sendable {
    private enum Piece: Hashable { case any, one, byte(UInt8) }
    private let pieces: [Piece]

    init(_ pattern: [UInt8]) {
        var pieces: [Piece] = []
        var rest = pattern[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): if pieces.last != .any { pieces.append(.any) }
            case UInt8(ascii: "?"): pieces.append(.one)
            case UInt8(ascii: "\\"): pieces.append(.byte(rest.popFirst() ?? byte))
            default: pieces.append(.byte(byte))
            }
        }
        self.pieces = pieces
    }

    /// The runs of bytes that each text has that fits, and whether the first is its beginning.
    var literals: (runs: [[UInt8]], isAnchored: Bool) {
        var runs: [[UInt8]] = [[]]
        for piece in pieces {
            if case .byte(let byte) = piece { runs[runs.count - 1].append(byte) } else { runs.append([]) }
        }
        return (runs.filter { !$0.isEmpty }, runs.first?.isEmpty == false)
    }

    /// Each “*” takes as little as it can, and only the last one is ever asked to take more: so no pattern takes longer than its
    /// length times the text's.
    func matches(_ text: [UInt8]) -> Bool {
        var place = 0, piece = 0
        var retry: (piece: Int, place: Int)?
        while place < text.count {
            if piece < pieces.count, pieces[piece] == .any {
                piece += 1
                retry = (piece, place)
                continue
            }
            if piece < pieces.count, let next = step(pieces[piece], text, place) {
                place = next
                piece += 1
            } else if let last = retry {
                retry = (last.piece, last.place + 1)
                (piece, place) = (last.piece, last.place + 1)
            } else {
                return false
            }
        }
        return pieces[piece...].allSatisfy { $0 == .any }
    }

    private func step(_ piece: Piece, _ text: [UInt8], _ place: Int) -> Int? {
        switch piece {
        case .byte(let byte): text[place] == byte ? place + 1 : nil
        case .one: Self.endOfCharacter(text, place)
        case .any: nil
        }
    }

    /// Behind the character that begins here; what is none is a byte. In the middle of one, none begins.
    private static func endOfCharacter(_ text: [UInt8], _ place: Int) -> Int? {
        let length = switch text[place] {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
        let end = place + length
        guard length > 1, end <= text.count, text[(place + 1)..<end].allSatisfy({ $0 & 0xC0 == 0x80 }) else { return place + 1 }
        return end
    }
}
