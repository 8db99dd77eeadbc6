import Containers
import Dispatch
import LinuxFiles
import Synchronization

// Those who present items: what this process asks them, and tells them.
extension CoordinationServer {
    /// Before this process uses items: whoever presents them saves them, and is waited for, but for `process`, which uses them itself.
    /// They leave them alone until what is answered here is ended. In no lane. Nil where nobody presents them: no thread is asked.
    public func askPresenters(of paths: [ItemPath], for purpose: ClaimPurpose, process: () -> Int32?) -> PresentedItemUse? {
        guard mayHavePresenters else { return nil }
        HeldLanes.checkNone()
        waitForPresenters()
        let presented = desk.withLock { desk in paths.filter { desk.isPresented($0) } }
        guard !presented.isEmpty else { return nil }
        let done = DispatchSemaphore(value: 0), errands = errands, process = process() ?? 0
        let number = askings.wrappingAdd(1, ordering: .relaxed).newValue
        for path in presented {
            // What was written for that by claims has been looked at by then.
            send(.ask(number, ClaimedItem(path, purpose), process: process) { errands.async { done.signal() } })
            done.wait()
        }
        return PresentedItemUse(number, self)
    }

    /// Programs that presented items when this one began to serve come here in a moment, and are to be asked. The desk says when they are here, or
    /// are not waited for any longer.
    private func waitForPresenters() {
        while isAwaitingPresenters.load(ordering: .acquiring) {
            let turn: DispatchSemaphore? = desk.withLock { desk in
                guard isAwaitingPresenters.load(ordering: .acquiring), !desk.isOver else { return nil }
                let turn = DispatchSemaphore(value: 0)
                desk.waiters.append(turn)
                return turn
            }
            guard let turn else { return }
            turn.wait()
        }
    }

    /// Something happened to an item by this process's doing, or was noticed.
    public func tellPresenters(_ event: PresenterEvent.Kind, _ path: ItemPath) {
        guard hasPresenters, desk.withLock({ $0.isPresented(path) || (event == .deleted && $0.presented.contains { $0.isInside(path) }) }) else { return }
        send(.event(event, path, nil, as: event == .changed ? try? status(of: path) : nil))
    }

    /// Whether somebody presents an item, or what it is in.
    public func isPresented(_ item: ItemPath) -> Bool { desk.withLock { $0.isPresented(item) } }

    /// A folder came in one that is presented: what others do in it is to be noticed, and what is in it is new.
    public func followNew(_ folder: ItemPath) {
        guard hasPresenters, let presenter, isPresented(folder) else { return }
        followings.async { [self] in tellNew(in: presenter.follow(folder), besides: []) }
    }

    func tellNew(in found: [ItemPath], besides known: Set<ItemPath>) { for item in found where !known.contains(item) { tellPresenters(.changed, item) } }

    private func status(of path: ItemPath) throws(Errno) -> FileStatus? {
        guard let name = path.names.last else { return nil }
        return try container.documents.folderWithinMount(at: path.names.dropLast()).descriptor.status(of: name)
    }

    /// Whoever wrote it may have removed it.
    func lookAgain(at path: ItemPath, for presenter: UInt64?, tellsRemoval: Bool) {
        errands.async { [self] in
            var isThere = true, now: FileStatus?
            do throws(Errno) { now = try status(of: path) } catch { isThere = error != .noSuchEntry }
            // Who has it since then may have moved it: what became of it is said at the end of that claim.
            if !isThere, isBeingWritten(path) { return }
            if isThere || tellsRemoval { send(.event(isThere ? .changed : .deleted, path, presenter, as: now)) }
        }
    }
}

/// This process uses items that others present: they have saved them, and leave them alone until this is ended, or nobody has it any more.
public final class PresentedItemUse: Sendable {
    private let number: UInt64
    private let server: CoordinationServer
    private let isEnded = Atomic(false)

    fileprivate init(_ number: UInt64, _ server: CoordinationServer) { (self.number, self.server) = (number, server) }

    deinit { end() }

    /// The items are as they are to be, and those who present them were told that before.
    public func end() { if !isEnded.exchange(true, ordering: .relaxed) { server.send(.over(number)) } }
}
