import PropertyLists

/// The HTML in which browsers export bookmarks, since Netscape's: `<DT><A HREF=…>` and, for folders, `<DT><H3>` with a `<DL>` behind it. It has no
/// grammar. What is read is what browsers write, and what programs that imitate them write: tags in any case, closed or not, attributes with
/// quotation marks or without.
struct LinkPageReading {
    private var stream: ByteStream
    private let take: ListedItemTaker
    /// Names of the folders that are open, one for each `<DL>`; nil for one that belongs to no heading. Deeper ones are counted only.
    private var folders: [String?] = []
    private var deeper = 0
    /// The heading that the next `<DL>` belongs to.
    private var heading: String?
    /// Waits for its note.
    private var link: (link: ListedLink, place: String)?
    private var isWanted = true

    /// So many folders in one another are told apart; what lies deeper is in the last of these.
    private static let deepest = 1 << 10
    private static let longestTag = 1 << 20

    /// How many addresses have a “&” that begins no entity, and how many have only such as do. Chromium writes an address as it is, but for quotation
    /// marks, and most others write each “&” as an entity: so which of them wrote the page, and what “&amp;” in an address means, the page tells.
    private var addressesAsTheyAre = 0, addressesWithEntities = 0
    private var isEscaped = true

    /// Goes through all of it, twice.
    static func read(_ source: any ByteSource, _ take: @escaping ListedItemTaker) {
        var first = LinkPageReading(stream: ByteStream(source), take: { _ in true })
        first.readAll()
        var reading = LinkPageReading(stream: ByteStream(source), take: take)
        reading.isEscaped = first.addressesWithEntities >= first.addressesAsTheyAre
        reading.readAll()
    }

    private init(stream: ByteStream, take: @escaping ListedItemTaker) { (self.stream, self.take) = (stream, take) }

    private struct Tag {
        var name: [UInt8]
        var attributes: [(name: [UInt8], value: [UInt8])]

        subscript(name: String) -> [UInt8]? { attributes.first { $0.name.elementsEqual(name.utf8) }?.value }
        func text(_ name: String) -> String? { self[name].map(LinkPageReading.text) }
        func time(_ name: String) -> Int64? { self[name].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.flatMap(MomentText.seconds) }
    }

    private mutating func readAll() {
        while isWanted {
            if let (tag, place) = pending {
                pending = nil
                handle(tag, place)
                continue
            }
            guard let byte = stream.next() else { break }
            if byte == UInt8(ascii: "<") { readTag() }
        }
        passLink()
        guard isWanted else { return }
        if stream.failure != nil { _ = take(.fault(place: stream.place, reason: "the file cannot be read from here on")) }
    }

    private mutating func readTag() {
        let place = stream.place
        if stream.peek() == UInt8(ascii: "!") { return skipDeclaration() }
        guard let tag = nextTag() else {
            passLink()
            return report(place, "the file ends in the middle of a tag")
        }
        handle(tag, place)
    }

    private mutating func handle(_ tag: Tag, _ place: String) {
        switch String(decoding: tag.name, as: UTF8.self) {
        case "dl", "ul":
            passLink()
            if folders.count < Self.deepest { folders.append(heading) } else { deeper += 1 }
            heading = nil
        case "/dl", "/ul":
            passLink()
            if deeper > 0 { deeper -= 1 } else if !folders.isEmpty { folders.removeLast() }
            heading = nil
        case "h3":
            passLink()
            let name = ListedLink.name(Self.text(content(until: ["/h3", "dl", "dt", "/dl"])), for: "")
            heading = tag["personal_toolbar_folder"] != nil ? BrowserFolder.toolbar(called: name) : tag["unfiled_bookmarks_folder"] != nil ? BrowserFolder.unfiled : name
        case "a":
            passLink()
            readLink(tag, place)
        case "dd":
            let note = content(until: ["dt", "dl", "/dl", "hr", "a", "h3", "dd"])
            if link != nil { link?.link.note = ListedLink.name(Self.text(note), for: "") }
        case "hr":
            passLink()
            if isWanted { isWanted = take(.other) }
        case "dt", "li": passLink()
        default: break
        }
    }

    private mutating func readLink(_ tag: Tag, _ place: String) {
        guard let href = (tag["href"] ?? tag[ProgramAddress.attribute.lowercased()]).map({ address($0) }) else {
            _ = content(until: ["/a", "dt", "dl", "/dl"])
            return report(place, "a link without an address")
        }
        var link = ListedLink(folders: folders.compactMap(\.self), name: "", url: href)
        link.added = tag.time("add_date") ?? tag.time("time_added")
        link.changed = tag.time("last_modified")
        link.tags = MomentText.words(tag.text("tags") ?? "", between: ",")
        link.icon = tag.text("icon")
        link.name = Self.text(content(until: ["/a", "dt", "dl", "/dl"]))
        self.link = (link, place)
    }

    private mutating func report(_ place: String, _ reason: String) { if isWanted { isWanted = take(.fault(place: place, reason: reason)) } }

    private mutating func passLink() {
        guard let (link, place) = self.link else { return }
        self.link = nil
        if isWanted { isWanted = take(link.checked(at: place)) }
    }

