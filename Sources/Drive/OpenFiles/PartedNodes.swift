/// Nodes that lost their name to what another program put there, while they are open. Who opens one means the name: the kernel had
/// asked before it was told that the name leads elsewhere. That request may wait for its answer for a while after, and so it is
/// for a moment. Who has no name in mind, but a descriptor that is opened anew by way of /proc, asks again, and gets it.
struct PartedNodes {
    /// When the kernel was told; none where it was not yet.
    private var told: [NodeNumber: Int64?] = [:]
    /// In seconds.
    private static let moment: Int64 = 10

    mutating func insert(_ id: NodeNumber) { told[id] = .some(nil) }

    mutating func remove(_ id: NodeNumber) { if !told.isEmpty { told[id] = nil } }

    /// The kernel knows of this one. Those that it has known of for long are forgotten.
    mutating func noteTold(_ id: NodeNumber, at now: Int64) {
        if told[id] != nil { told[id] = .some(now) }
        told = told.filter { Self.isRecent($0.value, now) }
    }

    func isMeantByName(_ id: NodeNumber, at now: @autoclosure () -> Int64) -> Bool {
        !told.isEmpty && told[id].map { Self.isRecent($0, now()) } ?? false
    }

    private static func isRecent(_ told: Int64?, _ now: Int64) -> Bool { told.map { abs(now - $0) <= moment } ?? true }
}
