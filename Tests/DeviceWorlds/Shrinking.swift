/// The events of a world that are needed for it to fail, and what happens in them.
package struct ShrunkWorld {
    package let fault: String
    package let events: [Int]
    package let story: [String]

    /// Nil if it does not fail.
    package init?(seed: UInt64, twin: Twin? = nil, roughness: Double = 1, _ trouble: Trouble = []) {
        func fault(_ events: [Int]) -> String? {
            do { _ = try World(seed: seed, twin: twin, events: events, roughness: roughness, trouble).run() } catch { return "\(error)" }
            return nil
        }
        var events = World.usualEvents
        guard fault(events) != nil else { return nil }
        // Halves first, then ever smaller parts, down to single events.
        var size = events.count / 2
        while size > 0 {
            var start = 0
            while start < events.count {
                let fewer = Array(events[..<start] + events[min(start + size, events.count)...])
                if fault(fewer) != nil { events = fewer } else { start += size }
            }
            size /= 2
        }
        let world = World(seed: seed, twin: twin, events: events, roughness: roughness, trouble, isTold: true)
        do { _ = try world.run() } catch { self.init(fault: "\(error)", events: events, story: world.story); return }
        return nil
    }

    private init(fault: String, events: [Int], story: [String]) { (self.fault, self.events, self.story) = (fault, events, story) }
}
