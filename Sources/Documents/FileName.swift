import PropertyLists

/// The parts of a file name, as documents see them: a name of their own and an extension.
enum FileName {
    /// "a.b.url" is ("a.b", "url"); ".url" and "a" have no extension.
    static func split(_ name: [UInt8]) -> (stem: [UInt8], fileExtension: String) {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (name, "") }
        return (Array(name[..<dot]), String(decoding: name[(dot + 1)...], as: UTF8.self))
    }

    static func hasExtension(_ name: [UInt8], _ fileExtension: String) -> Bool {
        let (stem, own) = split(name)
        return !stem.isEmpty && own.lowercased() == fileExtension
    }

    /// The document's own name from a shown stem: the look-alikes of "/" and NUL are those again.
    static func unmapped(_ stem: [UInt8]) -> String {
        String(String.UnicodeScalarView(String(decoding: stem, as: UTF8.self).unicodeScalars.map { scalar in
            switch scalar {
            case "∕": "/"
            case "␀": "\0"
            default: scalar
            }
        }))
    }

    /// A stored name: at most 255 bytes, cut on a character boundary before its suffix.
    static func stored(_ stem: [UInt8], number: Int, suffix: String) -> [UInt8] {
        let tail = Array((number > 0 ? " \(number)" : "").utf8) + Array(suffix.utf8)
        let mapped = stem.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 }
        return cut(mapped, to: max(1, 255 - tail.count)) + tail
    }

    private static func cut(_ bytes: [UInt8], to limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = limit
        // A byte that goes on a character is no place to end.
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<(end > 0 ? end : limit)])
    }

    /// Whether a stem is another one with a number: "cat 2" of "cat".
    static func isNumbered(_ stem: [UInt8], of title: [UInt8]) -> Bool {
        guard stem.count > title.count + 1, stem.starts(with: title), stem[title.count] == UInt8(ascii: " ") else { return false }
        return stem[(title.count + 1)...].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension DocumentFault {
    init(_ fault: PropertyListFault) {
        self =
            switch fault {
            case .foreign(let reason): .foreign(reason)
            case .damaged(let reason), .tooLarge(let reason): .damaged(reason)
            case .unreadable(let number): .unreadable(number)
            }
    }

    init(_ failure: SourceFailure) { self = .unreadable(failure.errno) }
}

/// Runs what reads an archive, and gives its fault as a document's.
func readingArchive<Value>(_ body: () throws(PropertyListFault) -> Value) throws(DocumentFault) -> Value {
    do throws(PropertyListFault) { return try body() } catch { throw DocumentFault(error) }
}

extension ByteSource {
    /// All bytes, where there are at most so many.
    func allBytes(limit: Int) throws(DocumentFault) -> [UInt8] {
        guard byteCount <= Int64(limit) else { throw .unfit("it is longer than \(limit) bytes") }
        do throws(SourceFailure) { return try bytes(at: 0, count: Int(byteCount)) } catch { throw DocumentFault(error) }
    }
}
