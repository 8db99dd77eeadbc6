import Foundation

/// What a search has found.
public struct FoundItem: Identifiable, Equatable, Sendable, Decodable {
    public let path: String, name: String, kind: String
    public let title: String?, url: String?, fault: String?
    public let size: Int64, changed: Date
    public var id: String { path }
}

/// A search that goes on: what is found later is there, too. Words and predicates are those of `valise find`.
@MainActor
public final class ItemSearch {
    /// Something else is found, or it is known why nothing can be.
    public var changed: (() -> Void)?
    public private(set) var items: [FoundItem] = []
    public private(set) var fault: String?
    /// All is looked through.
    public private(set) var isWhole = false
    /// There are more, which are not shown.
    public private(set) var isCut = false
    private let program: ValiseProgram
    private var stream: LineStream?
    private static let most = 2_000

    public init(_ program: ValiseProgram) { self.program = program }

    private struct Line: Decodable { let event: String? }

    public func look(for words: String, on drive: Drive) {
        stop()
        (items, fault, isWhole, isCut) = ([], nil, false, false)
        guard !words.trimmingCharacters(in: .whitespaces).isEmpty else {
            changed?()
            return
        }
        stream = LineStream(program, ["find", "--live", "--json", "--", words, drive.mountpoint]) { [weak self] lines in
            self?.take(lines)
        } ended: { [weak self] code, errors in
            self?.isWhole = true
            if code != 0, self?.fault == nil { self?.fault = errors }
            self?.changed?()
        }
    }

    private func take(_ lines: [Data]) {
        for line in lines {
            guard let event = try? ValiseProgram.decoder.decode(Line.self, from: line).event else {
                if let said = try? ValiseProgram.decoder.decode(FaultAnswer.self, from: line) { fault = said.sentence }
                continue
            }
            if event == "gathered" {
                isWhole = true
                continue
            }
            guard let item = try? ValiseProgram.decoder.decode(FoundItem.self, from: line) else { continue }
            let place = items.firstIndex { $0.path == item.path }
            switch event {
            case "removed": if let place { items.remove(at: place) }
            case _ where place != nil: if let place { items[place] = item }
            default: if items.count < Self.most { items.append(item) } else { isCut = true }
            }
        }
        changed?()
    }

    public func stop() {
        stream?.stop()
        stream = nil
    }
}

/// Hears when anything on a drive changes, in one word for what changes in a moment.
@MainActor
public final class DriveChanges {
    private let changed: @MainActor () -> Void
    private var stream: LineStream?
    private var isGathered = false, isTold = false
    private static let pause = Duration.milliseconds(150)

    public init(_ program: ValiseProgram, on drive: Drive, _ changed: @escaping @MainActor () -> Void) {
        self.changed = changed
        stream = LineStream(program, ["find", "--live", "--json", "--", "TRUEPREDICATE", drive.mountpoint]) { [weak self] in self?.take($0) } ended: { _, _ in }
    }

    /// What is there at first is no change, and is not read.
    private func take(_ lines: [Data]) {
        var lines = lines[...]
        if !isGathered {
            guard let index = lines.firstIndex(where: { $0.count < 200 && $0.range(of: Data("\"gathered\"".utf8)) != nil }) else { return }
            isGathered = true
            lines = lines[(index + 1)...]
        }
        guard !lines.isEmpty, !isTold else { return }
        isTold = true
        Task {
            try? await Task.sleep(for: Self.pause)
            isTold = false
            if stream != nil { changed() }
        }
    }

    public func stop() {
        stream?.stop()
        stream = nil
    }
}

/// Searches that a drive keeps: files in `.valise/searches`, which any program can read and write.
public struct SavedSearch: Identifiable, Equatable, Sendable {
    public let name: String, words: String
    public var id: String { name }

    public init(name: String, words: String) { (self.name, self.words) = (name, words) }

    public static func all(on drive: Drive) -> [SavedSearch] {
        let folder = drive.control("searches/"), names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted { $0.localizedStandardCompare($1) == .orderedAscending }.compactMap { name in
            guard !name.hasPrefix("."), let data = FileManager.default.contents(atPath: folder + name) else { return nil }
            return SavedSearch(name: name, words: String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        }
    }

    public func save(on drive: Drive) throws {
        // A slash would be a path, and what begins with a dot is in no list.
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines).replacingOccurrences(of: "/", with: "\u{2215}").replacingOccurrences(of: "\0", with: "\u{2400}")
        guard !name.isEmpty, !name.hasPrefix(".") else { throw ValiseFault("A saved search has a name, which does not begin with a dot.") }
        do { try Data((words + "\n").utf8).write(to: URL(fileURLWithPath: drive.control("searches/") + name)) } catch { throw ValiseFault("The search cannot be saved: \(error.localizedDescription)") }
    }

    public func remove(on drive: Drive) throws {
        do { try FileManager.default.removeItem(atPath: drive.control("searches/") + name) } catch { throw ValiseFault("The search cannot be removed: \(error.localizedDescription)") }
    }
}
