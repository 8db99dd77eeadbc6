import Dispatch
import LinuxFiles

/// What those who present items are asked before somebody else uses these, and what they are told. A claim waits here until all
/// of them have saved and let go, or are not waited for any longer. Pure: it is told what time it is, and says what is to be sent,
/// whom nobody waits for any more and who may go on.
struct PresenterQuestions {
    typealias Key = PresenterTable.Key

    /// How long is waited, in milliseconds.
    struct Patience {
        /// How long an answer is waited for.
        var answer = PresenterPatience.answer
        /// For any word of a program that is asked whether it is there. Shorter than a second, with `pause`.
        var silence: Int64 = 850
        var pause: Int64 = 100
        /// Who did not answer a question is asked none for so long, or until it answers one.
        var offence: Int64 = 60_000
        /// How long a program that has connected may take to say its first word.
        var greeting: Int64 = 5000
    }

    /// Somebody who goes on when all have answered.
    final class Asking {
        let claim: Claim?
        let done: (@Sendable () -> Void)?
        fileprivate var open: Set<UInt32> = []
        /// What was asked for it, where that is no claim: a claim knows it itself.
        fileprivate var asked: [(Key, UInt32)] = []

        init(for claim: Claim) { (self.claim, done) = (claim, nil) }
        init(_ done: @escaping @Sendable () -> Void) { (claim, self.done) = (nil, done) }
    }

    private struct Question {
        let presenter: Key
        let path: ItemPath
        let asking: Asking
        let until: Int64
    }

    /// A program that has been asked something.
    private struct Pulse {
        /// When it was asked whether it is there, if it has not said so since.
        var asked: Int64?
        var next: Int64
    }

    static let mostPresenters = 1024, mostOfAll = 100_000

    private let patience: Patience
    private(set) var table = PresenterTable()
    private var questions: [UInt32: Question] = [:]
    private var pulses: [Int: Pulse] = [:]
    /// Programs that did not say that they are there. They are asked nothing until they say something.
    private var silent: Set<Int> = []
    /// Programs that said that they are there and did not answer a question, and until when they are asked nothing.
    private var passedOver: [Int: Int64] = [:]
    private var lastQuestion: UInt32 = 0
    private var moves: [(old: ItemPath, new: ItemPath, at: Int64)] = []
    private static let moment: Int64 = 5000
    /// What files were when their presenters heard last that they have changed: a claim's end and a drive may say the same.
    /// `unheard`: who was left out then, having written it.
    private var told: [ItemPath: (file: FileStatus, unheard: UInt64?)] = [:]
    private static let mostTold = 1024

    /// What is to be sent, in its order.
    private var words: [(client: Int, answer: CoordinationAnswer)] = []
    private var settled: [Asking] = []
    /// Those who were passed over, in sentences.
    private var notices: [String] = []
    /// How many questions were asked since the beginning.
    private(set) var asked = 0

    init(_ patience: Patience = Patience()) { self.patience = patience }

    mutating func takeWords() -> [(client: Int, answer: CoordinationAnswer)] {
        defer { words = [] }
        return words
    }

    mutating func takeSettled() -> [Asking] {
        defer { settled = [] }
        return settled
    }

    mutating func takeNotices() -> [String] {
        defer { notices = [] }
        return notices
    }

    // MARK: Who presents

    /// False where there are too many, and it was told so.
    mutating func add(_ number: UInt32, of client: Int, _ presenter: PresenterTable.Presenter, ofClient count: Int) -> Bool {
        guard count < Self.mostPresenters, table.count < Self.mostOfAll else {
            words.append((client, .presented(number, .noMemory)))
            return false
        }
        table.add(Key(client: client, number: number), presenter)
        return true
    }

    mutating func sayPresented(_ number: UInt32, to client: Int) {
        // Withdrawn meanwhile, it is waited for by nobody.
        if table[Key(client: client, number: number)] != nil { words.append((client, .presented(number, nil))) }
    }

    mutating func remove(_ key: Key) {
        guard table.remove(key) else { return }
        for (number, question) in questions where question.presenter == key { settle(number) }
    }

