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
    private let program: ValiseProgram
    private var stream: LineStream<Line>?
    private var isTold = true
    /// Of what comes one after another, so much is told together.
    private static let pause = Duration.milliseconds(100)
    /// Where each is.
    private var places: [String: Int] = [:]

    public init(_ program: ValiseProgram) { self.program = program }

    private enum Line: Sendable {
        case gathered, there(FoundItem), gone(String), fault(String)

        private struct Event: Decodable { let event: String? }

        init?(_ line: Data) {
            guard let event = try? ValiseProgram.decoder.decode(Event.self, from: line).event else {
                guard let said = try? ValiseProgram.decoder.decode(FaultAnswer.self, from: line) else { return nil }
                self = .fault(said.sentence)
                return
            }
            if event == "gathered" { self = .gathered } else if let item = try? ValiseProgram.decoder.decode(FoundItem.self, from: line) {
                self = event == "removed" ? .gone(item.path) : .there(item)
            } else { return nil }
        }
    }

    public func look(for words: String, on drive: Drive) {
        stop()
        (items, places, fault, isWhole) = ([], [:], nil, false)
        guard !words.trimmingCharacters(in: .whitespaces).isEmpty else {
            changed?()
            return
        }
        stream = LineStream(program, ["find", "--live", "--json", "--", words, drive.mountpoint]) { Line($0) } lines: { [weak self] lines in
            self?.take(lines)
        } ended: { [weak self] code, errors in
            self?.isWhole = true
            if code != 0, self?.fault == nil { self?.fault = errors }
            self?.changed?()
        }
    }

    private func take(_ lines: [Line]) {
        var gone: Set<String> = []
        for line in lines {
            switch line {
            case .gathered: isWhole = true
            case .fault(let sentence): fault = sentence
            case .gone(let path): gone.insert(path)
            case .there(let item):
                gone.remove(item.path)
                if let place = places[item.path] { items[place] = item } else {
                    places[item.path] = items.count
                    items.append(item)
                }
            }
        }
        if !gone.isEmpty {
            items.removeAll { gone.contains($0.path) }
            places = Dictionary(uniqueKeysWithValues: items.enumerated().map { ($1.path, $0) })
        }
        tell()
    }

    private func tell() {
        guard isTold else { return }
        isTold = false
        Task {
            // The first of them at once.
            if items.count > 100, !isWhole { try? await Task.sleep(for: Self.pause) }
            isTold = true
            changed?()
        }
    }

    public func stop() {
        stream?.stop()
        stream = nil
    }
}
