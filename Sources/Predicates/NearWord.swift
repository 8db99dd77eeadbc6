/// The word of a list that somebody may have meant, or nil where none is close.
func nearWord(to word: String, among words: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars.prefix(48))
    var best: (word: String, distance: Int)?
    for candidate in words {
        let letters = Array(candidate.lowercased().unicodeScalars)
        let distance = letterDistance(typed, letters)
        guard distance <= max(1, min(typed.count, letters.count) / 3 + (typed.count > 3 ? 1 : 0)) else { continue }
        if best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.word
}

/// How many letters must be put in, left out, replaced or swapped with their neighbour.
private func letterDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var rows = [Array(0...right.count)]
    for row in 1...left.count {
        var current = [row] + [Int](repeating: 0, count: right.count)
        for column in 1...right.count {
            let isSame = left[row - 1] == right[column - 1]
            current[column] = min(rows[row - 1][column] + 1, current[column - 1] + 1, rows[row - 1][column - 1] + (isSame ? 0 : 1))
            if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
                current[column] = min(current[column], rows[row - 2][column - 2] + 1)
            }
        }
        rows.append(current)
    }
    return rows[left.count][right.count]
}
