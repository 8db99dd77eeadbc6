import Replication

/// Worlds for what hardly ever comes by chance: somebody says what happens in them.
package enum HandMadeWorld: String, CaseIterable, Sendable {
    /// Two devices made the same document, one of them wrote into hers, and then a third one says that both are one. In that moment she writes over it once more,
    /// and removes it. What she had written first is nowhere then.
    case writtenOverAndRemoved
    /// She removes the other one as well.
    case writtenOverAndBothRemoved

    /// By the seed one or the other of the two is the one by whose id both are known.
    package func run(seed: UInt64, twin: Twin? = nil) throws { _ = try run(World(seed: seed, twin: twin)) }

    package func story(twin: Twin?) -> (fault: String, story: [String])? {
        let world = World(seed: 0, twin: twin, isTold: true)
        do { _ = try run(world) } catch { return ("\(error)", world.story) }
        return nil
    }

    private func run(_ world: World) throws -> World.Outcome {
        try world.run(byHand: ["A", "B", "C"]) { devices, shares in
            let a = devices[0], c = devices[2]
            func meet(_ index: Int, mayCrash: @escaping () throws -> Void = {}) throws { try devices[index].meet(shares[index], isAtRest: true, mayCrash: mayCrash) }
            func carry(_ from: Int, _ to: Int) { shares[to].carry(from: shares[from], world.chance, isBad: false) }
            let name = Array("a.t".utf8)
            for device in [a, c] { device.make(in: nil, name, .document, RandomHistory.digest(of: "common")) }
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
            var isHeard = false
            try meet(2) {
                // She does so when that was heard, and before her computer looks again.
                guard !isHeard else { return }
                isHeard = true
                c.edit(mine, isRename: false)
                for id in self == .writtenOverAndBothRemoved ? c.disk.documents : [mine] { c.remove(id) }
            }
        }
    }
}