    /// The client is gone.
    mutating func dismiss(_ client: Int, _ numbers: Set<UInt32>) {
        for number in numbers { remove(Key(client: client, number: number)) }
        pulses[client] = nil
        silent.remove(client)
        passedOver[client] = nil
    }

    // MARK: Questions

    /// Asks those who present the items, but for one's own presenter and process. False where there is nobody to be waited for.
    mutating func ask(_ items: [ClaimedItem], for asking: Asking, except own: UInt64?, process: Int32?, at now: Int64) -> Bool {
        guard table.count > 0 else { return false }
        for item in items {
            for key in table.concerned(by: item) {
                guard let presenter = table[key], presenter.name != own, presenter.process != process, !silent.contains(key.client), (passedOver[key.client] ?? now) <= now else { continue }
                lastQuestion &+= 1
                questions[lastQuestion] = Question(presenter: key, path: item.path, asking: asking, until: now + patience.answer)
                asking.open.insert(lastQuestion)
                if let claim = asking.claim { claim.asked.append((key, lastQuestion)) } else { asking.asked.append((key, lastQuestion)) }
                asked += 1
                words.append((key.client, .asked(key.number, question: lastQuestion, item)))
                askWhetherThere(key.client, now)
            }
        }
        return !asking.open.isEmpty
    }

    private mutating func askWhetherThere(_ client: Int, _ now: Int64) {
        guard pulses[client] == nil else { return }
        pulses[client] = Pulse(asked: now, next: now)
        words.append((client, .areYouThere))
    }

    mutating func answered(_ number: UInt32, by client: Int, _ errno: Errno?) {
        passedOver[client] = nil
        guard let question = questions[number], question.presenter.client == client else { return }
        if let errno { notices.append("process \(process(question)) could not save “\(question.path)”: \(errno)") }
        settle(number)
    }

    /// It said something, whatever that was.
    mutating func heard(_ client: Int, at now: Int64) {
        silent.remove(client)
        if pulses[client]?.asked != nil { pulses[client] = Pulse(asked: nil, next: now + patience.pause) }
    }

    /// Nobody is waited for any longer than that.
    mutating func pass(_ now: Int64) {
        guard !questions.isEmpty else { return pulses.removeAll() }
        let late = Set(questions.values.filter { now >= $0.until }.map(\.presenter.client))
        for client in late { passedOver[client] = now + patience.offence }
        for (number, question) in questions where late.contains(question.presenter.client) {
            notices.append("process \(process(question)) did not let go of “\(question.path)” in \(patience.answer / 1000) seconds, and was not waited for any longer")
            settle(number)
        }
        for (client, pulse) in pulses {
            if let asked = pulse.asked, now >= asked + patience.silence { passOver(client) } else if pulse.asked == nil, now >= pulse.next {
                pulses[client] = nil
                if questions.values.contains(where: { $0.presenter.client == client }) { askWhetherThere(client, now) }
            }
        }
    }

    private mutating func passOver(_ client: Int) {
        pulses[client] = nil
        silent.insert(client)
        for (number, question) in questions where question.presenter.client == client {
            notices.append("process \(process(question)) has “\(question.path)” open and does not answer: it was not waited for")
            settle(number)
        }
    }

    private func process(_ question: Question) -> Int32 { table[question.presenter]?.process ?? 0 }

    private mutating func settle(_ number: UInt32) {
        guard let question = questions.removeValue(forKey: number) else { return }
        question.asking.open.remove(number)
        if question.asking.open.isEmpty { settled.append(question.asking) }
    }

    /// When somebody is to be looked at again.
    var next: Int64? {
        guard !questions.isEmpty else { return nil }
        let ends = questions.values.map(\.until) + pulses.values.map { $0.asked.map { $0 + patience.silence } ?? $0.next }
        return ends.min()
    }

    /// The claims that wait for an answer of this presenter.
    func claims(waitingFor name: UInt64) -> [Claim] {
        questions.values.compactMap { question in table[question.presenter]?.name == name ? question.asking.claim : nil }
    }

