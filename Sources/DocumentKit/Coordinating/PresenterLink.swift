import Coordination
import Foundation
import LinuxFiles

/// A presenter of an app, as whoever grants claims knows it: puts each question and each event into the calls of ``NSFilePresenter``.
final class PresenterLink: FilePresenter, @unchecked Sendable {
    // Sendable, because the presenter is called on its own queue only, and all else does not change or is behind the lock.

    private weak var presenter: (any NSFilePresenter)?
    /// As it was added; the items of events are told in the manner of its URL.
    let place: ItemPlace

    private struct State {
        var presentation: FilePresentation?
        /// Those who asked and have not ended. Whoever serves next counts from the beginning.
        var asking: [UInt32: Relinquishment] = [:]
        /// Where the item is now.
        var path: ItemPath
        var lately = RecentWords()
        var queue: OperationQueue?
        /// The item itself, while somebody may move it to where nobody tells of it.
        var held: (question: UInt32, item: OpenItem)?
        /// Another link has taken its place.
        var hasLeft = false
        var own = OwnWritings()
    }

    private let state: Locked<State>

    init(_ presenter: any NSFilePresenter, at place: ItemPlace) {
        (self.presenter, self.place) = (presenter, place)
        state = Locked(State(path: place.path))
    }

    /// Waits until whoever grants claims knows of it.
    func begin() throws {
        switch place.home {
        case .container(let coordinator):
            let presentation = try coordinator.present(place.path, by: self)
            state.withLock { $0.presentation = presentation }
        case .process: ProcessCoordination.shared.add(self, at: place.path)
        }
    }

    func end() {
        presentation?.withdraw()
        if case .process = place.home { ProcessCoordination.shared.remove(self) }
        // Nobody tells it any more that they have ended.
        for question in state.withLock({ Array($0.asking.keys) }) { over(question) }
    }

    /// Whoever asks it is this process, and is told something without being waited for.
    var isOfThisProcess: Bool {
        switch place.home {
        case .container: presentation?.isServedHere ?? true
        case .process: true
        }
    }

    var presentation: FilePresentation? { state.withLock { $0.presentation } }
    var path: ItemPath { state.withLock { $0.path } }

    /// Asked of the presenter when it is needed first: most are never asked anything. Where it is gone nobody answers.
    private func later(_ body: @escaping @Sendable () -> Void) {
        let queue = state.withLock { $0.queue } ?? presenter?.presentedItemOperationQueue
        guard let queue else { return body() }
        state.withLock { state in
            if state.queue == nil { state.queue = queue }
            return state.queue ?? queue
        }.addOperation(body)
    }

    // MARK: An item that leaves its container

    /// Where the item is, if whoever had asked for it has moved it out of its container, or into one.
    private var placeElsewhere: URL? { state.withLock { $0.held }?.item.placeElsewhere }

    /// The same for who looks for it at a URL still: it may be presented at its new place already, and the word of that be on its way.
    func placeElsewhere(than url: URL) -> URL? {
        let presented = place.url(of: path)
        if presented.standardizedFileURL.path != url.standardizedFileURL.path, let sought = try? ItemPlace(url), !place.isBeside(sought) { return presented }
        return placeElsewhere
    }

    /// A save puts another file there: it is looked for again once the item is saved.
    private func hold(for question: PresenterQuestion) {
        guard question.purpose.isWriting, question.purpose != .deleting, path.isInside(question.path), let item = OpenItem(place.url(of: path), of: place) else { return }
        state.withLock { $0.held = (question.number, item) }
    }

    /// Some time after the one who asked has ended, who may be told of late.
    private func letGo(after question: UInt32) {
        guard state.withLock({ $0.held?.question == question }) else { return }
        MainQueue.run(after: Double(RecentWords.moment) / 1000) { [weak self] in self?.state.withLock { if $0.held?.question == question { $0.held = nil } } }
    }

    /// It is presented there from now on.
    func leave(to url: URL) { later { [self] in leaveNow(to: url) } }

    /// On the presenter's queue.
    private func leaveNow(to url: URL) {
        guard let presenter, FilePresenters.move(presenter, self, to: url) else { return }
        state.withLock { $0.hasLeft = true }
        presenter.presentedItemDidMove(to: url)
    }

    // MARK: Questions

