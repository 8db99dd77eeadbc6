/// A word of a predicate's text, and where it begins.
struct Token: Equatable {
    enum Kind: Equatable {
        case word(String)
        case text([UInt8])
        case number(Double)
        case date(Moment)
        /// `%K`, `%@`, `%d` for all whole numbers, `%f` for all others.
        case placeholder(UInt8)
        /// What stands behind the point of `%K.pathExtension`.
        case part(String)
        case sign(String)
        case end
    }

    let kind: Kind
    let place: Int
    let end: Int
}

/// Takes a predicate's text apart, from left to right.
struct Tokens {
    private let bytes: [UInt8]
    private let takesArguments: Bool
    private var position = 0

    /// No more is read, whoever writes it.
    static let longest = 1 << 18

    init(_ bytes: [UInt8], takesArguments: Bool) throws(PredicateFault) {
        guard bytes.count <= Self.longest else { throw PredicateFault(Self.longest, "a predicate has \(Self.longest / 1024) KiB at most, and this one is longer") }
        self.bytes = bytes
        self.takesArguments = takesArguments
    }

    mutating func all() throws(PredicateFault) -> [Token] {
        var tokens: [Token] = []
        while true {
            let token = try next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private func byte(_ ahead: Int = 0) -> UInt8 { position + ahead < bytes.count ? bytes[position + ahead] : 0 }

    private mutating func next() throws(PredicateFault) -> Token {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let start = position
        func token(_ kind: Token.Kind, _ end: Int) -> Token { Token(kind: kind, place: start, end: end) }
        guard position < bytes.count else { return token(.end, start) }
        let first = bytes[position]
        switch first {
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            let text = try quoted(first)
            return token(.text(text), position)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            let kind = try numberOrDate()
            return token(kind, position)
        case UInt8(ascii: "%"):
            return token(try placeholder(), position)
        default: break
        }
        if Self.isLetter(first) {
            skipWord()
            return token(.word(String(decoding: bytes[start..<position], as: UTF8.self)), position)
        }
        if takesArguments, first == UInt8(ascii: "."), Self.isLetter(byte(1)) {
            position += 1
            skipWord()
            return token(.part(String(decoding: bytes[(start + 1)..<position], as: UTF8.self)), position)
        }
        for sign in Self.signs where bytes[start...].starts(with: sign.utf8) {
            position += sign.utf8.count
            return token(.sign(sign), position)
        }
        let shown = String(decoding: bytes[start...].prefix(4), as: UTF8.self).unicodeScalars.first.map { String($0) } ?? ""
        throw PredicateFault(start, "“\(shown)” means nothing here")
    }

    private mutating func skipWord() {
        while position < bytes.count, Self.isLetter(bytes[position]) || Self.isDigit(bytes[position]) || bytes[position] == UInt8(ascii: ".") { position += 1 }
    }

    /// The longer ones first.
    private static let signs = ["==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "=", "<", ">", "!", "(", ")", "{", "}", ",", "[", "]", "+", "-"]

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte == UInt8(ascii: "@") || byte >= 0x80
    }

    private mutating func quoted(_ quote: UInt8) throws(PredicateFault) -> [UInt8] {
        let start = position
        var text: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return text }
            guard byte == UInt8(ascii: "\\") else {
                if takesArguments, byte == UInt8(ascii: "%"), self.byte() == UInt8(ascii: "%") { position += 1 }
                text.append(byte)
                continue
            }
            guard position < bytes.count else { break }
            let escaped = bytes[position]
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): text.append(0x0A)
            case UInt8(ascii: "t"): text.append(0x09)
            case UInt8(ascii: "r"): text.append(0x0D)
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(escaped)
            // What is not this language's is the pattern's: “\*” and “\d” stay as they are.
            default: text += [byte, escaped]
            }
        }
        throw PredicateFault(start, "this text has no end: there is no second \(quote == UInt8(ascii: "'") ? "'" : "\"")")
    }

    /// As `printf` has them: an app says `%ld` of an `Int`, and means any whole number.
    private mutating func placeholder() throws(PredicateFault) -> Token.Kind {
        let start = position
        var next = position + 1
        while next < bytes.count, Self.lengths.contains(bytes[next]) { next += 1 }
        let letter = next < bytes.count ? bytes[next] : 0, kind: UInt8
        if Self.wholeNumbers.contains(letter) { kind = UInt8(ascii: "d") } else if Self.otherNumbers.contains(letter) { kind = UInt8(ascii: "f") } else {
            guard next == start + 1, [UInt8(ascii: "K"), UInt8(ascii: "@")].contains(letter) else {
                throw PredicateFault(start, "“%” stands before K, @, d, f or another letter for numbers, and for an argument")
            }
            kind = letter
        }
        guard takesArguments else {
            throw PredicateFault(start, "“\(String(decoding: bytes[start...next], as: UTF8.self))” is for an argument of a program, and there are none here")
        }
        position = next + 1
        return .placeholder(kind)
    }

    private static let lengths = Array("hlqLzjt".utf8), wholeNumbers = Array("diuDUoxX".utf8), otherNumbers = Array("fFeEgGaA".utf8)

    private mutating func numberOrDate() throws(PredicateFault) -> Token.Kind {
        let start = position
        if let (moment, end) = Moment.read(bytes[position...]) {
            position = end
            guard position == bytes.count || !Self.isLetter(byte()) && !Self.isDigit(byte()) else { throw PredicateFault(start, "this is no date: dates are written 2026-03-01 or 2026-03-01T09:30:00Z") }
            return .date(moment)
        }
        while Self.isDigit(byte()) { position += 1 }
        if byte() == UInt8(ascii: "."), Self.isDigit(byte(1)) {
            position += 1
            while Self.isDigit(byte()) { position += 1 }
        }
        if byte() | 0x20 == UInt8(ascii: "e"), Self.isDigit(byte(1)) || (byte(1) == UInt8(ascii: "-") && Self.isDigit(byte(2))) {
            position += 2
            while Self.isDigit(byte()) { position += 1 }
        }
        guard position - start < 400, let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
            throw PredicateFault(start, "this number is too large")
        }
        let unit = position
        while Self.isLetter(byte()) { position += 1 }
        guard unit < position else { return .number(number) }
        let word = String(decoding: bytes[unit..<position], as: UTF8.self)
        // “7d” is a span, which only stands behind “now -”: the parser takes it apart.
        if Spans.nanoseconds[word] != nil, Sizes.bytes(word) == nil { position = unit; return .number(number) }
        guard let factor = Sizes.bytes(word) else {
            throw PredicateFault(unit, "“\(word)” is no unit", hint: nearWord(to: word, among: Sizes.names))
        }
        return .number(number * factor)
    }
}

