/// Nodes that lost their name to what another program put there, while they are open. Who opens one means the name: the kernel had
/// asked before it was told that the name leads elsewhere. That request may wait for its answer for a while after, and so it is
/// for a moment. Who has no name in mind, but a descriptor that is opened anew by way of /proc, asks again, and gets it.
struct SeparatedNodes {
    /// When the kernel was told; none where it was not yet.
    private var known: [NodeNumber: Int64?] = [:]
    /// For so many seconds after the kernel heard, a request may be about the name.
    private static let moment: Int64 = 10

    mutating func insert(_ id: NodeNumber) { known[id] = .some(nil) }

    mutating func remove(_ id: NodeNumber) { if !known.isEmpty { known[id] = nil } }

    /// The kernel knows of this one. Those that it has known of for long are forgotten.
    mutating func noteKernelKnows(_ id: NodeNumber, at now: Int64) {
        if known[id] != nil { known[id] = .some(now) }
        known = known.filter { Self.isRecent($0.value, now) }
    }

    func isMeantByName(_ id: NodeNumber, at now: @autoclosure () -> Int64) -> Bool {
        !known.isEmpty && known[id].map { Self.isRecent($0, now()) } ?? false
    }

    private static func isRecent(_ known: Int64?, _ now: Int64) -> Bool { known.map { abs(now - $0) <= moment } ?? true }
}