    func presentedItemIsWanted(_ question: PresenterQuestion, done: @escaping @Sendable (Errno?) -> Void) {
        let answer = Once(done), relinquishment = Relinquishment()
        hold(for: question)
        state.withLock { $0.asking[question.number] = relinquishment }
        // At once: who deletes does not wait for ever until it is saved.
        if question.purpose == .deleting, path.isInside(question.path), let document = presenter as? UIDocument { document.file.noteDeletionAsked() }
        later { [self] in
            guard let presenter else { return answer.give(nil) }
            let go: @Sendable ((@Sendable () -> Void)?) -> Void = { [self] reacquire in
                if let reacquire, relinquishment.isOver(keeping: reacquire) { later(reacquire) }
                later { [self] in save(for: question, answer) }
            }
            if question.purpose.isWriting { presenter.relinquishPresentedItem(toWriter: go) } else { presenter.relinquishPresentedItem(toReader: go) }
        }
    }

    private func save(for question: PresenterQuestion, _ answer: Once) {
        guard let presenter, question.wantsSaving else { return accommodate(question, answer) }
        presenter.savePresentedItemChanges { [self] error in
            if let error { return answer.give(Self.errno(of: error)) }
            later { [self] in accommodate(question, answer) }
        }
    }

    private func accommodate(_ question: PresenterQuestion, _ answer: Once) {
        hold(for: question)
        guard let presenter, question.purpose == .deleting else { return answer.give(nil) }
        let path = path
        // Whoever removes it on a drive may have to ask twice.
        guard state.withLock({ $0.lately.isNews(asked: question.number, deleting: path.isInside(question.path) ? path : question.path) }) else {
            if let document = presenter as? UIDocument { document.followDeletion { _ in } }
            return answer.give(nil)
        }
        let end: @Sendable ((any Error)?) -> Void = { error in answer.give(error.map(Self.errno)) }
        if path.isInside(question.path) { presenter.accommodatePresentedItemDeletion(completionHandler: end) } else {
            presenter.accommodatePresentedSubitemDeletion(at: place.url(of: question.path), completionHandler: end)
        }
    }

