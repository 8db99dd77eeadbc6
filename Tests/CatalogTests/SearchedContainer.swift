import Containers
import Documents
import Foundation
import LinuxFiles
import MountTesting
import Predicates
import SeededNumbers

@testable import Catalog

/// A container for searches, and what is in it without any catalog: each item is read by itself, and its attributes are put together here.
struct SearchedContainer {
    let made: TemporaryContainer
    let container: Container

    init(_ description: String = "") throws {
        made = try TemporaryContainer(description)
        container = try Container.open(made.path, access: .read, creating: [], kinds: .shipped)
    }

    /// Another one for each seed.
    init(seed: UInt64) throws {
        var numbers = SeededNumbers(seed: seed)
        func pick(_ words: [String]) -> String { words.randomElement(using: &numbers) ?? "" }
        let names = ["Swift", "Café", "STRASSE", "Straße", "日本語", "Holiday", "IMG_0001", "Shopping list", "Οδυσσεύς", "a b", "x", "ss", "Swift 1", "List.url"]
        var lines = ["folder Pictures", "folder .hidden", "folder Swift.url"]
        for index in 0..<40 {
            let folder = pick(["", "", "Pictures/", ".hidden/"]), name = folder + pick(names)
            switch Int.random(in: 0..<5, using: &numbers) {
            case 0, 1:
                let url = pick(["https://www.swift.org/", "https://swift.org", "http://例え.jp/path", "HTTPS://SWIFT.ORG"])
                lines.append("bookmark '\(name)' \(url) 'stored=\(folder)Bookmark_\(name.dropFirst(folder.count))-17723559\(10 + index).00000\(index % 7)'")
            case 2: lines.append("text '\(name)' '\(pick(["milk and eggs", "Crème brûlée COFFEE", "", "Die Straße", "ΟΔΥΣΣΕΥΣ"]))'")
            case 3: lines.append("photo '\(name)' \(pick(["png", "jpeg"])) size=\(pick(["500", "2500", "54"]))")
            default: lines.append("file '\(name)\(pick([".md", ".txt", ".url", ""]))' '\(pick(["milk", "", "x"]))'")
            }
        }
        // Two photos may want one title: the later line is a file of its own.
        var seen: Set<String> = []
        try self.init(lines.filter { line in
            let words = line.split(separator: "'").map(String.init)
            return words.count < 2 || seen.insert(words[0].prefix(5) + words[1] + (words.first == "bookmark " ? words.last ?? "" : "")).inserted
        }.joined(separator: "\n"))
    }

    func catalog(_ place: CatalogPlace = .memory) throws -> Catalog { try Catalog(of: container, in: place) }

    /// What a search finds: paths of stored names.
    static func found(_ predicate: String, in catalog: Catalog, _ change: (inout CatalogQuery) -> Void = { _ in }) throws -> [String] {
        var query = CatalogQuery(try Predicate(predicate, now: Moment(seconds: 1_772_712_000)))
        change(&query)
        var paths: [String] = []
        try catalog.search(query) { item in
            paths.append(String(decoding: item.storedPath, as: UTF8.self))
            return true
        }
        return paths
    }

    /// What is so without a catalog.
    func naive(_ predicate: String) throws -> [String] {
        let predicate = try Predicate(predicate, now: Moment(seconds: 1_772_712_000))
        return try items().filter { (predicate.attributes.contains(.hidden) || !$0.isHidden) && predicate.holds($0.value) }.map(\.path).sorted()
    }

    struct NaiveItem {
        let path: String
        let isHidden: Bool
        let values: [Attribute: Value]
        func value(_ attribute: Attribute) -> Value { values[attribute] ?? .missing }
    }

    func items() throws -> [NaiveItem] { try items(in: container.documents, [], isHidden: false) }

    private func items(in folder: OpenFile, _ path: [Name], isHidden: Bool) throws -> [NaiveItem] {
        var read: [(item: Item, created: Moment?, text: [UInt8]?)] = [], found: [NaiveItem] = []
        var entries = try FolderReader(folder.descriptor)
        while let entry = try entries.next() {
            if path.isEmpty, Hidden.isState(entry.name) { continue }
            let item = try container.reader.read(entry.name, in: folder.descriptor)
            if item.document == nil, item.status.type == .folder {
                let inner = OpenFile(try folder.descriptor.open(entry.name, [.path, .folder]))
                found += try items(in: inner, path + [entry.name], isHidden: isHidden || entry.name.bytes.first == 0x2E)
            }
            let text = item.document?.kind.name == "text" ? try folder.descriptor.open(entry.name, .read).readAll(limit: 1 << 20) : nil
            read.append((item, try folder.descriptor.birth(of: entry.name).map { Moment($0.made) }, text))
        }
        let names = Self.shownNames(read.map(\.item))
        for ((item, created, text), shown) in zip(read, names) where item.document != nil || item.status.type != .folder {
            var values: [Attribute: Value] = [
                .name: .text(shown.bytes), .stored: .text(item.name.bytes), .size: .number(Double(item.status.size)), .changed: .date(Moment(item.status.modified)),
                .kind: .text(item.document?.kind.name ?? "plain"), .conflict: .flag(false), .draft: .flag(false),
                .path: .text(Array((path + [shown]).map(\.bytes).joined(separator: [0x2F]))),
            ]
            let hidden = isHidden || (item.document == nil && item.name.bytes.first == 0x2E)
            values[.hidden] = .flag(hidden)
            values[.created] = created.map { .date($0) }
            values[.title] = item.document.map { .text($0.reading.name) }
            values[.url] = item.document?.reading.facts.first { $0.label == "URL" }.map { .text($0.value) }
            values[.text] = text.map { .text($0) }
            found.append(NaiveItem(path: (path + [item.name]).map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "/"), isHidden: hidden, values: values))
        }
        return found
    }

    /// Said another way than the program does: for each document in turn, whoever has the name already keeps it.
    private static func shownNames(_ items: [Item]) -> [Name] {
        var given: [Name: Name] = [:], taken = Set(items.filter { $0.document == nil }.map(\.name))
        let documents = items.filter { $0.document != nil }.sorted { $0.name < $1.name }
        for item in documents { if let natural = item.document?.naturalName, taken.insert(natural).inserted { given[item.name] = natural } }
        for item in documents where given[item.name] == nil {
            guard let natural = item.document?.naturalName else { continue }
            var number = 1
            while !taken.insert(ShownName.numbered(natural, number)).inserted { number += 1 }
            given[item.name] = ShownName.numbered(natural, number)
        }
        return items.map { given[$0.name] ?? $0.name }
    }
}

extension FolderTable {
    func folder(at path: [Name], in scope: CatalogScope) -> Int64? { nearest(path, in: scope).flatMap { $0.count == path.count ? $0.folder : nil } }
}

extension Catalog {
    func folder(at path: [Name], in scope: CatalogScope) -> Int64? { folders.folder(at: path, in: scope) }
}
