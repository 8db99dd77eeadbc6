import JSONValues

/// What `valise doctor` found in one check.
public struct Finding: Equatable, Sendable {
    public enum Grade: String, Sendable {
        case ok, note, problem
    }

    public let grade: Grade
    public let sentence: String
    /// A command that mends it.
    public let mend: String?

    public init(_ grade: Grade, _ sentence: String, mend: String? = nil) {
        self.grade = grade
        self.sentence = sentence
        self.mend = mend
    }

    public var text: String { text(.none) }

    public var json: JSON {
        .object([JSON.Member("grade", .string(grade.rawValue)), JSON.Member("sentence", .string(sentence)), JSON.Member("mend", mend.map(JSON.string) ?? .null)])
    }

    /// On a terminal in lines of its width; a command stays on one line, to be copied.
    public func text(_ paint: Paint, isWrapped: Bool = false) -> String {
        "\(painted(paint))  \(isWrapped ? wrapped(printable(sentence), indent: 9) : printable(sentence))\n" + (mend.map { "         fix: \(printable($0))\n" } ?? "")
    }

    private func painted(_ paint: Paint) -> String {
        let word = padded(grade.rawValue, 7)
        return switch grade {
        case .ok: paint.good(word)
        case .note: paint.warning(word)
        case .problem: paint.fault(word)
        }
    }
}

/// A word as a shell takes it: quoted where it must be.
public func shellWord(_ text: String) -> String {
    let plain = text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/._-+:@%=,".utf8.contains(byte)
        }
    }
    if plain, !text.isEmpty { return text }
    return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
