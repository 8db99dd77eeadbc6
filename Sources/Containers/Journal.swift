import LinuxFiles
import Synchronization

/// What is under way, as lines in `.valise/journal/records`: which drafts there are and what they are drafts of,
/// and the steps of changes that take more than one rename.
///
/// Only ever appended to, and cut to nothing when nothing is under way. A last line without its end was never written.
final class Journal: Sendable {
    enum Record: Hashable {
        case draft(DraftRecord)
        case intent(UInt64, [Step])
        case ended(UInt64)
        /// The draft's content has this length, whatever follows it in its file: it is being made a document.
        case sealed(UInt64, Int64)
    }

    /// One rename or removal. Doing it again after it was done changes nothing.
    enum Step: Hashable {
        case move(Place, Place)
        /// As `move`, where the new name must be free.
        case add(Place, Place)
        case remove(Place)
    }

    private struct State {
        var size: Int64
        var live: Set<UInt64> = []
    }

    private let file: OpenFile
    private let state: Mutex<State>
    /// What an earlier process left, in order.
    let found: [Record]
    private static let limit = 256 << 20
    /// Cutting the file costs a call, so it is done now and then.
    private static let longEnough: Int64 = 64 * 1024

    init(in folder: borrowing Descriptor) throws(Errno) {
        file = OpenFile(try folder.open(Name(constant: "records"), [.readWrite, .create], mode: 0o600))
        let bytes = try file.descriptor.readAll(limit: Self.limit)
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        found = String(decoding: bytes[..<whole], as: UTF8.self).split(separator: "\n").compactMap(Record.init(line:))
        state = Mutex(State(size: Int64(whole)))
    }

    var highestNumber: UInt64 { found.map(\.number).max() ?? 0 }

    /// After everything found was dealt with.
    func startAnew(with drafts: [DraftRecord]) throws(Errno) {
        try state.withLock { state throws(Errno) in
            try file.descriptor.truncate(to: 0)
            state = State(size: 0)
        }
        for draft in drafts { try append(.draft(draft)) }
    }

    func append(_ record: Record) throws(Errno) {
        let line = Array((record.line + "\n").utf8)
        // The journal's own lock orders its lines; nothing else is taken inside it.
        try state.withLock { state throws(Errno) in
            if case .ended(let number) = record {
                state.live.remove(number)
                if state.live.isEmpty, state.size > Self.longEnough {
                    try file.descriptor.truncate(to: 0)
                    state.size = 0
                    return
                }
            } else {
                state.live.insert(record.number)
            }
            try file.descriptor.write(line, at: state.size)
            state.size += Int64(line.count)
        }
    }

    func synchronize() throws(Errno) { try file.descriptor.synchronize(dataOnly: true) }
}

/// What a draft is a draft of.
struct DraftRecord: Hashable, Sendable {
    var number: UInt64
    var kind: String
    /// The folder's names, from the documents on.
    var path: [Name]
    /// The document's item; nil for a new one.
    var stored: Name?
    var shown: Name
}

extension Journal.Record {
    var number: UInt64 {
        switch self {
        case .draft(let draft): draft.number
        case .intent(let number, _), .ended(let number), .sealed(let number, _): number
        }
    }

    var line: String {
        switch self {
        case .draft(let draft):
            "draft \(draft.number) \(draft.kind) \(Place.item(draft.shown, in: draft.path).text) \(draft.stored.map { "=" + Place.escaped($0) } ?? "new")"
        case .intent(let number, let steps):
            "intent \(number) " + steps.map { step in
                switch step {
                case .move(let from, let to): "move;\(from.text);\(to.text)"
                case .add(let from, let to): "add;\(from.text);\(to.text)"
                case .remove(let place): "remove;\(place.text)"
                }
            }.joined(separator: " ")
        case .ended(let number): "ended \(number)"
        case .sealed(let number, let length): "sealed \(number) \(length)"
        }
    }

    init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count >= 2, let number = UInt64(words[1]) else { return nil }
        switch words[0] {
        case "ended": self = .ended(number)
        case "sealed":
            guard words.count == 3, let length = Int64(words[2]), length >= 0 else { return nil }
            self = .sealed(number, length)
        case "draft":
            guard words.count == 5, let place = Place(text: words[3]) else { return nil }
            let stored = words[4].hasPrefix("=") ? Place.unescaped(words[4].dropFirst()) : nil
            self = .draft(DraftRecord(number: number, kind: String(words[2]), path: place.path, stored: stored, shown: place.name))
        case "intent":
            var steps: [Journal.Step] = []
            for word in words.dropFirst(2) {
                let fields = word.split(separator: ";")
                if fields.count == 3, let from = Place(text: fields[1]), let to = Place(text: fields[2]), fields[0] == "move" || fields[0] == "add" {
                    steps.append(fields[0] == "move" ? .move(from, to) : .add(from, to))
                } else if fields.count == 2, fields[0] == "remove", let place = Place(text: fields[1]) {
                    steps.append(.remove(place))
                } else {
                    return nil
                }
            }
            self = .intent(number, steps)
        default: return nil
        }
    }
}