/// The units of sizes: thousands, and with an “i” 1024s.
enum Sizes {
    static let names = ["B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB"]
    private static let factors: [String: Double] = [
        "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12,
        "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824, "tib": 1_099_511_627_776,
    ]
    static func bytes(_ unit: String) -> Double? { factors[unit.lowercased()] }

    /// “10 MB” as a text.
    static func bytes(of text: [UInt8]) -> Double? {
        let trimmed = String(decoding: text, as: UTF8.self).split(separator: " ").joined()
        guard trimmed.utf8.count < 64 else { return nil }
        let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), number.isFinite else { return nil }
        let unit = trimmed.dropFirst(digits.count)
        return unit.isEmpty ? number : bytes(String(unit)).map { $0 * number }
    }
}

/// The units behind `now -`.
enum Spans {
    static let names = ["s", "min", "h", "d", "w"]
    static let nanoseconds: [String: Double] = [
        "s": 1e9, "sec": 1e9, "second": 1e9, "seconds": 1e9, "min": 60e9, "minute": 60e9, "minutes": 60e9, "h": 3600e9, "hour": 3600e9, "hours": 3600e9,
        "d": 86_400e9, "day": 86_400e9, "days": 86_400e9, "w": 604_800e9, "week": 604_800e9, "weeks": 604_800e9,
    ]
}
