import LinuxFiles

/// What is under way, as lines in `.valise/journal/records`: which drafts there are and what they are drafts of,
/// and the steps of changes that take more than one rename.
///
/// Only ever appended to, and cut to nothing when nothing is under way. A last line without its end was never written.
/// Behind the last line there is always room on the store for the lines that end what is under way: a full disk
/// cannot come between a change that was made and the word that it was.
package final class Journal: Sendable {
    package enum Record: Hashable {
        case draft(DraftRecord)
        case intent(UInt64, Intent)
        /// The first steps of an intent are done, and only the others may be done again.
        case passed(UInt64)
        /// The others were taken back: all of them may be done again.
        case returned(UInt64)
        /// The intent was taken back: what was before it holds again.
        case undone(UInt64)
        case ended(UInt64)
        /// The draft's content has this length, whatever follows it in its file: it is being made a document.
        case sealed(UInt64, Int64)
        /// What followed the content is gone again: the draft is written to as before.
        case unsealed(UInt64)
        /// The store had no room for all that was to be written to the draft; and then it had.
        case incomplete(UInt64)
        case complete(UInt64)
    }

    /// One rename or removal. Doing it again after it was done changes nothing.
    package enum Step: Hashable {
        case move(Place, Place)
        /// As `move`, where the new name must be free.
        case add(Place, Place)
        case remove(Place)
    }

    /// A change that takes several steps.
    package struct Intent: Hashable {
        package var steps: [Step]
        /// So many of the steps come first, where things change places: of these alone, what is under a name does not
        /// tell whether they were done.
        package var exchangingSteps = 0
        /// What drafts are drafts of when it is done.
        package var drafts: [DraftRecord] = []
        /// What each step is about, as long as this is the container's staging folder.
        package var meanings: [StepMeaning] = []
        package var anchor: NodeBirth?
    }

    private struct State {
        var file: OpenFile
        var size: Int64
        /// Up to here the file has its room on the store.
        var reserved: Int64
        var live: Set<UInt64> = []
        /// What the drafts are drafts of that are under way.
        var drafts: [UInt64: DraftRecord] = [:]
        /// What drafts are drafts of when an intent has ended, by its number. `isNew`: only the intent speaks of it.
        var following: [UInt64: [(draft: DraftRecord, isNew: Bool)]] = [:]
        /// Endings that could not be written yet.
        var owed: [Record] = []
    }

    package let folder: OpenFile
    private let state: Locked<State>
    /// What an earlier process left.
    package let found: JournalReading
    package static let fileName = Name(constant: "records")
    private static let newName = Name(constant: "records.new")
    /// No drive ever comes to higher numbers, so that counting on from any of them goes well.
    package static let highestNumber: UInt64 = 1 << 48
    /// Cutting the file costs a call, so it is done now and then.
    private static let longEnough: Int64 = 64 * 1024
    /// What one that is under way can still write to its end: "incomplete", "returned", "undone", "unsealed" and "ended" with a number.
    private static let endingRoom: Int64 = 160, pageSize: Int64 = 4096

    /// `file` is the folder's `records`, open to be read and written.
    package init(_ file: OpenFile, in folder: OpenFile) throws(Errno) {
        self.folder = folder
        found = JournalReading(file.descriptor)
        if let fault = found.fault { throw fault }
        var state = State(file: file, size: found.whole, reserved: found.size)
        // Until they were dealt with they are under way, or the file would be cut under them.
        state.live = found.live
        self.state = Locked(state, .journalRecords)
    }

    /// The whole lines. Blanks in front of a line are of one that could not be written.
    package static func lines(of bytes: [UInt8]) -> [Substring] {
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return String(decoding: bytes[..<whole], as: UTF8.self).split(separator: "\n")
    }

    /// A number that a drive gave.
    package static func number(_ digits: some Collection<UInt8>) -> UInt64? {
        guard (1...20).contains(digits.count) else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + UInt64(digit - UInt8(ascii: "0"))
            if number > highestNumber { return nil }
        }
        return number
    }

    /// After everything found was dealt with. The old records are there until the new ones are.
    package func startAnew(with records: [Record]) throws(Errno) {
        try state.withLock { state throws(Errno) in
            guard !records.isEmpty else {
                try state.file.descriptor.truncate(to: 0)
                state = State(file: state.file, size: 0, reserved: 0)
                return
            }
            let file = OpenFile(try folder.descriptor.open(Self.newName, [.readWrite, .create, .truncate], mode: 0o600))
            var new = State(file: file, size: 0, reserved: 0)
            for record in records { try Self.add(record, to: &new) }
            try file.descriptor.synchronize()
            try folder.descriptor.rename(Self.newName, to: folder.descriptor, as: Self.fileName)
            state = new
        }
    }

    /// Writes down what begins.
    package func append(_ record: Record) throws(Errno) {
        // The journal's own lock orders its lines; nothing else is taken inside it.
        try state.withLock { state throws(Errno) in
            try Self.payOwed(&state)
            try Self.add(record, to: &state)
        }
    }

    /// Writes down what ends. It is true whether it can be written or not, so nobody is told of an error:
    /// it is tried again before the next line.
    package func conclude(_ record: Record) {
        state.withLock { state in
            state.owed.append(record)
            for _ in 0..<2 where !state.owed.isEmpty { try? Self.payOwed(&state) }
        }
    }

    /// What the drafts are drafts of that are under way.
    package var drafts: [DraftRecord] { state.withLock { Array($0.drafts.values) } }

    package func synchronize() throws(Errno) {
        let file = state.withLock { $0.file }
        try file.descriptor.synchronize(dataOnly: true)
    }

    private static func add(_ record: Record, to state: inout State) throws(Errno) {
        let line = Array((record.line + "\n").utf8)
        var following: [(draft: DraftRecord, isNew: Bool)] = []
        if case .intent(_, let intent) = record {
            following = intent.drafts.map { ($0, !state.live.contains($0.number)) }
        }
        let wanted = state.size + Int64(line.count) + Int64(state.live.count + 1 + following.count) * endingRoom
        if wanted > state.reserved {
            let end = (wanted / pageSize + 1) * pageSize
            try state.file.descriptor.write([UInt8](repeating: UInt8(ascii: " "), count: Int(end - state.reserved)), at: state.reserved)
            state.reserved = end
        }
        try write(line, to: &state)
        state.live.insert(record.number)
        if case .draft(let draft) = record { state.drafts[draft.number] = draft }
        if !following.isEmpty { state.following[record.number] = following }
    }

    private static func payOwed(_ state: inout State) throws(Errno) {
        while let record = state.owed.first {
            if case .undone(let number) = record { state.following[number] = nil }
            if case .ended(let number) = record {
                state.live.remove(number)
                state.drafts[number] = nil
                // One that has ended meanwhile does not begin again.
                for (draft, isNew) in state.following.removeValue(forKey: number) ?? []
                where isNew || state.live.contains(draft.number) {
                    state.live.insert(draft.number)
                    state.drafts[draft.number] = draft
                }
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
package struct DraftRecord: Hashable, Sendable {
    package var number: UInt64
    package var kind: String
    /// The folder's names, from the documents on.
    package var path: [Name]
    /// The document's item; nil for a new one.
    package var stored: Name?
    package var shown: Name
    /// The document that it is a new version of, put away a moment ago: its number in staging, and its item's name.
    package var away: AwayName?
    /// What the document's content was when the draft began.
    package var stamp: BaseStamp?

    package struct AwayName: Hashable, Sendable {
        package var number: UInt64
        package var stored: Name

        package init(number: UInt64, stored: Name) { (self.number, self.stored) = (number, stored) }
    }

    /// `away` and `stamp` are none at first.
    package init(number: UInt64, kind: String, path: [Name], stored: Name?, shown: Name) {
        (self.number, self.kind, self.path, self.stored, self.shown) = (number, kind, path, stored, shown)
    }
}

extension Journal.Record {
    var number: UInt64 {
        switch self {
        case .draft(let draft): draft.number
        case .intent(let number, _), .passed(let number), .returned(let number), .undone(let number), .ended(let number),
            .sealed(let number, _), .unsealed(let number), .incomplete(let number), .complete(let number): number
        }
    }

    /// The highest number of anything that the journal speaks of.
    var highestNumber: UInt64 {
        switch self {
        case .draft(let draft): draft.highestNumber
        case .intent(let number, let intent): intent.drafts.reduce(number) { max($0, $1.highestNumber) }
        default: number
        }
    }

    var line: String {
        switch self {
        case .draft(let draft):
            "draft " + draft.words.joined(separator: " ")
        case .intent(let number, let intent): "intent \(number) " + intent.words.joined(separator: " ")
        case .passed(let number): "passed \(number)"
        case .returned(let number): "returned \(number)"
        case .ended(let number): "ended \(number)"
        case .undone(let number): "undone \(number)"
        case .sealed(let number, let length): "sealed \(number) \(length)"
        case .unsealed(let number): "unsealed \(number)"
        case .incomplete(let number): "incomplete \(number)"
        case .complete(let number): "complete \(number)"
        }
    }

    /// From bytes, because characters take their time.
    init?(line: ArraySlice<UInt8>) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count >= 2, words[0].count <= 10, let number = Journal.number(words[1]) else { return nil }
        switch String(decoding: words[0], as: UTF8.self) {
        case "ended": self = .ended(number)
        case "passed": self = .passed(number)
        case "returned": self = .returned(number)
        case "undone": self = .undone(number)
        case "unsealed": self = .unsealed(number)
        case "incomplete": self = .incomplete(number)
        case "complete": self = .complete(number)
        case "sealed":
            guard words.count == 3, let length = Int64(String(decoding: words[2], as: UTF8.self)), length >= 0 else { return nil }
            self = .sealed(number, length)
        case "draft":
            guard let draft = DraftRecord(words: words.dropFirst()) else { return nil }
            self = .draft(draft)
        case "intent":
            guard let intent = Journal.Intent(words: words.dropFirst(2)) else { return nil }
            self = .intent(number, intent)
        default: return nil
        }
    }
}

extension Journal.Intent {
    /// "move;d/a;s/7" for a step, "then" before those that are not the first, "draft;…" for a draft. Where nodes are known
    /// again, "here;…" with that of staging, and after each step those of its source, of the folder it leads to, and of
    /// what is replaced; and of a file that it makes an end of, its length and time.
    fileprivate var words: [String] {
        var words = steps.indices.map { index in
            let meaning = meanings.indices.contains(index) ? meanings[index] : nil
            let nodes = meaning.map { ";\($0.source.text);\($0.folder.text);\($0.target.text)" } ?? ""
            let ended = meaning?.ended.map { ";\($0.text)" } ?? ""
            return switch steps[index] {
            case .move(let from, let to): "move;\(from.text);\(to.text)\(nodes)\(ended)"
            case .add(let from, let to): "add;\(from.text);\(to.text)\(nodes)\(ended)"
            case .remove(let place): "remove;\(place.text)" + (meaning.map { ";\($0.source.text)" } ?? "") + ended
            }
        }
        if exchangingSteps > 0 { words.insert("then", at: exchangingSteps) }
        if let anchor { words.insert("here;\(anchor.text)", at: 0) }
        return words + drafts.map { (["draft"] + $0.words).joined(separator: ";") }
    }

    fileprivate init?(words: ArraySlice<ArraySlice<UInt8>>) {
        self.init(steps: [])
        for word in words {
            let fields = word.split(separator: UInt8(ascii: ";"))
            switch (fields.first.map { String(decoding: $0.prefix(7), as: UTF8.self) }, fields.count) {
            case ("here", 2):
                anchor = NodeBirth(text: fields[1])
                if anchor == nil { return nil }
            case ("move", 3), ("add", 3), ("move", 6...7), ("add", 6...7):
                guard let from = Place(text: fields[1]), let to = Place(text: fields[2]) else { return nil }
                steps.append(fields[0].count == 4 ? .move(from, to) : .add(from, to))
                guard takeMeaning(fields.dropFirst(3)) else { return nil }
            case ("remove", 2...4):
                guard let place = Place(text: fields[1]) else { return nil }
                steps.append(.remove(place))
                guard takeMeaning(fields.dropFirst(2)) else { return nil }
            case ("then", 1): exchangingSteps = steps.count
            case ("draft", _):
                guard let draft = DraftRecord(words: fields.dropFirst()) else { return nil }
                drafts.append(draft)
            default: return nil
            }
        }
        guard meanings.count == (anchor == nil ? 0 : steps.count) else { return nil }
    }

    private mutating func takeMeaning(_ words: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        if words.isEmpty { return true }
        let isRemoval = words.count < 3, count = isRemoval ? 1 : 3
        let nodes = words.prefix(count).compactMap { StepMeaning.Node(text: $0) }
        guard nodes.count == count else { return false }
        var meaning = isRemoval
            ? StepMeaning(source: nodes[0]) : StepMeaning(source: nodes[0], folder: nodes[1], target: nodes[2])
        if words.count > count {
            meaning.ended = words.last.flatMap { BaseStamp(text: String(decoding: $0, as: UTF8.self)) }
            if meaning.ended == nil { return false }
        }
        meanings.append(meaning)
        return true
    }

    /// What a line says of drafts, which it does at its end, as lines of theirs.
    static func draftLines(of line: [UInt8]) -> [[UInt8]] {
        let mark = Array("draft;".utf8)
        var rest = line[...], lines: [[UInt8]] = []
        while let blank = rest.lastIndex(of: UInt8(ascii: " ")), rest[(blank + 1)...].starts(with: mark) {
            lines.append(rest[(blank + 1)...].map { $0 == UInt8(ascii: ";") ? UInt8(ascii: " ") : $0 })
            rest = rest[..<blank]
        }
        return lines.reversed()
    }
}

extension DraftRecord {
    fileprivate var highestNumber: UInt64 { max(number, away?.number ?? 0) }

    /// Its number, its kind, its place and what it is a draft of.
    fileprivate var words: [String] { ["\(number)", kind, Place.item(shown, in: path).text, base] + (stamp.map { [$0.text] } ?? []) }

    fileprivate init?(words: ArraySlice<ArraySlice<UInt8>>) {
        let words = Array(words)
        guard (4...5).contains(words.count), let number = Journal.number(words[0]), let place = Place(text: words[2]) else { return nil }
        self.init(number: number, kind: String(decoding: words[1], as: UTF8.self), path: place.path, stored: nil, shown: place.name)
        guard take(base: words[3]) else { return nil }
        if words.count == 5 { stamp = BaseStamp(text: String(decoding: words[4], as: UTF8.self)) }
    }

    /// "=name" for an item in its place, "~7=name" for one that was put away, "new".
    fileprivate var base: String {
        if let stored { return "=" + Place.escaped(stored) }
        if let away { return "~\(away.number)=" + Place.escaped(away.stored) }
        return "new"
    }

    fileprivate mutating func take(base word: ArraySlice<UInt8>) -> Bool {
        if word.elementsEqual("new".utf8) { return true }
        if word.first == UInt8(ascii: "=") {
            stored = Place.unescaped(word.dropFirst())
            return stored != nil
        }
        let parts = word.dropFirst().split(separator: UInt8(ascii: "="), maxSplits: 1)
        guard word.first == UInt8(ascii: "~"), parts.count == 2, let number = Journal.number(parts[0]), let name = Place.unescaped(parts[1]) else { return false }
        away = AwayName(number: number, stored: name)
        return true
    }
}
