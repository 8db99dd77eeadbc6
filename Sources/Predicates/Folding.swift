/// Which differences between letters a comparison does not see: `[c]` of case, `[d]` of accents and other marks.
public struct Folding: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let letterCase = Folding(rawValue: 1)
    public static let marks = Folding(rawValue: 2)
    public static let both: Folding = [.letterCase, .marks]

    /// A text without those differences. Each character is folded by itself, whatever stands beside it: so what is a part of a text
    /// is a part of it when both are folded.
    public func fold(_ bytes: [UInt8]) -> [UInt8] {
        guard !isEmpty else { return bytes }
        var folded: [UInt8] = []
        folded.reserveCapacity(bytes.count)
        var start = bytes.startIndex
        while start < bytes.endIndex {
            // Almost all of most texts.
            if bytes[start] < 0x80 {
                folded.append(contains(.letterCase) ? Self.small(bytes[start]) : bytes[start])
                start += 1
            } else {
                let end = bytes[start...].firstIndex { $0 < 0x80 } ?? bytes.endIndex
                for scalar in String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars { add(scalar, to: &folded) }
                start = end
            }
        }
        return folded
    }

    private static func small(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

    private func add(_ scalar: Unicode.Scalar, to folded: inout [UInt8]) {
        var scalar = scalar
        if contains(.marks) {
            if scalar.properties.generalCategory == .nonspacingMark { return }
            scalar = LetterWithoutMarks.of(scalar)
        }
        guard contains(.letterCase) else { return folded.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
        for large in scalar.properties.uppercaseMapping.unicodeScalars {
            for small in large.properties.lowercaseMapping.unicodeScalars {
                // An “İ” becomes an “i” with a dot of its own, and an “ᾳ” is a letter and a mark when it is large.
                if contains(.marks) {
                    if small.properties.generalCategory == .nonspacingMark { continue }
                    folded.append(contentsOf: UTF8.encode(LetterWithoutMarks.of(small)) ?? .init())
                } else {
                    folded.append(contentsOf: UTF8.encode(small) ?? .init())
                }
            }
        }
    }
}