    /// Nobody answers any more: all questions are settled.
    mutating func end() { for number in questions.keys { settle(number) } }

    // MARK: What they are told

    /// The claim that they were asked for has ended.
    mutating func over(_ claim: Claim) {
        over(claim.asked)
        claim.asked = []
    }

    /// Whoever uses an item without a claim is done with it.
    mutating func over(_ asking: Asking) {
        over(asking.asked)
        asking.asked = []
    }

    private mutating func over(_ asked: [(Key, UInt32)]) {
        for (key, question) in asked where table[key] != nil {
            if let waited = questions[question] {
                waited.asking.open.remove(question)
                questions[question] = nil
            }
            words.append((key.client, .over(key.number, question: question)))
        }
    }

    /// Something happened to an item: those hear of it who present it, or what it is in.
    mutating func tell(_ event: PresenterEvent.Kind, _ item: ItemPath, as status: FileStatus? = nil, except own: UInt64? = nil) {
        let hearing = event == .changed ? hearing(item, status, except: own) : .all
        if hearing == .none { return }
        let isDeep = event == .deleted
        for key in table.concerned(by: ClaimedItem(item, isDeep ? .deleting : .writing)) where own == nil || table[key]?.name != own {
            if case .only(let name) = hearing, table[key]?.name != name { continue }
            let path = isDeep ? table[key].map { $0.path.isInside(item) ? $0.path : item } ?? item : item
            words.append((key.client, .event(key.number, event, path, to: nil)))
        }
    }

    private enum Hearing: Equatable { case all, none, only(UInt64) }

    /// Who has not heard already that the file has become what it is. Of a package its parts would have to be known.
    private mutating func hearing(_ item: ItemPath, _ status: FileStatus?, except own: UInt64?) -> Hearing {
        let last = told.removeValue(forKey: item)
        guard let file = status, file.type == .regular else { return .all }
        if told.count >= Self.mostTold { told = [:] }
        guard let last, file.isAsIt(was: last.file) else {
            told[item] = (file, own)
            return .all
        }
        let unheard = last.unheard == own ? last.unheard : nil
        told[item] = (file, unheard)
        return last.unheard.map { $0 == own ? .none : .only($0) } ?? .none
    }

    /// An item was moved out of the container, to an absolute path, with all that is in it.
    mutating func leave(_ item: ItemPath, to place: String, except own: UInt64?) {
        for key in table.concerned(by: ClaimedItem(item, .deleting)) where own == nil || table[key]?.name != own {
            let inside = table[key].flatMap { $0.path.isInside(item) ? $0.path : nil } ?? item
            let rest = inside.names.dropFirst(item.names.count).map { "/" + String(decoding: $0.bytes, as: UTF8.self) }
            words.append((key.client, .left(key.number, inside, to: place + rest.joined())))
        }
    }

    /// A drive may notice what somebody has said in a claim a moment ago: that is told once.
    mutating func move(from old: ItemPath, to new: ItemPath, except own: UInt64? = nil, at now: Int64) {
        moves.removeAll { now - $0.at >= Self.moment }
        defer { moves.append((old, new, now)) }
        if let last = moves.last(where: { !Set([$0.old, $0.new]).isDisjoint(with: [old, new]) }), (last.old, last.new) == (old, new), !table.isPresented(in: old) { return }
        // Who presents a folder hears of what moves in it.
        let around = table.concerned(by: ClaimedItem(old, .writing)).union(table.concerned(by: ClaimedItem(new, .writing)))
        let moved = table.move(from: old, to: new)
        for (key, path, place) in moved where own == nil || table[key]?.name != own {
            words.append((key.client, .event(key.number, .moved, path, to: place)))
        }
        for key in around.subtracting(moved.map(\.key)) where own == nil || table[key]?.name != own {
            // What another one took the place of is something else now.
            let isReplaced = table[key]?.path == new
            words.append((key.client, isReplaced ? .event(key.number, .changed, new, to: nil) : .event(key.number, .moved, old, to: new)))
        }
    }
}