    // MARK: Tags and what is between them

    /// `<!-- … -->`, `<!DOCTYPE …>`.
    private mutating func skipDeclaration() {
        var begin: [UInt8] = []
        while begin.count < 3, let byte = stream.peek(), byte != UInt8(ascii: ">") {
            begin.append(byte)
            _ = stream.next()
        }
        guard begin == Array("!--".utf8) else {
            while let byte = stream.next(), byte != UInt8(ascii: ">") {}
            return
        }
        var dashes = 0
        while let byte = stream.next() {
            if byte == UInt8(ascii: ">"), dashes >= 2 { return }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Behind its “<”. Nil where the file ends in it.
    private mutating func nextTag() -> Tag? {
        var tag = Tag(name: [], attributes: [])
        stream.take(into: &tag.name, limit: 16) { Self.isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        tag.name = Self.lowercased(tag.name)
        while let byte = stream.peek() {
            if byte == UInt8(ascii: "<") { return tag }
            if byte == UInt8(ascii: ">") || Self.isSpace(byte) || byte == UInt8(ascii: "/") {
                _ = stream.next()
                if byte == UInt8(ascii: ">") { return tag }
                continue
            }
            guard readAttribute(of: &tag) else { return nil }
        }
        return nil
    }

    /// False where the file ends in it.
    private mutating func readAttribute(of tag: inout Tag) -> Bool {
        var name: [UInt8] = [], value: [UInt8] = []
        if stream.peek() == UInt8(ascii: "=") { _ = stream.next() }
        stream.take(into: &name, limit: 64) { Self.isSpace($0) || $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ">") }
        skipSpace()
        guard stream.peek() == UInt8(ascii: "=") else {
            if !name.isEmpty { tag.attributes.append((Self.lowercased(name), [])) }
            return stream.peek() != nil
        }
        _ = stream.next()
        skipSpace()
        guard let first = stream.peek() else { return false }
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            _ = stream.next()
            stream.take(into: &value, limit: Self.longestTag) { $0 == first }
            guard stream.next() != nil else { return false }
        } else {
            stream.take(into: &value, limit: Self.longestTag) { Self.isSpace($0) || $0 == UInt8(ascii: ">") }
            guard stream.peek() != nil else { return false }
        }
        // Nobody asks for many.
        if tag.attributes.count < 64 { tag.attributes.append((Self.lowercased(name), value)) }
        return true
    }

    private mutating func skipSpace() { while let byte = stream.peek(), Self.isSpace(byte) { _ = stream.next() } }

    /// The text up to one of these tags, which is taken where it closes and otherwise left for `readTag`: what is in other tags is text as well.
    private mutating func content(until ends: [String]) -> [UInt8] {
        var text: [UInt8] = []
        while true {
            stream.take(into: &text, limit: Self.longestTag) { $0 == UInt8(ascii: "<") }
            guard stream.peek() != nil else { return text }
            _ = stream.next()
            if stream.peek() == UInt8(ascii: "!") {
                skipDeclaration()
                continue
            }
            let line = stream.place
            guard let tag = nextTag() else { return text }
            let name = String(decoding: tag.name, as: UTF8.self)
            guard ends.contains(name) else { continue }
            if name == ends[0], name.hasPrefix("/") { return text }
            // It was not closed: what comes is another one's.
            pending = (tag, line)
            return text
        }
    }

    /// A tag that was read and belongs to nobody yet.
    private var pending: (tag: Tag, place: String)?

    // MARK: Text

    static func lowercased(_ bytes: [UInt8]) -> [UInt8] { bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }

    private mutating func address(_ bytes: [UInt8]) -> String {
        guard bytes.contains(UInt8(ascii: "&")) else { return Self.text(bytes) }
        let isAsItIs = Self.hasBareSign(bytes)
        if isAsItIs { addressesAsTheyAre += 1 } else { addressesWithEntities += 1 }
        return isEscaped && !isAsItIs ? Self.text(bytes) : GuessedText.text(bytes).replacing("&quot;", with: "\"")
    }

    /// Whether there is a “&” that begins no entity.
    private static func hasBareSign(_ bytes: [UInt8]) -> Bool {
        var position = 0
        while let sign = bytes[position...].firstIndex(of: UInt8(ascii: "&")) {
            position = sign
            if MarkupEntity.scalar(in: bytes, at: &position) == nil, !bytes[sign...].starts(with: "&nbsp;".utf8) { return true }
            position = max(position, sign + 1)
        }
        return false
    }

    static func text(_ bytes: [UInt8]) -> String {
        let text = GuessedText.text(bytes)
        guard bytes.contains(UInt8(ascii: "&")) else { return text }
        let coded = Array(text.utf8)
        var decoded: [UInt8] = [], position = 0
        while position < coded.count {
            if coded[position] == UInt8(ascii: "&") {
                if let scalar = MarkupEntity.scalar(in: coded, at: &position) {
                    decoded.append(contentsOf: Array(String(Character(scalar)).utf8))
                    continue
                }
                if coded[position...].starts(with: "&nbsp;".utf8) {
                    decoded.append(0x20)
                    position += 6
                    continue
                }
            }
            decoded.append(coded[position])
            position += 1
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
