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
    private var paths: Set<String> = []
    private static let most = 2_000

    public init(_ program: ValiseProgram) { self.program = program }

    private struct Line: Decodable { let event: String? }

    public func look(for words: String, on drive: Drive) {
        stop()
        (items, paths, fault, isWhole, isCut) = ([], [], nil, false, false)
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
            // Of very many, most are not read.
            if event == "added", items.count >= Self.most {
                isCut = true
                continue
            }
            guard let item = try? ValiseProgram.decoder.decode(FoundItem.self, from: line) else { continue }
            guard paths.contains(item.path), let place = items.firstIndex(where: { $0.path == item.path }) else {
                if event != "removed", paths.insert(item.path).inserted { items.append(item) }
                continue
            }
            if event == "removed" {
                items.remove(at: place)
                paths.remove(item.path)
            } else { items[place] = item }
        }
        changed?()
    }

    public func stop() {
        stream?.stop()
        stream = nil
    }
}
