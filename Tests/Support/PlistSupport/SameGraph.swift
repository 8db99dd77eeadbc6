import PropertyLists

/// Whether two property lists say the same, told by walking both side by side: cycles end where they close.
public func sayTheSame(_ left: any ByteSource, _ right: any ByteSource) throws -> Bool {
    struct Pair: Hashable {
        let left: Int, right: Int
    }
    let (first, second) = (try BinaryPropertyList(left), try BinaryPropertyList(right))
    var waiting = [Pair(left: first.top, right: second.top)]
    var seen = Set(waiting)
    func also(_ lefts: References, _ rights: References) throws -> Bool {
        guard lefts.count == rights.count else { return false }
        for position in 0..<lefts.count {
            let pair = Pair(left: try first.reference(position, of: lefts), right: try second.reference(position, of: rights))
            if seen.insert(pair).inserted { waiting.append(pair) }
        }
        return true
    }
    while let pair = waiting.popLast() {
        switch (try first.object(at: pair.left), try second.object(at: pair.right)) {
        case (.array(let lefts), .array(let rights)), (.set(let lefts), .set(let rights)):
            guard try also(lefts, rights) else { return false }
        case (.dictionary(let keys, let values), .dictionary(let otherKeys, let otherValues)):
            guard try also(keys, otherKeys), try also(values, otherValues) else { return false }
        case (.data(let range), .data(let other)):
            guard range.length == other.length,
                  try left.bytes(at: range.offset, count: Int(range.length)) == right.bytes(at: other.offset, count: Int(other.length)) else { return false }
        case (.string(let text), .string(let other)):
            guard try first.text(text).utf8.elementsEqual(second.text(other).utf8) else { return false }
        // Not a number is not equal to itself.
        case (.real(let value), .real(let other)), (.date(let value), .date(let other)):
            guard value.bitPattern == other.bitPattern else { return false }
        case (let value, let other): guard value == other else { return false }
        }
    }
    return true
}
