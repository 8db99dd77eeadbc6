import BookmarkFiles
import CFuse3
import Glibc
import KeyValueStore
import KeyedArchives
import PropertyLists
import Shell
import Thumbnails

@testable import Containers
@testable import Coordination
@testable import Documents
@testable import Drive
@testable import FuseBridge
@testable import LinuxFiles
@testable import Transactions

/// Something that reads what comes from outside: whatever the bytes are, it ends in a value or an error. What is understood and
/// written again is understood as the same.
struct Target: Sendable {
    let name: String
    let seeds: [[UInt8]]
    let run: @Sendable ([UInt8]) -> Void

    init(_ name: String, _ seeds: [[UInt8]], _ run: @escaping @Sendable ([UInt8]) -> Void) { (self.name, self.seeds, self.run) = (name, seeds, run) }
    init(_ name: String, _ seeds: [String], _ run: @escaping @Sendable ([UInt8]) -> Void) { self.init(name, seeds.map { Array($0.utf8) }, run) }

    static let all = [journal, undo, names, messages, thumbnails, times, settings, values, lists, links, kernel, pages, bookmarks] + shares + zips + backups
}

/// Ends the process: a finding.
func mustHold(_ condition: Bool, _ what: String) { if !condition { fatalError(what) } }

private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

extension Target {
    /// Files with bookmarks, of every form.
    private static let bookmarks = Target("bookmarks", [
        "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><H3>F</H3><DL><DT><A HREF=\"http://x/\" ADD_DATE='1' TAGS=a>N &amp; <b>M</b></A><DD>note</DL></DL>",
        "{\"roots\":{\"other\":{\"children\":[{\"name\":\"\\ud83d\\ude00\",\"url\":\"http://x/\"}],\"name\":\"O\"}}}", "title,url,tags\n\"a\"\"b\",http://x/,c|d\n",
        "mozLz40\0\u{14}\0\0\0\u{60}{\"url:\u{1}\0", "<plist><dict><key>Children</key><array><dict/></array></dict></plist>",
    ]) { bytes in
        guard let form = BookmarkFile.form(Bytes(bytes)) else { return }
        BookmarkFile.read(Bytes(bytes), as: form) { item in
            guard case .link(let link) = item else { return true }
            var read = ListedLink(name: link.name, url: link.url)
            LinkNotes.add(LinkNotes.section(of: link), to: &read)
            mustHold(read.added == link.added, "a moment that is written and read")
            return true
        }
        mustHold(LZ4Block.unpacked(bytes, length: 4096).bytes.count <= 4096, "a block's bounds")
    }

