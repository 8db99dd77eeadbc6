import LinuxFiles

/// A name that a sync tool gave to the side that lost, when both sides had changed one file.
///
/// Only a guess until the file that it names is there too: then it is a version of that one. Where people give such
/// names themselves (` 2`), only what nobody would call so counts: parts of packages, and bookmarks with their moment.
struct SyncCopy: Hashable {
    /// The file that it is a copy of.
    let copied: Name
    /// By which copies of one side are known: "ABCDEFG", "Anna".
    let source: String
    /// Who it comes from, as far as the tool says. Syncthing names the computer whose side won, which is none of the copy's.
    let computer: String

    init?(_ name: Name, insidePackage: Bool = false) {
        // Almost every name is decided here.
        guard insidePackage || Self.mayBe(name.bytes) else { return nil }
        let text = String(decoding: name.bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(name.bytes),
            let found = Self.syncthing(text) ?? Self.conflictedCopy(text) ?? Self.numbered(text, insidePackage), let original = Name(found.original),
            original != name
        else { return nil }
        copied = original
        (source, computer) = (found.source, found.computer ?? found.source)
    }

    private static let word = Array("conflict".utf8), bookmark = Array("Bookmark_".utf8)

    private static func mayBe(_ bytes: [UInt8]) -> Bool {
        // A number stands behind the name, in the moment or after it.
        if bytes.starts(with: bookmark), let dash = bytes.lastIndex(of: UInt8(ascii: "-")), bytes[dash...].contains(UInt8(ascii: " ")) { return true }
        guard bytes.count > word.count else { return false }
        return (0...(bytes.count - word.count)).contains { bytes[$0] == word[0] && bytes[$0..<($0 + word.count)].elementsEqual(word) }
    }

    private typealias Found = (original: String, source: String, computer: String?)

    /// `name.sync-conflict-20261121-232733-ABCDEFG.ext`
    private static func syncthing(_ text: String) -> Found? {
        guard let mark = text.range(of: ".sync-conflict-") else { return nil }
        let rest = text[mark.upperBound...]
        let tag = rest.prefix { $0 != "." }
        let words = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(words.count), isNumber(words[0], 8), isNumber(words[1], 6) else { return nil }
        return (String(text[..<mark.lowerBound] + rest.dropFirst(tag.count)), words.count == 3 ? String(words[2]) : "Syncthing", "Syncthing")
    }

    /// `name (conflicted copy anna 2026-11-21 232733).ext` of Nextcloud, `name (Anna's conflicted copy 2026-11-21 (1)).ext` of Dropbox.
    private static func conflictedCopy(_ text: String) -> Found? {
        guard let mark = text.range(of: "conflicted copy"), let open = text[..<mark.lowerBound].lastIndex(of: "("), open > text.startIndex,
            let close = end(of: text[mark.upperBound...])
        else { return nil }
        let before = text.index(before: open)
        guard text[before] == " " else { return nil }
        var who = String(text[text.index(after: open)..<mark.lowerBound].trimmed)
        for ending in ["'s", "’s"] where who.hasSuffix(ending) { who.removeLast(ending.count) }
        if who.isEmpty {
            let words = text[mark.upperBound..<close].split(separator: " ").prefix { $0.first?.isNumber != true && $0.first != "(" }
            who = words.joined(separator: " ")
        }
        return (String(text[..<before] + text[text.index(after: close)...]), who.isEmpty ? "another computer" : who, nil)
    }

    /// The bracket that closes, behind others that open and close.
    private static func end(of text: Substring) -> String.Index? {
        var depth = 0
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            guard text[index] == ")" else { continue }
            if depth == 0 { return index }
            depth -= 1
        }
        return nil
    }

    /// `name 2.ext` of iCloud, which takes the end of a moment for an extension.
    private static func numbered(_ text: String, _ insidePackage: Bool) -> Found? {
        for dot in [text.lastIndex(of: ".") ?? text.endIndex, text.endIndex] {
            guard let space = text[..<dot].lastIndex(of: " ") else { continue }
            let digits = text[text.index(after: space)..<dot]
            guard digits.count <= 3, isNumber(digits, digits.count), digits.first != "0", digits != "1" else { continue }
            let original = String(text[..<space] + text[dot...])
            if insidePackage || isBookmark(original) { return (original, "iCloud", nil) }
        }
        return nil
    }

    /// "Bookmark_Swift-1772355901.000001": no two were ever made in one microsecond.
    private static func isBookmark(_ text: String) -> Bool {
        guard text.hasPrefix("Bookmark_"), let dash = text.lastIndex(of: "-") else { return false }
        let moment = text[text.index(after: dash)...].split(separator: ".", omittingEmptySubsequences: false)
        return moment.count == 2 && moment[0].count >= 9 && isNumber(moment[0], moment[0].count) && isNumber(moment[1], 6)
    }

    private static func isNumber(_ text: some StringProtocol, _ count: Int) -> Bool {
        count > 0 && text.utf8.count == count && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension SyncCopy {
    /// What a copy is called when its original is called otherwise; nil where it would be no copy of that one.
    static func renamed(_ copy: Name, of original: Name, to name: Name) -> Name? {
        let shared = zip(copy.bytes, original.bytes).prefix { $0 == $1 }.count
        let ending = original.bytes[shared...]
        guard copy.bytes.dropFirst(shared).suffix(ending.count).elementsEqual(ending), name.bytes.suffix(ending.count).elementsEqual(ending) else { return nil }
        let mark = copy.bytes[shared..<(copy.bytes.count - ending.count)]
        guard let renamed = Name(name.bytes.dropLast(ending.count) + mark + ending), SyncCopy(renamed)?.copied == name else { return nil }
        return renamed
    }
}

extension String {
    /// Where a text begins and ends in this one.
    fileprivate func range(of wanted: String) -> Range<Index>? {
        var start = startIndex
        while let first = self[start...].firstIndex(of: wanted[wanted.startIndex]) {
            if self[first...].hasPrefix(wanted) { return first..<index(first, offsetBy: wanted.count) }
            start = index(after: first)
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
