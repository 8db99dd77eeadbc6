import PropertyLists
import Testing

@testable import Documents

/// Kinds that a person writes down.
@Suite struct KindsFileTests {
    private func read(_ text: String, hasOwnLines: Bool = false) -> KindsFile { KindsFile(Array(text.utf8), hasOwnLines: hasOwnLines) }

    @Test func fiveLinesAreAKind() throws {
        let file = read("# Scraps of paper\n\n[scrap]\nextension = Scrap\nparts = text.md|markdown, info.json, assets/\nrequired = text.md|markdown, info.json\r\n  type=org.example.scrap  \n")
        #expect(file.mistakes.isEmpty)
        let kind = try #require(file.kinds.first?.kind.document as? PackageKind)
        #expect(kind.name == "scrap" && kind.itemExtension == "scrap" && kind.typeIdentifier == "org.example.scrap" && kind.isText && !kind.isMadeFromFiles)
        #expect(kind.parts == [.files("text", extensions: ["md", "markdown"]), .file("info.json"), .folder("assets")])
        #expect(kind.required == [.files("text", extensions: ["md", "markdown"]), .file("info.json")] && file.kinds.first?.line == 3)
    }

    @Test func whatIsNotSaidIsUsual() throws {
        let kind = try #require(read("[sketch2]\nextension=sketch2\nparts=image.png\n").kinds.first?.kind.document as? PackageKind)
        #expect(kind.required == [.file("image.png")] && kind.typeIdentifier == "com.apple.package" && !kind.isText)
        let folder = try #require(read("[novel]\nextension=novel\nshown=folder\n").kinds.first?.kind.folder)
        #expect(folder == FolderKind(name: "novel", itemExtension: "novel"))
        let needing = try #require(read("[novel]\nextension=novel\nshown=folder\nrequired=project.xml\n").kinds.first?.kind.folder)
        #expect(needing.required == [.file("project.xml")])
    }

    /// All of a package as one file: only a required part makes a folder such a package.
    @Test func aPackageMayBeOneFlatFile() throws {
        let kind = try #require(read("[scrap]\nextension=scrap\nshown=file\nrequired=text.md|markdown,info.json\n").kinds.first?.kind.document as? FlatKind)
        #expect(kind.required == [.files("text", extensions: ["md", "markdown"]), .file("info.json")] && kind.isMadeFromFiles)
        #expect(kind.mayBe(storedName: Array("A.Scrap".utf8), isFolder: true) && !kind.mayBe(storedName: Array("A.scrap".utf8), isFolder: false))
        #expect(kind.takes(shownName: Array("A.SCRAP".utf8)) && !kind.takes(shownName: Array(".scrap".utf8)) && !kind.takes(shownName: Array("A.zip".utf8)))
        #expect(kind.storedName(forShown: Array("A.scrap".utf8), at: UnixMicroseconds(rawValue: 0), attempt: 1) == Array("A 1.scrap".utf8))
        let first = try #require(read("[scrap]\nextension=scrap\nshown=file\nparts=a.md,b/\n").kinds.first?.kind.document as? FlatKind)
        #expect(first.required == [.file("a.md")] && first.listed.count == 2)
        #expect(throws: DocumentFault.self) { try kind.write(content: Bytes([]), shownName: Array("A.scrap".utf8), over: nil, spelling: nil) }
    }

    /// What a kind writes down of itself is the same kind again.
    @Test(arguments: [
        "[scrap]\nextension = scrap\nparts = text.md|markdown, info.json, assets/\nrequired = info.json\ntype = org.example.scrap\n",
        "[a-1]\nextension = a_1\nparts = page.html\n",
        "[scrap]\nextension = scrap\nparts = text.md, assets/\nrequired = text.md\nshown = file\ntype = org.example.scrap\n",
        "[scrap]\nextension = scrap\nrequired = text.md|markdown, info.json\nshown = file\n",
    ])
    func sectionsAreReadBack(text: String) throws {
        let section = try #require(read(text).kinds.first?.kind.document?.section)
        #expect(read(section).kinds.first?.kind.document?.section == section && read(section).mistakes.isEmpty)
    }

