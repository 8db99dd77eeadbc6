import Synchronization

/// What those who present items were asked before this process uses them: they leave the items alone until this is ended, or
/// nobody has it any more.
public final class PresenterAsking: Sendable {
    private let asked: (number: UInt64, server: CoordinationServer)?
    private let isEnded = Atomic(false)

    init(_ number: UInt64, _ server: CoordinationServer) { asked = (number, server) }
    /// Nobody presents them.
    public init() { asked = nil }

    deinit { end() }

    /// The items are as they are to be, and those who present them were told that before.
    public func end() {
        guard let asked, !isEnded.exchange(true, ordering: .relaxed) else { return }
        asked.server.send(.over(asked.number))
    }
}
