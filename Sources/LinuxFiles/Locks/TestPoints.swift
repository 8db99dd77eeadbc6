
/// What tests have happen at a moment between two steps, so that what is seldom happens each time. In release builds nothing ever does.
package final class TestPoints<Moment: Hashable & Sendable>: Sendable {
    #if DEBUG
    private let testPoints = Locked<[Moment: @Sendable () -> Void]>([:])

    /// Once, the next time that the moment comes.
    package func set(at moment: Moment, _ interlude: @escaping @Sendable () -> Void) { testPoints.withLock { $0[moment] = interlude } }
    #endif

    package init() {}

    package func pass(_ moment: Moment) {
        #if DEBUG
        testPoints.withLock { $0.removeValue(forKey: moment) }?()
        #endif
    }
}