    /// Each with its line and a word of its sentence; the kind is left out, and the others are not.
    @Test(arguments: [
        ("name = x", 1, "a kind begins with its name"),
        ("[Scrap]\nextension=scrap\nparts=a.md", 1, "small letters"),
        ("[scrap\nextension=scrap\nparts=a.md", 1, "stands in brackets"),
        ("[plain]\nextension=scrap\nparts=a.md", 1, "small letters"),
        ("[scrap]\nparts=a.md", 1, "has no line “extension = …”"),
        ("[scrap]\nextension=scrap", 1, "has no line “parts = …”"),
        ("[scrap]\nextension=.scrap\nparts=a.md", 2, "no point"),
        ("[scrap]\nextension=txt\nparts=a.md", 2, "files of many programs end in “.txt”"),
        ("[scrap]\nextension=d\nparts=a.md", 2, "files of many programs"),
        ("[scrap]\nextension=JPG\nparts=a.md", 2, "files of many programs"),
        ("[scrap]\nextension=scrap\nextension=other\nparts=a.md", 3, "stands in line 2 already"),
        ("[scrap]\nextension=scrap\ncolour=red\nparts=a.md", 3, "“colour” says nothing of a kind"),
        ("[scrap]\nextension=scrap\nparts", 3, "no “key = value”"),
        ("[scrap]\nextension=scrap\nparts=", 3, "no “key = value”"),
        ("[scrap]\nextension=scrap\nparts=../a.md", 3, "“../a.md” is no part"),
        ("[scrap]\nextension=scrap\nparts=a.md,,b", 3, "“” is no part"),
        ("[scrap]\nextension=scrap\nparts=a.md|", 3, "is no part"),
        ("[scrap]\nextension=scrap\nparts=a.md,a.md", 3, "is there twice"),
        ("[scrap]\nextension=scrap\nparts=assets/,a.md", 3, "“assets/” is a folder"),
        ("[scrap]\nextension=scrap\nparts=a.md\nrequired=b.md", 4, "none of the files"),
        ("[scrap]\nextension=scrap\nparts=a.md,assets/\nrequired=assets/", 4, "none of the files"),
        ("[scrap]\nextension=scrap\nparts=a.md\nshown=window", 4, "no way to show"),
        ("[scrap]\nextension=scrap\nshown=file", 1, "has no line “required = …”"),
        ("[scrap]\nextension=scrap\nshown=file\nparts=b/,a.md", 1, "has no line “required = …”"),
        ("[scrap]\nextension=scrap\nshown=file\nrequired=assets/", 4, "none of the files"),
        ("[scrap]\nextension=scrap\nparts=a.md\ntype=com/example", 4, "“com/example” is no type"),
        ("[scrap]\nextension=scrap\nparts=a\u{1B}[2J.md", 3, "“a\u{FFFD}[2J.md” is no part"),
        ("[scrap]\nextension=scrap\nparts=a\u{202E}dm.md", 3, "is no part"),
    ])
    func aMistakeHasItsLine(text: String, line: Int, word: String) {
        let file = read(text + "\n[good]\nextension=good\nparts=a.md\n")
        #expect(file.mistakes.contains { $0.line == line && $0.sentence.contains(word) }, "\(file.mistakes)")
        #expect(file.kinds.map(\.kind.name) == ["good"])
    }

    /// The file may lie in somebody else's container, and what is told of it is printed.
    @Test func whatIsToldIsShortAndHarmless() {
        let long = String(repeating: "x", count: 10_000), lines = (0..<1_000).map { "\u{1B}]0;\($0)\(long)\u{07} = 1" }
        let mistakes = read("[scrap]\n" + lines.joined(separator: "\n")).mistakes
        #expect(mistakes.count == 21 && mistakes.last?.sentence == "982 more mistakes from here on", "\(mistakes.count) \(mistakes.last?.sentence ?? "")")
        for mistake in mistakes { #expect(mistake.sentence.utf8.count < 300 && !mistake.sentence.unicodeScalars.contains { $0.value < 0x20 }) }
    }

    @Test func extensionsOfPackagesMayBeTaken() {
        for word in ["pages", "key", "scriv", "textbundle", "rtfd"] { #expect(read("[x]\nextension=\(word)\nparts=a.md\n").mistakes.isEmpty, "\(word)") }
    }

    @Test func linesBeforeTheFirstKindAreTheContainersOwn() {
        let file = read("create = bookmark\n[scrap]\nextension=scrap\nparts=a.md\n", hasOwnLines: true)
        #expect(file.mistakes.isEmpty && file.kinds.count == 1)
    }

    /// A folder of a person's own may be called as a package is.
    @Test func anExtensionAloneIsNoDocument() throws {
        let kind = try #require(read("[scrap]\nextension=scrap\nparts=a.md,info.json\nrequired=a.md,info.json\n").kinds.first?.kind.document as? PackageKind)
        func reading(_ parts: [(any ByteSource)?]) -> Result<DocumentReading, DocumentFault> {
            do throws(DocumentFault) { return .success(try kind.read(parts, storedName: Array("Old.scrap".utf8), options: ShowingOptions())) } catch { return .failure(error) }
        }
        guard case .failure(.foreign) = reading([nil, nil]) else { return #expect(Bool(false), "an empty folder") }
        guard case .failure(.damaged(let sentence)) = reading([nil, Bytes([])]) else { return #expect(Bool(false), "without its content") }
        #expect(sentence == "Its a.md is missing.")
        guard case .success(let trip) = reading([Bytes(Array("text".utf8)), nil]) else { return #expect(Bool(false), "with its content") }
        #expect(trip.name == Array("Old".utf8) && trip.fileExtension == "md" && !kind.isMeant(storedName: Array("Old.scrap".utf8)))
    }
}
