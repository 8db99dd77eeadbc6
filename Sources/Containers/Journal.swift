import LinuxFiles
import Synchronization

/// What is under way, as lines in `.valise/journal/records`: which drafts there are and what they are drafts of,
/// and the steps of changes that take more than one rename.
///
/// Only ever appended to, and cut to nothing when nothing is under way. A last line without its end was never written.
/// Behind the last line there is always room on the store for the lines that end what is under way: a full disk
/// cannot come between a change that was made and the word that it was.
final class Journal: Sendable {
    enum Record: Hashable {
        case draft(DraftRecord)
        case intent(UInt64, [Step])
        /// The intent was taken back: what was before it holds again.
        case undone(UInt64)
        case ended(UInt64)
        /// The draft's content has this length, whatever follows it in its file: it is being made a document.
        case sealed(UInt64, Int64)
        /// What followed the content is gone again: the draft is written to as before.
        case unsealed(UInt64)
    }

    /// One rename or removal. Doing it again after it was done changes nothing.
    enum Step: Hashable {
        case move(Place, Place)
        /// As `move`, where the new name must be free.
        case add(Place, Place)
        case remove(Place)
    }

    private struct State {
        var file: OpenFile
        var size: Int64
        /// Up to here the file has its room on the store.
        var reserved: Int64
        var live: Set<UInt64> = []
        /// Endings that could not be written yet.
        var owed: [Record] = []
    }

    private let folder: OpenFile
    private let state: Mutex<State>
    /// What an earlier process left, in order.
    let found: [Record]
    static let fileName = Name(constant: "records")
    private static let newName = Name(constant: "records.new")
    static let limit = 256 << 20
    /// Cutting the file costs a call, so it is done now and then.
    private static let longEnough: Int64 = 64 * 1024
    /// What one that is under way can still write to its end: "undone", "unsealed" and "ended" with a number.
    private static let endingRoom: Int64 = 96, pageSize: Int64 = 4096

    init(in folder: OpenFile) throws(Errno) {
        self.folder = folder
        let file = OpenFile(try folder.descriptor.open(Self.fileName, [.readWrite, .create], mode: 0o600))
        let bytes = try file.descriptor.readAll(limit: Self.limit)
        let whole = Self.whole(bytes)
        found = Self.lines(of: bytes).compactMap(Record.init(line:))
        var state = State(file: file, size: Int64(whole), reserved: Int64(bytes.count))
        // Until they were dealt with they are under way, or the file would be cut under them.
        for record in found { if case .ended(let number) = record { state.live.remove(number) } else { state.live.insert(record.number) } }
        self.state = Mutex(state)
    }

    /// Up to where the last whole line goes.
    private static func whole(_ bytes: [UInt8]) -> Int { bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0 }

