/// Kinds of documents that a person wrote down, or a container: sections `[name]` with lines `key = value`.
///
/// What is wrong in a section is told with its line, and that kind is left out. The others count.
public struct KindsFile: Sendable {
    public struct Mistake: Hashable, Sendable {
        public let line: Int
        /// Without a full stop.
        public let sentence: String

        public init(line: Int, sentence: String) { (self.line, self.sentence) = (line, sentence) }
    }

    /// A kind, and the line where its section begins.
    public struct Written: Sendable {
        public let kind: Kind
        public let line: Int
    }

    public enum Kind: Sendable {
        case document(any DocumentKind)
        case folder(FolderKind)

        public var name: String {
            switch self {
            case .document(let kind): kind.name
            case .folder(let kind): kind.name
            }
        }

        /// In small letters.
        public var itemExtension: String {
            switch self {
            case .document(let kind): kind.contentType.itemExtension
            case .folder(let kind): kind.itemExtension
            }
        }

        /// nil for a kind that is more than data: a bookmark, a photo and a text are what they are.
        public init?(_ kind: any DocumentKind) {
            guard kind is PackageKind || kind is FlatKind else { return nil }
            self = .document(kind)
        }

        /// The same packages, shown otherwise. Of packages about which nothing is said but their extension, no flat
        /// file can be told from any other.
        public func shown(as wanted: ShownPackages) -> Kind {
            let required: [DocumentPart], type: String?
            switch self {
            case .document(let kind as PackageKind): (required, type) = (kind.required, kind.typeIdentifier)
            case .document(let kind as FlatKind): (required, type) = (kind.required, kind.typeIdentifier)
            case .document: return self
            case .folder(let kind): (required, type) = (kind.required, kind.typeIdentifier)
            }
            switch (wanted, self) {
            case (.kind, _), (.file, .document(is FlatKind)), (.folder, .folder): return self
            case (.file, _):
                guard !required.isEmpty else { return self }
                let kind = FlatKind(
                    name: name, itemExtension: itemExtension, required: required,
                    typeIdentifier: type ?? PackageKind.packageType, isMadeFromFiles: false)
                return .document(kind)
            case (.folder, _):
                return .folder(
                    FolderKind(name: name, itemExtension: itemExtension, required: required, typeIdentifier: type, section: section))
            }
        }

        /// As Apple's programs call it; nil where nobody has said.
        public var typeIdentifier: String? {
            switch self {
            case .document(let kind): kind.contentType.identifier
            case .folder(let kind): kind.typeIdentifier
            }
        }

        /// What a person writes down to have it; nil for one that cannot be written so.
        public var section: String? { document?.section ?? folder?.section }

        public var document: (any DocumentKind)? { if case .document(let kind) = self { kind } else { nil } }
        public var folder: FolderKind? { if case .folder(let kind) = self { kind } else { nil } }
    }

    public let kinds: [Written]
    public let mistakes: [Mistake]

    /// `hasOwnLines`: what stands before the first section is something else.
    public init(_ bytes: [UInt8], hasOwnLines: Bool = false) {
        var sections: [KindSection] = [], mistakes: [Mistake] = [], line = 0
        for text in String(decoding: bytes, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            let text = KindSection.trimmed(text)
            if text.isEmpty || text.hasPrefix("#") || text.hasPrefix(";") { continue }
            if text.hasPrefix("[") {
                sections.append(KindSection(header: text, line: line))
            } else if sections.isEmpty {
                if !hasOwnLines { mistakes.append(Mistake(line: line, sentence: "a kind begins with its name in brackets, like “[scrap]”")) }
            } else {
                sections[sections.count - 1].add(text, line: line)
            }
        }
        var kinds: [Written] = []
        for section in sections {
            do throws(KindSection.Mistakes) { kinds.append(Written(kind: try section.kind(), line: section.line)) } catch { mistakes += error.all }
        }
        self.kinds = kinds
        mistakes.sort { $0.line < $1.line }
        let more = mistakes.dropFirst(Self.mostMistakes)
        self.mistakes = mistakes.prefix(Self.mostMistakes) + (more.first.map { [Mistake(line: $0.line, sentence: "\(more.count) more mistakes from here on")] } ?? [])
    }

    /// The file may be anybody's, in a container: all that is told of it is short.
    private static let mostMistakes = 20
}

/// The lines of one kind.
struct KindSection {
    struct Mistakes: Error { let all: [KindsFile.Mistake] }

    let line: Int
    private let name: String
    private var values: [Key: (value: String, line: Int)] = [:]
    private var mistakes: [KindsFile.Mistake] = []

