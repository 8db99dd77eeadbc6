import Documents
import Foundation
import LinuxFiles
import PropertyLists
import Synchronization
import Testing
import TextBundles

/// A container with documents of every kind, made without a workshop, and copied for each trial.
final class Fixture: Sendable {
    let folder: URL
    let template: URL, content: URL
    let kind: CrashKind

    init(_ kind: CrashKind, _ operation: Operation? = nil, keepsVersions: Bool = false) throws {
        self.kind = kind
        folder = FolderImage.home.appendingPathComponent("valise-crash-\(UUID().uuidString)")
        template = folder.appendingPathComponent("template")
        content = folder.appendingPathComponent("content")
        let documents = template.appendingPathComponent("Documents")
        try FileManager.default.createDirectory(at: documents.appendingPathComponent("Sub"), withIntermediateDirectories: true)
        for name in ["Cat", "Dog"] { try Self.put(name, kind, in: documents) }
        // One of the other kinds, each in its turn: most of the time is spent on looking at what is there.
        let others = CrashKind.all.filter { $0.name != kind.name }, turn = operation.flatMap(Operation.allCases.firstIndex) ?? 0
        try Self.put("Bystander", others[turn % others.count], in: documents)
        try Self.put("Elk", kind, in: documents.appendingPathComponent("Sub"))
        if let operation, [.handOver, .handOverClash, .growOver, .growEqual, .growCopy, .remoteCurrent].contains(operation), kind.kind.parts != nil, kind.name == "photo" {
            // What no kind speaks of, and what an app writes has otherwise.
            try FileManager.default.createDirectory(at: documents.appendingPathComponent("Cat.ptk/assets"), withIntermediateDirectories: true)
            for name in ["assets/one", "removed"] { try Data(name.utf8).write(to: documents.appendingPathComponent("Cat.ptk/" + name)) }
        }
        if let operation, Operation.withNames.contains(operation) { try addLong(operation) }
        // A text that would do as a bookmark.
        if kind.name == "bookmark" { try Data(kind.content("text")).write(to: documents.appendingPathComponent("Text.stedoc")) }
        try (operation == .putBackMoved ? Data([0xFF, 0xFE, 0x00, 0xFF]) : Data(kind.content("fresh"))).write(to: documents.appendingPathComponent("fresh.\(kind.name)"))
        try Data("notes".utf8).write(to: documents.appendingPathComponent("notes.md"))
        try Data(kind.content("new")).write(to: content)
        try Self.age(documents)
        if keepsVersions { try addVersions(operation) }
        if let operation, operation.keepsDeleted {
            try FileManager.default.createDirectory(at: template.appendingPathComponent(".valise/deleted"), withIntermediateDirectories: true)
        }
    }

    /// As old as no trial takes: how old something is may matter, and each trial does the same.
    private static func age(_ documents: URL) throws {
        let then = Descriptor.TimeChange.at(Timestamp(seconds: Timestamp.now.seconds - 3600))
        for case let file as String in FileManager.default.enumerator(atPath: documents.path) ?? .init() {
            // The times in a flat file are what it is.
            if file.contains(".scrap/") { continue }
            let place = try Descriptor.atPath(documents.path + "/" + file, .path)
            if try place.status().type == .regular { try place.setTimes(accessed: then, modified: then) }
        }
    }

    /// Documents whose names their items cannot have, with what is kept of these.
    private func addLong(_ operation: Operation) throws {
        let long = String(repeating: "b", count: 249), stored = String(repeating: "b", count: 248) + ".stedoc"
        let names = template.appendingPathComponent(".valise/names")
        try FileManager.default.createDirectory(at: names.appendingPathComponent("Sub"), withIntermediateDirectories: true)
        for path in operation == .shorten ? [stored] : [stored, "Sub/" + stored] {
            try Data(kind.content("long " + path.prefix(3))).write(to: template.appendingPathComponent("Documents/" + path))
            try Data((long + ".txt").utf8).write(to: names.appendingPathComponent(path))
        }
    }

