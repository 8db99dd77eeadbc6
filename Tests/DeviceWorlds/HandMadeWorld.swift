import Replication

/// Worlds for what hardly ever comes by chance: somebody says what happens in them.
package enum HandMadeWorld: String, CaseIterable, Sendable {
    /// Two devices made the same document, one of them wrote into hers, and then a third one says that both are one. In that moment she writes over it once more,
    /// and removes it. What she had written first is nowhere then.
    case writtenOverAndRemoved
    /// She removes the other one as well.
    case writtenOverAndBothRemoved
    /// A device puts what another one wrote in the place of a document, and stops before that is durable. Then its user writes there.
    case writtenOverWhatCame

    /// By the seed one or the other of two that are one is the one by whose id both are known.
    package func run(seed: UInt64, twin: Twin? = nil) throws { try run(World(seed: seed, twin: twin)) }

    package func story(seed: UInt64, twin: Twin?) -> (fault: String, story: [String])? {
        let world = World(seed: seed, twin: twin, isTold: true)
        do { try run(world) } catch { return ("\(error)", world.story) }
        return nil
    }

    private static let name = Array("a.t".utf8)

    private func run(_ world: World) throws {
        switch self {
        case .writtenOverAndRemoved: try writtenOverAndRemoved(world) { [$0] }
        case .writtenOverAndBothRemoved: try writtenOverAndRemoved(world) { _ in nil }
        case .writtenOverWhatCame: try writtenOverWhatCame(world)
        }
    }

    /// Removed is what is answered, or all documents.
    private func writtenOverAndRemoved(_ world: World, removed: (LocalID) -> [LocalID]?) throws {
        try world.run(byHand: ["A", "B", "C"]) { devices, shares in
            let a = devices[0], c = devices[2]
            func meet(_ index: Int, mayCrash: @escaping () throws -> Void = {}) throws { try devices[index].meet(shares[index], isAtRest: true, mayCrash: mayCrash) }
            func carry(_ from: Int, _ to: Int) { shares[to].carry(from: shares[from], world.chance, isBad: false) }
            for device in [a, c] { device.make(in: nil, Self.name, .document, RandomHistory.digest(of: "common")) }
            for index in [0, 2] {
                try meet(index)
                carry(index, 1)
            }
            let mine = c.disk.documents[0]
            c.edit(mine, isRename: false)
            carry(0, 2)
            try meet(2)
            // What she wrote nobody has heard of, and nobody gets it any more.
            shares[2].empty(c)
            try meet(1)
            carry(1, 2)
            let all = removed(mine) ?? c.disk.documents
            var isHeard = false
            try meet(2) {
                // She does so when that was heard, and before her computer looks again.
                guard !isHeard else { return }
                isHeard = true
                c.edit(mine, isRename: false)
                all.forEach(c.remove)
            }
        }
    }

    private func writtenOverWhatCame(_ world: World) throws {
        try world.run(byHand: ["A", "B"]) { devices, shares in
            let a = devices[0], b = devices[1]
            func carry() throws {
                try a.meet(shares[0], isAtRest: true) {}
                shares[1].carry(from: shares[0], world.chance, isBad: false)
            }
            a.make(in: nil, Self.name, .document, world.newContent())
            try carry()
            try b.meet(shares[1], isAtRest: true) {}
            a.edit(a.disk.documents[0], isRename: false)
            try carry()
            let written = a.disk.file(nil, Self.name)?.content, file = b.disk.documents[0]
            do { try b.meet(shares[1], isAtRest: true) { if b.disk.files[file]?.content == written { throw Crash() } } } catch is Crash { b.crash() }
            // What was fetched was moved there.
            if let written { b.disk.other.remove(written) }
            b.edit(file, isRename: false)
            try b.work(isQuiet: true)
            if b.view.items.values.contains(where: { !$0.conflicts.isEmpty }) { throw Fault("what was written over is not replaced") }
        }
    }
}
