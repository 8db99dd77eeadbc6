import Coordination
import Dispatch
import LinuxFiles

/// Whose turn it is with files that are in no container, among the coordinators and presenters of this process. The rules are those of
/// containers; no other process hears of it.
final class ProcessCoordination: Sendable {
    static let shared = ProcessCoordination()

    private struct State {
        var table = ClaimTable()
        var lastClaim: UInt32 = 0
        var claims: [UInt32: Claim] = [:]
        var turns: [UInt32: DispatchSemaphore] = [:]
        var presented: [ObjectIdentifier: (link: PresenterLink, path: ItemPath)] = [:]
        var lastQuestion: UInt32 = 0
    }

    private let state = Locked(State())

    // MARK: Presenters

    func add(_ link: PresenterLink, at path: ItemPath) { state.withLock { $0.presented[ObjectIdentifier(link)] = (link, path) } }
    func remove(_ link: PresenterLink) { state.withLock { $0.presented[ObjectIdentifier(link)] = nil } }
    func path(of link: PresenterLink) -> ItemPath? { state.withLock { $0.presented[ObjectIdentifier(link)]?.path } }

    private func concerned(by item: ClaimedItem, except own: PresenterLink?) -> [(link: PresenterLink, path: ItemPath)] {
        state.withLock { state in
            state.presented.values.filter { $0.link !== own && (item.path.isInside($0.path) || (item.purpose.isDeep && $0.path.isInside(item.path))) }
        }
    }

    private struct Asked {
        let link: PresenterLink
        let question: UInt32
        let answer: DispatchSemaphore
    }

    /// They save before anything is claimed: what they save for that is a claim like others.
    private func ask(_ items: [ClaimedItem], except own: PresenterLink?, _ wait: ProcessWait) -> [Asked] {
        let asked = items.flatMap { item in
            concerned(by: item, except: own).map { presented in
                let number = state.withLock { state in
                    state.lastQuestion &+= 1
                    return state.lastQuestion
                }
                let answer = DispatchSemaphore(value: 0)
                presented.link.presentedItemIsWanted(PresenterQuestion(number: number, path: item.path, purpose: item.purpose)) { _ in answer.signal() }
                return Asked(link: presented.link, question: number, answer: answer)
            }
        }
        // As long as in containers.
        let deadline = DispatchTime.now() + .milliseconds(Int(PresenterPatience.answer))
        if !asked.isEmpty { wait.elsewhere { for asked in asked { _ = asked.answer.wait(timeout: deadline) } } }
        return asked
    }

    // MARK: Claims

    /// Runs `body` in a claim of the items. Throws where it was cancelled before.
    func coordinate<Value>(_ items: [ClaimedItem], as own: PresenterLink?, _ wait: ProcessWait, _ body: ([ItemPath]) throws -> Value) throws -> Value {
        let asked = ask(items, except: own, wait)
        defer { for asked in asked { asked.link.presentedItem(.over(question: asked.question)) } }
        let turn = DispatchSemaphore(value: 0), (claim, isGranted) = enter(items, turn)
        defer { leave(claim) }
        if !isGranted {
            wait.begin(turn)
            wait.elsewhere { turn.wait() }
            guard !wait.end() else { throw Failure(Errno(rawValue: 125), "waiting for “\(items[0].path)” was cancelled") }
        }
        wait.hold(claim)
        let paths = state.withLock { $0.claims[claim]?.items.map(\.path) ?? [] }
        let value = try body(paths)
        for (path, item) in zip(paths, items) where item.purpose.isWriting { tellWritten(path, except: own) }
        return value
    }

    private func enter(_ items: [ClaimedItem], _ turn: DispatchSemaphore) -> (UInt32, Bool) {
        state.withLock { state in
            state.lastClaim &+= 1
            let claim = Claim(items, client: 0, state.lastClaim)
            state.claims[state.lastClaim] = claim
            state.turns[state.lastClaim] = turn
            return (state.lastClaim, state.table.enter(claim))
        }
    }

    /// It may have left already.
    fileprivate func leave(_ number: UInt32) {
        let next = state.withLock { state -> [DispatchSemaphore] in
            state.turns[number] = nil
            guard let claim = state.claims.removeValue(forKey: number) else { return [] }
            return state.table.leave(claim).compactMap { state.turns[$0.id] }
        }
        for turn in next { turn.signal() }
    }

    // MARK: What is told

    private func tellWritten(_ path: ItemPath, except own: PresenterLink?) {
        let isThere = (try? Descriptor.atPath("/" + path.names.map(\.text).joined(separator: "/"), .path)) != nil
        for (link, presented) in concerned(by: ClaimedItem(path, isThere ? .writing : .deleting), except: own) {
            link.presentedItem(isThere ? .changed(path) : .deleted(presented.isInside(path) ? presented : path))
        }
    }

    func moved(_ old: ItemPath, to new: ItemPath, except own: PresenterLink?) {
        let (next, events) = state.withLock { state in
            let next = state.table.move(from: old, to: new).compactMap { state.turns[$0.id] }
            var events: [(PresenterLink, PresenterEvent)] = []
            for (key, presented) in state.presented {
                let place = presented.path.moved(from: old, to: new)
                if let place { state.presented[key]?.path = place }
                guard presented.link !== own, place != nil || old.isInside(presented.path) else { continue }
                events.append((presented.link, place.map { .moved(presented.path, to: $0) } ?? .moved(old, to: new)))
            }
            return (next, events)
        }
        for turn in next { turn.signal() }
        for (link, event) in events { link.presentedItem(event) }
    }
}

/// A claim of this process while it is waited for, and while it is held.
final class ProcessWait: Sendable {
    private struct State {
        var turn: DispatchSemaphore?
        /// What was granted.
        var claims: [UInt32] = []
        var isCancelled = false
    }

    private let state = Locked(State())
    /// Has something that waits done, by whichever thread, and returns when that has ended.
    let elsewhere: ClaimWait.Elsewhere

    /// `elsewhere`: for a thread that has something else to do while it waits.
    init(_ elsewhere: ClaimWait.Elsewhere? = nil) { self.elsewhere = elsewhere ?? { $0() } }

    func begin(_ turn: DispatchSemaphore) {
        let isCancelled = state.withLock { state in
            state.turn = turn
            return state.isCancelled
        }
        if isCancelled { turn.signal() }
    }

    /// Whether it was cancelled.
    func end() -> Bool {
        state.withLock { state in
            state.turn = nil
            return state.isCancelled
        }
    }

    func hold(_ claim: UInt32) { state.withLock { $0.claims.append(claim) } }

    /// What was granted is not needed any more, although the blocks run still.
    func letGo() {
        let claims = state.withLock { $0.claims }
        for claim in claims { ProcessCoordination.shared.leave(claim) }
    }

    func cancel() {
        let turn = state.withLock { state in
            state.isCancelled = true
            return state.turn
        }
        turn?.signal()
    }
}