    /// What Cat was: once, and on another computer.
    private func addVersions(_ operation: Operation?) throws {
        let documents = template.appendingPathComponent("Documents")
        let cat = try #require(try FileManager.default.contentsOfDirectory(atPath: documents.path).first { $0.contains("Cat") })
        let shelf = template.appendingPathComponent(".valise/versions/\(cat)")
        try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
        try Self.put("Cat", kind, in: shelf, content: kind.content("once"), called: "2020-01-01T00-00-00.000000Z@elsewhere")
        try Self.put("Cat", kind, in: shelf, content: kind.content("elsewhere"), called: "2021-01-01T00-00-00.000000Z conflict@elsewhere")
        if operation == .thin {
            // A day later: of the others' hour, one stays, and those that make up the newest ten.
            try Self.put("Cat", kind, in: shelf, content: kind.content("then"), called: "2020-02-02T00-00-00.000000Z@elsewhere")
            for number in 0..<14 { try Self.put("Cat", kind, in: shelf, content: kind.content("then \(number)"), called: "2020-02-01T00-00-00.0000\(10 + number)Z@elsewhere") }
        }
        if let operation, [.keepPlain, .keepPlainOver, .keepVersion, .keepVersionOver].contains(operation) {
            let shelf = template.appendingPathComponent(".valise/versions/notes.md")
            try FileManager.default.createDirectory(at: shelf, withIntermediateDirectories: true)
            try Data("noted once".utf8).write(to: shelf.appendingPathComponent("2020-01-01T00-00-00.000000Z@elsewhere"))
        }
        if operation?.hasCopy == true {
            var parts = cat.split(separator: ".", omittingEmptySubsequences: false)
            parts.insert("sync-conflict-20220101-000000-ABCDEFG", at: parts.count - 1)
            try Self.put("Cat", kind, in: documents, content: kind.content("synced"), called: parts.joined(separator: "."))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Of the template as it is when the first copy is made.
    private let image = Mutex<FolderImage?>(nil)

    func copy() throws -> URL {
        let copy = folder.appendingPathComponent(UUID().uuidString)
        try image.withLock { image in
            if image == nil {
                image = try FolderImage(of: template)
                image?.tag(carriers(), "red")
            }
            try image?.make(at: copy)
        }
        return copy
    }

    private static func put(_ name: String, _ kind: CrashKind, in documents: URL, content other: [UInt8]? = nil, called item: String? = nil) throws {
        let content = other ?? kind.content(name)
        if kind.isFolderItem { return try putFolderItem(documents.appendingPathComponent(item ?? name + kind.suffix), content) }
        let parts = try kind.kind.write(
            content: Bytes(content), shownName: Array((name + kind.suffix).utf8), over: nil, spelling: kind.spelling.map(Spelling.init))
        let stored = String(decoding: kind.kind.storedName(
            forShown: Array((name + kind.suffix).utf8), at: UnixMicroseconds(rawValue: 1_700_000_000_000_000), attempt: 0), as: UTF8.self)
        var target = documents.appendingPathComponent(item ?? stored)
        guard kind.kind.parts != nil else { return try Data(bytes(parts[0], content)).write(to: target) }
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        if kind.kind.flat != nil {
            let text = target.appendingPathComponent("text.md")
            try Data(TextBundles.text(ofScrap: content)).write(to: text)
            try FileManager.default.setAttributes([.posixPermissions: 0o644, .modificationDate: Date(timeIntervalSince1970: TimeInterval(TextBundles.scrapTime))], ofItemAtPath: text.path)
            return
        }
        for (part, writing) in zip(kind.kind.written, parts) {
            let file = target.appendingPathComponent(part.newName())
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes(writing, content)).write(to: file)
        }
        if kind.kind.parts?.contains(.folder("assets")) == true {
            // Each state of a document has others.
            let assets = target.appendingPathComponent("assets"), word = String(decoding: content.prefix { $0 != 0x20 }, as: UTF8.self)
            try FileManager.default.createDirectory(at: assets.appendingPathComponent("deep"), withIntermediateDirectories: true)
            for file in ["of \(word)", "deep/er"] { try Data(word.utf8).write(to: assets.appendingPathComponent(file)) }
        }
        target.appendPathComponent("unknown.bin")
        try Data("nobody knows".utf8).write(to: target)
    }

    /// With all that a folder may have: links, a file with two names, a program, folders that not everybody may enter, and an empty one.
    private static func putFolderItem(_ folder: URL, _ content: [UInt8]) throws {
        let inner = folder.appendingPathComponent("in"), deep = inner.appendingPathComponent("deep"), files = FileManager.default
        try files.createDirectory(at: deep, withIntermediateDirectories: true)
        try files.createDirectory(at: inner.appendingPathComponent("empty"), withIntermediateDirectories: true)
        try Data(content).write(to: folder.appendingPathComponent("main.txt"))
        try files.linkItem(at: folder.appendingPathComponent("main.txt"), to: inner.appendingPathComponent("main again"))
        try Data("run".utf8).write(to: deep.appendingPathComponent("run"))
        try Data("part of \(String(decoding: content.prefix { $0 != 0x20 }, as: UTF8.self))".utf8).write(to: deep.appendingPathComponent("part"))
        try files.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "in/deep/part")
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: deep.path + "/run")
        try files.setAttributes([.posixPermissions: 0o750], ofItemAtPath: inner.path)
    }

    private static func bytes(_ writing: PartWriting, _ content: [UInt8]) -> [UInt8] {
        switch writing {
        case .keep: []
        case .bytes(let bytes): bytes
        case .around(let head, let tail): head + content + tail
        }
    }

    /// The files with the content of those documents that have something to lose.
    private func carriers() -> Set<String> {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: template.appendingPathComponent("Documents").path)) ?? []
        return Set(names.filter { $0.contains("Cat") || $0.contains("Dog") }.map { name in
            let content = [".ptk": "photo.data", ".textbundle": "text.md", ".leaf": "Contents/text/leaf.fountain", ".novel": "main.txt"].first { name.hasSuffix($0.key) }?.value
            return "/Documents/\(name)" + (content.map { "/" + $0 } ?? "")
        })
    }
}