    private static func errno(of error: any Error) -> Errno {
        if let failure = error as? Failure { return failure.errno }
        let cause = ((error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError) ?? (error as NSError)
        return cause.domain == NSPOSIXErrorDomain ? Errno(rawValue: Int32(clamping: cause.code)) : .inputOutput
    }

    private func over(_ question: UInt32) {
        let relinquishment = state.withLock { state in
            state.lately.noteOver(question)
            return state.asking.removeValue(forKey: question)
        }
        letGo(after: question)
        if let reacquire = relinquishment?.end() { later(reacquire) }
    }

    /// What a presenter gave, to be called when the one who asked has ended. One that is passed over may give it after that.
    private final class Relinquishment: Sendable {
        private let given = Locked<(isOver: Bool, reacquire: (@Sendable () -> Void)?)>((false, nil))

        func isOver(keeping reacquire: @escaping @Sendable () -> Void) -> Bool {
            given.withLock { given in
                if !given.isOver { given.reacquire = reacquire }
                return given.isOver
            }
        }

        func end() -> (@Sendable () -> Void)? {
            given.withLock { given in
                defer { given = (true, nil) }
                return given.reacquire
            }
        }
    }

    // MARK: What it does itself

    /// Writes in an access of its own. What a drive shows may be older than what it has, so that nobody can tell there who has written.
    func writing<Result>(_ items: [ItemPath], _ body: () throws -> Result) rethrows -> Result {
        guard !place.isOnDrive else { return try body() }
        for path in items { state.withLock { $0.own.begin(path) } }
        defer {
            for path in items {
                let mark = mark(of: path)
                state.withLock { $0.own.end(path, as: mark) }
            }
        }
        return try body()
    }

    private func mark(of path: ItemPath) -> DocumentFile.Mark? {
        let mark = DocumentFile.Look(place.url(of: path)).mark
        return mark.item == nil ? nil : mark
    }

    /// Whether a change is none by others. One that is told late may be looked at while the next of its own writings begins.
    private func isOwn(_ path: ItemPath) -> Bool {
        while true {
            let own = state.withLock { $0.own }
            if own.isUnderWay(path) { return true }
            let now = mark(of: path)
            if state.withLock({ $0.own.begun }) == own.begun { return own.isLeft(path, as: now) }
        }
    }

    // MARK: Events

    func presentedItem(_ event: PresenterEvent) {
        if case .over(let question) = event { return over(question) }
        later { [self] in if let presenter { tell(presenter, event) } }
    }

    /// As somebody said who moved it, in whatever process.
    func presentedItem(_ path: ItemPath, leftTo other: String) {
        later { [self] in
            guard let presenter, !state.withLock({ $0.hasLeft }) else { return }
            let url = URL(fileURLWithPath: other)
            // A drive may say in a moment that it is gone.
            if self.path.isInside(path) { leaveNow(to: url) } else { presenter.presentedSubitem(at: place.url(of: path), didMoveTo: url) }
        }
    }

    private func tell(_ presenter: any NSFilePresenter, _ event: PresenterEvent) {
        let own = path
        guard !state.withLock({ $0.hasLeft }) else { return }
        if case .deleted(let path) = event, own.isInside(path), let url = placeElsewhere { return leaveNow(to: url) }
        guard state.withLock({ $0.lately.isNews(event, own) }) else {
            // It was asked before, and may have looked before it was gone.
            if case .deleted = event, let document = presenter as? UIDocument { document.followDeletion { _ in } }
            return
        }
        switch event {
        case .changed(let path):
            guard !isOwn(path) else { return }
            if path == own || own.isInside(path) { presenter.presentedItemDidChange() } else { presenter.presentedSubitemDidChange(at: place.url(of: path)) }
        case .moved(let old, let new):
            guard old == own || own.isInside(old) else { return presenter.presentedSubitem(at: place.url(of: old), didMoveTo: place.url(of: new)) }
            state.withLock { $0.path = new }
            presenter.presentedItemDidMove(to: place.url(of: new))
        case .deleted(let path):
            if own.isInside(path) { presenter.accommodatePresentedItemDeletion { _ in } } else {
                presenter.accommodatePresentedSubitemDeletion(at: place.url(of: path)) { _ in }
            }
        case .gainedVersion(let path):
            guard let version = newest(of: path, where: { !$0.isConflict }) else { return }
            if path == own { presenter.presentedItemDidGain(version) } else { presenter.presentedSubitem(at: place.url(of: path), didGain: version) }
        case .gainedConflict(let path):
            guard let version = newest(of: path, where: { $0.isConflict && !$0.isResolved }) else { return }
            if path == own { presenter.presentedItemDidGain(version) } else { presenter.presentedSubitem(at: place.url(of: path), didGain: version) }
        case .resolvedConflict(let path):
            guard let version = newest(of: path, where: \.isResolved) ?? NSFileVersion.currentVersionOfItem(at: place.url(of: path)) else { return }
            if path == own { presenter.presentedItemDidResolveConflict(version) } else { presenter.presentedSubitem(at: place.url(of: path), didResolve: version) }
        case .over: break
        }
    }

    /// What it was told a moment ago: whoever asks, whoever is done and a drive that notices it may each say the same.
    private struct RecentWords {
        static let moment: Int64 = 5000
        /// Until when what follows is no news: of those who asked, until a moment after they have ended.
        private var deleted: [ItemPath: (isAsked: Bool, until: Int64)] = [:]
        private var asked: [UInt32: ItemPath] = [:]
        private var moved: [(old: ItemPath, new: ItemPath, at: Int64)] = []

        mutating func isNews(asked question: UInt32, deleting path: ItemPath) -> Bool {
            let now = Monotonic.milliseconds
            defer {
                asked[question] = path
                deleted[path] = (true, .max)
            }
            return deleted[path].map { now >= $0.until } ?? true
        }

        mutating func noteOver(_ question: UInt32) {
            guard let path = asked.removeValue(forKey: question), deleted[path]?.isAsked == true else { return }
            deleted[path]?.until = Monotonic.milliseconds &+ Self.moment
        }

        mutating func isNews(_ event: PresenterEvent, _ own: ItemPath) -> Bool {
            let now = Monotonic.milliseconds
            deleted = deleted.filter { now < $0.value.until }
            moved.removeAll { now - $0.at >= Self.moment }
            switch event {
            case .deleted(let path):
                let item = own.isInside(path) ? own : path
                defer { deleted[item] = (false, now &+ Self.moment) }
                return deleted[item] == nil
            case .moved(let old, let new):
                guard !moved.contains(where: { $0.old == old && $0.new == new }) else { return false }
                // What is moved back is moved again.
                moved.removeAll { $0.old == new || $0.new == old }
                moved.append((old, new, now))
                (deleted[old], deleted[new]) = (nil, nil)
            // What is about to be deleted may have been changed just before.
            case .changed(let path), .gainedVersion(let path), .gainedConflict(let path): if deleted[path]?.isAsked == false { deleted[path] = nil }
            case .resolvedConflict, .over: break
            }
            return true
        }
    }

    private func newest(of path: ItemPath, where fits: (NSFileVersion) -> Bool) -> NSFileVersion? {
        NSFileVersion.otherVersionsOfItem(at: place.url(of: path))?.first(where: fits)
    }

    /// An answer that counts once, however often it is given.
    private final class Once: Sendable {
        private let done: TakenOnce<@Sendable (Errno?) -> Void>

        init(_ done: @escaping @Sendable (Errno?) -> Void) { self.done = TakenOnce(done) }

        func give(_ errno: Errno?) { done.take()?(errno) }
    }
}