    private enum Key: String, CaseIterable { case `extension`, parts, required, shown, type }

    init(header: String, line: Int) {
        self.line = line
        name = header.hasSuffix("]") ? Self.trimmed(header.dropFirst().dropLast()) : ""
        if !Self.isName(name) { add("the name of a kind stands in brackets, and has small letters, digits and “-”: “[scrap]”", line) }
    }

    mutating func add(_ text: String, line: Int) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.trimmed)
        guard parts.count == 2, !parts[1].isEmpty else { return add("this is no “key = value”", line) }
        guard let key = Key(rawValue: parts[0]) else {
            return add("“\(Self.told(parts[0]))” says nothing of a kind; there are: \(Key.allCases.map(\.rawValue).joined(separator: ", "))", line)
        }
        if let earlier = values.updateValue((parts[1], line), forKey: key) { add("“\(key.rawValue)” stands in line \(earlier.line) already", line) }
    }

    private mutating func add(_ sentence: String, _ line: Int) { mistakes.append(KindsFile.Mistake(line: line, sentence: sentence)) }

    func kind() throws(Mistakes) -> KindsFile.Kind {
        // Without its name, nothing can be said of the rest.
        guard Self.isName(name) else { throw Mistakes(all: mistakes) }
        var section = self
        let shown = section.shown(), itemExtension = section.itemExtension(), parts = section.parts(shown)
        let required = section.required(of: parts, shown), type = section.type()
        if shown == .content, values[.parts] == nil {
            section.add("“[\(name)]” has no line “parts = …”: what is shown of such a package is the first of its parts", line)
        }
        guard section.mistakes.isEmpty else { throw Mistakes(all: section.mistakes) }
        switch shown {
        case .folder: return .folder(FolderKind(name: name, itemExtension: itemExtension, required: required, typeIdentifier: type))
        case .file:
            return .document(
                FlatKind(
                    name: name, itemExtension: itemExtension, listed: parts, required: required, typeIdentifier: type ?? PackageKind.packageType))
        case .content:
            return .document(
                PackageKind(
                    name: name, itemExtension: itemExtension, parts: parts, required: required, typeIdentifier: type ?? PackageKind.packageType,
                    isText: parts.first.map(Self.isText) ?? false, isMadeFromFiles: false))
        }
    }

    /// As what a package is shown: its content, all of it as one flat file, or the folder that it is.
    private enum Shown: String, CaseIterable { case content, file, folder }

    private mutating func shown() -> Shown {
        guard let (text, line) = values[.shown] else { return .content }
        guard let shown = Shown(rawValue: text) else {
            add("“\(Self.told(text))” is no way to show a package; there are: \(Shown.allCases.map(\.rawValue).joined(separator: ", "))", line)
            return .content
        }
        return shown
    }

    private mutating func type() -> String? {
        guard let (text, line) = values[.type] else { return nil }
        if !text.utf8.allSatisfy({ Self.isPlain($0 | 0x20) || $0 == UInt8(ascii: ".") }) {
            add("“\(Self.told(text))” is no type: these have letters, digits, “.” and “-”, like “com.example.scrap”", line)
        }
        return text
    }

    private mutating func itemExtension() -> String {
        guard let (text, line) = values[.extension] else {
            add("“[\(name)]” has no line “extension = …”", self.line)
            return ""
        }
        let word = ItemName.lowercased(text)
        if !Self.isExtension(word) {
            add("an extension has letters, digits, “-” and “_”, at most 24, and no point: “extension = scrap”", line)
        } else if ForeignNames.isCommon(fileExtension: word) {
            add("files of many programs end in “.\(word)”, and would be none of this kind", line)
        }
        return word
    }

    private mutating func parts(_ shown: Shown) -> [DocumentPart] {
        guard let (text, line) = values[.parts] else { return [] }
        var parts: [DocumentPart] = []
        for word in Self.list(text) {
            guard let part = DocumentPart(written: word) else {
                add(Self.noPart(word), line)
                continue
            }
            if parts.contains(part) { add("“\(Self.told(word))” is there twice", line) } else { parts.append(part) }
        }
        if parts.first?.isFolder == true, shown == .content { add("what is shown is the first part, and “\(Self.told(parts[0].written))” is a folder", line) }
        return parts
    }

    /// Without them, a folder of the kind's name is a folder like any other.
    private mutating func required(of parts: [DocumentPart], _ shown: Shown) -> [DocumentPart] {
        guard let (text, line) = values[.required] else {
            let first = shown == .folder ? [] : Array(parts.prefix(1))
            if shown == .file, first.first?.isFolder ?? true {
                add("“[\(name)]” has no line “required = …”: without one of these files in it, a folder is a folder like any other", self.line)
            }
            return first
        }
        return Self.list(text).compactMap { word in
            guard let part = DocumentPart(written: word) else {
                add(Self.noPart(word), line)
                return nil
            }
            let isListed = !part.isFolder && (values[.parts] == nil || parts.contains(part))
            if shown != .folder, !isListed {
                add("“\(Self.told(word))” is required, and is none of the files in “parts = …”", line)
            }
            if shown == .content, isListed, part != parts.first {
                let content = parts.first.flatMap { $0.folders.isEmpty ? nil : Self.told($0.written) }
                if let content {
                    add("“\(Self.told(word))” is required, and the content “\(content)” lies deeper: only that can be", line)
                } else if !part.isWrittenAlone {
                    add("“\(Self.told(word))” is required, and lies in a folder of the package or has no single name", line)
                }
            }
            return part
        }
    }

    // MARK: Words

    static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text).drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// As much of a word as a sentence has room for, and nothing in it that a terminal obeys.
    private static func told(_ word: String) -> String {
        var told = String.UnicodeScalarView()
        for scalar in word.unicodeScalars.prefix(longestTold) { told.append(DocumentPart.isShown(scalar) ? scalar : "\u{FFFD}") }
        return String(told) + (word.unicodeScalars.count > longestTold ? "…" : "")
    }

    private static let longestTold = 60

    private static func noPart(_ word: String) -> String {
        "“\(told(word))” is no part: a file is “text.md”, one with several extensions “text.md|markdown”, "
            + "with any name “*.heic|jpg”, in a folder “QuickLook/Preview.pdf”, and a folder “assets/”"
    }

    private static func list(_ text: String) -> [String] { text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed) }

    private static func isPlain(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-") }

    /// “plain”, “folder” and “part” are what is called that is no document of a kind.
    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(isPlain) && !["plain", "none", "folder", "part"].contains(text)
    }

    private static func isExtension(_ text: String) -> Bool { (1...24).contains(text.utf8.count) && text.utf8.allSatisfy { isPlain($0) || $0 == UInt8(ascii: "_") } }

    private static func isText(_ part: DocumentPart) -> Bool { part.extensions.contains { ["txt", "text", "md", "markdown"].contains($0) } }
}

