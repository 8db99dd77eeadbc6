import Containers
import Dispatch
import LinuxFiles

/// Drafts that could not be saved although their content is right: a store without room, most of all.
struct WaitingDrafts {
    var documents: Set<UInt32> = []
    /// When they are tried again by themselves, in seconds.
    var delay = shortest
    var isTimed = false
    var isTrying = false

    static let shortest = 1, longest = 30
}

// They are shown and told of, and tried again: now and then, whenever something was written, synchronized, closed or
// removed, and when the drive ends.
extension Drive {
    /// A draft could not be saved and may be the next time.
    func waits(_ id: UInt32) {
        let isNew = waiting.withLock { waiting in
            guard waiting.documents.insert(id).inserted else { return false }
            waiting.delay = WaitingDrafts.shortest
            return true
        }
        if isNew { setTimer() }
    }

    private func setTimer() {
        let delay: Int? = waiting.withLock { waiting in
            guard !waiting.isTimed, !waiting.documents.isEmpty else { return nil }
            waiting.isTimed = true
            defer { waiting.delay = min(waiting.delay * 2, WaitingDrafts.longest) }
            return waiting.delay
        }
        guard let delay else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(delay)) { [weak self] in
            guard let self else { return }
            waiting.withLock { $0.isTimed = false }
            tryWaiting()
            setTimer()
        }
    }

    /// Something changed that may have made room. Nobody waits for what comes of it.
    func tryWaitingAgain() {
        let isNeeded = waiting.withLock { waiting in
            guard !waiting.documents.isEmpty, !waiting.isTrying else { return false }
            waiting.isTrying = true
            return true
        }
        guard isNeeded else { return }
        DispatchQueue.global(qos: .utility).async { [weak self] in
            guard let self else { return }
            waiting.withLock { $0.isTrying = false }
            tryWaiting()
        }
    }

    private func tryWaiting() {
        for id in waiting.withLock({ $0.documents }) {
            let document = tree.withLock { $0.contains(id) && !$0[id].flags.contains(.orphan) ? $0.documents[id] : nil }
            do throws(Errno) {
                if let document {
                    try save(document, id, durably: false)
                    if document.state.withLock({ $0.writers }) == 0 { try becomePlainIfNew(document, id) }
                }
                waiting.withLock { _ = $0.documents.remove(id) }
                tree.withLock { $0.dropDocumentIfIdle(id) }
            } catch {
                // It goes on waiting.
            }
        }
    }
}
