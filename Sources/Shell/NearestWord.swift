/// The word of a list that somebody may have meant, or nil where none is close.
public func nearestWord(to word: String, in words: [String]) -> String? {
    let typed = Array(word.unicodeScalars.prefix(40))
    let close = words
        .map { (word: $0, distance: distance(typed, Array($0.unicodeScalars)), begins: sharedBeginning($0, word)) }
        // Of two that are equally close the one that begins alike: "umount" is "unmount" and not "mount".
        .min { ($0.distance, $1.begins) < ($1.distance, $0.begins) }
    if let close, close.distance <= max(1, (max(typed.count, close.word.count) + 1) / 3) { return close.word }
    // "unm" and "stat" are beginnings.
    let begun = words.filter { $0.hasPrefix(word) }
    return word.count > 1 && begun.count == 1 ? begun.first : nil
}

/// The end of a sentence about an unknown word: the nearest one, or where they are listed.
func mend(_ word: String, _ words: [String], prefix: String = "", list: String) -> String {
    if let nearest = nearestWord(to: word, in: words) { return "; did you mean “\(prefix)\(nearest)”?" }
    return ": “\(list)” lists them"
}

private func sharedBeginning(_ left: String, _ right: String) -> Int {
    zip(left, right).prefix { $0 == $1 }.count
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour.
private func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in 1...left.count {
        var current = [row] + [Int](repeating: 0, count: right.count)
        for column in 1...right.count {
            let replaced = last[column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
            current[column] = min(last[column] + 1, current[column - 1] + 1, replaced)
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                current[column] = min(current[column], beforeLast[column - 2] + 1)
            }
        }
        (beforeLast, last) = (last, current)
    }
    return last[right.count]
}