extension DocumentPart {
    /// As a person writes it: `text.md`, `text.md|markdown`, `*.heic|jpg`, `assets/`, `QuickLook/Preview.pdf`.
    init?(written text: String) {
        let isFolder = text.hasSuffix("/"), path = isFolder ? String(text.dropLast()) : text
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        // Any name is only that of a file, and all of it: “*.heic”.
        guard !names.dropLast().contains(where: { $0.contains("*") }), let file = names.last,
            !file.contains("*") || !isFolder && file.hasPrefix("*.") && !file.dropFirst().contains("*")
        else { return nil }
        guard names.count <= Self.mostFolders, path.unicodeScalars.allSatisfy(Self.isShown), names.allSatisfy(Self.isName),
            let last = names.last
        else { return nil }
        if isFolder {
            self = .folder(path)
            return
        }
        guard let (stem, words) = ItemName.parts(Array(last.utf8)),
            last.contains("|") || stem.elementsEqual(Self.anyName.utf8)
        else {
            guard last != Self.anyName, !last.contains("|") else { return nil }
            self = .file(path)
            return
        }
        let isAny = stem.elementsEqual(Self.anyName.utf8)
        let extensions = words.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            .map { isAny ? ItemName.lowercased($0) : $0 }
        guard extensions.count > 1 || isAny, extensions.allSatisfy({ !$0.isEmpty && !$0.contains(".") }),
            Set(extensions).count == extensions.count
        else { return nil }
        let above = names.dropLast().map { $0 + "/" }.joined()
        self = .files(above + String(decoding: stem, as: UTF8.self), extensions: extensions)
    }

    /// As deep as a flat file may be.
    private static let mostFolders = 64

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.utf8.count <= ItemName.limit && name != "." && name != ".."
    }

    /// What moves nothing on a screen, and nothing around what comes after it.
    static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        default: true
        }
    }

    var written: String {
        switch self {
        case .file(let name): name
        case .files(let stem, let extensions): "\(stem).\(extensions.joined(separator: "|"))"
        case .folder(let name): "\(name)/"
        }
    }

    /// Those that its file may have.
    var extensions: [String] {
        switch self {
        case .files(_, let extensions): extensions
        case .file: ItemName.parts(Array(inItsFolder.newName().utf8)).map { [$0.fileExtension] } ?? []
        case .folder: []
        }
    }
}
