import Testing

@testable import Containers

/// What goes where several users keep more than there is room for.
@Suite struct SharedRoomTests {
    private func superfluous(_ kept: [(owner: UInt32, size: Int64)], besides: [UInt32: Int64] = [:], room: Int64) -> [Int] {
        SharedRoom.superfluous(kept, besides: besides, room: room)
    }

    @Test func ofOneTheOldestGo() {
        #expect(superfluous([(1, 10), (1, 10), (1, 10)], room: 30) == [])
        #expect(superfluous([(1, 10), (1, 10), (1, 10)], room: 25) == [0])
        #expect(superfluous([(1, 10), (1, 1), (1, 10)], room: 10) == [0, 1])
        #expect(superfluous([(1, 0), (1, 0)], room: -1) == [0, 1])
        #expect(superfluous([], room: 0) == [])
    }

    @Test func whoKeepsMuchLosesTheirs() {
        #expect(superfluous([(1, 5), (2, 100), (1, 5), (2, 100), (2, 100)], room: 120) == [1, 3])
        // A lie about sizes costs nobody else.
        #expect(superfluous([(1, 5), (2, .max), (2, .max)], room: 50) == [1, 2])
        // Both, in turn.
        #expect(superfluous([(1, 30), (2, 30), (1, 30), (2, 30)], room: 60) == [0, 1])
    }

    /// Somebody has deleted much, and that is counted elsewhere.
    @Test func whoTakesNoMoreThanTheirShareKeepsIt() {
        #expect(superfluous([(1, 20), (2, 20)], besides: [2: 60], room: 64) == [1])
        #expect(superfluous([(1, 20)], besides: [2: 60], room: 64) == [])
        #expect(superfluous([(1, 40)], besides: [2: 60], room: 64) == [0])
    }
}