    /// A journal of one's own that a failing disk, or a person, has changed.
    private static let journal = Target("journal", [
        "draft 9 text d/A%20b/New.txt new\nsealed 9 12\nincomplete 9\ncomplete 9\nunsealed 9\nended 9\n",
        "draft 7 photo d/Cat.png ~5=Cat.ptk 12.1700000000.5\nintent 8 move;d/a;s/8.one add;s/9;d/b then move;s/8/photo.data;v/a/c remove;s/8 draft;7;text;d/a;=a\npassed 8\nreturned 8\nundone 8\n",
        "ended 18446744073709551615\nsealed 5 9223372036854775807\n   \n   draft 1 text d/x new\n",
    ]) { bytes in
        guard let file = try? Descriptor.atPath("/tmp", [.nameless, .readWrite]) , (try? file.write(bytes, at: 0)) != nil else { return }
        let reading = JournalReading(file)
        mustHold(reading.whole <= reading.size && reading.size == bytes.count && reading.highestNumber <= Journal.highestNumber, "the journal's bounds")
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let record = Journal.Record(line: line) else { continue }
            mustHold(Journal.Record(line: Array(record.line.utf8)[...])?.line == record.line, "a record that is written and read")
        }
        for name in bytes.split(separator: UInt8(ascii: "\n")).compactMap({ Name($0) }) {
            _ = reading.unfinished.owns(staged: name)
            if let number = name.stagedNumber { mustHold(number <= Journal.highestNumber, "a number in staging") }
        }
    }

    private static let undo = Target("undo", [
        "valise undo 1\naside 1 .valise/staging/7\nreplaced 2 Cat.ptk/photo.metadata 12345\nadded Documents/A%20b 18446744073709551615\n",
    ]) { bytes in
        for line in UndoFolder.lines(of: bytes) ?? [] {
            mustHold(UndoFolder.Line(Substring(line.text)) == line, "a line that is written and read")
        }
    }

    /// Names of versions, of copies that sync tools leave, of numbered items.
    private static let names = Target("names", [
        "2026-11-21T23-27-33.123456Z conflict@laptop", "2026-11-21T23-27-33.123456Z_2 resolved@a b", "0000-01-01T00-00-00.000000Z@", "9999-12-31T23-59-60.999999Z_x@y",
        "name.sync-conflict-20261121-232733-ABCDEFG.ext", "name (conflicted copy anna 2026-11-21 232733).ext", "Bookmark_Swift-1772355901.000001 2.x",
        "Cat 9223372036854775807.ptk", "a 999999999.png", ".cat.jpg.icloud",
    ]) { bytes in
        if let id = VersionID(text(bytes)) { mustHold(VersionID(id.text) == id && VersionID(id.time) <= id, "a version's name") }
        guard let name = Name(bytes) else { return }
        if let version = DocumentVersion(entry: name) { mustHold(version.entry != nil, "a version that is kept") }
        if let copy = SyncCopy(name) ?? SyncCopy(name, insidePackage: true) { _ = SyncCopy.renamed(name, of: copy.copied, to: Name(constant: "x")) }
        _ = (Hidden.hides(name), name.description, ShownName.numbered(name, Int.max), NodeTable.isNumbered(name, of: name), ClaimDecision(text: text(bytes)))
        for kind in KindRegistry.shipped.all { _ = (kind.kind.mayBe(storedName: bytes, isFolder: true), kind.kind.isMeant(storedName: bytes), kind.kind.takes(shownName: bytes)) }
        _ = Place(text: bytes[...])
    }

    /// The coordination socket, either end.
    private static let messages = Target("messages", [
        CoordinationRequest.hello(version: 1).bytes,
        ItemPath([Name(constant: "Cat.ptk")]).map { CoordinationRequest.claim(7, [ClaimedItem($0, .writing), ClaimedItem($0, .readingAll)], throughDrive: true).bytes } ?? [],
        CoordinationRequest.release(7).bytes + CoordinationAnswer.refused(7, .busy, "why").bytes,
        ItemPath([Name(constant: "a"), Name(constant: "b")]).map { CoordinationRequest.moved(1, from: $0, to: $0).bytes + CoordinationAnswer.granted(1, [$0, $0]).bytes } ?? [],
        CoordinationAnswer.decided(9, nil, "").bytes,
            adoption(.current(Name(constant: "1f")), "f.7.1.2.3.4.5.6.7"), adoption(.permissions(0o640), "*"),
            adoption(.exchanged, "/"),
        ItemPath([Name(constant: "a")]).map { CoordinationRequest.present(1, name: 2, $0).bytes + CoordinationRequest.claim(3, [ClaimedItem($0, .writing)], throughDrive: false, presenter: 2).bytes } ?? [],
        CoordinationRequest.withdraw(1).bytes + CoordinationRequest.answer(question: 4, .noSpace).bytes + CoordinationRequest.here.bytes + CoordinationRequest.yieldLock.bytes,
        ItemPath([Name(constant: "a")]).map { CoordinationAnswer.asked(1, question: 4, ClaimedItem($0, .reading)).bytes + CoordinationAnswer.event(1, .moved, $0, to: $0).bytes } ?? [],
    ]) { bytes in
        var buffer = MessageBuffer(), rest = bytes[...]
        while !rest.isEmpty {
            buffer.add(rest.prefix(7))
            rest = rest.dropFirst(7)
            while case .message(let message) = buffer.next() {
                if let request = CoordinationRequest(message) { mustHold(CoordinationRequest(request.bytes.dropFirst(4)) == request, "a request that is written and read") }
                if let answer = CoordinationAnswer(message) { _ = CoordinationAnswer(answer.bytes.dropFirst(4)) }
            }
        }
        _ = (CoordinationRequest(bytes[...]), CoordinationAnswer(bytes[...]))
    }

    private static func adoption(_ what: ClaimAdoption.What, _ expected: String) -> [UInt8] {
        let there = Provenance(Timestamp(seconds: 1_600_000_000, nanoseconds: 5), mark: "2", computer: "far away")
        return CoordinationRequest.adopt(
            7, item: 1, ClaimAdoption(what, expecting: Adoption.Expectation(text: expected) ?? .nothing, from: there)
        ).bytes
    }

    private static let thumbnails = Target("thumbnails", [
        ThumbnailRequest.thumbnail(offset: 18, length: 4096).bytes, ThumbnailRequest.facts.bytes, ThumbnailAnswer.refused("no").bytes, ThumbnailAnswer.done([137, 80]).bytes,
        ThumbnailFacts(formats: ["png", "heif/avif"], sealsFiles: true).bytes,
    ]) { bytes in
        if case .thumbnail(let offset, let length)? = ThumbnailRequest(bytes) { mustHold(offset >= 0 && length >= 0 && offset <= Int64.max - length, "a range of a file") }
        _ = (ThumbnailAnswer(bytes), ThumbnailFacts(bytes), ImageType(prefix: bytes))
    }

    /// What a store says of a file.
    private static let times = Target("times", [[UInt8](repeating: 0, count: 144), [UInt8](repeating: 0xFF, count: 144), [UInt8](repeating: 0x7F, count: 144), (0..<144).map { UInt8($0) }]) { bytes in
        let status = FileStatus(facts(bytes))
        mustHold(status.size >= 0 && status.blocks >= 0 && FileStatus.blocks(of: status.size) >= 0, "sizes")
        _ = (status.isUnsettled, status.type, status.permissions, ContentStamp(status), FolderStamp(status))
        let stamp = BaseStamp(status)
        mustHold(BaseStamp(text: stamp.text) == stamp, "a stamp that is written and read")
        let id = VersionID(status.modified)
        mustHold(VersionID(id.text) == id, "the version of a time")
        for kind in KindRegistry.shipped.all { _ = kind.kind.storedName(forShown: [65], at: UnixMicroseconds(rawValue: status.modified.seconds), attempt: 3) }
    }

    private static let settings = Target("settings", [
        "create = bookmark photo text\n", "create=\n\n=\nx = y = z",
        "create = text\n[scrap]\nextension = scrap\nparts = text.md|markdown, info.json, assets/\nrequired = info.json\nshown = content\ntype = a.b\n# c\n; d\n",
        "[novel]\nextension=novel\nshown=folder\nrequired=a,b/\n", "[scrap]\nextension=scrap\nshown=file\nrequired=a,b|c\n",
    ]) { bytes in
        let settings = Settings(bytes, .shipped)
        if settings.creating != nil { mustHold(Settings(settings.text, .shipped).creating == settings.creating, "settings that are written and read") }
        let file = KindsFile(bytes, hasOwnLines: true)
        for kind in file.kinds.compactMap(\.kind.document) {
            let section = kind.section ?? "", again = KindsFile(Array(section.utf8))
            mustHold(again.mistakes.isEmpty && again.kinds.first?.kind.document?.section == section, "a kind that is written and read")
            _ = try? kind.read([Bytes([65]), nil], storedName: Array("a.\(kind.contentType.itemExtension)".utf8), options: ShowingOptions())
        }
        _ = KindRegistry.shipped.with(file).registry.descriptions
    }

    private static let lists = Target("lists", Samples.all.flatMap { sample in
        let written = (try? sample.kind.kind.write(content: Bytes(sample.content), shownName: Array(sample.shownName.utf8), over: nil, spelling: nil)) ?? []
        return written.compactMap { writing -> [UInt8]? in
            switch writing {
            case .keep: nil
            case .bytes(let all): all
            case .around(let head, let tail): head + sample.content.prefix(64) + tail
            }
        }
    } + [Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><date>2001-01-01T00:00:00Z</date><key>b</key><data>AAAA</data><key>c</key><dict><key>CF$UID</key><integer>1</integer></dict></dict></plist>".utf8)]) { bytes in
        let source = Bytes(bytes)
        if let list = try? PropertyList(reading: source) { _ = (list.xml(), try? list.binary()) }
        if let list = try? BinaryPropertyList(source) { _ = try? ObjectTable(copying: list).written() }
        if let archive = try? KeyedArchive(source) {
            for key in ["Bookmark", "Data", "data"] {
                guard let object = try? archive.root(key) else { continue }
                _ = try? archive.className(of: object)
                for field in ["Bookmark Name", "Bookmark URL", "Photo"] { _ = (try? archive.text(field, of: object), try? archive.data(field, of: object)) }
            }
        }
        for id in KindRegistry.shipped.all {
            let kind = id.kind, name = Array((kind.parts == nil ? "Bookmark_a-1" : "a.ptk").utf8)
            let parts: [any ByteSource] = Array(repeating: source, count: kind.parts?.count ?? 1)
            if let reading = try? kind.read(parts, storedName: name, options: .init()), case .range(_, let offset, let length) = reading.content {
                mustHold(offset >= 0 && length >= 0 && offset + length <= source.byteCount, "a range of the file")
            }
            _ = try? kind.write(content: Bytes([65]), shownName: Array("a.txt".utf8), over: parts, spelling: nil)
        }
        _ = try? PhotoThumbnail().range(in: source)
    }

    private static let links = Target("links", [
        "[InternetShortcut]\r\nURL=http://a/%20b\r\nIconFile=x\r\n", "[Desktop Entry]\nType=Link\nName=A\nURL=http://a\n", "<!DOCTYPE html><meta http-equiv=\"refresh\" content=\"0; url=http://a\"><title>&amp;&#x41;</title><a href='http://a'>a</a>",
        "<plist version=\"1.0\"><dict><key>URL</key><string>http://a</string></dict></plist>",
    ]) { bytes in
        for form in [LinkForm.url, .desktop, .webloc, .html] {
            guard let link = try? LinkFile.parse(bytes, form: form) else { continue }
            _ = LinkFile.canonical(form: form, name: link.name ?? "", url: link.url)
        }
    }

    /// What somebody sets in an app's settings, and the store itself.
    private static let values = Target("values", [
        "[1, 2.5, true, \"a\", {\"$date\": \"2026-03-01T09:30:00.25Z\"}, {\"$data\": \"AAEC\"}, {\"$integer\": \"18446744073709551615\"}]",
        "{\"$dictionary\": {\"$real\": \"inf\"}, \"a\": [[], {}]}", "2001-01-01T00:00:00.999999999Z", "-9223372036854775808", "1e308", "true",
    ]) { bytes in
        for type in KeyValueType.allCases {
            guard let value = KeyValueText.value(bytes, as: type) else { continue }
            mustHold(KeyValueType(of: value) == type && KeyValueText.value(KeyValueText.bytes(of: value), as: type) == value, "a value that is written and read")
        }
        if let contents = try? KeyValueContents(bytes), let written = try? contents.bytes() {
            mustHold((try? KeyValueContents(written)) == contents, "a store that is written and read")
        }
    }

    /// What a request of the kernel's says, as far as it is understood here.
    private static let kernel = Target("kernel", [[UInt8](repeating: 0, count: 160), [UInt8](repeating: 0xFF, count: 160), [UInt8](repeating: 0x7F, count: 160)]) { bytes in
        let what = Int32(truncatingIfNeeded: number(bytes, at: 144)), offset = number(bytes, at: 150)
        if let change = try? AttributeChange(what, facts(bytes)), let size = change.size { mustHold((0...FilePlace.highest).contains(size), "a size") }
        if let place = try? FilePlace.checked(offset) { mustHold(!place.addingReportingOverflow(Int64(FilePlace.mostBytes) + 4096).overflow, "a place") }
        _ = (NodeID(rawValue: UInt64(bitPattern: offset)), ThumbnailNode(NodeID(rawValue: UInt64(bitPattern: offset))))
    }

    /// A drive's own page, which may be another program's by the time it is read; and the kernel's table of mounts.
    private static let pages = Target("pages", [
        "{\"process\": 4711, \"since\": 1772355900, \"readOnly\": true, \"memory\": 6291456, \"drafts\": [{\"path\": \"a\", \"reason\": \"b\"}], \"requests\": {\"lookup\": 9223372036854775807}}",
        "36 35 98:0 / /mnt\\040x rw,noatime master:1 - fuse.valise /c rw,user_id=0\n", "{\"since\": -9223372036854775808, \"open\": 1e308, \"x\": \"\\ud83d\\ude00\"}",
    ]) { bytes in
        if let json = JSON(bytes) { _ = (json.line, StatusReport(json).text(mountpoint: "/m", clock: LocalClock(now: 1_800_000_000) { _ in 0 }, details: true)) }
    }
}

private func facts(_ bytes: [UInt8]) -> stat {
    var facts = stat()
    // SAFETY: any bytes are a stat; no more are copied than it has.
    withUnsafeMutableBytes(of: &facts) { $0.copyBytes(from: bytes.prefix($0.count)) }
    return facts
}

private func number(_ bytes: [UInt8], at place: Int) -> Int64 {
    bytes.dropFirst(place).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
}