    /// The whole lines. Blanks in front of a line are of one that could not be written.
    static func lines(of bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes[..<whole(bytes)], as: UTF8.self).split(separator: "\n")
    }

    var highestNumber: UInt64 { found.map(\.number).max() ?? 0 }

    /// After everything found was dealt with. The old records are there until the new ones are.
    func startAnew(with drafts: [DraftRecord]) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard !drafts.isEmpty else {
                try state.file.descriptor.truncate(to: 0)
                state = State(file: state.file, size: 0, reserved: 0)
                return
            }
            let file = OpenFile(try folder.descriptor.open(Self.newName, [.readWrite, .create, .truncate], mode: 0o600))
            var new = State(file: file, size: 0, reserved: 0)
            for draft in drafts { try Self.add(.draft(draft), to: &new) }
            try file.descriptor.synchronize()
            try folder.descriptor.rename(Self.newName, to: folder.descriptor, as: Self.fileName)
            state = new
        }
    }

    /// Writes down what begins.
    func append(_ record: Record) throws(Errno) {
        // The journal's own lock orders its lines; nothing else is taken inside it.
        try state.withLock { state throws(Errno) in
            try Self.payOwed(&state)
            try Self.add(record, to: &state)
        }
    }

    /// Writes down what ends. It is true whether it can be written or not, so nobody is told of an error:
    /// it is tried again before the next line.
    func conclude(_ record: Record) {
        state.withLock { state in
            state.owed.append(record)
            for _ in 0..<2 where !state.owed.isEmpty { try? Self.payOwed(&state) }
        }
    }

    func synchronize() throws(Errno) {
        let file = state.withLock { $0.file }
        try file.descriptor.synchronize(dataOnly: true)
    }

    private static func add(_ record: Record, to state: inout State) throws(Errno) {
        let line = Array((record.line + "\n").utf8)
        let wanted = state.size + Int64(line.count) + Int64(state.live.count + 1) * endingRoom
        if wanted > state.reserved {
            let end = (wanted / pageSize + 1) * pageSize
            try state.file.descriptor.write([UInt8](repeating: UInt8(ascii: " "), count: Int(end - state.reserved)), at: state.reserved)
            state.reserved = end
        }
        try write(line, to: &state)
        state.live.insert(record.number)
    }

    private static func payOwed(_ state: inout State) throws(Errno) {
        while let record = state.owed.first {
            if case .ended(let number) = record {
                state.live.remove(number)
                if state.live.isEmpty, state.owed.count == 1, state.size > longEnough {
                    try state.file.descriptor.truncate(to: 0)
                    state = State(file: state.file, size: 0, reserved: 0)
                    return
                }
            }
            try write(Array((record.line + "\n").utf8), to: &state)
            state.owed.removeFirst()
        }
    }

    private static func write(_ line: [UInt8], to state: inout State) throws(Errno) {
        do throws(Errno) { try state.file.descriptor.write(line, at: state.size) } catch {
            // Whoever is told that it was not written must not find it after a crash.
            try? state.file.descriptor.write([UInt8](repeating: UInt8(ascii: " "), count: line.count), at: state.size)
            throw error
        }
        state.size += Int64(line.count)
        state.reserved = max(state.reserved, state.size)
    }
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
    /// The document that it is a new version of, put away a moment ago: its number in staging, and its item's name.
    var away: AwayName?

    struct AwayName: Hashable, Sendable {
        var number: UInt64
        var stored: Name
    }
}

extension Journal.Record {
    var number: UInt64 {
        switch self {
        case .draft(let draft): draft.number
        case .intent(let number, _), .undone(let number), .ended(let number), .sealed(let number, _), .unsealed(let number): number
        }
    }

    var line: String {
        switch self {
        case .draft(let draft):
            "draft \(draft.number) \(draft.kind) \(Place.item(draft.shown, in: draft.path).text) \(draft.base)"
        case .intent(let number, let steps):
            "intent \(number) " + steps.map { step in
                switch step {
                case .move(let from, let to): "move;\(from.text);\(to.text)"
                case .add(let from, let to): "add;\(from.text);\(to.text)"
                case .remove(let place): "remove;\(place.text)"
                }
            }.joined(separator: " ")
        case .ended(let number): "ended \(number)"
        case .undone(let number): "undone \(number)"
        case .sealed(let number, let length): "sealed \(number) \(length)"
        case .unsealed(let number): "unsealed \(number)"
        }
    }

    init?(line: some StringProtocol) {
        let words = line.split(separator: " ")
        guard words.count >= 2, let number = UInt64(words[1]) else { return nil }
        switch words[0] {
        case "ended": self = .ended(number)
        case "undone": self = .undone(number)
        case "unsealed": self = .unsealed(number)
        case "sealed":
            guard words.count == 3, let length = Int64(words[2]), length >= 0 else { return nil }
            self = .sealed(number, length)
        case "draft":
            guard words.count == 5, let place = Place(text: words[3]) else { return nil }
            var draft = DraftRecord(number: number, kind: String(words[2]), path: place.path, stored: nil, shown: place.name)
            draft.take(base: words[4])
            self = .draft(draft)
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

extension DraftRecord {
    /// "=name" for an item in its place, "~7=name" for one that was put away, "new".
    fileprivate var base: String {
        if let stored { return "=" + Place.escaped(stored) }
        if let away { return "~\(away.number)=" + Place.escaped(away.stored) }
        return "new"
    }

    fileprivate mutating func take(base word: some StringProtocol) {
        if word.hasPrefix("=") { stored = Place.unescaped(word.dropFirst()) }
        guard word.hasPrefix("~") else { return }
        let parts = word.dropFirst().split(separator: "=", maxSplits: 1)
        if parts.count == 2, let number = UInt64(parts[0]), let name = Place.unescaped(parts[1]) { away = AwayName(number: number, stored: name) }
    }
}
