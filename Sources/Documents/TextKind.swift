import PropertyLists

/// A text: a regular file `<title>.stedoc` whose bytes are the UTF-8 text, shown as `<title>.txt`.
public struct TextKind: DocumentKind {
    /// How much of a new text is looked at in one go.
    static let chunk = 1 << 16

    public init() {}

    public let name = "text"
    public let parts: [DocumentPart]? = nil
    public let contentStart: Int64? = 0
    public let storedNameFollowsShown = true
    public let isText = true
    public var contentType: (identifier: String, itemExtension: String) { ("public.plain-text", "stedoc") }

    /// So much of a text is looked at: the first word in another encoding is seldom further on.
    private static let mostLooked: Int64 = 1 << 24

    public func remarks(on parts: [(any ByteSource)?], reading: DocumentReading) -> [DocumentRemark] {
        guard let text = parts.first ?? nil else { return [] }
        let fault = (try? Self.encodingFault(of: text, within: Self.mostLooked)) ?? (try? Self.wideFault(of: text)) ?? nil
        return fault.map { [.otherEncoding($0)] } ?? []
    }

    public func mayBe(storedName: [UInt8], isFolder: Bool) -> Bool {
        !isFolder && ItemName.stem(storedName, before: "stedoc") != nil
    }

    /// Any bytes are shown: what some program put there is worth more seen than refused.
    public func read(_ parts: [(any ByteSource)?], storedName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> DocumentReading {
        guard let stem = ItemName.stem(storedName, before: "stedoc") else { throw .foreign("It is not named as a text is.") }
        guard let text = parts.first ?? nil else { throw .damaged("The text is missing.") }
        return DocumentReading(name: stem, fileExtension: "txt", content: .range(part: 0, offset: 0, length: text.byteCount))
    }

    /// In any spelling of "txt". A text has no place to remember it, so the container does (`tells`).
    public func takes(shownName: [UInt8]) -> Bool {
        ItemName.isPlain(shownName) && ItemName.stem(shownName, before: "txt") != nil
    }

    /// The bytes as they are. They must be UTF-8, because the app reads nothing else; they are looked at
    /// a chunk at a time, whatever their length.
    public func write(
        content: any ByteSource, shownName: [UInt8], over existing: [(any ByteSource)?]?, spelling: Spelling?
    ) throws(DocumentFault) -> [PartWriting] {
        if let reason = try Self.encodingFault(of: content) { throw .unfit(reason) }
        return [.around(head: [], tail: [])]
    }

    /// Why no app reads it; nil where it is UTF-8, as far as it is looked at.
    public static func encodingFault(of content: any ByteSource, within limit: Int64 = .max) throws(DocumentFault) -> String? {
        var checked: Int64 = 0
        while checked < content.byteCount, checked < limit {
            let bytes = try content.few(at: checked, count: Int(min(Int64(chunk), content.byteCount - checked)))
            let isLast = checked + Int64(bytes.count) >= content.byteCount
            let whole = isLast ? bytes.count : wholeCharacters(bytes)
            guard whole > 0, String(validating: bytes[..<whole], as: UTF8.self) != nil else { return inAnotherEncoding(bytes, try content.few(at: 0, count: Int(min(content.byteCount, 2)))) }
            checked += Int64(whole)
        }
        return nil
    }

    /// So much of a text tells whether each second byte is zero.
    private static let wideSample: Int64 = 4096

    /// UTF-16 of mostly ASCII without its mark is UTF-8 as well, of which every second character is NUL. One of those here and there is
    /// whoever's who wrote it.
    public static func wideFault(of content: any ByteSource) throws(DocumentFault) -> String? {
        let bytes = try content.few(at: 0, count: Int(min(content.byteCount, wideSample))), pairs = bytes.count / 2
        guard pairs > 1 else { return nil }
        let high = (0..<pairs).count { bytes[2 * $0] == 0 }, low = (0..<pairs).count { bytes[2 * $0 + 1] == 0 }
        guard min(high, low) == 0, max(high, low) * 2 > pairs else { return nil }
        return "The text seems to be UTF-16, and apps read it as UTF-8; to convert it: iconv -f UTF-16\(high == 0 ? "LE" : "BE") -t UTF-8 FILE >NEW"
    }

    /// Which encoding it is nobody can tell for certain: UTF-16 says so itself, and of the others the likely one is named, or none.
    private static func inAnotherEncoding(_ bytes: [UInt8], _ start: [UInt8]) -> String {
        let isMarked = start == [0xFF, 0xFE] || start == [0xFE, 0xFF]
        // No text has these, in whatever encoding that has no mark.
        if !isMarked, bytes.contains(where: { $0 < 0x08 }) { return "The text is not UTF-8, which is all that apps read, and seems to be no text in another encoding either" }
        let refusal = "The text is not UTF-8, which is all that apps read; to convert it: "
        guard let encoding = isMarked ? "UTF-16" : TextEncoding.likely(of: bytes) else { return refusal + "iconv -f ENCODING -t UTF-8 FILE >NEW, with the encoding that it has (iconv -l lists them)" }
        return refusal + "iconv -f \(encoding) -t UTF-8 FILE >NEW"
    }

    /// How many bytes are left when a character that the end cuts through is left for the next chunk.
    private static func wholeCharacters(_ bytes: [UInt8]) -> Int {
        for back in 1...3 where bytes.count > back {
            let byte = bytes[bytes.count - back]
            if byte < 0x80 { break }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return length > back ? bytes.count - back : bytes.count
            }
        }
        return bytes.count
    }

    public func rename(_ parts: [(any ByteSource)?], storedName: [UInt8], to shownName: [UInt8], options: ShowingOptions) throws(DocumentFault) -> [PartWriting] {
        [.keep]
    }

    public func storedName(forShown shownName: [UInt8], at time: UnixMicroseconds, attempt: Int) -> [UInt8] {
        ItemName.numbered(ItemName.stem(shownName, before: "txt") ?? shownName, "stedoc", attempt: attempt)
    }

    /// Its bytes are the text's, so its name is all that says what it is called: one that was shortened or got a number does not.
    public func tells(shownName: [UInt8], storedName: [UInt8]) -> Bool {
        ItemName.stem(storedName, before: "stedoc").map { $0 + Array(".txt".utf8) } == shownName
    }
}
